// The window of a slice: several conversations side by side, one message of each at a time, as fast as the channel's pace allows.
import { CONVERSATIONS_AT_ONCE } from '../../limits.ts'
import type { Place } from '../../outbound/place.ts'
import type { Claimed } from './claim-store.ts'
import { send } from './send.ts'
import { mayStart, paceRoom, paceWaitMs, type Slice, type Target } from './slice.ts'

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
  for (const each of found) start(slice, window, each)
  slice.places.leave()
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
    if (isEmpty(window)) break
    const waits = window.drained || window.crowded || window.claiming || window.underWay >= CONVERSATIONS_AT_ONCE
    await change(window, waits ? LOOK_MS : Math.max(1, paceWaitMs(slice)))
  }
  window.closing = true
  while (window.underWay > 0 || window.claiming) await change(window)
  if (window.bugs.length > 0) throw window.bugs[0]
}

const isEmpty = ({ underWay, claiming, drained, crowded }: Window): boolean => underWay === 0 && !claiming && (drained || crowded)

// A channel that failed is judged after the record, and one that has more to send goes on.
const isLast = ({ lease, over }: Slice, { underWay, claiming, drained, told }: Window): boolean =>
  underWay === 1 && !claiming && drained && !told && !over && lease.status === 'enabled' && lease.failures === 0

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
    const claimed = await context.claim({ channel, token, room, conversation: (target as Target).pace.conversation })
    window.drained = claimed.length < room
    for (const each of claimed) start(slice, window, each)
  } catch (error) {
    window.bugs.push(error)
  }
  places.leave()
  window.claiming = false
  window.notify()
}

function start(slice: Slice, window: Window, claimed: Claimed): void {
  window.underWay++
  void finish(slice, window, claimed, slice.places.take())
}

async function finish(slice: Slice, window: Window, claimed: Claimed, place: Place | undefined): Promise<void> {
  try {
    await send(slice, claimed, place)
  } catch (error) {
    window.bugs.push(error)
  }
  window.underWay--
  if (claimed.more || window.told) window.drained = false
  window.notify()
}
