// This process's pool of Graphile Worker. It beats while it lives, and gets a successor when it ends by itself, as it does whenever the end
// of a job cannot be written (main.js: the batches' retries are dead code, and one error shuts the pool down for good), or when the watchman says so.
//
// A successor shares nothing with the one before it, its connections included. And it is one only when it has fetched: the queue keeps what its
// first statement came to for ever (taskIdentifiers.js: `lastDigest`), so a pool that was refused once would never fetch again.
import { EventEmitter, once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Logger as Pino } from 'pino'
import { POOL_BEAT_MS, SHUTDOWN_GRACE_MS } from '../limits.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { BY_INDEX, openDatabase, WAITS } from '../postgres/sql.ts'
import * as begun from './begun-store.ts'
import * as store from './pool-store.ts'
import type { Standing } from './standing.ts'
import { createWatchman, WATCH_LIMITS, type WatchLimits, type Watchman } from './watchman.ts'

export interface PoolOptions {
  databaseUrl: string
  standing: Standing
  tasks: TaskList
  /** Jobs at once. */
  concurrency: number
  /** Called with what is told to the pool by name, by NOTIFY: work that needs no job. */
  told: (message: string) => void
  /** This program's, shown by `shopdesk doctor`. */
  version: string
  /** Why nothing can be sent at the moment, if so: told with each beat. */
  trouble: () => string | undefined
  log: Pino
  /** The watchman's, other than the usual ones only in tests. */
  watch?: WatchLimits
}

export interface KeptPool {
  /** Resolves with why when jobs are not fetched though the database is well, and beginning anew did not help: the process shall end. */
  broken: Promise<string>
  /** Claims nothing more, waits for the jobs under way as long as the grace lasts, and releases what is left. */
  close(): Promise<void>
}

const SUCCESSOR_PAUSE_MS = 1_000
/**
 * Completing several jobs goes through all that there are (see SETTINGS). The job of a delivery is gone by then, with its turn; any other that ended
 * so lately runs again if the worker is killed, as it may anyhow.
 */
const COMPLETE_EVERY_MS = 50
/** Beyond the grace, for tasks that were aborted to say so. */
const ABORTED_EXTRA_MS = 2_000

/** What is under way through the queue's connections when they end: a server that is gone answers none of it. */
const END_CONNECTIONS_MS = 2_000
/** A fetch that waits for locks takes five seconds. */
const FIRST_FETCH_MS = 10_000

/** @throws when jobs cannot be fetched now; later losses of the database are survived */
export async function keepPool(options: PoolOptions): Promise<KeptPool> {
  const { databaseUrl, standing, tasks, log, watch: limits = WATCH_LIMITS } = options
  // Of their own, for a beat must not wait behind deliveries for a place in the pool.
  const beats = openDatabase(databaseUrl, { name: 'shopdesk beat', lanes: 0, pool: 1, statementTimeoutMs: POOL_BEAT_MS })
  const watchman = createWatchman(() => performance.now(), limits)
  const closing = new AbortController()
  const retiring = new Set<Promise<void>>()
  const broken = Promise.withResolvers<string>()

  async function start(): Promise<Pool> {
    const pool = await startPool(options, watchman, beat => store.beat(beats.sql, beat))
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
    // Not for ever: after an error its batches may count wrong and never be done.
    await Promise.race([pool.runner.promise, delay(withinMs, undefined, { ref: false })])
    await pool.stopBeating()
    await store
      .leave(beats.sql, pool.id)
      .catch(err => log.warn({ err, pool: pool.id }, 'the jobs of a pool could not be released; that is left to the others'))
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
        .catch(err => log.warn({ err }, 'what is under way could not be noted as merely stopped'))
      await Promise.all([succession, watching])
      await retire(pool, SHUTDOWN_GRACE_MS + ABORTED_EXTRA_MS)
      await close()
    },
  }
}

// Rejects where it has stopped by itself, which is just as well.
const stop = ({ runner }: Pool): void => void runner.stop().catch(() => {})

