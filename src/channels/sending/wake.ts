// Wakes channels that have something to send, when that is durable. Each process hands over how at its start.
import type { Ref } from '../../ids.ts'
import { batched } from '../../postgres/batch.ts'
import { afterCommit, type Sql, type Tx } from '../../postgres/sql.ts'
import { tell } from '../../queue/tell.ts'
import * as store from './wake-store.ts'

let wake: (channels: Ref[]) => void = () => {}

export function setWake(by: typeof wake): void {
  wake = by
}

/** Wakes these channels when the transaction has committed. */
export const wakeAfter = (tx: Tx, channels: Ref[]): void => afterCommit(tx, () => wake(channels))

/**
 * Workers are told of up to this many channels directly, more are given to the queue. Two ids take 62 bytes, and NOTIFY carries 8 000. A told channel that
 * finds no room goes to the queue as well, so what many cost is no more than what they would cost there.
 */
const TOLD_MAX = 100

export interface Waking {
  /** Gives a channel to the queue. */
  queue: (channel: Ref) => void
  /** Waits until the channels woken so far are awake, to be called before the database is closed. */
  allAwake(): Promise<void>
}

/** From here on this process wakes channels through `sql`. Wake-ups of many requests share a statement. */
export function wakeThrough(sql: Sql, onError: (error: unknown) => void): Waking {
  const together = (by: (channels: Ref[]) => Promise<void>) =>
    batched<Ref[], void>(async batch => {
      await by([...new Map(batch.flat().map(each => [each.id, each])).values()])
      return batch.map(() => undefined)
    })
  const queued = together(channels => store.wake(sql, channels))
  const woken = together(async channels => {
    if (channels.length > TOLD_MAX || !(await tell(sql, channels))) await store.wake(sql, channels)
  })
  let [lastQueued, lastWoken] = [Promise.resolve(), Promise.resolve()]
  setWake(channels => {
    lastWoken = woken(channels).catch(onError)
  })
  return {
    queue(channel) {
      lastQueued = queued([channel]).catch(onError)
    },
    async allAwake() {
      await Promise.all([lastQueued, lastWoken])
    },
  }
}
