// Wakes channels that have something to send, when that is durable. Each process hands over how at its start.
import type { Ref } from '../../ids.ts'
import { afterCommit, type Tx } from '../../postgres/sql.ts'

let wake: (channels: Ref[]) => void = () => {}

export function setWake(by: typeof wake): void {
  wake = by
}

/** Wakes these channels when the transaction has committed. */
export const wakeAfter = (tx: Tx, channels: Ref[]): void => afterCommit(tx, () => wake(channels))
