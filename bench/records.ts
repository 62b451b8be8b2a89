// Records of apps over REST: lists beside those of orders of the same length, filters beside none, few rows in the table beside many of others, creates beside
// those of contacts; and what the columns of five fields cost an insert.
import { join } from 'node:path'
import { createKey } from '../src/access/keys.ts'
import { install } from '../src/apps/install.ts'
import type { Field, Manifest } from '../src/apps/manifest/shape.ts'
import type { Caller } from '../src/caller.ts'
import { eventTypes } from '../src/catalog.ts'
import { loadConfig } from '../src/config.ts'
import { place } from '../src/orders/place.ts'
import { openEmbedded } from '../src/postgres/embedded/embedded.ts'
import { begin, openDatabase, type Sql } from '../src/postgres/sql.ts'
import { setReactions } from '../src/reactions.ts'
import { slotValue } from '../src/records/record.ts'
import * as records from '../src/records/records.ts'
import { type Keyring, parseKeyring } from '../src/secrets.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import { stopAll } from '../test/support/processes.ts'
import { asService } from './as-service.ts'
import { compare, median, verdict } from './compare.ts'
import { type Key, SECRET_KEY } from './dataset.ts'
import { SETTINGS, serverMs } from './environment.ts'
import { filled } from './filled.ts'
import { type Contender, httpLoad } from './load.ts'
import { describeMachine } from './machine.ts'
import { get, post } from './request.ts'
import { type Server, startWeb } from './servers.ts'

/** Shops, each with as many records and orders. A key reads 600 times and writes 120 times a minute. */
const SHOPS = 20
const KEYS = 80
const RECORDS = 10_000
const ORDERS = 500
/** Records of other shops in the small table. */
const FEW = 10_000
const CONNECTIONS = 64
const WRITERS = 16

const PARTS = ['list', 'filters', 'others', 'create', 'insert'] as const
type Part = (typeof PARTS)[number]

/** @param asked parts by comma, all unless named; `fill` makes the data and measures nothing @param others how many records of other shops there are */
export async function measureRecords(asked: string | undefined, others = 1_000_000): Promise<void> {
  setReactions()
  const parts = asked === undefined ? PARTS : PARTS.filter(each => asked.split(',').includes(each))
  const { databaseUrl, dataDir } = loadConfig()
  const embedded =
    databaseUrl === undefined ? await openEmbedded({ dataDir: join(dataDir, 'bench-records'), settings: SETTINGS }) : undefined
  const server = databaseUrl ?? (embedded?.url as string)
  const open = async (name: string, count: number): Promise<Shops> => {
    const url = await filled(server, {
      prefix: `shopdesk_records_${name}`,
      source: [new URL(import.meta.url)],
      fill: sql => fill(sql, count),
    })
    return { url, databaseUrl: await asService(url, embedded), keys: await keysOf(url) }
  }
  try {
    const [few, many] = [await open('few', FEW), await open(`of_${'x'.repeat(String(others).length)}`, others)]
    if (asked !== 'fill') await measure(parts, few, many, others)
  } finally {
    await stopAll()
    await embedded?.close()
  }
}

interface Shops {
  /** The address for the database's owner. */
  url: string
  /** The address by which web connects. */
  databaseUrl: string
  keys: Key[]
}

async function measure(parts: readonly Part[], few: Shops, many: Shops, others: number): Promise<void> {
  const db = openDatabase(many.url, { name: 'shopdesk bench', lanes: 0, pool: 4 })
  try {
    console.log(await describeMachine(db.sql))
    const web = await startWeb(many)
    const list = (query: string, connections = CONNECTIONS): Contender => gets(web, many, `${POINTS}?limit=50${query}`, connections)
    const million = others.toLocaleString('en')
    if (parts.includes('list'))
      await compare({
        title: `records: a page of 50, ${CONNECTIONS} connections, ${million} records of others`,
        names: ['GET /api/v1/orders', 'GET /api/platform/resources/…'],
        baseline: gets(web, many, '/api/v1/orders?limit=50', CONNECTIONS),
        ours: list(''),
        atLeast: 0.75,
      })
    if (parts.includes('filters'))
      for (const [title, query] of [
        ['a value of one in a hundred', '&filter[tier]=gold'],
        ['a value of every second', '&filter[used]=true'],
      ] as const)
        await compare({
          title: `records: filtered by ${title}`,
          names: ['no filter', query.slice(1)],
          baseline: list(''),
          ours: list(query),
          atLeast: 0.7,
        })
    if (parts.includes('others')) {
      const beside = await startWeb(few)
      await compare({
        title: `records: a page of 50 beside ${million} records of others`,
        names: [`beside ${FEW.toLocaleString('en')} of others`, `beside ${million}`],
        baseline: gets(beside, few, `${POINTS}?limit=50`, CONNECTIONS),
        ours: list(''),
        atLeast: 0.9,
      })
    }
    if (parts.includes('create'))
      await compare({
        title: `records: created, ${WRITERS} at once`,
        names: ['POST /api/v1/contacts', 'POST /api/platform/resources/…'],
        baseline: posts(web, many, '/api/v1/contacts', turn => ({
          name: 'Ada Lovelace',
          email: `c${run}-${turn}@shop.example`,
          external_id: `c${run}-${turn}`,
        })),
        ours: posts(web, many, POINTS, turn => ({ ...values(turn), external_id: `r${run}-${turn}` })),
        atLeast: 0.6,
      })
    if (parts.includes('insert')) await insertTime(db, many)
  } finally {
    await db.close()
  }
}

