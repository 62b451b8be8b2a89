// The connections, each an undici Client of its own. An idle connection is kept for the next request to its origin; when too many are idle, the one
// idle for the longest is closed. undici's Agent and Pool do that too, but keep 40 KB for each origin and walk through all other origins whenever a
// connection ends, which is most of the work when thousands of receivers get one request each.
import type * as undici from 'undici'
import type { Address } from './connect.ts'
import type { Meter } from './meter.ts'
import { Client } from './undici.ts'

export interface Connection {
  readonly origin: string
  readonly client: Client
  /** Undefined until the connection is made. */
  meter: Meter | undefined
  /** Since when it is idle, by performance.now(). */
  idleSince: number
}

export interface Connections {
  /** The idle connection to this origin that was used last. @param idleMs not one that has been idle for longer */
  take(origin: string, idleMs?: number): Connection | undefined
  /** A new connection, which its first request makes to one of these addresses. */
  open(origin: string, addresses: Address[]): Connection
  /** Keeps the connection, whose answer is complete, as idle. */
  giveBack(connection: Connection): void
  /** Closes the connection, and ends the request on it. */
  drop(connection: Connection): void
  /** How many origins have a connection. */
  origins(): number
}

/** @param most how many idle ones are kept */
export function createConnections(
  options: undici.Client.Options,
  connectTo: (addresses: Address[]) => undici.buildConnector.connector,
  most: number,
): Connections {
  const open = new Set<Connection>()
  /** Sorted by how long they have been idle, the longest first. */
  const idle = new Set<Connection>()
  const idleTo = new Map<string, Connection[]>()

  function take(origin: string, idleMs?: number): Connection | undefined {
    const connection = idleTo.get(origin)?.at(-1)
    if (!connection || (idleMs !== undefined && performance.now() - connection.idleSince > idleMs)) return undefined
    notIdle(connection)
    return connection
  }

  function make(origin: string, addresses: Address[]): Connection {
    const client = new Client(origin, { ...options, connect: connectTo(addresses) })
    const connection: Connection = { origin, client, meter: undefined, idleSince: 0 }
    open.add(connection)
    // A busy connection reports its loss to its own request.
    connection.client.on('disconnect', () => void (idle.has(connection) && drop(connection)))
    return connection
  }

  function giveBack(connection: Connection): void {
    connection.idleSince = performance.now()
    const others = idleTo.get(connection.origin)
    if (others) others.push(connection)
    else idleTo.set(connection.origin, [connection])
    idle.add(connection)
    const [oldest] = idle.size > most ? idle : []
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

// Made once: the stack trace of an error costs more than the request.
const OVER = new Error('The outcome is known.')
