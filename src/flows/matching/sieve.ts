// The flows whose numbers may fit an event, without a look at each: a thousand that ask for a larger order than this one take a few comparisons.
import type { boundOf, Held } from '../language/conditions.ts'

/** A condition made ready. */
export interface Prepared {
  /** The place of the path among those of all. */
  path: number
  held: Held
  /** As of `boundOf`. */
  bound: ReturnType<typeof boundOf>
}

/** Flows in the order in which they begin. */
export interface Sieve<Flow> {
  flows: Flow[]
  /** The places of flows that compare no number. */
  others: number[]
  /** Those that do, once each, by what they compare. */
  ranges: Range[]
}

interface Range {
  /** The place of the path. */
  path: number
  /** 1: the number must be at least the bound. -1: at most. */
  sign: 1 | -1
  /** Bounds times the sign, ascending, so that those that may fit come first … */
  bounds: number[]
  /** … and the places of their flows. */
  places: number[]
}

export function sieveOf<Flow extends { conditions: Prepared[] }>(flows: Flow[]): Sieve<Flow> {
  const others: number[] = []
  const found = new Map<string, { path: number; sign: 1 | -1; entries: [bound: number, place: number][] }>()
  for (const [place, { conditions }] of flows.entries()) {
    const first = conditions.find(({ bound }) => bound !== undefined)
    if (first?.bound === undefined) {
      others.push(place)
      continue
    }
    const { path, bound } = first
    const [sign, value]: [1 | -1, number] = 'least' in bound ? [1, bound.least] : [-1, -bound.most]
    const key = `${path} ${sign}`
    const range = found.get(key) ?? { path, sign, entries: [] }
    range.entries.push([value, place])
    found.set(key, range)
  }
  const ranges = [...found.values()].map(({ path, sign, entries }) => {
    entries.sort(([one], [other]) => one - other)
    return { path, sign, bounds: entries.map(([bound]) => bound), places: entries.map(([, place]) => place) }
  })
  return { flows, others, ranges }
}

/** @param met what each path leads to @returns all flows that may begin, in their order: their conditions are still to be looked at */
export function candidates<Flow>({ flows, others, ranges }: Sieve<Flow>, met: unknown[]): Flow[] {
  const fitting = ranges.flatMap(({ path, sign, bounds, places }) => {
    const value = met[path]
    return typeof value === 'number' ? places.slice(0, countUpTo(bounds, sign * value)) : []
  })
  if (fitting.length === 0) return others.length === flows.length ? flows : others.map(place => flows[place] as Flow)
  return [...others, ...fitting].sort((one, other) => one - other).map(place => flows[place] as Flow)
}

/** How many of these ascending bounds are not above the value. */
function countUpTo(bounds: number[], value: number): number {
  let [low, high] = [0, bounds.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((bounds[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}
