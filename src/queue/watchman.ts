// The watchman of a worker's queue: judges, from looks at the database beside it, whether the queue does not work though the database does.
// What is broken then is in this process, so the queue begins anew; where that does not help, the process is to end, for a new one is better.
//
// While the database is away, takes no changes or says itself that it cannot serve, nothing is judged: that is waited for, however long.

export interface WatchLimits {
  /** How often it is looked. Longer without a look, this process was frozen, and the queue with it. */
  lookMs: number
  /** A queue that waits for jobs and is given none does not see one that is due for half of this, and still lies there after the other half. */
  unseenMs: number
  /** So long without any fetch that ends well. */
  failingMs: number
  /** The queue that began anew has worked for so long: the next time it may begin anew again. */
  steadyMs: number
}

export const WATCH_LIMITS: WatchLimits = { lookMs: 2_000, unseenMs: 10_000, failingMs: 30_000, steadyMs: 60_000 }

export type Verdict = { is: 'well' } | { is: 'renew' | 'end'; why: string }

export interface Watchman {
  /** The queue has fetched so many jobs, which may be none. */
  fetched(jobs: number): void
  /** It has places for jobs, or waits until one is free. */
  waits(forJobs: boolean): void
  /** The database itself did not let the queue fetch. */
  refused(): void
  /** @param unseen whether a job is due for half of `unseenMs`; undefined where the database does not say, or takes no changes */
  looked(unseen: boolean | undefined): Verdict
}

const WELL: Verdict = { is: 'well' }
const LOOKS_MISSED = 3

/** @param now milliseconds of a clock that is never set */
export function createWatchman(now: () => number, limits: WatchLimits = WATCH_LIMITS): Watchman {
  let fetchedAt = now()
  let gotAt = now()
  let lookedAt = now()
  let waitingSince: number | undefined = now()
  let wellSince: number | undefined
  let unseenSince: number | undefined
  let renewedAt: number | undefined

  function judge(): string | undefined {
    if (waitingSince === undefined || wellSince === undefined) return undefined
    const since = Math.max(waitingSince, wellSince, renewedAt ?? 0)
    if (unseenSince !== undefined && now() - Math.max(since, gotAt, unseenSince) >= limits.unseenMs / 2)
      return `a job that was due ${limits.unseenMs / 1000} s ago was not fetched`
    if (now() - Math.max(since, fetchedAt) >= limits.failingMs) return `no fetch of jobs succeeded for ${limits.failingMs / 1000} s`
    return undefined
  }

  return {
    fetched(jobs) {
      fetchedAt = now()
      if (jobs > 0) gotAt = now()
    },
    waits(forJobs) {
      waitingSince = forJobs ? (waitingSince ?? now()) : undefined
    },
    refused() {
      // Before the queue began anew it may be the memory of a refusal that lies back.
      if (renewedAt !== undefined) wellSince = undefined
    },
    looked(unseen) {
      const wasFrozen = now() - lookedAt > limits.lookMs * LOOKS_MISSED
      lookedAt = now()
      if (unseen === undefined) {
        wellSince = undefined
        renewedAt = undefined
        return WELL
      }
      if (wasFrozen || wellSince === undefined) wellSince = now()
      unseenSince = unseen ? (unseenSince ?? now()) : undefined
      const why = judge()
      if (why && renewedAt !== undefined) return { is: 'end', why }
      if (why) {
        renewedAt = now()
        return { is: 'renew', why }
      }
      if (renewedAt !== undefined && now() - renewedAt > limits.steadyMs) renewedAt = undefined
      return WELL
    },
  }
}
