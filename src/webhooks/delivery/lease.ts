// The lease of an endpoint in the life of a slice: taken, with the deaths that it tells of, and given back, also after an error of the database.

import { setTimeout as delay } from 'node:timers/promises'
import { now } from '../../clock.ts'
import type { Ref } from '../../ids.ts'
import { LEASE_SECONDS, SUSPECT_DEATHS, WEBHOOK_DEATHS_MAX } from '../../limits/queue.ts'
import { LOCKED, pastLock } from '../../postgres/past-lock.ts'
import type { Stay } from '../../queue/company.ts'
import { giveBackAfter } from '../../queue/give-back.ts'
import type { Slot } from '../../queue/slots.ts'
import { hasDied, isGivenUp, isSuspect } from '../../queue/trial.ts'
import { afterSending, freeFrom, type Rate, usableUntil } from '../../rate.ts'
import { perMinute } from '../endpoints/rate.ts'
import { disableFor } from './disable.ts'
import * as deaths from './disable-store.ts'
import * as store from './lease-store.ts'
import type { DeliverySliceContext, Slice } from './slice.ts'
import type { Lease, Taken } from './take-store.ts'
import { trustOf } from './trust.ts'

/** A job that was fetched. */
export interface Job {
  /** The queue's. */
  id: string
  /** See AskingSlice. The sweep may have taken this job for lost meanwhile, and have queued another. */
  markedBy: number
}

export interface Begun extends Taken {
  token: string
  /** The queue's id of its job. */
  job: string | null
  /** When the lease was asked for, of performance.now(). */
  askedAt: number
  stay: Stay
}

/** @returns undefined: the endpoint may not be sent to now, and has been left as it is to be found again */
export async function takeLease(context: DeliverySliceContext, endpoint: Ref, its: Job | null, slot: Slot): Promise<Begun | undefined> {
  const [token, askedAt] = [context.standing.token(), performance.now()]
  const slice = { ...endpoint, token, job: its?.id ?? null, markedBy: its?.markedBy ?? null }
  try {
    const taken = await tryToTake(context, slice, slot)
    return taken && { ...taken, token, job: slice.job, askedAt }
  } catch (error) {
    await giveBackAfter(error, context.stopping, async () => {
      await withdraw(context, slice, askedAt)
      await leave(context, slice)
    })
    throw error
  }
}

/** Where the connection was lost, the statement may wait in the server still: returns once it is over, so that what it took can be given back. */
async function withdraw({ withdraw, stopping }: DeliverySliceContext, asking: store.AskingSlice, askedAt: number): Promise<void> {
  const until = askedAt + LEASE_SECONDS * 1000
  while ((await withdraw(asking)) === LOCKED && !stopping.aborted && performance.now() < until) await delay(AGAIN_MS)
}

const AGAIN_MS = 100

type LeftSlice = store.SliceRef & Pick<store.EndedSlice, 'job'>

async function tryToTake(
  context: DeliverySliceContext,
  slice: LeftSlice & store.AskingSlice,
  slot: Slot,
): Promise<(Taken & Pick<Begun, 'stay'>) | undefined> {
  const taken = await pastLock(async () => (await context.take(slice)) ?? context.unmark(slice))
  // Locked for long: the endpoint stays queued, and the sweep finds its job lost. An endpoint without a job is found as well.
  if (!taken || taken === LOCKED) return undefined
  const { lease } = taken
  const isOpen = (await countDeath(context, slice, lease)) && !(await countUse(context, slice, lease))
  const mayTry = isOpen && slot.admit(context.gates[trustOf(lease, now())])
  const stay = !isSuspect(lease.deaths) ? TOGETHER : mayTry ? context.company.joinAlone() : undefined
  if (mayTry && stay) return { ...taken, stay }
  await leave(context, slice)
  return undefined
}

const TOGETHER: Stay = { leave: () => {}, acquit: () => {} }

/**
 * Does for endpoints what trials do for other work (src/queue/trial.ts), from the lease alone: a lapsed lease that a dead worker held counts as a death. Most
 * leases that the lookout frees are not told of here: worker_gone has counted the death. An endpoint that is always being sent to is met by whatever ends workers from
 * outside. So it is accused only where they live while it is held back, and die of it once more.
 * @returns whether the endpoint may be sent to
 */
