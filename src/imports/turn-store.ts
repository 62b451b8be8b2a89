// Every statement of who works on an import: its job, its lease, and how far it is.
import type { Caller } from '../caller.ts'
import { LEASE_SECONDS } from '../limits.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import type { Mode, Resource } from './schema.ts'
import { type Failure, type ImportRef, INCOMPLETE } from './store.ts'

/** All of the file is here: it may be applied. @returns false when it was cancelled meanwhile */
export async function queue(tx: Queryable, ref: ImportRef, bytes: number): Promise<boolean> {
  const rows = await tx`
    with r as (
      update imports set status = 'queued', bytes_received = ${bytes}, uploaded_at = clock_timestamp(), updated_at = now(), queued_at = clock_timestamp()
       where tenant_id = ${ref.tenant} and id = ${ref.import} and status = 'uploading'
      returning tenant_id, id, interval '0' as wait
    )
    select ${addJob} from r`
  return rows.length > 0
}

// After live deliveries. One attempt: its own lease and the sweep bring it back, whatever became of the job.
const addJob = part`
  graphile_worker.add_job('imports/apply', json_build_object('tenantId', r.tenant_id, 'importId', r.id), max_attempts => 1,
                          priority => 30002, run_at => clock_timestamp() + r.wait)`

export interface Lease {
  resource: Resource
  mode: Mode
  dry_run: boolean
  events: boolean
  caller: Caller
  compared: boolean
}

/** Takes its lease. Undefined: somebody holds it, or it is over. */
export async function take(sql: Queryable, { tenant, import: id }: ImportRef, token: string): Promise<Lease | undefined> {
  const [row] = await sql<Lease[]>`
    update imports
       set lease_token = ${token}, lease_until = ${leaseEnd}, status = 'running', started_at = coalesce(started_at, clock_timestamp()),
           updated_at = now()
     where tenant_id = ${tenant} and id = ${id} and status in ('queued', 'running')
       and (lease_until is null or lease_until < clock_timestamp())
    returning resource, mode, dry_run, events, caller, compared`
  return row
}

const leaseEnd = part`clock_timestamp() + make_interval(secs => ${LEASE_SECONDS})`

export interface Counts {
  created: number
  updated: number
  unchanged: number
  failed: number
}

/**
 * Counts what became of rows, in the transaction that wrote them, and goes on with the lease.
 * @returns false when it is not ours any more, or was cancelled: what was written must then be rolled back
 */
export async function advance(tx: Queryable, { tenant, import: id }: ImportRef, token: string, counts: Counts): Promise<boolean> {
  const { created, updated, unchanged, failed } = counts
  const rows = await tx`
    update imports
       set rows_read = rows_read + ${created + updated + unchanged + failed}::integer, created = created + ${created}::integer,
           updated = updated + ${updated}::integer, unchanged = unchanged + ${unchanged}::integer, failed = failed + ${failed}::integer,
           error = null, updated_at = clock_timestamp(), lease_until = ${leaseEnd}
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and status = 'running'
    returning 1`
  return rows.length > 0
}

/** Goes on with the lease while something takes long. */
export async function renew(sql: Queryable, { tenant, import: id }: ImportRef, token: string): Promise<void> {
  await sql`update imports set lease_until = ${leaseEnd} where tenant_id = ${tenant} and id = ${id} and lease_token = ${token}`
}

/** Every row was applied. */
export async function complete(sql: Queryable, { tenant, import: id }: ImportRef, token: string): Promise<void> {
  await sql`
    update imports set status = 'completed', finished_at = clock_timestamp(), updated_at = now(), lease_token = null, lease_until = null
     where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and status = 'running'`
}

/** Ends the lease, and owes the next job where there is more to do. @param waitSeconds until then @param waitsFor what it says meanwhile */
export async function release(
  sql: Queryable,
  { tenant, import: id }: ImportRef,
  token: string,
  waitSeconds = 0,
  waitsFor: Failure | null = null,
): Promise<void> {
  await sql`
    with r as (
      update imports set lease_token = null, lease_until = null, queued_at = clock_timestamp(), error = ${waitsFor && sql.json({ ...waitsFor })}
       where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and status = 'running'
      returning tenant_id, id, make_interval(secs => ${waitSeconds}) as wait
    )
    select ${addJob} from r`
}

/** Not now: too many are under way in this process. */
export async function postpone(sql: Queryable, { tenant, import: id }: ImportRef): Promise<void> {
  await sql`
    with r as (
      update imports set queued_at = clock_timestamp()
       where tenant_id = ${tenant} and id = ${id} and status in ('queued', 'running')
      returning tenant_id, id, interval '1 second' as wait
    )
    select ${addJob} from r`
}

/** An upload of which nothing was heard for this long is over: its client or its web process died. */
const UPLOAD_DEAD_SECONDS = 60

/** Brings back imports whose worker died, or whose job was lost, and ends uploads that died. */
export async function wakeNeglected(sql: Queryable): Promise<void> {
  await sql`
    with r as (
      update imports n set queued_at = clock_timestamp()
       where n.status in ('queued', 'running') and n.queued_at < clock_timestamp() - interval '10 seconds'
         and (n.lease_until is null or n.lease_until < clock_timestamp())
         and not exists (select 1 from graphile_worker._private_jobs j where j.payload ->> 'importId' = n.id and j.locked_at is null)
      returning tenant_id, id, interval '0' as wait
    )
    select ${addJob} from r`
  await sql`
    update imports
       set status = 'failed', finished_at = now(), updated_at = now(), error = ${sql.json({ ...INCOMPLETE })}
     where status = 'uploading' and touched_at < clock_timestamp() - make_interval(secs => ${UPLOAD_DEAD_SECONDS})`
}
