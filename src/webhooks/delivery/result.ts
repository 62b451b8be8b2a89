// What came of an attempt, as it is to be recorded, and what the record came to.
import type { Ref } from '../../ids.ts'
import type { Attempted } from './attempt.ts'
import type { Health } from './health.ts'
import type { Lease } from './lease-store.ts'

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
  /** In order nothing is sent before this: what failed is tried again then. Milliseconds since 1970. */
  waits?: number | undefined
  /** This is the slice's last result, unless more is due. */
  ends: boolean
}

export interface Recorded {
  /** The lease holds and the endpoint is as it was when that was taken. */
  current: boolean
  /** It counts for the endpoint's health. */
  judged: boolean
  /** The lease is gone, with its job if there was one: nothing more was due. */
  ended: boolean
}

/** What the results of a slice have in common: one object for all of them. */
export interface ResultSlice {
  endpoint: Ref
  /** Of the lease that the attempts were made under. */
  token: string
  /** The queue's id of its job, if it has one. */
  job: string | null
  /** The endpoint's, as it was when the lease was taken. */
  lease: Pick<Lease, 'version' | 'slate'>
}
