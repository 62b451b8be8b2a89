// What is not HTTP at all: no route, no key and no trace, but still one clear answer.
import type { Socket } from 'node:net'

/** Ends the connection with it. */
export function answerGarbage(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return
  const [status, title] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? [431, 'Request Header Fields Too Large']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? [408, 'Request Timeout']
        : [400, 'Bad Request']
  const body = JSON.stringify({ type: 'about:blank', title, status, detail: 'The request is not valid HTTP/1.1.' })
  socket.end(
    `HTTP/1.1 ${status} ${title}\r\nContent-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}
