// Endpoints on loopback hosts, and backlogs of deliveries to them that appear at one stroke.
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../src/ids.ts'
import { encrypt, type Keyring, parseKeyring } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { secretBinding } from '../../src/webhooks/endpoints/secrets.ts'
import { SECRET_KEY } from '../dataset.ts'
import type { Environment } from '../environment.ts'

/** Makes a body of about 1 KB. */
const FILLER = 'x'.repeat(870)
const CHUNK = 5_000
const POLL_MS = 50
/** A drain that takes longer is stuck. */
const DRAIN_LIMIT_MS = 120_000

export interface Endpoint {
  tenant: string
  id: string
}

/** Replaces all endpoints by `count` new ones, each on a host of its own. */
export async function setEndpoints(
  { db: { sql } }: Pick<Environment, 'db'>,
  count: number,
  tenants: number,
  port: number,
): Promise<Endpoint[]> {
  await sql`truncate webhook_endpoints, webhook_deliveries, webhook_attempts, events cascade`
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  const ids = await Promise.all(
    Array.from({ length: tenants }, () => createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })),
  )
  const endpoints = Array.from({ length: count }, (_, i) => ({ tenant: ids[i % tenants]?.id as string, id: newId('whk') }))
  const rows = endpoints.map(({ tenant, id }, i) => ({
    tenant_id: tenant,
    id,
    url: `http://${hostOf(i)}:${port}/${id}`,
    events: ['order.created'],
    secret: encrypt(KEYRING, `whsec_${'5e'.repeat(32)}`, secretBinding(tenant, id)),
    created_at: new Date(),
    updated_at: new Date(),
  }))
  for (let from = 0; from < count; from += CHUNK) await sql`insert into webhook_endpoints ${sql(rows.slice(from, from + CHUNK))}`
  await sql`vacuum analyze`
  return endpoints
}

/** Moves all endpoints to one host, with a path each. */
export async function shareHost({ db: { sql } }: Environment, port: number): Promise<void> {
  await sql`update webhook_endpoints set url = ${`http://${hostOf(0)}:${port}/`} || id`
  await sql`vacuum analyze webhook_endpoints`
}

const KEYRING = parseKeyring(SECRET_KEY) as Keyring

/** One of loopback's sixteen million addresses. */
export const hostOf = (i: number): string => `127.1.${i >> 8}.${i & 255}`

/** Inserts `count` pending deliveries evenly to the endpoints, which are not woken until `release`. Earlier deliveries are removed. */
export async function fill(environment: Environment, endpoints: Endpoint[], count: number): Promise<void> {
  await empty(environment)
  await owe(environment, endpoints, count)
}

/** The same, beside earlier deliveries. */
export async function owe(environment: Environment, endpoints: Endpoint[], count: number): Promise<void> {
  const { sql } = environment.db
  await setStatus(environment, 'paused')
  for (let from = 0; from < count; from += CHUNK) {
    const pending = Array.from({ length: Math.min(CHUNK, count - from) }, (_, i) => endpoints[(from + i) % endpoints.length] as Endpoint)
    await sql`
      with pending as (
        select * from unnest(${pending.map(each => each.tenant)}::text[], ${pending.map(each => each.id)}::text[], ${pending.map(() => newId('evt'))}::text[])
            as o (tenant_id, endpoint_id, event_id)
      ), happened as (
        insert into events (tenant_id, id, type, created_at, body)
        select tenant_id, event_id, 'order.created', now(),
               '{"id":"' || event_id || '","type":"order.created","created_at":"2026-01-01T00:00:00.000Z","data":{"order":"' || ${FILLER}::text || '"}}'
          from pending
      )
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
      select tenant_id, endpoint_id, event_id, now() from pending`
  }
  await sql`vacuum analyze webhook_deliveries, events`
}

export async function empty({ db: { sql } }: Environment): Promise<void> {
  await sql`truncate webhook_deliveries, webhook_attempts, events`
}

/** Lets the backlog go, all at once. */
export async function release(environment: Pick<Environment, 'db'>): Promise<void> {
  await setStatus(environment, 'enabled')
  await environment.db.sql`
    select webhook_wake(array_agg(tenant_id), array_agg(endpoint_id))
      from (select distinct tenant_id, endpoint_id from webhook_deliveries where state = 'pending') o`
}

// Locked in the order in which all statements lock: else slices that are ending could deadlock with this.
async function setStatus({ db: { sql } }: Pick<Environment, 'db'>, status: 'enabled' | 'paused'): Promise<void> {
  await sql`
    with locked as materialized (select tenant_id, id from webhook_endpoints order by tenant_id, id for no key update)
    update webhook_endpoints e set status = ${status} from locked l where e.tenant_id = l.tenant_id and e.id = l.id`
}

/** Waits until no delivery is pending and every slice has ended. @throws unless each event was delivered once and is in the log */
export async function drained({ db: { sql } }: Environment): Promise<void> {
  const until = Date.now() + DRAIN_LIMIT_MS
  // By the index of pending deliveries, so that looking costs next to nothing.
  const rest = () => sql`
    select 1 where exists (select 1 from webhook_deliveries where state = 'pending') or exists (select 1 from webhook_endpoints where lease_token is not null)`
  while ((await rest()).length > 0) {
    if (Date.now() > until) throw new Error('the backlog was not drained in time')
    await delay(POLL_MS)
  }
  const [row] = await sql`
    select (select count(*) from events) as events, (select count(*) from webhook_delivery_history where listed and state = 'succeeded') as delivered,
           (select count(*) from webhook_attempts where status = 204) as logged`
  if (row?.['events'] !== row?.['delivered'] || row?.['events'] !== row?.['logged'])
    throw new Error(`not all was delivered once and logged: ${JSON.stringify(row)}`)
}
