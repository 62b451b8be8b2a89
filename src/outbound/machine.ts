// Which errors of a connection never left this machine. No packet is sent to find that out.
import { createSocket, type SocketType } from 'node:dgram'
import { once } from 'node:events'
import { getCACertificates } from 'node:tls'

/** It has no more of what a connection takes. */
const SPENT = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']
/** It knows no way to the address, or has no address to call from: of that family, or at all. Also said of one address alone. */
const NO_WAY = ['ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH', 'EADDRNOTAVAIL']

/** @returns true of an error that says nothing of the receiver by itself: another one of the same connection says more */
export const isLocal = (code: string): boolean => SPENT.includes(code) || NO_WAY.includes(code)

/**
 * @param code of an error of a connection to this address
 * @returns what this machine lacks, as a clause; undefined where it lacks nothing, or only a way to this one
 */
export async function ownFault(code: string, address = ''): Promise<string | undefined> {
  if (SPENT.includes(code)) return `this machine opens no more connections (${code})`
  if (!NO_WAY.includes(code)) return undefined
  const [four, six] = await Promise.all([hasWay('udp4', '192.0.2.1'), hasWay('udp6', '2001:db8::1')])
  if (!four && !six) return `this machine has no way to any network (${code})`
  const way = address.includes(':') ? six : four
  return code === 'EADDRNOTAVAIL' && way ? `this machine has no port left to call from (${code})` : undefined
}

/** How many certificate authorities the https receivers' certificates are verified by. */
export const authorities = (): number => getCACertificates('default').length

// To connect a UDP socket only looks the address up among the routes. These are for documentation, so that no route is for them alone.
async function hasWay(type: SocketType, address: string): Promise<boolean> {
  const socket = createSocket(type)
  try {
    const connected = once(socket, 'connect')
    socket.connect(9, address)
    await connected
    return true
  } catch (error) {
    return ![...NO_WAY, 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    socket.close()
  }
}
