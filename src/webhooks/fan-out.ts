// From an event to jobs: delivery rows in the event's transaction, wake-ups after its commit. Rows are the truth; a lost wake-up only
// costs the second until the sweep.
import type { Listener } from '../events/emit.ts'
import { batched } from '../postgres/batch.ts'
import { afterCommit, type Database } from '../postgres/sql.ts'
import * as store from './delivery-store.ts'

let wake: (endpoints: store.EndpointRef[]) => void = () => {}

/** Owes events to the endpoints that subscribe to them. They are woken when the transaction is durable. */
export const owing: Listener = {
  owes: store.owed,
  heard(tx, rows) {
    const endpoints = rows as store.EndpointRef[]
    if (endpoints.length > 0) afterCommit(tx, () => wake(endpoints))
  },
}

/**
 * From here on this process wakes endpoints through `db`. Wake-ups of many requests share a statement: NOTIFY, which adding a job does,
 * takes a lock that serialises commits through the disk, and inside the orders' own transactions it cost three quarters of their rate.
 * @returns what waits until those asked for so far are awake, to be called before `db` is closed
 */
export function wakeThrough(db: Database, onError: (error: unknown) => void): () => Promise<void> {
  const wakeTogether = batched<store.EndpointRef[], void>(async batch => {
    const unique = [...new Map(batch.flat().map(each => [each.endpoint, each])).values()]
    await store.wake(db.sql, unique)
    return batch.map(() => undefined)
  })
  let last = Promise.resolve()
  wake = endpoints => {
    last = wakeTogether(endpoints).catch(onError)
  }
  return () => last
}
