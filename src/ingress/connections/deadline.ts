// Ends the connection of a body that does not arrive in time. Each body has a timer of its own: Node's is the same for all requests, and a file
// may take long.
import type { IncomingMessage, ServerResponse } from 'node:http'

type Refuse = (response: ServerResponse) => void

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>()
const waived = new WeakSet<IncomingMessage>()

/** Gives the body `ms` milliseconds from now on. A body refused unread is not waited for: the answer ends the connection. @param refuse answers */
export function limitBody(request: IncomingMessage, response: ServerResponse, ms: number, refuse: Refuse): void {
  // The answer to a read does not wait for its body.
  if (request.method === 'GET' || request.method === 'HEAD') return
  // A tick later a body that came with its head has been read, as most have: it needs no timer.
  process.nextTick(limit, request, response, ms, refuse)
}

function limit(request: IncomingMessage, response: ServerResponse, ms: number, refuse: Refuse): void {
  if (request.complete || waived.has(request)) return
  const cutOff = (): void => {
    if (!request.complete && !response.headersSent) refuse(response)
  }
  // The timer does not keep a process from ending.
  const timer = setTimeout(cutOff, ms).unref()
  timers.set(request, timer)
  response.once('close', () => clearTimeout(timer))
}

/** Lifts the limit for a file, whose pace is watched instead (see upload.ts). */
export function waiveLimit(request: IncomingMessage): void {
  waived.add(request)
  clearTimeout(timers.get(request))
}
