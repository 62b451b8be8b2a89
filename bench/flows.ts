// Flows: a condition and three local steps, beside the same effects by the same verbs without an engine; and how soon the first effect follows its event.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { loadConfig } from '../src/config.ts'
import { createAll, tag } from '../src/contacts/contacts.ts'
import { wakeFlowsThrough } from '../src/flows/waking/wake.ts'
import { notify } from '../src/notifications/notifications.ts'
import { begin, openDatabase, type Sql } from '../src/postgres/sql.ts'
import { setReactions } from '../src/reactions.ts'
import { create } from '../src/records/records.ts'
import { type Keyring, parseKeyring } from '../src/secrets.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import { aManifest, installApp } from '../test/support/apps.ts'
import { eventually } from '../test/support/eventually.ts'
import { stopAll } from '../test/support/processes.ts'
import { median, verdict } from './compare.ts'
import { SECRET_KEY } from './dataset.ts'
import { openEnvironment } from './environment.ts'
import { describeMachine } from './machine.ts'
import { startWorker } from './servers.ts'

const INSTALLATIONS = 50
const RUNS_EACH = 40
const ROUNDS = 3
const AT_ONCE = 16
/** The share of the bare verbs' rate that runs must reach. */
const AT_LEAST = 0.4
const LATENCY_SECONDS = 10
const P50_MS = 25
const P99_MS = 150

export async function flows(): Promise<void> {
  console.log(`\nflows: a condition and three local steps, ${INSTALLATIONS} installations`)
  const environment = await openEnvironment('flows')
  const db = openDatabase(environment.databaseUrl, { name: 'bench', lanes: 0, pool: AT_ONCE })
  try {
    const { sql } = db
    console.log(await describeMachine(sql))
    setReactions()
    const shops = await Promise.all(Array.from({ length: INSTALLATIONS }, () => aShop(environment.db.sql)))
    const ratios: number[] = []
    let best = 0
    for (let round = 0; round < ROUNDS; round++) {
      const bare = await bareRate(sql, shops)
      const { rate, wal } = await runRate(sql, environment, shops, round)
      best = Math.max(best, rate)
      ratios.push(rate / bare)
      console.log(`  verbs alone ${bare.toFixed(0)}/s, runs ${rate.toFixed(0)}/s, ${(wal / 1024).toFixed(1)} KB of WAL a run`)
    }
    const ratio = median(ratios)
    console.log(`  ratio ${(100 * ratio).toFixed(0)} %, required ${100 * AT_LEAST} %: ${verdict(ratio >= AT_LEAST)}`)
    await latency(sql, environment, shops, best / 10)
  } finally {
    await stopAll()
    await db.close()
    await environment.close()
  }
}

interface Shop {
  tenant: string
  app: { id: string; app_id: string; name: string }
}

async function aShop(sql: Sql): Promise<Shop> {
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  const manifest = aManifest({
    scopes: ['subscribe:contact.created', 'notify:team', 'read:records', 'write:records', 'write:contacts'],
    resources: [{ id: 'points', name: 'Points', fields: [{ name: 'points', type: 'number' }] }],
    flows: [
      {
        id: 'welcome',
        name: 'Welcome',
        trigger: 'contact.created',
        conditions: [{ field: 'event.contact.blocked', op: 'eq', value: false }],
        steps: [
          { id: 'tell', type: 'notify', title: 'A contact', body: '{{event.contact_id}}' },
          { id: 'keep', type: 'create_record', resource: 'points', values: { points: 12 }, external_id: '{{event.contact_id}}' },
          { id: 'tag', type: 'tag_contact', tag: 'new' },
        ],
      },
    ],
  })
  const { outbound } = loadConfig({})
  const app = await installApp(
    { sql, keyring: parseKeyring(SECRET_KEY) as Keyring, config: { outbound } as never },
    { id: tenant },
    manifest,
  )
  return { tenant, app: { id: app.id, app_id: app.app_id, name: app.name } }
}

