// Which slices of sending run in the slots of a process, and which yield theirs: slots are shared out by tenant, and slow receivers must not hold up the
// others (docs/decisions/2026-11-22-delivery-slots-are-shared-out-by-tenant.md, 2026-11-20-slow-endpoints-yield-their-slot.md).

import { createFairQueue, createShares, type FairQueue, type Shares } from '../fair-queue.ts'
import type { Ref } from '../ids.ts'
import { createTicker } from '../ticker.ts'

export interface Slots {
  /** How many the process has. */
  readonly count: number
  /**
   * Runs a slice of what is sent to, a webhook or a channel, when its tenant has room: at once, or when others have left. What waits for room does not
   * wait twice.
   * @param slice given its slot
   * @returns resolves when its job may end: the slice has ended, has yielded its slot, or waits. What it throws after that is reported
   */
  run(to: Ref, slice: (slot: Slot) => Promise<void>): Promise<void>
  /**
   * Runs a slice that has no job, if its tenant has room at once.
   * @returns whether it runs
   */
  tryRun(to: Ref, slice: (slot: Slot) => Promise<void>): boolean
  /** Resolves when the slices have ended that have no job, or whose jobs ended before them. */
  ended(): Promise<void>
}

export interface Slot extends Watch {
  /**
   * Whether the slice may go on: not if there is no room at the gate. Then it is to end, and is run anew when there is.
   * @param gate for slices of a kind of which only some may run at once; undefined for all others
   */
  admit(gate: Gate | undefined): boolean
}

/** A narrower way in, for slices that hang more often than others. */
export interface Gate extends Pick<FairQueue, 'enter' | 'leave'> {
  /** Counts those of its slices that have yielded their slot, and run on. */
  yielded?: Shares
}

export interface Watch {
  /** To be told when the first request begins, and whenever one is answered: how many are under way. */
  awaiting(requests: number): void
  /** Whether another slice waits for a slot: this one is then to end when its time is over. */
  isWanted(): boolean
  /** The slot is yielded: the slice begins nothing more, for a slice without a slot must not go on for long. */
  yielded: boolean
}

/** A slice with no answer for this long yields its slot once more than half the slots are in use. Most receivers answer much sooner. */
const SLOW_AFTER_MS = 250
/** How late that may be noticed. */
const CHECK_EVERY_MS = 50

const DONE = Promise.resolve()

/**
 * @param count how many slots the process has
 * @param stopping when it is aborted, all slices that wait begin: they send nothing, and leave their endpoints to other processes
 * @param report reports errors of slices whose jobs have ended
 */
