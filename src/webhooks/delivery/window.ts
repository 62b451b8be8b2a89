// The window of a turn: what is due is claimed ahead, sent as wide as the endpoint's health allows, and recorded as it is answered.
import { CLAIM_MAX } from '../../limits.ts'
import { isUnavailable } from '../../postgres/errors.ts'
import { createTicker } from '../../ticker.ts'
import { type Claimed, FIRST_ASK } from './claim-store.ts'
import { isFailing, nextToSend, parallel } from './health.ts'
import { send } from './send.ts'
import { isOrdered, mayStart, type Turn } from './turn.ts'

/** Sends what is due until all that was found is recorded, the time slice is over, or the endpoint's health says stop; then waits for the rest. */
export async function sendDue(turn: Turn): Promise<void> {
  const window: Window = {
    waiting: [],
    underWay: 0,
    held: new Set(),
    place: undefined,
    claiming: false,
    recorded: [],
    ending: false,
    drained: false,
    lookAfterMs: LOOK_LAST_MS,
    lookAt: 0,
    idle: false,
    ask: FIRST_ASK,
    askedAt: performance.now(),
    bugs: [],
    move: () => {},
  }
  if (turn.found) add(window, turn.found.splice(0), FIRST_ASK)
  turn.found = undefined
  looking.add(window)
  try {
    await work(turn, window)
  } finally {
    looking.delete(window)
  }
  if (window.bugs.length > 0) throw window.bugs[0]
}

async function work(turn: Turn, window: Window): Promise<void> {
  while (mayStart(turn) && window.bugs.length === 0) {
    refill(turn, window)
    const nothing = window.waiting.length === 0 && !window.claiming
    if (nothing && window.held.size === 0) break
    if (mayBegin(turn, window)) begin1(turn, window, choose(turn, window.waiting))
    else await (nothing && !window.ending ? movedOrLater(window) : moved(window))
  }
  while (window.underWay > 0 || window.claiming || window.held.size > window.waiting.length) await moved(window)
}

/** What is between its claim and the record of its result. */
interface Window {
  waiting: Claimed[]
  /** Requests without an answer yet: these are what the endpoint's cap counts. */
  underWay: number
  /** Claimed and not yet recorded: a claim from the beginning reads them again, for it only reads. */
  held: Set<string>
  /** The last of what was claimed: the next claim goes on from there. Undefined: from the beginning, for what comes late may belong there. */
  place: Claimed | undefined
  claiming: boolean
  /** Recorded since the claim under way began: it may have looked before. */
  recorded: string[]
  /** What is being recorded ends the turn, unless more is due: nothing may be claimed meanwhile. */
  ending: boolean
  /** The last claim found less than it asked for. */
  drained: boolean
  /** From the end of a claim to the next look at what is new. */
  lookAfterMs: number
  /** When that is, of performance.now(). */
  lookAt: number
  /** All that was found is sent, and answers are awaited. */
  idle: boolean
  /** How much is asked for next: a fast endpoint is given more at a time. What waits for a slow one would only take memory. */
  ask: number
  /** When the last claim began, of performance.now(). */
  askedAt: number
  bugs: unknown[]
  /** Called when any of this changes. */
  move: () => void
}

/**
 * While answers or their record are awaited, what is new is looked for: soon where several deliveries were found, for more of them may
 * follow, and half as often after each look for nothing.
 */
const LOOK_FIRST_MS = 30
const LOOK_LAST_MS = 250
/** Later than that it may be by so much. */
const LOOK_EVERY_MS = 10
/** Who has sent what was claimed in less than that is given more. */
const SOON_MS = 100
/** Results of an endpoint that may wait to be recorded: after a crash they are sent again. */
const UNRECORDED_MAX = 64

function mayBegin({ health, lease }: Turn, { waiting, underWay, held }: Window): boolean {
  const unrecorded = held.size - waiting.length - underWay
  // In order, a result is recorded before the next is sent: what is sent again after a crash must not come after its successor.
  const room = isOrdered(lease) ? unrecorded === 0 : unrecorded < UNRECORDED_MAX
  return waiting.length > 0 && room && underWay < parallel(health, lease.max_parallel)
}

