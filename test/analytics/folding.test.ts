// Folding counts each difference once, whatever happens to the process that does it; and reads no more than it takes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { counted } from '../../src/analytics/counting.ts'
import { diagnose } from '../../src/analytics/diagnosis.ts'
import { figures } from '../../src/analytics/figures.ts'
import { folder } from '../../src/analytics/fold.ts'
import { pruneAnalytics } from '../../src/analytics/prune-store.ts'
import { recount } from '../../src/analytics/recount.ts'
import { queueRecounts } from '../../src/analytics/recount-store.ts'
import { ANALYTICS_DAYS, BLOCK_DAYS, FOLD_MS, FOLD_ROWS } from '../../src/limits/analytics.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { command } from '../support/command.ts'
import { connectedDatabase } from '../support/database.ts'
import { explained } from '../support/plans.ts'
import { startScript } from '../support/processes.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { openCounter } from '../support/statement-counter.ts'

const { url, sql } = await connectedDatabase({ lanes: 0, pool: 4 })
const fold = folder()

const aTenant = async (): Promise<string> => (await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })).id
const PRODUCT = 'prod_01jz0000000000000000000000'

/** One order of three pieces for 100. */
async function happens(tenant: string, at = new Date().toISOString()): Promise<void> {
  const lines = [{ product_id: PRODUCT, pieces: 3, amount: 100 }]
  const [part] = counted([{ tenant, at, currency: 'EUR', counts: { pending: 1, total: 100 }, lines }])
  await sql`${part as NonNullable<typeof part>}`
}

async function assertCounted(tenant: string, orders: number, told: string): Promise<void> {
  const shown = await figures(sql, { tenant }, '30d')
  const [product] = shown.top_products
  assert.deepEqual(
    [shown.orders.count, shown.orders.by_status.pending, product?.quantity, product?.amount],
    [orders, orders, 3 * orders, 100 * orders],
    told,
  )
}

const unfolded = async (): Promise<number> => (await sql`select 1 from analytics_differences`).length

test('kill -9 at each statement of a fold changes no figure, and what it was at is folded by the next', async () => {
  const tenant = await aTenant()
  const statements: string[] = []
  for (let killAt = 1; ; killAt++) {
    await happens(tenant)
    let seen = 0
    const counter = await openCounter(url, text => {
      if (++seen !== killAt) return
      statements.push(text.trim().split(/\s+/).slice(0, 2).join(' '))
      child.child.kill('SIGKILL')
    })
    const child = await startScript(new URL('./folding-process.ts', import.meta.url), [counter.url])
    const end = await child.ended
    await counter.close()
    await assertCounted(tenant, killAt, `after it was killed at ${statements.at(-1)}`)
    if (end !== 'SIGKILL') break
  }
  assert.ok(statements.length >= 4, `${statements}`)
  await fold(sql)
  assert.equal(await unfolded(), 0)
  await assertCounted(tenant, statements.length + 1, 'folded by another')
})

test('two that fold at once, while more happens, count everything once', async () => {
  const tenants = await Promise.all(Array.from({ length: 20 }, aTenant))
  const others = [1, 2].map(() => openDatabase(url, { name: 'folding', lanes: 0, pool: 1 }))
  const EACH = 40
  let isOver = false
  const folding = others.map(async each => {
    const mine = folder()
    while (!isOver) await mine(each.sql)
  })
  await Promise.all(
    tenants.map(async tenant => {
      for (let i = 0; i < EACH; i++) await happens(tenant)
    }),
  )
  for (const tenant of tenants) await assertCounted(tenant, EACH, 'while it is folded')
  isOver = true
  await Promise.all(folding)
  await Promise.all(others.map(each => each.close()))
  await fold(sql)
  assert.equal(await unfolded(), 0)
  for (const tenant of tenants) await assertCounted(tenant, EACH, 'folded')
})

