// The seam between nouns: a verb emits an event in its own transaction, and listeners insert what follows from it in that same transaction.
import type { Static, TSchema } from 'typebox'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { combine } from '../postgres/combine.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import * as store from './store.ts'

export interface EventType<T extends TSchema = TSchema> {
  name: string
  summary: string
  /** The schema of the envelope's `data`. */
  data: T
  /** Data of this schema, which the catalogue shows and a test event carries. */
  example: Static<T> | undefined
  /** Whether tenants may subscribe a webhook to it; the other types are for flows alone. */
  webhook: boolean
}

export interface Listener {
  /** Called before that statement is sent: what goes behind COMMIT may be given to `behindCommit`. */
  beforeInsert?: (tx: Tx, events: store.NewEvent[]) => void
  /** Inserts what follows from the events, as a part of the statement that writes them: it reads `happened` (tenant_id, id, type). */
  inserts: (events: store.NewEvent[]) => Fragment
  /** Takes the rows of that part; the transaction has yet to commit. */
  onInserted: (tx: Tx, rows: unknown[], events: store.NewEvent[]) => void
}
let listeners: Listener[] = []

/** Every process that emits sets those of the catalog when it starts, so events know no noun. */
export function setListeners(all: Listener[]): void {
  listeners = all
}

/** `sent: false` is for a type whose shape is settled before anything emits it, so that a manifest may name it */
export const defineEvent = <T extends TSchema>(
  name: string,
  summary: string,
  data: T,
  { example, webhook = true, sent = true }: { example?: Static<T>; webhook?: boolean; sent?: boolean } = {},
): EventType<T> => ({ name, summary: sent ? summary : `${summary} Not sent yet.`, data, example, webhook })

/** An event as a verb gives it: its data, or their JSON where that is rendered already. */
export type EventDraft<T extends TSchema = TSchema> = { caller: Caller; type: EventType<T> } & ({ data: Static<T> } | { text: string })

/**
 * Writes events and what their listeners insert, in one statement. `data` is stored as it is now, so every delivery of it sends the same bytes.
 * @param writes parts of the same statement
 * @param isLast this statement is the transaction's last: see `commitBehind`
 * @returns the ids of the events in the order given; the events of a silent caller are not written and have none
 */
export async function emitAll(tx: Tx, drafts: EventDraft[], writes: Fragment[] = [], { isLast = false } = {}): Promise<string[]> {
  const at = new Date(now())
  const toEmit = drafts.filter(({ caller }) => !caller.silent)
  const events = toEmit.map(each => {
    const [id, type] = [newId('evt', at.getTime()), each.type.name]
    const body = 'text' in each ? enveloped(id, type, at, each.text) : envelope(id, type, at, each.data)
    const { tenant, cause } = each.caller
    return { tenant, id, type, body, depth: cause?.depth ?? 0, run_id: cause?.run ?? null }
  })
  if (events.length === 0) {
    await combine(tx, { writes, isLast })
    return []
  }
  for (const listener of listeners) listener.beforeInsert?.(tx, events)
  const inserts = Object.fromEntries(listeners.map((listener, index) => [`listener_${index}`, listener.inserts(events)]))
  const rows = await combine(tx, { before: { happened: store.insertAll(events, at) }, reads: inserts, writes, isLast })
  for (const [index, listener] of listeners.entries()) listener.onInserted(tx, rows[`listener_${index}`] ?? [], events)
  return events.map(event => event.id)
}

/** One event, as `emitAll`. */
export async function emit<T extends TSchema>(tx: Tx, caller: Caller, type: EventType<T>, data: Static<T>): Promise<string> {
  const [id] = await emitAll(tx, [{ caller, type, data }])
  return id as string
}

/** The envelope, as text: the bytes that receivers get. */
export const envelope = (id: string, type: string, at: Date, data: unknown): string =>
  JSON.stringify({ id, type, created_at: at.toISOString(), data })

const enveloped = (id: string, type: string, at: Date, data: string): string =>
  `{"id":"${id}","type":"${type}","created_at":"${at.toISOString()}","data":${data}}`
