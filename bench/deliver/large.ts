// The memory of a worker while large events are under way: no tenant may use it up. Each scenario has a worker of its own, for the most that it
// ever had resident counts.
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../../src/ids.ts'
import { type Reporting, stopAll } from '../../test/support/processes.ts'
import { verdict } from '../compare.ts'
import { type Environment, openEnvironment } from '../environment.ts'
import { describeMachine } from '../machine.ts'
import { type Endpoint, release, setEndpoints } from './backlog.ts'
import { type Arrivals, type Receiver, startReceiver, startWorker } from './processes.ts'

export const MEMORY_MB = 250
const PLACES = 200
const POLL_MS = 50
const LIMIT_MS = 120_000
/** About as large as an order may be. */
const ORDER_BYTES = 900_000

export interface Scenario {
  title: string
  endpoints: number
  tenants: number
  /** How many events each tenant has; each goes to all of its endpoints. */
  events: number
  bytes: number
  delayMs: number
  /** Sent by recoveries, one of each of so many endpoints, instead of live. */
  recoveries?: number
}

const SCENARIOS: Scenario[] = [
  { title: '1 000 receivers, 50 ms, 1 KB', endpoints: 1_000, tenants: 100, events: 40, bytes: 1_000, delayMs: 50 },
  { title: '1 000 receivers, 2 s, 4 KB', endpoints: 1_000, tenants: 100, events: 20, bytes: 4_000, delayMs: 2_000 },
  { title: '200 busy webhooks, 50 ms, 30 KB', endpoints: 200, tenants: 20, events: 60, bytes: 30_000, delayMs: 50 },
  { title: '150 webhooks, 2 s, one order of 0.9 MB', endpoints: 150, tenants: 1, events: 1, bytes: ORDER_BYTES, delayMs: 2_000 },
  { title: '150 webhooks, 50 ms, 4 such orders each', endpoints: 150, tenants: 30, events: 4, bytes: ORDER_BYTES, delayMs: 50 },
  {
    title: '16 recoveries, 50 ms, of 25 such orders',
    endpoints: 16,
    tenants: 1,
    events: 25,
    bytes: ORDER_BYTES,
    delayMs: 50,
    recoveries: 16,
  },
]

export async function deliverLarge(only = ''): Promise<void> {
  console.log(`\ndeliver-large: the most that a worker has resident, ${PLACES} endpoints at once; required under ${MEMORY_MB} MB`)
  const environment = await openEnvironment()
  console.log(await describeMachine(environment.db.sql))
  try {
    for (const scenario of SCENARIOS) if (scenario.title.includes(only)) await weigh(environment, scenario)
  } finally {
    await stopAll()
    await environment.close()
  }
}

async function weigh(environment: Environment, scenario: Scenario): Promise<void> {
  const { megabytes, seconds, count, processorMs } = await runScenario(environment, scenario)
  const took = `${count.toLocaleString('en')} in ${seconds.toFixed(1)} s, ${(processorMs / 1000).toFixed(1)} s of processor time`
  console.log(`  ${scenario.title.padEnd(42)} ${megabytes.toFixed(0).padStart(5)} MB: ${verdict(megabytes < MEMORY_MB)}   ${took}`)
}

export interface Weighed {
  /** The worker's, at most. */
  megabytes: number
  /** Requests that arrived, and the time from the first to the last of them. */
  count: number
  seconds: number
  /** The worker's, its start included. */
  processorMs: number
}

/** From a start of a worker to all delivered and recorded. Throws when the worker ends. */
export async function runScenario(environment: Pick<Environment, 'databaseUrl' | 'db'>, scenario: Scenario): Promise<Weighed> {
  const receiver = await startReceiver(scenario.delayMs)
  const endpoints = await setEndpoints(environment, scenario.endpoints, scenario.tenants, receiver.port)
  const count = await insertDeliveries(environment, endpoints, scenario)
  const worker = await startWorker(environment.databaseUrl, PLACES)
  await (scenario.recoveries === undefined ? release(environment) : recover(environment, endpoints, scenario.recoveries))
  const arrived = await arrivals(receiver, count, worker)
  await drained(environment)
  const [megabytes, processorMs] = [worker.peak() / 1e6, worker.processorMs()]
  await stopAll()
  return { megabytes, processorMs, count: arrived.count, seconds: (arrived.lastAt - arrived.firstAt) / 1000 }
}

// The endpoints are paused until all deliveries are there. Those that recoveries are to send have failed.
async function insertDeliveries(
  { db: { sql } }: Pick<Environment, 'db'>,
  endpoints: Endpoint[],
  { events, bytes, recoveries }: Scenario,
): Promise<number> {
  const tenants = [...new Set(endpoints.map(each => each.tenant))]
  const state = recoveries === undefined ? 'pending' : 'failed'
  await sql`update webhook_endpoints set status = ${recoveries === undefined ? 'paused' : 'enabled'}`
  for (const tenant of tenants)
    await sql`
      with happened as (
        insert into events (tenant_id, id, type, created_at, body)
        select ${tenant}, id, 'order.created', now(), '{"id":"' || id || '","type":"order.created","data":{"order":"' || f.filler || '"}}'
          from unnest(${Array.from({ length: events }, () => newId('evt'))}::text[]) as e (id),
               (select string_agg(md5(n::text), '') as filler from generate_series(1, ${Math.ceil(bytes / 32)}::integer) n) f
        returning id
      )
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, state, attempts, due_at)
      select w.tenant_id, w.id, h.id, ${state}, 0, now() from happened h, webhook_endpoints w where w.tenant_id = ${tenant}`
  await sql`vacuum analyze webhook_deliveries, events`
  return events * endpoints.length
}

async function recover({ db: { sql } }: Pick<Environment, 'db'>, endpoints: Endpoint[], count: number): Promise<void> {
  for (const { tenant, id } of endpoints.slice(0, count))
    await sql`
      with r as (
        insert into webhook_recoveries (tenant_id, id, endpoint_id, scope, first_id, end_id, total, max_per_second, created_at)
        values (${tenant}, ${newId('rcv')}, ${id}, 'all', '', 'z', 25, 100, now())
        returning tenant_id, id)
      select graphile_worker.add_job('webhooks/recover', json_build_object('tenantId', r.tenant_id, 'recoveryId', r.id), max_attempts => 1) from r`
}

async function arrivals(receiver: Receiver, count: number, worker: Reporting): Promise<Arrivals> {
  const until = Date.now() + LIMIT_MS
  for (;;) {
    const arrived = await receiver.ask('count')
    if (arrived.count >= count) return arrived
    // Throws if the worker has died.
    worker.peak()
    if (Date.now() > until) throw new Error(`${arrived.count} of ${count} arrived in time`)
    await delay(POLL_MS)
  }
}

async function drained({ db: { sql } }: Pick<Environment, 'db'>): Promise<void> {
  const rest = () => sql`
    select 1 where exists (select 1 from webhook_endpoints where lease_token is not null) or exists (select 1 from webhook_recoveries where state = 'running')`
  while ((await rest()).length > 0) await delay(POLL_MS)
}
