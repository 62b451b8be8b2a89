// A file as the body of a request: taken in as it comes, never held whole.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { UPLOAD_STALL_MS } from '../limits.ts'
import { invalid, Problem } from '../problems.ts'
import type { FileType, Upload } from './route.ts'

/**
 * Before the body is read, so that a wrong type is refused before a large body is (design §6).
 * @throws {Problem} 415, 413
 */
export function requireFile({ types, maxBytes }: Upload, headers: IncomingHttpHeaders): void {
  const plain = (headers['content-encoding'] ?? 'identity').toLowerCase() === 'identity'
  if (!types.includes(fileType(headers).type) || !plain)
    throw new Problem('unsupported-media-type', `Send the file as Content-Type: ${types.join(' or ')}, not compressed.`)
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

/** What the headers say a file is. */
export function fileType(headers: IncomingHttpHeaders): FileType {
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map(part => part.trim().toLowerCase())
  const charset = parameters.find(each => each.startsWith('charset='))?.slice('charset='.length)
  return { type, charset: charset?.replaceAll('"', '') }
}

/**
 * The body in the pieces it comes in.
 * @throws {Problem} 413; 422 upload_incomplete when the client goes, or stops sending
 */
export async function* bodyOf(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  let length = 0
  request.setTimeout(UPLOAD_STALL_MS, () => request.destroy())
  try {
    // Not destroyed when it is refused half-way: the refusal has to go over the same connection.
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      length += (piece as Buffer).length
      if (length > maxBytes) throw tooLarge(maxBytes)
      yield piece as Buffer
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw invalid({ field: '', code: 'upload_incomplete', message: 'The file did not arrive whole. Send it again.' })
  } finally {
    // What is left of it, for a client that reads no answer before it has sent all.
    request.resume()
  }
}

const tooLarge = (maxBytes: number): Problem =>
  new Problem('payload-too-large', `The file may have at most ${maxBytes} bytes.`, { max_bytes: maxBytes })
