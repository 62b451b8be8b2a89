// A million orders of two hundred shops, made once and kept until the schema changes. The orders that are copied a million times were first placed
// by the product's own verbs, so rows and texts are those it writes.
import { join } from 'node:path'
import { createKey } from '../src/access/keys.ts'
import type { Caller } from '../src/caller.ts'
import { loadConfig } from '../src/config.ts'
import { newId } from '../src/ids.ts'
import * as orders from '../src/orders/orders.ts'
import { place } from '../src/orders/place.ts'
import type { Order } from '../src/orders/schema.ts'
import { openEmbedded } from '../src/postgres/embedded/embedded.ts'
import { begin, type Database, openDatabase, type Sql, type Tx } from '../src/postgres/sql.ts'
import * as products from '../src/products/products.ts'
import { type Keyring, parseKeyring } from '../src/secrets.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import * as webhooks from '../src/webhooks/endpoints/endpoints.ts'
import { asService } from './as-service.ts'
import { filled } from './filled.ts'

/** Guards the secrets of the benchmark's own database, which holds none. */
export const SECRET_KEY = '5e'.repeat(32)

const TENANTS = 200
/** One shop is large, so that page 10 000 of its orders exists; the others share the rest evenly. */
const ORDERS = 1_000_000
const LARGE_ORDERS = 600_000
/** A key reads 600 times and writes 120 times a minute: with fewer keys the limiter would be measured. */
const LARGE_KEYS = 1_200
const SMALL_KEYS = 25
/** Products, and customers, of a shop. */
export const VARIETY = 20
/** The youngest of the million is older than this; orders that a benchmark places are younger, and cleared away before the next. */
const YOUNGEST = Date.parse('2026-01-01T00:00:00.000Z')
const APART_MS = 20_000
const CHUNK = 2_000

/** As on a machine that is the database's own, yet with every promise of durability kept. */
const SETTINGS = {
  shared_buffers: '4GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '30min',
  max_connections: '200',
  autovacuum_naptime: '10s',
}

export interface Key {
  tenant: string
  key: string
}

export interface Dataset {
  /** As web and worker connect. */
  databaseUrl: string
  /** As the owner. */
  db: Database
  /** Keys of all shops, shuffled. */
  keys: Key[]
  /** Keys of the large shop. */
  largeKeys: Key[]
  /** Keys of the others. */
  smallKeys: Key[]
  close(): Promise<void>
}

/** Opens the database of DATABASE_URL's server, else an embedded one of the benchmarks' own, and fills it where it is not. */
export async function openDataset(): Promise<Dataset> {
  const { databaseUrl, dataDir } = loadConfig()
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir: join(dataDir, 'bench'), settings: SETTINGS }) : undefined
  try {
    const url = await filled(databaseUrl ?? (embedded?.url as string), {
      prefix: 'shopdesk_bench',
      source: [new URL(import.meta.url)],
      fill,
    })
    const db = openDatabase(url, { name: 'shopdesk bench', lanes: 4, pool: 8 })
    const keys = await db.sql<Key[]>`select tenant, key from bench.keys order by position`
    const [{ large }] = await db.sql<
      [{ large: string }]
    >`select tenant as large from bench.keys group by tenant order by count(*) desc limit 1`
    return {
      databaseUrl: await asService(url, embedded),
      db,
      keys,
      largeKeys: keys.filter(({ tenant }) => tenant === large),
      smallKeys: keys.filter(({ tenant }) => tenant !== large),
      close: () => db.close().then(async () => void (await embedded?.close())),
    }
  } catch (error) {
    await embedded?.close()
    throw error
  }
}

/** Deletes the orders that earlier runs have placed, so that every run meets the same million. */
export async function clearPlaced({ db: { sql } }: Dataset): Promise<void> {
  await sql`delete from orders where created_at > ${new Date(YOUNGEST)}`
  await sql`truncate events, audit_log, webhook_deliveries, webhook_attempts, idempotency_keys`
  await sql`update webhook_endpoints set queued_at = null`
  await sql`select graphile_worker.complete_jobs(array(select id from graphile_worker.jobs))`
  await sql`vacuum analyze`
  await sql`checkpoint`
}

