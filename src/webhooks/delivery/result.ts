// The result of an attempt as it is to be recorded, and the outcome of the record.
import type { Ref } from '../../ids.ts'
import type { Attempted } from './attempt.ts'
import type { Health } from './health.ts'
import type { Lease } from './take-store.ts'

export interface Result {
  slice: ResultSlice
  event: string
  /** The number of the attempt. */
  attempt: number
  state: 'pending' | 'succeeded' | 'failed'
  /** Milliseconds since 1970. */
  dueAt: number
  made: Attempted
  /** The endpoint's health after this result. */
  health: Health
  /** For an ordered endpoint: when the failed delivery is tried again; nothing is sent before. Milliseconds since 1970. */
  waits?: number | undefined
  /** Its record may wait some moments for those of others: nothing waits for it but room. */
  mayWait?: boolean
  /** The slice's last result, unless more is due. */
  ends: boolean
}

export interface Recorded {
  /** The lease is held, and the endpoint is as it was when the lease was taken. */
  current: boolean
  /** The result counts for the endpoint's health. */
  judged: boolean
  /** The lease is gone, with its job if there was one: nothing more was due. */
  ended: boolean
}

/** What the results of a slice have in common: one object for all of them. */
export interface ResultSlice {
  endpoint: Ref
  /** The lease's that the attempts were made under. */
  token: string
  /** The queue's id of its job, if it has one. */
  job: string | null
  /** The endpoint's, as it was when the lease was taken. */
  lease: Pick<Lease, 'version' | 'slate'>
}
