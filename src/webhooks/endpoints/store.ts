// Every statement of endpoints as their owner sees them. The statements of sending to them are in ../delivery/.
import { now } from '../../clock.ts'
import { SECRET_OVERLAP_HOURS } from '../../limits/secrets.ts'
import { HELD_BACK_TOLD_SECONDS } from '../../limits/webhooks.ts'
import { epoch } from '../../postgres/epoch.ts'
import { listPage, timeFilters } from '../../postgres/list-page.ts'
import { iso, type Page, type PageRequest, type Sort, type TimeFilters } from '../../postgres/page.ts'
import { part, type Queryable, type Tx } from '../../postgres/sql.ts'
import { leased } from '../../queue/leased.ts'

// A transaction from before the plan was made, which is when the endpoint was enabled, is still under way.
const heldBackSince = part`
  case when ((t.catching_up ->> 'horizon_epoch')::integer, (t.catching_up ->> 'horizon')::xid8) > (${epoch}, pg_snapshot_xmin(pg_current_snapshot()))
        and t.updated_at < clock_timestamp() - make_interval(secs => ${HELD_BACK_TOLD_SECONDS})
       then ${iso(part`t.updated_at`)} end`

const json = part`
  json_build_object(
    'object', 'webhook', 'id', t.id, 'url', t.url, 'events', t.events, 'description', t.description, 'status', t.status,
    'catching_up', t.catching_up is not null, 'held_back_since', ${heldBackSince}, 'disabled_at', ${iso(part`t.disabled_at`)}, 'disabled_reason', t.disabled_reason,
    'max_parallel', t.max_parallel, 'max_per_minute', t.max_per_minute,
    'headers', (select coalesce(json_object_agg(n, '••••'), '{}') from unnest(t.header_names) n),
    'previous_secret_until', case when t.previous_secret_until > now() then ${iso(part`t.previous_secret_until`)} end,
    'consecutive_failures', t.failures, 'last_success_at', ${iso(part`t.last_success_at`)}, 'last_failure_at', ${iso(part`t.last_failure_at`)},
    'version', t.version, 'created_at', ${iso(part`t.created_at`)}, 'updated_at', ${iso(part`t.updated_at`)})::text`

const sorts: Record<string, Sort> = { created_at: { by: part`t.created_at`, type: 'time' } }

export const list = (sql: Queryable, tenant: string, filters: TimeFilters, page: PageRequest): Promise<Page> =>
  listPage(sql, { from: part`webhook_endpoints t`, json, scope: part`t.tenant_id = ${tenant}`, sorts }, timeFilters(filters), page)

export async function exists(sql: Queryable, tenant: string, id: string): Promise<boolean> {
  const rows = await sql`select 1 from webhook_endpoints where tenant_id = ${tenant} and id = ${id}`
  return rows.length > 0
}

export async function findJson(sql: Queryable, tenant: string, id: string): Promise<string | undefined> {
  const [row] = await sql`select ${json} as json from webhook_endpoints t where t.tenant_id = ${tenant} and t.id = ${id}`
  return row?.['json']
}

export interface Locked {
  json: string
  url: string
  /** The origin of its URL has answered it with 2xx. */
  proven: boolean
  updated_at: Date
  status: 'enabled' | 'paused' | 'disabled'
  max_per_minute: number | null
  catching_up: boolean
  /** The time of its disabling is known: what it missed since can be sent. */
  knows_missed: boolean
  /** Encrypted. */
  headers: string | null
  header_names: string[]
}

export async function lock(tx: Tx, tenant: string, id: string): Promise<Locked | undefined> {
  const [row] = await tx<Locked[]>`
    select ${json} as json, t.url, t.proven, t.updated_at, t.status, t.max_per_minute, t.catching_up is not null as catching_up, t.disabled_xid is not null as knows_missed,
           t.headers, t.header_names
      from webhook_endpoints t
     where t.tenant_id = ${tenant} and t.id = ${id}
       for no key update`
  return row
}

export interface NewEndpoint {
  id: string
  url: string
  events: string[]
  description: string | null
  max_parallel: number
  max_per_minute: number | null
  /** Encrypted. */
  secret: string
  /** Encrypted. */
  headers: string | null
  header_names: string[]
}

export async function insert(tx: Tx, tenant: string, endpoint: NewEndpoint): Promise<void> {
  const at = new Date(now())
  await tx`insert into webhook_endpoints ${tx({ tenant_id: tenant, ...endpoint, created_at: at, updated_at: at })}`
}

export interface EndpointChange extends Partial<Omit<NewEndpoint, 'id' | 'secret'>> {
  proven?: boolean
}

export async function update(tx: Tx, tenant: string, id: string, change: EndpointChange): Promise<void> {
  await tx`
    update webhook_endpoints
       set ${tx({ ...change, updated_at: new Date(now()) })}, version = version + 1,
           slate = case when url <> ${change.url ?? null}::text then slate + 1 else slate end
     where tenant_id = ${tenant} and id = ${id}`
}

