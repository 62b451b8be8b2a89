// The door to the platforms: channels wait here for a place at their platform's origin, without a slot and without a lease, tenants in turn. Where a channel
// sends to is known here from its last slice.
import type { Ref } from '../../ids.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Place } from '../../outbound/place.ts'
import { API_URLS } from '../accounts/shown.ts'
import type { Lease } from './lease-store.ts'
import { createPlaces, NO_LIMIT, type Places } from './places.ts'

export interface Door {
  /**
   * Places for a slice of the channel, with one in hand at least where its origin is known.
   * @param place one that it has waited for
   * @returns undefined: there is none now. The channel waits, and comes in when it is its turn
   */
  enter(channel: Ref, place?: Place): Places | undefined
  /** The slice has read where its channel sends to. @returns its places there: those that it has, unless the address is another by now */
  found(channel: Ref, lease: Pick<Lease, 'platform' | 'settings'>, places: Places): Places
}

/** Channels whose origins are known: 200 bytes each. Of others nothing is claimed before it is known. */
const KNOWN_MAX = 10_000

/** Its origin is not known yet. */
const NONE_YET: Places = { ...NO_LIMIT, reserve: () => 0 }

/** @param comeIn the channel's turn has come */
export function createDoor(
  client: Pick<OutboundClient, 'originOf' | 'place' | 'awaitPlace'>,
  comeIn: (channel: Ref, place: Place) => void,
): Door {
  /** By channel; null: no request may go there. */
  const origins = new Map<string, string | null>()
  const waiting = new Set<string>()

  function wait(channel: Ref, origin: string): void {
    if (waiting.has(channel.id)) return
    waiting.add(channel.id)
    client.awaitPlace(origin, channel.tenant, place => {
      waiting.delete(channel.id)
      comeIn(channel, place)
    })
  }

  function know(id: string, origin: string | null): void {
    origins.set(id, origin)
    const [oldest] = origins.keys()
    if (origins.size > KNOWN_MAX) origins.delete(oldest as string)
  }

  const placesAt = (origin: string | null, tenant: string, inHand: Place[] = []): Places =>
    origin === null ? NO_LIMIT : createPlaces(client, origin, tenant, inHand)

  return {
    enter(channel, place) {
      const origin = origins.get(channel.id)
      if (origin === undefined) {
        place?.leave()
        return NONE_YET
      }
      const places = placesAt(origin, channel.tenant, place ? [place] : [])
      if (places.reserve(1) > 0) return places
      wait(channel, origin as string)
      return undefined
    },
    found({ tenant, id }, { platform, settings }, places) {
      const url = settings.send_url ?? settings.api_url ?? API_URLS[platform]
      const origin = (url !== undefined && client.originOf(url)) || null
      if (origin === origins.get(id)) return places
      places.leave()
      know(id, origin)
      return placesAt(origin, tenant)
    },
  }
}
