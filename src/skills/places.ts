// How many calls a process has under way: eight of one installed app, and in all half of its slots, the tenants in turn. A call that gets no answer for a
// moment no longer counts among the half, so that apps that hang hold up no others.
import { createFairQueue, createShares, type Waiter } from '../fair-queue.ts'
import type { Ref } from '../ids.ts'
import { SKILL_ANSWER_BYTES_PER_SECOND, SKILL_ANSWER_FREE_BYTES, SKILL_CALLS_AT_ONCE, SKILL_SLOW_MS } from '../limits/skills.ts'
import { createTicker } from '../ticker.ts'

export interface Places {
  /**
   * @param waitMs the longest wait
   * @param signal ends the wait
   * @returns undefined: there was no place in time
   */
  enter(app: Ref, waitMs: number, signal: AbortSignal): Promise<Place | undefined>
}

export interface Place {
  leave(): void
}

/**
 * How long the place of a call stays taken after an answer of so many bytes, in milliseconds. To keep and hand on a long answer costs more than the call, and an
 * app that floods would use up what its neighbours need.
 * @param chance 0..1: half as long to half as long again, so that the answers of eight places do not come at once
 */
export const restMs = (bytes: number, chance: number): number =>
  ((0.5 + chance) * Math.max(0, bytes - SKILL_ANSWER_FREE_BYTES) * 1000) / SKILL_ANSWER_BYTES_PER_SECOND

/** How late a slow call may be noticed. */
const CHECK_EVERY_MS = 50

interface Occupant {
  tenant: string
  since: number
  yieldPlace(): void
}

/** @param count calls at once that count */
export function createPlaces(count: number): Places {
  const queue = createFairQueue(count)
  const yielded = createShares(count * 2)
  /** The calls of each installed app: how many are under way, and what waits. */
  const apps = new Map<string, { underWay: number; waiting: Set<() => void> }>()
  const watched = createTicker<Occupant>(CHECK_EVERY_MS, ({ tenant, since, yieldPlace }, now) => {
    if (now - since >= SKILL_SLOW_MS && queue.held() * 2 > count && yielded.hasRoom(tenant)) yieldPlace()
  })

  function leaveApp(key: string): void {
    const app = apps.get(key)
    if (!app) return
    const [next] = app.waiting
    if (next) next()
    else if (--app.underWay === 0) apps.delete(key)
  }

  function enterApp(key: string, waiting: () => AbortSignal): Promise<boolean> {
    const app = apps.get(key) ?? { underWay: 0, waiting: new Set() }
    apps.set(key, app)
    if (app.underWay < SKILL_CALLS_AT_ONCE) {
      app.underWay++
      return Promise.resolve(true)
    }
    return waited(waiting(), settle => {
      const begin = (): void => settle(true)
      app.waiting.add(begin)
      return () => {
        app.waiting.delete(begin)
      }
    }).then(isIn => isIn === true)
  }

  function enterProcess(tenant: string, waiting: () => AbortSignal): Promise<Place | undefined> {
    const waiter: Waiter = { tenant, begin: () => {} }
    if (queue.tryEnter(waiter)) return Promise.resolve(occupy(waiter))
    return waited<Place>(waiting(), settle => {
      const late: Waiter = { tenant, begin: () => settle(occupy(late)) }
      queue.enter(late)
      return isIn => {
        if (!isIn) queue.leave(late)
      }
    })
  }

  function occupy(waiter: Waiter): Place {
    const { tenant } = waiter
    let hasYielded = false
    const occupant: Occupant = {
      tenant,
      since: performance.now(),
      yieldPlace() {
        hasYielded = true
        yielded.take(tenant)
        watched.delete(occupant)
        queue.leave(waiter)
      },
    }
    watched.add(occupant)
    return {
      leave() {
        if (hasYielded) return yielded.giveBack(tenant)
        watched.delete(occupant)
        queue.leave(waiter)
      },
    }
  }

  return {
    async enter({ tenant, id }, waitMs, signal) {
      if (signal.aborted) return undefined
      let ending: AbortSignal | undefined
      // Most calls do not wait.
      const waiting = (): AbortSignal => {
        ending ??= AbortSignal.any([signal, AbortSignal.timeout(waitMs)])
        return ending
      }
      const key = `${tenant} ${id}`
      if (!(await enterApp(key, waiting))) return undefined
      const place = await enterProcess(tenant, waiting)
      if (!place) leaveApp(key)
      return (
        place && {
          leave() {
            place.leave()
            leaveApp(key)
          },
        }
      )
    },
  }
}

/**
 * @param enter gets what to call when it is its turn, and returns what to call when the wait is over
 * @returns undefined: the signal came first
 */
function waited<T>(signal: AbortSignal, enter: (settle: (value: T) => void) => (isIn: boolean) => void): Promise<T | undefined> {
  return new Promise(resolve => {
    if (signal.aborted) return resolve(undefined)
    let isOver = false
    const giveUp = (): void => over(undefined)
    const left = enter(value => over(value))
    signal.addEventListener('abort', giveUp)
    function over(value: T | undefined): void {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', giveUp)
      left(value !== undefined)
      resolve(value)
    }
  })
}
