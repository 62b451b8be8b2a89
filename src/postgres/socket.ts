// The driver's sockets, read into one buffer for ever. Node would make a buffer of 64 KB for every read and copy what came into a second one, and
// the driver would join those of a large message into a third: most of what a page of a list costs this process.
import { connect, type Socket } from 'node:net'

interface SocketOptions {
  /** Of one server: the worker's pool knows no lists of them. */
  host: [string]
  port: [number]
  /** Of a Unix socket. */
  path?: string | undefined
  /** Whether the connection will be encrypted: Node then reads it in its own way. */
  ssl?: unknown
}

const READ_BYTES = 65_536

/** What the driver asks for each connection. */
export const openSocket = (options: SocketOptions): Socket => open(options, framed)

/** The same where nobody keeps raw values: those of small messages are overwritten once they have been handed on. */
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
  const socket = connect({ ...(path ? { path } : { host, port }), ...(!ssl && { onread }) })
  // The driver looks for them there: for its errors, and for the name a certificate must have.
  return Object.assign(socket, { host, port })
}

const HEADER_BYTES = 5
/** From here on a message has memory of its own, as Node's buffers have that are too large for its pool. */
const LARGE_BYTES = 8192
const EMPTY: Buffer = Buffer.alloc(0)

/** The memory of single large messages. */
const single = new WeakSet<ArrayBufferLike>()

/**
 * Gives back the memory of a large value that nobody reads any more. Left to the garbage collector, sent pages would make up a third of what this
 * process weighs. Whoever did read it again would find it empty, and never somebody else's value in it. Other buffers are left as they are.
 */
export function free({ buffer }: Buffer): void {
  if (single.delete(buffer)) (buffer as ArrayBuffer).transfer(0)
}

/**
 * Takes chunks as they come, which it may not keep, and hands on whole messages of PostgreSQL's protocol (a byte of type, four of length): a
 * large one alone, small ones together.
 * @param kept what is handed on of small messages: a copy, so that it may be kept
 */
export function framed(
  emit: (messages: Buffer) => void,
  kept = (messages: Buffer): Buffer => Buffer.from(messages),
): (chunk: Buffer) => void {
  let large: { message: Buffer; filled: number } | undefined
  let cut = EMPTY

  function fill(chunk: Buffer, { message, filled }: { message: Buffer; filled: number }): Buffer {
    const copied = chunk.copy(message, filled)
    large = filled + copied < message.length ? { message, filled: filled + copied } : undefined
    if (!large) emit(message)
    return chunk.subarray(copied)
  }

  return chunk => {
    let rest = large ? fill(chunk, large) : cut.length > 0 ? Buffer.concat([cut, chunk]) : chunk
    cut = EMPTY
    while (rest.length >= HEADER_BYTES) {
      const small = smallMessages(rest)
      if (small > 0) emit(kept(rest.subarray(0, small)))
      rest = rest.subarray(small)
      if (rest.length >= HEADER_BYTES) rest = fill(rest, { message: own(messageLength(rest, 0)), filled: 0 })
    }
    if (rest.length > 0) cut = Buffer.from(rest)
  }
}

function own(length: number): Buffer {
  const message = Buffer.allocUnsafeSlow(length)
  if (length > LARGE_BYTES) single.add(message.buffer)
  return message
}

// Where the small messages that are here as a whole end.
function smallMessages(bytes: Buffer): number {
  let end = 0
  while (bytes.length - end >= HEADER_BYTES) {
    const length = messageLength(bytes, end)
    if (length > LARGE_BYTES || length > bytes.length - end) break
    end += length
  }
  return end
}

// The length says how long the message is from itself on.
const messageLength = (bytes: Buffer, at: number): number => bytes.readUInt32BE(at + 1) + 1
