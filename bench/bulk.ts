// Fifty products in one bulk request over HTTP (key, limiter, validation, keys looked up, savepoint, rendering, answer) against the rows it writes
// (products, SKUs, audit, events, of the same texts) in one multi-row insert without HTTP, at the same concurrency and with the same durability.
import { createKey } from '../src/access/keys.ts'
import { newId } from '../src/ids.ts'
import postgres from '../src/postgres/driver.ts'
import { createTenant } from '../src/tenants/tenants.ts'
import { familyMs, parentOf } from '../test/support/process-usage.ts'
import { compare, median } from './compare.ts'
import type { Key } from './dataset.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { type Contender, directLoad, httpLoad } from './load.ts'
import { describeMachine } from './machine.ts'
import { post } from './request.ts'
import { type Server, startWeb } from './servers.ts'

const ITEMS = 50
/** A key writes 120 times a minute: with fewer keys the limiter would be measured. */
const SHOPS = 20
const KEYS_OF_SHOP = 15

export async function bulk(): Promise<void> {
  const environment = await openEnvironment('bulk')
  console.log(await describeMachine(environment.db.sql))
  const keys = await someKeys(environment)
  const web = await startWeb(environment)
  try {
    for (const concurrency of [1, 8]) {
      const statement = oneStatement(environment, keys, concurrency)
      await compare({
        title: `bulk: ${ITEMS} products with a sku and an external_id, ${concurrency} at once`,
        names: ['one multi-row insert, no HTTP', 'POST /api/v1/products/bulk'],
        baseline: directLoad(statement.run, concurrency),
        ours: httpLoad(web.address, requests(keys), concurrency),
        atLeast: 0.5,
      })
      await statement.close()
    }
    await compareWork(environment, web, keys)
  } finally {
    await web.stop()
    await environment.close()
  }
}

// The processor time of both, the database's included: it tells the cost even on a busy machine.
async function compareWork({ db, databaseUrl }: Environment, web: Server, keys: Key[]): Promise<void> {
  const [row] = await db.sql<{ pid: number }[]>`select pg_backend_pid() as pid`
  const database = parentOf((row as { pid: number }).pid)
  const statement = oneStatement({ databaseUrl }, keys, 1)
  const work = async (load: Contender, processes: number[]): Promise<number> => {
    const used = () => processes.reduce((sum, pid) => sum + familyMs(pid), 0)
    const [before, made] = [used(), turns]
    await load(WORK_MS)
    return (used() - before) / (turns - made)
  }
  const shares: [number, number][] = []
  for (let i = 0; i < WORK_ROUNDS; i++)
    shares.push([
      await work(directLoad(statement.run, 1), [database]),
      await work(httpLoad(web.address, requests(keys), 1), [database, web.pid]),
    ])
  await statement.close()
  const [baseline, ours] = [median(shares.map(([share]) => share)), median(shares.map(([, share]) => share))]
  console.log(
    `  processor time of one              ${baseline.toFixed(2)} ms without HTTP, ${ours.toFixed(2)} ms with: ${(ours / baseline).toFixed(2)} ×`,
  )
}

const WORK_ROUNDS = 5
const WORK_MS = 2_000

async function someKeys({ db: { sql } }: Environment): Promise<Key[]> {
  const shops = await Promise.all(
    Array.from({ length: SHOPS }, () => createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })),
  )
  return Promise.all(
    Array.from({ length: SHOPS * KEYS_OF_SHOP }, async (_, i) => {
      const tenant = (shops[i % SHOPS] as { id: string }).id
      return { tenant, ...(await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })) }
    }),
  )
}

/** Stands in every key of a set that must be unique; each request puts its own number there, of the same length. */
const TURN = '########'
let turns = 0
const inTurn = (text: string): string => text.replaceAll(TURN, String(++turns).padStart(TURN.length, '0'))

const product = (i: number) => ({
  name: `Linen shirt ${i}`,
  description: 'Light, washed, and made to be worn for years.',
  sku: `SHIRT-${TURN}-${i}`,
  external_id: `ERP-${TURN}-${i}`,
  category: 'Clothes/Shirts',
  price_amount: 4_900 + i,
  stock: 25,
  attributes: { fabric: 'linen', fit: 'regular' },
  tags: ['summer', 'new'],
})
const products = Array.from({ length: ITEMS }, (_, i) => product(i))

function requests(keys: Key[]): (turn: number) => Buffer {
  const texts = keys.map(key => post('/api/v1/products/bulk', key, { items: products }).toString())
  return turn => Buffer.from(inTurn(texts[turn % texts.length] as string))
}

// A connection for each of those at once, so that commits share their flush. The texts are rendered ahead but for the unique keys.
function oneStatement({ databaseUrl }: Pick<Environment, 'databaseUrl'>, keys: Key[], connections: number) {
  const sqls = Array.from({ length: connections }, () =>
    postgres(databaseUrl, { max: 1, connection: { application_name: 'shopdesk bench baseline' } }),
  )
  const rows = keys.map(({ tenant }) => JSON.stringify(products.map((each, i) => written(tenant, each, i))))
  return {
    run: (turn: number) => (sqls[turn % connections] as postgres.Sql)`
      with given as materialized (
        select r.* from json_to_recordset(${inTurn(rows[turn % rows.length] as string)}::text::json)
          as r (tenant_id text, id text, name text, sku text, external_id text, category text, price_amount bigint, currency text, stock integer,
                at timestamptz, doc text, event_id text, body text)
      ), made as (
        insert into products (tenant_id, id, name, sku, external_id, category, status, price_amount, currency, version, created_at, updated_at, stock, doc)
        select tenant_id, id, name, sku, external_id, category, 'active', price_amount, currency, 1, at, at, stock, doc from given
      ), registered as (
        insert into product_skus (tenant_id, sku, product_id) select tenant_id, sku, id from given
      ), audited as (
        insert into audit_log (tenant_id, actor_type, action, subject_id, trace_id)
        select tenant_id, 'api_key', 'product.create', id, '0af7651916cd43dd8448eb211c80319c' from given
      )
      insert into events (tenant_id, id, type, created_at, body) select tenant_id, event_id, 'product.created', at, body from given`,
    close: async () => {
      await Promise.all(sqls.map(sql => sql.end()))
    },
  }
}

// The rows that the service makes of it. The unique part of an id is the request's number.
function written(tenant_id: string, { stock, ...input }: ReturnType<typeof product>, i: number) {
  const at = '2026-05-28T20:26:40.000Z'
  const unique = (id: string): string => `${id.slice(0, -TURN.length - 2)}${TURN}${String(i).padStart(2, '0')}`
  const [id, event_id] = [unique(newId('prod')), unique(newId('evt'))]
  const kept = {
    object: 'product',
    id,
    ...input,
    status: 'active',
    compare_at_amount: null,
    currency: 'EUR',
    images: [],
    metadata: {},
    version: 1,
    created_at: at,
    updated_at: at,
  }
  const shown = { ...kept, stock, reserved: 0, stock_status: 'in_stock', variants: [] }
  const { name, sku, external_id, category, price_amount, currency } = kept
  const body = JSON.stringify({ id: event_id, type: 'product.created', created_at: at, data: { product_id: id, product: shown } })
  return { tenant_id, id, name, sku, external_id, category, price_amount, currency, stock, at, doc: JSON.stringify(kept), event_id, body }
}