async function startAgain(start: () => Promise<Pool>, closing: AbortSignal, log: Pino): Promise<Pool | undefined> {
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

interface Pool {
  id: string
  runner: Runner
  /** Resolves when it has fetched for the first time. Rejects where it cannot. */
  fetching: Promise<unknown>
  /** It takes no more jobs. */
  ending: Promise<unknown>
  stopBeating(): Promise<void>
  disconnect(): Promise<void>
}

async function startPool(
  { databaseUrl, standing, tasks, concurrency, told, version, trouble, log }: PoolOptions,
  watchman: Watchman,
  beat: (pool: store.PoolRow) => Promise<void>,
): Promise<Pool> {
  const pgPool = queueConnections(databaseUrl, log)
  let disconnected: Promise<unknown> | undefined
  // Again when the process stops before a successor is there.
  const disconnect = async (): Promise<void> => {
    disconnected ??= Promise.race([pgPool.end(), delay(END_CONNECTIONS_MS, undefined, { ref: false })])
    await disconnected
  }
  const events: WorkerEvents = new EventEmitter()
  let id = ''
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
  })
  // Over the connection on which the queue listens: whoever listens is woken by every NOTIFY, whatever it is for.
  events.on('pool:listen:success', ({ client }) => {
    // Where it fails the queue's own fails too, and another connection is made.
    client.query(`listen "${id}"`).catch(() => {})
  })
  events.on('pool:listen:notification', ({ message }) => {
    if (message.channel === id && message.payload !== undefined) told(message.payload)
  })
  // What is fetched at once comes in the order of ids, and is served in the order of this array (localQueue.js): without regard to
  // priority and age, by which tenants are served in turn (webhook_wake in sql/0010_webhooks_delivery.sql).
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    watchman.fetched(jobs.length)
    jobs.sort((a, b) => a.priority - b.priority || Number(a.run_at) - Number(b.run_at))
  })
  // Released, there is no pool that could fetch, and there shall be one.
  events.on('localQueue:setMode', ({ newMode }) => watchman.waits(newMode === 'POLLING' || newMode === 'RELEASED'))
  const ending = once(events, 'pool:gracefulShutdown')
  const failed = Promise.withResolvers<never>()
  const fetching = Promise.race([
    once(events, 'localQueue:getJobs:complete'),
    failed.promise,
    ending.then(() => Promise.reject(new Error('it stopped before it had fetched'))),
    delay(FIRST_FETCH_MS, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`no fetch ended within ${FIRST_FETCH_MS / 1000} s`)),
    ),
  ])
  // Heard of by whoever awaits it.
  fetching.catch(() => {})
  const onError = (error: unknown): void => {
    if (isUnavailable(error)) watchman.refused()
    failed.reject(error)
  }
  const runner = await run({
    pgPool,
    events,
    taskList: tasks,
    noHandleSignals: true,
    logger: queueLogger(log, onError),
    preset: {
      worker: {
        concurrentJobs: concurrency,
        pollInterval: 1000,
        // Without the batching and the local queue a job costs five times as much (measured: 5 k jobs/s against 45 k). And without the
        // batching a completion that fails is an unhandled rejection.
        // Two rounds of the places there are: what was fetched is served before whoever comes later, whatever the tenants' turns.
        localQueue: { size: concurrency * 2 },
        completeJobBatchDelay: COMPLETE_EVERY_MS,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: SHUTDOWN_GRACE_MS,
      },
    },
  }).catch(async (error: unknown) => {
    onError(error)
    await disconnect()
    throw error
  })
  const row = { id, host: hostname(), pid: process.pid, version }
  const stop = new AbortController()
  const beating = (async () => {
    while (!stop.signal.aborted) {
      await beat({ ...row, process: standing.process(), trouble: trouble() ?? null }).catch(err =>
        log.warn({ err, pool: id }, 'the worker could not say that it lives'),
      )
      await delay(POOL_BEAT_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  return {
    id,
    runner,
    fetching,
    ending,
    disconnect,
    stopBeating() {
      stop.abort()
      return beating
    },
  }
}

/** For what is not answered at all. So long is also waited for one of the ten: longer than for any lock. */
const CONNECT_MS = 10_000

// Ten connections serve hundreds of jobs: a job holds none while it waits for a receiver.
function queueConnections(connectionString: string, log: Pino): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'shopdesk queue',
    // Not among its options, which those of the URL would replace.
    onConnect: client => client.query(SETTINGS),
    types: { getTypeParser: (type, format) => (type === TIMESTAMPTZ ? readTime : pg.types.getTypeParser(type, format)) },
  })
  // A lost connection hurts where it is used and is reported there; without a listener it would end the process.
  const lost = (err: Error) => log.warn({ err: err.message }, 'a connection of the queue was lost')
  pool.on('error', lost)
  pool.on('connect', client => void client.on('error', lost))
  return pool
}

/**
 * Of each connection. No nested loops: for a queue that was empty when the planner looked, which it is as a rule, each of the chosen jobs would be compared with each
 * that there is. To fetch 800 of 10,000 jobs then took 1.3 s; going through all jobs once for each fetch, it takes 15 ms.
 */
const SETTINGS = Object.entries({ ...BY_INDEX, enable_nestloop: 'off', ...WAITS })
  .map(([name, value]) => `set ${name} = ${value}`)
  .join('; ')

const { TIMESTAMPTZ } = pg.types.builtins
// There are four in a job, and the driver's own parser makes a dozen strings of each.
const readTime = (text: string): Date => new Date(text)

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** @param onError told what it calls an error, with or without a failure of the database behind it */
function queueLogger(log: Pino, onError: (error: unknown) => void): Logger {
  return new Logger(scope => (level, message, meta) => {
    // Its advice on the pool's size assumes that every job holds a connection.
    if (message.includes('maxPoolSize')) return
    if (level === 'error') onError(meta?.['error'] ?? new Error(message))
    log[LEVELS[level]]({ queue: scope.label, job: scope.jobId, ...meta }, message)
  })
}
