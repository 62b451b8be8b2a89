// The worker process: Graphile Worker running tasks/, and the recurring work of schedule.ts.
// The catalog is imported for what it sets up: tasks emit events too, and somebody must hear them.
import './catalog.ts'
import { fileURLToPath } from 'node:url'
import { Logger, run } from 'graphile-worker'
import pg from 'pg'
import { type Logger as Pino, pino } from 'pino'
import { SHUTDOWN_GRACE_MS } from './limits.ts'
import { createClient } from './outbound/post.ts'
import { requireMigrated } from './postgres/migrate.ts'
import { openDatabase } from './postgres/sql.ts'
import { startSchedule } from './schedule.ts'
import type { Needs } from './web.ts'
import { createDeliver } from './webhooks/deliver.ts'
import { wakeThrough } from './webhooks/fan-out.ts'
import { setDeliver } from './webhooks/task.ts'

export interface Worker {
  /** Stops claiming, finishes what is under way, releases the rest. */
  close(): Promise<void>
}

/** @throws {SettingError} when the database is not ready for this program */
export async function startWorker({ config, databaseUrl, keyring }: Needs): Promise<Worker> {
  await requireMigrated(databaseUrl)
  const log = pino({ level: config.logLevel, base: { process: 'worker' } })
  const db = openDatabase(databaseUrl, { name: 'shopdesk worker', statementTimeoutMs: 60_000 })
  const client = createClient(config.outbound)
  wakeThrough(db, err => log.error({ err }, 'endpoints could not be woken; the sweep will do it'))
  const stopping = new AbortController()
  setDeliver(createDeliver({ db, client, keyring, ...config.webhooks, stopping: stopping.signal }))
  const pgPool = queuePool(databaseUrl, log)
  const runner = await run({
    pgPool,
    taskDirectory: fileURLToPath(new URL('../tasks', import.meta.url)),
    noHandleSignals: true,
    logger: queueLogger(log),
    preset: {
      worker: {
        concurrentJobs: config.workerConcurrency,
        pollInterval: 1000,
        // Without the batching and the local queue a job costs five times as much (measured: 5 k jobs/s against 45 k).
        localQueue: { size: Math.max(config.workerConcurrency, 500) },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: SHUTDOWN_GRACE_MS,
      },
    },
  })
  const schedule = startSchedule(databaseUrl, err => log.error({ err }, 'recurring work failed'))
  return {
    async close() {
      stopping.abort()
      await Promise.all([schedule.stop(), runner.stop()])
      await client.close()
      await pgPool.end()
      await db.close()
    },
  }
}

// Ten connections serve hundreds of jobs: a job holds none while it waits for a receiver.
function queuePool(connectionString: string, log: Pino): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 10, application_name: 'shopdesk queue' })
  // A lost connection hurts where it is used and is reported there; without a listener it would end the process.
  const lost = (err: Error) => log.warn({ err: err.message }, 'a connection of the queue was lost')
  pool.on('error', lost)
  pool.on('connect', client => void client.on('error', lost))
  return pool
}

const LEVELS = { error: 'error', warning: 'warn', info: 'debug', debug: 'trace' } as const

function queueLogger(log: Pino): Logger {
  return new Logger(scope => (level, message, meta) => {
    // Its advice on the pool's size assumes that every job holds a connection.
    if (message.includes('maxPoolSize')) return
    log[LEVELS[level]]({ queue: scope.label, job: scope.jobId, ...meta }, message)
  })
}
