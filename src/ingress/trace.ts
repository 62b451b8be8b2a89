// Trace ids: from a valid W3C traceparent, else a new one. Quoted in support requests.
import { randomFillSync } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** 32 lower-case hex digits. Only later versions than 00 may be longer (W3C Trace Context §3.2.2). */
export function traceIdOf(headers: IncomingHttpHeaders): string {
  const parent = headers['traceparent']
  const id =
    typeof parent === 'string'
      ? /^(?!ff|00.{54})[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-|$)/.exec(parent)?.[1]
      : undefined
  return id ?? randomId()
}

// Drawn many at a time: each draw of the system's generator costs more than an id's text.
const drawn = Buffer.alloc(256 * 16)
let used = drawn.length

function randomId(): string {
  if (used === drawn.length) {
    randomFillSync(drawn)
    used = 0
  }
  used += 16
  return drawn.toString('hex', used - 16, used)
}
