// How webhook rows go: old events together with their finished deliveries and the log of both; old recoveries; what deleted webhooks have left.
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { PRUNE_BATCH, PRUNE_LOOKED_AT, RETENTION_DAYS } from '../limits.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'

const DAY_MS = 86_400_000

/** How far a pass has come. */
interface Place {
  tenant: string
  /** Of that tenant's events, the last that was looked at. */
  event: string
  /** Not all of those before it are gone. */
  kept: boolean
}

const beginning = (): Place => ({ tenant: '', event: '', kept: false })

/**
 * Old events, whether or not anybody subscribed to them, but not one that a pending delivery needs; then the finished deliveries and the log of what
 * is gone. One tenant and one webhook at a time, each a range of an index: what a statement reads and deletes does not depend on what the
 * planner takes the tables for, nor on how many webhooks had the same event.
 */
export const pruneEvents: Prune = sql => pruneOn(sql, beginning())

/** The same, but a pass that failed goes on where it stopped. */
export function resumingPruneEvents(): Prune {
  const at = beginning()
  return sql => pruneOn(sql, at)
}

async function* pruneOn(sql: Queryable, at: Place): AsyncGenerator<number> {
  // Ids are in the order of time, so one made for that moment is where the old ones end.
  const before = newId('evt', now() - RETENTION_DAYS * DAY_MS)
  for (;;) {
    const tenants = await nextTenants(sql, at, before)
    for (const { id, webhooks, old } of tenants) {
      if (id !== at.tenant) Object.assign(at, beginning(), { tenant: id })
      if (old) yield* pruneTenant(sql, at, before, webhooks)
    }
    if (tenants.length < TENANTS) break
  }
  Object.assign(at, beginning())
}

interface Tenant {
  id: string
  webhooks: number
  /** It has an old event, or a row of one. */
  old: boolean
}

/** Looked at by one statement: some index entries for each, and for each of its webhooks. */
const TENANTS = 100

/** The tenant that was come to, for there may be more of it, and those after it. */
function nextTenants(sql: Queryable, { tenant }: Place, before: string): Promise<Tenant[]> {
  return sql<Tenant[]>`
    select t.id, (select count(*)::integer from webhook_endpoints n where n.tenant_id = t.id) as webhooks,
           coalesce(
             (select true from events e where e.tenant_id = t.id and e.id < ${before} order by e.id limit 1),
             (select true from ${webhooksWithOld(part`t.id`, ATTEMPTS, before)} limit 1),
             (select true from ${webhooksWithOld(part`t.id`, DELIVERIES, before)} limit 1),
             false) as old
      from (select i.id from tenants i where i.id >= ${tenant} order by i.id limit ${TENANTS}) t`
}

// A row of each webhook is looked for by its index: any join might read all the log before the first.
const webhooksWithOld = (tenant: Fragment, { table }: Left, before: string): Fragment => part`
  (select w.id from webhook_endpoints w where w.tenant_id = ${tenant} offset 0) n
  cross join lateral (
    select 1 from ${table} o where o.tenant_id = ${tenant} and o.endpoint_id = n.id and o.event_id < ${before} limit 1) o`

async function* pruneTenant(sql: Queryable, at: Place, before: string, webhooks: number): AsyncGenerator<number> {
  // The deliveries of so many events are looked at, of each webhook.
  const size = Math.max(1, Math.min(PRUNE_BATCH, Math.floor(PRUNE_LOOKED_AT / Math.max(1, webhooks))))
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
  // Where a delivery pends its event is there, so of deliveries each is asked for.
  yield* clearOld(sql, at.tenant, before, DELIVERIES, gone)
  yield* clearOld(sql, at.tenant, before, ATTEMPTS, at.kept ? gone : part``)
}

