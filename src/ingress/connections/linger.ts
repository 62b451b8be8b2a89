// Ends a connection whose client may still be sending. Closed at once, the connection would be reset by the next bytes, and a reset takes the
// answer from a client that has not read it yet (RFC 9112 §9.6). So: half-close, read on and throw away, for a bounded time and amount.
import type { Socket } from 'node:net'
import { LINGER_BYTES } from '../../limits/connections.ts'

/** Ends the connection once all output is sent and the client has closed too, or after `ms` milliseconds. */
export function linger(socket: Socket, ms: number): void {
  discard(socket)
  const late = setTimeout(() => socket.destroy(), ms).unref()
  socket.once('close', () => clearTimeout(late))
  socket.end()
}

/** Throws away all further input: none of it is a request. */
export function discard(socket: Socket): void {
  let left = LINGER_BYTES
  // The HTTP parser reads by this event.
  socket.removeAllListeners('data')
  socket.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) socket.destroy()
  })
  socket.resume()
  // Behind an unread body Node has paused reading, and only the parser's listeners, which are gone, would resume it.
  socket._read(0)
}
