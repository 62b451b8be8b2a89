// One pool of Graphile Worker: its connections, what it hears and logs, and its beat.
import { EventEmitter, once } from 'node:events'
import { hostname } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { Logger, type Runner, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import type { Logger as Pino } from 'pino'
import { POOL_BEAT_MS, SHUTDOWN_GRACE_MS } from '../limits/queue.ts'
import { connectPool, types } from '../postgres/connect-pg.ts'
import { isUnavailable } from '../postgres/errors.ts'
import { BY_INDEX } from '../postgres/sql.ts'
import { createLostFetches } from './lost-fetches.ts'
import type { PoolRow } from './pool-store.ts'
import type { Standing } from './standing.ts'
import type { Watchman } from './watchman.ts'

export interface RunnerOptions {
  databaseUrl: string
  standing: Standing
  tasks: TaskList
  /** Jobs at once. */
  concurrency: number
  /** Called with each message that reaches the pool by NOTIFY under its id: work that needs no job. */
  told: (message: string) => void
  /** The program's version, shown by `shopdesk doctor`. */
  version: string
  /** Why nothing can be sent at the moment, as a clause: written with each beat. */
  trouble: () => string | undefined
  log: Pino
}

/**
 * How long finished jobs are gathered, for completing any number of them reads all jobs of the queue (see SETTINGS). A delivery's job is gone before that,
 * deleted with its slice; another job that finished this lately runs again if the worker is killed, as any job may.
 */
const COMPLETE_EVERY_MS = 50
/** How long statements of the queue may take when its connections are closed: a server that is gone answers none of them. */
const END_CONNECTIONS_MS = 2_000
/** A fetch waits for a lock for five seconds at most. */
const FIRST_FETCH_MS = 10_000

export interface Pool {
  id: string
  runner: Runner
  /** Resolves when the pool has fetched for the first time. Rejects if it cannot. */
  fetching: Promise<unknown>
  /** Resolves when the pool takes no more jobs. */
  ending: Promise<unknown>
  /** Nor does it look for lost jobs from then on. */
  stopBeating(): Promise<void>
  disconnect(): Promise<void>
}

/** What a pool asks of the database beside the queue's own connections. */
export interface PoolBooks {
  /** Makes known whose pool it is, before its first fetch. */
  enter(pool: PoolRow): Promise<void>
  beat(pool: PoolRow): Promise<void>
  /** The ids of the jobs that the pool holds. */
  held(pool: string): Promise<string[]>
  /** Makes these jobs available again, those that the pool holds. */
  free(pool: string, ids: string[]): Promise<unknown>
}

export async function startPool(
  { databaseUrl, standing, tasks, concurrency, told, version, trouble, log }: RunnerOptions,
  watchman: Watchman,
  books: PoolBooks,
): Promise<Pool> {
  const lostFetches = createLostFetches(
    () => books.held(id),
    async ids => {
      await books.free(id, ids)
      log.warn({ pool: id, jobs: ids.length }, 'jobs were fetched, and the answer was lost; they are free again')
    },
  )
  /** Resolves when it is known whose jobs are those that the pool holds: then it may fetch. */
  let entered = Promise.resolve()
  const pgPool = queueConnections(databaseUrl, log, { lost: lostFetches.lost, mayConnect: () => entered })
  let disconnected: Promise<unknown> | undefined
  // Called a second time when the process stops before a successor has started.
  const disconnect = async (): Promise<void> => {
    disconnected ??= Promise.race([pgPool.end(), delay(END_CONNECTIONS_MS, undefined, { ref: false })])
    await disconnected
  }
  const events: WorkerEvents = new EventEmitter()
  let id = ''
  const row = (): PoolRow => ({ id, host: hostname(), pid: process.pid, version, process: standing.process(), trouble: trouble() ?? null })
  const notWritten = (err: unknown): void => log.warn({ err, pool: id }, 'the worker could not write its heartbeat')
  events.once('pool:create', ({ workerPool }) => {
    id = workerPool.id
    // It fetches all the same where this fails: if its process dies before its first heartbeat, those jobs stay locked until the pool has been silent for long.
    entered = books.enter(row()).catch(notWritten)
  })
  // Listens on the queue's own connection: each listening connection is woken by every NOTIFY, so there should be few.
  events.on('pool:listen:success', ({ client }) => {
    // If this fails, the queue's own LISTEN fails too, and it makes another connection.
    client.query(`listen "${id}"`).catch(() => {})
  })
  events.on('pool:listen:notification', ({ message }) => {
    if (message.channel === id && message.payload !== undefined) told(message.payload)
  })
  // A fetch returns jobs in the order of ids, and the local queue serves them in the order of this array (localQueue.js). Sorting it by priority and age
  // serves tenants in turn, as webhook_wake intends (sql/0064_marks_of_jobs.sql).
  events.on('localQueue:getJobs:complete', ({ jobs }) => {
    watchman.fetched(jobs.length)
    lostFetches.fetched(jobs)
    jobs.sort((a, b) => a.priority - b.priority || Number(a.run_at) - Number(b.run_at))
  })
  events.on('job:complete', ({ job }) => lostFetches.over(job))
  events.on('localQueue:returnJobs', ({ jobs }) => jobs.forEach(lostFetches.over))
  // RELEASED counts as waiting: no pool fetches then, and one should.
  events.on('localQueue:setMode', ({ newMode }) => watchman.waits(newMode === 'POLLING' || newMode === 'RELEASED'))
  const ending = once(events, 'pool:gracefulShutdown')
  const failed = Promise.withResolvers<never>()
  const fetching = Promise.race([
    once(events, 'localQueue:getJobs:complete'),
    failed.promise,
    ending.then(() => Promise.reject(new Error('the queue stopped before its first fetch'))),
    delay(FIRST_FETCH_MS, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`no fetch ended within ${FIRST_FETCH_MS / 1000} s`)),
    ),
  ])
  // The caller awaits it; until then a rejection must not count as unhandled.
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
        // Without batching and the local queue a job costs nine times as much (measured: 5 k jobs/s against 45 k). And without batching a completion
        // that fails is an unhandled rejection.
        // Twice the jobs that run at once, and no more: fetched jobs are served before later ones, whatever the tenants' turns.
        localQueue: { size: concurrency * 2 },
        completeJobBatchDelay: COMPLETE_EVERY_MS,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: SHUTDOWN_GRACE_MS,
      },
    },
  }).catch(async (error: unknown) => {
    onError(error)
    lostFetches.stop()
    await disconnect()
    throw error
  })
  const stop = new AbortController()
  const beating = (async () => {
    while (!stop.signal.aborted) {
      await books.beat(row()).catch(notWritten)
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
      lostFetches.stop()
      stop.abort()
      return beating
    },
  }
}

