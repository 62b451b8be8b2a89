// What is due of an endpoint whose lease is held: the claims of its turn.
import { arrayText } from '../postgres/array.ts'
import type { Queryable } from '../postgres/sql.ts'

export interface Claimed {
  event_id: string
  type: string
  /** The envelope: the exact bytes to send. */
  body: string
  attempts: number
  first_attempt_at: Date | null
  due_at: Date
}

export const CLAIM_COLUMNS: (keyof Claimed)[] = ['event_id', 'type', 'body', 'attempts', 'first_attempt_at', 'due_at']

/** Asked for at first. */
export const FIRST_ASK = 16

/** Bodies held for one endpoint at a time, so that hundreds of endpoints with large events fit into memory. */
export const CLAIM_BYTES = 1024 * 1024

export interface Ask {
  tenant: string
  endpoint: string
  count: number
  /** Only what was never tried. */
  untried: boolean
  /** Only what comes after it. */
  after?: Pick<Claimed, 'due_at' | 'event_id'> | undefined
}

/** For each endpoint what is due now, oldest first; at least one, if there is any. Under the lease reading suffices, for nobody else may send. */
export async function claimAll(sql: Queryable, asks: Ask[]): Promise<Claimed[][]> {
  const rows = await sql<(Claimed & { n: number })[]>`
    select a.n, c.event_id, c.type, c.body, c.attempts, c.first_attempt_at, c.due_at
      from unnest(${asks.map(each => each.tenant)}::text[], ${asks.map(each => each.endpoint)}::text[],
                  ${asks.map(each => each.count)}::integer[], ${asks.map(each => Number(each.untried))}::integer[],
                  ${arrayText(asks.map(each => each.after?.due_at.toISOString() ?? '-infinity'))}::text::timestamptz[],
                  ${arrayText(asks.map(each => each.after?.event_id ?? ''))}::text::text[])
           with ordinality as a (tenant_id, endpoint_id, count, untried, after_due, after_event, n),
           lateral (
             select o.*, v.*, sum(octet_length(v.body)) over (order by o.due_at, o.event_id) - octet_length(v.body) as bytes_before
               from (
                 select d.event_id, d.attempts, d.first_attempt_at, d.due_at
                   from webhook_deliveries d
                  where d.tenant_id = a.tenant_id and d.endpoint_id = a.endpoint_id and d.state = 'pending'
                    and (d.due_at, d.event_id) > (a.after_due, a.after_event)
                    and d.due_at <= clock_timestamp() and (a.untried = 0 or d.attempts = 0)
                  order by d.due_at, d.event_id
                  limit a.count) o,
                    -- One row each: the offset keeps the planner from reading all events of the shop, to merge them with what it takes for few.
                    lateral (select e.type, e.body from events e where e.tenant_id = a.tenant_id and e.id = o.event_id offset 0) v
           ) c
     where c.bytes_before < ${CLAIM_BYTES}`
  const claimed: Claimed[][] = asks.map(() => [])
  for (const row of rows) claimed[row.n - 1]?.push(row)
  // Here, where they come in order already: the database would sort them with their bodies, a quarter of what a claim costs.
  for (const each of claimed) each.sort(byDue)
  return claimed
}

/** In the order in which they are sent. */
export const byDue = (a: Claimed, b: Claimed): number => a.due_at.getTime() - b.due_at.getTime() || (a.event_id < b.event_id ? -1 : 1)