test('three that count anew at once add what is lacking once, and what is wrong is put right', async () => {
  const tenant = await aTenant()
  await sql`
    insert into orders (tenant_id, id, number, source, status, payment_status, fulfillment_status, currency, total_amount, created_at, updated_at, doc)
    select ${tenant}, 'ord_' || n, n, 'api', 'pending', 'unpaid', 'unfulfilled', 'EUR', 100, now() - make_interval(hours => n), now(),
           json_build_object('items', json_build_array(json_build_object('product_id', ${PRODUCT}::text, 'quantity', 3, 'total_amount', 100)))::text
      from generate_series(1, 200) n`
  await Promise.all([recount(sql, tenant), recount(sql, tenant), recount(sql, tenant)])
  await assertCounted(tenant, 200, 'counted anew')
  assert.equal(await recount(sql, tenant), 0)
  await fold(sql)
  for (const table of ['analytics_hours', 'analytics_blocks']) await sql`delete from ${sql(table)} where tenant_id = ${tenant}`
  await Promise.all([recount(sql, tenant), recount(sql, tenant), recount(sql, tenant)])
  await assertCounted(tenant, 200, 'with hours and blocks made anew')
  assert.equal(await recount(sql, tenant), 0)
  // Pieces that are right, and amounts that are not.
  for (const table of ['analytics_products', 'analytics_blocks']) {
    await sql`update ${sql(table)} set amount = amount + 1 where tenant_id = ${tenant}`
    assert.ok((await recount(sql, tenant)) > 0, table)
    await assertCounted(tenant, 200, `${table} put right`)
    await fold(sql)
    await assertCounted(tenant, 200, `${table} put right, and folded`)
  }
})

test('the command that counts anew says what it put right; a recount is queued when it is due, once for each time', async () => {
  const tenant = await aTenant()
  const rebuild = (...more: string[]) =>
    command(['analytics', 'rebuild', '--tenant', tenant, ...more], settingsOf({ databaseUrl: url, keyring: { k1: Buffer.alloc(32, 1) } }))
  await happens(tenant)
  const { code, stdout } = await rebuild()
  assert.equal(code, 0)
  assert.match(stdout, /Counted anew in [\d.]+ s: 2 counts were put right\.\n$/)
  assert.match((await rebuild()).stdout, /: all was counted right\.\n$/)
  assert.equal(JSON.parse((await rebuild('--json')).stdout).tenant, tenant)
  assert.deepEqual((await figures(sql, { tenant }, '30d')).top_products, [], 'no order stands in the tables')
  await sql`
    update analytics_recounts
       set due_at = now() - interval '1 second', again_at = case when tenant_id = ${tenant} then now() + interval '1 hour' end
     where tenant_id = ${tenant} or tenant_id = (select min(o.tenant_id) from analytics_recounts o where o.tenant_id <> ${tenant})`
  for (let times = 0; times < 2; times++) await queueRecounts(sql)
  const jobs = await sql`select payload from graphile_worker._private_jobs where payload::text like ${`%${tenant}%`}`
  assert.deepEqual(
    jobs.map(job => job['payload']),
    [{ tenantId: tenant }],
  )
  const [row] = await sql`select due_at > now() as later, again_at from analytics_recounts where tenant_id = ${tenant}`
  assert.deepEqual({ ...row }, { later: true, again_at: null })
})

test('a backlog of one shop holds no other back: each has its turn, and all is folded in the end', async t => {
  const [large, small] = [await aTenant(), await aTenant()].sort() as [string, string]
  const rows = FOLD_ROWS * 2 + 10
  const waiting = async (tenant: string) => (await sql`select 1 from analytics_differences where tenant_id = ${tenant}`).length
  await sql`
    insert into analytics_differences (tenant_id, quarter, currency, pending, lines)
    select ${large}, date_trunc('hour', now()), 'EUR', 1, ${sql.json([[PRODUCT, 3, 100]])} from generate_series(1, ${rows}::integer)`
  await happens(small)
  // Each time there is room for one statement.
  let clock = performance.now()
  const slow = t.mock.method(performance, 'now', () => (clock += 2 * FOLD_MS))
  for (let times = 0; times < 2; times++) await fold(sql)
  slow.mock.restore()
  assert.deepEqual([await waiting(small), (await waiting(large)) > 0], [0, true], 'the other shop had its turn')
  while ((await unfolded()) > 0) await fold(sql)
  await assertCounted(large, rows, 'folded')
  await assertCounted(small, 1, 'folded')
})

