// Keeps a pool of Graphile Worker running in this process. It gets a successor when it ends by itself, as it does whenever the end of a job cannot be
// written (main.js: the batches' retries are dead code, and one error shuts the pool down for good), or when the watchman demands one.
//
// A successor shares nothing with its predecessor, not even connections. And it counts as started only when it has fetched: the queue keeps the outcome
// of its first statement for ever (taskIdentifiers.js: `lastDigest`), so a pool whose first statement was refused would never fetch again.
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { POOL_BEAT_MS, SHUTDOWN_GRACE_MS } from '../limits/queue.ts'
import { openDatabase } from '../postgres/sql.ts'
import * as begun from './begun-work-store.ts'
import * as store from './pool-store.ts'
import { type Pool, type RunnerOptions, startPool } from './runner.ts'
import { createWatchman, WATCH_LIMITS, type WatchLimits } from './watchman.ts'

export interface PoolOptions extends RunnerOptions {
  /** The watchman's limits. Only tests set them. */
  watch?: WatchLimits
}

export interface KeptPool {
  /** Resolves with the reason when jobs are not fetched though the database is well, and a new pool did not help: the process is to end. */
  broken: Promise<string>
  /** Claims nothing more, waits for the jobs under way until the grace is over, and releases the rest. */
  close(): Promise<void>
}

const SUCCESSOR_PAUSE_MS = 1_000
/** Beyond the grace: the time in which aborted tasks may end. */
const ABORTED_EXTRA_MS = 2_000

/** @throws when jobs cannot be fetched now; later it survives the loss of the database */
export async function keepPool(options: PoolOptions): Promise<KeptPool> {
  const { databaseUrl, standing, tasks, log, watch: limits = WATCH_LIMITS } = options
  // A connection of its own, for a beat must not wait behind deliveries.
  const beats = openDatabase(databaseUrl, { name: 'shopdesk beat', lanes: 0, pool: 1, statementTimeoutMs: POOL_BEAT_MS })
  const books = {
    enter: (row: store.PoolRow) => store.enter(beats.sql, row),
    beat: (row: store.PoolRow) => store.beat(beats.sql, row),
    held: (id: string) => store.held(beats.sql, id),
    free: (id: string, jobs: string[]) => store.free(beats.sql, id, jobs),
  }
  const watchman = createWatchman(() => performance.now(), limits)
  const closing = new AbortController()
  const retiring = new Set<Promise<void>>()
  const broken = Promise.withResolvers<string>()

  async function start(): Promise<Pool> {
    const pool = await startPool(options, watchman, books)
    try {
      await pool.fetching
      return pool
    } catch (error) {
      stop(pool)
      retireAside(pool)
      throw error
    }
  }

  async function retire(pool: Pool, withinMs: number): Promise<void> {
    // With a limit: after an error the pool's batches may miscount and never finish.
    await Promise.race([pool.runner.promise, delay(withinMs, undefined, { ref: false })])
    await pool.stopBeating()
    await store
      .leave(beats.sql, pool.id)
      .catch(err => log.warn({ err, pool: pool.id }, 'the jobs of a pool could not be released; another worker will do it'))
    await pool.disconnect()
  }

  function retireAside(pool: Pool): void {
    const old = retire(pool, SHUTDOWN_GRACE_MS).finally(() => retiring.delete(old))
    retiring.add(old)
  }

  async function close(): Promise<void> {
    await Promise.all(retiring)
    await beats.close()
  }

  let pool = await start().catch(async error => {
    await close()
    throw error
  })
  const succession = (async () => {
    for (;;) {
      await pool.ending
      if (closing.signal.aborted) return
      log.warn({ pool: pool.id }, 'the queue stopped, as it does when it cannot write the end of a job; starting anew')
      retireAside(pool)
      const next = await startAgain(start, closing.signal, log)
      if (!next) return
      pool = next
      if (closing.signal.aborted) stop(pool)
    }
  })()
  const watching = (async () => {
    while (!closing.signal.aborted) {
      const verdict = watchman.looked(await store.hasUnseen(beats.sql, Object.keys(tasks), limits.unseenMs / 2_000).catch(() => undefined))
      if (verdict.is === 'end') return broken.resolve(verdict.why)
      if (verdict.is === 'renew') {
        log.error({ pool: pool.id }, `${verdict.why}, though the database is well; the queue begins anew`)
        stop(pool)
      }
      await delay(limits.lookMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  })()
  return {
    broken: broken.promise,
    async close() {
      closing.abort()
      stop(pool)
      await begun
        .endAll(beats.sql, standing.process())
        .catch(err => log.warn({ err }, 'the work under way could not be noted as stopped on purpose'))
      await Promise.all([succession, watching])
      await retire(pool, SHUTDOWN_GRACE_MS + ABORTED_EXTRA_MS)
      await close()
    },
  }
}

// A pool that has stopped by itself rejects, which does no harm.
const stop = ({ runner }: Pool): void => void runner.stop().catch(() => {})

async function startAgain(start: () => Promise<Pool>, closing: AbortSignal, log: Logger): Promise<Pool | undefined> {
  for (;;) {
    await delay(SUCCESSOR_PAUSE_MS, undefined, { signal: closing }).catch(() => {})
    if (closing.aborted) return undefined
    try {
      return await start()
    } catch (err) {
      log.warn({ err }, 'the queue could not start anew; trying again')
    }
  }
}
