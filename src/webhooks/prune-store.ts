// Retention of webhook rows: old events with their finished deliveries and log; old recoveries; the rows that deleted endpoints leave behind.
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { PRUNE_BATCH, PRUNE_LOOKED_AT, RETENTION_DAYS } from '../limits/retention.ts'
import { type Prune, pruneExpired } from '../postgres/prune.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'

const DAY_MS = 86_400_000

/** How far a pass has come. */
interface Position {
  tenant: string
  /** The last of that tenant's events that was looked at. */
  event: string
  /** Some event before it was kept. */
  kept: boolean
}

const beginning = (): Position => ({ tenant: '', event: '', kept: false })

/**
 * Deletes old events, whether or not any endpoint subscribed to them, but none that a pending delivery needs; then the finished deliveries and the
 * log of the deleted events. It takes one tenant and one endpoint at a time, each a range of an index: so what a statement reads and deletes depends
 * neither on the planner's statistics nor on how many endpoints had the same event.
 */
export const pruneEvents: Prune = sql => pruneOn(sql, beginning())

/** The same, but after a failure the next pass resumes where the failed one stopped. */
export function resumingPruneEvents(): Prune {
  const at = beginning()
  return sql => pruneOn(sql, at)
}

async function* pruneOn(sql: Queryable, at: Position): AsyncGenerator<number> {
  // Ids are in the order of time, so an id made for that moment is where the old ones end.
  const before = newId('evt', now() - RETENTION_DAYS * DAY_MS)
  for (;;) {
    const tenants = await nextTenants(sql, at, before)
    for (const { id, endpoints, old } of tenants) {
      if (id !== at.tenant) Object.assign(at, beginning(), { tenant: id })
      if (old) yield* pruneTenant(sql, at, before, endpoints)
    }
    if (tenants.length < TENANTS) break
  }
  Object.assign(at, beginning())
}

interface Tenant {
  id: string
  endpoints: number
  /** Whether it has an old event, or a row of one. */
  old: boolean
}

/** Tenants of one statement, which reads some index entries for each and for each of its endpoints. */
const TENANTS = 100

