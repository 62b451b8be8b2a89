// The leases of killed workers, how soon others went on under them, and how long an event may wait for its receiver.
import { LEASE_SECONDS, TIME_SLICE_MS } from '../../src/limits/queue.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import type { Webhook } from './environment.ts'
import type { Fault, Waiting } from './fault.ts'
import type { Post } from './receivers.ts'
import { type Finding, none, quantile } from './verdict.ts'

/** From the lapse of a lease to the request: the sweep is once a second, and the machine is busy. */
const TAKEN_UP_MS = 5_000
/** … and until all workers are back it may take this long. */
const RETURN_MS = 3_000
/** The promise when the database was away: a slice that could not record an answer keeps its lease. */
const WAIT_MAX_MS = LEASE_SECONDS * 1000 + TAKEN_UP_MS

/** Called while the process of this pid lives. @returns a function that tells, when it is stopped or has ended, which webhooks it was sending to */
export async function heldBy(sql: Sql, pid: number): Promise<() => Promise<string[]>> {
  // The database is away at times: the experiment makes it so.
  const [row] = await sql<{ process: string }[]>`select process from worker_processes where pid = ${pid}`.catch(() => [])
  return async () => {
    const rows = await sql<{ id: string }[]>`
      select id from webhook_endpoints
       where left(lease_token::text, 18) = ${row?.process ?? ''} and lease_until > clock_timestamp() - interval '1 second'`.catch(() => [])
    return rows.map(({ id }) => id)
  }
}

/** A job of a webhook was fetched. */
export interface Fetch {
  webhook: string
  /** The worker's. */
  pid: number
  /** Milliseconds since 1970. */
  at: number
}

/** Notes each fetch from now on. @returns a function that tells of all of them */
export async function noteFetches(sql: Sql): Promise<() => Promise<Fetch[]>> {
  await sql.unsafe(`
    create table fetches (webhook text, pid integer, at timestamptz not null default clock_timestamp());
    create function note_fetch() returns trigger language plpgsql security definer as $$
    begin
      insert into public.fetches (webhook, pid) select new.payload ->> 'endpointId', p.pid from public.worker_pools p where p.id = new.locked_by;
      return null;
    end
    $$;
    create trigger note_fetch after update of locked_by on graphile_worker._private_jobs
      for each row when (new.locked_by is not null) execute function note_fetch()`)
  return () =>
    sql<Fetch[]>`select webhook, pid, extract(epoch from at)::float8 * 1000 as at from fetches where webhook is not null order by at`
}

/** Webhooks that wait in the memory of a worker for a slot: they have neither a job nor a lease. */
export async function waitingForRoom(sql: Sql): Promise<Waiting[]> {
  return sql<Waiting[]>`
    select e.id, extract(epoch from e.queued_at)::float8 as mark
      from webhook_endpoints e
     where e.queued_at is not null and (e.lease_until is null or e.lease_until < clock_timestamp())
       and not exists (select from graphile_worker._private_jobs j where j.payload ->> 'endpointId' = e.id)`.catch(() => [])
}

interface Waits {
  posts: Post[]
  faults: Fault[]
  webhooks: Webhook[]
  /** In order. Undefined where nothing was killed. */
  fetches?: Fetch[]
}

/** How long a kill may keep an ordered or ordinary webhook waiting, in milliseconds. */
export interface NextLimits {
  p99: number
  most: number
  /** One that waited in a worker for a slot. Default: a time slice more, for in a worker that lives it may have to wait until another's time is over. */
  waiting?: number
}

export const NEXT_LIMITS: NextLimits = { p99: 3_000, most: 5_000 }

export interface Next {
  elsewhere: boolean
  ms: number
}

/**
 * From each kill, for each webhook that the killed worker was sending to, to the next POST there, or until another had fetched its job that was killed in turn before
 * it sent anything: from then on it is one that waited in that worker, which is counted apart. Not where the database was away meanwhile, which is waited for, nor
 * where the successor was killed as well while it had the lease: the time counts from that kill.
 */
export function nextOfHeld(waits: Waits): Next[] {
  const kills = killsOf(waits)
  return kills.flatMap(({ until, held = [], elsewhere = false }) =>
    held.flatMap(webhook => {
      const next = nextPost(waits, webhook, until)
      const later = kills.filter(each => each.from > until && each.from <= next)
      const goneOn = waits.fetches?.find(
        ({ at, ...its }) => its.webhook === webhook && at > until && later.some(kill => kill.pid === its.pid && kill.from > at),
      )
      const end = Math.min(next, goneOn?.at ?? next)
      const again = later.some(each => each.from <= end && each.held?.includes(webhook))
      return again || !isToldBy(waits, until, end) ? [] : [{ elsewhere, ms: end - until }]
    }),
  )
}

/**
 * The same for each webhook that waited in a worker, from the first of the kills that came until then: for each of them that met it anew, since it was being sent
 * to or had been queued again meanwhile. One that stands where it stood at the kill before is counted no second time.
 */
