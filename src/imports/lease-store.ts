// Every statement of an import's lease: queued, taken, progress recorded under it, given back.
import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import { leased } from '../queue/leased.ts'
import type { Mode, Resource } from './schema.ts'
import { type Failure, INCOMPLETE } from './store.ts'

/** The priority puts its jobs after live deliveries. */
export const leases = leased({
  table: 'imports',
  task: 'imports/apply',
  key: 'importId',
  open: part`r.status in ('queued', 'running')`,
  priority: 30_002,
})

/** Queues an import whose file is complete. @returns false when it was cancelled meanwhile */
export async function queue(tx: Queryable, { tenant, id }: Ref, bytes: number): Promise<boolean> {
  const rows = await tx`
    with r as (
      update imports set status = 'queued', bytes_received = ${bytes}, uploaded_at = clock_timestamp(), updated_at = now(), ${leases.queued}
       where tenant_id = ${tenant} and id = ${id} and status = 'uploading'
      returning *
    )
    select ${leases.job()} from r`
  return rows.length > 0
}

export interface Lease {
  resource: Resource
  mode: Mode
  dry_run: boolean
  events: boolean
  caller: Caller
  compared: boolean
}

/** Takes the lease. @returns undefined: another worker holds it, or the import is over */
export async function take(sql: Queryable, { tenant, id }: Ref, token: string): Promise<Lease | undefined> {
  const [row] = await sql<Lease[]>`
    update imports r
       set ${leases.leaseTo(token)}, status = 'running', started_at = coalesce(started_at, clock_timestamp()), updated_at = now()
     where r.tenant_id = ${tenant} and r.id = ${id} and r.status in ('queued', 'running') and ${leases.isFree}
    returning resource, mode, dry_run, events, caller, compared`
  return row
}

export interface Counts {
  created: number
  updated: number
  unchanged: number
  failed: number
}

/**
 * Adds to the counts in the transaction that wrote the rows, and extends the lease.
 * @returns false when the lease is lost or the import was cancelled: the transaction must then be rolled back
 */
export async function advance(tx: Queryable, { tenant, id }: Ref, token: string, counts: Counts): Promise<boolean> {
  const { created, updated, unchanged, failed } = counts
  const rows = await tx`
    update imports r
       set rows_read = rows_read + ${created + updated + unchanged + failed}::integer, created = created + ${created}::integer,
           updated = updated + ${updated}::integer, unchanged = unchanged + ${unchanged}::integer, failed = failed + ${failed}::integer,
           error = null, updated_at = clock_timestamp(), ${leases.extended}
     where r.tenant_id = ${tenant} and r.id = ${id} and ${leases.isHeldBy(token)} and r.status = 'running'
    returning 1`
  return rows.length > 0
}

/** Completes an import whose rows are all applied. */
export async function complete(sql: Queryable, { tenant, id }: Ref, token: string): Promise<void> {
  await sql`
    update imports r set status = 'completed', finished_at = clock_timestamp(), updated_at = now(), ${leases.givenBack}
     where r.tenant_id = ${tenant} and r.id = ${id} and ${leases.isHeldBy(token)} and r.status = 'running'`
}

/** Gives the lease back, and queues the next slice. @param waitsFor the error that the import shows meanwhile */
export const release = (sql: Queryable, ref: Ref, token: string, afterSeconds = 0, waitsFor: Failure | null = null): Promise<void> =>
  leases.release(
    sql,
    ref,
    token,
    afterSeconds,
    part`error = case when r.status = 'running' then ${waitsFor && sql.json({ ...waitsFor })} else r.error end`,
  )

/** An upload that was not touched for this long is over: its client or its web process died. */
const UPLOAD_DEAD_SECONDS = 60

/** Ends uploads that died. */
export async function endDeadUploads(sql: Queryable): Promise<void> {
  await sql`
    update imports
       set status = 'failed', finished_at = now(), updated_at = now(), error = ${sql.json({ ...INCOMPLETE })}
     where status = 'uploading' and touched_at < clock_timestamp() - make_interval(secs => ${UPLOAD_DEAD_SECONDS})`
}
