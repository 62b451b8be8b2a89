// A number of slots that many tenants share. However much one tenant has running or waiting, the next work of another finds a free slot, or waits
// only for its own tenant's turn.

/** Work that needs a slot. */
export interface Waiter {
  readonly tenant: string
  /** How many slots it takes. Default 1. */
  readonly weight?: number
  /** Called once its slots are taken. */
  begin(): void
}

export interface FairQueue {
  /** Lets the waiter begin at once, or when its tenant's turn has come and there is room. */
  enter(waiter: Waiter): void
  /** Lets the waiter begin at once, or not at all. @returns whether it began */
  tryEnter(waiter: Waiter): boolean
  /** Frees the waiter's slots, or takes it out of the queue. Once for every `enter`. */
  leave(waiter: Waiter): void
  /** Slots that are taken. */
  held(): number
  /** No slot is taken and nothing waits. */
  isEmpty(): boolean
}

/** How many of the slots each tenant holds. */
export interface Shares {
  /** Whether the tenant may take `weight` more. Default 1. */
  hasRoom(tenant: string, weight?: number): boolean
  take(tenant: string, weight?: number): void
  giveBack(tenant: string, weight?: number): void
  /** How many the tenant holds, or all tenants together. */
  held(tenant?: string): number
}

/**
 * A tenant that holds none takes any free slot. A tenant that holds some leaves an eighth of all slots free, and holds at most four times what is
 * free beyond that. So the next tenant finds a slot even if no earlier one ever leaves: of 64 slots the first tenant takes 45, the second 9, the third 2,
 * and eight more take one each. Once they do leave, slots are shared out evenly, for a freed slot goes to the tenant whose turn it is.
 */
const LEFT_FREE = 1 / 8
const TIMES_FREE = 4

/** @param ofTenant the most that one tenant may ever hold */
export function createShares(slots: number, ofTenant = slots): Shares {
  const forNew = Math.floor(slots * LEFT_FREE)
  let all = 0
  const held = new Map<string, number>()
  const heldBy = (tenant: string): number => held.get(tenant) ?? 0
  return {
    hasRoom(tenant, weight = 1) {
      const mine = heldBy(tenant)
      const free = slots - all
      // A waiter heavier than all slots together runs alone.
      if (mine === 0) return free >= weight || all === 0
      const others = weight - 1
      return mine + others < ofTenant && mine + others < (free - others - forNew) * TIMES_FREE
    },
    take(tenant, weight = 1) {
      all += weight
      held.set(tenant, heldBy(tenant) + weight)
    },
    giveBack(tenant, weight = 1) {
      all -= weight
      const left = heldBy(tenant) - weight
      if (left === 0) held.delete(tenant)
      else held.set(tenant, left)
    },
    held: tenant => (tenant === undefined ? all : heldBy(tenant)),
  }
}

/** What waits: the tenants in the order of their turns, and within a tenant the oldest first. */
interface Waiting {
  isEmpty(): boolean
  /** Whether anything of the tenant waits. */
  has(tenant: string): boolean
  /** The oldest waiter of each tenant. */
  heads(): IteratorObject<Waiter>
  add(waiter: Waiter): void
  /** Takes out a head. Its tenant's next turn comes after those of the others. */
  serve(head: Waiter): void
  /** Takes out a waiter that gives up. @returns whether it was waiting */
  leave(waiter: Waiter): boolean
}

export function createWaiting(): Waiting {
  const waiting = new Map<string, Set<Waiter>>()
  return {
    isEmpty: () => waiting.size === 0,
    has: tenant => waiting.has(tenant),
    *heads() {
      for (const [head] of waiting.values()) yield head as Waiter
    },
    add(waiter) {
      const mine = waiting.get(waiter.tenant)
      if (mine) mine.add(waiter)
      else waiting.set(waiter.tenant, new Set([waiter]))
    },
    serve(head) {
      const mine = waiting.get(head.tenant)
      waiting.delete(head.tenant)
      mine?.delete(head)
      if (mine && mine.size > 0) waiting.set(head.tenant, mine)
    },
    leave(waiter) {
      const mine = waiting.get(waiter.tenant)
      const waited = mine?.delete(waiter) ?? false
      if (mine?.size === 0) waiting.delete(waiter.tenant)
      return waited
    },
  }
}

/** @param ofTenant the most that one tenant may ever hold */
export function createFairQueue(slots: number, ofTenant = slots): FairQueue {
  const shares = createShares(slots, ofTenant)
  const waiting = createWaiting()
  const hasRoom = ({ tenant, weight }: Waiter): boolean => shares.hasRoom(tenant, weight)

  /**
   * Its tenant holds no slot. If freed slots went to lighter waiters, a heavy one of such a tenant would wait for ever: so no lighter waiter
   * goes before the first of these.
   */
  const isNew = ({ tenant }: Waiter): boolean => shares.held(tenant) === 0

  /** @returns whether a waiter begins */
  function letOneIn(): boolean {
    for (const next of waiting.heads()) {
      const room = hasRoom(next)
      if (!room && isNew(next)) return false
      if (!room) continue
      waiting.serve(next)
      shares.take(next.tenant, next.weight)
      // In a microtask: a thousand that fail at once would call each other a thousand deep.
      queueMicrotask(() => next.begin())
      return true
    }
    return false
  }

  function tryEnter(waiter: Waiter): boolean {
    const { tenant, weight } = waiter
    if (waiting.has(tenant) || !hasRoom(waiter) || (!waiting.isEmpty() && waiting.heads().some(isNew))) return false
    shares.take(tenant, weight)
    waiter.begin()
    return true
  }

  return {
    enter(waiter) {
      if (!tryEnter(waiter)) waiting.add(waiter)
    },
    tryEnter,
    leave(waiter) {
      if (!waiting.leave(waiter)) shares.giveBack(waiter.tenant, waiter.weight)
      // A heavy waiter that leaves makes room for many.
      while (!waiting.isEmpty() && letOneIn());
    },
    held: () => shares.held(),
    isEmpty: () => shares.held() === 0 && waiting.isEmpty(),
  }
}