async function fill(sql: Sql): Promise<void> {
  console.log(`filling the database with ${ORDERS.toLocaleString('en')} orders; it is kept for the next run`)
  await sql`create schema bench`
  await sql`create table bench.keys (position integer not null, tenant text not null, key text not null)`
  const small = (ORDERS - LARGE_ORDERS) / (TENANTS - 1)
  let rest = TENANTS
  // As many at once as the machine has cores, for filling is the database's work.
  const open = async (): Promise<void> => {
    while (rest > 0) {
      const large = rest-- === TENANTS
      await fillShop(sql, large ? LARGE_ORDERS : Math.ceil(small), large ? LARGE_KEYS : SMALL_KEYS)
    }
  }
  await Promise.all([open(), open()])
}

async function fillShop(sql: Sql, count: number, keys: number): Promise<void> {
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  const caller: Caller = { tenant, actor: { type: 'cli' } }
  await Promise.all(Array.from({ length: keys }, () => addKey(sql, tenant)))
  await begin(sql, async tx => {
    for (let i = 0; i < VARIETY; i++) await placeOne(tx, caller, i)
    await webhooks.create(tx, caller, { url: 'https://receiver.example/shopdesk', events: ['order.created'] }, setting)
  })
  await multiply(sql, tenant, count)
}

const setting = {
  keyring: parseKeyring(SECRET_KEY) as Keyring,
  outbound: { allowPrivate: false, allowOrigins: [] },
  quotas: loadConfig({}).quotas,
}

async function addKey(sql: Sql, tenant: string): Promise<void> {
  const { key } = await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })
  // In no order: keys of one shop must not follow each other in a benchmark.
  await sql`insert into bench.keys (position, tenant, key) values (${Math.floor(Math.random() * 1e9)}, ${tenant}, ${key})`
}

// An order as most are: a line or two, a known customer; some are on their way, some further.
async function placeOne(tx: Tx, caller: Caller, i: number): Promise<void> {
  const { id } = await products.create(tx, caller, { name: `Linen shirt ${i}`, sku: `SHIRT-${i}`, price_amount: 4_900, stock: 900_000_000 })
  const { order } = await place(tx, caller, {
    items: [{ product_id: id, quantity: 1 + (i % 3) }],
    customer: { email: customerEmail(i) },
  })
  if (i % 2 === 0)
    await orders.change(tx, caller, order.id, { status: 'SHIPPED', carrier: 'DHL', waybill_number: `JD${order.number}` }, () => {})
}

export const customerEmail = (i: number): string => `customer${i}@shop.example`

async function multiply(sql: Sql, tenant: string, count: number): Promise<void> {
  const models = (await sql<{ row: OrderRow }[]>`select to_jsonb(o) as row from orders o where tenant_id = ${tenant} order by number`).map(
    each => each.row,
  )
  await sql`delete from orders where tenant_id = ${tenant}`
  for (let from = 0; from < count; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - from) }, (_, i) =>
      copy(models[(from + i) % models.length] as OrderRow, count, from + i),
    )
    await sql`insert into orders select * from json_populate_recordset(null::orders, ${sql.json(rows as never)}::json)`
  }
  await sql`update order_counters set last_number = ${count} where tenant_id = ${tenant}`
}

interface OrderRow {
  number: number
  doc: string
}

function copy(model: OrderRow, count: number, index: number): OrderRow {
  const at = YOUNGEST - (count - index) * APART_MS
  const created_at = new Date(at).toISOString()
  const order: Order = { ...(JSON.parse(model.doc) as Order), id: newId('ord', at), number: index + 1, created_at, updated_at: created_at }
  return { ...model, id: order.id, number: order.number, created_at, updated_at: created_at, doc: JSON.stringify(order) } as OrderRow
}