const run = Date.now()
const gets = ({ address }: Server, { keys }: Shops, path: string, connections: number): Contender =>
  httpLoad(
    address,
    keys.map(key => get(path, key)),
    connections,
  )

function posts({ address }: Server, { keys }: Shops, path: string, body: (turn: number) => unknown): Contender {
  return httpLoad(address, turn => post(path, keys[turn % keys.length] as Key, body(turn)), WRITERS)
}

const INSERTS = 4_000
const TOGETHER = 200
const BARE_INSERTS = 20_000
const INSERT_ROUNDS = 5

/** The processor time of PostgreSQL for an insert, with five fields that have columns, and with five that have none: bare, and in creates by the verb. */
async function insertTime(db: ReturnType<typeof openDatabase>, { keys }: Shops): Promise<void> {
  const { tenant } = keys[0] as Key
  const caller: Caller = { tenant, actor: { type: 'cli' } }
  const timed = async (work: () => Promise<number>): Promise<number> => {
    const before = await serverMs({ db })
    const rows = await work()
    return (((await serverMs({ db })) - before) / rows) * 1000
  }
  const creates = (resource: string) => async () => {
    for (let done = 0; done < INSERTS; done += TOGETHER)
      await begin(db.sql, async tx => {
        for (let i = 0; i < TOGETHER; i++) await records.create(tx, caller, `acme:loyalty:${resource}`, { values: values(done + i) })
      })
    return INSERTS
  }
  // Records of one resource are inserted by turns with and without what the columns hold, so that nothing else differs.
  const bare = (kept: 'kept' | 'left out') => async () => {
    const column = (name: string): string => (kept === 'kept' ? name : 'null')
    await db.sql.unsafe(`
      insert into records (tenant_id, id, resource, fields, created_at, updated_at, e1, e2, e3, n1, n2, doc)
      select tenant_id, left(id, 4) || lpad((random() * 1e12)::bigint::text || right(id, 12), 26, '0'), resource, fields, now(), now(),
             ${['e1', 'e2', 'e3', 'n1', 'n2'].map(column).join(', ')}, doc
        from records, generate_series(1, 4) where tenant_id = '${tenant}' and fields = 5 and n1 is not null limit ${BARE_INSERTS}`)
    return BARE_INSERTS
  }
  console.log('\nrecords: processor time of PostgreSQL with five fields that have columns, and with none')
  await showRatio(
    'an insert alone',
    () => timed(bare('left out')),
    () => timed(bare('kept')),
  )
  await showRatio(
    'a create by the verb',
    () => timed(creates('plain')),
    () => timed(creates('points')),
  )
}

async function showRatio(what: string, none: () => Promise<number>, five: () => Promise<number>): Promise<void> {
  await none()
  await five()
  const rounds: [number, number][] = []
  for (let i = 0; i < INSERT_ROUNDS; i++) rounds.push([await none(), await five()])
  const ratio = median(rounds.map(([without, columns]) => columns / without))
  const [before, after] = [0, 1].map(side => median(rounds.map(each => each[side] as number)).toFixed(0))
  console.log(`  ${what.padEnd(22)} ${before} and ${after} µs: ${ratio.toFixed(2)} ×, required at most 4 ×: ${verdict(ratio <= 4)}`)
}

const POINTS = '/api/platform/resources/acme%3Aloyalty%3Apoints'

const FIELDS: Field[] = [
  { name: 'reason', type: 'string' },
  { name: 'tier', type: 'enum', enumValues: ['gold', 'silver'] },
  { name: 'used', type: 'boolean' },
  { name: 'points', type: 'number' },
  { name: 'until', type: 'date' },
]
/** They take all columns, so that the fields behind them have none. */
const SPARE: Field[] = Array.from({ length: 12 }, (_each, index) => ({ name: `spare${index}`, type: index < 8 ? 'string' : 'number' }))

