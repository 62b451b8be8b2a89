// The watchman of a worker's queue. It looks at the database on a connection of its own, and judges whether the queue fails though the database works. The
// fault is then in this process, so the queue begins anew; if that does not help, the process must end, and its supervisor starts a new one.
//
// While the database is away, read-only or reports that it cannot serve, the watchman judges nothing, however long that lasts.

export interface WatchLimits {
  /** The time between two looks. If it was much longer, this process was frozen, and its queue with it. */
  lookMs: number
  /** How long a job may be due while the queue waits for jobs and gets none: it is seen after half of this, and still there after the other half. */
  unseenMs: number
  /** How long the queue may be without a successful fetch. */
  failingMs: number
  /** How long a renewed queue must have worked before it may be renewed once more. */
  steadyMs: number
}

export const WATCH_LIMITS: WatchLimits = { lookMs: 2_000, unseenMs: 10_000, failingMs: 30_000, steadyMs: 60_000 }

export type Verdict = { is: 'well' } | { is: 'renew' | 'end'; why: string }

export interface Watchman {
  /** The queue has fetched this many jobs, or none. */
  fetched(jobs: number): void
  /** @param forJobs true: the queue waits for jobs; false: all its jobs are taken */
  waits(forJobs: boolean): void
  /** The database refused a fetch. */
  refused(): void
  /** @param unseen whether a job has been due for half of `unseenMs`; undefined if the database does not answer or is read-only */
  looked(unseen: boolean | undefined): Verdict
}

const WELL: Verdict = { is: 'well' }
const LOOKS_MISSED = 3

/** @param now milliseconds by a clock that is never set */
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
      // Counted only after a renewal: the old queue may report a refusal that is long over (see pool.ts).
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