async function countDeath({ db: { sql } }: DeliverySliceContext, slice: store.SliceRef, lease: Lease): Promise<boolean> {
  const { lapsed } = lease
  if (lapsed === null || !(await hasDied(sql, lapsed))) {
    // A suspect's own death was counted in advance, and did not come. One that was held back has been silent.
    if (lapsed !== null || lease.silent_until === null) lease.deaths = Math.min(lease.deaths, SUSPECT_DEATHS)
    return true
  }
  if (lease.deaths >= WEBHOOK_DEATHS_MAX) {
    // Deliveries wait until the endpoint is enabled again.
    await disableFor(sql, slice, `${lease.deaths} workers ended while sending to it`)
    return false
  }
  if (isGivenUp(lease.deaths)) {
    await deaths.holdBack(sql, slice)
    return false
  }
  // A suspect's death is noted when its slice begins, by the engine: its lease is taken before it is known whether the slice may begin.
  if (!isSuspect(lease.deaths)) await deaths.note(sql, slice, ++lease.deaths)
  return true
}

/**
 * What the holder of a lapsed lease used of the rate is unknown: as much counts as can have been, and is written before the lease may be given back, with which
 * goes what tells of it.
 * @returns whether the rate is used up by that
 */
async function countUse({ db: { sql } }: DeliverySliceContext, slice: store.SliceRef, lease: Lease): Promise<boolean> {
  const rate = rateOf(lease)
  if (lease.lapsed === null || !rate) return false
  await store.pace(sql, slice, slice.token, useOf(lease, rate, afterSending(usableUntil(now(), rate), now(), rate)))
  return true
}

/** An endpoint whose row stays locked keeps its lease until the lease lapses. @returns whether the lease is kept, for more is due */
export const release = async (context: DeliverySliceContext, slice: store.EndedSlice): Promise<boolean> =>
  (await pastLock(() => context.release(slice))) === true

/** Gives the lease back for the sweep to wake the endpoint: after a second or so. */
const leave = (context: DeliverySliceContext, slice: LeftSlice): Promise<boolean> =>
  release(context, { ...slice, rest: true, version: null })

/** Writes under the lease how much of its rate the slice has used up, and how long the endpoint is to be left alone. */
export async function noteUse({ context: { db }, endpoint, token, lease, rate, usedUntil, restMs, over }: Slice): Promise<void> {
  // An endpoint that was changed may have got a rate meanwhile.
  if (rate || over) await store.pace(db.sql, endpoint, token, rate && useOf(lease, rate, usedUntil))
  if (restMs !== undefined) await store.rest(db.sql, endpoint, token, restMs)
}

function useOf(lease: Lease, rate: Rate, usedUntil: number): store.RateUse {
  const used = Math.ceil(usedUntil)
  return { perMinute: lease.max_per_minute as number, usedUntil: used, freeFrom: freeFrom(used, rate) }
}

/** The rate that the endpoint has, if it has one. */
export const rateOf = ({ max_per_minute }: Lease): Rate | undefined => (max_per_minute === null ? undefined : perMinute(max_per_minute))

/**
 * Gives the lease back after an error of the database, which others need not wait for. Otherwise, and where an answer could not be recorded, the lease lapses: the
 * fault has time to pass, and the receiver is spared a loop.
 * @param slice undefined: it has not begun @param count the deaths that are held against the endpoint still: a suspect's own was counted in advance
 */
export async function leaveAfter(
  error: unknown,
  context: DeliverySliceContext,
  { endpoint, token, job, lease }: Pick<Slice, 'endpoint' | 'token' | 'job' | 'lease'>,
  slice: Slice | undefined,
  count: number,
): Promise<void> {
  const { sql } = context.db
  const ref = { ...endpoint, token }
  const isRecorded = !slice || slice.unrecorded === 0
  const isGivenBack =
    isRecorded &&
    (await giveBackAfter(error, context.stopping, async () => {
      // Its lease may have been given back before the error.
      if (lease.deaths > 0) await deaths.settle(sql, ref, count)
      if (slice) await noteUse(slice)
      await leave(context, { ...ref, job })
    }))
  if (isGivenBack) return
  if (slice) await noteUse(slice).catch(() => {})
  // A lease that lapses without a holder is no death.
  await deaths.letLapse(sql, ref, count).catch(() => {})
}
