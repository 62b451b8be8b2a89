// Every statement of the rows of attachments, but for fetching (lease-store.ts). Their bytes are in bytes-store.ts.
import type { Ref } from '../ids.ts'
import { CALLBACK_LEFT_DAYS } from '../limits/callbacks.ts'
import type { Prune } from '../postgres/prune.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import { job, leases } from './lease-store.ts'
import type { Failure, FileType } from './schema.ts'

export interface Row {
  id: string
  message_id: string | null
  visitor_id: string | null
  type: FileType
  name: string | null
  mime_type: string
  size_bytes: number | null
  status: 'uploading' | 'pending' | 'stored' | 'failed'
  error: Failure | null
  created_at: Date
}

const row: Fragment = part`
  r.id, r.message_id, r.visitor_id, r.type, r.name, r.mime_type, r.size_bytes, r.status, r.error, r.created_at`

export async function find(sql: Queryable, { tenant, id }: Ref): Promise<Row | undefined> {
  const [found] = await sql<Row[]>`
    select ${row} from attachments r where r.tenant_id = ${tenant} and r.id = ${id}`
  return found
}

export async function findAll(sql: Queryable, tenant: string, ids: string[]): Promise<Row[]> {
  return sql<Row[]>`
    select ${row}
      from attachments r
     where r.tenant_id = ${tenant} and r.id = any (${arrayText(ids)}::text::text[])`
}

export async function insertUpload(
  sql: Queryable,
  { tenant, id }: Ref,
  { name, visitor_id }: Pick<Row, 'name' | 'visitor_id'>,
): Promise<void> {
  await sql`
    insert into attachments (tenant_id, id, visitor_id, type, name, mime_type, status, created_at)
    values (${tenant}, ${id}, ${visitor_id}, 'file', ${name}, 'application/octet-stream', 'uploading', now())`
}

/** @returns false where the row is gone: the upload took so long that it was given up */
export async function complete(
  tx: Queryable,
  { tenant, id }: Ref,
  { type, mime_type, size_bytes }: { type: FileType; mime_type: string; size_bytes: number },
): Promise<boolean> {
  const rows = await tx`
    update attachments
       set type = ${type}, mime_type = ${mime_type}, size_bytes = ${size_bytes}, status = 'stored'
     where tenant_id = ${tenant} and id = ${id} and status = 'uploading'
    returning 1`
  return rows.length > 0
}

/** Gives uploads to a message, each to one only. @returns the ids that were free */
export async function claim(tx: Queryable, tenant: string, message: string, visitor: string | null, ids: string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    update attachments
       set message_id = ${message}
     where tenant_id = ${tenant} and id = any (${arrayText(ids)}::text::text[]) and message_id is null and status = 'stored'
       and visitor_id is not distinct from ${visitor}
    returning id`
  return rows.map(({ id }) => id)
}

/** Notes of a visitor's uploads the channel over which they come. @returns the ids of those that the visitor has uploaded */
export async function keepNamed(
  sql: Queryable,
  { tenant, visitor, channel }: { tenant: string; visitor: string; channel: string },
  ids: string[],
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    update attachments
       set channel_id = ${channel}
     where tenant_id = ${tenant} and id = any (${arrayText(ids)}::text::text[]) and status = 'stored' and visitor_id = ${visitor}
    returning id`
  return rows.map(({ id }) => id)
}

const CLAIM = columns({ id: 'text', message_id: 'text', visitor_id: 'text' })

/** Gives each upload of a visitor to a message. @returns those that were free, or have that message already */
export const claimAll = (
  tx: Queryable,
  tenant: string,
  wanted: { id: string; message_id: string; visitor_id: string }[],
): Promise<Row[]> => tx<Row[]>`
  update attachments r
     set message_id = w.message_id
    from (select * from ${CLAIM.of(wanted)}) w
   where r.tenant_id = ${tenant} and r.id = w.id and r.status = 'stored' and r.visitor_id = w.visitor_id
     and (r.message_id is null or r.message_id = w.message_id)
  returning ${row}`

const received = columns({
  id: 'text',
  message_id: 'text',
  type: 'text',
  name: 'text',
  mime_type: 'text',
  size_bytes: 'bigint',
  status: 'text',
  error: 'jsonb',
  source: 'jsonb',
})

export interface Received {
  id: string
  message_id: string
  type: FileType
  name: string | null
  mime_type: string
  size_bytes: number | null
  status: 'pending' | 'failed'
  /** JSON. */
  error: string | null
  source: string
}

/** Files of messages that a channel has brought, with a job for each that is to be fetched. */
export async function insertReceived(tx: Queryable, tenant: string, channel: string, rows: Received[]): Promise<void> {
  await tx`
    with r as (
      insert into attachments (tenant_id, channel_id, created_at, queued_at, id, message_id, type, name, mime_type, size_bytes, status, error, source)
      select ${tenant}, ${channel}, now(), clock_timestamp(), r.id, r.message_id, r.type, r.name, r.mime_type, r.size_bytes, r.status, r.error, r.source
        from ${received.of(rows as never)}
      returning *
    )
    select ${job} from r where ${leases.open}`
}

/** Deletes the files of these messages, bytes and all. */
export async function removeOf(tx: Queryable, tenant: string, messages: string[]): Promise<void> {
  await tx`
    delete from attachments where tenant_id = ${tenant} and message_id = any (${arrayText(messages)}::text::text[])`
}

export async function remove(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`delete from attachments where tenant_id = ${tenant} and id = ${id}`
}

/** Files deleted by one statement: each is up to ATTACHMENT_MAX_BYTES. */
const PRUNED_AT_A_TIME = 10
/** What was uploaded is kept this long until it is sent; where a message that waits names it, as long as that may wait. */
const UNSENT_HOURS = 24
const NAMED_DAYS = CALLBACK_LEFT_DAYS

/** Deletes what was uploaded and sent with no message, broken uploads too. */
export const prune: Prune = async function* prune(sql) {
  for (let deleted = PRUNED_AT_A_TIME; deleted === PRUNED_AT_A_TIME; yield deleted) {
    const { count } = await sql`
      delete from attachments a
       using (
         select o.tenant_id, o.id
           from attachments o
          where o.message_id is null and o.created_at < now() - make_interval(hours => ${UNSENT_HOURS})
            and (o.channel_id is null or o.created_at < now() - make_interval(days => ${NAMED_DAYS}))
          order by o.created_at
          limit ${PRUNED_AT_A_TIME}
            for update skip locked) old
       where a.tenant_id = old.tenant_id and a.id = old.id`
    deleted = count
  }
}
