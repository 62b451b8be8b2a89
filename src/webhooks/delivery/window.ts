// The window of a slice: what is due is claimed ahead, sent as wide as the endpoint's health allows, and recorded as it is answered.
import { isUnavailable } from '../../postgres/errors.ts'
import { createTicker } from '../../ticker.ts'
import { type Claimed, FIRST_ASK } from './claim-store.ts'
import { type Claims, claim, createClaims, nextClaim } from './claims.ts'
import { noteClaimed, UNRECORDED_MAX } from './haunted.ts'
import { isFailing, nextToSend, parallel } from './health.ts'
import { createPoll, isDue, isSlowest, POLL_TICK_MS, type Poll, scheduleAfter, scheduleSlowest } from './poll.ts'
import { send } from './send.ts'
import { createSignal, notifySoon, type Signal } from './signal.ts'
import { isOrdered, mayStart, type Slice } from './slice.ts'

/** Sends what is due until all that was found is recorded, the time slice is over, or the endpoint's health says stop; then waits for the rest. */
export async function sendDue(slice: Slice): Promise<void> {
  const window = createWindow(slice)
  polled.add(window)
  try {
    while (mayStart(slice) && window.bugs.length === 0) {
      if (mayClaim(slice, window)) void claimMore(slice, window)
      if (isEmpty(window)) break
      if (maySend(slice, window) && mayBegin(slice, window)) void startNext(slice, window)
      else await window.signal.changed()
    }
  } finally {
    polled.delete(window)
  }
  while (isUnderWay(window)) await window.signal.changed()
  if (window.bugs.length > 0) throw window.bugs[0]
}

/** Deliveries between their claim and the record of their result. */
interface Window {
  phase: Phase
  waiting: Claimed[]
  /** Requests without an answer: the endpoint's cap limits them. */
  underWay: number
  /** Claimed and not yet recorded: a claim from the beginning reads them again, for it only reads. */
  held: Set<string>
  /** Recorded since the claim under way began, which may have read them before. */
  recorded: string[]
  claims: Claims
  poll: Poll
  bugs: unknown[]
  /** Notified when any of this changes. */
  signal: Signal
}

/**
 * Whether more is claimed.
 * - `claimable`: more may be due, and is claimed as soon as there is room;
 * - `claiming`: a claim is under way;
 * - `drained`: the last claim found less than it asked for, so the next one waits for the poll;
 * - `ending`: the result that is being recorded ends the slice, unless more is due: nothing may be claimed meanwhile.
 */
type Phase = 'claimable' | 'claiming' | 'drained' | 'ending'

function createWindow(slice: Slice): Window {
  const window: Window = {
    phase: 'claimable',
    waiting: [],
    underWay: 0,
    held: new Set(),
    recorded: [],
    claims: createClaims(performance.now()),
    poll: createPoll(),
    bugs: [],
    signal: createSignal(),
  }
  if (slice.found) add(slice, window, slice.found.splice(0), FIRST_ASK)
  slice.found = undefined
  return window
}

const isEmpty = ({ held, phase }: Window): boolean => held.size === 0 && phase !== 'claiming'

const isUnderWay = ({ underWay, held, waiting, phase }: Window): boolean =>
  underWay > 0 || phase === 'claiming' || held.size > waiting.length

// A claim begins while there is still something to send, so that the window never runs dry.
const mayClaim = ({ lease }: Slice, { phase, waiting }: Window): boolean => phase === 'claimable' && waiting.length <= lease.max_parallel

function maySend({ health, lease }: Slice, { waiting, underWay, held }: Window): boolean {
  const unrecorded = held.size - waiting.length - underWay
  // In order, a result is recorded before the next delivery is sent: a delivery that is sent again after a crash must not come after its successor.
  const room = isOrdered(lease) ? unrecorded === 0 : unrecorded < UNRECORDED_MAX
  return waiting.length > 0 && room && underWay < parallel(health, lease.max_parallel)
}

const mayBegin = ({ context, endpoint }: Slice, { signal }: Window): boolean => context.headroom.mayBegin(endpoint.tenant, signal)

async function startNext(slice: Slice, window: Window): Promise<void> {
  const delivery = choose(slice, window.waiting)
  if (++window.underWay === 1) slice.watch.awaiting(1)
  let isUnanswered = true
  const answer = (): boolean => {
    isUnanswered = false
    return answered(slice, window)
  }
  try {
    const sent = await send(slice, delivery, answer)
    if (!sent) claimFromBeginning(window)
  } catch (error) {
    window.bugs.push(error)
    if (isUnanswered) answer()
  }
  if (window.phase === 'claiming') window.recorded.push(delivery.event_id)
  else window.held.delete(delivery.event_id)
  if (window.phase === 'ending') window.phase = 'drained'
  window.signal.notify()
}

// An ordered endpoint keeps its order, whatever fails.
function choose({ health, lease }: Slice, waiting: Claimed[]): Claimed {
  return waiting.splice(isOrdered(lease) ? 0 : nextToSend(health, waiting), 1)[0] as Claimed
}

function answered(slice: Slice, window: Window): boolean {
  slice.watch.awaiting(--window.underWay)
  const last = isLast(slice, window)
  if (last) window.phase = 'ending'
  notifySoon(window.signal)
  return last
}

// An endpoint that had several deliveries is polled for more while this one waits to be recorded. A failing one is judged after its record, and
// the use of a rate is written under the lease.
const isLast = ({ health, lease }: Slice, { held, phase, poll }: Window): boolean =>
  held.size === 1 && phase === 'drained' && isSlowest(poll) && !isFailing(health) && lease.max_per_minute === null

// A delivery that was claimed and not sent lies before the cursor.
function claimFromBeginning(window: Window): void {
  window.claims.cursor = undefined
  if (window.phase !== 'claiming') window.phase = 'claimable'
}

async function claimMore(slice: Slice, window: Window): Promise<void> {
  window.phase = 'claiming'
  const next = nextClaim(window.claims, slice, window.held.size, performance.now())
  try {
    add(slice, window, await claim(slice, next), next.count)
  } catch (error) {
    if (window.held.size > 0 && isUnavailable(error)) waitForDatabase(window)
    else failClaim(window, error)
  }
  for (const id of window.recorded.splice(0)) window.held.delete(id)
  window.signal.notify()
}

function add({ haunted, health }: Slice, window: Window, found: Claimed[], count: number): void {
  const fresh = found.filter(each => !window.held.has(each.event_id))
  for (const each of fresh) window.held.add(each.event_id)
  window.waiting.push(...fresh)
  window.phase = found.length < count ? 'drained' : 'claimable'
  if (haunted) noteClaimed(haunted, fresh, health, window.phase === 'claimable')
  window.claims.cursor = found.at(-1) ?? window.claims.cursor
  scheduleAfter(window.poll, fresh.length, performance.now())
}

// The results that wait to be recorded find out whether the database is back in time.
function waitForDatabase(window: Window): void {
  window.phase = 'drained'
  scheduleSlowest(window.poll, performance.now())
}

function failClaim(window: Window, error: unknown): void {
  window.phase = 'claimable'
  window.bugs.push(error)
}

const polled = createTicker<Window>(POLL_TICK_MS, (window, now) => {
  if (window.phase !== 'drained' || window.waiting.length > 0 || !isDue(window.poll, now)) return
  window.phase = 'claimable'
  // Deliveries that were committed late may lie before the cursor. They are found when there is time, or else at the end of the slice.
  if (isSlowest(window.poll)) window.claims.cursor = undefined
  window.signal.notify()
})
