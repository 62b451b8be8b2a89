// One child process of `start`, kept running: started again, with a growing pause, when it dies or no longer answers; stopped on request.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SHUTDOWN_GRACE_MS } from './limits/queue.ts'
import type { Ready } from './process.ts'

const SHOPDESK = fileURLToPath(new URL('../bin/shopdesk', import.meta.url))
/** A child that has not stopped by then is killed. Longer than its own limit, so that it can say what hung. */
export const KILL_AFTER_MS = SHUTDOWN_GRACE_MS + 10_000

/** How a child is kept running; only tests set other values. */
export interface Keeping {
  /** A child that dies is started again after this long, then twice as long, up to the longest … */
  firstPauseMs: number
  longestPauseMs: number
  /** … and after the first again, once a child was ready for this long. */
  steadyMs: number
  /** How often this process checks whether the child has said that it lives, which the child does each second. */
  lookMs: number
  /** A child silent for this many checks is killed. Checks, not time: a process that is frozen itself, as on a sleeping laptop, makes none. */
  silentLooks: number
  say(line: string): void
  /** Called for each child that reports ready. */
  onReady(): void
}

const KEEPING: Keeping = {
  firstPauseMs: 100,
  longestPauseMs: 30_000,
  steadyMs: 60_000,
  lookMs: 1_000,
  silentLooks: 15,
  say: line => console.error(line),
  onReady: () => {},
}

/** A child ended before it was ready. It has said why itself, so there is nothing to print. */
export class ChildFailed extends Error {
  override name = 'ChildFailed'
}

export interface Kept {
  /** Resolves when the child first reports ready; rejects with ChildFailed when it ends before. */
  ready: Promise<Ready['ready']>
  close(): Promise<void>
}

/** What is kept running: a program that reports as `reportReady` does. */
export interface Program {
  /** In what is said of it. */
  name: string
  run: [file: string, ...args: string[]]
}

export const shopdesk = (command: 'web' | 'worker'): Program => ({ name: command, run: [SHOPDESK, command] })

export function keepRunning({ name, run }: Program, environment: NodeJS.ProcessEnv, keeping: Keeping = KEEPING): Kept {
  const closing = new AbortController()
  let child = launch(run, environment)
  let end = watched(child, name, keeping, closing.signal)
  const ready = firstReady(child, name)
  // A caller that awaits `ready` gets the error; after a signal no caller does.
  ready.catch(() => {})
  const kept = ready.then(
    async () => {
      for (let pause = keeping.firstPauseMs; ; ) {
        const readyMs = await end
        if (closing.signal.aborted) return
        if (readyMs >= keeping.steadyMs) pause = keeping.firstPauseMs
        keeping.say(`${name} ended (${child.exitCode ?? child.signalCode}); starting it again in ${pause / 1000} s.`)
        await delay(pause, undefined, { signal: closing.signal })
        pause = Math.min(pause * 2, keeping.longestPauseMs)
        child = launch(run, environment)
        end = watched(child, name, keeping, closing.signal)
      }
    },
    () => {},
  )
  return {
    ready,
    async close() {
      closing.abort()
      await stop(child)
      await kept.catch(() => {})
    },
  }
}

// In a process group of its own, so that a Ctrl-C reaches `start` alone, which stops everything in order.
function launch([file, ...args]: Program['run'], env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(file, args, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

/**
 * Resolves when the child has ended: by itself, or killed because it was ready and then silent for long, being frozen or in an endless loop. A child
 * that starts has said nothing yet, and one that stops has closed its channel: these are left alone.
 * @returns for how long it was ready, in milliseconds
 */
async function watched(
  child: ChildProcess,
  name: string,
  { lookMs, silentLooks, say, onReady }: Keeping,
  closing: AbortSignal,
): Promise<number> {
  let readyAt: number | undefined
  let looks = 0
  child.on('message', () => {
    looks = 0
    if (readyAt !== undefined) return
    readyAt = performance.now()
    onReady()
  })
  const looking = setInterval(() => {
    if (readyAt === undefined || !child.connected || closing.aborted || ++looks < silentLooks) return
    clearInterval(looking)
    say(`${name} has not answered for ${(silentLooks * lookMs) / 1000} s; killing it.`)
    child.kill('SIGKILL')
  }, lookMs)
  await ended(child)
  clearInterval(looking)
  return readyAt === undefined ? 0 : performance.now() - readyAt
}

async function firstReady(child: ChildProcess, name: string): Promise<Ready['ready']> {
  const first = await Promise.race([once(child, 'message'), ended(child)])
  if (Array.isArray(first)) return (first[0] as Ready).ready
  throw new ChildFailed(`${name} ended (${first}) before it was ready.`)
}

/** The exit code or the signal. */
async function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.exitCode ?? child.signalCode
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
  await ended(child)
  clearTimeout(late)
}
