// Frees jobs that the queue holds and does not know. Where a connection is lost, as when PostgreSQL crashes, a fetch may have taken effect though its answer is
// lost: its jobs stay locked by a pool that lives. So do jobs whose end or whose return could not be written.
import { setTimeout as delay } from 'node:timers/promises'

/** Between two looks. A job that ended is locked until its end is written, so a job is lost only where two looks in a row find it unknown. */
const LOOK_EVERY_MS = 500
/** After a loss, not counting those that fail: for six seconds, longer than any lock is waited for, as the fetch may be waiting for one still. */
const LOOKS = 12

export interface LostFetches {
  fetched(jobs: { id: string }[]): void
  /** The job has ended, or goes back to the queue unbegun. */
  over(job: { id: string }): void
  /** A connection of the queue was lost. */
  lost(): void
  /** A look that is under way may go on for a while. */
  stop(): void
}

/**
 * @param held gives the ids of the jobs that are locked by the pool, by a connection that is not the queue's
 * @param free makes these available again, if the pool holds them still
 */
export function createLostFetches(held: () => Promise<string[]>, free: (ids: string[]) => Promise<unknown>): LostFetches {
  const known = new Set<string>()
  const stopping = new AbortController()
  let looks = 0
  let isLooking = false

  async function look(): Promise<void> {
    let suspects = new Set<string>()
    while (looks > 0) {
      await delay(LOOK_EVERY_MS, undefined, { signal: stopping.signal })
      suspects = await looked(suspects).catch(() => suspects)
    }
  }

  /** @returns what is unknown now */
  async function looked(suspects: Set<string>): Promise<Set<string>> {
    const unknown = new Set((await held()).filter(id => !known.has(id)))
    const lost = [...unknown].filter(id => suspects.has(id))
    if (lost.length > 0) await free(lost)
    looks--
    return unknown
  }

  return {
    fetched(jobs) {
      for (const { id } of jobs) known.add(id)
    },
    over({ id }) {
      known.delete(id)
    },
    lost() {
      looks = LOOKS
      if (isLooking) return
      isLooking = true
      // It rejects when it is stopped.
      void look()
        .catch(() => {})
        .finally(() => {
          isLooking = false
        })
    },
    stop() {
      stopping.abort()
    },
  }
}
