// The figures of a workspace: counted as things happen, and the same as a count from the tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Day, localDays } from '../../src/analytics/days.ts'
import { figures } from '../../src/analytics/figures.ts'
import { folder } from '../../src/analytics/fold.ts'
import { PERIODS } from '../../src/analytics/schema.ts'
import { now } from '../../src/clock.ts'
import { readMigrations } from '../../src/postgres/migrate.ts'
import { anAgent } from '../support/agent.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { aLine, anOrder, aProduct, ok } from '../support/given.ts'
import { type Talk, talkOn } from '../support/talks.ts'
import { reckoned } from './reckoning.ts'

const app = await testApp()

/** What is counted is what is there. */
async function assertCounted({ id }: TestTenant, told = ''): Promise<void> {
  for (const period of PERIODS) {
    const { period: shown, ...found } = await figures(app.sql, { tenant: id }, period)
    const { period: expected, ...counted } = await reckoned(app.sql, id, period, Date.parse(shown.to))
    assert.deepEqual({ period: shown, ...found }, { period: expected, ...counted }, `${period} ${told}`)
  }
}

test('orders, moves, payments, refunds and messages count at once, and the other workspace’s do not', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const post = async (path: string, body: object = {}) => ok(await shop.post(`/api/v1/${path}`, body as Record<string, unknown>))
  await post('products', aProduct({ sku: 'SHIRT', stock: 100 }))
  const made = [
    await post('orders', anOrder({ items: [aLine({ sku: 'SHIRT', quantity: 3 }), aLine()] })),
    await post('orders', anOrder({ items: [aLine({ sku: 'SHIRT', quantity: 2 })] })),
    await post('orders', anOrder({ currency: 'USD', items: [aLine({ unit_amount: 333 })] })),
  ]
  await assertCounted(shop, 'placed')
  ok(await shop.patch(`/api/v1/orders/${made[1].id}`, { status: 'CANCELLED' }))
  ok(await shop.patch(`/api/v1/orders/${made[0].id}`, { status: 'SHIPPED' }))
  await assertCounted(shop, 'moved')
  await post(`orders/${made[0].id}/payments`, { amount: 700 })
  await post(`orders/${made[0].id}/payments`)
  await post(`orders/${made[2].id}/payments`)
  await post(`orders/${made[0].id}/refunds`, { amount: 100 })
  await post(`orders/${made[2].id}/refunds`)
  await assertCounted(shop, 'paid')
  const talk = await talkOn(app, shop, await aChannel(app, shop, { platform: 'telegram' }))
  await talk.says('And in blue?')
  await talk.replied({ text: 'Yes.' })
  await talk.replied({ text: 'Surely.' })
  await assertCounted(shop, 'talked')

  const shown = await figures(app.sql, { tenant: shop.id }, '7d')
  assert.equal(shown.orders.count, 3)
  assert.deepEqual(shown.conversations, { started: 1, inbound: 2, ai_replies: 0, human_takeovers: 1, escalations: 0 })
  assert.equal(shown.by_day.length, 7)
  assert.equal((await figures(app.sql, { tenant: other.id }, '30d')).orders.count, 0)
  await assertCounted(other)
})

test('takeovers of before they were kept are found by the pause that lasts, and by the event of one that is over', async () => {
  const shop = await app.tenant()
  const channel = await aChannel(app, shop, { platform: 'telegram' })
  const talks = await Promise.all([1, 2, 3].map(() => talkOn(app, shop, channel)))
  const [over, lasting, byHand] = talks as [Talk, Talk, Talk]
  const pausedIs = async ({ id }: Talk, ai_status: string) => ok(await shop.patch(`/api/v1/conversations/${id}`, { ai_status }))
  for (const talk of talks) await talk.says('Hello?')
  await over.replied({ text: 'I am here.' })
  await pausedIs(over, 'on')
  await over.replied({ text: 'Once more.' })
  await pausedIs(over, 'on')
  await lasting.replied({ text: 'And here.' })
  await lasting.replied({ text: 'No takeover.' })
  await pausedIs(byHand, 'paused')
  await byHand.replied({ text: 'It was paused before.' })
  const taken = async () =>
    (await app.sql`select id from messages where tenant_id = ${shop.id} and took_over order by id`).map(row => row['id'])
  const kept = await taken()
  assert.equal(kept.length, 3)
  await app.sql`update messages set took_over = false where tenant_id = ${shop.id}`
  const text = (await readMigrations()).find(({ name }) => name === '0037_takeovers.sql')?.text ?? ''
  await app.sql.unsafe(text.slice(text.indexOf('update messages')))
  assert.deepEqual(await taken(), kept)
})

test('an agent reads what the dashboard shows, by the period in any case, and of its own workspace alone', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  ok(await shop.post('/api/v1/orders', anOrder()))
  const [agent, stranger] = [await anAgent(app, shop.id, ['read']), await anAgent(app, other.id, ['read'])]
  for (const period of ['today', '7d', '30D']) {
    const { result, isError } = await agent.call('get_analytics', { period })
    assert.equal(isError, false)
    const { period: shown, ...expected } = await figures(app.sql, { tenant: shop.id }, period.toLowerCase() as '7d')
    assert.deepEqual({ ...result, period: { ...result.period, to: shown.to } }, { period: shown, ...expected })
    assert.equal(result.orders.count, 1)
    assert.equal((await stranger.call('get_analytics', { period })).result.orders.count, 0)
  }
})

