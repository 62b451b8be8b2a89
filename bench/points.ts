// Shops with an app whose records are points: its manifest, and a database filled with such records and as many orders.
import { createKey } from '../src/access/keys.ts'
import { install } from '../src/apps/install.ts'
import type { Field, Manifest } from '../src/apps/manifest/shape.ts'
import type { Caller } from '../src/caller.ts'
import { eventTypes } from '../src/catalog.ts'
import { place } from '../src/orders/place.ts'
import { begin, openDatabase, type Sql } from '../src/postgres/sql.ts'
import { slotValue } from '../src/records/record.ts'
import { type Keyring, parseKeyring } from '../src/secrets.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import { type Key, SECRET_KEY } from './dataset.ts'

/** Shops, each with as many records and orders. A key reads 600 times and writes 120 times a minute. */
const SHOPS = 20
const KEYS = 80
const RECORDS = 10_000
const ORDERS = 500

export const POINTS = '/api/platform/resources/acme%3Aloyalty%3Apoints'

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

export const values = (turn: number) => ({
  reason: `For order ${turn}`,
  tier: turn % 100 === 0 ? 'gold' : 'silver',
  used: turn % 2 === 0,
  points: turn % 1_000,
  until: '2027-05-25',
})

export async function keysOf(url: string): Promise<Key[]> {
  const db = openDatabase(url, { name: 'shopdesk bench', lanes: 0, pool: 1 })
  const keys = await db.sql<Key[]>`select tenant, key from bench.keys order by position`
  await db.close()
  return keys
}

export async function fill(sql: Sql, others: number): Promise<void> {
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
