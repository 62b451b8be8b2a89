// Every statement that begins, reads or ends imports. Their leases are in lease-store.ts.
import type { Caller } from '../caller.ts'
import type { Ref } from '../ids.ts'
import { type Filter, listPage } from '../postgres/list-page.ts'
import { iso, type Page, type PageRequest, type Sort } from '../postgres/page.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import type { Format, Mode, Resource, Status } from './schema.ts'

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
  const filters: Filter[] = []
  if (resource) filters.push({ kind: 'residual', where: part`t.resource = any(${resource}::text[])` })
  if (status) filters.push({ kind: 'residual', where: part`t.status = any(${status}::text[])` })
  return listPage(sql, imports, filters, page)
}

export async function findJson(sql: Queryable, tenant: string, id: string): Promise<string | undefined> {
  const [row] = await sql`select ${json} as json from imports t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row?.['json']
}

export async function countUnderWay(sql: Queryable, tenant: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*) from imports where tenant_id = ${tenant} and status in ('uploading', 'queued', 'running')`
  return row?.count ?? 0
}

/** Inserts an import that is being uploaded. */
export async function insert(sql: Queryable, caller: Caller, row: NewRow): Promise<void> {
  await sql`
    insert into imports (tenant_id, id, resource, mode, format, dry_run, events, caller)
    values (${caller.tenant}, ${row.id}, ${row.resource}, ${row.mode}, ${row.format}, ${row.dry_run}::boolean, ${row.events}::boolean,
            ${sql.json(caller as never)})`
}

/** Records that the upload lives, and how many bytes have arrived. */
export async function touch(sql: Queryable, { tenant, id }: Ref, bytes: number): Promise<void> {
  await sql`
    update imports set touched_at = clock_timestamp(), updated_at = now(), bytes_received = ${bytes}
     where tenant_id = ${tenant} and id = ${id} and status = 'uploading'`
}

/** Deletes the import of an upload that was refused. */
export async function remove(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`delete from imports where tenant_id = ${tenant} and id = ${id} and status in ('uploading', 'failed')`
}

export interface Failure {
  code: string
  message: string
}

/** Ends an import that is not over. @returns whether it ended now */
export async function end(sql: Queryable, { tenant, id }: Ref, status: 'failed' | 'cancelled', error: Failure | null): Promise<boolean> {
  const rows = await sql`
    update imports set status = ${status}, error = ${error && sql.json({ ...error })}, finished_at = now(), updated_at = now()
     where tenant_id = ${tenant} and id = ${id} and status in ('uploading', 'queued', 'running')
    returning 1`
  return rows.length > 0
}

export const INCOMPLETE: Failure = {
  code: 'upload_incomplete',
  message: 'The file did not arrive whole, so nothing of it was applied. Send it again.',
}

/** The progress for a stream: cheap enough to be read twice a second. */
export async function progress(sql: Queryable, { tenant, id }: Ref): Promise<{ json: string; status: Status } | undefined> {
  const [row] = await sql<{ json: string; status: Status }[]>`
    select ${json} as json, t.status from imports t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row
}
