// The life of a long-running process: it says when it is ready, stops once and in order, and never outlives the `start` that made it.
import { SHUTDOWN_GRACE_MS } from './limits/queue.ts'

/** npm repeats the signal that the terminal has already sent; a signal within this time is the same Ctrl-C. */
const SAME_SIGNAL_MS = 1_000
/** How long a stop may take beyond the requests and deliveries in flight: to close connections, to write the database's last pages. */
const STOP_EXTRA_MS = 5_000

export interface Ready {
  /** web: the address it listens on. worker: true. */
  ready: string | true
}

/** Sent each second from then on, while the event loop turns. */
interface Alive {
  alive: true
}

const ALIVE_MS = 1_000

/** Tells the process that started this one, if there is one, that it is ready, and from then on that it lives. */
export function reportReady(message: Ready): void {
  tell(message)
  if (process.send) setInterval(() => tell({ alive: true }), ALIVE_MS).unref()
}

function tell(message: Ready | Alive): void {
  // A closed channel is reported by `disconnect`; here it is no error.
  if (process.connected) process.send?.(message, () => {})
}

/**
 * Resolves when SIGINT, SIGTERM, SIGHUP or the end of the `start` process has come and `stop` is done. The caller then returns, and closes all it
 * opened before. The process ends with 0, with 1 when `stop` fails or takes longer than `limitMs`, and at once on a second Ctrl-C.
 * Call it before slow work, so that a start can be interrupted as well.
 */
export async function runUntilSignal(stop: () => Promise<void>, limitMs: number = SHUTDOWN_GRACE_MS + STOP_EXTRA_MS): Promise<void> {
  await firstSignal()
  // An open channel would keep the process alive.
  if (process.connected) process.disconnect()
  const late = setTimeout(() => {
    console.error(`Not everything had stopped after ${limitMs / 1000} s.`)
    process.exit(1)
  }, limitMs)
  // Runs on after `stop` is done, in case something keeps the process alive, but does not keep it alive itself.
  late.unref()
  await stop()
}

function firstSignal(): Promise<void> {
  return new Promise(resolve => {
    let since: number | undefined
    const onSignal = (): void => {
      if (since !== undefined && performance.now() - since > SAME_SIGNAL_MS) process.exit(130)
      since ??= performance.now()
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
    // The channel to `start` closes however that process ends, so even a killed one leaves no orphans.
    if (process.send) process.once('disconnect', onSignal)
  })
}
