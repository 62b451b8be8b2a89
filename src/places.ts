// Places of a process that tenants share. Work that lasts as long as a client likes takes memory and statements, so the number of its places is
// limited; and a tenant gets at most a share of them, so that no tenant keeps the others out. Guests of a tenant, strangers to it and to each other, share what it
// leaves them: an address uses places that no other address wants, and gives way once others have fewer.
import { TENANT_SHARE } from './limits/connections.ts'
import { Problem } from './problems.ts'

/** Gives a place back; doing so again is harmless. */
export type Leave = () => void

export interface Places {
  /**
   * Where all are taken, a slow holder loses its place. Where all are, or the tenant's share is, so does a slow guest, or the guest with the most places: to
   * the tenant's own people always, to a guest who still has fewer then.
   * @throws {Problem} 409 while the tenant has its share, 503 while no place is free
   */
  take(tenant: string, holder?: Holder): Leave
  /** Undefined where `take` would refuse. No holder loses its place. */
  tryTake(tenant: string): Leave | undefined
}

/** The work of a client that may be slow, which holds a place. */
export interface Holder {
  isSlow(): boolean
  /** Ends the work: its place has been given to another. */
  end(why: Why): void
  /** The address of a client without a key of the tenant; absent where it has one. */
  guest?: string
}

/** It was slow, or a guest who has most of the places. */
export type Why = 'slow' | 'most'

export interface Kind {
  /** Places of the process. */
  all: number
  /** The code of the 409. */
  code: string
  /** The work that holds them, as in "16 downloads". */
  what: string
  /** What a tenant can do instead when its share is taken. */
  instead: string
}

export const shareOf = (all: number): number => Math.max(1, Math.floor(all * TENANT_SHARE))

export function createPlaces({ all, code, what, instead }: Kind): Places {
  const share = shareOf(all)
  const held = new Set<Place>()

  function hold(tenant: string, holder?: Holder): Leave {
    const place = { tenant, holder }
    held.add(place)
    return () => void held.delete(place)
  }

  const of = (tenant: string): Place[] => [...held].filter(each => each.tenant === tenant)
  const hasShare = (tenant: string): boolean => of(tenant).length >= share

  function end(place: Place | undefined, why: Why): boolean {
    if (!place) return false
    held.delete(place)
    place.holder?.end(why)
    return true
  }

  const endSlow = (places: Place[]): boolean => end(places.find(isSlow), 'slow')
  const endGuest = (places: Place[], taker: Holder | undefined): boolean => end(ofGreediest(places, taker?.guest), 'most')

  return {
    take(tenant, holder) {
      if (hasShare(tenant)) {
        const own = of(tenant)
        if (!endSlow(own.filter(isGuest)) && !endGuest(own, holder))
          throw new Problem('conflict', `${share} ${what} of this workspace are under way; ${instead}.`, { code }, RETRY)
      }
      if (held.size >= all && !endSlow([...held]) && !endGuest([...held], holder))
        throw new Problem('service-unavailable', `Too many ${what} are under way just now; try again.`, {}, RETRY)
      return hold(tenant, holder)
    },
    tryTake: tenant => (held.size < all && !hasShare(tenant) ? hold(tenant) : undefined),
  }
}

interface Place {
  tenant: string
  holder: Holder | undefined
}

const isSlow = ({ holder }: Place): boolean => holder?.isSlow() === true
const isGuest = ({ holder }: Place): boolean => holder?.guest !== undefined

/**
 * The latest place of the guest who has the most of these.
 * @param taker the guest who wants one; undefined for those who are none
 * @returns undefined where there is none, or that guest would have fewer than the taker afterwards
 */
function ofGreediest(places: Place[], taker: string | undefined): Place | undefined {
  const counts = new Map<string, number>()
  for (const { holder } of places) if (holder?.guest !== undefined) counts.set(holder.guest, (counts.get(holder.guest) ?? 0) + 1)
  const [guest, most] = [...counts].reduce((a, b) => (b[1] > a[1] ? b : a), ['', 0])
  if (most === 0 || (taker !== undefined && most < (counts.get(taker) ?? 0) + 2)) return undefined
  return places.findLast(each => each.holder?.guest === guest)
}

const RETRY = { 'Retry-After': '5' }
