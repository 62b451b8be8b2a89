// Every statement of recoveries as their owner sees them. What they send is in selection-store.ts, how they run in run-store.ts.
import { now } from '../../clock.ts'
import { epoch } from '../../postgres/epoch.ts'
import { iso, keysetPage, type Page, type PageRequest, type Sort } from '../../postgres/page.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import { leases } from './run-store.ts'
import type { Selection } from './selection-store.ts'

export interface Subscription {
  events: string[]
  created_at: Date
}

/** What the endpoint subscribes to, and the earliest time it can have done so; undefined when there is no such endpoint. */
export async function subscription(sql: Queryable, tenant: string, endpoint: string): Promise<Subscription | undefined> {
  const [row] = await sql<Subscription[]>`select events, created_at from webhook_endpoints where tenant_id = ${tenant} and id = ${endpoint}`
  return row
}

export interface NewRecovery extends Selection {
  id: string
  max_per_second: number
  total: number
  total_at_least: boolean
}

/** Inserts the recovery and its job. */
export async function insert(tx: Queryable, tenant: string, recovery: NewRecovery): Promise<void> {
  const { endpoint, ...rest } = recovery
  await tx`insert into webhook_recoveries ${tx({ ...rest, tenant_id: tenant, endpoint_id: endpoint, created_at: new Date(now()) })}`
  await tx`select ${leases.job()} from webhook_recoveries r where r.tenant_id = ${tenant} and r.id = ${recovery.id}`
}

export async function insertTestEvent(tx: Queryable, tenant: string, endpoint: string, event: TestEvent): Promise<void> {
  await tx`
    insert into events (tenant_id, id, type, created_at, body, test_of, epoch)
    values (${tenant}, ${event.id}, ${event.type}, ${event.at}, ${event.body}, ${endpoint}, ${epoch})`
}

export interface TestEvent {
  id: string
  type: string
  at: Date
  body: string
}

const done = part`(t.succeeded + t.failed)`
const json = part`
  json_build_object(
    'object', 'webhook_recovery', 'id', t.id, 'webhook_id', t.endpoint_id, 'scope', t.scope,
    'event_id', case when t.scope in ('event', 'test') then t.first_id end, 'types', t.types, 'state', t.state, 'reason', t.reason,
    'total', greatest(t.total, ${done}), 'total_at_least', t.total_at_least and t.state <> 'completed', 'done', ${done}, 'succeeded', t.succeeded, 'failed', t.failed, 'max_per_second', t.max_per_second,
    'per_second', round((${done} / greatest(extract(epoch from coalesce(t.finished_at, now()) - t.created_at), 1))::numeric, 2),
    'created_at', ${iso(part`t.created_at`)}, 'finished_at', ${iso(part`t.finished_at`)})::text`

// Recoveries of a deleted endpoint are not shown: they wait to be pruned.
const shown = part`exists (select from webhook_endpoints w where w.tenant_id = t.tenant_id and w.id = t.endpoint_id)`

const sorts: Record<string, Sort> = { created_at: { by: part`t.created_at`, type: 'time' } }

export const list = (sql: Queryable, tenant: string, endpoint: string, page: PageRequest): Promise<Page> =>
  keysetPage(sql, part`webhook_recoveries t`, json, [part`t.tenant_id = ${tenant}`, part`t.endpoint_id = ${endpoint}`, shown], sorts, page)

export async function findJson(sql: Queryable, tenant: string, endpoint: string, id: string): Promise<string | undefined> {
  const [row] = await sql`
    select ${json} as json from webhook_recoveries t where t.tenant_id = ${tenant} and t.endpoint_id = ${endpoint} and t.id = ${id} and ${shown}`
  return row?.['json']
}

/** The recovery of many events that is under way: an endpoint has one at a time. */
export async function running(sql: Queryable, tenant: string, endpoint: string): Promise<string | undefined> {
  const [row] = await sql<{ id: string }[]>`
    select id from webhook_recoveries
     where tenant_id = ${tenant} and endpoint_id = ${endpoint} and state = 'running' and scope in ('failed', 'undelivered', 'all')`
  return row?.id
}

/** @returns false when it no longer runs */
export async function cancel(tx: Queryable, tenant: string, id: string): Promise<boolean> {
  const rows = await tx`
    update webhook_recoveries set state = 'cancelled', finished_at = now()
     where tenant_id = ${tenant} and id = ${id} and state = 'running'
    returning 1`
  return rows.length > 0
}
