// Limits how much leased work of one kind runs at once in a process; tenants take turns. A job that comes while all slots are taken is postponed: if it
// waited, it would take up one of the pool's concurrent jobs, which live deliveries need.
import type { Ref } from '../ids.ts'

export interface Slot {
  /** Whether other work was turned away since this slice began: it should then end when its time is over. */
  isWanted(): boolean
}

/** How long a free slot is kept for the tenant whose turn it is: the queue looks for its postponed job once a second. */
const AWAITED_MS = 3_000
/** How long a postponed row waits, and how much longer each further row of its tenant: many rows of a tenant ask no oftener than a few. */
const POSTPONE_SECONDS = 0.5
/** Beyond this many, a tenant's rows all wait equally long, and tenants are served as they come. */
const REMEMBERED = 64

interface Awaited {
  /** By performance.now(). After that another process has the work, or it is over. */
  until: number
  rows: Set<string>
}

/**
 * Runs at most `most` slices at once, and no more than `each` of one tenant. A freed slot is kept for a moment for the tenant that has waited longest: so a tenant
 * whose work keeps coming back does not overtake one whose next job is due in a second.
 * @param postpone queues the work again @param run one slice @param each as many as there are, where slices are short
 */
export function atMost<Args extends unknown[]>(
  most: number,
  postpone: (ref: Ref, afterSeconds: number, args: NoInfer<Args>) => Promise<unknown>,
  run: (slot: Slot, ref: Ref, ...args: Args) => Promise<void>,
  each = most,
): (ref: Ref, ...args: Args) => Promise<void> {
  let running = 0
  const runningOf = new Map<string, number>()
  let turnedAway = 0
  /** Tenants whose work was turned away, in the order of their turns. */
  const awaited = new Map<string, Awaited>()

  const hasAll = (tenant: string): boolean => (runningOf.get(tenant) ?? 0) >= each

  function isTurnOf(tenant: string): boolean {
    if (hasAll(tenant)) return false
    const now = performance.now()
    let before = 0
    for (const [other, { until }] of awaited) {
      if (other === tenant) break
      if (until < now) awaited.delete(other)
      else if (!hasAll(other)) before++
    }
    return running + before < most
  }

  function count(tenant: string, by: 1 | -1): void {
    running += by
    const own = (runningOf.get(tenant) ?? 0) + by
    if (own > 0) runningOf.set(tenant, own)
    else runningOf.delete(tenant)
  }

  function served({ tenant, id }: Ref): void {
    const mine = awaited.get(tenant)
    if (!mine) return
    mine.rows.delete(id)
    // Its next turn comes after those of the other tenants.
    awaited.delete(tenant)
    if (mine.rows.size > 0) awaited.set(tenant, mine)
  }

  function turnAway({ tenant, id }: Ref): number {
    turnedAway++
    const mine = awaited.get(tenant) ?? { until: 0, rows: new Set() }
    mine.until = performance.now() + AWAITED_MS
    if (mine.rows.size < REMEMBERED) mine.rows.add(id)
    if (awaited.size < REMEMBERED) awaited.set(tenant, mine)
    const position = [...mine.rows].indexOf(id)
    return POSTPONE_SECONDS * (1 + (position === -1 ? REMEMBERED : position))
  }

  return async (ref, ...args) => {
    if (!isTurnOf(ref.tenant)) return void (await postpone(ref, turnAway(ref), args))
    served(ref)
    count(ref.tenant, 1)
    const before = turnedAway
    try {
      await run({ isWanted: () => turnedAway > before }, ref, ...args)
    } finally {
      count(ref.tenant, -1)
    }
  }
}
