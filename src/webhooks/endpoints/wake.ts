// Wakes endpoints when a change is durable. Delivery knows how; each process hands that over at its start.
import type { Ref } from '../../ids.ts'
import { afterCommit, type Tx } from '../../postgres/sql.ts'

let wake: (endpoints: Ref[]) => void = () => {}

export function setWake(by: typeof wake): void {
  wake = by
}

/** Wakes these endpoints, which can be sent to now, when that is durable. */
export const wakeAfter = (tx: Tx, endpoints: Ref[]): void => afterCommit(tx, () => wake(endpoints))

/** Wakes these endpoints now. */
export const wakeNow = (endpoints: Ref[]): void => {
  if (endpoints.length > 0) wake(endpoints)
}
