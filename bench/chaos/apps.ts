// Apps of the experiments: installed, each with a service that behaves in one way, and with runs that are due.
import { createHmac } from 'node:crypto'
import { loadConfig } from '../../src/config.ts'
import { newRun } from '../../src/flows/matching/new-run.ts'
import { write } from '../../src/flows/matching/store.ts'
import { wakeRunsAfter } from '../../src/flows/waking/wake.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { aManifest, installApp } from '../../test/support/apps.ts'
import { type Reporting, startScript } from '../../test/support/processes.ts'
import type { Way } from './app-services.ts'
import type { Shop } from './environment.ts'

export const SECRET_KEY = createHmac('sha256', 'hostile apps').digest('hex')

export interface App {
  tenant: string
  id: string
  revision: number
}

export const aService = (): Promise<Reporting> => startScript(new URL('./app-services.ts', import.meta.url), [])
export const addressOf = ({ ready }: Reporting, way: Way): string => (ready as Record<Way, string>)[way]

/** Its flow asks its service about each new order, and makes a record of the answer. */
export async function anApp(sql: Sql, { tenant }: Shop, way: Way, endpoint: string): Promise<App> {
  const manifest = aManifest({
    id: `chaos:${way}`,
    scopes:
      way === 'good'
        ? ['subscribe:order.created', 'read:records', 'write:records']
        : ['subscribe:contact.merged', 'read:records', 'write:records'],
    resources: [{ id: 'points', name: 'Points', fields: [{ name: 'points', type: 'number' }] }],
    skills: [{ id: 'award', name: 'Award', description: 'Awards points.', endpoint, inputSchema: { type: 'object' } }],
    flows: [
      {
        id: 'award',
        name: 'Award',
        trigger: way === 'good' ? 'order.created' : 'contact.merged',
        steps: [
          { id: 'award', type: 'call_skill', skill: 'award', input: { event: '{{trigger.id}}' } },
          { id: 'keep', type: 'create_record', resource: 'points', values: { points: 12 }, external_id: '{{trigger.id}}' },
        ],
      },
    ],
  })
  const { id, revision } = await installApp(installing(sql), { id: tenant }, manifest)
  return { tenant, id, revision }
}

/** What installing an app with a service on this machine needs of its process. */
export const installing = (sql: Sql) => ({
  sql,
  keyring: parseKeyring(SECRET_KEY) as Keyring,
  config: { outbound: loadConfig({ OUTBOUND_ALLOW_PRIVATE: 'true' }).outbound } as never,
})

/** As matching writes them, all due now. */
export async function queueRuns(sql: Sql, { tenant, id, revision }: App, count: number): Promise<void> {
  const events = await sql<{ id: string }[]>`
    insert into events (tenant_id, id, type, created_at, body)
    select ${tenant}, e.id, 'contact.merged', now(),
           json_build_object('id', e.id, 'type', 'contact.merged', 'created_at', '2000-01-01T00:00:00.000Z', 'data', json_build_object())
      from generate_series(1, ${count}::integer) n, lateral (select 'evt_' || right(replace(uuidv7()::text, '-', ''), 26) as id, n) e
    returning id`
  const runs = events.map(event =>
    newRun({ id, revision }, { id: 'award' }, { tenant, id: event.id, type: 'contact.merged' }, { depth: 0, lineage: [] }),
  )
  await begin(sql, async tx => {
    await write(tx, runs, [], new Date())
    wakeRunsAfter(tx, [{ tenant, id }])
  })
}
