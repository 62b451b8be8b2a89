// The filters of the list of orders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '../support/app.ts'
import { aLine, anOrder } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const shop = await app.tenant()
const names = new Map<string, string>()
const contacts: Record<string, string> = {}
const times: Record<string, string> = {}

async function place(name: string, over: Record<string, unknown>, status?: string): Promise<void> {
  const { body } = await shop.post(ORDERS, anOrder(over))
  names.set(body.id, name)
  contacts[name] = body.customer.contact_id
  times[name] = body.created_at
  if (status) assert.equal((await shop.patch(`${ORDERS}/${body.id}`, { status })).status, 200)
}

await place('ada', { external_id: 'CRM-1', source: 'crm' })
await place('bob', { customer: { email: 'Bob@Example.com' }, items: [aLine({ unit_amount: 9900 })] }, 'SHIPPED')
await place('eve', { customer: { phone: '+15550001111' }, items: [aLine({ unit_amount: 100 })] }, 'CANCELLED')
// A millisecond between them gives each its own time.
for (const [index, name] of ['ada', 'bob', 'eve'].entries()) {
  const at = new Date(Date.UTC(2026, 4, 25, 9, 30, 0, index)).toISOString()
  times[name] = at
  await app.sql`update orders set created_at = ${at}, updated_at = ${at} where id = ${[...names].find(([, each]) => each === name)?.[0] ?? ''}`
}

const found: [string, string[]][] = [
  ['', ['ada', 'bob', 'eve']],
  ['status=pending', ['ada']],
  ['status=SHIPPED', ['bob']],
  ['status=shipped,Cancelled', ['bob', 'eve']],
  ['status=REFUNDED', []],
  ['payment_status=unpaid', ['ada', 'bob', 'eve']],
  ['payment_status=PAID,refunded', []],
  ['fulfillment_status=shipped', ['bob']],
  ['fulfillment_status=unfulfilled', ['ada', 'eve']],
  ['source=crm', ['ada']],
  ['source=api,dashboard', ['bob', 'eve']],
  ['customer_email=BOB@example.com', ['bob']],
  ['customer_email=bob', []],
  [`contact_id=${contacts['eve']}`, ['eve']],
  ['external_id=CRM-1', ['ada']],
  ['external_id=crm-1', []],
  ['number=2', ['bob']],
  ['number=99', []],
  ['min_total=2500', ['ada', 'bob']],
  ['max_total=2500', ['ada', 'eve']],
  ['min_total=2500&max_total=2500', ['ada']],
  ['q=2', ['bob']],
  ['q=%232', ['bob']],
  ['q=CRM-1', ['ada']],
  ['q=bob@example.com', ['bob']],
  ['q=nothing', []],
  [`created_after=${times['ada']}`, ['bob', 'eve']],
  [`created_before=${times['eve']}`, ['ada', 'bob']],
  [`created_after=${times['ada']}&created_before=${times['eve']}`, ['bob']],
  [`updated_after=${times['bob']}`, ['eve']],
  [`updated_before=${times['bob']}`, ['ada']],
  ['created_after=2026-05-25T11:30:00.000%2B02:00', ['bob', 'eve']],
  ['status=pending&source=crm&number=1', ['ada']],
  ['status=pending&number=2', []],
]
for (const [query, expected] of found)
  test(`?${query.replace(/_\w{26}/, '_…')} finds ${expected.join(', ') || 'nothing'}`, async () => {
    const { status, body, text } = await shop.get(`${ORDERS}?${query}`)
    assert.equal(status, 200, text)
    assert.deepEqual(body.data.map((each: { id: string }) => names.get(each.id)).sort(), expected)
  })
