// Every statement of exports: the export, the chunks of its file, and the pruning of both.
import type { Ref } from '../ids.ts'
import { EXPORT_DAYS } from '../limits/exports.ts'
import { iso, keysetPage, type Page, type PageRequest, type Sort } from '../postgres/page.ts'
import type { Prune } from '../postgres/prune.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import type { Place } from '../postgres/walk.ts'
import { addJob, hasLivingJob } from '../queue/jobs.ts'
import type { Format } from './format.ts'

export interface NewExport {
  resource: string
  format: Format
  fields: string[] | null
  bom: boolean
  filters: Record<string, unknown>
  created_at: Date
}

/** The priority puts its jobs after live deliveries. A failed job may be tried again, for no chunk is written twice. */
const job = (after?: Fragment): Fragment =>
  addJob(
    'exports/write',
    { tenantId: part`e.tenant_id`, exportId: part`e.id` },
    { priority: 30_001, maxAttempts: 8, ...(after && { after }) },
  )

export async function countRunning(sql: Queryable, tenant: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*) from exports where tenant_id = ${tenant} and state = 'running'`
  return row?.count ?? 0
}

/** Inserts the export and its job. */
export async function insert(tx: Queryable, { tenant, id }: Ref, made: NewExport): Promise<void> {
  await tx`
    with e as (
      insert into exports (tenant_id, id, resource, format, fields, bom, filters, created_at)
      values (${tenant}, ${id}, ${made.resource}, ${made.format}, ${made.fields}::text[], ${made.bom}, ${tx.json(made.filters as never)}, ${made.created_at})
      returning tenant_id, id
    )
    select ${job()} from e`
}

/** Queues another slice. @param seconds until it is due */
export async function enqueue(sql: Queryable, { tenant, id }: Ref, seconds: number): Promise<void> {
  await sql`
    select ${job(part`make_interval(secs => ${seconds}::float8)`)}
      from exports e
     where e.tenant_id = ${tenant} and e.id = ${id} and e.state = 'running'`
}

// Rows a second since the export began.
const rate = part`(t.rows / greatest(extract(epoch from coalesce(t.finished_at, clock_timestamp()) - t.created_at), 0.001))`
const gone = part`(t.finished_at + make_interval(days => ${EXPORT_DAYS}))`
const json = part`
  json_build_object(
    'object', 'export', 'id', t.id, 'resource', t.resource, 'format', t.format, 'fields', t.fields, 'bom', t.bom, 'filters', t.filters,
    'state', t.state, 'reason', t.reason, 'reason_code', t.reason_code, 'total', t.total, 'rows', t.rows, 'bytes', t.bytes, 'per_second', round(${rate}::numeric, 2),
    'seconds_left', case when t.state = 'running' and t.rows > 0 then ceil(greatest(t.total - t.rows, 0) / ${rate}) end,
    'download', case when t.state = 'completed' then '/api/v1/exports/' || t.id || '/download' end,
    'created_at', ${iso(part`t.created_at`)}, 'finished_at', ${iso(part`t.finished_at`)}, 'expires_at', ${iso(gone)})::text`

const sorts: Record<string, Sort> = { created_at: { by: part`t.created_at`, type: 'time' } }

export const list = (sql: Queryable, tenant: string, page: PageRequest): Promise<Page> =>
  keysetPage(sql, part`exports t`, json, [part`t.tenant_id = ${tenant}`], sorts, page)

export async function findJson(sql: Queryable, { tenant, id }: Ref): Promise<string | undefined> {
  const [row] = await sql`select ${json} as json from exports t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row?.['json']
}

/** @returns false when there is neither work left nor a file */
export async function cancel(tx: Queryable, { tenant, id }: Ref): Promise<boolean> {
  const rows = await tx`
    update exports set state = 'cancelled', finished_at = now()
     where tenant_id = ${tenant} and id = ${id} and state in ('running', 'completed')
    returning 1`
  return rows.length > 0
}

/** Ends a running export as failed. */
export async function fail(tx: Queryable, { tenant, id }: Ref, { code, message }: { code: string; message: string }): Promise<void> {
  await tx`
    update exports set state = 'failed', reason = ${message}, reason_code = ${code}, finished_at = now()
     where tenant_id = ${tenant} and id = ${id} and state = 'running'`
}

/** The state from which a slice goes on. */
export interface Running extends NewExport {
  total: number | null
  chunks: number
  /** The position of the last row written. */
  last_at: Date | null
  last_id: string | null
}

