// The evidence after workers were killed and PostgreSQL restarted, and the promises that it must keep.
import type { Sql } from '../../src/postgres/sql.ts'
import { type Fetch, ofWaits, together } from './abandoned-leases.ts'
import type { Webhook } from './environment.ts'
import { type Fault, wasHit } from './fault.ts'
import { type Accepted, customerOf } from './orders.ts'
import type { Post } from './receivers.ts'
import { type Finding, none } from './verdict.ts'

interface Logged {
  endpoint: string
  event: string
  attempt: number
  status: number | null
  /** Its X-Service-Delivery-Id */
  delivery: string
  /** When the line was durable. */
  committedAt: number
}

export interface Written {
  orders: { id: string; email: string }[]
  events: { tenant: string; id: string; order: string; body: string }[]
  deliveries: { endpoint: string; event: string; state: string; attempts: number }[]
  log: Logged[]
  jobs: number
  endpoints: { id: string; status: string; reason: string | null; max_parallel: number; failures: number; held: boolean }[]
}

export async function readWritten(sql: Sql): Promise<Written> {
  const [row] = await sql<{ jobs: number }[]>`select count(*) as jobs from graphile_worker._private_jobs`
  return {
    jobs: row?.jobs ?? 0,
    orders: await sql<Written['orders']>`select id, customer_email as email from orders`,
    events: await sql<Written['events']>`
      select tenant_id as tenant, id, body::jsonb -> 'data' ->> 'order_id' as order, encode(sha256(body::bytea), 'base64') as body
        from events where type = 'order.created'`,
    deliveries: await sql<
      Written['deliveries']
    >`select endpoint_id as endpoint, event_id as event, state, attempts from webhook_delivery_history where listed`,
    log: await sql<Logged[]>`
      select endpoint_id as endpoint, event_id as event, attempt, status,
             a.endpoint_id || '.' || substring(a.event_id from 5) || ':' || a.attempt || ':' || substring(a.signature from 't=([0-9]+)') as delivery,
             extract(epoch from pg_xact_commit_timestamp(xmin))::float8 * 1000 as "committedAt"
        from webhook_attempts a`,
    endpoints: await sql<Written['endpoints']>`
      select id, status, disabled_reason as reason, max_parallel, failures, coalesce(lease_until > clock_timestamp(), false) or queued_at is not null as held from webhook_endpoints`,
  }
}

export interface Evidence {
  posts: Post[]
  faults: Fault[]
  written: Written
  accepted: Accepted[]
  webhooks: Webhook[]
  /** The tenant of each endpoint. */
  owners: string[]
  /** Where workers were killed. */
  fetches?: Fetch[]
  /** Where a worker may live on that others have taken over from: each lease of a webhook, and when it began. Milliseconds since 1970. */
  leases?: { webhook: string; at: number }[]
}

export function findings(evidence: Evidence): Finding[] {
  return [
    ...ofOrders(evidence),
    ...ofPosts(evidence),
    ...ofDuplicates(evidence),
    ofWaits(evidence),
    together(evidence),
    ...ofTheLog(evidence),
  ]
}

function ofOrders({ accepted, written, posts, webhooks, owners }: Evidence): Finding[] {
  const byCustomer = Map.groupBy(written.orders, ({ email }) => email)
  const byOrder = Map.groupBy(written.events, ({ order }) => order)
  const arrived = new Set(posts.map(({ endpoint, event }) => `${endpoint} ${event}`))
  const missing = accepted.flatMap(({ id }) =>
    (byOrder.get(id) ?? []).flatMap(({ tenant, id: event }) =>
      [...webhooks.keys()].filter(endpoint => owners[endpoint] === tenant).filter(endpoint => !arrived.has(`${endpoint} ${event}`)),
    ),
  )
  return [
    none(
      'an accepted order exists once, however often it was asked for',
      accepted.filter(({ n, id }) => byCustomer.get(customerOf(n))?.length !== 1 || byCustomer.get(customerOf(n))?.[0]?.id !== id),
    ),
    { promise: 'no order exists that was not accepted', ...equal(written.orders.length, accepted.length) },
    none(
      'an accepted order has its event, once',
      accepted.filter(({ id }) => byOrder.get(id)?.length !== 1),
    ),
    none('an accepted order’s event reached every subscribed receiver', missing),
  ]
}

function ofPosts({ posts, written }: Evidence): Finding[] {
  const bodies = new Map(written.events.map(({ id, body }) => [id, body]))
  return [
    none(
      'every POST carries the stored bytes of its event, so all attempts are identical',
      posts.filter(({ event, bytes }) => bodies.get(event) !== bytes),
    ),
    none(
      'every POST’s signature verifies',
      posts.filter(({ verified }) => !verified),
    ),
  ]
}

