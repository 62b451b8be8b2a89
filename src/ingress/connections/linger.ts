// The end of a connection whose other side may still be sending. Closed at once, it would be reset by what comes, and a reset takes the answer
// from a client that has not read it yet (RFC 9112 §9.6). So: half-close, read on and throw away, for a bounded time and amount.
import type { Socket } from 'node:net'
import { LINGER_BYTES } from '../../limits.ts'

/** Ends the connection once what was written is on its way and the client has closed too, or after `ms` milliseconds. */
export function linger(socket: Socket, ms: number): void {
  discard(socket)
  const late = setTimeout(() => socket.destroy(), ms).unref()
  socket.once('close', () => clearTimeout(late))
  socket.end()
}

/** What comes from now on is no request any more. */
export function discard(socket: Socket): void {
  let left = LINGER_BYTES
  // The HTTP parser reads by this event.
  socket.removeAllListeners('data')
  socket.on('data', (piece: Buffer) => {
    left -= piece.length
    if (left < 0) socket.destroy()
  })
  socket.resume()
  // Where a body was not read Node has told the system to stop, and only the parser's listeners, which are gone, would tell it to go on.
  socket._read(0)
}
