// An external CRM, as its guide says (docs/api/crm.md): every example runs, and however often all is sent again, nothing is made twice.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertShown, examplesOf, reader } from '../docs/examples.ts'
import { importing } from '../imports/importing.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'

const app = await testApp()
await app.startWorker()
const { shop: anImporter } = importing(app)

test('every example of the guide does what the guide says', async () => {
  const shop = await anImporter()
  const { run } = reader(app, shop.key)
  const examples = examplesOf('api/crm')
  assert.ok(examples.length >= 9)
  for (const example of examples) {
    const reply = await run(example)
    const refused = example.shown?.includes('"status": 409')
    assert.equal(reply.status < 300, !refused, `${example.code}\n${reply.text}`)
    if (refused) assert.match(reply.headers.get('location') ?? '', /^\/api\/v1\/(contacts\/con|orders\/ord)_/)
    if (reply.body.object === 'import') reply.body = await shop.over(reply.body.id)
    if (example.shown) assertShown(reply, example.shown)
  }
  const orders = ok(await shop.get('/api/v1/orders?source=crm')).data
  assert.deepEqual(orders.map((each: { external_id: string }) => each.external_id).sort(), ['crm-order-20931', 'crm-order-20932'])
  const contacts = ok(await shop.get('/api/v1/contacts')).data
  assert.deepEqual(contacts.map((each: { name: string }) => each.name).sort(), ['Charles Babbage', 'Mary Somerville'])
  const created = (await app.sql`select 1 from events where tenant_id = ${shop.id} and type = 'order.created'`).length
  assert.equal(created, 2, 'one event an order')
})

test('500 orders sent twice, and twice at once, by file and one by one, are 500 orders with one order.created each', async () => {
  const shop = await anImporter()
  const rows = Array.from({ length: 500 }, (_, n) => ({
    source: 'crm',
    external_id: `crm-${n}`,
    customer: { email: `customer${n % 100}@example.com` },
    items: [{ name: 'A thing', unit_amount: 100 + n, quantity: 1 }],
  }))
  const file = shop.ndjson(rows)
  const send = () => shop.imported('resource=orders&mode=upsert', file)
  const singly = rows.slice(0, 40).map(row => shop.post('/api/v1/orders', row))
  const [one, two] = await Promise.all([send(), send()])
  const replies = await Promise.all(singly)
  assert.deepEqual([one.failed, two.failed], [0, 0])
  const placed = replies.filter(each => each.status === 201).length
  assert.ok(
    replies.every(each => each.status === 201 || (each.status === 409 && each.headers.get('location')?.startsWith('/api/v1/orders/ord_'))),
  )
  assert.equal(one.created + two.created + placed, 500)

  const again = await send()
  assert.deepEqual([again.created, again.updated, again.unchanged, again.failed], [0, 0, 500, 0])
  const twice = await Promise.all([send(), send()])
  assert.deepEqual(
    twice.map(each => each.unchanged),
    [500, 500],
  )

  const [counts] = await eventually(
    () => app.sql`
      select (select count(*)::integer from orders where tenant_id = ${shop.id}) as orders,
             (select count(*)::integer from contacts where tenant_id = ${shop.id}) as contacts,
             (select count(distinct body::json -> 'data' ->> 'order_id')::integer from events where tenant_id = ${shop.id} and type = 'order.created') as told,
             (select count(*)::integer from events where tenant_id = ${shop.id} and type = 'order.created') as events`,
  )
  assert.deepEqual({ ...counts }, { orders: 500, contacts: 100, told: 500, events: 500 })
  const [versions] = await app.sql`select max(version) as newest from orders where tenant_id = ${shop.id}`
  assert.equal(versions?.['newest'], 1, 'a repeat leaves an order as it was placed')
})
