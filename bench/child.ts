// A process of a benchmark: it says when it is ready, is asked one thing at a time and answers once, and it is known what it takes. Linux only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../src/config.ts'
import { familyBytes, peakBytes, processorMs } from '../test/support/process-usage.ts'

export interface Child {
  pid: number
  ready: unknown
  /** Sends `question`; resolves with the next message. */
  ask<Answer>(question: unknown): Promise<Answer>
  /** Resident memory of the process and all it started, in bytes. */
  resident(): number
  /** The most it ever had resident itself, in bytes. It must still be there. */
  peak(): number
  /** Milliseconds of processor time so far. */
  processorMs(): number
  stop(): Promise<void>
}

/** `bin/shopdesk`, as an operator runs it. */
export const startShopdesk = (command: string, settings: Record<string, string>): Promise<Child> => start(SHOPDESK, [command], settings)

/** A script of the benchmarks. */
export const startScript = (file: URL, args: string[], settings: Record<string, string> = {}): Promise<Child> =>
  start(process.execPath, [fileURLToPath(file), ...args], settings)

const SHOPDESK = fileURLToPath(new URL('../bin/shopdesk', import.meta.url))

const running = new Set<Child>()

/** Whatever was started and still runs, in whatever order: for the end of a benchmark, also one that failed. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(child => child.stop()))
}

async function start(command: string, args: string[], settings: Record<string, string>): Promise<Child> {
  const spawned = spawn(command, args, { env: childEnvironment(settings), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const pid = spawned.pid as number
  const exit = once(spawned, 'exit')
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = (await Promise.race([once(spawned, 'message'), exit.then(() => [undefined])])) as [Answer | undefined]
    if (message === undefined) throw new Error(`${spawned.spawnargs.join(' ')} ended instead of answering`)
    return message
  }
  const child: Child = {
    pid,
    ready: undefined,
    ask(question) {
      const answered = answer<never>()
      spawned.send(question as object)
      return answered
    },
    resident: () => familyBytes(pid),
    peak: () => peakBytes(pid),
    processorMs: () => processorMs(pid),
    async stop() {
      running.delete(child)
      spawned.kill('SIGTERM')
      await exit
    },
  }
  running.add(child)
  child.ready = (await answer<{ ready: unknown }>()).ready
  return child
}
