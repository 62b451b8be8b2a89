// Places of a process that tenants share. What is held for as long as a client likes takes memory and statements, so there is a number of it;
// and a tenant has a share of that number at most, so that no tenant keeps the others out.
import { TENANT_SHARE } from './limits.ts'
import { Problem } from './problems.ts'

/** Gives a place back; doing so again is harmless. */
export type Leave = () => void

export interface Places {
  /**
   * Where all are taken, that of a slow holder is taken from it.
   * @throws {Problem} 409 while the tenant has its share, 503 while no place is free
   */
  take(tenant: string, holder?: Holder): Leave
  /** Undefined where `take` would refuse. No place is taken from a holder. */
  tryTake(tenant: string): Leave | undefined
}

/** What holds a place for a client that may be slow. */
export interface Holder {
  isSlow(): boolean
  /** Ends what is under way: its place is another's. */
  end(): void
}

export interface Kind {
  /** Places of the process. */
  all: number
  /** Of the 409. */
  code: string
  /** What holds them, as in "16 downloads". */
  what: string
  /** What else a tenant can do that has its share. */
  instead: string
}

export const shareOf = (all: number): number => Math.max(1, Math.floor(all * TENANT_SHARE))

export function createPlaces({ all, code, what, instead }: Kind): Places {
  const share = shareOf(all)
  const held = new Set<{ tenant: string; holder: Holder | undefined }>()

  function hold(tenant: string, holder?: Holder): Leave {
    const place = { tenant, holder }
    held.add(place)
    return () => void held.delete(place)
  }

  const hasShare = (tenant: string): boolean => [...held].filter(each => each.tenant === tenant).length >= share

  function endSlowOne(): boolean {
    const slow = [...held].find(({ holder }) => holder?.isSlow())
    if (!slow) return false
    held.delete(slow)
    slow.holder?.end()
    return true
  }

  return {
    take(tenant, holder) {
      if (hasShare(tenant)) throw new Problem('conflict', `${share} ${what} of this workspace are under way; ${instead}.`, { code }, RETRY)
      if (held.size >= all && !endSlowOne())
        throw new Problem('service-unavailable', `Too many ${what} are under way just now; try again.`, {}, RETRY)
      return hold(tenant, holder)
    },
    tryTake: tenant => (held.size < all && !hasShare(tenant) ? hold(tenant) : undefined),
  }
}

const RETRY = { 'Retry-After': '5' }
