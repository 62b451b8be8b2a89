// At most so many requests at once to one origin, whose places tenants share; the others wait their turn. A request's time limit starts when
// it is let in, because a busy neighbour at the same origin is not the receiver's failure.
import { createFairQueue, type FairQueue, type Visitor } from './fair-queue.ts'

export interface OriginLimit {
  /** Lets it begin at once, or when there is room for it. */
  enter(origin: string, visitor: Visitor): void
  /** Gives back its place inside, or in the queue. Once for every `enter`. */
  leave(origin: string, visitor: Visitor): void
}

export function createOriginLimit(limit: number): OriginLimit {
  const origins = new Map<string, FairQueue>()
  return {
    enter(origin, visitor) {
      const queue = origins.get(origin) ?? createFairQueue(limit)
      origins.set(origin, queue)
      queue.enter(visitor)
    },
    leave(origin, visitor) {
      const queue = origins.get(origin) as FairQueue
      queue.leave(visitor)
      if (queue.isEmpty()) origins.delete(origin)
    },
  }
}
