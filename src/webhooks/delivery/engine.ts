// One slice of an endpoint: take its lease, send what is due through a window as wide as its health allows, record, release the lease.

import type { DbJob } from 'graphile-worker'
import { now } from '../../clock.ts'
import type { Ref } from '../../ids.ts'
import { SUSPECT_DEATHS, TIME_SLICE_MS } from '../../limits/queue.ts'
import { FAILURES_TO_DISABLE } from '../../limits/webhooks.ts'
import { batched } from '../../postgres/batch.ts'
import type { Stay } from '../../queue/company.ts'
import { holdLease } from '../../queue/held-lease.ts'
import type { Slot } from '../../queue/slots.ts'
import { isSuspect } from '../../queue/trial.ts'
import { usableUntil } from '../../rate.ts'
import { claimAll } from './claim-store.ts'
import { disableFor } from './disable.ts'
import * as deaths from './disable-store.ts'
import { createGates } from './gates.ts'
import { haunted } from './haunted.ts'
import { createHeadroom } from './headroom.ts'
import { type Health, mustDisable } from './health.ts'
import { type Begun, type Job, leaveAfter, noteUse, rateOf, release, takeLease } from './lease.ts'
import * as leases from './lease-store.ts'
import { createRecorder } from './record.ts'
import { type DeliveryContext, type DeliverySliceContext, isOrdered, mayStart, type Slice } from './slice.ts'
import { isRecovering } from './store.ts'
import { type Lease, takeAll, unmarkAll, withdrawAll } from './take-store.ts'
import { targetOf } from './target.ts'
import { sendDue } from './window.ts'

/** Runs a job. */
export type Deliver = (endpoint: Ref, job: FetchedJob) => Promise<void>

export type FetchedJob = Pick<DbJob, 'id' | 'created_at'>

/** The endpoint may have something due: it is served at once, without a job, if there is room, or else given to the queue. */
export type Told = (endpoint: Ref) => void

/** Slices that share a statement: taking, claiming and releasing wait for the slowest of them. */
const SLICES_MAX = 200

/** A mark is the time of its job in whole milliseconds, rounded; a `Date` cuts off what is less. */
const ROUNDED_MS = 1

export interface Delivering {
  deliver: Deliver
  told: Told
}

/** Builds the engine of one process, whose slices share statements. */
export function createDeliver(delivery: DeliveryContext): Delivering {
  const { sql } = delivery.db
  const context: DeliverySliceContext = {
    ...delivery,
    gates: createGates(delivery.slots.count),
    headroom: createHeadroom(),
    take: batched(slices => takeAll(sql, slices, delivery.tellOfDropped), SLICES_MAX),
    unmark: batched(slices => unmarkAll(sql, slices), SLICES_MAX),
    withdraw: batched(slices => withdrawAll(sql, slices), SLICES_MAX),
    claim: batched(asks => claimAll(sql, asks, delivery.tellOfDropped), SLICES_MAX),
    release: batched(slices => leases.releaseAll(sql, slices), SLICES_MAX),
    record: createRecorder(sql, delivery.stopping),
  }
  /** Endpoints being served, and whether this process was told of them again meanwhile. */
  const serving = new Map<string, { again: boolean }>()
  /** Jobs of endpoints whose slices have not begun. One that comes while a slice of its endpoint waits for room is over, and that slice takes its place. */
  const jobs = new Map<string, Job>()

  async function serve(endpoint: Ref, slot: Slot): Promise<void> {
    const job = jobs.get(endpoint.id) ?? null
    jobs.delete(endpoint.id)
    // A job that comes while another slice of its endpoint is under way finds the lease taken.
    if (serving.has(endpoint.id)) return runSlice(context, endpoint, job, slot)
    const slice = { again: false }
    serving.set(endpoint.id, slice)
    try {
      await runSlice(context, endpoint, job, slot)
    } finally {
      serving.delete(endpoint.id)
      // The slice may have looked before that delivery was there.
      if (slice.again) told(endpoint)
    }
  }

  function told(endpoint: Ref): void {
    const slice = serving.get(endpoint.id)
    if (slice) slice.again = true
    else if (!context.slots.tryRun(endpoint, slot => serve(endpoint, slot))) delivery.queue(endpoint)
  }

  return {
    deliver(endpoint, { id, created_at }) {
      jobs.set(endpoint.id, { id, markedBy: created_at.getTime() + ROUNDED_MS })
      return context.slots.run(endpoint, slot => serve(endpoint, slot))
    },
    told,
  }
}

