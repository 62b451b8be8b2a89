// Which turns get a place in a process, and which give it back: places are shared out by tenant, and receivers that keep us waiting must not keep the
// others waiting (docs/decisions/2026-11-22-delivery-slots-are-shared-out-by-tenant.md, 2026-11-20-slow-endpoints-yield-their-slot.md).

import { now } from '../../clock.ts'
import type { Ref } from '../../ids.ts'
import { createFairQueue, createShares, createWaiting, type FairQueue } from '../../outbound/fair-queue.ts'
import { createTicker } from '../../ticker.ts'
import type { Lease } from './store.ts'

export interface Places {
  /**
   * Runs a turn when its tenant has room: at once, or when others have left. What waits for room already does not wait twice.
   * @param use the turn, which tells its place
   * @returns resolves when its job may end: the turn has ended, has given its place back, or waits. What it throws after that is reported
   */
  turn(endpoint: Ref, use: (place: Place) => Promise<void>): Promise<void>
  /**
   * Runs a turn that has no job, if its tenant has room at once.
   * @returns whether it runs
   */
  tryTurn(endpoint: Ref, use: (place: Place) => Promise<void>): boolean
  /** Resolves when the turns have ended that have no job, or whose jobs ended before them. */
  ended(): Promise<void>
}

export interface Place extends Watch {
  /**
   * Whether the turn may go on: not if its endpoint failed last, or has no recent success, and too many of its like are under way. Then it is to
   * end, and is run anew when there is room for it.
   */
  admits(standing: Standing): boolean
}

export interface Watch {
  /** To be told when the first request begins, and whenever one is answered: how many are under way. */
  awaiting(requests: number): void
  /** The place is given back: the turn begins nothing more, for a turn without a place must not go on for long. */
  over: boolean
}

export type Standing = Pick<Lease, 'failures' | 'last_success_at'>

/** A turn that is not answered for so long gives its place back, once more than half of them are taken: most receivers need far less. */
const PATIENCE_MS = 250
/** … up to so much later. */
const LOOK_MS = 50
/** A success is recent for so long. */
const RECENT_MS = 60 * 60_000

const DONE = Promise.resolve()

/**
 * @param stopping when it is aborted, all that waits begins: it sends nothing, and leaves its webhooks to other processes
 * @param report of the errors of turns whose jobs have ended
 */
