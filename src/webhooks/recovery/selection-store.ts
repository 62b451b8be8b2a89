// What a recovery is to send: every statement that selects events of one endpoint.
import { SMALL_BODY_BYTES } from '../../limits/webhooks.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import { delivered } from '../log/store.ts'

/** `event` and `test` select one event, whatever became of it before. */
export type Scope = 'failed' | 'undelivered' | 'all' | 'event' | 'test'

/** True for the scopes of one event: such recoveries are short, and a person waits for each. */
export const ofOneEvent = (scope: Fragment): Fragment => part`(${scope} in ('event', 'test'))`

/** What is to be sent again: events with `first_id` <= id < `end_id`, of these types. */
export interface Selection {
  endpoint: string
  scope: Scope
  first_id: string
  end_id: string
  /** Null: every type. */
  types: string[] | null
}

/** Where the selection's first `size` events end; undefined if it has no more than those. */
export async function sliceEnd(sql: Queryable, tenant: string, { first_id, end_id }: Selection, size: number): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select e.id from events e where e.tenant_id = ${tenant} and e.id >= ${first_id} and e.id < ${end_id} order by e.id limit 1 offset ${size}`
  return row?.id
}

/** @param atMost stops counting here */
export async function count(sql: Queryable, tenant: string, selection: Selection, atMost: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from (select 1 from ${selected(tenant, selection)} limit ${atMost}) s`
  return row?.count ?? 0
}

export interface Selected {
  event_id: string
  type: string
  /** The size of its body. */
  bytes: number
  /** Null if it is large: see bodies.ts. */
  body: string | null
  test: boolean
  /** Attempts made so far. */
  attempts: number
}

/** The selection's next events, in the order of ids. Events delivered meanwhile are left out. */
export async function next(sql: Queryable, tenant: string, selection: Selection, after: string | null, limit: number): Promise<Selected[]> {
  const from = after === null ? selection : { ...selection, first_id: after }
  const beyond = after === null ? part`` : part`and e.id > ${after}`
  return sql<Selected[]>`
    select e.id as event_id, e.type, octet_length(e.body) as bytes, case when octet_length(e.body) <= ${SMALL_BODY_BYTES} then e.body end as body, e.test_of is not null as test, coalesce(d.attempts, (
             select max(a.attempt) from webhook_attempts a
              where a.tenant_id = e.tenant_id and a.endpoint_id = ${selection.endpoint} and a.event_id = e.id), 0) as attempts
      from ${selected(tenant, from)} ${beyond}
     order by e.id
     limit ${limit}`
}

// Scope `failed` reads deliveries, for only events with a row can be meant and those are few; the other scopes read events, with or without a row.
function selected(tenant: string, { endpoint, scope, first_id, end_id, types }: Selection): Fragment {
  const rows =
    scope === 'failed'
      ? part`
        webhook_deliveries d
        join events e on e.tenant_id = d.tenant_id and e.id = d.event_id
       where d.tenant_id = ${tenant} and d.endpoint_id = ${endpoint} and d.state = 'failed'
         and d.state in ('failed', 'dropped') and d.event_id >= ${first_id} and d.event_id < ${end_id}`
      : part`
        events e
        -- An index look-up for each event: any other join might read all deliveries before the first.
        left join lateral (
          select o.state, o.attempts
            from webhook_deliveries o
           where o.tenant_id = e.tenant_id and o.endpoint_id = ${endpoint} and o.event_id = e.id
           limit 1) d on true
       where e.tenant_id = ${tenant} and e.id >= ${first_id} and e.id < ${end_id}`
  const ofTypes = types === null ? part`` : part`and e.type = any(${types}::text[])`
  if (scope === 'event' || scope === 'test') return part`${rows} and (e.test_of is null or e.test_of = ${endpoint})`
  const unsent =
    scope === 'undelivered'
      ? part`and coalesce(d.state, 'dropped') in ('failed', 'dropped') and ${delivered(part`e.tenant_id`, part`${endpoint}`, part`e.id`)} is null`
      : part``
  return part`${rows} ${ofTypes} ${unsent} and e.test_of is null`
}
