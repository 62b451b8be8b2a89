// A POST as its caller asks for it, where it leads, and its body as undici takes it.
import type { Dispatcher } from 'undici'

export interface PostRequest {
  url: string
  /** The tenant that sends it: tenants share the slots of an origin. */
  tenant: string
  /** Without Host, which is taken from the URL. */
  headers: Record<string, string>
  body: string | Buffer
  /** From the start (name, connection, TLS) to the response's headers. */
  timeoutMs: number
  /** After that, for the response's body. */
  bodyExtraMs: number
  keepResponseBytes: number
  /** Called when the request has its slot and its name: false ends it as 'aborted', before a byte is sent. */
  mayBegin?: () => boolean
  signal?: AbortSignal
}

/** Where a URL leads. */
export interface Destination {
  origin: string
  /** Without the brackets of an IPv6 address. */
  hostname: string
  path: string
}

/** A piece of a large body: no less than what a socket takes before it reports that it is full. */
const PIECE_BYTES = 64 * 1024

/**
 * Sends a large body in pieces, each written when the kernel has taken the one before. A body written at once to a TLS connection is copied and
 * encrypted as a whole, and stays in memory until the receiver has taken it.
 */
export function payload({ headers, body }: PostRequest): Pick<Dispatcher.RequestOptions, 'headers'> & { body: RequestBody } {
  if (body.length <= PIECE_BYTES || typeof body === 'string') return { headers, body }
  return { headers: { ...headers, 'Content-Length': String(body.length) }, body: piecesOf(body) as unknown as RequestBody }
}

type RequestBody = NonNullable<Dispatcher.RequestOptions['body']>

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}
