// The processes of the delivery benchmarks and how they are spoken to: each is asked one thing at a time and answers once.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../src/config.ts'
import { SECRET_KEY } from './dataset.ts'
import { processorMs } from './processor.ts'

/** Milliseconds of the machine's monotonic clock, the same in every process. */
export const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6

export interface Child {
  ready: unknown
  /** Sends `question`; resolves with the next message. */
  ask<Answer>(question: unknown): Promise<Answer>
  /** The most it ever had resident, in bytes. */
  peak(): number
  /** Milliseconds of processor time so far. */
  processorMs(): number
  stop(): Promise<void>
}

/** What a receiver has had since it was last told to begin anew. */
export interface Arrivals {
  count: number
  /** Of the clock above; 0 if there were none. */
  firstAt: number
  lastAt: number
  /** Each event's id and when its first byte came, where that was asked for. */
  events: [id: string, at: number][]
}

/** All are answered with what there was so far; `reset` and `name` begin anew, the latter with the events' ids. */
export type Asked = 'count' | 'reset' | 'name'

export interface Receiver {
  port: number
  ask(asked: Asked): Promise<Arrivals>
}

export async function startReceiver(delayMs = 0): Promise<Receiver> {
  const child = await startScript('./receiver.ts', [String(delayMs)])
  return { port: child.ready as number, ask: asked => child.ask<Arrivals>(asked) }
}

/** `bin/shopdesk worker`, as an operator runs it. */
export function startWorker(databaseUrl: string): Promise<Child> {
  return start(fileURLToPath(new URL('../bin/shopdesk', import.meta.url)), ['worker'], {
    DATABASE_URL: databaseUrl,
    SECRET_KEY,
    OUTBOUND_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'warn',
  })
}

export const startScript = (file: string, args: string[]): Promise<Child> =>
  start(process.execPath, [...process.execArgv, fileURLToPath(new URL(file, import.meta.url)), ...args], {})

const running = new Set<Child>()

/** Whatever was started and still runs, in whatever order: for the end of a benchmark, also one that failed. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(child => child.stop()))
}

async function start(command: string, args: string[], settings: Record<string, string>): Promise<Child> {
  const spawned = spawn(command, args, { env: childEnvironment(settings), stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const exit = once(spawned, 'exit')
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = (await Promise.race([once(spawned, 'message'), exit.then(() => [undefined])])) as [Answer | undefined]
    if (message === undefined) throw new Error(`${spawned.spawnargs.join(' ')} ended instead of answering`)
    return message
  }
  const child: Child = {
    ready: undefined,
    ask(question) {
      const answered = answer<never>()
      spawned.send(question as object)
      return answered
    },
    peak: () => Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${spawned.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024,
    processorMs: () => processorMs(spawned.pid as number),
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
