// Every statement of the delivery log and of an endpoint's health, as a tenant reads them.
import { lowestId } from '../../ids.ts'
import { HEALTH_SAMPLE } from '../../limits/outbound.ts'
import { COUNT_MAX, HEALTH_SCAN } from '../../limits/webhooks.ts'
import { type Filter, listPage, range } from '../../postgres/list-page.ts'
import { iso, type Page, type PageRequest, type Sort } from '../../postgres/page.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'
import { EVERY_REQUEST } from '../delivery/attempt.ts'
import { type Headers, maskedHeaders, maskedUrl } from '../endpoints/redact.ts'
import { waiting } from './waiting-store.ts'

export interface DeliveryFilters {
  state?: string[]
  type?: string[]
  event_id?: string
  created_after?: string
  created_before?: string
}

/** True or null, looked up for each event by its index: an anti-join might read the whole log first. */
export const delivered = (tenant: Fragment, endpoint: Fragment, event: Fragment): Fragment => part`
  (select true from webhook_attempts a
    where a.tenant_id = ${tenant} and a.endpoint_id = ${endpoint} and a.event_id = ${event} and a.final
    limit 1)`

// Lines that were written before the log left out addresses of the inside still say which one a refused name leads to.
const shownError = (column: Fragment): Fragment => part`
  regexp_replace(${column}, '^(private-address: [^ ]+) leads to .*$', '\\1 does not lead to a public address.')`

const last = (column: Fragment) => part`
  (select ${column} from webhook_attempts a
    where a.tenant_id = t.tenant_id and a.endpoint_id = t.endpoint_id and a.event_id = t.id order by a.id desc limit 1)`

// An aggregate over the attempts of a delivery that is in the log alone.
const made = (aggregate: Fragment) => part`
  case when t.logged then (
    select ${aggregate} from webhook_attempts a
     where a.tenant_id = t.tenant_id and a.endpoint_id = t.endpoint_id and a.event_id = t.id) end`

const members = (tenant: string, endpoint: string): Fragment => part`
  'object', 'webhook_delivery', 'event_id', t.id, 'webhook_id', t.endpoint_id, 'type', v.type, 'test', v.test_of is not null,
  'state', t.state, 'attempts', greatest(t.attempts, ${made(part`max(a.attempt)`)}), 'created_at', ${iso(part`v.created_at`)},
  'first_attempt_at', ${iso(part`coalesce(t.first_attempt_at, ${made(part`min(a.started_at)`)})`)}, 'finished_at', ${iso(part`t.finished_at`)},
  'next_attempt_at', case when t.state = 'pending' and w.status = 'enabled' then ${iso(part`greatest(t.due_at, w.silent_until)`)} end,
  'last_attempt', ${last(part`json_build_object('at', ${iso(part`a.started_at`)}, 'status', a.status, 'error', ${shownError(part`a.error`)}, 'duration_ms', a.duration_ms)`)},
  'waiting', ${waiting(tenant, endpoint)}`

// Pending deliveries, and finished ones of which only the log is left.
const deliveries = part`(select h.*, h.event_id as id from webhook_delivery_history h) t`
// One row each: `offset 0` keeps the planner from reading all events to join them by a hash.
const joined = part`
  cross join lateral (select e.* from events e where e.tenant_id = t.tenant_id and e.id = t.id offset 0) v
  cross join lateral (select e.* from webhook_endpoints e where e.tenant_id = t.tenant_id and e.id = t.endpoint_id offset 0) w`

// Ids are made in the order of time, so this is newest first.
const sorts: Record<string, Sort> = { event_id: { by: part`t.id`, type: 'text' } }

export function listDeliveries(
  sql: Queryable,
  tenant: string,
  endpoint: string,
  filters: DeliveryFilters,
  page: PageRequest,
): Promise<Page> {
  const scope = part`t.tenant_id = ${tenant} and t.endpoint_id = ${endpoint} and t.listed`
  const json = part`json_build_object(${members(tenant, endpoint)})::text`
  return listPage(sql, { from: deliveries, join: joined, json, scope, sorts }, conditions(filters), page)
}

