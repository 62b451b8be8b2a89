// One slice of leased work: for so long its holder goes on, then it gives the lease back, and others have their turn.
import { TIME_SLICE_MS } from '../limits.ts'
import { holdLease } from './held-lease.ts'
import type { Standing } from './standing.ts'
import type { Trial } from './trial.ts'

export interface SliceContext {
  /** By whose tokens leases are held. */
  standing: Standing
  /** The process is stopping: what is under way is finished, and nothing is begun. */
  stopping: AbortSignal
}

export interface Slice {
  /** The lease lasts: a request or a statement may begin, and ends before the lease does. */
  lasts(): boolean
  /** More may be begun: the lease lasts, the time is not over, and neither the process nor a suspect waits for the end of the slice. */
  goesOn(): boolean
  /** The lease is renewed no more. */
  letGo(): void
}

/**
 * @param token by which the lease is held @param askedAt before it was asked for, of performance.now() @param renew resolves with whether it is still ours
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
