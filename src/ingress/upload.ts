// A file as the body of a request: received piece by piece, never whole in memory.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { SCARCE_PACE, UPLOAD_PACE } from '../limits/connections.ts'
import { createPace, type Pace } from '../pace.ts'
import type { Holder } from '../places.ts'
import { invalid, Problem } from '../problems.ts'
import { ANY_TYPE, type FileType, type Upload } from './route.ts'

/**
 * Called before the body is read, so that a wrong type is refused before a large body is.
 * @throws {Problem} 415, 413
 */
export function requireFile({ types, maxBytes }: Upload, headers: IncomingHttpHeaders): FileType {
  const plain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  const found = fileType(headers)
  if (types === ANY_TYPE) {
    if (found.type === 'multipart/form-data' || !plain) throw noFile()
  } else if (!types.includes(found.type) || !plain)
    throw new Problem('unsupported-media-type', `Send the file as Content-Type: ${types.join(' or ')}, not compressed.`)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  return found
}

const noFile = (): Problem =>
  new Problem('unsupported-media-type', 'Send the bytes of the file as the body, as they are: neither a form nor compressed.')

/** The type of a file, from the headers. */
function fileType(headers: IncomingHttpHeaders): FileType {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map(part => part.trim().toLowerCase())
  const charset = parameters.find(each => each.startsWith('charset='))?.slice('charset='.length)
  return { type, charset: charset?.replaceAll('"', '') }
}

/** A file on its way in. */
export interface Body extends Holder {
  /**
   * Its pieces, as they arrive.
   * @throws {Problem} 413; 422 upload_incomplete when the client leaves, or is too slow
   */
  bytes: AsyncIterable<Buffer>
}

/** @param paceMs the time over which a client's pace is averaged */
export function bodyOf(request: IncomingMessage, maxBytes: number, paceMs: number): Body {
  const pace = createPace(paceMs)
  const ending = new AbortController()
  return {
    bytes: pieces(request, maxBytes, pace, ending),
    isSlow: () => pace.patience(SCARCE_PACE) <= 0,
    end: why => ending.abort(incomplete(MADE_ROOM[why], CLOSE)),
  }
}

async function* pieces(request: IncomingMessage, maxBytes: number, pace: Pace, ending: AbortController): AsyncGenerator<Buffer> {
  let length = 0
  // A file refused half-way leaves the stream open: the refusal has to go over the same connection.
  const iterator = request.iterator({ destroyOnReturn: false })
  try {
    for (;;) {
      const tooSlow = () => ending.abort(incomplete(`The file came at less than ${UPLOAD_PACE / 1024} KB a second, or stopped`, CLOSE))
      const timer = setTimeout(tooSlow, pace.patience(UPLOAD_PACE))
      pace.wait()
      const { done, value } = await unlessAborted(iterator.next(), ending.signal).finally(() => clearTimeout(timer))
      if (done) return
      const piece = value as Buffer
      pace.moved(piece.length)
      length += piece.length
      if (length > maxBytes) throw tooLarge(maxBytes)
      yield piece
    }
  } catch (error) {
    throw error instanceof Problem ? error : incomplete('The file did not arrive whole')
  } finally {
    if (!ending.signal.aborted) {
      await iterator.return?.()
      // The rest is read and dropped, for a client that reads no answer before it has sent all.
      request.resume()
    }
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.onabort = () => reject(signal.reason)
    if (signal.aborted) reject(signal.reason)
    promise.then(resolve, reject)
  })
}

/** Why a file that was on its way made room for another. */
const MADE_ROOM = {
  slow: `The file came at less than ${SCARCE_PACE / 1024} KB a second while others waited`,
  most: 'The most files came from this address while others waited',
}

function incomplete(what: string, headers: Record<string, string> = {}): Problem {
  const problem = invalid({ field: '', code: 'upload_incomplete', message: `${what}. Send it again.` })
  Object.assign(problem.headers, headers)
  return problem
}

/** A slow client's connection is closed: nothing more is read from it. */
const CLOSE = { Connection: 'close' }

const tooLarge = (maxBytes: number): Problem =>
  new Problem('payload-too-large', `The file may have at most ${maxBytes} bytes.`, { max_bytes: maxBytes })
