// Bodies of events under way: of each there is one copy in a process, however many webhooks it goes to, and all of them together take no more bytes
// than are set aside for them. Live deliveries and recoveries share these, and tenants by turns (src/outbound/fair-queue.ts). Small bodies come with
// what is due and wait for nothing.
import { LARGE_BODIES_BYTES } from '../../limits.ts'
import { createFairQueue, type Visitor } from '../../outbound/fair-queue.ts'
import { batched } from '../../postgres/batch.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { createTicker } from '../../ticker.ts'
import { type EventRef, loadAll } from './bodies-store.ts'

export interface Bodies {
  /**
   * Waits for room, then for the body.
   * @param bytes how long it is
   * @param wanted asked now and then whether it is waited for still
   * @returns undefined: it is no longer wanted, or there is no such event any more
   */
  take(event: EventRef, bytes: number, wanted: () => boolean): Promise<Body | undefined>
  /** Bytes there are of it now. */
  held(): number
}

export interface Body {
  bytes: Buffer
  /** It is sent: nobody reads it here any more. */
  leave(): void
}

/** Bodies of one statement: what has room is read at once, but not all of it waits for the last. */
const LOADED_AT_ONCE = 16
const STATEMENTS_AT_ONCE = 2
/** So much later a wait ends that nobody wants any more. */
const LOOK_MS = 50

export function createBodies(sql: Queryable, budget: number = LARGE_BODIES_BYTES): Bodies {
  const room = createFairQueue(budget)
  const shared = new Map<string, SharedBody>()
  const load = batched((events: EventRef[]) => loadAll(sql, events), LOADED_AT_ONCE, STATEMENTS_AT_ONCE)
  let held = 0

  function begin(event: EventRef, bytes: number): SharedBody {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
    // Where all who waited have gone, nobody hears of it.
    promise.catch(() => {})
    const entry: SharedBody = {
      tenant: event.tenant,
      weight: bytes,
      users: 0,
      inside: false,
      loading: false,
      loaded: promise,
      begin() {
        if (entry.users === 0) return
        entry.inside = true
        entry.loading = true
        held += bytes
        load(event)
          .then(resolve, reject)
          .finally(() => {
            entry.loading = false
            if (entry.users === 0) end(entry)
          })
      },
    }
    shared.set(event.event, entry)
    return entry
  }

  function leave(event: EventRef, entry: SharedBody): void {
    if (--entry.users > 0) return
    // Whoever asks for it from now on has a place of his own.
    shared.delete(event.event)
    // What is on its way takes memory still.
    if (!entry.loading) end(entry)
  }

  function end(entry: SharedBody): void {
    if (entry.inside) held -= entry.weight
    room.leave(entry)
  }

  return {
    async take(event, bytes, wanted) {
      const known = shared.get(event.event)
      const entry = known ?? begin(event, bytes)
      entry.users++
      if (!known) room.enter(entry)
      let left = false
      const leaveOnce = () => {
        if (!left) leave(event, entry)
        left = true
      }
      try {
        const loaded = await whileWanted(entry.loaded, wanted)
        if (loaded) return { bytes: loaded, leave: leaveOnce }
      } catch (error) {
        leaveOnce()
        throw error
      }
      leaveOnce()
      return undefined
    },
    held: () => held,
  }
}

/** A body that somebody uses or waits for. */
interface SharedBody extends Visitor {
  weight: number
  users: number
  /** It has room. */
  inside: boolean
  loading: boolean
  loaded: Promise<Buffer | undefined>
}

interface Waiting {
  wanted: () => boolean
  giveUp: () => void
}

const waiting = createTicker<Waiting>(LOOK_MS, ({ wanted, giveUp }) => void (wanted() || giveUp()))

async function whileWanted(loaded: Promise<Buffer | undefined>, wanted: () => boolean): Promise<Buffer | undefined> {
  const { promise: givenUp, resolve } = Promise.withResolvers<undefined>()
  const member = { wanted, giveUp: () => resolve(undefined) }
  waiting.add(member)
  try {
    return await Promise.race([loaded, givenUp])
  } finally {
    waiting.delete(member)
  }
}