export function createPlaces(slots: number, stopping: AbortSignal, report: (error: unknown) => void): Places {
  const quarter = Math.max(1, Math.floor(slots / 4))
  const places = createFairQueue(slots)
  // What is waited for takes memory.
  const aside = createShares(slots * 2)
  const unknownAside = createShares(quarter)
  const gates = {
    failing: createFairQueue(quarter),
    unknown: createGate(tenant => (unknownAside.held(tenant) > 0 ? unknownAside.hasRoom(tenant) : unknownAside.held() < slots)),
  }
  /** What lets in each turn that waits, by endpoint. */
  const waiting = new Map<string, () => void>()
  const withoutJob = new Set<Promise<void>>()

  // Not a timer for each answer: that would cost more than all else of it.
  const watched = createTicker<Holder>(LOOK_MS, ({ awaited, since, tenant, giveBack }, now) => {
    if (awaited > 0 && now - since >= PATIENCE_MS && places.held() * 2 > slots && aside.hasRoom(tenant)) giveBack()
  })

  stopping.addEventListener('abort', () => {
    for (const letIn of [...waiting.values()]) letIn()
  })

  function visit(queue: Queue, { key, tenant }: Turn): Visit {
    const begun = Promise.withResolvers<void>()
    let isIn = false
    const begin = (): void => {
      isIn = true
      waiting.delete(key)
      begun.resolve()
    }
    const visitor = { tenant, begin }
    waiting.set(key, begin)
    queue.enter(visitor)
    if (stopping.aborted) begin()
    return { isIn, begun: begun.promise, leave: () => queue.leave(visitor) }
  }

  function keep(turn: Promise<void>): void {
    const kept = turn.catch(report).finally(() => withoutJob.delete(kept))
    withoutJob.add(kept)
  }

  // Through the gate of its kind, where it had to wait there. @returns resolves when the turn has ended, or has given its place back
  async function run(turn: Turn, place: Visit, kind: Kind = 'trusted', gate?: Visit): Promise<void> {
    const holder = createHolder(turn, place, kind, gate)
    watched.add(holder)
    const ending = use(turn, holder)
    await Promise.race([ending, holder.givenBack])
    if (holder.over) keep(ending)
  }

  async function use(turn: Turn, holder: Holder): Promise<void> {
    try {
      await turn.use(holder)
    } finally {
      holder.leave()
    }
  }

  function createHolder(turn: Turn, place: Visit, kind: Kind, gate: Visit | undefined): Holder {
    const { tenant } = turn
    const { promise: givenBack, resolve: tellGivenBack } = Promise.withResolvers<void>()
    let isRefused = false
    const holder: Holder = {
      tenant,
      over: false,
      awaited: 0,
      since: 0,
      givenBack,
      awaiting(requests) {
        holder.awaited = requests
        holder.since = performance.now()
      },
      admits(standing) {
        const found = kindOf(standing)
        if (found === kind) return true
        gate?.leave()
        kind = found
        gate = kind === 'trusted' ? undefined : visit(gates[kind], turn)
        isRefused = gate !== undefined && !gate.isIn
        return !isRefused
      },
      giveBack() {
        holder.over = true
        leavePlace()
        aside.take(tenant)
        if (kind === 'unknown') unknownAside.take(tenant)
        tellGivenBack()
      },
      leave() {
        if (!holder.over) leavePlace()
        else {
          aside.giveBack(tenant)
          if (kind === 'unknown') unknownAside.giveBack(tenant)
        }
        if (isRefused) keep(runAnew(turn, kind, gate as Visit))
        else gate?.leave()
      },
    }
    function leavePlace(): void {
      watched.delete(holder)
      place.leave()
    }
    return holder
  }

  async function runAnew(turn: Turn, kind: Kind, gate: Visit): Promise<void> {
    await gate.begun
    const place = visit(places, turn)
    await place.begun
    await run(turn, place, kind, gate)
  }

  return {
    turn({ tenant, id }, use) {
      const turn = { key: `${tenant} ${id}`, tenant, use }
      if (waiting.has(turn.key)) return DONE
      const place = visit(places, turn)
      if (place.isIn) return run(turn, place)
      keep(place.begun.then(() => run(turn, place)))
      return DONE
    },
    tryTurn({ tenant, id }, use) {
      const turn = { key: `${tenant} ${id}`, tenant, use }
      const visitor = { tenant, begin: () => {} }
      if (stopping.aborted || waiting.has(turn.key) || !places.tryEnter(visitor)) return false
      keep(run(turn, { isIn: true, begun: DONE, leave: () => places.leave(visitor) }))
      return true
    },
    async ended() {
      // One may leave another behind, which is run anew.
      while (withoutJob.size > 0) await Promise.all(withoutJob)
    },
  }
}

interface Turn {
  /** Of its endpoint. */
  key: string
  tenant: string
  use: (place: Place) => Promise<void>
}

interface Visit {
  /** It was let in at once. */
  isIn: boolean
  begun: Promise<void>
  leave(): void
}

interface Holder extends Place {
  tenant: string
  /** Requests without an answer. */
  awaited: number
  /** The last change of that, of performance.now(). */
  since: number
  /** Its place, while the turn goes on without it. */
  giveBack(): void
  /** Resolves when it is. */
  givenBack: Promise<void>
  /** The turn has ended. */
  leave(): void
}

type Kind = 'failing' | 'trusted' | 'unknown'

function kindOf({ failures, last_success_at }: Standing): Kind {
  if (failures > 0) return 'failing'
  return last_success_at !== null && last_success_at.getTime() > now() - RECENT_MS ? 'trusted' : 'unknown'
}

type Queue = Pick<FairQueue, 'enter' | 'leave'>

/** Visitors inside are not counted: once some had to wait, two are let in for each that leaves, the tenants in turn. */
function createGate(hasRoom: (tenant: string) => boolean): Queue {
  const others = createWaiting()
  function letOneIn(): void {
    const next = others.heads().find(({ tenant }) => hasRoom(tenant))
    if (!next) return
    others.serve(next)
    next.begin()
  }
  return {
    enter(visitor) {
      if (others.has(visitor.tenant) || !hasRoom(visitor.tenant)) others.add(visitor)
      else visitor.begin()
    },
    leave(visitor) {
      others.leave(visitor)
      letOneIn()
      letOneIn()
    },
  }
}
