// Sources that wait for a turn in one process. Tenants take turns.
import type { Ref } from '../ids.ts'

export interface Waiting {
  size(): number
  has(ref: Ref): boolean
  add(ref: Ref): void
  /** Takes up to `most` of those that `may` have their turn now: of each tenant one, then of each another one. */
  take(most: number, may: (ref: Ref) => boolean): Ref[]
}

export function createWaiting(): Waiting {
  let count = 0
  /** Sources of each tenant, in the order of the tenants' turns. */
  const tenants = new Map<string, Map<string, Ref>>()

  function takeFrom(tenant: string, rows: Map<string, Ref>, may: (ref: Ref) => boolean): Ref | undefined {
    const ref = rows.values().find(may)
    if (!ref) return undefined
    rows.delete(ref.id)
    count--
    // Its next turn comes after those of the other tenants.
    tenants.delete(tenant)
    if (rows.size > 0) tenants.set(tenant, rows)
    return ref
  }

  return {
    size: () => count,
    has: ({ tenant, id }) => tenants.get(tenant)?.has(id) === true,
    add(ref) {
      const rows = tenants.get(ref.tenant) ?? new Map<string, Ref>()
      if (!rows.has(ref.id)) count++
      tenants.set(ref.tenant, rows.set(ref.id, ref))
    },
    take(most, may) {
      const taken: Ref[] = []
      for (let before = -1; before < taken.length && taken.length < most; ) {
        before = taken.length
        for (const [tenant, rows] of [...tenants]) {
          const ref = taken.length < most ? takeFrom(tenant, rows, may) : undefined
          if (ref) taken.push(ref)
        }
      }
      return taken
    },
  }
}
