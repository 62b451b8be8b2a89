// Which callbacks wait for which: one that fails is tried again for a minute, and later ones that have a thread in common with it wait until it is over.
import type { Failing } from './store.ts'

export interface Line {
  /** When the callback may be applied, if it has to wait for one that fails. */
  heldUntil(id: string, threads: string[]): Date | undefined
  /** A callback fails, and is due again then. */
  hold(failing: Failing): void
  /** It fails no longer. */
  letGo(id: string): void
}

/** @param failing those that failed when last tried */
export function createLine(failing: Failing[]): Line {
  const held = new Map(failing.map(each => [each.id, each]))
  return {
    heldUntil(id, threads) {
      // Ids are in the order in which callbacks came.
      const before = [...held.values()].filter(each => each.id < id && each.threads.some(thread => threads.includes(thread)))
      return before.length > 0 ? new Date(Math.max(...before.map(({ due_at }) => due_at.getTime()))) : undefined
    },
    hold: failing => void held.set(failing.id, failing),
    letGo: id => void held.delete(id),
  }
}
