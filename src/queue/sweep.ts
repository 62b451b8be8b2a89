// The sweep of rows that workers serve without a job or with one, as webhooks and channels are: wakes those that have something to do and that no worker
// serves. What comes due later relies on it, and so does what a crash, a lost wake-up or a lapsed lease leaves behind.
//
// Each statement of it is bounded work, however many rows have something to do: it walks a page of them, in the order of the index of what is due.
import type { Ref } from '../ids.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { dueWalk } from './due-walk.ts'
import { isServed, type TaskOfRow } from './jobs.ts'

export interface Sweep {
  /** The table of the rows, with `tenant_id`, `id`, `lease_until` and `queued_at`: since when a row has a job. */
  table: string
  /** The table of their work, and its column that names the row: see dueWalk. */
  work: string
  of: string
  /** See dueWalk. */
  isDue?: Fragment
  /** A condition of the row `r`, whose work is first due at `w.due_at`: it has something to do now. */
  isReady: Fragment
  task: TaskOfRow
  /** How long ago a job was queued that may be lost. */
  lostAfterSeconds: number
  /** Gives jobs to rows that have none. */
  wake(sql: Queryable, rows: Ref[]): Promise<unknown>
}

/** Rows that a statement looks at: those that have work, whether or not they are stalled. */
const PAGE = 10_000

/** Rows woken by one statement: they stay locked until it ends. */
const WAKES_MAX = 1_000

/** @returns the sweep; after a death it takes jobs for lost that were queued before that was noticed */
export function sweeping(sweep: Sweep, page = PAGE): (sql: Queryable, noticed?: Date) => Promise<void> {
  return async (sql, noticed) => {
    const markedBefore = noticed
      ? part`${noticed}::timestamptz`
      : part`(clock_timestamp() - make_interval(secs => ${sweep.lostAfterSeconds}))`
    const isLost = part`r.queued_at < ${markedBefore} and not ${isServed(sweep.task, part`r.id`, noticed !== undefined)}`
    for (let after: Ref | undefined = BEGIN; after; ) {
      const { unqueued, queued, last }: StalledPage = await stalledOf(sql, sweep, markedBefore, after, page)
      await wake(sql, sweep, unqueued)
      if (queued.length > 0) await wake(sql, sweep, await clearLostJobs(sql, sweep.table, queued, isLost))
      after = last
    }
  }
}

export const BEGIN: Ref = { tenant: '', id: '' }

/** Rows that have something to do and no lease. */
export interface StalledPage {
  /** Those without a job. */
  unqueued: Ref[]
  /** Those whose job has been queued for so long that it may be lost. */
  queued: Ref[]
  /** The last row that was looked at, if there may be more behind it. */
  last: Ref | undefined
}

/** @param markedBefore a moment: a job that was queued before it may be lost @param after the last row of the page before @param most rows looked at */
export async function stalledOf(
  sql: Queryable,
  { table, work, of, isDue, isReady }: Sweep,
  markedBefore: Fragment,
  after = BEGIN,
  most = PAGE,
): Promise<StalledPage> {
  const rows = await sql<Walked[]>`
    with recursive walk as (${dueWalk(work, of, after, isDue)}), page as materialized (
      -- Walks no further: the parts of a recursive query are made as they are read.
      select * from walk limit ${most}
    )
    select f.tenant, f.id, f.queued, f.is_stalled, f.is_last
      from (
        select w.tenant_id as tenant, w.id, r.queued_at is not null as queued,
               row_number() over (order by w.tenant_id, w.id) = ${most}::integer as is_last,
               coalesce((r.queued_at is null or r.queued_at < ${markedBefore}) and (r.lease_until is null or r.lease_until < clock_timestamp()) and (${isReady}),
                        false) as is_stalled
          from page w
          left join ${part(table)} r on r.tenant_id = w.tenant_id and r.id = w.id) f
     where f.is_stalled or f.is_last`
  const refs = (some: Walked[]): Ref[] => some.map(({ tenant, id }) => ({ tenant, id }))
  const stalled = rows.filter(each => each.is_stalled)
  return {
    unqueued: refs(stalled.filter(each => !each.queued)),
    queued: refs(stalled.filter(each => each.queued)),
    last: refs(rows.filter(each => each.is_last))[0],
  }
}

interface Walked extends Ref {
  queued: boolean
  is_stalled: boolean
  is_last: boolean
}

async function wake(sql: Queryable, sweep: Sweep, rows: Ref[]): Promise<void> {
  for (let from = 0; from < rows.length; from += WAKES_MAX) await sweep.wake(sql, rows.slice(from, from + WAKES_MAX))
}

/**
 * Marks rows as not queued whose jobs the queue does not have, or only locked by a worker that stopped beating. Whether such a job was lost, or came while
 * its row had nothing to do, is not known.
 * @returns the rows that are not queued any more
 */
function clearLostJobs(sql: Queryable, name: string, rows: Ref[], isLost: Fragment): Promise<Ref[]> {
  const table = part(name)
  return sql<Ref[]>`
    with lost as materialized (
      select r.tenant_id, r.id
        from unnest(${rows.map(each => each.tenant)}::text[], ${rows.map(each => each.id)}::text[]) as s (tenant_id, id)
        join ${table} r on r.tenant_id = s.tenant_id and r.id = s.id
       where ${isLost}
       order by r.tenant_id, r.id
         for no key update of r skip locked
    )
    update ${table} r set queued_at = null from lost l where r.tenant_id = l.tenant_id and r.id = l.id
    returning r.tenant_id as tenant, r.id`
}
