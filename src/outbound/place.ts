// A place at an origin: one of the requests at once that it may have from this process, taken before its request is made. Whatever must be written before
// a request goes out is written with the place in hand, and then the request waits for no other.
import type { Waiter } from '../fair-queue.ts'
import type { OriginLimit } from './origin-limit.ts'

export interface Place {
  readonly origin: string
  /** Gives the place to the next request. It may be called again, and then does nothing. */
  leave(): void
}

/** @returns undefined: there is no room now */
export function takePlace(limit: OriginLimit, origin: string, tenant: string): Place | undefined {
  const waiter = { tenant, begin: () => {} }
  return limit.tryEnter(origin, waiter) ? placeOf(limit, origin, waiter) : undefined
}

/** @param begin gets the place: at once, or when it is the tenant's turn */
export function awaitPlace(limit: OriginLimit, origin: string, tenant: string, begin: (place: Place) => void): void {
  const waiter = { tenant, begin: () => begin(placeOf(limit, origin, waiter)) }
  limit.enter(origin, waiter)
}

function placeOf(limit: OriginLimit, origin: string, waiter: Waiter): Place {
  let isLeft = false
  return {
    origin,
    leave() {
      if (!isLeft) limit.leave(origin, waiter)
      isLeft = true
    },
  }
}