function conditions({ state, type, event_id, created_after, created_before }: DeliveryFilters): Filter[] {
  const found: Filter[] = []
  if (event_id !== undefined) found.push({ kind: 'unique', where: part`t.id = ${event_id}` })
  if (state) found.push(...inState([...new Set(state)]))
  if (type) found.push({ kind: 'residual', where: part`v.type = any(${type}::text[])` })
  const from = created_after === undefined ? undefined : part`t.id >= ${lowestId('evt', Date.parse(created_after) + 1)}`
  const to = created_before === undefined ? undefined : part`t.id < ${lowestId('evt', Date.parse(created_before))}`
  return [...found, ...range('event_id', { from, to })]
}

// Deliveries that were not sent have an index, and pending ones another: each is used only where its condition is written out. The rest is nearly all.
function inState(states: string[]): Filter[] {
  const asked: Filter = { kind: 'residual', where: part`t.state = any(${states}::text[])` }
  if (states.every(each => each === 'pending')) return [{ kind: 'indexed', where: part`t.state = 'pending'`, order: part`t.due_at` }]
  if (!states.every(each => each === 'failed' || each === 'dropped')) return [asked]
  return [{ kind: 'equality', where: part`t.state in ('failed', 'dropped')`, sort: 'event_id' }, ...(states.length === 1 ? [asked] : [])]
}

/** Deliveries with the latest due times: those that wait for their next attempt are among them. */
const OLDEST_AMONG = 1_000

const ms = (column: Fragment) => part`round(${column}::numeric, 1)`

// The log keeps the headers that differ; the others are those that ../delivery/attempt.ts sends.
const requestHeaders = part`
  (select json_object_agg(h.name, h.value)
     from (
       select n as name, '••••' as value from unnest(a.header_names) n
       union all
       select c.key, c.value from json_each_text(${JSON.stringify(EVERY_REQUEST)}::text::json) c
       union all
       values ('X-Service-Event', v.type),
              ('X-Service-Delivery-Id', a.endpoint_id || '.' || split_part(a.event_id, '_', 2) || coalesce('.' || split_part(a.recovery_id, '_', 2), '') || ':' || a.attempt || ':' || substring(a.signature from 't=([0-9]+)')),
              ('X-Service-Signature', a.signature)
       union all
       select 'X-Service-Test', 'true' where v.test_of is not null
     ) h)`

/** One delivery with its latest 100 attempts, the last first, and the event that each of them sent. */
export async function findDelivery(sql: Queryable, tenant: string, endpoint: string, event: string): Promise<string | undefined> {
  const [row] = await sql<{ json: string; log: Line[] | null }[]>`
    select json_build_object(${members(tenant, endpoint)}, 'event', v.body::json)::text as json, (
             select json_agg(json_build_object(
                      'attempt', a.attempt, 'started_at', ${iso(part`a.started_at`)}, 'duration_ms', a.duration_ms,
                      'status', a.status, 'error', ${shownError(part`a.error`)}, 'recovery_id', a.recovery_id,
                      'timings', json_build_object('dns_ms', ${ms(part`a.dns_ms`)}, 'connect_ms', ${ms(part`a.connect_ms`)}, 'tls_ms', ${ms(part`a.tls_ms`)},
                                                   'first_byte_ms', ${ms(part`a.first_byte_ms`)}, 'total_ms', ${ms(part`a.total_ms`)}),
                      'request', json_build_object('method', 'POST', 'url', a.url, 'headers', ${requestHeaders}),
                      'response', case when a.status is not null
                                       then json_build_object('headers', coalesce(a.response_headers, '{}'), 'body', coalesce(a.response_body, ''),
                                                              'truncated', a.truncated) end)
                    order by a.id desc)
               from (select l.* from webhook_attempts l
                      where l.tenant_id = t.tenant_id and l.endpoint_id = t.endpoint_id and l.event_id = t.id
                      order by l.id desc limit 100) a) as log
      from ${deliveries} ${joined}
     where t.tenant_id = ${tenant} and t.endpoint_id = ${endpoint} and t.id = ${event} and t.listed`
  return row && `${row.json.slice(0, -1)},"log":${JSON.stringify((row.log ?? []).map(shown))}}`
}

