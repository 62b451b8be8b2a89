// How much leased work of one kind runs at once in a process, and whose: tenants take turns. What comes while all slots are taken is postponed, for a job
// that waited would keep its place in the pool from live deliveries.
import type { Ref } from '../ids.ts'

export interface Slot {
  /** Other work was turned away since this began: it should end its slice when its time is over. */
  isWanted(): boolean
}

/** The tenant whose turn has come may need so long until its job is fetched again: jobs that are due later are looked for once a second. */
const AWAITED_MS = 3_000
/** What a postponed row waits, and each further row of its tenant so much longer: many rows of one tenant ask no oftener than a few. */
const POSTPONE_SECONDS = 0.5
/** Beyond this many, rows of a tenant wait alike, and tenants are served as they come. */
const REMEMBERED = 64

interface Awaited {
  /** In milliseconds of performance.now(): after that another process has it, or it is over. */
  until: number
  rows: Set<string>
}

/**
 * Runs at most `most` at once. A slot that becomes free is kept, for a moment, for the tenant that has waited longest: one with much work that comes
 * back again and again does not get ahead of one whose next job is due in a second.
 * @param postpone queues the row again @param run one slice
 */
export function atMost<Args extends unknown[]>(
  most: number,
  postpone: (ref: Ref, afterSeconds: number) => Promise<void>,
  run: (slot: Slot, ref: Ref, ...args: Args) => Promise<void>,
): (ref: Ref, ...args: Args) => Promise<void> {
  let running = 0
  let turnedAway = 0
  /** Tenants whose work was turned away, in the order of their turns. */
  const awaited = new Map<string, Awaited>()

  function isTurnOf(tenant: string): boolean {
    const now = performance.now()
    let before = 0
    for (const [other, { until }] of awaited) {
      if (other === tenant) break
      if (until < now) awaited.delete(other)
      else before++
    }
    return running + before < most
  }

  function served({ tenant, id }: Ref): void {
    const mine = awaited.get(tenant)
    if (!mine) return
    mine.rows.delete(id)
    // Behind the other tenants.
    awaited.delete(tenant)
    if (mine.rows.size > 0) awaited.set(tenant, mine)
  }

  function turnAway({ tenant, id }: Ref): number {
    turnedAway++
    const mine = awaited.get(tenant) ?? { until: 0, rows: new Set() }
    mine.until = performance.now() + AWAITED_MS
    if (mine.rows.size < REMEMBERED) mine.rows.add(id)
    if (awaited.size < REMEMBERED) awaited.set(tenant, mine)
    const place = [...mine.rows].indexOf(id)
    return POSTPONE_SECONDS * (1 + (place === -1 ? REMEMBERED : place))
  }

  return async (ref, ...args) => {
    if (!isTurnOf(ref.tenant)) return postpone(ref, turnAway(ref))
    served(ref)
    running++
    const before = turnedAway
    try {
      await run({ isWanted: () => turnedAway > before }, ref, ...args)
    } finally {
      running--
    }
  }
}
