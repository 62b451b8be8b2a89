// One slice of leased work: the time for which the holder goes on before it gives the lease back, so that other work runs.
import { TIME_SLICE_MS } from '../limits.ts'
import { holdLease } from './held-lease.ts'
import type { Standing } from './standing.ts'
import type { Trial } from './trial.ts'

export interface SliceContext {
  /** Gives the tokens that hold the leases. */
  standing: Standing
  /** The process is stopping: requests and statements under way are finished, and none begins. */
  stopping: AbortSignal
}

export interface Slice {
  /** The lease lasts: a request or a statement may begin, and ends before the lease does. */
  lasts(): boolean
  /** More may begin: the lease lasts, the time is not over, the process is not stopping, and no suspect waits. */
  goesOn(): boolean
  /** Stops renewing the lease. */
  letGo(): void
}

/**
 * @param token of the lease @param askedAt when the lease was requested, by performance.now() @param renew resolves with whether the lease is still ours
 * @param ms how long the slice is
 */
export function beginSlice(
  { standing, stopping }: SliceContext,
  trial: Trial,
  token: string,
  askedAt: number,
  renew: () => Promise<boolean>,
  ms = TIME_SLICE_MS,
): Slice {
  const held = holdLease(standing, token, askedAt, renew)
  const until = performance.now() + ms
  return {
    lasts: held.lasts,
    goesOn: () => held.lasts() && !stopping.aborted && !trial.mustGiveWay() && performance.now() < until,
    letGo: held.letGo,
  }
}
