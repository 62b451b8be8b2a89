// The setup of most experiments: ten shops whose webhooks one worker serves, with changes to webhooks and events beside the API.
import type { Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { createWebhook, type Environment, openEnvironment, type Shop, type Webhook } from './environment.ts'
import type { Receivers } from './receivers.ts'
import type { Finding } from './verdict.ts'

const SHOPS = 10

export interface Shops extends Environment {
  /** The web process's address. */
  origin: string
  worker: Reporting
  shops: Shop[]
  /** A webhook for each receiver, of the shops in turn. */
  subscribe(receivers: Receivers): Promise<Webhook[]>
  /** Ten more, for another experiment in this environment: nothing of an earlier one is in their way. */
  anew(): Promise<Shops>
}

type Settings = Record<string, string> | undefined

export interface Needs {
  keys: number
  settings?: Settings
  web?: Settings
  worker?: Settings
}

/** Runs an experiment, and clears up after it. @param keys of each shop @param settings PostgreSQL's @param web settings of web @param worker settings of the worker */
export async function withShops<Result>(
  { keys, settings, web: webs, worker: own }: Needs,
  experiment: (shops: Shops) => Promise<Result>,
): Promise<Result> {
  const environment = await openEnvironment(settings)
  try {
    const [web, worker] = await Promise.all([environment.start('web', webs), environment.start('worker', own)])
    const origin = String(web.ready)
    const anew = async (): Promise<Shops> => {
      const shops = await Promise.all(Array.from({ length: SHOPS }, () => environment.shop(keys)))
      const subscribe = ({ urls }: Receivers) => Promise.all(urls.map((url, i) => createWebhook(origin, shops[i % SHOPS] as Shop, url)))
      return { ...environment, origin, worker, shops, subscribe, anew }
    }
    return await experiment(await anew())
  } finally {
    await environment.close()
  }
}

/** The jobs in the queue at each look. */
export interface Queue {
  /** Jobs of deliveries. */
  jobs: number
  /** Those whose endpoint had another job. */
  doubled: number
}

export async function lookAtQueue(sql: Sql): Promise<Queue> {
  const [row] = await sql<Queue[]>`
    select count(*) as jobs, count(*) - count(distinct j.payload ->> 'endpointId') as doubled
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier = 'webhooks/deliver'`
  return row as Queue
}

export function oneJobEach(looks: Queue[], endpoints: number): Finding {
  const [jobs, doubled] = [Math.max(...looks.map(look => look.jobs)), Math.max(...looks.map(look => look.doubled))]
  return {
    promise: 'the queue holds one job for a busy endpoint at most',
    figure: `at most ${jobs} of ${endpoints}, ${doubled} of them doubled, in ${looks.length} looks`,
    holds: jobs <= endpoints && doubled === 0,
  }
}

/** Slices of endpoints that do not answer last as long as their requests. */
const TURNS_END_MS = 60_000

/** Clears their failures: from the third failure in a row on they are silent, and would be less trouble the longer the run. */
export async function switchOn(sql: Sql, ids: string[]): Promise<void> {
  await sql`
    update webhook_endpoints
       set status = 'enabled', failures = 0, failing_since = null, failure_known_at = null, silent_until = null, version = version + 1
     where id = any(${ids})`
}

/** Resolves when no request to them is under way, and no delivery is pending. */
export async function switchOff(sql: Sql, ids: string[]): Promise<void> {
  await sql`update webhook_endpoints set status = 'disabled', queued_at = null, version = version + 1 where id = any(${ids})`
  await eventually(
    async () => (await sql`select 1 from webhook_endpoints where id = any(${ids}) and lease_token is not null`).length === 0,
    TURNS_END_MS,
  )
  // Not while a slice records: it locks them in another order.
  await sql`delete from webhook_deliveries where endpoint_id = any(${ids})`
}

/** Milliseconds from each event's creation, which is before its commit, to its first arrival at each receiver: of events since then. */
export async function arrivals(receivers: Receivers, since: number): Promise<number[]> {
  const seen = new Map<string, number>()
  for (const { endpoint, event, at, createdAt } of await receivers.posts())
    if (createdAt >= since && !seen.has(`${endpoint} ${event}`)) seen.set(`${endpoint} ${event}`, at - createdAt)
  return [...seen.values()]
}

/** So many events for each of these shops, and a delivery of each to each of its endpoints that are not disabled. They are too old to be measured: see `arrivals`. @param overMs they come due in that time, not at once */
export async function feed(sql: Sql, shops: Pick<Shop, 'tenant'>[], events: number, overMs = 0): Promise<void> {
  const tenants = shops.map(({ tenant }) => tenant)
  await sql`
    with fed as (
      insert into events (tenant_id, id, type, created_at, body)
      select t.id, e.id, 'order.created', now(),
             json_build_object('id', e.id, 'type', 'order.created', 'created_at', '2000-01-01T00:00:00.000Z', 'data', repeat('x', 800))
        from unnest(${tenants}::text[]) as t (id), generate_series(1, ${events}) n,
             lateral (select 'evt_' || right(replace(uuidv7()::text, '-', ''), 26) as id, n) e
      returning tenant_id, id
    )
    insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
    select w.tenant_id, w.id, fed.id, clock_timestamp() + random() * ${overMs}::float8 * interval '1 millisecond' from fed join webhook_endpoints w on w.tenant_id = fed.tenant_id and w.status <> 'disabled'`
  await sql`select webhook_wake(array_agg(tenant_id), array_agg(id)) from webhook_endpoints where tenant_id = any(${tenants})`
}
