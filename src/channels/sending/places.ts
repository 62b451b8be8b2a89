// A slice's places at its platform's origin, which channels share: a message is claimed only with a place in hand, so that an intent is recorded only for
// what goes out at once. What waits for its turn at a busy origin stays queued, and a worker that dies leaves no doubt about it.
import type { OutboundClient } from '../../outbound/client.ts'
import type { Place } from '../../outbound/place.ts'

export interface Places {
  /** Takes places until so many are in hand, or no more are to be had. @returns how many are in hand */
  reserve(count: number): number
  /** One of those in hand, for a message. undefined: there is no limit */
  take(): Place | undefined
  /** Gives back what is in hand. */
  leave(): void
}

/** Where nothing may be sent to, or nothing is sent: the answer to that needs no wait. */
export const NO_LIMIT: Places = { reserve: count => count, take: () => undefined, leave: () => {} }

/** @param inHand a place to begin with */
export function createPlaces(client: Pick<OutboundClient, 'place'>, origin: string, tenant: string, inHand: Place[] = []): Places {
  return {
    reserve(count) {
      while (inHand.length < count) {
        const place = client.place(origin, tenant)
        if (!place) break
        inHand.push(place)
      }
      return inHand.length
    },
    take: () => inHand.shift(),
    leave() {
      for (const each of inHand.splice(0)) each.leave()
    },
  }
}