export function createSlots(count: number, stopping: AbortSignal, report: (error: unknown) => void): Slots {
  const slots = createFairQueue(count)
  // Slices without a slot take memory, so their number has a limit too.
  const yielded = createShares(count * 2)
  /** What lets in each slice that waits, by what it sends to. */
  const waiting = new Map<string, () => void>()
  const withoutJob = new Set<Promise<void>>()

  // One timer: a timer for each answer would cost more than all else about it.
  const watched = createTicker<Occupant>(CHECK_EVERY_MS, ({ awaited, since, tenant, yieldSlot }, now) => {
    if (awaited > 0 && now - since >= SLOW_AFTER_MS && slots.held() * 2 > count && yielded.hasRoom(tenant)) yieldSlot()
  })

  stopping.addEventListener('abort', () => {
    for (const letIn of [...waiting.values()]) letIn()
  })

  function enter(queue: Gate, { key, tenant }: Run): Entry {
    const begun = Promise.withResolvers<void>()
    let isIn = false
    const begin = (): void => {
      isIn = true
      waiting.delete(key)
      begun.resolve()
    }
    const waiter = { tenant, begin }
    waiting.set(key, begin)
    queue.enter(waiter)
    if (stopping.aborted) begin()
    return { isIn, begun: begun.promise, leave: () => queue.leave(waiter) }
  }

  function keep(slice: Promise<void>): void {
    const kept = slice.catch(report).finally(() => withoutJob.delete(kept))
    withoutJob.add(kept)
  }

  // Through a gate, where it had to wait there. @returns resolves when the slice has ended, or has yielded its slot
  async function occupy(run: Run, slot: Entry, passed?: Passed): Promise<void> {
    const occupant = createOccupant(run, slot, passed)
    watched.add(occupant)
    const ending = runIn(occupant, run)
    await Promise.race([ending, occupant.hasYielded])
    if (occupant.yielded) keep(ending)
  }

  async function runIn(occupant: Occupant, { slice }: Run): Promise<void> {
    try {
      await slice(occupant)
    } finally {
      occupant.leave()
    }
  }

  function createOccupant(run: Run, slot: Entry, passed: Passed | undefined): Occupant {
    const { tenant } = run
    const { promise: hasYielded, resolve: tellYielded } = Promise.withResolvers<void>()
    let isRefused = false
    const occupant: Occupant = {
      tenant,
      yielded: false,
      awaited: 0,
      since: 0,
      hasYielded,
      isWanted: () => waiting.size > 0,
      awaiting(requests) {
        occupant.awaited = requests
        occupant.since = performance.now()
      },
      admit(gate) {
        if (gate === passed?.gate) return true
        passed?.entry.leave()
        passed = gate && { gate, entry: enter(gate, run) }
        isRefused = passed !== undefined && !passed.entry.isIn
        return !isRefused
      },
      yieldSlot() {
        occupant.yielded = true
        leaveSlot()
        yielded.take(tenant)
        passed?.gate.yielded?.take(tenant)
        tellYielded()
      },
      leave() {
        if (!occupant.yielded) leaveSlot()
        else {
          yielded.giveBack(tenant)
          passed?.gate.yielded?.giveBack(tenant)
        }
        if (isRefused) keep(runAnew(run, passed as Passed))
        else passed?.entry.leave()
      },
    }
    function leaveSlot(): void {
      watched.delete(occupant)
      slot.leave()
    }
    return occupant
  }

  async function runAnew(run: Run, passed: Passed): Promise<void> {
    await passed.entry.begun
    const slot = enter(slots, run)
    await slot.begun
    await occupy(run, slot, passed)
  }

  return {
    count,
    run({ tenant, id }, slice) {
      const run = { key: `${tenant} ${id}`, tenant, slice }
      if (waiting.has(run.key)) return DONE
      const slot = enter(slots, run)
      if (slot.isIn) return occupy(run, slot)
      keep(slot.begun.then(() => occupy(run, slot)))
      return DONE
    },
    tryRun({ tenant, id }, slice) {
      const run = { key: `${tenant} ${id}`, tenant, slice }
      const waiter = { tenant, begin: () => {} }
      if (stopping.aborted || waiting.has(run.key) || !slots.tryEnter(waiter)) return false
      keep(occupy(run, { isIn: true, begun: DONE, leave: () => slots.leave(waiter) }))
      return true
    },
    async ended() {
      // One may leave another behind, which is run anew.
      while (withoutJob.size > 0) await Promise.all(withoutJob)
    },
  }
}

/** A slice that runs, or is to run. */
interface Run {
  /** Names what it sends to. */
  key: string
  tenant: string
  slice: (slot: Slot) => Promise<void>
}

/** A run in a queue, or past it. */
interface Entry {
  /** It was let in at once. */
  isIn: boolean
  begun: Promise<void>
  leave(): void
}

/** The gate that a run has come through, or waits at. */
interface Passed {
  gate: Gate
  entry: Entry
}

interface Occupant extends Slot {
  tenant: string
  /** Requests without an answer. */
  awaited: number
  /** The last change of that, of performance.now(). */
  since: number
  /** The slice goes on without its slot. */
  yieldSlot(): void
  /** Resolves when it does. */
  hasYielded: Promise<void>
  /** The slice has ended. */
  leave(): void
}
