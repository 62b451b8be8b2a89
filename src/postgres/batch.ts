// Self-clocked batching: what arrives while a flush is under way goes out in the next one. No timer: a lone item leaves as soon as what
// came in with it is read.

/** As `batched`, with a batch of its own for each connection it is used on. */
export function batchedOn<On extends object, Item, Result>(flush: (on: On, items: Item[]) => Promise<Result[]>, max?: number) {
  const batches = new WeakMap<On, (item: Item) => Promise<Result>>()
  return (on: On, item: Item): Promise<Result> => {
    let add = batches.get(on)
    if (!add) {
      add = batched((items: Item[]) => flush(on, items), max)
      batches.set(on, add)
    }
    return add(item)
  }
}

/**
 * @param flush takes a batch in order of arrival and returns as many results
 * @param max items of a batch
 * @param atATime flushes under way at once
 * @returns a function that adds one item and resolves with its result, or rejects with what its flush rejected with
 */
export function batched<Item, Result>(
  flush: (items: Item[]) => Promise<Result[]>,
  max = 1000,
  atATime = 1,
): (item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  let waiting: Waiting[] = []
  let flushing = 0

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, max)
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
      if (flushing === atATime) return
      flushing++
      setImmediate(run)
    })
}
