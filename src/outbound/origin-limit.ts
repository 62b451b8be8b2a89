// A limit on the requests at once to one origin, whose slots tenants share; further requests wait for their turn. A request's time limit starts
// when it has its slot, because a busy neighbour at the same origin is not the receiver's failure.
import { createFairQueue, type FairQueue, type Waiter } from '../fair-queue.ts'

export interface OriginLimit {
  /** Lets the request begin at once, or when it gets a slot. */
  enter(origin: string, waiter: Waiter): void
  /** Lets it begin at once, or not at all. @returns whether it began */
  tryEnter(origin: string, waiter: Waiter): boolean
  /** Frees its slot, or takes it out of the queue. Once for every `enter`, and every `tryEnter` that let it begin. */
  leave(origin: string, waiter: Waiter): void
}

export function createOriginLimit(limit: number): OriginLimit {
  const origins = new Map<string, FairQueue>()
  const queueOf = (origin: string): FairQueue => {
    const queue = origins.get(origin) ?? createFairQueue(limit)
    origins.set(origin, queue)
    return queue
  }
  return {
    enter: (origin, waiter) => queueOf(origin).enter(waiter),
    // It begins unless others hold slots, so no empty queue is kept.
    tryEnter: (origin, waiter) => queueOf(origin).tryEnter(waiter),
    leave(origin, waiter) {
      const queue = origins.get(origin) as FairQueue
      queue.leave(waiter)
      if (queue.isEmpty()) origins.delete(origin)
    },
  }
}
