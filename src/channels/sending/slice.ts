// What a slice of a channel knows: the process it runs in, the lease it holds, and how fast and whether at all it may go on.
import { now } from '../../clock.ts'
import type { Ref } from '../../ids.ts'
import { CHANNEL_SLICE_MAX_MS } from '../../limits/channels.ts'
import { TIME_SLICE_MS } from '../../limits/queue.ts'
import type { OutboundClient } from '../../outbound/client.ts'
import type { Sql } from '../../postgres/sql.ts'
import type { Slice as Held, SliceContext } from '../../queue/slice.ts'
import type { Slots, Watch } from '../../queue/slots.ts'
import { freeFrom } from '../../rate.ts'
import type { Keyring } from '../../secrets.ts'
import type { Shown } from '../accounts/shown.ts'
import type { OutgoingFile, Sender, SendingAccount } from '../platforms/sender.ts'
import type { Ask, Claimed, HeavyAsk } from './claim-store.ts'
import type { End, Lease, Take, Taken } from './lease-store.ts'
import type { Pace } from './pace.ts'
import type { Places } from './places.ts'
import type { Recorder } from './record.ts'

/** What sending needs of the process. */
export interface SendingContext extends SliceContext {
  sql: Sql
  client: OutboundClient
  keyring: Keyring
  /** What the process's slices run in. */
  slots: Slots
  /** Has a channel served by a job, by any process that has room. */
  queue: (channel: Ref) => void
  /** Seconds after a message's first attempt of its attempts. */
  scheduleSeconds: readonly number[]
  timeoutMs: number
  files: Files
  /** How a channel is shown: in the event that tells that it is failing. */
  shown: Shown
}

/** The files of messages. */
export interface Files {
  /** A file's bytes. @returns undefined where it is not there any more */
  open(file: Ref): Promise<{ length: number; pieces: OutgoingFile['pieces'] } | undefined>
  /** A link that opens the file without a key, for a while. */
  link(file: Ref): string
}

/** What the slices of a process share. */
export interface SendingSliceContext extends SendingContext {
  take: (take: Take) => Promise<Taken | undefined>
  claim: (ask: Ask) => Promise<Claimed[]>
  record: Recorder
}

export interface Slice {
  context: SendingSliceContext
  channel: Ref
  token: string
  /** Its health changes with the results. */
  lease: Lease
  /** Undefined: the platform is not sent to, or the channel has lost its credentials. */
  target: Target | undefined
  /** At the platform's origin. */
  places: Places
  watch: Watch
  held: Held
  /** Requests without an answer. */
  requests: number
  /** The lease was lost, or the channel was disabled or deleted: what this slice knows of it is out of date. */
  over: boolean
  /** The message by which a failing channel finds out whether it works again. What else is under way was sent before the channel stopped. */
  probing: string | null
  /** Its last result gave the lease back. */
  ended: boolean
  /** Whether the message that is being recorded is the last one, as far as is known. */
  isLast: () => boolean
  /** Until when it goes on, whatever waits: by performance.now(). */
  until: number
  /** … and until when it goes on where nothing waits for its slot. */
  untilAtMost: number
  /** The time up to which the channel's pace is used up, and that of its audio and video. */
  pacedUntil: number
  heavyUntil: number
  /** Audio and video under way. */
  heavyUnderWay: number
  /** Others have their turns up to this time. */
  turnsUntil: number
  /** The platform asked the whole channel for a rest until then, or the fault is our own; null: neither. */
  quietUntil: number | null
  /** When something was sent last. */
  sentAt: number | null
}

/** How the channel's platform is sent to. */
export interface Target {
  sender: Sender
  account: SendingAccount
  pace: Pace
}

export const timesOf = (began: number): Pick<Slice, 'until' | 'untilAtMost'> => ({
  until: began + TIME_SLICE_MS,
  untilAtMost: began + CHANNEL_SLICE_MAX_MS,
})

/** What is left behind in the row. What was found there may have been changed since, by the verb that has the channel go on, and is not written again. */
export function endOf({ lease, target, pacedUntil, heavyUntil, quietUntil, sentAt }: Slice): End {
  const paced = target ? freeFrom(pacedUntil, target.pace.channel) : 0
  const quiet = Math.max(paced, quietUntil ?? 0)
  return {
    pacedUntil,
    heavyUntil: heavyUntil || null,
    sentAt,
    ...(quiet !== lease.quiet_until?.getTime() && { quietUntil: quiet > now() ? quiet : null }),
  }
}

/** Whether another message may begin, as far as its pace allows. One customer's slow answer does not hold up the others while there is room. */
export function mayStart({ context, over, held, watch, lease, target, until, untilAtMost, quietUntil }: Slice): boolean {
  if (over || !target || context.stopping.aborted || watch.yielded || !held.lasts()) return false
  const at = performance.now()
  if (at >= untilAtMost || (at >= until && watch.isWanted())) return false
  return lease.status === 'enabled' && (quietUntil === null || quietUntil <= now())
}

/** Milliseconds until the channel's pace allows another message. */
export const paceWaitMs = ({ target, pacedUntil }: Slice): number =>
  Math.max(0, freeFrom(pacedUntil, (target as Target).pace.channel) - now())

/** How many messages the channel's pace allows at once. */
export function paceRoom({ target, pacedUntil }: Slice): number {
  const { everyMs, savedMs } = (target as Target).pace.channel
  return Math.max(0, Math.floor((savedMs - Math.max(0, pacedUntil - now())) / everyMs) + 1)
}

/** What a claim has to know of audio and video. */
export function heavyAsk({ target, heavyUntil, heavyUnderWay, turnsUntil }: Slice): HeavyAsk | undefined {
  const { heavy } = (target as Target).pace
  if (!heavy) return undefined
  const [at, free] = [now(), freeFrom(heavyUntil, heavy)]
  const room = Number(free <= at && heavyUnderWay < heavy.atOnce)
  return { everyMs: heavy.everyMs, room, from: Math.max(room ? at : at + heavy.everyMs, free, turnsUntil) }
}

/** Audio and video of a claim have got turns, unless they were begun. @param from when the first of them had its turn */
export function gaveTurns(slice: Slice, claimed: Claimed[], from: number): void {
  const heavy = slice.target?.pace.heavy
  if (heavy && claimed.some(each => each.waits))
    slice.turnsUntil = Math.max(slice.turnsUntil, from + claimed.filter(each => each.heavy).length * heavy.everyMs)
}

/** Milliseconds until audio or video may have a turn; undefined: none waits for one. */
export function turnWaitMs({ target, heavyUntil, turnsUntil }: Slice): number | undefined {
  const heavy = target?.pace.heavy
  if (!heavy || now() >= turnsUntil) return undefined
  return Math.max(heavy.everyMs, freeFrom(heavyUntil, heavy) - now())
}
