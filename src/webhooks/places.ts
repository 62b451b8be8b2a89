// Who gets a place in a process's pool, and who gives it back: receivers that keep us waiting must not keep the others waiting
// (docs/decisions/2026-11-20-who-hangs-gives-its-place-back.md).
import { now } from '../clock.ts'
import { createRounds } from '../rounds.ts'
import type { Lease } from './delivery-store.ts'

export interface Places {
  /** Whether a turn may begin: not if its endpoint failed last, or has no recent success, and too many of its like are under way. */
  admits(lease: Lease): boolean
  /**
   * Resolves when the turn has ended, or has given its place back; it then ends by itself, and its error is reported.
   * @param use the turn, which tells its watch
   */
  hold(lease: Lease, use: (watch: Watch) => Promise<void>): Promise<void>
  /** Resolves when those who gave their places back have ended too. */
  ended(): Promise<unknown>
}

export interface Watch {
  /** To be told when the first request begins, and whenever one is answered: how many are under way. */
  awaiting(requests: number): void
  /** The place is given back: nothing more is begun, for whoever has none must not go on for long. */
  over: boolean
}

/** Who is not answered for so long gives its place back, once more than half of them are taken: most receivers need far less. */
const PATIENCE_MS = 250
/** … up to so much later. */
const LOOK_MS = 50
/** A success is recent for so long. */
const RECENT_MS = 60 * 60_000

/** @param report of the errors of turns whose jobs have ended */
export function createPlaces(slots: number, report: (error: unknown) => void): Places {
  const quarter = Math.max(1, Math.floor(slots / 4))
  // What is waited for takes memory.
  const asideMax = slots * 2
  let held = 0
  let failing = 0
  const aside = { known: new Set<Promise<void>>(), unknown: new Set<Promise<void>>() }

  // Not a timer for each answer: that would cost more than all else of it.
  const waiting = createRounds<Holder>(LOOK_MS, ({ awaited, since, giveBack }, now) => {
    if (awaited === 0 || now - since < PATIENCE_MS) return
    if (held * 2 > slots && aside.known.size + aside.unknown.size < asideMax) giveBack()
  })

  const hold = (lease: Lease, use: (watch: Watch) => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      const standing = standingOf(lease)
      const mine = aside[standing === 'unknown' ? 'unknown' : 'known']
      const holder: Holder = {
        over: false,
        awaited: 0,
        since: 0,
        awaiting(requests) {
          holder.awaited = requests
          holder.since = performance.now()
        },
        giveBack() {
          holder.over = true
          waiting.delete(holder)
          held--
          mine.add(turn)
          resolve()
        },
      }
      function leave(): void {
        failing -= Number(standing === 'failing')
        if (holder.over) return void mine.delete(turn)
        waiting.delete(holder)
        held--
        resolve()
      }
      held++
      failing += Number(standing === 'failing')
      waiting.add(holder)
      const turn = use(holder).then(leave, error => {
        if (!holder.over) reject(error)
        leave()
        if (holder.over) report(error)
      })
    })

  return {
    hold,
    admits(lease) {
      const standing = standingOf(lease)
      return standing === 'trusted' || (standing === 'failing' ? failing : aside.unknown.size) < quarter
    },
    ended: () => Promise.all([...aside.known, ...aside.unknown]),
  }
}

interface Holder extends Watch {
  /** Requests without an answer. */
  awaited: number
  /** The last change of that, of performance.now(). */
  since: number
  giveBack(): void
}

function standingOf({ failures, last_success_at }: Lease): 'failing' | 'trusted' | 'unknown' {
  if (failures > 0) return 'failing'
  return last_success_at !== null && last_success_at.getTime() > now() - RECENT_MS ? 'trusted' : 'unknown'
}