export async function running(sql: Queryable, { tenant, id }: Ref): Promise<Running | undefined> {
  const [row] = await sql<Running[]>`
    select resource, format, fields, bom, filters, created_at, total, chunks, last_at, last_id
      from exports
     where tenant_id = ${tenant} and id = ${id} and state = 'running'`
  return row
}

export async function setTotal(sql: Queryable, { tenant, id }: Ref, total: number): Promise<void> {
  await sql`update exports set total = ${total} where tenant_id = ${tenant} and id = ${id}`
}

export interface Chunk {
  /** Counts from 0. */
  number: number
  /** Compressed (gzip): the concatenated chunks are one gzip file. */
  body: Buffer
  /** The size before compression. */
  bytes: number
  rows: number
  last: Place | undefined
}

/**
 * Adds a chunk and moves the export's position, in one statement: a worker that is killed has done both or neither.
 * @returns false when another worker has written the chunk, or the export is over
 */
export async function append(sql: Queryable, { tenant, id }: Ref, { number, body, bytes, rows, last }: Chunk): Promise<boolean> {
  const added = await sql`
    with moved as (
      update exports
         set chunks = chunks + 1, rows = rows + ${rows}, bytes = bytes + ${bytes}, stored_bytes = stored_bytes + ${body.length},
             last_at = ${last?.at ?? null}::text::timestamptz, last_id = ${last?.id ?? null}
       where tenant_id = ${tenant} and id = ${id} and state = 'running' and chunks = ${number}
      returning tenant_id, id
    )
    insert into export_chunks (tenant_id, export_id, number, body)
    select tenant_id, id, ${number}, ${body} from moved
    returning 1`
  return added.length > 0
}

export async function complete(sql: Queryable, { tenant, id }: Ref, chunks: number): Promise<void> {
  await sql`
    update exports set state = 'completed', finished_at = clock_timestamp(), total = rows
     where tenant_id = ${tenant} and id = ${id} and state = 'running' and chunks = ${chunks}`
}

/** The progress of a running export; undefined if it is over. */
export async function written(sql: Queryable, { tenant, id }: Ref): Promise<{ rows: number; last_id: string | null } | undefined> {
  const [row] = await sql<{ rows: number; last_id: string | null }[]>`
    select rows, last_id from exports where tenant_id = ${tenant} and id = ${id} and state = 'running'`
  return row
}

export interface File {
  state: string
  resource: string
  format: Format
  created_at: Date
  chunks: number
  bytes: number
  stored_bytes: number
}

export async function file(sql: Queryable, { tenant, id }: Ref): Promise<File | undefined> {
  const [row] = await sql<File[]>`
    select state, resource, format, created_at, chunks, bytes, stored_bytes from exports where tenant_id = ${tenant} and id = ${id}`
  return row
}

export async function chunk(sql: Queryable, { tenant, id }: Ref, number: number): Promise<Buffer | undefined> {
  const [row] = await sql<{ body: Buffer }[]>`
    select body from export_chunks where tenant_id = ${tenant} and export_id = ${id} and number = ${number}`
  return row?.body
}

/** Ends exports whose job failed as often as it may and is gone: no worker would ever go on with them. */
export async function endAbandoned(sql: Queryable): Promise<void> {
  await sql`
    update exports e set state = 'failed', reason = 'It failed too often; order it again.', reason_code = 'failed_too_often', finished_at = now()
     where e.state = 'running'
       and not ${hasLivingJob('exports/write', 'exportId', part`e.id`)}`
}

/** Chunks deleted by one statement: each is about 100 KB. */
const CHUNKS_AT_A_TIME = 100

/** Deletes chunks that can no longer be fetched, then exports that are too old. A failed or cancelled export is shown for a while without its chunks. */
export const prune: Prune = async function* (sql) {
  const old = part`e.finished_at < now() - make_interval(days => ${EXPORT_DAYS})`
  for (;;) {
    // Selects by ctid, from those exports to their chunks: a join might read all chunks for each of a few exports.
    const { count } = await sql`
      delete from export_chunks c
       where c.ctid = any (array(
         select o.place
           from exports e, lateral (
                  select k.ctid as place
                    from export_chunks k
                   where k.tenant_id = e.tenant_id and k.export_id = e.id
                   order by k.number
                   limit ${CHUNKS_AT_A_TIME}
                     for update skip locked) o
          where e.finished_at is not null and (e.state <> 'completed' or ${old})
          limit ${CHUNKS_AT_A_TIME}))`
    yield count
    if (count < CHUNKS_AT_A_TIME) break
  }
  const { count } = await sql`delete from exports e where ${old}`
  yield count
}