test('an agent is told which periods there are', async () => {
  const agent = await anAgent(app, (await app.tenant()).id)
  for (const args of [{}, { period: '90d' }, { period: null }, { period: 7 }, { period: '7d', since: '2026-01-01' }]) {
    const { result, isError } = await agent.call('get_analytics', args)
    assert.deepEqual([isError, result.error.code], [true, 'invalid_arguments'], JSON.stringify(args))
  }
  assert.match((await agent.call('get_analytics', { period: '90d' })).result.error.errors[0].message, /today.*7d.*30d/)
})

test('what is counted is never too much to be folded: the largest orders there can be, and money of long ago and of days to come', async () => {
  const shop = await app.tenant()
  const items = Array.from({ length: 100 }, () => ({ name: 'A ship', unit_amount: 9_000_000_000, quantity: 9_999 }))
  const orders = Array.from({ length: 3 }, async () => ok(await shop.post('/api/v1/orders', anOrder({ items: items.slice(0, 99) }))))
  const [order] = await Promise.all(orders)
  for (const paid_at of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
    ok(await shop.post(`/api/v1/orders/${order.id}/payments`, { amount: 5, paid_at }))
  await app.sql`
    insert into analytics_differences (tenant_id, quarter, currency, total) select ${shop.id}, date_trunc('hour', now()), 'EUR', 9e15 from generate_series(1, 2000)`
  await folder()(app.sql)
  assert.deepEqual([...(await app.sql`select 1 from analytics_differences where tenant_id = ${shop.id}`)], [])
  assert.equal((await figures(app.sql, { tenant: shop.id }, '30d')).revenue.paid_amount, 0)
})

/** What holds before anything is folded, and after that. */
async function foldedOrNot(look: () => Promise<void>): Promise<void> {
  await look()
  await folder()(app.sql)
  await look()
}

test('money of the first and of the last moment of a period counts, and of the moments beside them does not', async () => {
  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns']) {
    const shop = await app.tenant()
    await app.sql`update tenants set time_zone = ${zone} where id = ${shop.id}`
    const order = ok(await shop.post('/api/v1/orders', anOrder({ items: [aLine({ unit_amount: 1_111 })] })))
    const [first, last] = [localDays(zone, now(), 7)[0] as Day, localDays(zone, now(), 1)[0] as Day]
    for (const [at, amount] of [
      [first.from - 1, 1],
      [first.from, 10],
      [last.to - 1, 100],
      [last.to, 1_000],
    ] as const)
      ok(await shop.post(`/api/v1/orders/${order.id}/payments`, { amount, paid_at: new Date(at).toISOString() }))
    await foldedOrNot(async () => {
      const shown = await figures(app.sql, { tenant: shop.id }, '7d')
      assert.deepEqual([shown.revenue.paid_amount, shown.by_day[0]?.paid_amount, shown.by_day[6]?.paid_amount], [110, 10, 100], zone)
      for (const [period, paid] of [
        ['today', 100],
        ['30d', 111],
      ] as const)
        assert.equal((await figures(app.sql, { tenant: shop.id }, period)).revenue.paid_amount, paid, `${zone} ${period}`)
    })
  }
})

test('products are told by their pieces, then by their amount in the shop’s currency; what is of other currencies stands apart', async () => {
  const shop = await app.tenant()
  const product = (n: number) => `prod_0${String(n).repeat(25)}`
  const sold = [10, 20, 45, 45, 45, 60, 70].map((amount, n) => [product(n + 1), 2, amount])
  for (const [currency, counts] of [
    ['EUR', { lines: sold, paid: 7 }],
    ['USD', { lines: [[product(1), 5, 999]], paid: 3 }],
    ['GBP', { given_back: 5 }],
    ['CHF', { lines: [[product(1), 1, 1]] }],
  ] as [string, { lines?: unknown; paid?: number; given_back?: number }][])
    await app.sql`
      insert into analytics_differences (tenant_id, quarter, currency, paid, given_back, lines)
      values (${shop.id}, date_trunc('hour', now()), ${currency}, ${counts.paid ?? 0}, ${counts.given_back ?? 0}, ${JSON.stringify(counts.lines ?? [])}::text::jsonb)`
  await foldedOrNot(async () => {
    const { top_products, other_currencies, revenue } = await figures(app.sql, { tenant: shop.id }, 'today')
    assert.deepEqual(
      top_products.map(({ product_id, quantity, amount }) => [product_id, quantity, amount]),
      [
        [product(1), 8, 10],
        [product(7), 2, 70],
        [product(6), 2, 60],
        [product(3), 2, 45],
        [product(4), 2, 45],
      ],
    )
    assert.equal(revenue.paid_amount, 7)
    assert.deepEqual(other_currencies, [
      { currency: 'GBP', orders: 0, paid_amount: 0, refunded_amount: 5 },
      { currency: 'USD', orders: 0, paid_amount: 3, refunded_amount: 0 },
    ])
  })
})

test('what was sold on the first day of a period counts, and on the day before it does not', async () => {
  const shop = await app.tenant()
  const product = 'prod_01jz0000000000000000000000'
  const firstOf = (days: number) => (localDays('UTC', now(), days)[0] as Day).from
  for (const [at, pieces] of [
    [firstOf(30) - 1, 1],
    [firstOf(30), 10],
    [firstOf(7) - 1, 100],
    [firstOf(7), 1_000],
  ] as const)
    await app.sql`
      insert into analytics_differences (tenant_id, quarter, currency, lines)
      values (${shop.id}, date_trunc('hour', ${new Date(at)}::timestamptz), 'EUR', ${JSON.stringify([[product, pieces, pieces]])}::text::jsonb)`
  await foldedOrNot(async () => {
    for (const [period, sold] of [
      ['today', undefined],
      ['7d', 1_000],
      ['30d', 1_110],
    ] as const)
      assert.equal((await figures(app.sql, { tenant: shop.id }, period)).top_products[0]?.quantity, sold, period)
  })
})
