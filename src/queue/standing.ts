// The standing session: a database session with a lock that shows that this process lives. While the other processes see it, this process keeps what it
// holds. When it is gone for a while, they take the process for dead and its work over. So the process keeps on the safe side: it begins nothing once
// its session has not answered for a second, and soon after aborts what must not be under way twice.
//
// A lost session is made anew, and stands for the same process unless that was taken for gone meanwhile. In that case the process goes on under
// another name, and no longer holds what it held under the old one (docs/decisions/2026-11-22-a-database-session-shows-that-a-worker-lives.md).
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { noteTime } from '../clock.ts'
import { LEASE_SECONDS, STANDING_ABORT_MS, STANDING_BEAT_MS, STANDING_FENCE_MS } from '../limits/queue.ts'
import { connect as connectTo } from '../postgres/connect.ts'
import type { Sql } from '../postgres/sql.ts'
import { PLACE } from './neighbours.ts'
import * as store from './standing-store.ts'

export interface Standing {
  /** The present name of this process, with which its tokens open. */
  process(): string
  /** A new token for a lease or a claim, a UUID that is never used again. It shows whether its holder lives (`worker_died`). */
  token(): string
  /** Whether a request or a statement may begin under this token. */
  holds(token: string): boolean
  /** Whether the token is lost for good. */
  isLost(token: string): boolean
  /** Resolves when work may begin; also when the process is stopping, which begins none. */
  ready(): Promise<void>
  /** Aborts work that no other process may do at the same time, before another may take it over; a session that is late for a moment suffices. */
  lost(): AbortSignal
  /** Aborts other work once others have taken it over: what it comes to is of no use. */
  gone(): AbortSignal
  close(): Promise<void>
}

/** A process's name is the first part of a UUID. */
const newName = (): string => randomUUID().slice(0, NAME_CHARS)
const NAME_CHARS = 18

const tokenOf = (name: string): string => name + randomUUID().slice(NAME_CHARS)

/** For work outside a worker, which no other process takes over. */
export const UNWATCHED: Standing = unwatched()

function unwatched(): Standing {
  const [name, never] = [newName(), new AbortController().signal]
  return {
    process: () => name,
    token: () => tokenOf(name),
    holds: () => true,
    isLost: () => false,
    ready: async () => {},
    lost: () => never,
    gone: () => never,
    close: async () => {},
  }
}

/** A session that does not answer for this long is given up, and another is made. */
const ANSWER_MS = 3_000
/** The first session may take this long: nothing is held yet that others could take over, and after a reboot everything comes up at once. */
const FIRST_MS = 30_000
const WATCH_MS = 100

/**
 * Resolves when a session stands for this process.
 * @param stopping aborted when the process stops: waiting work then goes on, and begins nothing
 * @throws when the database allows no such session
 */
