// Who gets a place in a process's pool, and who gives it back: receivers that keep us waiting must not keep the others waiting
// (docs/decisions/2026-11-20-who-hangs-gives-its-place-back.md).
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

  async function hold(lease: Lease, use: (watch: Watch) => Promise<void>): Promise<void> {
    const standing = standingOf(lease)
    const left = Promise.withResolvers<void>()
    let timer: NodeJS.Timeout | undefined
    let awaited = 0
    let since = 0
    const watch: Watch = {
      over: false,
      awaiting(requests) {
        awaited = requests
        since = performance.now()
        timer ??= setTimeout(look, PATIENCE_MS)
      },
    }
    // Not a timer for each answer: that would cost more than all else of it.
    function look(): void {
      const rest = awaited === 0 ? PATIENCE_MS : since + PATIENCE_MS - performance.now()
      if (rest > 0) timer = setTimeout(look, Math.ceil(rest))
      else if (held * 2 <= slots || aside.known.size + aside.unknown.size >= asideMax) timer = setTimeout(look, PATIENCE_MS)
      else giveBack()
    }
    function giveBack(): void {
      watch.over = true
      const mine = aside[standing === 'unknown' ? 'unknown' : 'known']
      const waiting = turn.catch(report).finally(() => mine.delete(waiting))
      mine.add(waiting)
      left.resolve()
    }
    held++
    failing += Number(standing === 'failing')
    const turn = use(watch).finally(() => {
      clearTimeout(timer)
      failing -= Number(standing === 'failing')
    })
    await Promise.race([turn, left.promise]).finally(() => held--)
  }

  return {
    hold,
    admits(lease) {
      const standing = standingOf(lease)
      return standing === 'trusted' || (standing === 'failing' ? failing : aside.unknown.size) < quarter
    },
    ended: () => Promise.all([...aside.known, ...aside.unknown]),
  }
}

function standingOf({ failures, last_success_at }: Lease): 'failing' | 'trusted' | 'unknown' {
  if (failures > 0) return 'failing'
  return last_success_at !== null && last_success_at.getTime() > Date.now() - RECENT_MS ? 'trusted' : 'unknown'
}
