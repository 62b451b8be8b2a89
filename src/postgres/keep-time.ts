// Asks the database for the time at intervals, so that this process knows by how much its own clock is off (clock.ts).
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import { noteTime, now } from '../clock.ts'
import { CLOCK_OFF_MS, CLOCK_SECONDS } from '../limits/clock.ts'
import { clock } from './diagnose.ts'
import type { Sql } from './sql.ts'

export interface TimeKeeper {
  stop(): Promise<void>
}

/** Resolves when the time is known. Logs when the clocks differ by more than CLOCK_OFF_MS, and when they agree again. */
export async function keepTime(sql: Sql, log: Logger): Promise<TimeKeeper> {
  const stopping = new AbortController()
  let isOff = false
  async function ask(): Promise<void> {
    const askedAt = performance.now()
    noteTime(askedAt, await clock(sql), performance.now())
    const ahead = now() - Date.now()
    if (Math.abs(ahead) > CLOCK_OFF_MS === isOff) return
    isOff = !isOff
    if (isOff)
      log.warn({ aheadMs: ahead }, "this machine's clock differs from the database's, which is used in its place: synchronise them")
    else log.info({ aheadMs: ahead }, "this machine's clock agrees with the database's again")
  }
  async function goOn(): Promise<void> {
    for (let began = beginning(); await isDue(began); ) {
      began = beginning()
      // While the database does not answer, the last known difference serves.
      await ask().catch(() => {})
    }
  }
  /** Resolves when it is time to ask again; false: it is no more, for this stops. */
  async function isDue(began: number): Promise<boolean> {
    for (let seconds = 0; seconds < CLOCK_SECONDS; seconds++) {
      await delay(1_000, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      if (stopping.signal.aborted) return false
      // This machine's clock was set, or the machine slept, of which the time since the process began does not tell.
      if (Math.abs(beginning() - began) > CLOCK_OFF_MS) return true
    }
    return true
  }
  await ask()
  const kept = goOn()
  return {
    stop() {
      stopping.abort()
      return kept
    },
  }
}

/** When this process began, by this machine's clock as it is now. */
const beginning = (): number => Date.now() - performance.now()
