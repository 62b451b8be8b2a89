// Retention of callbacks: one source at a time, each a range of the primary key, for ids are in the order of time.
import { now } from '../clock.ts'
import { lowestId, type Ref } from '../ids.ts'
import { CALLBACK_DONE_DAYS, CALLBACK_LEFT_DAYS } from '../limits/callbacks.ts'
import { PRUNE_BATCH } from '../limits/retention.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'

const DAY_MS = 86_400_000
/** Sources of one statement. */
const SOURCES = 100

/** Deletes what was done a week ago, and what was left to do a month ago. What a disabled source kept is done when that is enabled, and shown for a week too. */
export const pruneCallbacks: Prune = async function* (sql) {
  const [done, left] = [CALLBACK_DONE_DAYS, CALLBACK_LEFT_DAYS].map(days => now() - days * DAY_MS) as [number, number]
  const isDone = part`and c.status in ('applied', 'ignored') and coalesce(c.done_at, c.received_at) < ${new Date(done)}`
  let last: Ref = { tenant: '', id: '' }
  for (;;) {
    const sources = await nextSources(sql, last)
    for (const source of sources) {
      yield* oldestFirst(() => deleteBatch(sql, source, lowestId('cbk', left), part`and c.status in ('waiting', 'failed')`))
      yield* oldestFirst(() => deleteBatch(sql, source, lowestId('cbk', done), isDone))
    }
    if (sources.length < SOURCES) return
    last = sources.at(-1) as Ref
  }
}

const nextSources = (sql: Queryable, { tenant, id }: Ref): Promise<Ref[]> => sql<Ref[]>`
  select s.tenant_id as tenant, s.id
    from callback_sources s
   where (s.tenant_id, s.id) > (${tenant}, ${id})
   order by s.tenant_id, s.id
   limit ${SOURCES}`

async function deleteBatch(sql: Queryable, { tenant, id }: Ref, before: string, which: Fragment): Promise<number> {
  const { count } = await sql`
    delete from callbacks d
     where d.tenant_id = ${tenant} and d.source_id = ${id} and d.id in (
       select c.id
         from callbacks c
        where c.tenant_id = ${tenant} and c.source_id = ${id} and c.id < ${before} ${which}
        order by c.id
        limit ${PRUNE_BATCH})`
  return count
}
