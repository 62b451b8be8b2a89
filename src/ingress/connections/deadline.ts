// A body is here in time or its connection ends: a timer for each, for Node's is the same for all requests, and a file may take long.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { answer, tooLate } from './malformed-http.ts'

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** From now on the body has `ms` milliseconds. One that is refused unread is not waited for: that answer ends the connection. */
export function limitBody(request: IncomingMessage, response: ServerResponse, ms: number): void {
  // The answer to a read does not wait for its body.
  if (request.method === 'GET' || request.method === 'HEAD') return
  const cutOff = (): void => {
    if (!request.complete && !response.headersSent) answer(response, tooLate('body'))
  }
  // A process that ends need not wait for this.
  const timer = setTimeout(cutOff, ms).unref()
  timers.set(request, timer)
  response.once('close', () => clearTimeout(timer))
}

/** For a file, whose pace is watched instead (see upload.ts). */
export function waiveLimit(request: IncomingMessage): void {
  clearTimeout(timers.get(request))
}
