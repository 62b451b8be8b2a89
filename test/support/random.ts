// Repeatable chance: the same seed gives the same numbers (mulberry32).

/**
 * For fast-check: the same values in every run, so that a commit fails by what it changed. FAST_CHECK_RUNS=2000 FAST_CHECK_SEED=7 npm test -- FILE makes
 * more of them, and others.
 * @param numRuns how many values a property is held to, unless told otherwise
 */
export function drawn(numRuns = 100): { numRuns: number; seed: number } {
  const [runs, seed] = ['FAST_CHECK_RUNS', 'FAST_CHECK_SEED'].map(name => process.env[name])
  return { numRuns: Number(runs ?? numRuns), seed: Number(seed ?? 20_261_128) }
}

export interface Random {
  /** In [0, 1). */
  next(): number
  between(low: number, high: number): number
  shuffled<T>(items: readonly T[]): T[]
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    shuffled: items =>
      items
        .map(item => ({ item, place: next() }))
        .sort((a, b) => a.place - b.place)
        .map(({ item }) => item),
  }
}
