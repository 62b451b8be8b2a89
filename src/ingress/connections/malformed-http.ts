// Answers to input that never becomes a request of the service: it has no route, no key and no trace, but gets one clear answer, which ends
// the connection. Where its path is known, the answer has the form of the others there.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { inOriginForm } from './framing.ts'
import type { Limit } from './limits.ts'

export interface Refusal {
  status: number
  title: string
  detail: string
  /** The `type` of the problem document. */
  type?: string
  headers?: Record<string, string>
}

/** What a refusal is answered with below a path, by that path; elsewhere it is a problem document. */
export type Wordings = Map<string, (refusal: Refusal) => { type: string; body: string }>

/** An error of Node's parser, or of its timeout. */
export interface Malformed extends Error {
  code?: string
  /** The piece of the connection's input at which the parser stopped, and how much of it was read. */
  rawPacket?: unknown
  bytesParsed?: number
}

export function refusalOf({ code }: Malformed): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') return { status: 431, title: 'Request Header Fields Too Large', detail: HEAD_TOO_LARGE }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooLate('request')
  // The client closed its end before that of the request.
  if (code === 'HPE_INVALID_EOF_STATE') return badRequest('The request did not arrive whole. Send it again.')
  return badRequest('The request is not valid HTTP/1.1.')
}

export const badRequest = (detail: string): Refusal => ({ status: 400, title: 'Bad Request', detail })

export const tooLate = (what: string): Refusal => ({ status: 408, title: 'Request Timeout', detail: `The ${what} did not arrive in time.` })

export const tooManyConnections = (limit: Limit, docsUrl: string): Refusal => ({
  status: 503,
  type: `${docsUrl}/errors/service-unavailable`,
  title: 'Service Unavailable',
  detail:
    limit === 'all'
      ? 'The service has as many connections open as it takes; try again.'
      : 'Your address has as many connections open as may be without a valid key; use those, or close some.',
  headers: { 'Retry-After': '5' },
})

/** Answers where there is a response, after the earlier ones of the connection. */
export function answer(response: ServerResponse, refusal: Refusal, wordings: Wordings): void {
  const { head, body } = rendered(refusal, wordings, response.req.url)
  response.writeHead(refusal.status, head).end(body)
}

/** Answers where there is no response. @param url as far as it is known */
export function answerSocket(socket: Socket, refusal: Refusal, wordings: Wordings, url?: string): void {
  if (!socket.writable) return
  const { head, body } = rendered(refusal, wordings, url)
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

/** @returns the target of a request whose head is malformed, if its first line came in the same piece of input */
export function targetOf({ rawPacket, bytesParsed = 0 }: Malformed): string | undefined {
  if (!Buffer.isBuffer(rawPacket)) return undefined
  // Requests that are pipelined before it, or after it, stand in the piece too. The parser may have stopped within the first line.
  const lineEnd = rawPacket.indexOf('\n', bytesParsed)
  const read = rawPacket.toString('latin1', 0, lineEnd < 0 ? rawPacket.length : lineEnd)
  return [...read.matchAll(/^[A-Za-z]+ (\/\S*|https?:\S+)/gm)].at(-1)?.[1]
}

function rendered(refusal: Refusal, wordings: Wordings, url = ''): { head: Record<string, string>; body: string } {
  const { type, body } = (wordingOf(wordings, url) ?? asProblem)(refusal)
  const head = {
    'Content-Type': type,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...refusal.headers,
    Connection: 'close',
  }
  return { head, body }
}

function wordingOf(wordings: Wordings, url: string): ReturnType<Wordings['get']> {
  const path = inOriginForm(url).replace(/[?#].*/, '')
  for (const [prefix, wording] of wordings) if (path === prefix || path.startsWith(`${prefix}/`)) return wording
  return undefined
}

const asProblem = ({ status, title, detail, type = 'about:blank' }: Refusal) => ({
  type: 'application/problem+json',
  body: JSON.stringify({ type, title, status, detail }),
})

const HEAD_TOO_LARGE =
  'The head of a request may have at most 16 KB. In a browser it is mostly cookies: delete those of this address, and try again.'
