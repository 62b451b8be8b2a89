// `bin/shopdesk` and scripts, each a process of its own: its start, output, answers, end, processor time and memory.
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../../src/config.ts'
import { eventually } from './eventually.ts'
import { familyBytes, peakBytes, processorMs } from './process-usage.ts'

const SHOPDESK = fileURLToPath(new URL('../../bin/shopdesk', import.meta.url))
/** A start takes half a second, and half a minute and more where many tests start processes at once. */
const START_MAX_MS = 120_000

type Settings = Record<string, string | undefined>

export interface Running {
  child: ChildProcess
  pid: number
  /** The output so far, each stream and both in order of arrival. Empty where it is passed on. */
  stdout(): string
  stderr(): string
  output(): string
  /** Resolves when stdout has this. @throws when the process ends before */
  says(pattern: RegExp): Promise<void>
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>
  hasEnded(): boolean
  /** By SIGTERM, as an operator does, unless told otherwise. @returns how it ended */
  stop(signal?: NodeJS.Signals): Promise<number | string>
  /** Resident memory of the process and all it started, in bytes. */
  resident(): number
  /** The most it ever had resident itself, in bytes. @throws when it is gone */
  peak(): number
  /** Milliseconds of processor time so far. */
  processorMs(): number
}

/** A process that reports to the one that started it. */
export interface Reporting extends Running {
  /** Its first report: web's address, a worker's `true`. */
  ready: unknown
  /** Sends `question`; resolves with the next message. */
  ask<Answer>(question: unknown): Promise<Answer>
}

const running = new Set<Running>()

/** For the end of a benchmark, also of one that failed. */
export async function stopAll(): Promise<void> {
  await Promise.all([...running].map(each => each.stop()))
}

/** For processes that a failed test has left. */
export function killAll(): void {
  for (const { child } of running) child.kill('SIGKILL')
}

/** Any command of `bin/shopdesk`, as an operator types it. */
export const runShopdesk = (args: string[], settings: Settings): Running => run(SHOPDESK, args, settings, ['ignore', 'pipe', 'pipe'])

/** The same, whose output goes to an open file. */
export const runInto = (file: number, args: string[], settings: Settings): Running =>
  run(SHOPDESK, args, settings, ['ignore', file, 'pipe'])

/** The same, for a command that reads what is typed: into `child.stdin`. */
export const runTyped = (args: string[], settings: Settings): Running => run(SHOPDESK, args, settings, ['pipe', 'pipe', 'pipe'])

/**
 * The same on a terminal of its own, by util-linux's `script`: it shows what it is asked, and reads the answer from `child.stdin`. It takes the place
 * of the shell that `script` runs it by, which would else get Ctrl-C too and end by it.
 */
export const runOnTerminal = (args: string[], settings: Settings): Running =>
  run('script', ['-qec', `exec ${[SHOPDESK, ...args].map(quoted).join(' ')}`, '/dev/null'], settings, ['pipe', 'pipe', 'pipe'])

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`

/** `bin/shopdesk` web or worker, when it is ready. Its output is kept, or passed on. */
export const startShopdesk = (command: 'web' | 'worker', settings: Settings, output: 'kept' | 'passed on'): Promise<Reporting> =>
  reporting(run(SHOPDESK, [command], settings, output === 'kept' ? ['ignore', 'pipe', 'pipe', 'ipc'] : PASSED_ON))

/** A script that reports `{ ready }`. Its output is passed on. */
export const startScript = (file: URL, args: string[], settings: Settings = {}): Promise<Reporting> =>
  reporting(run(process.execPath, [fileURLToPath(file), ...args], settings, PASSED_ON))

const PASSED_ON: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc']

function run(file: string, args: string[], settings: Settings, stdio: StdioOptions): Running {
  const child = spawn(file, args, { env: childEnvironment(settings), stdio })
  const pid = child.pid as number
  const text = { stdout: '', stderr: '', output: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk
      text.output += chunk
    })
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(process)
    return code ?? signal
  })
  const process: Running = {
    child,
    pid,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    output: () => text.output,
    says: pattern =>
      eventually(async () => {
        if (!running.has(process)) throw new Error(`It ended before it said ${pattern}: ${text.output}`)
        return pattern.test(text.stdout)
      }, START_MAX_MS).then(() => {}),
    ended,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
    resident: () => familyBytes(pid),
    peak: () => peakBytes(pid),
    processorMs: () => processorMs(pid),
  }
  running.add(process)
  return process
}

async function reporting(process: Running): Promise<Reporting> {
  const { child, ended, output } = process
  const answer = async <Answer>(): Promise<Answer> => {
    const [message] = (await Promise.race([once(child, 'message'), ended.then(() => [undefined])])) as [Answer | undefined]
    if (message === undefined) throw new Error(`${child.spawnargs.join(' ')} ended instead of answering: ${output()}`)
    return message
  }
  const { ready } = await answer<{ ready: unknown }>()
  return {
    ...process,
    ready,
    ask(question) {
      const answered = answer<never>()
      child.send(question as object)
      return answered
    },
  }
}
