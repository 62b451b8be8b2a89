// Wakes what serves flows, when there is something to serve: the matching of a workspace's events, and the runs of an app. Each process hands over how at
// its start. Nothing relies on it: the sweep finds what was not told.
import type { Ref } from '../../ids.ts'
import { batched, spaced } from '../../postgres/batch.ts'
import { afterCommit, type Sql, type Tx } from '../../postgres/sql.ts'
import { tell } from '../../queue/tell.ts'

let wake: (rows: Ref[]) => void = () => {}

/** Wakes the matching of these workspaces' events when the transaction has committed. */
export const wakeMatchingAfter = (tx: Tx, tenants: string[]): void => afterCommit(tx, () => wake(tenants.map(matchingOf)))

/** Wakes the runs of these apps when the transaction has committed. */
export const wakeRunsAfter = (tx: Tx, apps: Ref[]): void => afterCommit(tx, () => wake(apps))

const MATCHING = 'matching/'
/** What a worker is told of a workspace. */
export const matchingOf = (tenant: string): Ref => ({ tenant, id: MATCHING + tenant })
/** Whether it is told of a workspace's events. */
export const isMatching = ({ id }: Ref): boolean => id.startsWith(MATCHING)

/** Rows of one message: two ids take 62 bytes, and NOTIFY carries 8 000. */
const TOLD_MAX = 100
const SPACING = { msEach: 2, mostMs: 20, full: TOLD_MAX }

/**
 * From here on this process wakes through `sql`; wake-ups of many requests share a statement.
 * @returns waits until all is told that was to be, to be called before the database is closed
 */
export function wakeFlowsThrough(sql: Sql, onError: (error: unknown) => void): () => Promise<void> {
  const { flush, turn } = spaced(async (batch: Ref[][]): Promise<undefined[]> => {
    const rows = [...new Map(batch.flat().map(each => [`${each.tenant} ${each.id}`, each])).values()]
    for (let at = 0; at < rows.length; at += TOLD_MAX) await tell(sql, rows.slice(at, at + TOLD_MAX))
    return batch.map(() => undefined)
  }, SPACING)
  const told = batched(flush, undefined, undefined, turn)
  let last = Promise.resolve()
  wake = rows => {
    last = told(rows).catch(onError)
  }
  return () => last
}
