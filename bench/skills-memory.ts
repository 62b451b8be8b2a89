// The memory of a worker with 200 calls of skills that hang.
import { setTimeout as delay } from 'node:timers/promises'
import { SKILL_CALLS_AT_ONCE } from '../src/limits/skills.ts'
import { eventually } from '../test/support/eventually.ts'
import type { Requests, ToServices, Way } from './chaos/app-services.ts'
import { addressOf, anApp, aService, queueRuns, SECRET_KEY } from './chaos/apps.ts'
import { openEnvironment } from './chaos/environment.ts'
import { verdict } from './compare.ts'

const WAYS: Way[] = ['good', 'never', 'drip', 'flood', 'reset', 'error']
const CALLS = 200
/** More than would do, for some runs find no place at once and ask again. */
const INSTALLATIONS = (2 * CALLS) / SKILL_CALLS_AT_ONCE
const LIMIT_MB = 250
const WATCHED_MS = 10_000
/** The usual 200 slots leave some for workspaces that have none under way, so that 188 calls hang there at most. */
const SLOTS = '240'
const BEGUN_LIMIT_MS = 45_000

export async function skillsMemory(): Promise<void> {
  console.log(`\nskills, memory: a worker with ${CALLS} calls that hang`)
  const environment = await openEnvironment()
  try {
    const [worker, service] = await Promise.all([
      environment.start('worker', { SECRET_KEY, SKILL_TIMEOUT_MS: '60000', WORKER_CONCURRENCY: SLOTS }),
      aService(),
    ])
    console.log(`  ${'started'.padEnd(34)} ${megabytes(worker.resident())} MB`)
    await service.ask<Requests>({ behave: Object.fromEntries(WAYS.map(way => [way, 'never'])) } satisfies ToServices)
    for (let n = 0; n < INSTALLATIONS; n++) {
      // A process has 64 requests to one origin at most.
      const app = await anApp(environment.sql, await environment.shop(1), 'never', addressOf(service, WAYS[n % WAYS.length] as Way))
      await queueRuns(environment.sql, app, SKILL_CALLS_AT_ONCE)
    }
    const hanging = async (): Promise<number> =>
      Object.values(await service.ask<Requests>({} satisfies ToServices)).reduce((sum, requests) => sum + requests, 0)
    await eventually(async () => (await hanging()) >= CALLS, BEGUN_LIMIT_MS)
    await delay(WATCHED_MS)
    const peak = worker.peak()
    console.log(
      `  ${`${await hanging()} calls hang`.padEnd(34)} ${megabytes(peak)} MB at most, required under ${LIMIT_MB}: ${verdict(peak < LIMIT_MB * 1e6)}`,
    )
  } finally {
    await environment.close()
  }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
