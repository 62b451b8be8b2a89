// Runs scripts of app authors, whatever they hold. Each has a thread of its own, which is thrown away afterwards.
import { SANDBOX_MS } from '../../limits.ts'
import type { Outcome } from './outcome.ts'
import type { NewScript } from './schema.ts'
import { createThreads } from './threads.ts'
import { createTurns } from './turns.ts'

export interface Sandbox {
  /** @throws {Problem} 429 and 503 where too many run and wait already */
  execute(tenant: string, script: NewScript): Promise<Outcome>
  /** Resolves once a thread that is kept for the next script is ready for it. */
  spareReady(): Promise<void>
  close(): Promise<void>
}

export function createSandbox(): Sandbox {
  const threads = createThreads()
  const turns = createTurns()

  async function execute(tenant: string, { code, input, timeout_ms: timeoutMs = SANDBOX_MS }: NewScript): Promise<Outcome> {
    return turns.inTurn(tenant, async () => {
      const thread = await threads.take()
      try {
        return await thread.run({ code, input: JSON.stringify(input), timeoutMs })
      } finally {
        // Its memory is given back before another takes its place.
        await thread.end()
        threads.keepSpare()
      }
    })
  }

  return { execute, spareReady: threads.spareReady, close: threads.close }
}
