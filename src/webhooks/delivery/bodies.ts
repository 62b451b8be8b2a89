// Large bodies of events under way. A process keeps one copy of each, however many endpoints it goes to, and all of them together stay within a budget
// of bytes. Live deliveries and recoveries share the budget, and tenants take turns at it (src/fair-queue.ts). Small bodies come with their
// claims and wait for nothing.

import { createFairQueue, type Waiter } from '../../fair-queue.ts'
import type { Ref } from '../../ids.ts'
import { LARGE_BODIES_BYTES } from '../../limits/webhooks.ts'
import { batched } from '../../postgres/batch.ts'
import type { Queryable } from '../../postgres/sql.ts'
import { createTicker } from '../../ticker.ts'
import { loadAll } from './bodies-store.ts'

export interface Bodies {
  /**
   * Waits for room, then for the body.
   * @param bytes how long it is
   * @param wanted asked now and then whether the caller still waits
   * @returns undefined: the body is no longer wanted, or its event no longer exists
   */
  take(event: Ref, bytes: number, wanted: () => boolean): Promise<Body | undefined>
  /** Bytes of the budget in use. */
  held(): number
}

export interface Body {
  bytes: Buffer
  /** The body is sent: its memory can be released. */
  leave(): void
}

/** Bodies read by one statement: few enough that the first need not wait long for the last. */
const LOADED_AT_ONCE = 16
const STATEMENTS_AT_ONCE = 2
/** How late a wait that is no longer wanted may end. */
const LOOK_MS = 50

export function createBodies(sql: Queryable, budget: number = LARGE_BODIES_BYTES): Bodies {
  const room = createFairQueue(budget)
  const shared = new Map<string, SharedBody>()
  const load = batched((events: Ref[]) => loadAll(sql, events), LOADED_AT_ONCE, STATEMENTS_AT_ONCE)
  let held = 0

  function begin(event: Ref, bytes: number): SharedBody {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>()
    // When all callers have given up, its rejection must not count as unhandled.
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
    shared.set(event.id, entry)
    return entry
  }

  function leave(event: Ref, entry: SharedBody): void {
    if (--entry.users > 0) return
    // A later request for the same body queues anew.
    shared.delete(event.id)
    // A body that is being read still takes memory.
    if (!entry.loading) end(entry)
  }

  function end(entry: SharedBody): void {
    if (entry.inside) held -= entry.weight
    room.leave(entry)
  }

  return {
    async take(event, bytes, wanted) {
      const known = shared.get(event.id)
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

/** A body in use, or waited for. */
interface SharedBody extends Waiter {
  weight: number
  users: number
  /** It has room in the budget. */
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