function begin1(turn: Turn, window: Window, delivery: Claimed): void {
  if (++window.underWay === 1) turn.watch.awaiting(1)
  send(turn, delivery, () => {
    turn.watch.awaiting(--window.underWay)
    window.ending = isLast(turn, window)
    moveSoon(window)
    return window.ending
  })
    .then(sent => sent || lookAgain(window))
    .catch(error => window.bugs.push(error))
    .finally(() => {
      if (window.claiming) window.recorded.push(delivery.event_id)
      else window.held.delete(delivery.event_id)
      window.ending = false
      window.move()
    })
}

// What was not sent lies behind the place.
function lookAgain(window: Window): void {
  window.place = undefined
  window.drained = false
}

// Of an endpoint that had several, more are looked for while this waits to be recorded. A failing one is judged after its record, and the use
// of a rate is written under the lease.
const isLast = ({ health, lease }: Turn, { held, claiming, drained, lookAfterMs }: Window): boolean =>
  held.size === 1 && !claiming && drained && lookAfterMs === LOOK_LAST_MS && !isFailing(health) && lease.max_per_minute === null

// When all answers that have come are read: the next requests then go out together, and wake a receiver's process once.
const moveSoon = batchedMoves()

function batchedMoves(): (window: Window) => void {
  let soon: Window[] = []
  return window => {
    if (soon.push(window) > 1) return
    setImmediate(() => {
      const now = soon
      soon = []
      for (const each of now) each.move()
    })
  }
}

const moved = (window: Window): Promise<void> =>
  new Promise(resolve => {
    window.move = resolve
  })

async function movedOrLater(window: Window): Promise<void> {
  window.idle = true
  await moved(window)
  window.idle = false
}

const looking = createTicker<Window>(LOOK_EVERY_MS, (window, now) => {
  if (!window.idle || now < window.lookAt) return
  window.drained = false
  // Whatever was committed late is behind the place, and is found when there is time, or else at the end of the turn.
  if (window.lookAfterMs === LOOK_LAST_MS) window.place = undefined
  window.move()
})

// Begins a claim while there is still something to send, so that the window never runs dry.
function refill(turn: Turn, window: Window): void {
  const { lease, health } = turn
  if (window.claiming || window.ending || window.drained || window.waiting.length > lease.max_parallel) return
  const now = performance.now()
  if (now - window.askedAt < SOON_MS) window.ask = Math.min(window.ask * 2, CLAIM_MAX)
  window.askedAt = now
  // A failing endpoint is asked for one at a time, as it is sent to; of it and in order, what is to be tried again is where it was.
  const after = isFailing(health) || isOrdered(lease) ? undefined : window.place
  const count = (isFailing(health) ? 1 : window.ask) + (after ? 0 : window.held.size)
  window.claiming = true
  claim(turn, count, after)
    .then(found => add(window, found, count))
    .catch(error => {
      if (window.held.size === 0 || !isUnavailable(error)) return void window.bugs.push(error)
      // Whether the database is back in time is for those who wait to record to find out.
      window.drained = true
      lookAfter(window, LOOK_LAST_MS)
    })
    .finally(() => {
      for (const id of window.recorded.splice(0)) window.held.delete(id)
      window.claiming = false
      window.move()
    })
}

function add(window: Window, found: Claimed[], count: number): void {
  const fresh = found.filter(each => !window.held.has(each.event_id))
  for (const each of fresh) window.held.add(each.event_id)
  window.waiting.push(...fresh)
  window.drained = found.length < count
  window.place = found.at(-1) ?? window.place
  lookAfter(window, fresh.length > 1 ? LOOK_FIRST_MS : Math.min(window.lookAfterMs * 2, LOOK_LAST_MS))
}

function lookAfter(window: Window, ms: number): void {
  window.lookAfterMs = ms
  window.lookAt = performance.now() + ms
}

// What nextToSend is to choose from: after a failure what was never tried, if there is any.
async function claim({ engine, endpoint, health, lease }: Turn, count: number, after: Claimed | undefined): Promise<Claimed[]> {
  const untried = isFailing(health) && !isOrdered(lease) ? await engine.claim({ ...endpoint, count, untried: true }) : []
  return untried.length > 0 ? untried : engine.claim({ ...endpoint, count, untried: false, after })
}

// An ordered endpoint keeps its order, whatever fails.
function choose({ health, lease }: Turn, waiting: Claimed[]): Claimed {
  return waiting.splice(isOrdered(lease) ? 0 : nextToSend(health, waiting), 1)[0] as Claimed
}
