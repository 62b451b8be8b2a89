// Every statement of fetching a received file: queued, leased, its pieces, its end.
import type { At } from '../conversations/update.ts'
import type { Ref } from '../ids.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import { leased } from '../queue/leased.ts'
import * as bytes from './bytes-store.ts'
import type { Kind } from './kind.ts'
import type { Failure } from './schema.ts'

/** A condition: the file is yet to be fetched. */
const open = part`r.status = 'pending'`

/** The priority puts its jobs behind messages and deliveries, which are short, and before imports and exports. */
export const leases = { ...leased({ table: 'attachments', task: 'attachments/fetch', key: 'attachmentId', open, priority: 20_000 }), open }
export const job = leases.job()

/** Where a file is to be had: what its platform calls it, or its address. */
export type Source = { file_id: string } | At

export interface Lease {
  channel_id: string
  message_id: string
  source: Source
  name: string | null
  mime_type: string
  attempts: number
  created_at: Date
}

/** Takes the lease, and counts the attempt. @returns undefined: another worker holds it, or the file is no longer wanted */
export async function take(sql: Queryable, { tenant, id }: Ref, token: string): Promise<Lease | undefined> {
  const [row] = await sql<Lease[]>`
    update attachments r
       set ${leases.leaseTo(token)}, attempts = attempts + 1
     where r.tenant_id = ${tenant} and r.id = ${id} and ${open} and ${leases.isFree}
    returning channel_id, message_id, source, name, mime_type, attempts, created_at`
  return row
}

/** Locks the row against other workers. @returns false when the lease is lost, or the file is no longer wanted */
export async function holds(tx: Queryable, { tenant, id }: Ref, token: string): Promise<boolean> {
  const rows = await tx`
    select 1
      from attachments r
     where r.tenant_id = ${tenant} and r.id = ${id} and ${open} and ${leases.isHeldBy(token)}
       for no key update`
  return rows.length > 0
}

/** Ends the fetching: the file is there. */
export async function stored(tx: Queryable, { tenant, id }: Ref, { type, mime_type }: Kind, size: number): Promise<void> {
  await tx`
    update attachments r
       set status = 'stored', type = ${type}, mime_type = ${mime_type}, size_bytes = ${size}, error = null, ${leases.givenBack}
     where r.tenant_id = ${tenant} and r.id = ${id}`
}

/** Ends the fetching: the file cannot be had. */
export async function failed(tx: Queryable, ref: Ref, error: Failure): Promise<void> {
  await bytes.clear(tx, ref)
  await tx`
    update attachments r
       set status = 'failed', error = ${tx.json({ ...error })}, ${leases.givenBack}
     where r.tenant_id = ${ref.tenant} and r.id = ${ref.id}`
}