/** A new rate counts from now on, whatever the one before had used up. @param usedUntil of the new rate */
export async function repace(tx: Tx, tenant: string, id: string, usedUntil: number): Promise<void> {
  await tx`
    update webhook_endpoints
       set paced_until = least(paced_until, to_timestamp(${usedUntil}::float8 / 1000)),
           -- Without a failure its silence is the rate's.
           silent_until = case when failures > 0 then silent_until end
     where tenant_id = ${tenant} and id = ${id}`
}

/** Leaves deliveries, log and recoveries, of which there may be millions, to `pruneDeleted`. */
export async function remove(tx: Tx, tenant: string, id: string): Promise<void> {
  // A large recovery goes on only while its state is running. Recoveries of one event end by themselves.
  await tx`
    update webhook_recoveries set state = 'cancelled', finished_at = now()
     where tenant_id = ${tenant} and endpoint_id = ${id} and state = 'running' and scope in ('failed', 'undelivered', 'all')`
  await tx`
    with deleted as (
      delete from webhook_endpoints where tenant_id = ${tenant} and id = ${id}
      returning tenant_id, id
    )
    insert into webhook_tombstones (tenant_id, id) select tenant_id, id from deleted`
}

// A clean slate: earlier failures and silence are forgotten.
const healthy = part`
  disabled_at = null, disabled_reason = null, disabled_xid = null, disabled_epoch = null, failures = 0, failing_since = null, failure_known_at = null,
  silent_until = null, deaths = 0, slate = slate + 1, version = version + 1, updated_at = now()`

export async function enable(tx: Queryable, tenant: string, id: string): Promise<void> {
  await tx`update webhook_endpoints set status = 'enabled', ${healthy} where tenant_id = ${tenant} and id = ${id}`
}

/** The work to do before the endpoint, paused meanwhile, gets the status `next_status`. */
export interface CatchUp {
  /** Deliveries pending at this time are dropped. */
  drop_before: string | null
  /** Events from this transaction of this epoch on were missed, and get deliveries. Without an epoch it is of the oldest, 0. */
  missed_from: string | null
  missed_epoch?: number | null
  next_status: 'enabled' | 'paused'
}

export interface NewCatchUp {
  /** Pending deliveries are dropped. */
  drop: boolean
  /** Events since it was disabled get deliveries. */
  missed: boolean
}

/** The leases of tasks that catch up, beside those of deliveries. */
export const catchUps = leased({
  table: 'webhook_endpoints',
  task: 'webhooks/catch-up',
  key: 'endpointId',
  open: part`r.catching_up is not null`,
  columns: { queuedAt: 'catch_up_queued_at', token: 'catch_up_token', until: 'catch_up_until' },
})

/** Pauses the endpoint with a clean slate until its task has caught up. */
export async function beginCatchUp(tx: Queryable, tenant: string, id: string, { drop, missed }: NewCatchUp): Promise<void> {
  await tx`
    update webhook_endpoints
       set status = 'paused', ${healthy},
           ${catchUps.queued}, ${catchUps.givenBack},
           catching_up = jsonb_build_object('drop_before', case when ${drop}::boolean then clock_timestamp() end, 'missed_from', case when ${missed}::boolean then disabled_xid::text end,
                                            'missed_epoch', disabled_epoch, 'next_status', 'enabled')
     where tenant_id = ${tenant} and id = ${id}`
  await tx`select ${catchUps.job()} from webhook_endpoints r where r.tenant_id = ${tenant} and r.id = ${id}`
}

/** Pauses or resumes. An endpoint that is catching up goes on with that, and gets the status afterwards. */
export async function hold(tx: Queryable, tenant: string, id: string, status: 'enabled' | 'paused'): Promise<void> {
  await tx`
    update webhook_endpoints
       set status = case when catching_up is null then ${status} else 'paused' end,
           catching_up = catching_up || jsonb_build_object('next_status', ${status}::text),
           version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}`
}

/** From when on an endpoint that is being disabled misses events. */
export const missedFromNow = part`
  -- One that was still catching up has missed what it had not caught up with.
  disabled_xid = coalesce((catching_up ->> 'missed_from')::xid8, pg_snapshot_xmin(pg_current_snapshot())),
  disabled_epoch = case when catching_up ->> 'missed_from' is null then ${epoch} else (catching_up ->> 'missed_epoch')::integer end`

export async function disable(tx: Queryable, tenant: string, id: string, reason: string): Promise<void> {
  await tx`
    update webhook_endpoints
       set status = 'disabled', disabled_at = now(), disabled_reason = ${reason}, queued_at = null,
           ${missedFromNow}, catching_up = null,
           version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}`
}

/** The secret before this rotation, unless that of an earlier one is still in use: receivers know that one. */
export async function rotate(tx: Queryable, tenant: string, id: string, secret: string): Promise<void> {
  await tx`
    update webhook_endpoints
       set previous_secret = case when previous_secret_until > now() then previous_secret else secret end,
           previous_secret_until = now() + make_interval(hours => ${SECRET_OVERLAP_HOURS}),
           secret = ${secret}, version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}`
}

export async function forgetPrevious(tx: Queryable, tenant: string, id: string): Promise<void> {
  await tx`
    update webhook_endpoints set previous_secret = null, previous_secret_until = null, version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id} and previous_secret is not null`
}
