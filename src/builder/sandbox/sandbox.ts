// Runs scripts of app authors, whatever they hold. Each has a thread of its own, which is thrown away afterwards.
import { SANDBOX_MS } from '../../limits/builder.ts'
import type { Outcome } from './outcome.ts'
import type { NewScript } from './schema.ts'
import type { Thread } from './thread.ts'
import { createThreads } from './threads.ts'
import { createTurns, type Turn } from './turns.ts'

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
  /** Once the threads of all scripts that have ended are gone. */
  let cleared: Promise<unknown> = Promise.resolve()

  async function execute(tenant: string, { code, input, timeout_ms: timeoutMs = SANDBOX_MS }: NewScript): Promise<Outcome> {
    const turn = await turns.enter(tenant)
    let thread: Thread | undefined
    try {
      thread = await threads.take()
      return await thread.run({ code, input: JSON.stringify(input), timeoutMs })
    } finally {
      turn.end()
      cleared = Promise.all([cleared, clearAway(thread, turn)])
    }
  }

  // Its memory is given back before another takes its place; the answer does not wait for that.
  async function clearAway(thread: Thread | undefined, turn: Turn): Promise<void> {
    await thread?.end()
    turn.leave()
    threads.keepSpare()
  }

  return {
    execute,
    async spareReady() {
      await cleared
      await threads.spareReady()
    },
    async close() {
      await cleared
      await threads.close()
    },
  }
}