const MANIFEST: Manifest = {
  manifestVersion: 1,
  id: 'acme:loyalty',
  version: '1.0.0',
  name: 'Loyalty',
  author: 'Acme',
  scopes: ['read:records', 'write:records'],
  resources: [
    { id: 'points', name: 'Points', fields: FIELDS },
    { id: 'plain', name: 'Plain', fields: [...SPARE, ...FIELDS] },
  ],
}

const values = (turn: number) => ({
  reason: `For order ${turn}`,
  tier: turn % 100 === 0 ? 'gold' : 'silver',
  used: turn % 2 === 0,
  points: turn % 1_000,
  until: '2027-05-25',
})

async function keysOf(url: string): Promise<Key[]> {
  const db = openDatabase(url, { name: 'shopdesk bench', lanes: 0, pool: 1 })
  const keys = await db.sql<Key[]>`select tenant, key from bench.keys order by position`
  await db.close()
  return keys
}

async function fill(sql: Sql, others: number): Promise<void> {
  console.log(`filling a database with ${others.toLocaleString('en')} records of others; it is kept for the next run`)
  await sql`create schema bench`
  await sql`create table bench.keys (position integer not null, tenant text not null, key text not null)`
  const context = {
    keyring: parseKeyring(SECRET_KEY) as Keyring,
    triggers: eventTypes,
    outbound: { allowPrivate: false, allowOrigins: [] },
  }
  for (let shop = 0; shop < SHOPS; shop++) {
    const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
    const caller: Caller = { tenant, actor: { type: 'cli' } }
    await begin(sql, tx => install(tx, caller, { manifest: MANIFEST }, context))
    await begin(sql, tx =>
      place(tx, caller, { items: [{ name: 'Linen shirt', unit_amount: 4_900, quantity: 1 }], customer: { email: 'c@shop.example' } }),
    )
    for (let i = 0; i < KEYS; i++) {
      const { key } = await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })
      await sql`insert into bench.keys (position, tenant, key) values (${i * SHOPS + shop}, ${tenant}, ${key})`
    }
  }
  // The order that was placed, many times; then records whose text is as long.
  await sql`
    insert into orders (tenant_id, id, number, source, status, payment_status, fulfillment_status, currency, total_amount, created_at, updated_at, doc)
    select o.tenant_id, left(o.id, 12) || lpad(n::text, 18, '0'), n + 1, o.source, o.status, o.payment_status, o.fulfillment_status, o.currency, o.total_amount,
           o.created_at - n * interval '1 second', o.updated_at - n * interval '1 second', o.doc
      from orders o, generate_series(1, ${ORDERS}::integer) n`
  const [{ chars } = { chars: 1_000 }] = await sql<{ chars: number }[]>`select max(length(doc)) as chars from orders`
  const indexes = await sql<{ name: string; definition: string }[]>`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
      from pg_index i
     where i.indrelid = 'records'::regclass and not i.indisprimary`
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  await insertRecords(sql, 'select distinct tenant as tenant from bench.keys', RECORDS, chars)
  await insertRecords(sql, `select 'ten_' || lpad(t::text, 26, '0') as tenant from generate_series(1, 100) t`, Math.ceil(others / 100), 400)
  for (const { definition } of indexes) await sql.unsafe(definition)
}

/** @param chars the length of a record's text */
const insertRecords = (sql: Sql, tenants: string, count: number, chars: number) =>
  sql.unsafe(`
    insert into records (tenant_id, id, resource, fields, created_at, updated_at, e1, e2, e3, n1, n2, doc)
    select tenant, id, 'acme:loyalty:points', 5, at, at, n, case when n % 100 = 0 then ${slotValue('enum', 'gold')} else ${slotValue('enum', 'silver')} end,
           case when n % 2 = 0 then ${slotValue('boolean', true)} else ${slotValue('boolean', false)} end, n % 1000, 1811203200000,
           head || repeat('x', greatest(0, ${chars} - length(head) - 2)) || '"}'
      from (${tenants}) t, generate_series(1, ${count}) n,
           lateral (select timestamptz '2026-05-01T00:00:00Z' - n * interval '20 seconds' as at,
                           'rec_' || lpad((abs(hashtextextended(tenant, n)) % 1000000000000)::text || lpad(n::text, 8, '0'), 26, '0') as id) i,
           lateral (select '{"object":"record","id":"' || id || '","resource":"acme:loyalty:points","external_id":null,"version":1,"created_at":"'
                           || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","updated_at":"'
                           || to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","links":[],"tier":"'
                           || case when n % 100 = 0 then 'gold' else 'silver' end || '","used":' || case when n % 2 = 0 then 'true' else 'false' end
                           || ',"points":' || n % 1000 || ',"until":"2027-05-25","reason":"' as head) h`)
