// A call of a skill: one at a time, beside the bare request to the same service and three durable commits of one row; and fifty at once, beside undici alone.
import { Agent } from 'undici'
import { loadConfig } from '../src/config.ts'
import { newId } from '../src/ids.ts'
import { createClient } from '../src/outbound/client.ts'
import { openDatabase, type Sql } from '../src/postgres/sql.ts'
import { UNWATCHED } from '../src/queue/standing.ts'
import { type Keyring, parseKeyring } from '../src/secrets.ts'
import { UNSTOPPED } from '../src/skills/asking.ts'
import { call } from '../src/skills/call.ts'
import { createPlaces } from '../src/skills/places.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import { aManifest, installApp } from '../test/support/apps.ts'
import { stopAll } from '../test/support/processes.ts'
import { compare } from './compare.ts'
import { startReceiver } from './deliver/processes.ts'
import { openEnvironment } from './environment.ts'
import { directLoad } from './load.ts'
import { describeMachine } from './machine.ts'

const AT_ONCE = 50
/** More than fifty calls at once need, of eight each. */
const INSTALLATIONS = 10
const OUTBOUND = { allowPrivate: true, allowOrigins: [] }
const BODY = '{"customer":"con_01jw3k5m7n8p9q0r1s2t3v4w5x","points":12}'

export async function skills(): Promise<void> {
  const environment = await openEnvironment('skills')
  const db = openDatabase(environment.databaseUrl, { name: 'bench', lanes: 0, pool: 16 })
  const client = createClient(OUTBOUND)
  const agent = new Agent({ connections: AT_ONCE })
  try {
    const { sql } = db
    console.log(await describeMachine(sql))
    const { port } = await startReceiver()
    const url = `http://127.0.0.1:${port}/award`
    const keyring = parseKeyring('5e'.repeat(32)) as Keyring
    const apps = await Promise.all(Array.from({ length: INSTALLATIONS }, () => anApp(environment.db.sql, keyring, url)))
    await environment.db.sql`create table bench_commits (id bigint generated always as identity primary key, body text)`
    await environment.db.sql`grant insert on bench_commits to public`
    const context = { sql, client, keyring, standing: UNWATCHED, stopping: UNSTOPPED, places: createPlaces(100), timeoutMs: 30_000 }
    const headers = { 'Content-Type': 'application/json' }
    const signal = new AbortController().signal
    const bare = async () => {
      await client.post({ url, tenant: 'bench', headers, body: BODY, timeoutMs: 30_000, bodyExtraMs: 0, keepResponseBytes: 1024 })
      for (let commit = 0; commit < 3; commit++) await sql`insert into bench_commits (body) values (${BODY})`
    }
    const ours = async (turn: number) => {
      const { tenant, app_id } = apps[turn % apps.length] as { tenant: string; app_id: string }
      const about = { conversation: newId('conv'), turn: newId('msg') }
      const called = await call(context, { tenant, app_id, skill_id: 'award', arguments: JSON.parse(BODY), signal, for: about })
      if (!called || 'refused' in called) throw new Error(`a call was refused: ${JSON.stringify(called)}`)
    }
    const alone = async () => {
      const { body } = await agent.request({ origin: `http://127.0.0.1:${port}`, path: '/award', method: 'POST', headers, body: BODY })
      await body.dump()
    }
    await compare({
      title: 'skills: one call at a time',
      names: ['the request and three commits', 'a call'],
      baseline: directLoad(bare, 1),
      ours: directLoad(ours, 1),
      atLeast: 1,
    })
    await compare({
      title: `skills: ${AT_ONCE} calls at once`,
      names: ['undici alone', 'calls'],
      baseline: directLoad(alone, AT_ONCE),
      ours: directLoad(ours, AT_ONCE),
      atLeast: 0.08,
    })
  } finally {
    await agent.close()
    await client.close()
    await stopAll()
    await db.close()
    await environment.close()
  }
}

async function anApp(sql: Sql, keyring: Keyring, endpoint: string): Promise<{ tenant: string; app_id: string }> {
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  const config = loadConfig({ OUTBOUND_ALLOW_PRIVATE: 'true' })
  const skill = { id: 'award', name: 'Award', description: 'Awards points.', endpoint, inputSchema: { type: 'object' } }
  const { id: app_id } = await installApp({ sql, keyring, config }, { id: tenant }, aManifest({ skills: [skill] }))
  return { tenant, app_id }
}
