// Several pieces of work in one transaction, side by side. What they ask of the database at the same moment is one statement for all of them, so the work of
// ten sources costs hardly more round trips and statements than that of one. A piece does not know of the others: its statements are `gathered`.
/** What the pieces of a transaction share. */
interface Shared {
  /** Set when a piece caught an error whose effects could not be undone alone. */
  undone: { error: unknown } | undefined
}
const shared = new WeakMap<object, Shared>()

/**
 * Runs pieces of work that may not wait for each other. One alone runs as it would without this. If one of several fails, the transaction has to be given up:
 * it cannot undo the work of one, so it has no savepoints.
 * @returns the results in the order given, when all have ended; what they have gathered is sent by then
 * @throws what the first that failed has thrown
 */
export async function sideBySide<On extends object, T>(tx: On, pieces: ((tx: On) => Promise<T>)[]): Promise<T[]> {
  const [one] = pieces
  const before = shared.get(tx)
  if (!before && pieces.length <= 1) return one ? [await one(tx)] : []
  const state: Shared = before ?? { undone: undefined }
  shared.set(tx, state)
  // All end before the transaction does: else a statement of one would be sent after it.
  const ended = await Promise.allSettled(pieces.map(piece => piece(tx)))
  await gatheredIsSent()
  const results: T[] = []
  for (const each of ended) {
    if (each.status === 'rejected') throw each.reason
    results.push(each.value)
  }
  if (state.undone) throw state.undone.error
  return results
}

/** Immediates run in the order in which they were asked for. */
const gatheredIsSent = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/**
 * A statement that takes a set, as pieces of work call it with one item each: in a transaction where several run side by side, those that are asked for by the
 * time the input is read go as one.
 * @param run takes the items in the order in which they came, and returns as many results
 */
export function gathered<On extends object, Item, Result>(
  run: (tx: On, items: Item[]) => Promise<Result[]>,
): (tx: On, item: Item) => Promise<Result> {
  type Waiting = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }
  const waiting = new WeakMap<On, Waiting[]>()

  async function send(tx: On): Promise<void> {
    const batch = waiting.get(tx) ?? []
    waiting.delete(tx)
    try {
      const results = await run(
        tx,
        batch.map(each => each.item),
      )
      for (const [index, each] of batch.entries()) each.resolve(results[index] as Result)
    } catch (error) {
      for (const each of batch) each.reject(error)
    }
  }

  return async (tx, item) => {
    if (!shared.has(tx)) return (await run(tx, [item]))[0] as Result
    return new Promise((resolve, reject) => {
      const batch = waiting.get(tx)
      if (batch) return void batch.push({ item, resolve, reject })
      waiting.set(tx, [{ item, resolve, reject }])
      setImmediate(() => void send(tx))
    })
  }
}

/** In place of a savepoint, where pieces share the transaction: a failure is passed on, and ends the transaction even if it is caught. Undefined elsewhere. */
export function withoutSavepoint<On extends object>(tx: On): (<T>(work: (inner: On) => Promise<T>) => Promise<T>) | undefined {
  const state = shared.get(tx)
  if (!state) return undefined
  return async work => {
    try {
      return await work(tx)
    } catch (error) {
      state.undone ??= { error }
      throw error
    }
  }
}
