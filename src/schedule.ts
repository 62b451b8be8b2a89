// Recurring work, one line each, done by one elected process. Plain timers rather than cron: cron here is minute-grained, and a stuck queue
// cannot host its own rescue.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import postgres from 'postgres'
import { endAbandoned as endAbandonedExports, prune as pruneExports } from './exports/store.ts'
import { prune as pruneImportChunks } from './imports/chunk-store.ts'
import { prune as pruneImports } from './imports/error-store.ts'
import { wakeNeglected as wakeImports } from './imports/turn-store.ts'
import { LIVENESS_INTERVAL_MS, PRUNE_EVENTS_INTERVAL_MS, PRUNE_INTERVAL_MS, SWEEP_INTERVAL_MS } from './limits.ts'
import { pruneMails } from './mail/mail.ts'
import { elect } from './postgres/election.ts'
import { prune as pruneIdempotencyKeys } from './postgres/idempotency.ts'
import { pruneAll } from './postgres/prune.ts'
import { BY_INDEX, type Sql, WAITS } from './postgres/sql.ts'
import { wakeNeglected as wakeCatchUps } from './webhooks/missed-store.ts'
import { pruneOrigins } from './webhooks/origin-store.ts'
import { pruneDeleted, pruneEvents, pruneRecoveries } from './webhooks/prune-store.ts'
import { wakeNeglected as wakeRecoveries } from './webhooks/recovering-store.ts'
import { sweep } from './webhooks/sweep.ts'
import { prune as pruneBegunWork } from './worker/begun-store.ts'
import { releaseDead } from './worker/liveness.ts'

interface Recurring {
  name: string
  everyMs: number
  work(sql: Sql, context: { log: Logger; stopping: AbortSignal }): Promise<unknown>
}

const RECURRING: Recurring[] = [
  { name: 'sweep', everyMs: SWEEP_INTERVAL_MS, work: sweep },
  { name: 'recoveries', everyMs: LIVENESS_INTERVAL_MS, work: wakeRecoveries },
  { name: 'catch-ups', everyMs: LIVENESS_INTERVAL_MS, work: wakeCatchUps },
  { name: 'imports', everyMs: LIVENESS_INTERVAL_MS, work: wakeImports },
  { name: 'liveness', everyMs: LIVENESS_INTERVAL_MS, work: (sql, { log }) => releaseDead(sql, log) },
  { name: 'abandoned exports', everyMs: PRUNE_INTERVAL_MS, work: endAbandonedExports },
  { name: 'old exports', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneExports, stopping) },
  { name: 'chunks of ended imports', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneImportChunks, stopping) },
  { name: 'old imports', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneImports, stopping) },
  { name: 'old idempotency keys', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneIdempotencyKeys, stopping) },
  { name: 'old mails', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneMails, stopping) },
  { name: 'old recoveries', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneRecoveries, stopping) },
  { name: 'deleted webhooks', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneDeleted, stopping) },
  { name: 'origins left', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneOrigins, stopping) },
  { name: 'work never begun again', everyMs: PRUNE_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneBegunWork, stopping) },
  { name: 'old events', everyMs: PRUNE_EVENTS_INTERVAL_MS, work: (sql, { stopping }) => pruneAll(sql, pruneEvents, stopping) },
]

const LOCK = 7_041_777
/** How often it is asked who is elected, and what is due. */
const TICK_MS = 1_000
/** Recurring work rests so many times as long as it took: where there is much to look through, deliveries come before looking for them. */
const RESTS = 20
/** It may have waited for a lock: what is due is not to wait for that. A lease, a tick and this are less than 30 s. */
const REST_MAX_MS = 3_000
/** A row that somebody holds locked must not end all recurring work. */
const STATEMENT_MS = 10_000
/** The elected session says something every second. One that is silent for this long is frozen or cut off, and another shall take over. */
const SILENT_SESSION_MS = 15_000

export interface Schedule {
  stop(): Promise<void>
}

/** Takes part in the election, and does the recurring work while elected. */
export function startSchedule(databaseUrl: string, log: Logger): Schedule {
  const sql = connect(databaseUrl)
  const stopping = new AbortController()
  const { signal } = stopping
  let elected = false

  async function takePart(): Promise<void> {
    try {
      elected = await elect(sql, LOCK)
    } catch (error) {
      elected = false
      throw error
    }
  }

  async function repeat(name: string, everyMs: number, isOurs: () => boolean, work: () => Promise<unknown>): Promise<void> {
    let dueAt = 0
    let failing = false
    while (!signal.aborted) {
      if (isOurs() && performance.now() >= dueAt) {
        const since = performance.now()
        try {
          await work()
          failing = false
        } catch (err) {
          // A database that is away is told of once, not every second.
          if (!failing && !signal.aborted) log.error({ err, work: name }, 'recurring work failed')
          failing = true
        }
        dueAt = dueAgain(everyMs, since, performance.now())
      }
      await delay(TICK_MS, undefined, { signal }).catch(() => {})
    }
  }

  const context = { log, stopping: signal }
  const running = [
    repeat('election', TICK_MS, () => true, takePart),
    ...RECURRING.map(({ name, everyMs, work }) =>
      repeat(
        name,
        everyMs,
        () => elected,
        () => work(sql, context),
      ),
    ),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(running)
      await sql.end({ timeout: 2 })
    },
  }
}

/** When work that took from `began` to `ended` is due again. All in milliseconds. */
export const dueAgain = (everyMs: number, began: number, ended: number): number =>
  Math.max(began + everyMs, ended + Math.min((ended - began) * RESTS, REST_MAX_MS))

/** A connection of its own, and one only: the election is a lock of its session, and must not wait behind deliveries for a place in a pool. */
function connect(databaseUrl: string): Sql {
  return postgres(databaseUrl, {
    max: 1,
    max_lifetime: null,
    // After an outage the rescue must not be the last to come back.
    backoff: () => 1,
    connect_timeout: 10,
    onnotice: () => {},
    connection: {
      application_name: 'shopdesk schedule',
      statement_timeout: STATEMENT_MS,
      idle_session_timeout: SILENT_SESSION_MS,
      ...WAITS,
      ...BY_INDEX,
    },
  }) as unknown as Sql
}
