// Claims: the due deliveries of an endpoint whose lease is held. The first claim of a healthy endpoint comes with its lease: webhook_claim in
// sql/0010_webhooks_delivery.sql, by the same rules.
import type { Ref } from '../../ids.ts'
import { SMALL_BODY_BYTES, SMALL_BYTES_EACH } from '../../limits/webhooks.ts'
import { arrayText } from '../../postgres/row-set.ts'
import type { Queryable } from '../../postgres/sql.ts'

export interface Claimed {
  event_id: string
  type: string
  /** The length of its body. */
  bytes: number
  /** The envelope: the exact bytes to send. Null for a large body, which is read apart: see bodies.ts. */
  body: string | null
  attempts: number
  first_attempt_at: Date | null
  due_at: Date
}

/** A delivery as it is found. One whose event is gone has nothing to send. */
export type Found = Claimed | (Omit<Claimed, 'type' | 'bytes' | 'body'> & { type: null; bytes: null; body: null })

export const CLAIM_COLUMNS: (keyof Claimed)[] = ['event_id', 'type', 'bytes', 'body', 'attempts', 'first_attempt_at', 'due_at']

/** The count of a slice's first claim. */
export const FIRST_ASK = 16

/** How many bytes of bodies come with a claim of `count` deliveries. */
export const smallBytes = (count: number): number => count * SMALL_BYTES_EACH

export interface Ask extends Ref {
  count: number
  /** Only deliveries that were never tried. */
  untried: boolean
  /** Only deliveries behind this one. */
  after?: Pick<Claimed, 'due_at' | 'event_id'> | undefined
}

/**
 * Reads for each endpoint what is due now, oldest first. Under the lease reading suffices, for no other worker may send. A delivery without its event
 * is dropped instead.
 */
export async function claimAll(sql: Queryable, asks: Ask[], tell?: TellOfDropped): Promise<Claimed[][]> {
  const rows = await sql<(Found & { n: number })[]>`
    select a.n, c.event_id, c.type, c.bytes, case when c.bytes <= ${SMALL_BODY_BYTES} and c.bytes_so_far <= a.bytes then c.body end as body,
           c.attempts, c.first_attempt_at, c.due_at
      from unnest(${asks.map(each => each.tenant)}::text[], ${asks.map(each => each.id)}::text[],
                  ${asks.map(each => each.count)}::integer[], ${asks.map(each => smallBytes(each.count))}::integer[], ${asks.map(each => Number(each.untried))}::integer[],
                  ${arrayText(asks.map(each => each.after?.due_at.toISOString() ?? '-infinity'))}::text::timestamptz[],
                  ${arrayText(asks.map(each => each.after?.event_id ?? ''))}::text::text[])
           with ordinality as a (tenant_id, endpoint_id, count, bytes, untried, after_due, after_event, n),
           lateral (
             select o.*, v.*,
                    sum(case when v.bytes <= ${SMALL_BODY_BYTES} then v.bytes else 0 end) over (order by o.due_at, o.event_id) as bytes_so_far
               from (
                 select d.event_id, d.attempts, d.first_attempt_at, d.due_at
                   from webhook_deliveries d
                  where d.tenant_id = a.tenant_id and d.endpoint_id = a.endpoint_id and d.state = 'pending'
                    and (d.due_at, d.event_id) > (a.after_due, a.after_event)
                    and d.due_at <= clock_timestamp() and (a.untried = 0 or d.attempts = 0)
                  order by d.due_at, d.event_id
                  limit a.count) o
                    -- One row each: the offset keeps the planner from reading all events of the shop, to merge them with what it takes for few.
               left join lateral (
                 select e.type, octet_length(e.body) as bytes, e.body from events e where e.tenant_id = a.tenant_id and e.id = o.event_id offset 0
               ) v on true
           ) c`
  const found: Found[][] = asks.map(() => [])
  for (const row of rows) found[row.n - 1]?.push(row)
  const claimed = await withoutLost(sql, asks, found, tell)
  // Sorted here, where rows come nearly in order: the database would sort them together with their bodies, a quarter of the cost of a claim.
  for (const each of claimed) each.sort(byDue)
  return claimed
}

/** In the order in which they are sent. */
export const byDue = (a: Claimed, b: Claimed): number => a.due_at.getTime() - b.due_at.getTime() || (a.event_id < b.event_id ? -1 : 1)

/** Deliveries of one endpoint that were dropped because their events are gone. */
export interface Dropped {
  tenant: string
  endpoint: string
  events: string[]
}

export type TellOfDropped = (dropped: Dropped[]) => void

/**
 * Drops deliveries whose events are gone. Otherwise they would be due for ever: no delivery behind them would be claimed, and their endpoints would be
 * woken again and again. An event is kept as long as a delivery of it is pending, so there should be none: hence they are reported.
 * @param endpoints those whose leases are held, in the order of `found`
 */
export async function withoutLost(sql: Queryable, endpoints: Ref[], found: Found[][], tell?: TellOfDropped): Promise<Claimed[][]> {
  const lost = found.flatMap((each, place) =>
    each.filter(one => one.type === null).map(({ event_id }) => ({ ref: endpoints[place] as Ref, event_id })),
  )
  if (lost.length === 0) return found as Claimed[][]
  const dropped = await sql<Dropped[]>`
    with gone as (
      update webhook_deliveries d set state = 'dropped', finished_at = now()
        from unnest(${lost.map(each => each.ref.tenant)}::text[], ${lost.map(each => each.ref.id)}::text[],
                    ${lost.map(each => each.event_id)}::text[]) as l (tenant_id, endpoint_id, event_id)
       where d.tenant_id = any (array[l.tenant_id]) and d.endpoint_id = l.endpoint_id and d.event_id = l.event_id
         and d.state not in ('succeeded', 'failed', 'dropped')
         and (select true from events e where e.tenant_id = d.tenant_id and e.id = d.event_id) is null
      returning d.tenant_id, d.endpoint_id, d.event_id
    )
    select tenant_id as tenant, endpoint_id as endpoint, array_agg(event_id order by event_id) as events from gone group by tenant_id, endpoint_id`
  if (dropped.length > 0) tell?.(dropped)
  return found.map(each => each.filter(one => one.type !== null))
}
