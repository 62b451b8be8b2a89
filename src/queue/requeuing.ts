// Queues again what waited in the memory of processes that died. Such a row has no lease, its job is over, and it is marked as queued. A row that waits so in
// a process that lives looks the same: it gets a job as well, once for each death, for its mark is then younger.
import { isUnavailable } from '../postgres/errors.ts'
import type { Sql } from '../postgres/sql.ts'

/** @param noticed when a death was, by the database's clock: marks that are younger are not looked at */
export type Requeue = (sql: Sql, noticed: Date) => Promise<unknown>

/** After a death. The later rounds are for rows that were locked, and for what the last statement of the dead process left: longer than any lock is waited for. */
const ROUNDS_MS = [0, 1_000, 6_000]
/** Each round goes through all that is pending: deaths of a second share theirs. */
const APART_MS = 1_000

export interface Requeuing {
  /** Begins the rounds anew: those of earlier deaths are among them, each a little later. */
  died(noticed: Date, now?: number): void
  /**
   * The round that is due, if one is. One that met a database that is away, or that takes no changes for a while, is made again.
   * @param now of performance.now() @throws the first error, when all kinds have had their try
   */
  round(sql: Sql, now?: number): Promise<void>
}

export function createRequeuing(kinds: Requeue[]): Requeuing {
  let latest: Date
  let dueAt: number[] = []
  let lastAt = Number.NEGATIVE_INFINITY
  return {
    died(noticed, now = performance.now()) {
      latest = noticed
      dueAt = ROUNDS_MS.map(ms => now + ms)
    },
    async round(sql, now = performance.now()) {
      if (now < lastAt + APART_MS || !dueAt.some(at => at <= now)) return
      lastAt = now
      dueAt = dueAt.filter(at => at > now)
      const ends = await Promise.allSettled(kinds.map(requeue => requeue(sql, latest)))
      const errors = ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : []))
      if (errors.some(isUnavailable)) dueAt.push(now + APART_MS)
      if (errors.length > 0) throw errors[0]
    },
  }
}
