// The sweep: one elected process, once a second, wakes endpoints whose work is due and that nobody serves. It is what makes a retry come
// due, and what a crash, a lost wake-up or a lapsed lease falls back on.
import postgres from 'postgres'
import { SWEEP_INTERVAL_MS } from '../limits.ts'
import type { Queryable } from '../postgres/sql.ts'
import * as store from './delivery-store.ts'

const STATEMENT_MS = 10_000
const CLEAN_INTERVAL_MS = 60_000

export interface Sweep {
  stop(): Promise<void>
}

/** A connection of its own: the election is a lock of its session, and must not wait behind deliveries for a place in the pool. */
export function startSweep(databaseUrl: string, onError: (error: unknown) => void): Sweep {
  const sql = postgres(databaseUrl, {
    max: 1,
    onnotice: () => {},
    idle_timeout: 0,
    // A row that somebody holds locked must not end all sweeping.
    connection: { application_name: 'shopdesk sweep', statement_timeout: STATEMENT_MS },
  }) as unknown as Queryable & {
    end(options: { timeout: number }): Promise<void>
  }
  let stopping = false
  let timer: NodeJS.Timeout | undefined
  let current = Promise.resolve()
  let cleanedAt = 0

  const tick = async (): Promise<void> => {
    try {
      // Asked again every time: the lock is counted, so the holder keeps it, and whoever comes after a lost connection takes over.
      if (await store.electSweeper(sql)) {
        const endpoints = await store.neglected(sql)
        if (endpoints.length > 0) await store.wake(sql, endpoints)
        if (Date.now() - cleanedAt > CLEAN_INTERVAL_MS) {
          await store.deleteLostJobs(sql)
          cleanedAt = Date.now()
        }
      }
    } catch (error) {
      onError(error)
    }
    if (!stopping) timer = setTimeout(run, SWEEP_INTERVAL_MS)
  }
  const run = (): void => {
    current = tick()
  }
  run()
  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      await current
      await sql.end({ timeout: 2 })
    },
  }
}