async function runSlice(context: DeliverySliceContext, endpoint: Ref, job: Job | null, slot: Slot): Promise<void> {
  // A process whose standing is lost would take the lease for nothing, again and again.
  await context.standing.ready()
  const begun = await takeLease(context, endpoint, job, slot)
  if (!begun) return
  const { stay, ...held } = begun
  const { lease } = held
  const ghost = lease.deaths > 0 ? haunted(lease, stay.acquit) : undefined
  await useSlice(context, { ...held, endpoint, watch: slot, haunted: ghost }, stay)
}

async function useSlice(context: DeliverySliceContext, held: Held, stay: Stay): Promise<void> {
  const { endpoint, lease, token } = held
  const { sql } = context.db
  const count = Math.min(lease.deaths, SUSPECT_DEATHS)
  let slice: Slice | undefined
  try {
    if (isSuspect(count)) await deaths.note(sql, { ...endpoint, token }, lease.deaths + 1)
    slice = sliceOf(context, held)
    await sendSlice(slice)
    if (count > 0 && !held.haunted?.past) await deaths.settle(sql, { ...endpoint, token }, context.stopping.aborted ? count : 0)
  } catch (error) {
    await leaveAfter(error, context, held, slice, held.haunted?.past ? 0 : count)
    throw error
  } finally {
    stay.leave()
  }
}

type Held = Omit<Begun, 'stay'> & Pick<Slice, 'endpoint' | 'watch' | 'haunted'>

function sliceOf(context: DeliverySliceContext, held: Held): Slice {
  const { endpoint, lease, token, askedAt } = held
  const { client, timeoutMs } = context
  const rate = rateOf(lease)
  const slice: Slice = {
    ...held,
    context,
    sender: {
      client,
      timeoutMs,
      mayBegin: () => !slice.over && slice.held.lasts(),
      ...(isOrdered(lease) && { lost: () => context.standing.lost() }),
    },
    target: targetOf(context.keyring, endpoint, lease),
    // The database's clock found the endpoint not silent, so there is room for a request.
    rate,
    usedUntil: rate ? Math.min(lease.paced_until?.getTime() ?? 0, usableUntil(now(), rate)) : 0,
    health: healthOf(lease),
    over: false,
    ended: false,
    starved: false,
    restMs: undefined,
    unrecorded: 0,
    until: now() + TIME_SLICE_MS,
    held: holdLease(context.standing, token, askedAt, async () => {
      const status = await leases.renew(context.db.sql, endpoint, token)
      if (status !== 'enabled') slice.over = true
      return status !== undefined
    }),
  }
  return slice
}

async function sendSlice(slice: Slice): Promise<void> {
  try {
    do await sendDue(slice)
    while (await goesOn(slice))
  } finally {
    slice.held.letGo()
  }
}

async function goesOn(slice: Slice): Promise<boolean> {
  const { context, endpoint, token, job, lease } = slice
  if (slice.ended) return false
  // Disabled here rather than where the failure is recorded, so that a process that dies in between leaves it to the next slice.
  const { failures } = slice.health
  if (mustDisable(slice.health) && !slice.over)
    await disableFor(context.db.sql, endpoint, `${failures} consecutive failures`, FAILURES_TO_DISABLE)
  await noteUse(slice)
  const timeLeft = mayStart(slice)
  const rest = slice.starved || !context.standing.holds(token) || (!timeLeft && (await mustGiveWay(slice)))
  return release(context, { ...endpoint, token, job, rest, version: timeLeft ? lease.version : null })
}

// A recovery of an ordered endpoint can send only between the endpoint's slices, and wakes the endpoint when it has sent.
const mustGiveWay = async ({ context, endpoint, lease }: Slice): Promise<boolean> =>
  isOrdered(lease) && isRecovering(context.db.sql, endpoint)

function healthOf(lease: Lease): Health {
  return {
    failures: lease.failures,
    failingSince: lease.failing_since?.getTime() ?? null,
    failureKnownAt: lease.failure_known_at?.getTime() ?? null,
    // The lease was granted, so the silence is over by the database's clock. By ours it may end a moment later: the slice would end at once, and another begin.
    silentUntil: null,
  }
}
