// Callbacks are kept first and applied after: what came is durable before its sender hears so, whether or not we understand it.
import type { Caller } from '../caller.ts'
import { newId, type Ref } from '../ids.ts'
import { REAPPLY_MAX } from '../limits/callbacks.ts'
import { audit } from '../postgres/audit.ts'
import { batched } from '../postgres/batch.ts'
import { statements } from '../postgres/combine.ts'
import { afterCommit, type Database, type Sql, type Tx } from '../postgres/sql.ts'
import type { KindName } from './kind.ts'
import * as leases from './lease-store.ts'
import * as store from './store.ts'
import { TOLD_TOGETHER, tellSources } from './told.ts'

export { exists as hasSource } from './lease-store.ts'
export { type Line, list as log, one, type Status } from './log-store.ts'

/** From now on callbacks of this channel or provider can be kept. To be called in the transaction that makes it. */
export const openSource = (tx: Tx, ref: Ref, kind: KindName): Promise<void> => leases.insert(tx, ref, kind)

/** Its callbacks are taken, and wait. */
export const pauseSource = (tx: Tx, ref: Ref): Promise<void> => leases.disable(tx, ref)

/** They are applied again, with those that have waited. */
export const resumeSource = (tx: Tx, ref: Ref): Promise<void> => leases.enable(tx, ref)

/**
 * Gives callbacks that failed another try, the oldest first: REAPPLY_MAX of them, or one.
 * @returns how many
 */
export async function reapply(tx: Tx, caller: Caller, source: string, callback?: string): Promise<number> {
  const ref = { tenant: caller.tenant, id: source }
  const count = await store.reapply(tx, ref, callback, REAPPLY_MAX)
  if (count === 0) return 0
  await audit(tx, caller, 'callback.reapply', source, { count, ...(callback !== undefined && { callback_id: callback }) })
  await leases.leases.enqueue(tx, ref)
  return count
}

let wakeSources: (sources: Ref[]) => void = () => {}

/** How sources are woken for what `keepIn` keeps: the process of the turns hands it over at its start. A wake-up that is lost is made up for by the sweep. */
export function setWake(by: typeof wakeSources): void {
  wakeSources = by
}

/** Keeps callbacks as a part of a transaction: those that came to another source than they are of. Their sources are woken when it has committed. */
export async function keepIn(tx: Tx, kept: { source: Ref; text: string }[]): Promise<void> {
  if (kept.length === 0) return
  await store.insertAll(
    tx,
    kept.map(({ source, text }) => ({ tenant: source.tenant, source: source.id, id: newId('cbk'), text })),
  )
  const sources = unique(kept.map(({ source }) => source))
  afterCommit(tx, () => wakeSources(sources))
}

/** Keeps callbacks in a process. */
export interface Keeping {
  /**
   * Durable when it resolves; then its source is woken.
   * @param text JSON without line breaks in its strings, as JSON.parse takes it
   * @returns the callback's id
   */
  keep(source: Ref, text: string): Promise<string>
  /** Waits until the sources of what was kept are awake, to be called before the database is closed. */
  allAwake(): Promise<void>
}

/** Workers are told of up to this many sources directly. More are given to the queue, which serves tenants in turn and is shared by all workers. */
const TOLD_MAX = 500
/** How long workers are not told of sources after none of them lived. */
const ALONE_MS = 1_000

/** Callbacks in one statement. */
const KEPT_TOGETHER = 500
/** … and for how many a second one begins while one waits for the disk: two small ones cost twice as much as one. */
const KEPT_BESIDE = 16

/** @param onError of a wake-up: what is kept is applied all the same, some seconds later */
export function createKeeping({ sql, keepLanes }: Pick<Database, 'sql' | 'keepLanes'>, onError: (error: unknown) => void): Keeping {
  const lanes = [...keepLanes]
  // By performance.now(): where no worker lives, the queue is asked at once for a while.
  let alone = 0
  const mayTell = (): boolean => performance.now() > alone
  const wake = batched<Ref[], void>(async batch => {
    const sources = unique(batch.flat())
    if (!(mayTell() && sources.length <= TOLD_MAX && (await tell(sql, sources)))) await leases.wake(sql, sources)
    return batch.map(() => undefined)
  })
  async function tell(on: Sql, sources: Ref[]): Promise<boolean> {
    const told = await tellSources(on, sources)
    if (!told) alone = performance.now() + ALONE_MS
    return told
  }

  /** Sent behind the statement that inserts, on its connection: a worker hears as soon as that has committed, and not a round trip later. */
  const tellBehind = (lane: Sql, sources: Ref[]): Promise<boolean> =>
    mayTell() && sources.length <= TOLD_TOGETHER ? tell(lane, sources) : Promise.resolve(false)

  // The last call of `wake`: all before it end before it.
  let lastAwake = Promise.resolve()
  const insert = batched<store.Kept, void>(
    async batch => {
      // As many inserts are under way at once as there are lanes.
      const lane = lanes.pop() as Sql
      try {
        for (const together of statements(batch)) {
          const sources = unique(together.map(({ tenant, source }) => ({ tenant, id: source })))
          const inserted = store.insertAll(lane, together)
          const told = tellBehind(lane, sources)
          told.catch(() => {})
          await inserted
          lastAwake = told.then(wasTold => (wasTold ? undefined : wake(sources))).catch(onError)
        }
      } finally {
        lanes.push(lane)
      }
      return batch.map(() => undefined)
    },
    KEPT_TOGETHER,
    lanes.length,
    undefined,
    KEPT_BESIDE,
  )
  return {
    async keep({ tenant, id: source }, text) {
      const id = newId('cbk')
      await insert({ tenant, source, id, text })
      return id
    },
    allAwake: () => lastAwake,
  }
}

const unique = (sources: Ref[]): Ref[] => [...new Map(sources.map(each => [each.id, each])).values()]
