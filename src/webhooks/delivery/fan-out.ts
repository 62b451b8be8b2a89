// From an event to workers: delivery rows in the event's transaction, wake-ups after its commit. Rows are the truth: a lost wake-up costs no more than
// the second until the sweep.
import type { Listener } from '../../events/emit.ts'
import type { Ref } from '../../ids.ts'
import { WEBHOOKS_TOLD_MAX } from '../../limits/webhooks.ts'
import { batched } from '../../postgres/batch.ts'
import { LOCKED, pastLock } from '../../postgres/past-lock.ts'
import { afterCommit, type Database } from '../../postgres/sql.ts'
import { setWake, wakeNow } from '../endpoints/wake.ts'
import { foretell, foretellFrom, learn, untold } from './foretell.ts'
import * as store from './store.ts'

/**
 * Inserts a pending delivery for each endpoint that subscribes to an event. The endpoints are woken when the transaction is durable: with its COMMIT those that
 * had the last such event, and the others after it.
 */
export const deliveryListener: Listener = {
  beforeInsert: foretell,
  inserts: () => store.insertDeliveries,
  onInserted(tx, rows, events) {
    const endpoints = rows as Ref[]
    learn(events, endpoints)
    if (endpoints.length > 0) afterCommit(tx, () => wakeNow(untold(tx, endpoints)))
  },
}

export interface Waking {
  /** Gives an endpoint to the queue. */
  queue: (endpoint: Ref) => void
  /** Waits until the endpoints asked for so far are awake, to be called before the database is closed. */
  allAwake(): Promise<void>
}

/**
 * From here on this process wakes endpoints through `db`. Wake-ups of many requests share a statement: NOTIFY takes a lock that serialises
 * commits through the disk, and inside the orders' own transactions it cost three quarters of their rate.
 */
export function wakeThrough(db: Database, onError: (error: unknown) => void): Waking {
  /** Endpoints whose rows were locked, and whose wake-up is being tried again. */
  const skipped = new Set<string>()
  const together = (by: (endpoints: Ref[]) => Promise<Ref[]>) =>
    batched<Ref[], void>(async batch => {
      const unique = [...new Map(batch.flat().map(each => [each.id, each])).values()]
      for (const each of await by(unique)) wakeSkipped(each)
      return batch.map(() => undefined)
    })
  const queued = together(endpoints => store.wake(db.sql, endpoints))
  const woken = together(endpoints => (endpoints.length > WEBHOOKS_TOLD_MAX ? store.wake : store.tell)(db.sql, endpoints))
  // Runs by itself, so that the other endpoints do not wait.
  function wakeSkipped(endpoint: Ref): void {
    if (skipped.has(endpoint.id)) return
    skipped.add(endpoint.id)
    pastLock(async () => ((await store.wake(db.sql, [endpoint])).length > 0 ? LOCKED : undefined))
      .catch(onError)
      .finally(() => skipped.delete(endpoint.id))
  }
  let [lastQueued, lastWoken] = [Promise.resolve(), Promise.resolve()]
  setWake(endpoints => {
    lastWoken = woken(endpoints).catch(onError)
  })
  const foretold = foretellFrom()
  return {
    queue(endpoint) {
      lastQueued = queued([endpoint]).catch(onError)
    },
    async allAwake() {
      await foretold()
      await Promise.all([lastQueued, lastWoken])
    },
  }
}
