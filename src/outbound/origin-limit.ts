// A limit on the requests at once to one origin, whose slots tenants share; further requests wait for their turn. A request's time limit starts
// when it has its slot, because a busy neighbour at the same origin is not the receiver's failure.
import { createFairQueue, type FairQueue, type Waiter } from '../fair-queue.ts'

export interface OriginLimit {
  /** Lets the request begin at once, or when it gets a slot. */
  enter(origin: string, waiter: Waiter): void
  /** Frees its slot, or takes it out of the queue. Once for every `enter`. */
  leave(origin: string, waiter: Waiter): void
}

export function createOriginLimit(limit: number): OriginLimit {
  const origins = new Map<string, FairQueue>()
  return {
    enter(origin, waiter) {
      const queue = origins.get(origin) ?? createFairQueue(limit)
      origins.set(origin, queue)
      queue.enter(waiter)
    },
    leave(origin, waiter) {
      const queue = origins.get(origin) as FairQueue
      queue.leave(waiter)
      if (queue.isEmpty()) origins.delete(origin)
    },
  }
}
