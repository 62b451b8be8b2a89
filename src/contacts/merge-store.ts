// Every statement that makes one contact of two.
import { combine } from '../postgres/combine.ts'
import { arrayText } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import { addJob } from '../queue/jobs.ts'
import { keptSum } from './spent.ts'

/** Whether there is such a contact, and the one that it was merged into. */
export async function find(sql: Queryable, tenant: string, id: string): Promise<{ merged_into: string | null } | undefined> {
  const [row] = await sql<{ merged_into: string | null }[]>`
    select merged_into from contacts where tenant_id = ${tenant} and id = ${id}`
  return row
}

/** Those of these contacts that were merged, each with the one that it was merged into. */
export async function mergedAmong(sql: Queryable, tenant: string, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; merged_into: string }[]>`
    select id, merged_into from contacts where tenant_id = ${tenant} and id = any(${arrayText(ids)}::text::text[]) and merged_into is not null`
  return new Map(rows.map(row => [row.id, row.merged_into]))
}

/** Takes from a locked contact what makes it findable, and says which one it is now; so do those that were merged into it before. */
export async function retire(tx: Tx, tenant: string, id: string, into: string): Promise<void> {
  const retired = part`
    update contacts
       set merged_into = ${into}, name = null, email = null, email_claimed = false, phone = null, phone_key = null, external_id = null, blocked = false
     where tenant_id = ${tenant} and (id = ${id} or merged_into = ${id})`
  const untagged = part`delete from contact_tags where tenant_id = ${tenant} and contact_id = ${id}`
  await combine(tx, { writes: [retired, untagged] })
}

/** Gives the ids on channels and the counters of a retired contact to the other. Both are locked. */
export async function handOver(tx: Tx, tenant: string, from: string, to: string): Promise<void> {
  const ids = part`update contact_channels set contact_id = ${to} where tenant_id = ${tenant} and contact_id = ${from}`
  const added = part`
    update contacts c
       set orders_count = c.orders_count + m.orders_count, total_spent_amount = ${keptSum(part`c.total_spent_amount::numeric + m.total_spent_amount`)},
           last_message_at = greatest(c.last_message_at, m.last_message_at)
      from contacts m
     where c.tenant_id = ${tenant} and c.id = ${to} and m.tenant_id = ${tenant} and m.id = ${from}`
  const emptied = part`
    update contacts set orders_count = 0, total_spent_amount = 0, last_message_at = null where tenant_id = ${tenant} and id = ${from}`
  await combine(tx, { writes: [ids, added, emptied] })
}

/** Locks two contacts, in the order of their ids. */
export const lock = (tenant: string, ids: [string, string]): Fragment => part`
  select id, merged_into from contacts where tenant_id = ${tenant} and id in (${ids[0]}, ${ids[1]}) order by id for no key update`

/** The tries of a merge's job: the last ones come after hours. */
const ATTEMPTS = 20

/** Queues the rest of a merge, or all of it. @param seconds until it is due */
export async function queue(tx: Tx, tenant: string, merge: { kept: string; merged: string }, seconds: number): Promise<void> {
  const payload = { tenantId: part`${tenant}::text`, keptId: part`${merge.kept}::text`, mergedId: part`${merge.merged}::text` }
  await tx`select ${addJob('contacts/merge', payload, { maxAttempts: ATTEMPTS, after: part`make_interval(secs => ${seconds})` })}`
}
