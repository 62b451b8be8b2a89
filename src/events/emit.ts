// The seam between nouns: a verb emits, in its own transaction, and whoever listens writes what it owes in that same transaction.
import type { Static, TSchema } from 'typebox'
import { newId } from '../ids.ts'
import type { Caller } from '../postgres/audit.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { together } from '../postgres/together.ts'
import * as store from './store.ts'

export interface EventType<T extends TSchema = TSchema> {
  name: string
  summary: string
  /** The shape of the envelope's `data`. */
  data: T
  /** Data of this shape, as the catalogue shows it and a test event carries it. */
  example: Static<T> | undefined
  /** Whether tenants may subscribe a webhook to it; the others are for flows alone. */
  webhook: boolean
}

export interface Emitted {
  tenant: string
  id: string
  type: string
}

export interface Listener {
  /** What is owed for the event, as a part of the statement that writes it. */
  owes: (event: Emitted) => Fragment
  /** The rows of that part; the transaction has yet to commit. */
  heard: (tx: Tx, event: Emitted, rows: unknown[]) => void
}
const listeners: Listener[] = []

/** Registers who listens. The catalog does, at start, so that events know no noun. */
export function listen(listener: Listener): void {
  listeners.push(listener)
}

export const defineEvent = <T extends TSchema>(
  name: string,
  summary: string,
  data: T,
  { example, webhook = true }: { example?: Static<T>; webhook?: boolean } = {},
): EventType<T> => ({ name, summary, data, example, webhook })

/**
 * Writes an event and what is owed for it. `data` is stored as it is now, so every delivery of it sends the same bytes.
 * @returns the event's id
 */
export async function emit<T extends TSchema>(
  tx: Tx,
  caller: Caller,
  type: EventType<T>,
  data: Static<T>,
  /** Written in the same statement. */
  beside: Fragment[] = [],
): Promise<string> {
  const at = new Date()
  const event: Emitted = { tenant: caller.tenant, id: newId('evt', at.getTime()), type: type.name }
  const owed = Object.fromEntries(listeners.map((listener, index) => [`listener_${index}`, listener.owes(event)]))
  const rows = await together(tx, owed, [store.insert(event, at, envelope(event.id, event.type, at, data)), ...beside])
  for (const [index, listener] of listeners.entries()) listener.heard(tx, event, rows[`listener_${index}`] ?? [])
  return event.id
}

/** The envelope, as text: the bytes that receivers get. */
export const envelope = (id: string, type: string, at: Date, data: unknown): string =>
  JSON.stringify({ id, type, created_at: at.toISOString(), data })
