// The window of a slice: several conversations side by side, one message of each at a time, as fast as the channel's pace allows.
import { now } from '../../clock.ts'
import { CONVERSATIONS_AT_ONCE } from '../../limits/channels.ts'
import type { Place } from '../../outbound/place.ts'
import type { Claimed } from './claim-store.ts'
import { send } from './send.ts'
import { gaveTurns, heavyAsk, mayStart, paceRoom, paceWaitMs, type Slice, type Target, turnWaitMs } from './slice.ts'

interface Window {
  /** Messages under way, from their claim to the record of their result. */
  underWay: number
  /** The last claim found less than it asked for, and nothing has happened since. */
  drained: boolean
  /** There was no place at the platform's origin, and nothing has happened since. */
  crowded: boolean
  claiming: boolean
  /** Word of another message has come since nothing was under way: it may wait behind one that is. */
  told: boolean
  /** No more is looked for: the slice waits for what is under way, and ends. */
  closing: boolean
  bugs: unknown[]
  /** Resolves what the loop waits for. */
  notify: () => void
}

/** How often new messages of other conversations are looked for while answers are awaited, if no word of them came to this process. */
const LOOK_MS = 250

/** What was claimed together with the lease, and how many were asked for. */
interface First {
  found: Claimed[]
  asked: number
}

/**
 * Sends what is due until nothing is, there is no place at the platform, or the slice is over; then waits for what is under way.
 * @param onLooking gets what has the window look again, and says whether it will
 */
export async function sendDue(slice: Slice, { found, asked }: First, onLooking: (look: () => boolean) => void): Promise<void> {
  const window: Window = {
    underWay: 0,
    drained: false,
    crowded: false,
    claiming: false,
    told: false,
    closing: false,
    bugs: [],
    notify: () => {},
  }
  slice.isLast = () => isLast(slice, window)
  begin(slice, window, found, Math.max(slice.heavyUntil, now()))
  window.drained = slice.lease.status === 'enabled' && slice.lease.may_go && found.length < asked
  onLooking(() => {
    window.drained = false
    window.told = true
    window.notify()
    return !(slice.over || window.closing)
  })
  while (mayStart(slice) && window.bugs.length === 0) {
    const room = Math.min(CONVERSATIONS_AT_ONCE - window.underWay, paceRoom(slice))
    if (!window.claiming && !window.drained && room > 0) void claim(slice, window, room)
    if (isEmpty(slice, window)) break
    const waits = window.drained || window.crowded || window.claiming || window.underWay >= CONVERSATIONS_AT_ONCE
    await change(window, waits ? Math.min(LOOK_MS, turnWaitMs(slice) ?? LOOK_MS) : Math.max(1, paceWaitMs(slice)))
  }
  window.closing = true
  while (window.underWay > 0 || window.claiming) await change(window)
  if (window.bugs.length > 0) throw window.bugs[0]
}

const isEmpty = (slice: Slice, { underWay, claiming, drained, crowded }: Window): boolean =>
  underWay === 0 && !claiming && (crowded || (drained && turnWaitMs(slice) === undefined))

// A channel that failed is judged after the record, and one that has more to send goes on.
const isLast = (slice: Slice, { underWay, claiming, drained, told }: Window): boolean =>
  underWay === 1 && !claiming && drained && !told && isWell(slice) && turnWaitMs(slice) === undefined

const isWell = ({ lease, over }: Slice): boolean => !over && lease.status === 'enabled' && lease.failures === 0

/** Resolves at the next change, or after `ms`. A look that found nothing is then repeated. */
async function change(window: Window, ms?: number): Promise<void> {
  const changed = Promise.withResolvers<boolean>()
  window.notify = () => changed.resolve(false)
  const timer = ms === undefined ? undefined : setTimeout(changed.resolve, ms, true)
  if (await changed.promise) window.drained = false
  window.crowded = false
  clearTimeout(timer)
}

/** @param most messages, as far as there are places for them */
async function claim(slice: Slice, window: Window, most: number): Promise<void> {
  const { context, channel, token, target, places } = slice
  const room = Math.min(most, places.reserve(most))
  window.crowded = room === 0
  if (window.crowded) return
  window.claiming = true
  if (window.underWay === 0) window.told = false
  try {
    const heavy = heavyAsk(slice)
    const claimed = await context.claim({ channel, token, room, conversation: (target as Target).pace.conversation, heavy })
    window.drained = claimed.length < room
    begin(slice, window, claimed, heavy?.from ?? 0)
  } catch (error) {
    window.bugs.push(error)
  }
  places.leave()
  window.claiming = false
  window.notify()
}

/** @param turnsFrom when the first turn of audio and video was */
function begin(slice: Slice, window: Window, claimed: Claimed[], turnsFrom: number): void {
  gaveTurns(slice, claimed, turnsFrom)
  for (const each of claimed) if (!each.waits) start(slice, window, each)
  slice.places.leave()
}

function start(slice: Slice, window: Window, claimed: Claimed): void {
  window.underWay++
  slice.heavyUnderWay += Number(claimed.heavy)
  void finish(slice, window, claimed, slice.places.take())
}

async function finish(slice: Slice, window: Window, claimed: Claimed, place: Place | undefined): Promise<void> {
  try {
    await send(slice, claimed, place)
  } catch (error) {
    window.bugs.push(error)
  }
  window.underWay--
  slice.heavyUnderWay -= Number(claimed.heavy)
  if (claimed.more || window.told) window.drained = false
  window.notify()
}