interface Line {
  request: { url: string | null }
  response: { headers: Headers } | null
}

// Lines that were written before the log left out credentials still have them.
function shown({ request, response, ...line }: Line): Line {
  const url = request.url === null ? null : maskedUrl(request.url)
  return { ...line, request: { ...request, url }, response: response && { ...response, headers: maskedHeaders(response.headers) } }
}

/**
 * Live attempts of the last 24 hours may be millions: the latest HEALTH_SAMPLE stand for all of them, and no more than HEALTH_SCAN lines of the log are
 * read to find them. `since` is how far back that reaches. Pending deliveries are counted up to COUNT_MAX, and the oldest is looked for among those and
 * among the deliveries that are due last.
 */
export async function health(sql: Queryable, tenant: string, endpoint: string): Promise<string | undefined> {
  const pending = part`webhook_deliveries d where d.tenant_id = ${tenant} and d.endpoint_id = ${endpoint} and d.state = 'pending'`
  const [row] = await sql`
    with looked_at as (
      select a.started_at, a.duration_ms, a.error, a.recovery_id is null and a.started_at > now() - interval '24 hours' as live,
             row_number() over (order by a.event_id desc, a.id desc) = ${HEALTH_SCAN} as last
        from webhook_attempts a
       where a.tenant_id = ${tenant} and a.endpoint_id = ${endpoint}
       order by a.event_id desc, a.id desc
       limit ${HEALTH_SCAN}
    ), sample as materialized (
      -- Lazily: what follows a full sample is not read.
      select l.* from looked_at l where l.live or l.last limit ${HEALTH_SAMPLE}
    ), counted as (
      select count(*) filter (where s.live) as attempts, count(*) filter (where s.live and s.error is null) as succeeded,
             percentile_disc(0.5) within group (order by s.duration_ms) filter (where s.live) as p50,
             percentile_disc(0.95) within group (order by s.duration_ms) filter (where s.live) as p95,
             greatest(now() - interval '24 hours', case when count(*) = ${HEALTH_SAMPLE} or bool_or(s.last) then min(s.started_at) end) as since
        from sample s
    ), first as materialized (
      -- One more than is told, to know of it.
      select d.event_id from ${pending} order by d.due_at, d.event_id limit ${COUNT_MAX + 1}
    ), last as materialized (
      -- What waits for its next attempt comes at the end.
      select d.event_id from ${pending} order by d.due_at desc, d.event_id desc limit ${OLDEST_AMONG}
    ), waiting as (
      select (select count(*) from first) as pending, (select min(o.event_id) from (table first union all table last) o) as oldest
    )
    select json_build_object(
             'object', 'webhook_health', 'webhook_id', t.id, 'status', t.status, 'hours', 24, 'since', ${iso(part`c.since`)},
             'attempts', c.attempts, 'succeeded', c.succeeded, 'failed', c.attempts - c.succeeded,
             'success_rate', round(c.succeeded::numeric / nullif(c.attempts, 0), 4),
             'duration_ms', json_build_object('p50', c.p50, 'p95', c.p95),
             'last_success_at', ${iso(part`t.last_success_at`)}, 'last_failure_at', ${iso(part`t.last_failure_at`)},
             'last_error', case when t.last_error is not null and t.last_failure_at > now() - interval '24 hours'
                                then json_build_object('at', ${iso(part`t.last_failure_at`)}, 'status', t.last_error_status, 'error', ${shownError(part`t.last_error`)}) end,
             'consecutive_failures', t.failures,
             'silent_until', case when t.silent_until > now() then ${iso(part`t.silent_until`)} end,
             'pending', least(p.pending, ${COUNT_MAX}), 'pending_at_least', p.pending > ${COUNT_MAX}, 'oldest_pending_at', ${iso(part`v.created_at`)},
             'oldest_pending_seconds', round(extract(epoch from now() - v.created_at)))::text as json
      from webhook_endpoints t, counted c, waiting p
      left join events v on v.tenant_id = ${tenant} and v.id = p.oldest
     where t.tenant_id = ${tenant} and t.id = ${endpoint}`
  return row?.['json']
}
