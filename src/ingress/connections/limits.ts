// The limits of open connections: one for all, and one for each address, which counts connections over which no valid key has come yet. So
// an address without a key takes a bounded share of the process, and callers with keys, many of which may share an address, do not count.
import type { Socket } from 'node:net'
import type { Config } from '../../config.ts'
import { subscriber } from './caller-address.ts'

export type Limit = 'all' | 'address'

export interface ConnectionLimits {
  /** Counts the connection while it is open. @returns the limit that it would exceed: then it is not counted */
  count(socket: Socket): Limit | undefined
  /** A valid key has come over this connection. */
  recognise(socket: Socket): void
}

/** @param isProxy tells the addresses of proxies, whose connections serve many callers: the proxy has to limit each of these */
export function connectionLimits(max: Config['connections'], isProxy: (address: string) => boolean): ConnectionLimits {
  const anonymous = new Map<string, number>()
  const addressOf = new WeakMap<Socket, string>()
  let open = 0

  function count(socket: Socket): Limit | undefined {
    if (open >= max.inAll) return 'all'
    const address = socket.remoteAddress ?? ''
    if (!isProxy(address) && !countAnonymous(socket, subscriber(address))) return 'address'
    open++
    socket.once('close', () => {
      open--
      recognise(socket)
    })
    return undefined
  }

  function countAnonymous(socket: Socket, address: string): boolean {
    const before = anonymous.get(address) ?? 0
    if (before >= max.perAddress) return false
    anonymous.set(address, before + 1)
    addressOf.set(socket, address)
    return true
  }

  function recognise(socket: Socket): void {
    const address = addressOf.get(socket)
    if (address === undefined) return
    addressOf.delete(socket)
    const left = (anonymous.get(address) as number) - 1
    if (left > 0) anonymous.set(address, left)
    else anonymous.delete(address)
  }

  return { count, recognise }
}
