// Wakes endpoints when a change is durable. How they are woken, delivery says; each process hands that over at its start.
import type { Ref } from '../../ids.ts'
import { afterCommit, type Tx } from '../../postgres/sql.ts'

let wake: (endpoints: Ref[]) => void = () => {}

export function setWake(by: typeof wake): void {
  wake = by
}

/** These endpoints can be sent to: they are woken when that is durable, if anything is due. */
export const wakeAfter = (tx: Tx, endpoints: Ref[]): void => afterCommit(tx, () => wake(endpoints))
