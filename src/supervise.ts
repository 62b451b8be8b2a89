// One child process of `start`, kept running: started again, with a growing pause, when it dies; stopped when told.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { SHUTDOWN_GRACE_MS } from './limits.ts'
import type { Ready } from './process.ts'

const SHOPDESK = fileURLToPath(new URL('../bin/shopdesk', import.meta.url))
/** A child that dies is started again after this long, then twice as long, until one becomes ready. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000
/** A child that has not stopped by then is killed. Longer than its own limit, so that it can say what hung. */
export const KILL_AFTER_MS = SHUTDOWN_GRACE_MS + 10_000

/** A child ended before it was ready. It has said why itself, so there is nothing to print. */
export class ChildFailed extends Error {
  override name = 'ChildFailed'
}

export interface Kept {
  /** Resolves when the child first reports ready; rejects with ChildFailed when it ends before. */
  ready: Promise<Ready['ready']>
  close(): Promise<void>
}

export function keepRunning(command: 'web' | 'worker', environment: NodeJS.ProcessEnv): Kept {
  const closing = new AbortController()
  let child = launch(command, environment)
  const ready = firstReady(child, command)
  // Whoever awaits `ready` hears of it; nobody does when a signal came first.
  ready.catch(() => {})
  const kept = ready.then(
    async () => {
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
        const code = await ended(child)
        if (closing.signal.aborted) return
        console.error(`${command} ended (${code}); starting it again in ${pause / 1000} s.`)
        await delay(pause, undefined, { signal: closing.signal })
        child = launch(command, environment)
        child.once('message', () => {
          pause = FIRST_PAUSE_MS / 2
        })
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
function launch(command: string, env: NodeJS.ProcessEnv): ChildProcess {
  return spawn(SHOPDESK, [command], { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
}

async function firstReady(child: ChildProcess, command: string): Promise<Ready['ready']> {
  const first = await Promise.race([once(child, 'message'), ended(child)])
  if (Array.isArray(first)) return (first[0] as Ready).ready
  throw new ChildFailed(`${command} ended (${first}) before it was ready.`)
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
