// Limits the bytes that a connection may bring for one request. undici limits headers and its caller limits bodies, but nothing limits interim answers,
// status lines, chunk sizes and chunk extensions: a receiver that floods those would hold a core until the request's time is over.
import type { Socket } from 'node:net'

/** The connection is destroyed with this error, which reaches its request. */
export class FloodError extends Error {
  override name = 'FloodError'
}

export interface Meter {
  /** A new request begins, and may bring this many bytes. */
  allow(bytes: number): void
}

export function meter(socket: Socket): Meter {
  let allowed = 0
  let limit = Number.POSITIVE_INFINITY
  // Added before undici's own listener, so that bytes past the limit are not parsed.
  socket.on('readable', () => {
    if (socket.bytesRead > limit) socket.destroy(new FloodError(`The answer did not end within ${allowed} bytes.`))
  })
  return {
    allow(bytes) {
      allowed = bytes
      limit = socket.bytesRead + bytes
    },
  }
}
