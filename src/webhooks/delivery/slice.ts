// What a slice knows: the process it runs in, the lease it holds, and the endpoint's health as its results change it.

import { now as clockNow } from '../../clock.ts'
import type { Ref } from '../../ids.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Locked } from '../../postgres/past-lock.ts'
import type { Database } from '../../postgres/sql.ts'
import type { Company } from '../../queue/company.ts'
import type { HeldLease } from '../../queue/held-lease.ts'
import type { Slots, Watch } from '../../queue/slots.ts'
import type { Standing } from '../../queue/standing.ts'
import { freeFrom, type Rate } from '../../rate.ts'
import type { Keyring } from '../../secrets.ts'
import type { Sender } from './attempt.ts'
import type { Bodies } from './bodies.ts'
import type { Ask, Claimed, TellOfDropped } from './claim-store.ts'
import type { createGates } from './gates.ts'
import type { Haunted } from './haunted.ts'
import type { Headroom } from './headroom.ts'
import { type Health, isSilent, mustDisable } from './health.ts'
import type { AskingSlice, EndedSlice } from './lease-store.ts'
import type { Recorder } from './record.ts'
import type { Lease, Taken } from './take-store.ts'
import type { Target } from './target.ts'

/** What delivering needs from the process. */
export interface DeliveryContext {
  db: Database
  /** Has an endpoint served by a job: tenants in turn, by any process that has room. */
  queue: (endpoint: Ref) => void
  client: OutboundClient
  keyring: Keyring
  /** Seconds after a delivery's first attempt of attempts 1 to 5. */
  scheduleSeconds: readonly number[]
  timeoutMs: number
  /** What the process's slices run in. */
  slots: Slots
  /** Large bodies, shared with recoveries. */
  bodies: Bodies
  /** The process is stopping: what is under way is finished, and nothing is begun. */
  stopping: AbortSignal
  /** Makes the tokens of leases. */
  standing: Standing
  /** A suspect's slice runs without the other work of this process. */
  company: Company
  tellOfDropped: TellOfDropped
}

/** What the slices of a process share. */
export interface DeliverySliceContext extends DeliveryContext {
  /** The ways in of endpoints that may hang. */
  gates: ReturnType<typeof createGates>
  headroom: Headroom
  take: (slice: AskingSlice) => Promise<Taken | undefined>
  /** For slices that did not get their lease. */
  unmark: (slice: AskingSlice) => Promise<Locked | undefined>
  /** For slices whose lease was asked for, and the answer was an error. */
  withdraw: (slice: AskingSlice) => Promise<Locked | undefined>
  claim: (ask: Ask) => Promise<Claimed[]>
  /** Resolves with whether the lease is kept, for more is due. */
  release: (slice: EndedSlice) => Promise<boolean | Locked>
  record: Recorder
}

export interface Slice {
  context: DeliverySliceContext
  endpoint: Ref
  token: string
  /** The queue's id of its job. Null: a worker was told directly. */
  job: string | null
  lease: Lease
  /** What was found due when the lease was taken, until it is in the window. Undefined: nothing was looked for. */
  found: Claimed[] | undefined
  watch: Watch
  target: Target
  sender: Sender
  held: HeldLease
  /** The endpoint's, where it has one. */
  rate: Rate | undefined
  /** The time up to which the rate is used up; 0 where it has none. */
  usedUntil: number
  health: Health
  /** Undefined: no worker died while it sent to the endpoint. */
  haunted: Haunted | undefined
  /** The lease ended or lapsed, or the endpoint was changed, disabled or deleted: what this slice knows of it is out of date. */
  over: boolean
  /** The record of its last result ended its lease, and its job if it has one. */
  ended: boolean
  /** Its time ended while it waited for room for a body: other endpoints go first. */
  starved: boolean
  /** The fault is our own: nothing is sent for this long. */
  restMs: number | undefined
  /** Answers whose record is under way, or has failed. */
  unrecorded: number
  until: number
}

/** Whether another request may begin. */
export const mayStart = ({ context, watch, over, held, restMs, until, health, rate, usedUntil }: Slice): boolean => {
  const now = clockNow()
  const allowed = !context.stopping.aborted && !over && held.lasts() && restMs === undefined && !watch.yielded && now < until
  return allowed && (!rate || freeFrom(usedUntil, rate) <= now) && !isSilent(health, now) && !mustDisable(health)
}

/** Sends one delivery after the other, in the order of their events. */
export const isOrdered = ({ max_parallel }: Pick<Lease, 'max_parallel'>): boolean => max_parallel === 1
