// The memory of a worker with 50 runs under way, each with nine of the largest outputs behind it and a tenth call that hangs.
import { setTimeout as delay } from 'node:timers/promises'
import { RUNS_AT_ONCE } from '../../src/limits/flows.ts'
import { SKILL_ANSWER_BYTES } from '../../src/limits/skills.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { aManifest, installApp } from '../../test/support/apps.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Requests, ToServices } from '../chaos/app-services.ts'
import { type App, addressOf, aService, installing, queueRuns, SECRET_KEY } from '../chaos/apps.ts'
import { openEnvironment } from '../chaos/environment.ts'
import { verdict } from '../compare.ts'

const RUNS = 50
/** As many as a flow may have, the one that hangs aside. */
const OUTPUTS = 9
const LIMIT_MB = 250
const WATCHED_MS = 10_000
/** A place is free again as slowly as a long answer may be sent: nine of them take 35 s, and more on a busy machine. */
const BEGUN_LIMIT_MS = 180_000

export async function flowsMemory(): Promise<void> {
  console.log(
    `\nflows, memory: a worker with ${RUNS} runs, each with ${OUTPUTS} outputs of ${SKILL_ANSWER_BYTES / 1024} KB and a call that hangs`,
  )
  const environment = await openEnvironment()
  try {
    const [worker, service] = await Promise.all([environment.start('worker', { SECRET_KEY, SKILL_TIMEOUT_MS: '60000' }), aService()])
    console.log(`  ${'started'.padEnd(34)} ${megabytes(worker.resident())} MB`)
    for (let left = RUNS; left > 0; left -= RUNS_AT_ONCE) {
      const { tenant } = await environment.shop(1)
      const app = await anApp(environment.sql, tenant, addressOf(service, 'flood'), addressOf(service, 'never'))
      await queueRuns(environment.sql, app, Math.min(left, RUNS_AT_ONCE))
    }
    const hanging = async (): Promise<number> => (await service.ask<Requests>({} satisfies ToServices)).never
    await eventually(async () => (await hanging()) >= RUNS, BEGUN_LIMIT_MS)
    await delay(WATCHED_MS)
    const peak = worker.peak()
    const outputs = (RUNS * OUTPUTS * SKILL_ANSWER_BYTES) / 1e6
    console.log(
      `  ${`${await hanging()} runs, ${outputs.toFixed(0)} MB of outputs`.padEnd(34)} ${megabytes(peak)} MB at most, required under ${LIMIT_MB}: ${verdict(peak < LIMIT_MB * 1e6)}`,
    )
  } finally {
    await environment.close()
  }
}

/** The last call names each output, so that none of them is read too early, and each is there when it is made. */
async function anApp(sql: Sql, tenant: string, flood: string, never: string): Promise<App> {
  const skill = (id: string, endpoint: string) => ({ id, name: id, description: 'Answers.', endpoint, inputSchema: { type: 'object' } })
  const ids = Array.from({ length: OUTPUTS }, (_, n) => `s${n}`)
  const manifest = aManifest({
    id: 'bench:outputs',
    scopes: ['subscribe:contact.merged'],
    skills: [skill('flood', flood), skill('never', never)],
    flows: [
      {
        id: 'award',
        name: 'Outputs',
        trigger: 'contact.merged',
        steps: [
          ...ids.map(id => ({ id, type: 'call_skill' as const, skill: 'flood', input: { step: id } })),
          {
            id: 'last',
            type: 'call_skill',
            skill: 'never',
            input: {},
            conditions: ids.map(id => ({ field: `steps.${id}.output`, op: 'ne' as const, value: 'y' })),
          },
        ],
      },
    ],
  })
  const { id, revision } = await installApp(installing(sql), { id: tenant }, manifest)
  return { tenant, id, revision }
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(0)
