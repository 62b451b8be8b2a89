// Endpoints that are not trusted to answer soon share narrower ways into a process's slots, so that those that hang never hold the most of them.
import { createFairQueue, createShares, createWaiting } from '../../fair-queue.ts'
import type { Gate } from '../../queue/slots.ts'
import type { Trust } from './trust.ts'

/** @param count how many slots the process has */
export function createGates(count: number): Record<Trust, Gate | undefined> {
  const quarter = Math.max(1, Math.floor(count / 4))
  const yielded = createShares(quarter)
  const hasRoom = (tenant: string): boolean => (yielded.held(tenant) > 0 ? yielded.hasRoom(tenant) : yielded.held() < count)
  return { trusted: undefined, failing: createFairQueue(quarter), unknown: { ...createGate(hasRoom), yielded } }
}

/** Running slices are not counted: once some had to wait, two are let in for each that leaves, the tenants in turn. */
function createGate(hasRoom: (tenant: string) => boolean): Gate {
  const others = createWaiting()
  function letOneIn(): void {
    const next = others.heads().find(({ tenant }) => hasRoom(tenant))
    if (!next) return
    others.serve(next)
    next.begin()
  }
  return {
    enter(waiter) {
      if (others.has(waiter.tenant) || !hasRoom(waiter.tenant)) others.add(waiter)
      else waiter.begin()
    },
    leave(waiter) {
      others.leave(waiter)
      letOneIn()
      letOneIn()
    },
  }
}
