// A client that sends given bytes and keeps all that come back: for requests that no HTTP client would send.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after } from 'node:test'
import { eventually } from './eventually.ts'

export interface Raw {
  socket: Socket
  /** Resolves when the system has taken all of it; also when the connection has ended before. */
  say(text: string | Buffer): Promise<void>
  /** All that came so far. */
  heard(): string
  /** Resolves with all that came once this does. */
  hears(pattern: RegExp): Promise<string>
  /** Resolves with all that came when the other side has ended; `error` is how the connection broke, if it did. */
  ended: Promise<{ heard: string; error: string | undefined }>
}

/** @param address as `http://127.0.0.1:3000` @param from a loopback address of its own */
export async function rawClient(address: string, from?: string): Promise<Raw> {
  const { hostname, port } = new URL(address)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true, ...(from && { localAddress: from }) })
  let heard = ''
  let error: string | undefined
  socket.on('error', (broken: NodeJS.ErrnoException) => {
    error = broken.code
  })
  socket.on('data', (piece: Buffer) => {
    heard += piece.toString('latin1')
  })
  after(() => socket.destroy())
  await once(socket, 'connect')
  return {
    socket,
    say: text => new Promise(resolve => socket.write(text, () => resolve())),
    heard: () => heard,
    hears: pattern => eventually(async () => pattern.test(heard) && heard),
    ended: new Promise(resolve => {
      for (const event of ['end', 'close']) socket.once(event, () => resolve({ heard, error }))
    }),
  }
}

/** The statuses of the answers in the received text. */
export const statusesOf = (heard: string): number[] => [...heard.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(match => Number(match[1]))
