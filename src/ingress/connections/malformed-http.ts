// Answers to input that never becomes a request of the service: it has no route, no key and no trace, but gets one clear answer, which ends
// the connection.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Limit } from './limits.ts'

export interface Refusal {
  status: number
  title: string
  detail: string
  /** The `type` of the problem document. */
  type?: string
  headers?: Record<string, string>
}

/** The refusal for an error of Node's parser, or of its timeout. */
export function refusalOf({ code }: Error & { code?: string }): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW')
    return { status: 431, title: 'Request Header Fields Too Large', detail: 'The head of a request may have at most 16 KB.' }
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
export function answer(response: ServerResponse, refusal: Refusal): void {
  const { head, body } = rendered(refusal)
  response.writeHead(refusal.status, head).end(body)
}

/** Answers where there is no response. */
export function answerSocket(socket: Socket, refusal: Refusal): void {
  if (!socket.writable) return
  const { head, body } = rendered(refusal)
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 ${refusal.status} ${refusal.title}\r\n${lines.join('')}\r\n${body}`)
  socket.destroySoon()
}

function rendered({ status, title, detail, type = 'about:blank', headers }: Refusal): { head: Record<string, string>; body: string } {
  const body = JSON.stringify({ type, title, status, detail })
  const head = {
    'Content-Type': 'application/problem+json',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    Connection: 'close',
  }
  return { head, body }
}
