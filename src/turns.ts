// Long work, by turns: a limited amount at once, a share of it for one tenant, and waiting tenants are served one after another.
import type { Leave, Places } from './places.ts'

/**
 * Runs `work` when it is the tenant's turn.
 * @param signal ends the wait: `work` is then not begun
 * @throws {Problem} the refusal of the waiting room; or the error of `work`
 */
export type Turns = <T>(tenant: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>

/** @param waitingRoom the places of waiting work; without it any amount may wait */
export function createTurns(places: Places, waitingRoom?: Places): Turns {
  // Tenants in the order in which they are served, each with the functions that begin its turns.
  const queues = new Map<string, Set<(leave: Leave) => void>>()

  async function turnOf(tenant: string, signal: AbortSignal | undefined): Promise<Leave> {
    signal?.throwIfAborted()
    const leaveRoom = waitingRoom?.take(tenant)
    const queue = queues.get(tenant) ?? new Set()
    queues.set(tenant, queue)
    return new Promise<Leave>((resolve, reject) => {
      const begin = (leave: Leave): void => {
        leaveQueue()
        resolve(leave)
      }
      const giveUp = (): void => {
        leaveQueue()
        reject(signal?.reason)
      }
      function leaveQueue(): void {
        signal?.removeEventListener('abort', giveUp)
        queue.delete(begin)
        if (queue.size === 0) queues.delete(tenant)
        leaveRoom?.()
      }
      queue.add(begin)
      signal?.addEventListener('abort', giveUp)
    })
  }

  // One place has become free, so one turn begins at most.
  function beginNext(): void {
    for (const [tenant, queue] of queues) {
      const leave = places.tryTake(tenant)
      if (!leave) continue
      const [begin] = queue
      // Behind the other tenants.
      queues.delete(tenant)
      queues.set(tenant, queue)
      begin?.(leave)
      return
    }
  }

  return async (tenant, work, signal) => {
    const leave = places.tryTake(tenant) ?? (await turnOf(tenant, signal))
    try {
      return await work()
    } finally {
      leave()
      beginNext()
    }
  }
}
