// This process's pool of Graphile Worker. It beats while it lives, and gets a successor when it ends by itself, as it does whenever the end
// of a job cannot be written (main.js: the batches' retries are dead code, and one error shuts the pool down for good).
import { EventEmitter, once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import type { Logger as Pino } from 'pino'
import { PROCESS } from '../ids.ts'
import { POOL_BEAT_MS, SHUTDOWN_GRACE_MS } from '../limits.ts'
import { BY_INDEX, openDatabase, WAITS } from '../postgres/sql.ts'
import * as begun from './begun-store.ts'
import * as store from './store.ts'

export interface PoolOptions {
  databaseUrl: string
  tasks: TaskList
  /** Jobs at once. */
  concurrency: number
  /** This program's, shown by `shopdesk doctor`. */
  version: string
  /** Why nothing can be sent at the moment, if so: told with each beat. */
  trouble: () => string | undefined
  log: Pino
}

export interface KeptPool {
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

/** @throws when the database cannot be reached now; later losses are survived */
export async function keepPool(options: PoolOptions): Promise<KeptPool> {
  const { databaseUrl, log } = options
  const queue = queueConnections(databaseUrl, log)
  // Of their own, for a beat must not wait behind deliveries for a place in the pool.
  const beats = openDatabase(databaseUrl, { name: 'shopdesk beat', lanes: 0, pool: 1, statementTimeoutMs: POOL_BEAT_MS })
  const start = () => startPool(options, queue, beat => store.beat(beats.sql, beat))
  const closing = new AbortController()
  const retiring = new Set<Promise<void>>()

  async function retire(pool: Pool, withinMs: number): Promise<void> {
    // Not for ever: after an error its batches may count wrong and never be done.
    await Promise.race([pool.runner.promise, delay(withinMs, undefined, { ref: false })])
    await pool.stopBeating()
    await store
      .leave(beats.sql, pool.id)
      .catch(err => log.warn({ err, pool: pool.id }, 'the jobs of a pool could not be released; that is left to the others'))
  }

  let pool = await start()
  const succession = (async () => {
    for (;;) {
      await pool.ending
      if (closing.signal.aborted) return
      log.warn({ pool: pool.id }, 'the queue could not write the end of a job and stopped; starting anew')
      const old = retire(pool, SHUTDOWN_GRACE_MS).finally(() => retiring.delete(old))
      retiring.add(old)
      const next = await startAgain(start, closing.signal, log)
      if (!next) return
      pool = next
      if (closing.signal.aborted) stop(pool)
    }
  })()
  return {
    async close() {
      closing.abort()
      stop(pool)
      await begun.endAll(beats.sql, PROCESS).catch(err => log.warn({ err }, 'what is under way could not be noted as merely stopped'))
      await succession
      await Promise.all([retire(pool, SHUTDOWN_GRACE_MS + ABORTED_EXTRA_MS), ...retiring])
      await Promise.all([queue.end(), beats.close()])
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
  /** It takes no more jobs. */
  ending: Promise<unknown>
  stopBeating(): Promise<void>
}

async function startPool(
  { tasks, concurrency, version, trouble, log }: PoolOptions,
  pgPool: pg.Pool,
  beat: (pool: store.PoolRow) => Promise<void>,
): Promise<Pool> {
  const events: WorkerEvents = new EventEmitter()
  let id = ''
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
  })
  // What is fetched at once comes in the order of ids, and is served in the order of this array (localQueue.js): without regard to priority,
  // by which tenants are served in turn.
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    jobs.sort((a, b) => a.priority - b.priority || Number(a.run_at) - Number(b.run_at))
  })
  const ending = once(events, 'pool:gracefulShutdown')
  const runner = await run({
    pgPool,
    events,
    taskList: tasks,
    noHandleSignals: true,
    logger: queueLogger(log),
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
  })
  const row = { id, process: PROCESS, host: hostname(), pid: process.pid, version }
  const stop = new AbortController()
  const beating = (async () => {
    while (!stop.signal.aborted) {
      await beat({ ...row, trouble: trouble() ?? null }).catch(err => log.warn({ err, pool: id }, 'the worker could not say that it lives'))
      await delay(POOL_BEAT_MS, undefined, { signal: stop.signal }).catch(() => {})
    }
  })()
  return {
    id,
    runner,
    ending,
    stopBeating() {
      stop.abort()
      return beating
    },
  }
}

// Ten connections serve hundreds of jobs: a job holds none while it waits for a receiver.
function queueConnections(connectionString: string, log: Pino): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
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

function queueLogger(log: Pino): Logger {
  return new Logger(scope => (level, message, meta) => {
    // Its advice on the pool's size assumes that every job holds a connection.
    if (message.includes('maxPoolSize')) return
    log[LEVELS[level]]({ queue: scope.label, job: scope.jobId, ...meta }, message)
  })
}
