// Recurring work, done by one elected process. It runs on plain timers rather than the queue's cron, which is minute-grained; and a stuck queue cannot
// host its own rescue.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { now } from '../clock.ts'
import { LOOKOUT_INTERVAL_MS, RECURRING_AGAIN_MS } from '../limits/queue.ts'
import { connect as connectTo } from '../postgres/connect.ts'
import { type Prune, pruneAll } from '../postgres/prune.ts'
import { BY_INDEX, type Sql } from '../postgres/sql.ts'
import type { Leased } from './leased.ts'
import { createLookout } from './lookout.ts'
import { createRequeuing, type Requeue } from './requeuing.ts'
import { look, release } from './standing-store.ts'

export const ELECTION = 7_041_777
/** How often the timers are checked for work that is due. */
const TICK_MS = 1_000
/** Recurring work rests this many times as long as it took: where it has much to read, deliveries come first. */
const RESTS = 20
/** The longest rest, for the work may only have waited for a lock. A lease, a tick and this rest are less than 30 s. */
const REST_MAX_MS = 3_000
/** A process that is no longer elected closes its other sessions, and so does one that is elected that which queues again what the dead left, some time after a death. */
const IDLE_SECONDS = 30
/** A locked row must not stop all recurring work. */
const STATEMENT_MS = 10_000
/**
 * The elected session sends a statement four times a second. If it is silent for this long it is frozen or cut off, and another process takes over. In the midst of
 * a statement, which is sent by parts where it is prepared, PostgreSQL does not count it as idle: it has a limit for its transaction as well.
 */
const SILENT_SESSION_MS = 15_000

export interface Recurring {
  name: string
  everyMs: number
  work(sql: Sql, log: Logger): Promise<unknown>
}

export interface Pruning {
  name: string
  prune: Prune
  everyMs: number
}

/** What there is to do. */
export interface Plan {
  recurring: Recurring[]
  /** Old rows, deleted on a connection of its own: however many there are, the recurring work goes on meanwhile. */
  retention: Pruning[]
  /** Kinds of work whose leases are freed where a process died. */
  leased: Pick<Leased, 'lapse'>[]
  /** Kinds of work of which rows may have waited in the memory of a process that died. */
  requeued: Requeue[]
}

export interface Schedule {
  stop(): Promise<void>
}

/** Takes part in the election, and does what is planned while this process is elected. */
export function startRecurring(databaseUrl: string, log: Logger, plan: Plan): Schedule {
  // The session that is elected has nothing else to do, so that a killed worker's work waits behind no sweep that waits for a lock, nor a death behind the work of
  // the last. Each process keeps one, for with a fresh one it takes a busy machine a second to free what is held.
  const looking = connect(databaseUrl, 'shopdesk lookout', { idle_session_timeout: SILENT_SESSION_MS, transaction_timeout: STATEMENT_MS })
  // The elected process alone opens these.
  const sql = connect(databaseUrl, 'shopdesk schedule', {}, IDLE_SECONDS)
  // No wait for the disk: rows that a crash of the server brings back are still old, and are deleted again.
  const deleting = connect(databaseUrl, 'shopdesk retention', { synchronous_commit: 'off' })
  const requeuing = connect(databaseUrl, 'shopdesk requeuing', {}, IDLE_SECONDS)
  const stopping = new AbortController()
  const { signal } = stopping
  let elected = false
  /** The session has run the statements that free what the dead held: it has them prepared, and knows the tables. */
  let isWarm = false

  /** @returns in how many milliseconds to look again */
  async function lookOut(): Promise<number> {
    const wasElected = elected
    const seen = await look(looking, ELECTION).catch(error => {
      elected = false
      throw error
    })
    elected = seen.elected
    // The one elected before may have freed what a dead process held, and then have died or lost the election before it queued what waited there.
    if (elected && !wasElected) left.died(new Date(now()))
    const next = elected ? await lookout(looking, log, seen.missing) : undefined
    if (!isWarm) await release(looking, [], [], plan.leased)
    isWarm = true
    return Math.min(next ?? LOOKOUT_INTERVAL_MS, LOOKOUT_INTERVAL_MS)
  }

  /** Builds what does the work and logs the first failure in a row: a database that is away would fill the log every second. @returns whether it failed */
  function trying(name: string): (work: () => Promise<unknown>) => Promise<boolean> {
    let failing = false
    return async work => {
      try {
        await work()
        failing = false
      } catch (err) {
        if (!failing && !signal.aborted) log.error({ err, work: name }, 'recurring work failed')
        failing = true
      }
      return failing
    }
  }

  const pause = (ms: number): Promise<unknown> => delay(ms, undefined, { signal }).catch(() => {})

  async function keepLooking(): Promise<void> {
    const fails = trying('lookout')
    while (!signal.aborted) {
      let nextMs = LOOKOUT_INTERVAL_MS
      const hasFailed = await fails(async () => {
        nextMs = await lookOut()
      })
      // The session may be another one then, which has run nothing yet.
      if (hasFailed) isWarm = false
      await pause(nextMs)
    }
  }

  async function repeat(name: string, everyMs: number, work: () => Promise<unknown>, dueNext = dueAgain): Promise<void> {
    const fails = trying(name)
    let dueAt = 0
    while (!signal.aborted) {
      if (elected && performance.now() >= dueAt) {
        const since = performance.now()
        const hasFailed = await fails(work)
        dueAt = dueNext(hasFailed ? Math.min(everyMs, RECURRING_AGAIN_MS) : everyMs, since, performance.now())
      }
      await pause(Math.min(everyMs, TICK_MS))
    }
  }

  const left = createRequeuing(plan.requeued)
  const lookout = createLookout(plan.leased, left.died)
  const running = [
    keepLooking(),
    repeat('what the dead left', LOOKOUT_INTERVAL_MS, () => left.round(requeuing), atEachTick),
    ...plan.recurring.map(({ name, everyMs, work }) => repeat(name, everyMs, () => work(sql, log))),
    ...plan.retention.map(({ name, prune, everyMs }) => repeat(name, everyMs, () => pruneAll(deleting, prune, signal))),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await Promise.all([sql, deleting, looking, requeuing].map(each => each.end({ timeout: 2 })))
    },
  }
}

/** When work that ran from `began` to `ended` is due again. All in milliseconds. */
export const dueAgain = (everyMs: number, began: number, ended: number): number =>
  Math.max(began + everyMs, ended + Math.min((ended - began) * RESTS, REST_MAX_MS))

/** For work that reads next to nothing and makes nothing wait. */
const atEachTick = (everyMs: number, began: number): number => began + everyMs / 2

/** One connection: the election is a lock of its session, and must not wait behind deliveries for a pooled connection. */
function connect(
  databaseUrl: string,
  name: string,
  over: { idle_session_timeout?: number; transaction_timeout?: number; synchronous_commit?: 'off' },
  idleSeconds?: number,
): Sql {
  return connectTo(databaseUrl, {
    name,
    max: 1,
    max_lifetime: null,
    ...(idleSeconds !== undefined && { idle_timeout: idleSeconds }),
    // Retries every second: after an outage the rescue must not be the last to come back.
    backoff: () => 1,
    settings: { statement_timeout: STATEMENT_MS, ...over, ...BY_INDEX },
  }) as unknown as Sql
}
