// What killed workers held: leases, until they lapse, and jobs that they had fetched and not begun, until they are missed. And how long these may
// make a delivery wait.
import { LEASE_SECONDS } from '../../src/limits.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import type { Blow } from './evidence.ts'
import type { Post } from './receivers.ts'
import type { Webhook } from './stage.ts'
import { type Finding, none } from './verdict.ts'

export interface Lapse {
  /** The webhook's id. */
  webhook: string
  held: 'lease' | 'job'
  /** When the lease ends, or when the job was first seen with nobody who lives. Milliseconds since 1970. */
  at: number
}

const SAMPLE_MS = 500
/** The living renew theirs when two thirds are left: one with less than this has lost its holder. */
const ABANDONED_SECONDS = 10
/** Pools beat every five seconds. */
const SILENT_SECONDS = 7
/** From the lapse to the request: the sweep is once a second, and the machine is busy. */
const TAKEN_UP_MS = 5_000
/** What is promised of a killed worker's deliveries. */
const WAIT_MAX_MS = 30_000

/** Watches until it is stopped. */
export function watchLapses(sql: Sql): () => Lapse[] {
  const lapses = new Map<string, Lapse>()
  const timer = setInterval(async () => {
    const rows = await sql<(Lapse & { name: string })[]>`
      select id as webhook, 'lease' as held, lease_token::text as name, extract(epoch from lease_until)::float8 * 1000 as at
        from webhook_endpoints
       where lease_token is not null and lease_until < clock_timestamp() + make_interval(secs => ${ABANDONED_SECONDS})
      union all
      select j.payload ->> 'endpointId', 'job', j.id::text, extract(epoch from clock_timestamp())::float8 * 1000
        from graphile_worker._private_jobs j
       where j.locked_by is not null and j.payload ->> 'endpointId' is not null
         and j.locked_by not in (
               select p.id from worker_pools p where p.beat_at > clock_timestamp() - make_interval(secs => ${SILENT_SECONDS}))
         -- nor does one count twice that had taken its lease: only what was fetched after that lapsed was held anew
         and not exists (
               select 1 from webhook_endpoints e
                where e.id = j.payload ->> 'endpointId' and e.lease_token is not null and e.lease_until > j.locked_at)`
      // The database is away at times: that is what is tried.
      .catch(() => [])
    for (const { name, ...lapse } of rows) if (lapse.held === 'lease' || !lapses.has(name)) lapses.set(name, lapse)
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return [...lapses.values()]
  }
}

/** Whether a kill may have hit what the webhook was sent: only if it was the killed worker that served it. */
export const wasHit = (lapses: Lapse[], { from, until }: Blow, webhook: string | undefined): boolean =>
  lapses.some(
    ({ webhook: its, held, at }) => held === 'lease' && its === webhook && at >= from && at <= until + LEASE_SECONDS * 1000 + SAMPLE_MS,
  )

interface Waits {
  posts: Post[]
  blows: Blow[]
  lapses: Lapse[]
  webhooks: Webhook[]
}

/**
 * For the first POST of each delivery: as long as is promised, once for each worker that was killed with the webhook's lease or job while it
 * waited, and while the database was away.
 */
export function ofWaits({ posts, blows, lapses, webhooks }: Waits): Finding {
  const late = firstOf(posts).filter(({ endpoint, createdAt, at }) => {
    const hits = lapses.filter(each => each.webhook === webhooks[endpoint]?.id && each.at > createdAt && each.at <= at).length
    return at - createdAt > Math.max(WAIT_MAX_MS, hits * (LEASE_SECONDS * 1000 + TAKEN_UP_MS)) + awayBetween(blows, createdAt, at)
  })
  return none('an event reaches its receiver within 30 s, whatever is killed, and the time that the database is away', late)
}

/** Milliseconds from events to their first arrival, in order. */
export const delaysOf = (posts: Post[]): number[] => firstOf(posts).map(({ at, createdAt }) => at - createdAt)

function firstOf(posts: Post[]): Post[] {
  const first = new Map<string, Post>()
  for (const post of posts) if (!first.has(`${post.endpoint} ${post.event}`)) first.set(`${post.endpoint} ${post.event}`, post)
  return [...first.values()]
}

function awayBetween(blows: Blow[], since: number, at: number): number {
  const overlaps = blows.filter(({ kind }) => kind !== 'kill').map(({ from, until }) => Math.min(until, at) - Math.max(from, since))
  return overlaps.reduce((sum, ms) => sum + Math.max(0, ms), 0)
}