export async function standUp(databaseUrl: string, log: Logger, stopping: AbortSignal): Promise<Standing> {
  let name = newName()
  let isNew = true
  let session = connect(FIRST_MS)
  /** When the question was asked that the session answered last, by performance.now(). */
  let confirmedAt = Number.NEGATIVE_INFINITY
  const wasSetAhead = clockWatch()
  /** The session has ended since. */
  let ended = true
  let losing = new AbortController()
  let going = new AbortController()
  const waiting: (() => void)[] = []
  const closing = new AbortController()

  function connect(withinMs: number): Sql {
    const made: Sql = connectTo(databaseUrl, {
      name: 'shopdesk standing',
      max: 1,
      max_lifetime: null,
      backoff: () => 0.1,
      connect_timeout: withinMs / 1000,
      fetch_types: false,
      onclose: () => {
        if (made === session) ended = true
      },
      // Without these timeouts the server would not notice for a long time that a machine has vanished, the last one in the midst of a statement, where no
      // session counts as idle.
      settings: { idle_session_timeout: LEASE_SECONDS * 1000, statement_timeout: ANSWER_MS, transaction_timeout: ANSWER_MS },
    }) as unknown as Sql
    return made
  }

  const mayBegin = (): boolean => !ended && performance.now() - confirmedAt < STANDING_FENCE_MS

  const go = (): void => {
    for (const each of waiting.splice(0)) each()
  }

  function confirm(askedAt: number): void {
    confirmedAt = askedAt
    ended = false
    if (losing.signal.aborted) losing = new AbortController()
    if (mayBegin()) go()
  }

  function goOnAsAnother(why: string): void {
    log.warn({ process: name }, `${why}: others took over what it held`)
    name = newName()
    isNew = true
    losing.abort()
    going.abort()
    going = new AbortController()
  }

  function replaceSession(): void {
    ended = true
    void session.end({ timeout: 0 }).catch(() => {})
    session = connect(ANSWER_MS)
  }

  async function ask(): Promise<void> {
    const mine = session
    let askedAt = performance.now()
    const { stands, clock } = await store.stands(mine, name)
    if (mine !== session) return
    const answeredAt = performance.now()
    noteTime(askedAt, clock, answeredAt)
    if (wasSetAhead(askedAt, clock, answeredAt)) {
      goOnAsAnother('the clock of the database was set ahead, or this machine stood still, so that leases have lapsed')
      return replaceSession()
    }
    if (stands) return confirm(askedAt)
    askedAt = performance.now()
    const came = await store.stand(mine, { process: name, host: hostname(), pid: process.pid, place: PLACE }, isNew)
    if (mine !== session) return
    if (came === 'gone') return goOnAsAnother('the session that stands for this process was away for too long')
    if (came === 'busy') return
    isNew = false
    confirm(askedAt)
  }

  /** Sends one beat. A session that does not answer is replaced. */
  async function beat(): Promise<void> {
    const asked = new AbortController()
    const silent = delay(ANSWER_MS, true, { signal: asked.signal }).catch(() => false)
    const failed = ask().then(
      () => false,
      () => false,
    )
    if (await Promise.race([failed, silent])) replaceSession()
    asked.abort()
  }

  const watching = setInterval(() => {
    if (performance.now() - confirmedAt >= STANDING_ABORT_MS) losing.abort()
  }, WATCH_MS)
  stopping.addEventListener('abort', go)

  try {
    await ask()
    for (const until = performance.now() + FIRST_MS; !mayBegin(); await delay(STANDING_BEAT_MS)) {
      if (performance.now() > until) throw new Error('the database session that shows that this worker lives could not be opened')
      await ask()
    }
  } catch (error) {
    clearInterval(watching)
    await session.end({ timeout: 0 })
    throw error
  }
  const beating = (async () => {
    while (!closing.signal.aborted) {
      await delay(STANDING_BEAT_MS, undefined, { signal: closing.signal }).catch(() => {})
      if (!closing.signal.aborted) await beat()
    }
  })()

  return {
    process: () => name,
    token: () => tokenOf(name),
    holds: token => token.startsWith(name) && mayBegin(),
    isLost: token => !token.startsWith(name),
    ready: async () => {
      if (!mayBegin() && !stopping.aborted) await new Promise<void>(resolve => waiting.push(resolve))
    },
    lost: () => losing.signal,
    gone: () => going.signal,
    async close() {
      closing.abort()
      await beating
      clearInterval(watching)
      stopping.removeEventListener('abort', go)
      await store.leave(session, name).catch(() => {})
      await session.end({ timeout: 2 })
    },
  }
}

/**
 * Leases lapse by the database's clock, and their holders know them by the time that passes. A holder begins nothing with less than half of its lease
 * left, so it takes more than this for a lease to lapse before its holder knows.
 */
const CLOCK_SET_MS = 5_000

/** @returns whether the database's clock was set ahead, by so much that leases may have lapsed, since the answer before this one */
function clockWatch(): (askedAt: number, told: number, answeredAt: number) => boolean {
  /** By how much the database's clock can be ahead of performance.now() at most. */
  let aheadAtMost = Number.POSITIVE_INFINITY
  return (askedAt, told, answeredAt) => {
    const wasSetAhead = told - answeredAt > aheadAtMost + CLOCK_SET_MS
    aheadAtMost = told - askedAt
    return wasSetAhead
  }
}
