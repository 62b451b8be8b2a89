// Limits the bytes that a connection may bring for one request. undici limits headers and its caller limits bodies, but nothing limits interim answers,
// status lines, chunk sizes and chunk extensions: a receiver that floods those would hold a core until the request's time is over.
import type { Socket } from 'node:net'
import { createTicker } from '../ticker.ts'

/** The connection is destroyed with this error, which reaches its request. */
export class FloodError extends Error {
  override name = 'FloodError'
}

export interface Meter {
  /** A new request begins, and may bring this many bytes. */
  allow(bytes: number): void
}

/**
 * A socket takes in so much at once, and counts it before any of it is parsed: the last read of a kept part may go beyond what is allowed by as much.
 */
const READ_BYTES = 64 * 1024

/** @param wire the connection's, under TLS */
export function meter(socket: Socket, wire?: Meter): Meter {
  let allowed = 0
  let limit = Number.POSITIVE_INFINITY
  // Added before undici's own listener, so that bytes past the limit are not parsed.
  socket.on('readable', () => {
    if (socket.bytesRead > limit) socket.destroy(new FloodError(`The answer did not end within ${allowed} bytes.`))
  })
  return {
    allow(bytes) {
      allowed = bytes
      limit = socket.bytesRead + bytes + READ_BYTES
      wire?.allow(bytes)
    },
  }
}

/** Room for certificates and tickets, and for the 22 bytes of each record beside what it carries. */
const TLS_BYTES = 512 * 1024
const TLS_TIMES = 2
const LOOK_MS = 50

const watched = createTicker<{ wire: Socket; limit: number }>(LOOK_MS, ({ wire, limit }) => {
  if (wire.bytesRead > limit) wire.destroy(new FloodError('More came over TLS than an answer may have.'))
})

/**
 * Limits what TLS takes for itself, from its handshake on: greetings, certificates, tickets and new keys without end. They cost more than bytes do, and as
 * they bring nothing to read, no event tells of them: they are looked at now and then, on idle connections as well.
 */
export function wireMeter(wire: Socket): Meter {
  const member = { wire, limit: TLS_BYTES }
  watched.add(member)
  wire.once('close', () => watched.delete(member))
  return {
    allow(bytes) {
      member.limit = wire.bytesRead + bytes * TLS_TIMES + TLS_BYTES
    },
  }
}
