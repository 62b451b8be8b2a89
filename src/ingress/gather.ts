// The bytes of a JSON body, joined as they arrive. They may arrive one at a time, and a buffer for each would take a hundred times its content.
import type { IncomingMessage } from 'node:http'
import { errorCodes } from 'fastify'
import { BODY_PIECES_MAX } from '../limits/bodies.ts'
import { Problem } from '../problems.ts'

/** @returns the body, in memory of its own; rejects with Fastify's errors, at which Fastify closes the connection */
export async function gather(stream: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const promised = stream.headers['content-length']
  if (Number(promised) > maxBytes) throw new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()
  // Called while the head is read; thereafter a body that came with it is there as well, as most are.
  if (!stream.complete) await undefined
  const whole: Buffer | null = stream.complete && promised !== undefined ? stream.read() : null
  return whole?.length === Number(promised) ? whole : joined(stream, maxBytes, whole ?? NOTHING)
}

const NOTHING = Buffer.alloc(0)

function joined(stream: IncomingMessage, maxBytes: number, first: Buffer): Promise<Buffer> {
  const promised = stream.headers['content-length']
  let [held, length, pieces] = [first, first.length, 0]
  return new Promise((resolve, reject) => {
    stream.on('data', take).on('end', end).on('error', end)

    function take(piece: Buffer): void {
      if (length + piece.length > maxBytes) return void refuse(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      if (++pieces > BODY_PIECES_MAX) return void refuse(tooManyPieces())
      if (length + piece.length > held.length) held = grown(held, length, length + piece.length, Number(promised ?? maxBytes))
      piece.copy(held, length)
      length += piece.length
    }

    function end(error?: Error): void {
      if (error) return void refuse(Object.assign(error, { statusCode: 400 }))
      if (promised !== undefined && Number(promised) !== length) return void refuse(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      resolve(held.subarray(0, length))
    }

    // The rest is read and dropped until the connection closes.
    function refuse(error: Error): void {
      stream.off('data', take).off('end', end)
      reject(error)
    }
  })
}

// The buffer doubles: a body in a thousand pieces is copied ten times, not a thousand.
function grown(held: Buffer, length: number, needed: number, most: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, Math.min(2 * held.length, most)))
  held.copy(larger, 0, 0, length)
  giveBack(held)
  return larger
}

/** Releases the memory of a large body. It lies outside the heap, and wakes the garbage collector only every 64 MB. */
export function giveBack({ buffer }: Buffer): void {
  if (buffer.byteLength > Buffer.poolSize) (buffer as ArrayBuffer).transfer(0)
}

const tooManyPieces = (): Problem =>
  new Problem('payload-too-large', `The body may come in at most ${BODY_PIECES_MAX} chunks; send larger ones, or its Content-Length.`)
