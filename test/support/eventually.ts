// Waits for what another process or transaction is about to make true: asks again, rather than sleeping and hoping.
import { setTimeout as delay } from 'node:timers/promises'

/** Resolves with what `look` returns once it no longer throws; after `withinMs` rejects with what it threw last. */
export async function eventually<T>(look: () => Promise<T>, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      return await look()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await delay(20)
    }
  }
}
