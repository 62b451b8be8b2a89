// The servers under load, each a process of its own as in production, and what they weigh.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../src/config.ts'
import { type Dataset, SECRET_KEY } from './dataset.ts'

export interface Server {
  address: string
  pid: number
  /** Resident memory of the process and all it started, in bytes. */
  resident(): number
  stop(): Promise<void>
}

/** `bin/shopdesk web`, as an operator runs it. */
export const startWeb = (dataset: Pick<Dataset, 'databaseUrl'>): Promise<Server> => start(dataset, path('../bin/shopdesk'), ['web'])

/** `bin/shopdesk worker`, likewise. */
export const startWorker = (dataset: Pick<Dataset, 'databaseUrl'>): Promise<Server> => start(dataset, path('../bin/shopdesk'), ['worker'])

/** The limit: see bare-server.ts. */
export const startBare = (dataset: Dataset): Promise<Server> =>
  start(dataset, process.execPath, [...process.execArgv, path('./bare-server.ts')])

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url))

async function start({ databaseUrl }: Pick<Dataset, 'databaseUrl'>, command: string, args: string[]): Promise<Server> {
  const env = childEnvironment({ DATABASE_URL: databaseUrl, SECRET_KEY, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' })
  const child = spawn(command, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  const { ready } = message as { ready?: string | true }
  if (!ready) throw new Error(`${command} ${args.join(' ')} did not start`)
  return { address: String(ready), pid: child.pid as number, resident: () => residentTree(child.pid as number), stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  await exit
}

function residentTree(pid: number): number {
  const kibibytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kibibytes ?? 0) * 1024 + childrenOf(pid).reduce((sum, child) => sum + residentTree(child), 0)
}

/** Processor time that these processes and all they started have taken, those that have ended included. Linux counts it in hundredths. */
export function cpuMs(pids: number[]): number {
  const own = (pid: number): number =>
    statOf(pid)
      .slice(11, 15)
      .reduce((sum, ticks) => sum + Number(ticks) * 10, 0)
  return pids.reduce((sum, pid) => sum + own(pid) + cpuMs(childrenOf(pid)), 0)
}

export const parentOf = (pid: number): number => Number(statOf(pid)[1])

// From the state on: what stands before it may hold blanks.
const statOf = (pid: number): string[] => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') as string[]

const childrenOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/task`).flatMap(task =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
