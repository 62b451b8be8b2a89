// The sweep of rows that workers serve without a job or with one, as webhooks and channels are: wakes those that have something to do and that no worker
// serves. What comes due later relies on it, and so does what a crash, a lost wake-up or a lapsed lease leaves behind.
import type { Ref } from '../ids.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { idsServed, type Payload, type TaskName } from './jobs.ts'

export interface Stalled extends Ref {
  /** A job has been queued for so long that it may be lost. */
  queued: boolean
}

export interface Sweep<Task extends TaskName> {
  /** The table of the rows, with `tenant_id`, `id` and `queued_at`: since when a row has a job. */
  table: string
  task: Task
  /** The member of the task's payload that holds the row's id. */
  key: keyof Payload<Task> & string
  /** How long ago a job was queued that may be lost. */
  lostAfterSeconds: number
  /**
   * A page of the rows that have something to do and no lease, and either no job or one that may be lost, in the order of `tenant_id` and `id`.
   * @param markedBefore a moment: their job was queued before it
   */
  stalled(sql: Queryable, markedBefore: Fragment, page: SweepPage): Promise<Stalled[]>
  /** Gives jobs to rows that have none. */
  wake(sql: Queryable, rows: Ref[]): Promise<unknown>
}

export interface SweepPage {
  /** The last row of the page before. */
  after: Ref
  most: number
}

/** Most of the rows of a page may be waiting in the queue, so those behind them are looked at as well. */
export const FIRST_PAGE: SweepPage = { after: { tenant: '', id: '' }, most: 10_000 }

/** Rows woken by one statement: they stay locked until it ends. */
const WAKES_MAX = 1_000

/** @returns the sweep; after a death it takes jobs for lost that were queued before that was noticed */
export function sweeping<Task extends TaskName>(
  sweep: Sweep<Task>,
  { after: start, most } = FIRST_PAGE,
): (sql: Queryable, noticed?: Date) => Promise<void> {
  return async (sql, noticed) => {
    const markedBefore = noticed
      ? part`${noticed}::timestamptz`
      : part`(clock_timestamp() - make_interval(secs => ${sweep.lostAfterSeconds}))`
    const isLost = part`r.queued_at < ${markedBefore} and r.id not in (${idsServed(sweep.task, sweep.key, noticed !== undefined)})`
    for (let after: Ref | undefined = start; after; ) {
      const stalled = await sweep.stalled(sql, markedBefore, { after, most })
      await wakeStalled(sql, sweep, stalled, isLost)
      after = stalled.length < most ? undefined : stalled.at(-1)
    }
  }
}

async function wakeStalled<Task extends TaskName>(sql: Queryable, sweep: Sweep<Task>, stalled: Stalled[], isLost: Fragment): Promise<void> {
  const queued = stalled.filter(each => each.queued)
  // Usually there are none, and the queue need not be read.
  const lost = queued.length > 0 ? await clearLostJobs(sql, sweep.table, queued, isLost) : []
  const rows = [...stalled.filter(each => !each.queued), ...lost]
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
