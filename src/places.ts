// Places of a process that tenants share. Work that lasts as long as a client likes takes memory and statements, so the number of its places is
// limited; and a tenant gets at most a share of them, so that no tenant keeps the others out.
import { TENANT_SHARE } from './limits/connections.ts'
import { Problem } from './problems.ts'

/** Gives a place back; doing so again is harmless. */
export type Leave = () => void

export interface Places {
  /**
   * Where all are taken, a slow holder loses its place; see also `guests`.
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
  end(): void
}

export interface Kind {
  /** Places of the process. */
  all: number
  /** The code of the 409. */
  code: string
  /** The work that holds them, as in "16 downloads". */
  what: string
  /** What a tenant can do instead when its share is taken. */
  instead: string
  /** Guests of a tenant hold them, strangers to each other: where its share is taken, a slow holder of it loses its place too. */
  guests?: true
}

export const shareOf = (all: number): number => Math.max(1, Math.floor(all * TENANT_SHARE))

export function createPlaces({ all, code, what, instead, guests }: Kind): Places {
  const share = shareOf(all)
  const held = new Set<{ tenant: string; holder: Holder | undefined }>()

  function hold(tenant: string, holder?: Holder): Leave {
    const place = { tenant, holder }
    held.add(place)
    return () => void held.delete(place)
  }

  const hasShare = (tenant: string): boolean => [...held].filter(each => each.tenant === tenant).length >= share

  /** @param of this tenant's */
  function endSlowOne(of?: string): boolean {
    const slow = [...held].find(({ tenant, holder }) => (of === undefined || tenant === of) && holder?.isSlow())
    if (!slow) return false
    held.delete(slow)
    slow.holder?.end()
    return true
  }

  return {
    take(tenant, holder) {
      if (hasShare(tenant) && !(guests && endSlowOne(tenant)))
        throw new Problem('conflict', `${share} ${what} of this workspace are under way; ${instead}.`, { code }, RETRY)
      if (held.size >= all && !endSlowOne())
        throw new Problem('service-unavailable', `Too many ${what} are under way just now; try again.`, {}, RETRY)
      return hold(tenant, holder)
    },
    tryTake: tenant => (held.size < all && !hasShare(tenant) ? hold(tenant) : undefined),
  }
}

const RETRY = { 'Retry-After': '5' }
