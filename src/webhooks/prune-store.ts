// How webhook rows go: old events together with their finished deliveries and the log of both; old recoveries; what deleted webhooks have left.
import { newId } from '../ids.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../limits.ts'
import { part } from '../postgres/page.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import type { Fragment, Queryable } from '../postgres/sql.ts'

const DAY_MS = 86_400_000

interface Pruned {
  tenant_id: string
  id: string
  looked_at: number
  deleted: number
}

/**
 * Events, whether or not anybody subscribed to them; not one that a pending delivery needs. Walks on from place to place rather than
 * beginning again, for what is kept would otherwise be looked at by every statement. See webhook_prune_events in sql/0010_liveness.sql.
 */
export const pruneEvents: Prune = async function* (sql) {
  // Ids are in the order of time, so one made for that moment is where the old ones end.
  const before = newId('evt', Date.now() - RETENTION_DAYS * DAY_MS)
  let place = { tenant_id: '', id: '' }
  for (;;) {
    const [row] = await sql<Pruned[]>`
      select tenant_id, id, looked_at, deleted
        from webhook_prune_events(${place.tenant_id}, ${place.id}, ${before}, ${PRUNE_BATCH})`
    if (!row || row.looked_at === 0) return
    yield row.deleted
    place = row
  }
}

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

// Deliveries first, for the sweep walks past them.
const LEFT: Left[] = [
  { table: part`webhook_deliveries`, by: part`t.event_id`, type: part`text`, first: '' },
  { table: part`webhook_recoveries`, by: part`t.created_at`, type: part`timestamptz`, first: '-infinity' },
  { table: part`webhook_attempts`, by: part`t.event_id`, type: part`text`, first: '' },
]

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
