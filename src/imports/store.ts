// Every statement of imports themselves: how they stand, who may work on them, what was wrong with their rows.
import { LEASE_SECONDS } from '../limits.ts'
import type { Caller } from '../postgres/audit.ts'
import { boundedPage } from '../postgres/bounded.ts'
import { iso, type Page, type PageRequest, part, type Sort } from '../postgres/page.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { Format, Mode, Resource, Status } from './schema.ts'

export interface ImportRef {
  tenant: string
  import: string
}

export interface NewRow {
  id: string
  resource: Resource
  mode: Mode
  format: Format
  dry_run: boolean
  events: boolean
}

const seconds = part`greatest(extract(epoch from coalesce(t.finished_at, clock_timestamp()) - t.started_at), 0.001)`
const json = part`
  json_build_object(
    'object', 'import', 'id', t.id, 'resource', t.resource, 'mode', t.mode, 'format', t.format, 'dry_run', t.dry_run, 'events', t.events,
    'status', t.status, 'bytes_received', t.bytes_received, 'rows_total', case when t.uploaded_at is not null then t.rows_received end,
    'rows_read', t.rows_read, 'created', t.created, 'updated', t.updated, 'unchanged', t.unchanged, 'failed', t.failed,
    'errors_kept', t.errors_kept, 'rows_per_second', round((t.rows_read / ${seconds})::numeric, 1),
    'seconds_left', case when t.status = 'running' and t.rows_read > 0
                         then ceil((t.rows_received - t.rows_read) * ${seconds} / t.rows_read)::bigint end,
    'error', t.error, 'created_at', ${iso(part`t.created_at`)}, 'updated_at', ${iso(part`t.updated_at`)},
    'uploaded_at', ${iso(part`t.uploaded_at`)}, 'started_at', ${iso(part`t.started_at`)}, 'finished_at', ${iso(part`t.finished_at`)})::text`

const sorts: Record<string, Sort> = { created_at: { by: part`t.created_at`, type: 'time' } }

export interface Filters {
  resource?: string[]
  status?: string[]
}

export function list(sql: Queryable, tenant: string, { resource, status }: Filters, page: PageRequest): Promise<Page> {
  const imports = { from: part`imports t`, json, scope: part`t.tenant_id = ${tenant}`, sorts }
  const filters = [
    ...(resource ? [{ where: part`t.resource = any(${resource}::text[])` }] : []),
    ...(status ? [{ where: part`t.status = any(${status}::text[])` }] : []),
  ]
  return boundedPage(sql, imports, filters, page)
}

export async function json1(sql: Queryable, tenant: string, id: string): Promise<string | undefined> {
  const [row] = await sql`select ${json} as json from imports t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row?.['json']
}

/** An import that is being uploaded. */
export async function insert(tx: Queryable, caller: Caller, row: NewRow): Promise<void> {
  await tx`insert into imports ${tx({ ...row, tenant_id: caller.tenant, caller: tx.json(caller as never) as never })}`
}

/** Its upload lives, and so much of it is here. */
export async function touch(sql: Queryable, { tenant, import: id }: ImportRef, bytes: number): Promise<void> {
  await sql`
    update imports set touched_at = clock_timestamp(), updated_at = now(), bytes_received = ${bytes}
     where tenant_id = ${tenant} and id = ${id} and status = 'uploading'`
}

/** All of the file is here: it may be applied. @returns false when it was cancelled meanwhile */
export async function queue(tx: Queryable, ref: ImportRef, bytes: number): Promise<boolean> {
  const rows = await tx`
    with r as (
      update imports set status = 'queued', bytes_received = ${bytes}, uploaded_at = clock_timestamp(), updated_at = now(), owed_at = clock_timestamp()
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

/** As if it had never been: for an upload that was refused. */
export async function remove(sql: Queryable, { tenant, import: id }: ImportRef): Promise<void> {
  await sql`delete from imports where tenant_id = ${tenant} and id = ${id} and status = 'uploading'`
}

export interface Failure {
  code: string
  message: string
}

/** Ends one that is not over. @returns whether it was not */
export async function end(
  sql: Queryable,
  { tenant, import: id }: ImportRef,
  status: 'failed' | 'cancelled',
  error: Failure | null,
): Promise<boolean> {
  const rows = await sql`
    update imports set status = ${status}, error = ${error && sql.json({ ...error })}, finished_at = now(), updated_at = now()
     where tenant_id = ${tenant} and id = ${id} and status in ('uploading', 'queued', 'running')
    returning 1`
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
      update imports set lease_token = null, lease_until = null, owed_at = clock_timestamp(), error = ${waitsFor && sql.json({ ...waitsFor })}
       where tenant_id = ${tenant} and id = ${id} and lease_token = ${token} and status = 'running'
      returning tenant_id, id, make_interval(secs => ${waitSeconds}) as wait
    )
    select ${addJob} from r`
}

/** Not now: too many are under way in this process. */
export async function postpone(sql: Queryable, { tenant, import: id }: ImportRef): Promise<void> {
  await sql`
    with r as (
      update imports set owed_at = clock_timestamp()
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
      update imports n set owed_at = clock_timestamp()
       where n.status in ('queued', 'running') and n.owed_at < clock_timestamp() - interval '10 seconds'
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

export const INCOMPLETE: Failure = {
  code: 'upload_incomplete',
  message: 'The file did not arrive whole, so nothing of it was applied. Send it again.',
}

/** What to tell a reader of its progress: cheap enough to be asked every second. */
export async function progress(sql: Queryable, { tenant, import: id }: ImportRef): Promise<{ json: string; status: Status } | undefined> {
  const [row] = await sql<{ json: string; status: Status }[]>`
    select ${json} as json, t.status from imports t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row
}
