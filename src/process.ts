// The life of a long-running process: it says when it is ready, stops once and in order, and never outlives the `start` that made it.
import { setTimeout as delay } from 'node:timers/promises'
import { SHUTDOWN_GRACE_MS } from './limits.ts'

/** npm repeats the signal that the terminal has already sent; what comes this soon is the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_000
/** What a stop may take beyond the requests and deliveries in flight: closing connections, writing the database's last pages. */
const STOP_EXTRA_MS = 5_000

export interface Ready {
  /** web: the address it listens on. worker: true. */
  ready: string | true
}

/** Tells the process that started this one; without one, nobody is told. */
export function reportReady(message: Ready): void {
  process.send?.(message)
}

/**
 * Runs until SIGINT, SIGTERM, SIGHUP, or the end of the `start` process, then awaits `stop` (within SHUTDOWN_GRACE_MS and a little) and exits with 0.
 * A second Ctrl-C exits at once. Call it before what is slow, so that a start can be interrupted too.
 * @returns never: the process ends here
 */
export function runUntilSignal(stop: () => Promise<void>, limitMs: number = SHUTDOWN_GRACE_MS + STOP_EXTRA_MS): Promise<never> {
  let since: number | undefined
  const onSignal = (): void => {
    if (since !== undefined && Date.now() - since > SAME_SIGNAL_MS) process.exit(130)
    if (since !== undefined) return
    since = Date.now()
    void finish(stop, limitMs)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  // The channel to `start` closes when it dies, however it dies, so a killed one leaves no orphans.
  if (process.send) process.once('disconnect', onSignal)
  return new Promise(() => {})
}

async function finish(stop: () => Promise<void>, limitMs: number): Promise<never> {
  const late = delay(limitMs, 'late' as const, { ref: false })
  const result = await Promise.race([stop(), late]).catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    return 'failed' as const
  })
  if (result === 'late') console.error(`Not everything had stopped after ${limitMs / 1000} s.`)
  process.exit(result ? 1 : 0)
}