/** The limit for a connection that is not answered, and for waiting until one of the ten is free: longer than for any lock. */
const CONNECT_MS = 10_000

interface Connecting {
  /** Called when a connection was lost. */
  lost: () => void
  /** Resolves when a connection may be used. */
  mayConnect: () => Promise<void>
}

// Ten connections serve hundreds of jobs, for a job holds none while it waits for a receiver.
function queueConnections(connectionString: string, log: Pino, { lost: onLost, mayConnect }: Connecting): pg.Pool {
  const pool = connectPool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'shopdesk queue',
    // Set here and not as options of the connection, which options in the URL would replace.
    onConnect: client => client.query(SETTINGS),
    types: { getTypeParser: (type, format) => (type === TIMESTAMPTZ ? readTime : types.getTypeParser(type, format)) },
  })
  // A lost connection is reported where it is used; without this listener its error would end the process.
  const lost = (err: Error) => {
    log.warn({ err: err.message }, 'a connection of the queue was lost')
    onLost()
  }
  pool.on('error', lost)
  pool.on('connect', client => void client.on('error', lost))
  return waiting(releasedOnce(pool), mayConnect)
}

/** A pool whose connections are given out once they may be used. */
function waiting(pool: pg.Pool, mayConnect: () => Promise<void>): pg.Pool {
  const connect = pool.connect.bind(pool) as (done?: Connected) => Promise<pg.PoolClient>
  return Object.assign(pool, {
    async connect(done?: Connected) {
      await mayConnect()
      return connect(done)
    },
  })
}

/**
 * The queue gives the connection on which it listens back twice when that is lost just as the queue stops (main.js: `release`, called by `deactivate`
 * and again when LISTEN fails). The pool throws at the second time, and nothing catches it there: the process would end.
 */
function releasedOnce(pool: pg.Pool): pg.Pool {
  const connect = pool.connect.bind(pool) as (done?: Connected) => Promise<pg.PoolClient>
  const once = (done: Connected) => connect((error, client, release) => done(error, client, release && firstCall(release)))
  return Object.assign(pool, { connect: (done?: Connected) => (done ? once(done) : connect()) })
}

/** @param release undefined where there is no connection */
type Connected = (error: Error | undefined, client: pg.PoolClient | undefined, release: Release | undefined) => void
type Release = (destroy?: boolean | Error) => void

function firstCall(release: Release): Release {
  let isCalled = false
  return destroy => {
    if (isCalled) return
    isCalled = true
    release(destroy)
  }
}

/**
 * The settings of each connection. Nested loops are off: a queue is usually empty when its statistics are taken, so the planner would compare each
 * fetched job with every job there is. A fetch of 800 of 10,000 jobs took 1.3 s like that; with one pass over all jobs it takes 15 ms.
 */
const SETTINGS = Object.entries({ ...BY_INDEX, enable_nestloop: 'off' })
  .map(([name, value]) => `set ${name} = ${value}`)
  .join('; ')

const { TIMESTAMPTZ } = types.builtins
// A job holds four times, and the driver's own parser makes a dozen strings of each.
const readTime = (text: string): Date => new Date(text)

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

/** @param onError called with everything that the queue logs as an error, whether or not the database caused it */
function queueLogger(log: Pino, onError: (error: unknown) => void): Logger {
  return new Logger(scope => (level, message, meta) => {
    // Dropped: the advice on the pool's size assumes that every job holds a connection.
    if (message.includes('maxPoolSize')) return
    if (level === 'error') onError(meta?.['error'] ?? new Error(message))
    log[LEVELS[level]]({ queue: scope.label, job: scope.jobId, ...meta }, message)
  })
}