export function nextOfWaiting(waits: Waits): Next[] {
  const kills = killsOf(waits)
  return kills.flatMap(({ until, waiting = [], elsewhere = false }) =>
    waiting.flatMap(({ id, mark }) => {
      const next = nextPost(waits, id, until)
      const isOfEarlier = kills.some(
        each => each.until < until && nextPost(waits, id, each.until) === next && each.waiting?.some(its => its.id === id),
      )
      if (isOfEarlier || !isToldBy(waits, until, next)) return []
      let [times, last] = [1, mark]
      for (const each of kills.filter(kill => kill.from > until && kill.from <= next)) {
        const now = each.waiting?.find(its => its.id === id)?.mark ?? last
        if (now !== last || each.held?.includes(id)) times++
        last = now
      }
      return [{ elsewhere, ms: (next - until) / times }]
    }),
  )
}

/** From each kill, for each webhook that the killed worker was sending to, until another had fetched its job. What it waits for then is a slot. */
export function fetchOfHeld(waits: Waits): Next[] {
  return killsOf(waits).flatMap(({ until, held = [], elsewhere = false }) =>
    held.flatMap(webhook => {
      const at = waits.fetches?.find(each => each.webhook === webhook && each.at > until)?.at
      return at === undefined || !isToldBy(waits, until, at) ? [] : [{ elsewhere, ms: at - until }]
    }),
  )
}

const killsOf = ({ faults }: Waits): Fault[] => faults.filter(({ kind }) => kind === 'kill')

const nextPost = ({ posts, webhooks }: Waits, webhook: string, after: number): number =>
  Math.min(...posts.filter(({ endpoint, at }) => webhooks[endpoint]?.id === webhook && at > after).map(({ at }) => at))

function isToldBy({ faults }: Waits, until: number, next: number): boolean {
  const wasAway = faults.some(each => each.kind !== 'kill' && each.from <= next && each.until + RETURN_MS >= until)
  // The worker had recorded all there was, and was killed before it gave the lease back. A delivery that is never sent is another finding.
  const wasLast = next === Number.POSITIVE_INFINITY
  return !wasAway && !wasLast
}

export const ofNext = (waits: Waits, { p99, most, waiting = most + TIME_SLICE_MS }: NextLimits): Finding[] => [
  within('after a kill the next attempt comes', nextOfHeld(waits), { p99, most }),
  within('the same where a webhook waited in a worker for a slot, for each kill until then: it comes', nextOfWaiting(waits), {
    p99: Math.min(p99 + TIME_SLICE_MS, waiting),
    most: waiting,
  }),
]

function within(what: string, next: { ms: number }[], { p99, most }: NextLimits): Finding {
  const ms = next.map(each => each.ms)
  const [is, longest] = [quantile(ms, 0.99), quantile(ms, 1)]
  return {
    promise: `${what} within ${p99 / 1000} s (p99), ${most / 1000} s at most`,
    figure: `${seconds(is)}, ${seconds(longest)}, of ${ms.length}`,
    holds: is <= p99 && longest <= most,
  }
}

/** As a fact: p50, p99 and the longest. */
export function toldOf(ms: number[]): string {
  return ms.length === 0
    ? 'none'
    : `p50 ${seconds(quantile(ms, 0.5))}, p99 ${seconds(quantile(ms, 0.99))}, at most ${seconds(quantile(ms, 1))}, of ${ms.length}`
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`

/** For the first POST of each delivery: as long as is promised, and while the database was away. */
export function ofWaits({ posts, faults, webhooks }: Waits): Finding {
  const late = firstOf(posts).filter(({ endpoint, createdAt, at }) => {
    // If one holder after the other is cut off, the lease lapses as often.
    const cuts = faults.filter(({ kind, from }) => kind === 'cut' && from >= createdAt - WAIT_MAX_MS && from <= at).length
    // An ordered delivery also waits for all earlier ones.
    const behind = webhooks[endpoint]?.cap === 1 ? 2 : 1
    return at - createdAt > Math.max(1, cuts) * behind * WAIT_MAX_MS + awayBetween(faults, createdAt, at)
  })
  return none('an event reaches its receiver within 30 s (in order 60), whatever is killed, and the time that the database is away', late)
}

/** Milliseconds from events to their first arrival, in order. */
export const delaysOf = (posts: Post[]): number[] => firstOf(posts).map(({ at, createdAt }) => at - createdAt)

/** Requests to an ordered webhook that began while another was under way there. */
export function together({ posts, webhooks }: Omit<Waits, 'faults'>): Finding {
  const overlaps = [...Map.groupBy(posts, ({ endpoint }) => endpoint)]
    .filter(([endpoint]) => webhooks[endpoint]?.cap === 1)
    .flatMap(([, its]) => {
      const inOrder = its.toSorted((a, b) => a.at - b.at)
      return inOrder.filter((post, i) => i > 0 && (inOrder[i - 1]?.until ?? Number.POSITIVE_INFINITY) > post.at + CLOCK_MS)
    })
  return none('an ordered webhook is sent one request at a time', overlaps)
}

/** The end of one request and the begin of the next may be told in either order within it. */
const CLOCK_MS = 5

function firstOf(posts: Post[]): Post[] {
  const first = new Map<string, Post>()
  for (const post of posts) if (!first.has(`${post.endpoint} ${post.event}`)) first.set(`${post.endpoint} ${post.event}`, post)
  return [...first.values()]
}

function awayBetween(faults: Fault[], since: number, at: number): number {
  const overlaps = faults.filter(({ kind }) => kind !== 'kill').map(({ from, until }) => Math.min(until, at) - Math.max(from, since))
  return overlaps.reduce((sum, ms) => sum + Math.max(0, ms), 0)
}
