// The driver's sockets, each of which reads into one buffer for ever. Node would make a buffer of 64 KB for every read and copy its content into a
// second one, and the driver would join those of a large message into a third: that is most of the cost of a list's page in this process.
import { connect, type Socket } from 'node:net'

interface SocketOptions {
  /** One server: the worker's pool takes no lists. */
  host: [string]
  port: [number]
  /** The path of a Unix socket. */
  path?: string | undefined
  /** Whether the connection will be encrypted: Node then reads it in its own way. */
  ssl?: unknown
}

const READ_BYTES = 65_536

/** Opens the socket of a connection, for the driver. */
export const openSocket = (options: SocketOptions): Socket => open(options, framed)

/** The same for connections whose raw values are not kept: those of small messages are overwritten once they have been handed on. */
export const openPassingSocket = (options: SocketOptions): Socket => open(options, emit => framed(emit, messages => messages))

function open({ host: [host], port: [port], path, ssl }: SocketOptions, framing: typeof framed): Socket {
  const read = framing(messages => socket.emit('data', messages))
  const onread = {
    buffer: Buffer.allocUnsafeSlow(READ_BYTES),
    callback: (bytes: number, buffer: Uint8Array): boolean => {
      read((buffer as Buffer).subarray(0, bytes))
      return true
    },
  }
  // Without noDelay a statement that is sent behind another would wait until the server has answered that: the driver writes a large one at once, and the
  // kernel holds back what is small and follows something that is not acknowledged.
  const socket = connect({ ...(path ? { path } : { host, port, noDelay: true }), ...(!ssl && { onread }) })
  // The driver reads them there: for its errors, and for the name in the server's certificate.
  return Object.assign(socket, { host, port })
}

const HEADER_BYTES = 5
/** A larger message has memory of its own, like Node's buffers that are too large for its pool. */
const LARGE_BYTES = 8192
const EMPTY: Buffer = Buffer.alloc(0)

/** The memory of single large messages. */
const single = new WeakSet<ArrayBufferLike>()

/**
 * Releases the memory of a large value that is no longer read. Left to the garbage collector, sent pages would make up a third of this process's
 * memory. Reading it again finds it empty, and never another value in its place. Other buffers are left as they are.
 */
export function free({ buffer }: Buffer): void {
  if (single.delete(buffer)) (buffer as ArrayBuffer).transfer(0)
}

/**
 * Splits chunks, which it may not keep, into whole messages of PostgreSQL's protocol (a byte of type, four of length): a large one alone, small
 * ones together.
 * @param kept makes of small messages what is handed on: a copy, so that it may be kept
 */
export function framed(
  emit: (messages: Buffer) => void,
  kept = (messages: Buffer): Buffer => Buffer.from(messages),
): (chunk: Buffer) => void {
  /** A message that has begun and is filled as it comes. */
  let begun: { message: Buffer; filled: number } | undefined
  /** The beginning of a message, too short to tell its length. */
  let header = EMPTY

  function fill(chunk: Buffer, { message, filled }: { message: Buffer; filled: number }): Buffer {
    const copied = chunk.copy(message, filled)
    begun = filled + copied < message.length ? { message, filled: filled + copied } : undefined
    if (!begun) emit(message)
    return chunk.subarray(copied)
  }

  // Joining the whole chunk to what was cut off before it would copy every chunk of many small rows.
  function completeHeader(chunk: Buffer): Buffer {
    const taken = chunk.subarray(0, HEADER_BYTES - header.length)
    header = Buffer.concat([header, taken])
    const rest = chunk.subarray(taken.length)
    if (header.length < HEADER_BYTES) return rest
    fill(header, { message: own(messageLength(header, 0)), filled: 0 })
    header = EMPTY
    return begun ? fill(rest, begun) : rest
  }

  return chunk => {
    let rest = begun ? fill(chunk, begun) : header.length > 0 ? completeHeader(chunk) : chunk
    while (rest.length >= HEADER_BYTES) {
      const small = smallMessages(rest)
      if (small > 0) emit(kept(rest.subarray(0, small)))
      rest = rest.subarray(small)
      if (rest.length >= HEADER_BYTES) rest = fill(rest, { message: own(messageLength(rest, 0)), filled: 0 })
    }
    if (rest.length > 0) header = Buffer.from(rest)
  }
}

function own(length: number): Buffer {
  if (length <= LARGE_BYTES) return Buffer.allocUnsafe(length)
  const message = Buffer.allocUnsafeSlow(length)
  single.add(message.buffer)
  return message
}

// The end of the last small message that has arrived whole.
function smallMessages(bytes: Buffer): number {
  let end = 0
  while (bytes.length - end >= HEADER_BYTES) {
    const length = messageLength(bytes, end)
    if (length > LARGE_BYTES || length > bytes.length - end) break
    end += length
  }
  return end
}

// The length counts itself and what follows, not the byte before it.
const messageLength = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at + 1) + 1
