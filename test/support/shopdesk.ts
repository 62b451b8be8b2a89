// bin/shopdesk as a process of its own, with an environment of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { fileURLToPath } from 'node:url'
import { childEnvironment } from '../../src/config.ts'
import { MANY_WEBHOOKS, type TestApp } from './app.ts'
import { eventually } from './eventually.ts'

const SHOPDESK = fileURLToPath(new URL('../../bin/shopdesk', import.meta.url))
const running = new Set<ChildProcess>()
// What a failed test has left.
after(() => {
  for (const child of running) child.kill('SIGKILL')
})

export interface Running {
  child: ChildProcess
  stdout: () => string
  stderr: () => string
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>
  /** Resolves when stdout has this. Fails when the process ends before. */
  says(pattern: RegExp): Promise<void>
}

/** What a process needs to serve what `testApp` made. */
export const settingsOf = ({ databaseUrl, keyring }: Pick<TestApp, 'databaseUrl' | 'keyring'>) => ({
  DATABASE_URL: databaseUrl,
  SECRET_KEY: Object.values(keyring)[0]?.toString('hex'),
  LOG_LEVEL: 'warn',
  OUTBOUND_ALLOW_PRIVATE: 'true',
  ...MANY_WEBHOOKS,
})

/** A worker that is running. */
export async function aWorker(env: Record<string, string | undefined>): Promise<Running> {
  const worker = shopdesk(['worker'], env)
  await worker.says(/worker is running/)
  return worker
}

export function shopdesk(args: string[], env: Record<string, string | undefined>): Running {
  const child = spawn(SHOPDESK, args, { env: childEnvironment(env), stdio: ['ignore', 'pipe', 'pipe'] })
  running.add(child)
  const text = { stdout: '', stderr: '' }
  child.stdout.on('data', chunk => {
    text.stdout += chunk
  })
  child.stderr.on('data', chunk => {
    text.stderr += chunk
  })
  const ended = once(child, 'close').then(([code, signal]) => {
    running.delete(child)
    return code ?? signal
  })
  return {
    child,
    stdout: () => text.stdout,
    stderr: () => text.stderr,
    ended,
    async says(pattern) {
      await eventually(async () => {
        if (!running.has(child)) throw new Error(`It ended before it said ${pattern}: ${text.stdout}${text.stderr}`)
        return pattern.test(text.stdout)
        // A start takes half a second, and half a minute where many tests start processes at once.
      }, 60_000)
    },
  }
}
