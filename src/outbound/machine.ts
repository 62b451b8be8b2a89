// Tells which errors of a connection arose on this machine, without sending a packet.
import { createSocket, type SocketType } from 'node:dgram'
import { once } from 'node:events'

/** This machine has run out of what a connection takes. */
const SPENT = ['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']
/** This machine has no route to the address, or no address of its own to call from: for that address, its family, or at all. */
const NO_ROUTE = ['ENETUNREACH', 'ENETDOWN', 'EHOSTUNREACH', 'EADDRNOTAVAIL']

/** @returns whether the error says nothing of the receiver by itself: another error of the same connection tells more */
export const isLocal = (code: string): boolean => SPENT.includes(code) || NO_ROUTE.includes(code)

/**
 * @param code of an error of a connection to this address
 * @returns what this machine lacks, as a clause; undefined where it lacks nothing, or only a route to this one address
 */
export async function ownFault(code: string, address = ''): Promise<string | undefined> {
  if (SPENT.includes(code)) return `this machine opens no more connections (${code})`
  if (!NO_ROUTE.includes(code)) return undefined
  const [four, six] = await Promise.all([hasRoute('udp4', '192.0.2.1'), hasRoute('udp6', '2001:db8::1')])
  if (!four && !six) return `this machine has no route to any network (${code})`
  const route = address.includes(':') ? six : four
  return code === 'EADDRNOTAVAIL' && route ? `this machine has no port left to call from (${code})` : undefined
}

// Connecting a UDP socket only looks up the route. The addresses are reserved for documentation, so no route is made for them alone.
async function hasRoute(type: SocketType, address: string): Promise<boolean> {
  const socket = createSocket(type)
  try {
    const connected = once(socket, 'connect')
    socket.connect(9, address)
    await connected
    return true
  } catch (error) {
    return ![...NO_ROUTE, 'EAFNOSUPPORT'].includes((error as NodeJS.ErrnoException).code ?? '')
  } finally {
    socket.close()
  }
}