test('doctor says when nothing is folded', async () => {
  const tenant = await aTenant()
  assert.match((await diagnose(sql)).text, /folded in time$/)
  await sql`insert into analytics_recounts (tenant_id, due_at) values (${tenant}, now() - interval '1 second') on conflict (tenant_id) do update set due_at = excluded.due_at`
  assert.match((await diagnose(sql)).text, /folded in time; one workspace is yet to be counted from its tables, which a worker does$/)
  await sql`update analytics_recounts set due_at = null`
  await sql`insert into analytics_differences (tenant_id, id, quarter, pending) values (${tenant}, uuidv7(interval '-5 minutes'), now(), 1)`
  const { ok, text } = await diagnose(sql)
  assert.equal(ok, false)
  assert.match(text, /waits to be folded for 3\d\d s.*worker/)
  await fold(sql)
  assert.equal((await diagnose(sql)).ok, true)
})

test('what was counted is forgotten after its time, and not before', async () => {
  const tenant = await aTenant()
  const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()
  // The second belongs to the first day that is kept, in some zone.
  for (const days of [ANALYTICS_DAYS - 1, ANALYTICS_DAYS + 1, ANALYTICS_DAYS + 3 + 2 * BLOCK_DAYS]) await happens(tenant, daysAgo(days))
  await fold(sql)
  assert.equal(await pruneAll(sql, pruneAnalytics), 4)
  for (const table of ['analytics_quarters', 'analytics_hours', 'analytics_products'])
    assert.equal((await sql`select 1 from ${sql(table)} where tenant_id = ${tenant}`).length, 2, table)
  const [blocks] = await sql`select sum(pieces)::integer as pieces from analytics_blocks where tenant_id = ${tenant}`
  assert.equal(blocks?.['pieces'], 6)
})

test('the figures, a fold and retention read what they are about, in a table of many shops', async () => {
  const tenants = await Promise.all(Array.from({ length: 20 }, aTenant))
  await sql`
    insert into analytics_quarters (tenant_id, quarter, currency, pending)
    select t.id, date_trunc('day', now()) - make_interval(mins => 15 * n), 'EUR', 1 from unnest(${tenants}::text[]) t (id), generate_series(1, 5000) n`
  await sql`
    insert into analytics_hours (tenant_id, hour, currency, pending)
    select t.id, date_trunc('hour', now()) - make_interval(hours => n), 'EUR', 1 from unnest(${tenants}::text[]) t (id), generate_series(1, 2000) n`
  await sql`
    insert into analytics_products (tenant_id, day, product_id, currency, pieces, amount)
    select t.id, current_date - n / 20, 'prod_' || n % 20, 'EUR', 1, 1 from unnest(${tenants}::text[]) t (id), generate_series(1, 4000) n`
  const tenant = tenants[3] as string
  // As autovacuum leaves the table where all was folded: what is planned by that must not look at all differences for each of them.
  await sql`delete from analytics_differences`
  await sql`vacuum analyze analytics_differences`
  for (const each of tenants) await happens(each)
  const { plan, sql: own, close } = await explained(url)
  after(close)
  for (const zone of ['UTC', 'Asia/Kathmandu']) {
    await sql`update tenants set time_zone = ${zone} where id = ${tenant}`
    const read = await plan(() => figures(own, { tenant }, '30d'))
    assert.deepEqual(
      read.whole.filter(name => name.startsWith('analytics')),
      [],
    )
    assert.ok(read.longest <= 30 * 24 + 24, `figures look at ${read.longest} rows in ${zone}`)
  }
  const pruned = await plan(() => pruneAll(own, pruneAnalytics))
  assert.deepEqual(
    pruned.whole.filter(name => name.startsWith('analytics')),
    [],
  )
  const folded = await plan(() => fold(own))
  assert.deepEqual(
    folded.whole.filter(name => name.startsWith('analytics')),
    [],
  )
  assert.ok(folded.longest <= 200, `a fold looks at ${folded.longest} rows`)
})
