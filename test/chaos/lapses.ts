// Leases that nobody gave back: their workers were killed, and what these served waits until they lapse. And how long it may wait.
import { LEASE_SECONDS } from '../../src/limits.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import type { Blow } from './evidence.ts'
import type { Post } from './receivers.ts'
import type { Webhook } from './stage.ts'
import { type Finding, none } from './verdict.ts'

export interface Lapse {
  /** The webhook's id. */
  webhook: string
  /** When the lease ends. Milliseconds since 1970. */
  at: number
}

const SAMPLE_MS = 500
/** The living renew theirs when two thirds are left: one with less than this has lost its holder. */
const ABANDONED_SECONDS = 10
/** From the lapse to the request: the sweep is once a second, and the machine is busy. */
const TAKEN_UP_MS = 5_000
/** What is promised of a killed worker's deliveries. */
const WAIT_MAX_MS = 30_000

/** Watches until it is stopped. */
export function watchLapses(sql: Sql): () => Lapse[] {
  const lapses = new Map<string, Lapse>()
  const timer = setInterval(async () => {
    const rows = await sql<(Lapse & { token: string })[]>`
      select id as webhook, lease_token as token, extract(epoch from lease_until)::float8 * 1000 as at
        from webhook_endpoints
       where lease_until < clock_timestamp() + make_interval(secs => ${ABANDONED_SECONDS})`
      // The database is away at times: that is what is tried.
      .catch(() => [])
    for (const { token, webhook, at } of rows) lapses.set(token, { webhook, at })
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return [...lapses.values()]
  }
}

/** Whether a kill may have hit what the webhook was sent: only if it was the killed worker that served it. */
export const wasHit = (lapses: Lapse[], { from, until }: Blow, webhook: string | undefined): boolean =>
  lapses.some(({ webhook: its, at }) => its === webhook && at >= from && at <= until + LEASE_SECONDS * 1000 + SAMPLE_MS)

interface Waits {
  posts: Post[]
  blows: Blow[]
  lapses: Lapse[]
  webhooks: Webhook[]
}

/** For the first POST of each delivery: as long as is promised, or as its webhook's leases if their holders were killed one after the other, and while the database was away. */
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
  const overlaps = blows.filter(({ kind }) => kind === 'restart').map(({ from, until }) => Math.min(until, at) - Math.max(from, since))
  return overlaps.reduce((sum, ms) => sum + Math.max(0, ms), 0)
}
