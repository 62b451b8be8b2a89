// What browsers are told of requests by pages of other origins: https://fetch.spec.whatwg.org/#http-cors-protocol
import type { FastifyReply } from 'fastify'
import { GUEST_PREFLIGHT_SECONDS } from '../limits/chat.ts'
import { Problem } from '../problems.ts'

const HEADERS = 'Authorization, Content-Type, Last-Event-ID'
/** What a page's script may read of an answer. */
const EXPOSED = 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Trace-Id'

/** Lets a page of this origin read the answer; no page where there is none. */
export function allow(reply: FastifyReply, origin: string | undefined): void {
  reply.header('Vary', 'Origin')
  if (origin !== undefined) reply.headers({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED })
}

/** The answer to a browser's question whether a page may ask. */
export const preflight = (methods: string[]): Record<string, string> => ({
  Allow: [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '),
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': HEADERS,
  'Access-Control-Max-Age': String(GUEST_PREFLIGHT_SECONDS),
})

/** A browser that is refused its question hides why. It may ask of what is not there: the answer to that is a 404 that its script can read. */
export function unlessGone(error: unknown): void {
  if (!(error instanceof Problem) || error.type !== 'resource-not-found') throw error
}

export const foreign = (origin: string): Problem =>
  new Problem('insufficient-scope', `Pages of ${origin.slice(0, 200)} may not use this: its owner has not named that origin.`, {
    code: 'origin_not_allowed',
  })
