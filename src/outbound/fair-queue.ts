// A number of places that requests of many tenants share. However many one of them has under way or waiting, another's next finds a place
// free, or waits for its own turn alone.

export interface Visitor {
  readonly tenant: string
  /** How many places it takes. Default 1. */
  readonly weight?: number
  /** A place is its own. */
  begin(): void
}

export interface FairQueue {
  /** Lets it begin at once, or when its tenant's turn has come and there is room for it. */
  enter(visitor: Visitor): void
  /** Lets it begin at once, or not at all. @returns whether it did */
  tryEnter(visitor: Visitor): boolean
  /** Gives back its place inside, or in the queue. Once for every `enter`. */
  leave(visitor: Visitor): void
  /** Places that are taken. */
  held(): number
  /** No visitor is inside or waits. */
  isEmpty(): boolean
}

/** What each tenant holds of a number of places. */
export interface Shares {
  /** Whether a tenant may take so many more, one unless it says otherwise. */
  hasRoom(tenant: string, weight?: number): boolean
  take(tenant: string, weight?: number): void
  giveBack(tenant: string, weight?: number): void
  /** How many the tenant holds, or all of them together. */
  held(tenant?: string): number
}

/**
 * A tenant that holds none takes any place that is free. A tenant that holds some leaves an eighth of all places free, and holds at most four
 * times what is free beyond that. So the next tenant finds one though none before it ever leaves: of 64 the first takes 45, the second 9, the
 * third 2, and eight more take one each. Once they do leave, places are shared out evenly, for a place that becomes free goes by the tenants' turns.
 */
const LEFT_FREE = 1 / 8
const TIMES_FREE = 4

/** @param ofTenant what one tenant may hold at most in any case */
export function createShares(places: number, ofTenant = places): Shares {
  const forNew = Math.floor(places * LEFT_FREE)
  let all = 0
  const held = new Map<string, number>()
  const heldBy = (tenant: string): number => held.get(tenant) ?? 0
  return {
    hasRoom(tenant, weight = 1) {
      const mine = heldBy(tenant)
      const free = places - all
      // Heavier than all places together: alone.
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

/** Those that wait: the tenants in the order of their turns, and of each the one that has waited longest first. */
interface Waiting {
  isEmpty(): boolean
  /** Whether any of the tenant's waits. */
  has(tenant: string): boolean
  /** The first of each tenant. */
  heads(): IteratorObject<Visitor>
  add(visitor: Visitor): void
  /** Takes out a head: its tenant's next turn comes after the others'. */
  serve(head: Visitor): void
  /** Takes out one that waits no more. @returns false: it did not */
  leave(visitor: Visitor): boolean
}

export function createWaiting(): Waiting {
  const waiting = new Map<string, Set<Visitor>>()
  return {
    isEmpty: () => waiting.size === 0,
    has: tenant => waiting.has(tenant),
    *heads() {
      for (const [head] of waiting.values()) yield head as Visitor
    },
    add(visitor) {
      const mine = waiting.get(visitor.tenant)
      if (mine) mine.add(visitor)
      else waiting.set(visitor.tenant, new Set([visitor]))
    },
    serve(head) {
      const mine = waiting.get(head.tenant)
      waiting.delete(head.tenant)
      mine?.delete(head)
      if (mine && mine.size > 0) waiting.set(head.tenant, mine)
    },
    leave(visitor) {
      const mine = waiting.get(visitor.tenant)
      const waited = mine?.delete(visitor) ?? false
      if (mine?.size === 0) waiting.delete(visitor.tenant)
      return waited
    },
  }
}

/** @param ofTenant what one tenant may hold at most in any case */
export function createFairQueue(places: number, ofTenant = places): FairQueue {
  const shares = createShares(places, ofTenant)
  const waiting = createWaiting()
  const hasRoom = ({ tenant, weight }: Visitor): boolean => shares.hasRoom(tenant, weight)

  /**
   * Its tenant holds none. A heavy visitor of that kind would wait for ever if what becomes free went to lighter ones: so no lighter one
   * goes before the first of that kind.
   */
  const isNew = ({ tenant }: Visitor): boolean => shares.held(tenant) === 0

  /** @returns whether a visitor was let in */
  function letOneIn(): boolean {
    for (const next of waiting.heads()) {
      const room = hasRoom(next)
      if (!room && isNew(next)) return false
      if (!room) continue
      waiting.serve(next)
      shares.take(next.tenant, next.weight)
      // Not from here: a thousand that fail at once would call each other a thousand deep.
      queueMicrotask(() => next.begin())
      return true
    }
    return false
  }

  function tryEnter(visitor: Visitor): boolean {
    const { tenant, weight } = visitor
    if (waiting.has(tenant) || !hasRoom(visitor) || (!waiting.isEmpty() && waiting.heads().some(isNew))) return false
    shares.take(tenant, weight)
    visitor.begin()
    return true
  }

  return {
    enter(visitor) {
      if (!tryEnter(visitor)) waiting.add(visitor)
    },
    tryEnter,
    leave(visitor) {
      if (!waiting.leave(visitor)) shares.giveBack(visitor.tenant, visitor.weight)
      // What one heavy visitor leaves is room for many.
      while (!waiting.isEmpty() && letOneIn());
    },
    held: () => shares.held(),
    isEmpty: () => shares.held() === 0 && waiting.isEmpty(),
  }
}
