// The figures of a workspace: counted as things happen, and the same as a count from the tables.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figures } from '../../src/analytics/figures.ts'
import { PERIODS } from '../../src/analytics/schema.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { aLine, anOrder, aProduct, ok } from '../support/given.ts'
import { talkOn } from '../support/talks.ts'
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
