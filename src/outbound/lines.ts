// The connections, each an undici Client of its own. An idle one is kept for the next request to its origin; where too many are open, those
// idle for the longest go first. undici's Agent and Pool do that too, but their bookkeeping for an origin weighs 40 KB and walks through all
// other origins whenever a connection ends, which is most of the work where thousands of receivers are sent a request each.
import { type buildConnector, Client } from 'undici'
import type { Address } from './connect.ts'
import type { Meter } from './meter.ts'

export interface Line {
  readonly origin: string
  readonly client: Client
  /** Of its connection, once that is made. */
  meter: Meter | undefined
}

export interface Lines {
  /** To this origin: the one used last of those that are idle. */
  take(origin: string): Line | undefined
  /** A new one, which its first request connects to one of these addresses. */
  open(origin: string, addresses: Address[]): Line
  /** The answer to its request has come to its end. */
  giveBack(line: Line): void
  /** Ends it with whatever is under way on it. */
  drop(line: Line): void
  /** Origins with a line. */
  origins(): number
}

/** @param most open at a time; beyond it none is kept */
export function createLines(options: Client.Options, connectTo: (addresses: Address[]) => buildConnector.connector, most: number): Lines {
  const open = new Set<Line>()
  /** The one that has been idle for the longest first. */
  const idle = new Set<Line>()
  const idleTo = new Map<string, Line[]>()

  function take(origin: string): Line | undefined {
    const line = idleTo.get(origin)?.at(-1)
    if (line) notIdle(line)
    return line
  }

  function make(origin: string, addresses: Address[]): Line {
    const client = new Client(origin, { ...options, connect: connectTo(addresses) })
    const line: Line = { origin, client, meter: undefined }
    open.add(line)
    // Of one under way its request hears.
    line.client.on('disconnect', () => void (idle.has(line) && drop(line)))
    return line
  }

  function giveBack(line: Line): void {
    const others = idleTo.get(line.origin)
    if (others) others.push(line)
    else idleTo.set(line.origin, [line])
    idle.add(line)
    const [oldest] = open.size > most ? idle : []
    if (oldest) drop(oldest)
  }

  function notIdle(line: Line): void {
    if (!idle.delete(line)) return
    const others = idleTo.get(line.origin) as Line[]
    others.splice(others.lastIndexOf(line), 1)
    if (others.length === 0) idleTo.delete(line.origin)
  }

  function drop(line: Line): void {
    open.delete(line)
    notIdle(line)
    line.client.destroy(OVER, () => {})
  }

  return { take, open: make, giveBack, drop, origins: () => new Set([...open].map(line => line.origin)).size }
}

// Made once: the stack of an error would cost more than the request.
const OVER = new Error('The outcome is known.')
