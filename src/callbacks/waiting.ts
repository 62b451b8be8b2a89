// Sources that wait for a turn in one process. Tenants take turns.
import type { Ref } from '../ids.ts'

/** A source, and since when it waits, by performance.now(). */
export interface Waits extends Ref {
  since: number
}

export interface Waiting {
  size(): number
  has(ref: Ref): boolean
  /** One that waits already waits since the earlier time. */
  add(source: Waits): void
  /** Takes up to `most` of those that `may` have their turn now: of each tenant one, then of each another one. */
  take(most: number, may: (ref: Ref) => boolean): Waits[]
  /** All of them. */
  all(): Iterable<Waits>
}

export function createWaiting(): Waiting {
  let count = 0
  /** Sources of each tenant, in the order of the tenants' turns. */
  const tenants = new Map<string, Map<string, Waits>>()

  function takeFrom(tenant: string, rows: Map<string, Waits>, may: (ref: Ref) => boolean): Waits | undefined {
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
    add(source) {
      const rows = tenants.get(source.tenant) ?? new Map<string, Waits>()
      const before = rows.get(source.id)
      if (!before) count++
      if (!before || source.since < before.since) rows.set(source.id, source)
      tenants.set(source.tenant, rows)
    },
    take(most, may) {
      const taken: Waits[] = []
      for (let before = -1; before < taken.length && taken.length < most; ) {
        before = taken.length
        for (const [tenant, rows] of [...tenants]) {
          const ref = taken.length < most ? takeFrom(tenant, rows, may) : undefined
          if (ref) taken.push(ref)
        }
      }
      return taken
    },
    all: () => tenants.values().flatMap(rows => rows.values()),
  }
}
