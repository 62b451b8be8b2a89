// A request as its caller asks for it, where it leads, and its body as undici takes it.
import type { Dispatcher } from 'undici'
import type { Place } from './place.ts'

/** What every request says, whatever its method. */
export interface OutboundRequest {
  url: string
  /** The tenant that sends it: tenants share the slots of an origin. */
  tenant: string
  /** Without Host, which is taken from the URL. */
  headers: Record<string, string>
  /** From the start (name, connection, TLS) to the response's headers. Each piece of a streamed body that is taken starts it anew. */
  timeoutMs: number
  /** After that, for the response's body. */
  bodyExtraMs: number
  keepResponseBytes: number
  /** For the whole exchange, where a streamed body, or an answer to a taker, may go on for long. */
  totalMs?: number
  /** Takes the body of an answer 2xx. Other answers are kept up to `keepResponseBytes`, as all are without a taker. */
  taker?: Taker
  /**
   * False: the request is never made a second time, and takes only a connection that was used a moment ago. Otherwise a request whose kept connection
   * turns out closed is made again, which is right where the receiver can tell repeats.
   */
  repeatable?: false
  /** Called when the request has its slot, its name and its connection, each time: false ends it as 'aborted', before a byte is sent. */
  mayBegin?: () => boolean
  /** One at the URL's origin: the request has its slot already, which stays the caller's. One at another origin is not used. */
  place?: Place
  signal?: AbortSignal
}

export interface PostRequest extends OutboundRequest {
  body: string | Buffer | Streamed
}

/** A body that is made while it is sent. */
export interface Streamed {
  /** Called once each time the body is sent. A piece is asked for when the receiver has room for it. */
  pieces(): AsyncIterable<Buffer>
  /** In bytes. Undefined: the length is not known, and the body goes out in chunks. */
  length?: number
}

/** Takes an answer's body as it comes. */
export interface Taker {
  /** The next piece is read once this has resolved. What it throws ends the request, and is the outcome's `cause`. */
  take(piece: Buffer): void | Promise<void>
  /** An answer that has more, or says that it will have, ends as 'size', and the rest is not read. */
  maxBytes: number
  /** The longest time without a piece. Time that `take` itself needs does not count. */
  idleMs: number
}

/** Where a URL leads. */
export interface Destination {
  origin: string
  /** Without the brackets of an IPv6 address. */
  hostname: string
  path: string
}

/** The request's own `pieces` or `take` has failed, not the receiver. */
export class OwnError extends Error {
  override name = 'OwnError'
}

/** A piece of a large body: no less than what a socket takes before it reports that it is full. */
const PIECE_BYTES = 64 * 1024

type Sent = Pick<Dispatcher.RequestOptions, 'headers'> & { body: RequestBody }
type RequestBody = NonNullable<Dispatcher.RequestOptions['body']>

/**
 * Sends a large body in pieces, each written when the kernel has taken the one before. A body written at once to a TLS connection is copied and
 * encrypted as a whole, and stays in memory until the receiver has taken it.
 */
export function payload(headers: Record<string, string>, body: string | Buffer): Sent {
  if (body.length <= PIECE_BYTES || typeof body === 'string') return { headers, body }
  return { headers: { ...headers, 'Content-Length': String(body.length) }, body: piecesOf(body) as unknown as RequestBody }
}

function* piecesOf(body: Buffer): Generator<Buffer> {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}

/** @param going called before each piece goes out, and before the end of the body does */
export function streamed(headers: Record<string, string>, { pieces, length }: Streamed, going: () => void): Sent {
  const sized = length === undefined ? headers : { ...headers, 'Content-Length': String(length) }
  return { headers: sized, body: outgoing(pieces, going) as unknown as RequestBody }
}

async function* outgoing(pieces: () => AsyncIterable<Buffer>, going: () => void): AsyncGenerator<Buffer> {
  try {
    for await (const piece of pieces()) {
      going()
      yield piece
    }
  } catch (error) {
    throw new OwnError('The body of the request could not be read.', { cause: error })
  }
  going()
}
