// One slice of a channel: take its lease, send what is due of its conversations side by side, record, give the lease back.
import type { Ref } from '../../ids.ts'
import { MESSAGE_EXPIRES_HOURS } from '../../limits/channels.ts'
import type { Place } from '../../outbound/place.ts'
import { batched } from '../../postgres/batch.ts'
import { giveBackAfter, giveBackTaken } from '../../queue/give-back.ts'
import { beginSlice } from '../../queue/slice.ts'
import type { Slot } from '../../queue/slots.ts'
import { UNTRIED } from '../../queue/trial.ts'
import { claimAll } from './claim-store.ts'
import { createDoor, type Door } from './door.ts'
import { giveUpOld } from './expire.ts'
import { leases as declared } from './lease.ts'
import * as leases from './lease-store.ts'
import { FIRST_ROOM } from './lease-store.ts'
import type { Places } from './places.ts'
import { probe } from './probe.ts'
import { createRecorder } from './record.ts'
import { endOf, type SendingContext, type SendingSliceContext, type Slice, timesOf } from './slice.ts'
import { targetOf } from './target.ts'
import { sendDue } from './window.ts'

/** Channels that share a statement: each waits for the slowest of them. */
const CHANNELS_MAX = 200
/** Leases are taken by so many statements at once: what comes alone need not wait until others have reached the disk. */
const TAKES_AT_ONCE = 2

export interface Sending {
  /** Runs a job. */
  send(channel: Ref): Promise<void>
  /** The channel may have something due: it is served at once, without a job, if there is room, or else given to the queue. */
  told(channel: Ref): void
}

/** Builds the engine of one process, whose slices share statements. */
export function createSending(sending: SendingContext): Sending {
  const { sql, slots, stopping } = sending
  const context: SendingSliceContext = {
    ...sending,
    take: batched(takes => leases.takeAll(sql, takes, MESSAGE_EXPIRES_HOURS), CHANNELS_MAX, TAKES_AT_ONCE),
    claim: batched(asks => claimAll(sql, asks), CHANNELS_MAX),
    record: createRecorder(sql, stopping),
  }
  const door = createDoor(sending.client, comeIn)
  /** Channels being served, and what tells their slice to look again. */
  const serving = new Map<string, () => void>()

  /** @param place one at its platform, for which the channel has waited */
  async function serve(channel: Ref, slot: Slot, place?: Place): Promise<void> {
    // A job that comes while another slice of its channel is under way would find the lease taken.
    const lookAgain = serving.get(channel.id)
    if (lookAgain) {
      place?.leave()
      return lookAgain()
    }
    const places = door.enter(channel, place)
    if (!places) return
    let again = false
    let lookNow = (): boolean => false
    serving.set(channel.id, () => {
      again ||= !lookNow()
    })
    try {
      const isDue = await takeSlice(context, { channel, slot, places, door }, look => {
        lookNow = look
        // Word came while the lease was taken, whose claim may not have seen that message.
        if (again) again = !look()
      })
      again ||= isDue
    } finally {
      serving.delete(channel.id)
      places.leave()
      // Its time was over, or it looked before that message was there. If there is no room in this process, the queue has it.
      if (again) told(channel)
    }
  }

  function told(channel: Ref): void {
    const look = serving.get(channel.id)
    if (look) look()
    else if (!slots.tryRun(channel, slot => serve(channel, slot))) sending.queue(channel)
  }

  function comeIn(channel: Ref, place: Place): void {
    if (slots.tryRun(channel, slot => serve(channel, slot, place))) return
    place.leave()
    sending.queue(channel)
  }

  return { send: channel => slots.run(channel, slot => serve(channel, slot)), told }
}

/** A channel with its slot, before its lease is taken. */
interface Turn {
  channel: Ref
  slot: Slot
  places: Places
  door: Door
}

/**
 * @param onLooking gets what has the slice look again, and says whether it will
 * @returns whether something is due that it leaves behind
 */
async function takeSlice(context: SendingSliceContext, turn: Turn, onLooking: (look: () => boolean) => void): Promise<boolean> {
  const { channel, slot, places, door } = turn
  const { sql, standing } = context
  // A process whose standing is lost would take the lease for nothing, again and again.
  await standing.ready()
  const [token, askedAt, room] = [standing.token(), performance.now(), places.reserve(FIRST_ROOM)]
  const taken = await context.take({ ...channel, token, room }).catch(async error => {
    // It may have been taken all the same.
    places.leave()
    const pass = () => declared.pass(sql, channel)
    await giveBackAfter(error, context.stopping, () => giveBackTaken(error, pass, () => declared.release(sql, channel, token)))
    throw error
  })
  if (!taken) return false
  const { lease } = taken
  // Where its secrets cannot be opened the lease runs out, so it must not be renewed yet.
  const target = targetOf(context.keyring, channel, lease)
  const held = beginSlice(context, {
    sql,
    leases: declared,
    ref: channel,
    token,
    askedAt,
    trial: UNTRIED,
    onOver: () => {
      slice.over = true
    },
  })
  const slice: Slice = {
    context,
    channel,
    token,
    lease,
    target,
    places: door.found(channel, lease, places),
    watch: slot,
    held,
    requests: 0,
    over: false,
    probing: null,
    ended: false,
    isLast: () => false,
    ...timesOf(performance.now()),
    pacedUntil: lease.paced_until?.getTime() ?? 0,
    heavyUntil: lease.heavy_until?.getTime() ?? 0,
    heavyUnderWay: 0,
    turnsUntil: 0,
    quietUntil: lease.quiet_until?.getTime() ?? null,
    sentAt: null,
  }
  try {
    if (lease.has_old) await giveUpOld(slice)
    if (lease.status === 'failing' && lease.may_go) await probe(slice)
    await sendDue(slice, taken, onLooking)
    return !slice.ended && (await leases.release(sql, channel, token, endOf(slice)))
  } catch (error) {
    // Nothing is under way any more. A message whose result is not recorded is in doubt, as after a death.
    slice.places.leave()
    await held.giveBackAfter(error, () => leases.release(sql, channel, token, endOf(slice)))
    throw error
  } finally {
    held.letGo()
    slice.places.leave()
  }
}
