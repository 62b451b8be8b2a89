// The bytes of a JSON body, joined as they come. They may come one at a time, and a buffer for each would weigh a hundred times what it holds.
import type { IncomingMessage } from 'node:http'
import { errorCodes } from 'fastify'
import { BODY_PIECES_MAX } from '../limits.ts'
import { Problem } from '../problems.ts'

/** @returns in memory of its own; rejects as Fastify does, which then closes the connection */
export function gather(stream: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const promised = stream.headers['content-length']
  let [held, length, pieces]: [Buffer, number, number] = [Buffer.alloc(0), 0, 0]
  return new Promise((resolve, reject) => {
    if (Number(promised) > maxBytes) return reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
    stream.on('data', take).on('end', end).on('error', end)

    function take(piece: Buffer): void {
      if (length + piece.length > maxBytes) return void refuse(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE())
      if (++pieces > BODY_PIECES_MAX) return void refuse(tooManyPieces())
      if (length + piece.length > held.length) held = grown(held, length, length + piece.length)
      piece.copy(held, length)
      length += piece.length
    }

    function end(error?: Error): void {
      if (error) return void refuse(Object.assign(error, { statusCode: 400 }))
      if (promised !== undefined && Number(promised) !== length) return void refuse(new errorCodes.FST_ERR_CTP_INVALID_CONTENT_LENGTH())
      resolve(held.subarray(0, length))
    }

    // The rest is read and forgotten until the connection closes.
    function refuse(error: Error): void {
      stream.off('data', take).off('end', end)
      reject(error)
    }
  })
}

// Twice as large each time: what comes in a thousand pieces is copied ten times, not a thousand.
function grown(held: Buffer, length: number, needed: number): Buffer {
  const larger = Buffer.allocUnsafe(Math.max(needed, 2 * held.length))
  held.copy(larger, 0, 0, length)
  return larger
}

const tooManyPieces = (): Problem =>
  new Problem('payload-too-large', `The body may come in at most ${BODY_PIECES_MAX} chunks; send larger ones, or its Content-Length.`)
