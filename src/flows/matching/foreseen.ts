// What is known of an event before it is written: of most, that no flow begins with them. Conditions are held against it by the process that emits it, and its
// statement writes no row for it, if the workspace's apps are still as they were read: the statement compares their version. So what is kept here may be
// old, or missing, and is never wrong: then there is a row, and a worker holds the conditions against the event.
import type { TriggerType } from '../../apps/manifest/flow-shapes.ts'
import { FORESEEN_AGAIN_MS, FORESEEN_BODY_CHARS, FORESEEN_TYPES } from '../../limits/flows.ts'
import type { Sql } from '../../postgres/sql.ts'
import { beginningsKept, mayBegin, refresh } from './beginnings.ts'
import type { Idle } from './listen-store.ts'

interface Emitted {
  tenant: string
  id: string
  type: string
  /** The envelope, as JSON. */
  body: string
}

/** @returns those that begin nothing, each with the version by which that was found */
export function idleAmong(events: Emitted[]): Idle[] {
  const idle: Idle[] = []
  for (const event of events) {
    const { id, type, body } = event
    const kept = reading && body.length <= FORESEEN_BODY_CHARS ? beginningsKept(event) : undefined
    if (!kept) continue
    const { created_at, data } = JSON.parse(body) as { created_at: string; data: unknown }
    const around = { event: data, trigger: { id, type, created_at }, steps: {}, config: {}, run: { id: '' } }
    if (!mayBegin(kept.beginnings, around)) idle.push({ id, version: kept.version })
  }
  return idle
}

interface Reading {
  sql: Sql
  triggers: readonly TriggerType[]
  onError: (error: unknown) => void
}

let reading: Reading | undefined

/**
 * From here on this process looks ahead, and reads through `sql` what events begin.
 * @returns waits for what is under way, to be called before the database is closed
 */
export function foreseeThrough(through: Reading): () => Promise<void> {
  reading = through
  return async () => {
    reading = undefined
    await underWay
  }
}

/** When what a type of event begins in a workspace was read last, by performance.now(); the latest read last. */
const readAt = new Map<string, number>()
let underWay: Promise<void> | undefined

/** A row was written for the event: what it begins is read soon, so that the next one like it may need none. One at a time, for that need not be at once. */
export function meet(event: Emitted): void {
  const key = `${event.tenant} ${event.type}`
  const now = performance.now()
  if (!reading || underWay || now - (readAt.get(key) ?? Number.NEGATIVE_INFINITY) < FORESEEN_AGAIN_MS) return
  const { sql, triggers, onError } = reading
  readAt.delete(key)
  const [oldest] = readAt.size >= FORESEEN_TYPES ? readAt.keys() : []
  if (oldest !== undefined) readAt.delete(oldest)
  readAt.set(key, now)
  underWay = refresh(sql, event, triggers)
    .catch(onError)
    .finally(() => {
      underWay = undefined
    })
}