// A POST is in flight from its arrival until its line of the log is durable. One whose line is missing was lost at the first fault after it.
function ofDuplicates(evidence: Evidence): Finding[] {
  const { posts, faults, written, webhooks } = evidence
  const committed = new Map(written.log.map(({ delivery, committedAt }) => [delivery, committedAt]))
  const lost = posts.filter(({ delivery }) => !committed.has(delivery))
  const faultOf = (post: Post) => faults.find(({ until }) => until >= post.at)
  // A cut lasts: what another worker began within it may be lost in the next one.
  const ordered = lost.filter(post => webhooks[post.endpoint]?.cap === 1 && faultOf(post)?.kind !== 'cut')
  const twice = [...Map.groupBy(ordered, post => `${post.endpoint} ${faultOf(post)?.from}`).values()].filter(group => group.length > 1)
  const inFlight = inFlightAt(evidence, committed)
  const duplicates = duplicatesOf(posts)
  const recorded = firstRecorded(written.log)
  const claimedBefore = claimsOf(evidence)
  const again = posts.filter(post => {
    const at = recorded.get(`${webhooks[post.endpoint]?.id} ${post.event}`) ?? Number.POSITIVE_INFINITY
    return post.at > at + CLOCK_MS && !claimedBefore(post, at)
  })
  return [
    {
      promise: 'duplicates are no more than what was in flight at the killed worker, or at all when PostgreSQL ended',
      ...atMost(duplicates, inFlight),
    },
    none(`nothing is ${evidence.leases ? 'claimed' : 'sent'} again after its success is recorded`, again),
    none(
      'a POST that is not in the log came before a fault',
      lost.filter(post => !faultOf(post)),
    ),
    none('at an ordered endpoint one POST at most is lost at a fault', twice),
  ]
}

/** Node's milliseconds are cut off, PostgreSQL's are not. */
const CLOCK_MS = 2

/** A commit is seen by others a flush to disk after the time that it carries. */
const FLUSH_MS = 250

// A worker that was cut off records what it sent when it is back, and meanwhile another may have claimed the same. A success holds the lease off while it is
// written, so a lease that began later claimed nothing of it. At an ordered webhook a request is of the lease that began last.
function claimsOf({ leases, webhooks }: Evidence): (post: Post, at: number) => boolean {
  const begun = Map.groupBy(leases ?? [], ({ webhook }) => webhook)
  return (post, recordedAt) => {
    const its = (begun.get(webhooks[post.endpoint]?.id ?? '') ?? []).filter(({ at }) => at <= post.at)
    return its.length > 0 && Math.max(...its.map(({ at }) => at)) <= recordedAt + FLUSH_MS
  }
}

export const duplicatesOf = (posts: Post[]): number =>
  posts.length - new Set(posts.map(({ endpoint, event }) => `${endpoint} ${event}`)).size

// A kill counts for the webhooks that the killed worker served alone. A lost POST that no earlier fault accounts for is left for the next.
function inFlightAt({ faults, posts, webhooks }: Evidence, committed: Map<string, number>): number {
  let count = 0
  const lost = new Set(posts.filter(({ delivery }) => !committed.has(delivery)))
  for (const fault of faults) {
    for (const post of posts) {
      const end = committed.get(post.delivery)
      const open = end === undefined ? lost.has(post) : end >= fault.from
      if (post.at > fault.until || !open || !(fault.kind !== 'kill' || wasHit(fault, webhooks[post.endpoint]?.id))) continue
      lost.delete(post)
      count++
    }
  }
  return count
}

function firstRecorded(log: Logged[]): Map<string, number> {
  const first = new Map<string, number>()
  for (const { endpoint, event, status, committedAt } of log)
    if (status !== null && status < 300) {
      const key = `${endpoint} ${event}`
      first.set(key, Math.min(committedAt, first.get(key) ?? Number.POSITIVE_INFINITY))
    }
  return first
}

function ofTheLog({ posts, written, faults }: Evidence): Finding[] {
  const { log, deliveries, endpoints, jobs } = written
  const wasCut = faults.some(({ kind }) => kind === 'cut')
  const received = Map.groupBy(posts, ({ delivery }) => delivery)
  const logged = Map.groupBy(log, ({ endpoint, event }) => `${endpoint} ${event}`)
  const told = ({ endpoint, event, attempts }: Written['deliveries'][number]) => {
    const lines = logged.get(`${endpoint} ${event}`) ?? []
    // A worker that was cut off when it had its answer records it when it is back, though another has sent the same meanwhile: it happened.
    const tells = wasCut ? lines.length >= attempts : lines.length === attempts
    return tells && lines.some(({ attempt, status }) => attempt === attempts && status === 204)
  }
  return [
    none(
      'a line of the log is a POST that was received, and no two are the same one',
      [...Map.groupBy(log, ({ delivery }) => delivery)].filter(([delivery, lines]) => lines.length > 1 || !received.has(delivery)),
    ),
    none(
      'every delivery has succeeded',
      deliveries.filter(({ state }) => state !== 'succeeded'),
    ),
    none(
      'a delivery’s attempts are the lines of its log, the last of them its success',
      deliveries.filter(each => !told(each)),
    ),
    { promise: 'no job is left', ...equal(jobs, 0) },
    none(
      'every endpoint is enabled, healthy, and without a lease',
      endpoints.filter(({ status, failures, held }) => status !== 'enabled' || failures > 0 || held),
    ),
  ]
}

const equal = (is: number, should: number) => ({ figure: `${is} of ${should}`, holds: is === should })
const atMost = (is: number, most: number) => ({ figure: `${is} ≤ ${most}`, holds: is <= most })