/** The rows of old events, of one webhook after the other: where each has few, those of several in a statement. */
async function* clearOld(sql: Queryable, tenant: string, before: string, { table }: Left, only: Fragment): AsyncGenerator<number> {
  let place = { endpoint: '', event: '' }
  for (let deleted = PRUNE_BATCH; deleted === PRUNE_BATCH; ) {
    const [row] = await sql<{ deleted: number; endpoint: string; event: string }[]>`
      with gone as (
        delete from ${table} t
         where t.ctid = any(array(
                 select o.ctid
                   from (select w.id from webhook_endpoints w where w.tenant_id = ${tenant} and w.id >= ${place.endpoint} order by w.id offset 0) n
                  cross join lateral (
                    select t.ctid
                      from ${table} t
                     where t.tenant_id = ${tenant} and t.endpoint_id = n.id and t.event_id < ${before}
                       and t.event_id >= case when n.id = ${place.endpoint} then ${place.event} else '' end ${only}
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
    place = row ?? place
  }
}

// Asked for each row by its index. No `exists`, which may become a join.
const gone = part`and (select true from events e where e.tenant_id = t.tenant_id and e.id = t.event_id) is null`

export const pruneRecoveries: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      delete from webhook_recoveries r
       using (
         select o.tenant_id, o.id
           from webhook_recoveries o
          where o.finished_at < now() - make_interval(days => ${RETENTION_DAYS})
          order by o.finished_at
          limit ${PRUNE_BATCH}
            for update skip locked) old
       where r.tenant_id = old.tenant_id and r.id = old.id`
    return count
  })

interface Tombstone {
  tenant_id: string
  id: string
  /** Whatever knew the webhook when it was deleted, a turn or a transaction that owes to it, has ended since. */
  settled: boolean
}

/** What deleted webhooks have left. Looked for again for an hour: what was under way when they were deleted may leave a row or a line yet. */
export const pruneDeleted: Prune = async function* (sql) {
  const tombstones = await sql<Tombstone[]>`
    select tenant_id, id, deleted_at < now() - interval '1 hour' as settled from webhook_tombstones order by deleted_at`
  for (const tombstone of tombstones) {
    for (const left of LEFT) yield* clear(sql, tombstone, left)
    const { tenant_id, id, settled } = tombstone
    if (settled) await sql`delete from webhook_tombstones where tenant_id = ${tenant_id} and id = ${id}`
  }
}

/** A table, and the column by which an index has its rows of one endpoint. */
interface Left {
  table: Fragment
  by: Fragment
  type: Fragment
  /** Before all others. */
  first: string
}

const DELIVERIES: Left = { table: part`webhook_deliveries`, by: part`t.event_id`, type: part`text`, first: '' }
const RECOVERIES: Left = { table: part`webhook_recoveries`, by: part`t.created_at`, type: part`timestamptz`, first: '-infinity' }
const ATTEMPTS: Left = { table: part`webhook_attempts`, by: part`t.event_id`, type: part`text`, first: '' }
// Deliveries first, for the sweep walks past them.
const LEFT = [DELIVERIES, RECOVERIES, ATTEMPTS]

// From place to place, as above: dead rows of the batches before would otherwise be walked through by each.
async function* clear(sql: Queryable, { tenant_id, id }: Tombstone, { table, by, type, first }: Left): AsyncGenerator<number> {
  for (let place = first, deleted = PRUNE_BATCH; deleted === PRUNE_BATCH; ) {
    const [row] = await sql<{ deleted: number; place: string }[]>`
      with gone as (
        delete from ${table} t
         where t.ctid = any(array(
                 select t.ctid
                   from ${table} t
                  where t.tenant_id = ${tenant_id} and t.endpoint_id = ${id} and ${by} >= ${place}::text::${type}
                  order by ${by}
                  limit ${PRUNE_BATCH}))
        returning ${by} as place
      )
      select count(*)::integer as deleted, coalesce(max(g.place)::text, ${place}) as place from gone g`
    deleted = row?.deleted ?? 0
    if (deleted > 0) yield deleted
    place = row?.place ?? place
  }
}
