// Bodies that stay the same while the process lives, in the encodings that callers accept. Each is made at its first use, and kept.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { etagOf } from './conditional.ts'

type Encoding = 'br' | 'gzip'

export interface Encoded {
  body: Buffer
  /** Each encoding has its own, for each is a representation of its own (RFC 9110 §8.8.3). */
  etag: string
  /** Vary, and Content-Encoding where there is one. */
  headers: Record<string, string>
}

/** @param headers are sent with each @returns chooses by a request's Accept-Encoding */
export function encodings(text: string | Buffer, headers: Record<string, string> = {}): (acceptEncoding: string | undefined) => Encoded {
  const plain: Encoded = { body: Buffer.from(text), etag: etagOf(text), headers: { ...headers, Vary: 'Accept-Encoding' } }
  const made = new Map<Encoding, Encoded>()
  return acceptEncoding => {
    const encoding = preferred(acceptEncoding)
    if (!encoding) return plain
    const known = made.get(encoding) ?? encode(plain, encoding)
    made.set(encoding, known)
    return known
  }
}

/** Whether the caller accepts a file that is stored compressed. */
export const acceptsGzip = (acceptEncoding: string | undefined): boolean => weightOf('gzip', acceptEncoding) > 0

const encode = ({ body, etag, headers }: Encoded, encoding: Encoding): Encoded => ({
  body: COMPRESS[encoding](body),
  etag: `${etag.slice(0, -1)}-${encoding}"`,
  headers: { ...headers, 'Content-Encoding': encoding },
})

// Brotli's best quality would block the process for a fifth of a second, and save a tenth.
const COMPRESS: Record<Encoding, (body: Buffer) => Buffer> = {
  br: body =>
    brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: body.length } }),
  gzip: body => gzipSync(body, { level: 9 }),
}

function preferred(acceptEncoding: string | undefined): Encoding | undefined {
  const [br, gzip] = [weightOf('br', acceptEncoding), weightOf('gzip', acceptEncoding)]
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : undefined
}

/** From 0, which refuses it, to 1; an encoding's name counts before `*` (RFC 9110 §12.5.3). */
function weightOf(encoding: Encoding, acceptEncoding = ''): number {
  const weights = new Map(acceptEncoding.toLowerCase().split(',').map(weighted))
  return weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ?? weights.get('*') ?? 0
}

function weighted(part: string): [name: string, weight: number] {
  const [name = '', parameter = ''] = part.split(';')
  const [, weight = '1'] = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/.exec(parameter) ?? []
  return [name.trim(), Number(weight)]
}