const contacts = (sql: Sql, { tenant }: Shop, count: number, silent = false) =>
  begin(sql, tx =>
    createAll(
      tx,
      { tenant, actor: { type: 'system' }, silent },
      Array.from({ length: count }, () => ({ name: randomBytes(8).toString('hex') })),
    ),
  )

/** The same effects, each in a transaction of its own. */
async function bareRate(sql: Sql, shops: Shop[]): Promise<number> {
  const work: (() => Promise<void>)[] = []
  for (const shop of shops)
    for (const made of await contacts(sql, shop, RUNS_EACH, true)) {
      const { id } = made as { id: string }
      const caller = { tenant: shop.tenant, actor: { type: 'app' as const, id: shop.app.id }, silent: false }
      work.push(async () => {
        await begin(sql, tx => notify(tx, caller, { app: shop.app, title: 'A contact', body: id, level: 'info' }))
        const links = [{ target: 'builtin:contact' as const, id }]
        await begin(sql, tx => create(tx, caller, `${shop.app.app_id}:points`, { values: { points: 12 }, external_id: id, links }))
        await begin(sql, tx => tag(tx, caller, id, 'new'))
      })
    }
  const began = performance.now()
  const count = work.length
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = work.pop(); next; next = work.pop()) await next()
    }),
  )
  return (1000 * count) / (performance.now() - began)
}

async function runRate(
  sql: Sql,
  environment: { databaseUrl: string },
  shops: Shop[],
  round: number,
): Promise<{ rate: number; wal: number }> {
  for (const shop of shops) await contacts(sql, shop, RUNS_EACH)
  const count = shops.length * RUNS_EACH
  const before = await lsn(sql)
  const worker = await startWorker(environment)
  await eventually(async () => (await left(sql)) === 0, 120_000)
  const [row] = await sql<{ ms: number }[]>`
    select extract(epoch from max(ended_at) - min(started_at))::float8 * 1000 as ms
      from (select started_at, ended_at from flow_runs where state = 'succeeded' order by ended_at desc limit ${count}) r`
  const wal = ((await lsn(sql)) - before) / count
  await worker.stop()
  void round
  return { rate: (1000 * count) / (row?.ms ?? 1), wal }
}

async function lsn(sql: Sql): Promise<number> {
  const [row] = await sql<{ bytes: string }[]>`select (pg_current_wal_lsn() - '0/0'::pg_lsn)::text as bytes`
  return Number(row?.bytes)
}

async function left(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`
    select (select count(*) from flow_events)::integer + (select count(*) from flow_runs where due_at is not null)::integer as n`
  return row?.n ?? 0
}

/** From the commit of an event to its first effect. */
async function latency(sql: Sql, environment: { databaseUrl: string }, shops: Shop[], perSecond: number): Promise<void> {
  const worker = await startWorker(environment)
  const allTold = wakeFlowsThrough(sql, () => {})
  const since = new Date()
  const count = Math.max(50, Math.round(perSecond * LATENCY_SECONDS))
  for (let i = 0; i < count; i++) {
    void contacts(sql, shops[i % shops.length] as Shop, 1)
    await delay(1000 / perSecond)
  }
  await allTold()
  await eventually(async () => (await left(sql)) === 0, 60_000)
  const rows = await sql<{ ms: number }[]>`
    select extract(epoch from s.ended_at - e.created_at)::float8 * 1000 as ms
      from flow_runs r
      join events e on e.tenant_id = r.tenant_id and e.id = r.event_id
      join flow_steps s on s.tenant_id = r.tenant_id and s.run_id = r.id and s.place = 0
     where r.created_at >= ${since}
     order by 1`
  const at = (share: number): number => rows[Math.min(rows.length - 1, Math.floor(rows.length * share))]?.ms ?? 0
  const [p50, p99] = [at(0.5), at(0.99)]
  console.log(
    `  event to first effect at ${perSecond.toFixed(0)}/s: p50 ${p50.toFixed(1)} ms, required ${P50_MS}: ${verdict(p50 < P50_MS)}; p99 ${p99.toFixed(1)} ms, required ${P99_MS}: ${verdict(p99 < P99_MS)}`,
  )
  await worker.stop()
}