/** The tenant that the pass has reached, for there may be more of it, and the next ones. */
function nextTenants(sql: Queryable, { tenant }: Position, before: string): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select t.id, (select count(*)::integer from webhook_endpoints n where n.tenant_id = t.id) as endpoints,
           coalesce(
             (select true from events e where e.tenant_id = t.id and e.id < ${before} order by e.id limit 1),
             (select true from ${endpointsWithOld(part`t.id`, ATTEMPTS, before)} limit 1),
             (select true from ${endpointsWithOld(part`t.id`, DELIVERIES, before)} limit 1),
             false) as old
      from (select i.id from tenants i where i.id >= ${tenant} order by i.id limit ${TENANTS}) t`
}

// An index look-up for each endpoint: any join might read all of the log before the first row.
const endpointsWithOld = (tenant: Fragment, { table }: Left, before: string): Fragment => part`
  (select w.id from webhook_endpoints w where w.tenant_id = ${tenant} offset 0) n
  cross join lateral (
    select 1 from ${table} o where o.tenant_id = ${tenant} and o.endpoint_id = n.id and o.event_id < ${before} limit 1) o`

async function* pruneTenant(sql: Queryable, at: Position, before: string, endpoints: number): AsyncGenerator<number> {
  // A statement reads the deliveries of this many events, of each endpoint.
  const size = Math.max(1, Math.min(PRUNE_BATCH, Math.floor(PRUNE_LOOKED_AT / Math.max(1, endpoints))))
  for (let looked = size; looked === size; ) {
    const [row] = await sql<{ last_id: string | null; looked_at: number; deleted: number }[]>`
      select last_id, looked_at, deleted from webhook_prune_old_events(${at.tenant}, ${at.event}, ${before}, ${size})`
    const { last_id, looked_at, deleted } = row as { last_id: string | null; looked_at: number; deleted: number }
    looked = looked_at
    if (last_id === null) break
    at.event = last_id
    at.kept ||= deleted < looked_at
    yield deleted
  }
  // A pending delivery keeps its event, so each delivery is checked for its event; log lines only if some event was kept.
  yield* clearOld(sql, at.tenant, before, DELIVERIES, gone)
  yield* clearOld(sql, at.tenant, before, ATTEMPTS, at.kept ? gone : part``)
}

/** Deletes the rows of old events, one endpoint after another; if each has few, one statement covers several endpoints. */
async function* clearOld(sql: Queryable, tenant: string, before: string, { table }: Left, only: Fragment): AsyncGenerator<number> {
  let position = { endpoint: '', event: '' }
  for (let deleted = PRUNE_BATCH; deleted === PRUNE_BATCH; ) {
    const [row] = await sql<{ deleted: number; endpoint: string; event: string }[]>`
      with gone as (
        delete from ${table} t
         where t.ctid = any(array(
                 select o.ctid
                   from (select w.id from webhook_endpoints w where w.tenant_id = ${tenant} and w.id >= ${position.endpoint} order by w.id offset 0) n
                  cross join lateral (
                    select t.ctid
                      from ${table} t
                     where t.tenant_id = ${tenant} and t.endpoint_id = n.id and t.event_id < ${before}
                       and t.event_id >= case when n.id = ${position.endpoint} then ${position.event} else '' end ${only}
                     order by t.event_id
                     limit ${PRUNE_BATCH}) o
                  limit ${PRUNE_BATCH}))
        returning t.endpoint_id, t.event_id
      )
      select count(*)::integer as deleted, max(g.endpoint_id) as endpoint,
             (array_agg(g.event_id order by g.endpoint_id desc, g.event_id desc))[1] as event
        from gone g`
    deleted = row?.deleted ?? 0
    if (deleted > 0) yield deleted
    position = row ?? position
  }
}

// An index look-up for each row. Not `exists`, which the planner may turn into a join.
const gone = part`and (select true from events e where e.tenant_id = t.tenant_id and e.id = t.event_id) is null`

export const pruneRecoveries = pruneExpired({
  table: 'webhook_recoveries',
  key: ['tenant_id', 'id'],
  by: 'finished_at',
  expired: part`o.finished_at < now() - make_interval(days => ${RETENTION_DAYS})`,
})

interface Tombstone {
  tenant_id: string
  id: string
  /** Every slice and transaction that knew the endpoint when it was deleted has ended since. */
  settled: boolean
}

/** Deletes what deleted endpoints left behind. It repeats this for an hour, for a slice or a transaction open at the deletion may still add a row. */
export const pruneDeleted: Prune = async function* (sql) {
  const tombstones = await sql<Tombstone[]>`
    select tenant_id, id, deleted_at < now() - interval '1 hour' as settled from webhook_tombstones order by deleted_at`
  for (const tombstone of tombstones) {
    for (const left of LEFT) yield* clear(sql, tombstone, left)
    const { tenant_id, id, settled } = tombstone
    if (settled) await sql`delete from webhook_tombstones where tenant_id = ${tenant_id} and id = ${id}`
  }
}

/** A table, and the column by which an index sorts its rows of one endpoint. */
interface Left {
  table: Fragment
  by: Fragment
  type: Fragment
  /** Sorts before all values. */
  first: string
}

const DELIVERIES: Left = { table: part`webhook_deliveries`, by: part`t.event_id`, type: part`text`, first: '' }
const RECOVERIES: Left = { table: part`webhook_recoveries`, by: part`t.created_at`, type: part`timestamptz`, first: '-infinity' }
const ATTEMPTS: Left = { table: part`webhook_attempts`, by: part`t.event_id`, type: part`text`, first: '' }
// Deliveries first, for the sweep reads past them.
const LEFT = [DELIVERIES, RECOVERIES, ATTEMPTS]

// Each batch starts where the last one ended, or it would read through the dead rows of all before it.
async function* clear(sql: Queryable, { tenant_id, id }: Tombstone, { table, by, type, first }: Left): AsyncGenerator<number> {
  for (let position = first, deleted = PRUNE_BATCH; deleted === PRUNE_BATCH; ) {
    const [row] = await sql<{ deleted: number; position: string }[]>`
      with gone as (
        delete from ${table} t
         where t.ctid = any(array(
                 select t.ctid
                   from ${table} t
                  where t.tenant_id = ${tenant_id} and t.endpoint_id = ${id} and ${by} >= ${position}::text::${type}
                  order by ${by}
                  limit ${PRUNE_BATCH}))
        returning ${by} as position
      )
      select count(*)::integer as deleted, coalesce(max(g.position)::text, ${position}) as position from gone g`
    deleted = row?.deleted ?? 0
    if (deleted > 0) yield deleted
    position = row?.position ?? position
  }
}
