// Self-clocked batching: items that arrive during a flush go out in the next one. There is no timer: a lone item leaves as soon as the input
// that came with it is read. Only flushes caused by callers without a key are paced.
import { setTimeout as delay } from 'node:timers/promises'

/** As `batched`, with a batch of its own for each connection. */
export function batchedOn<On extends object, Item, Result>(
  flush: (on: On, items: Item[]) => Promise<Result[]>,
  max?: number,
  atATime?: number,
  enough?: number,
) {
  const batches = new WeakMap<On, (item: Item) => Promise<Result>>()
  return (on: On, item: Item): Promise<Result> => {
    let add = batches.get(on)
    if (!add) {
      add = batched((items: Item[]) => flush(on, items), max, atATime, undefined, enough)
      batches.set(on, add)
    }
    return add(item)
  }
}

/**
 * @param flush takes a batch in order of arrival and returns as many results
 * @param max items of a batch
 * @param atATime flushes under way at once
 * @param turn resolves when a flush may begin: items that have arrived by then go with it
 * @param enough items for which a flush begins beside others; fewer wait for the end of one
 * @returns a function that adds one item and resolves with its result, or rejects with what its flush rejected with
 */
export function batched<Item, Result>(
  flush: (items: Item[]) => Promise<Result[]>,
  max = 1000,
  atATime = 1,
  turn?: () => Promise<void>,
  enough = 1,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let flushing = 0

  async function run(): Promise<void> {
    while (waiting.length > 0 && (flushing === 1 || waiting.length >= enough)) {
      if (turn) await turn()
      const batch = waiting.slice(0, max)
      // Another flush had its turn meanwhile, and took them all.
      if (batch.length === 0) break
      waiting = waiting.slice(max)
      try {
        const results = await flush(batch.map(each => each.item))
        batch.forEach((each, index) => {
          each.resolve(results[index] as Result)
        })
      } catch (error) {
        for (const each of batch) each.reject(error)
      }
    }
    flushing--
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (flushing === atATime || (flushing > 0 && waiting.length < enough)) return
      flushing++
      setImmediate(run)
    })
}

/** Up to `burst` flushes are saved up, one more every `everyMs`. Each waits `gatherMs` for further items. */
export interface Pace {
  burst: number
  everyMs: number
  gatherMs: number
}

export interface Paced {
  /** How long it is until a flush may begin to gather; 0 where it may now. */
  waitMs(): number
  /** Resolves when a flush may begin, and has then used its turn. */
  turn(): Promise<void>
}

export function paced({ burst, everyMs, gatherMs }: Pace): Paced {
  // The time until which turns are used up, of performance.now().
  let usedUntil = 0
  const waitMs = (): number => Math.max(0, usedUntil - (burst - 1) * everyMs - performance.now())
  return {
    waitMs,
    async turn() {
      const ms = waitMs() + gatherMs
      if (ms > 0) await delay(ms, undefined, { ref: false })
      usedUntil = Math.max(usedUntil, performance.now()) + everyMs
    },
  }
}

/** Keeps flushes apart by as much as the last one took: alone an item goes at once, and where items are many, those of a moment go together. */
export interface Spacing {
  /** For each item of the flush before. */
  msEach: number
  /** After the largest flush … */
  mostMs: number
  /** … but for one of so many items: more of them may wait, and it has gathered enough. */
  full: number
}

/** @returns the flush and the turn to give to `batched` */
export function spaced<Item, Result>(
  flush: (items: Item[]) => Promise<Result[]>,
  { msEach, mostMs, full }: Spacing,
): { flush: (items: Item[]) => Promise<Result[]>; turn: () => Promise<void> } {
  // By performance.now().
  let nextAt = 0
  return {
    flush(items) {
      nextAt = items.length >= full ? 0 : performance.now() + Math.min(items.length * msEach, mostMs)
      return flush(items)
    },
    async turn() {
      const ms = nextAt - performance.now()
      if (ms > 0) await delay(ms, undefined, { ref: false })
    },
  }
}

/**
 * As `batched`, but that items which may wait are gathered for as long as `spacing` says. One that may not wait takes with it those that do.
 * @param max items of a batch
 */
export function patient<Item, Result>(
  flush: (items: Item[]) => Promise<Result[]>,
  max: number,
  spacing: Spacing,
): (item: Item, mayWait: boolean) => Promise<Result> {
  const gathering = spaced(flush, spacing)
  let isUrgent = false
  let hurry = (): void => {}
  const add = batched(
    (items: Item[]) => {
      isUrgent = false
      return gathering.flush(items)
    },
    max,
    1,
    async () => {
      if (isUrgent) return
      const hurried = new Promise<void>(resolve => {
        hurry = resolve
      })
      await Promise.race([gathering.turn(), hurried])
    },
  )
  return (item, mayWait) => {
    const added = add(item)
    if (!mayWait) {
      isUrgent = true
      hurry()
    }
    return added
  }
}
