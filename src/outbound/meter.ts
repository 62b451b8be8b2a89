// How many bytes a connection may bring for one request. undici bounds headers and its caller bounds bodies, but interim answers, status
// lines, chunk sizes and chunk extensions have no bound: a receiver that floods there would hold a core until the request's time is over.
import type { Socket } from 'node:net'

/** Thrown by the connection itself, so that its request hears of it. */
export class FloodError extends Error {
  override name = 'FloodError'
}

export interface Meter {
  /** Of a new request: so many bytes from now on. */
  allow(bytes: number): void
}

export function meter(socket: Socket): Meter {
  let allowed = 0
  let limit = Number.POSITIVE_INFINITY
  // Before undici's own listener, so that what is too much is not parsed.
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
