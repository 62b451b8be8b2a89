// The connections, each an undici Client of its own. An idle one is kept for the next request to its origin; where too many are open, those
// idle for the longest go first. undici's Agent and Pool do that too, but their bookkeeping for an origin weighs 40 KB and walks through all
// other origins whenever a connection ends, which is most of the work where thousands of receivers are sent a request each.
import { type buildConnector, Client } from 'undici'
import type { Address } from './connect.ts'
import type { Meter } from './meter.ts'

export interface Connection {
  readonly origin: string
  readonly client: Client
  /** Once it is made. */
  meter: Meter | undefined
}

export interface Connections {
  /** To this origin: the one used last of those that are idle. */
  take(origin: string): Connection | undefined
  /** A new one, which its first request connects to one of these addresses. */
  open(origin: string, addresses: Address[]): Connection
  /** The answer to its request has come to its end. */
  giveBack(connection: Connection): void
  /** Ends it with whatever is under way on it. */
  drop(connection: Connection): void
  /** Origins with a connection. */
  origins(): number
}

/** @param most open at a time; beyond it none is kept */
export function createConnections(
  options: Client.Options,
  connectTo: (addresses: Address[]) => buildConnector.connector,
  most: number,
): Connections {
  const open = new Set<Connection>()
  /** The one that has been idle for the longest first. */
  const idle = new Set<Connection>()
  const idleTo = new Map<string, Connection[]>()

  function take(origin: string): Connection | undefined {
    const connection = idleTo.get(origin)?.at(-1)
    if (connection) notIdle(connection)
    return connection
  }

  function make(origin: string, addresses: Address[]): Connection {
    const client = new Client(origin, { ...options, connect: connectTo(addresses) })
    const connection: Connection = { origin, client, meter: undefined }
    open.add(connection)
    // Of one under way its request hears.
    connection.client.on('disconnect', () => void (idle.has(connection) && drop(connection)))
    return connection
  }

  function giveBack(connection: Connection): void {
    const others = idleTo.get(connection.origin)
    if (others) others.push(connection)
    else idleTo.set(connection.origin, [connection])
    idle.add(connection)
    const [oldest] = open.size > most ? idle : []
    if (oldest) drop(oldest)
  }

  function notIdle(connection: Connection): void {
    if (!idle.delete(connection)) return
    const others = idleTo.get(connection.origin) as Connection[]
    others.splice(others.lastIndexOf(connection), 1)
    if (others.length === 0) idleTo.delete(connection.origin)
  }

  function drop(connection: Connection): void {
    open.delete(connection)
    notIdle(connection)
    connection.client.destroy(OVER, () => {})
  }

  return { take, open: make, giveBack, drop, origins: () => new Set([...open].map(connection => connection.origin)).size }
}

// Made once: the stack of an error would cost more than the request.
const OVER = new Error('The outcome is known.')
