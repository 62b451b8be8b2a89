// How many connections there may be: of all callers, and of one address those over which no valid key has come yet. So strangers at one address
// take a bounded share of the process, and callers with keys, of whom many may share an address, are not counted with them.
import type { Socket } from 'node:net'
import type { Config } from '../config.ts'
import { subscriber } from './subscriber.ts'

/** Which is reached. */
export type Limit = 'all' | 'address'

export interface Places {
  /** Takes one for as long as the connection is open. @returns why there is none */
  take(socket: Socket): Limit | undefined
  /** A valid key has come over this connection. */
  recognise(socket: Socket): void
}

/** @param isProxy whose connections are those of many callers, whom the proxy is to count */
export function connectionPlaces(max: Config['connections'], isProxy: (address: string) => boolean): Places {
  const strangers = new Map<string, number>()
  const addressOf = new WeakMap<Socket, string>()
  let taken = 0

  function take(socket: Socket): Limit | undefined {
    if (taken >= max.inAll) return 'all'
    const address = socket.remoteAddress ?? ''
    if (!isProxy(address) && !count(socket, subscriber(address))) return 'address'
    taken++
    socket.once('close', () => {
      taken--
      recognise(socket)
    })
    return undefined
  }

  function count(socket: Socket, address: string): boolean {
    const before = strangers.get(address) ?? 0
    if (before >= max.perAddress) return false
    strangers.set(address, before + 1)
    addressOf.set(socket, address)
    return true
  }

  function recognise(socket: Socket): void {
    const address = addressOf.get(socket)
    if (address === undefined) return
    addressOf.delete(socket)
    const left = (strangers.get(address) as number) - 1
    if (left > 0) strangers.set(address, left)
    else strangers.delete(address)
  }

  return { take, recognise }
}
