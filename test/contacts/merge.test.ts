// Two contacts that are one person become one: everything of the other moves, and its id says where it went.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { learn } from '../../src/contacts/learn.ts'
import { finish, merge, mergeLater } from '../../src/contacts/merge.ts'
import { onChannel } from '../../src/contacts/on-channel.ts'
import { newId } from '../../src/ids.ts'
import { MERGED_AT_ONCE } from '../../src/limits/contacts.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anInbound, anOrder, assertProblem, nobody, ok } from '../support/given.ts'

const app = await testApp()
await app.startWorker()
const CONTACTS = '/api/v1/contacts'
const pathOf = (id: string) => `${CONTACTS}/${id}`
const mergeInto = (shop: TestTenant, kept: string, merged: unknown) => shop.post(`${pathOf(kept)}/merge`, { contact_id: merged })
const create = async (shop: TestTenant, body: object) => ok(await shop.post(CONTACTS, body))
const connect = (shop: TestTenant, contact: { external_id: string }, id: string) =>
  begin(app.sql, async tx => {
    const caller = { tenant: shop.id, actor: { type: 'system' as const } }
    const channel = { id: newId('chn'), platform: 'telegram' }
    await learn(tx, caller, channel, await onChannel(tx, caller, channel, [{ ids: [id], proven: { external_id: contact.external_id } }]))
  })
const ordersOf = async (shop: TestTenant, id: string) => ok(await shop.get(`/api/v1/orders?limit=100&contact_id=${id}`)).data

test('the kept one has everything of both, its own where both have one; the other answers 404 with merged_into', async () => {
  const shop = await app.tenant()
  const kept = await create(shop, { name: 'Ada', external_id: 'crm-1', tags: ['vip'], attributes: { size: 'M' } })
  const lost = await create(shop, {
    name: 'A. L.',
    email: 'ada@example.com',
    phone: '+15550001111',
    external_id: 'crm-2',
    tags: ['vip', 'new'],
    attributes: { size: 'L', pet: 'cat' },
  })
  await connect(shop, kept, '1')
  await connect(shop, lost, '2')
  const mine = ok(await shop.post('/api/v1/orders', anOrder({ customer: { contact_id: kept.id } })))
  const theirs = ok(await shop.post('/api/v1/orders', anOrder({ customer: { contact_id: lost.id } })))
  await app.sql`update contacts set total_spent_amount = 500 where tenant_id = ${shop.id} and id = ${lost.id}`
  const { conversation } = await anInbound(app, shop, { contact_id: lost.id })
  ok(await shop.patch(pathOf(lost.id), { blocked: true }))

  const reply = await mergeInto(shop, kept.id, lost.id)
  assert.equal(reply.status, 200, reply.text)
  const { body } = reply
  assert.deepEqual(
    [body.id, body.name, body.email, body.phone, body.external_id, body.blocked],
    [kept.id, 'Ada', 'ada@example.com', '+15550001111', 'crm-1', true],
  )
  assert.deepEqual([body.tags, body.attributes], [['vip', 'new'], { size: 'M', pet: 'cat' }])
  assert.deepEqual([body.orders_count, body.total_spent_amount, body.channels.length], [2, 500, 3])
  assert.ok(body.last_message_at)
  assert.equal((await shop.get(pathOf(kept.id))).text, reply.text)

  const moved = await ordersOf(shop, kept.id)
  assert.deepEqual(moved.map((each: { id: string }) => each.id).sort(), [mine.id, theirs.id].sort())
  const after = ok(await shop.get(`/api/v1/orders/${theirs.id}`))
  assert.deepEqual(after, { ...theirs, customer: { ...theirs.customer, contact_id: kept.id } }, 'no new version')
  assert.equal(ok(await shop.get(`/api/v1/conversations/${conversation.id}`)).contact.id, kept.id)

  const refused = [
    await shop.get(pathOf(lost.id)),
    await shop.patch(pathOf(lost.id), { name: 'X' }),
    await mergeInto(shop, lost.id, kept.id),
  ]
  for (const gone of refused) {
    assertProblem(gone, { status: 404, slug: 'resource-not-found', instance: gone.body.instance, code: 'contact_merged' })
    assert.equal(gone.body.merged_into, kept.id)
  }
  const order = await shop.post('/api/v1/orders', anOrder({ customer: { contact_id: lost.id } }))
  assertProblem(order, { status: 422, slug: 'validation-failed', instance: '/api/v1/orders', field: 'customer.contact_id' })
  assert.match(order.text, new RegExp(`merged into ${kept.id}`))
  for (const query of ['', '?q=Ada', '?tag=new', '?email=ada@example.com', '?blocked=true'])
    assert.deepEqual(
      ok(await shop.get(CONTACTS + query)).data.map((each: { id: string }) => each.id),
      [kept.id],
      query,
    )
  const [event] = await app.sql`select body from events where tenant_id = ${shop.id} and type = 'contact.merged'`
  assert.deepEqual(JSON.parse(event?.['body']).data, { contact_id: kept.id, contact: body, merged_contact_id: lost.id })
})

test('tags and attributes of both are as many as a contact may have, the kept one’s before the other’s', async () => {
  const shop = await app.tenant()
  const of = (name: string) => ({
    name,
    tags: Array.from({ length: 30 }, (_, n) => `${name}${n}`),
    attributes: Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`${name}${n}`, 'x'])),
  })
  const [kept, gone] = [await create(shop, of('kept')), await create(shop, of('gone'))]
  const { tags, attributes } = ok(await mergeInto(shop, kept.id, gone.id))
  const counts = (all: string[]) => [all.length, all.filter(each => each.startsWith('kept')).length]
  assert.deepEqual(
    [counts(tags), counts(Object.keys(attributes))],
    [
      [50, 30],
      [100, 60],
    ],
  )
})

test('what was merged into the merged one follows it', async () => {
  const shop = await app.tenant()
  const [a, b, c] = [await create(shop, { name: 'A' }), await create(shop, { name: 'B' }), await create(shop, { name: 'C' })]
  ok(await mergeInto(shop, b.id, a.id))
  ok(await mergeInto(shop, c.id, b.id))
  assert.equal((await shop.get(pathOf(a.id))).body.merged_into, c.id)

  // So does what a channel has proven to be one with it, and was to be merged a moment later.
  const d = await create(shop, { name: 'D' })
  const [e, f] = [await create(shop, { name: 'E' }), await create(shop, { name: 'F' })]
  const caller = { tenant: shop.id, actor: { type: 'system' as const } }
  await begin(app.sql, async tx => {
    await mergeLater(tx, caller, { kept: d.id, merged: e.id })
    await mergeLater(tx, caller, { kept: f.id, merged: d.id })
    await merge(tx, caller, f.id, d.id)
  })
  await eventuallyHolds(async () => assert.equal((await shop.get(pathOf(e.id))).body.merged_into, f.id))

  // And where the one that was to be kept becomes a part of another between two looks at it: the job is tried again.
  const [g, h] = [await create(shop, { name: 'G' }), await create(shop, { name: 'H' })]
  const meanwhile = Object.assign(app.sql.bind(null), app.sql, {
    async begin(work: (tx: Tx) => Promise<unknown>) {
      await begin(app.sql, tx => merge(tx, caller, f.id, g.id))
      return app.sql.begin(work as never)
    },
  }) as typeof app.sql
  await assert.rejects(finish(meanwhile, caller, g.id, h.id), { members: { code: 'contact_merged', merged_into: f.id } })
  await finish(app.sql, caller, g.id, h.id)
  assert.equal((await shop.get(pathOf(h.id))).body.merged_into, f.id)
})

test('itself, a contact that is none, one of another workspace and one already merged are refused, and change nothing', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const [kept, gone] = [await create(shop, { name: 'A' }), await create(shop, { name: 'B' })]
  const foreign = await create(other, { name: 'C' })
  ok(await mergeInto(shop, kept.id, gone.id))
  const before = await shop.get(pathOf(kept.id))
  for (const [id, code] of [
    [kept.id, 'same_contact'],
    [nobody('con'), 'unknown_contact'],
    [foreign.id, 'unknown_contact'],
    [gone.id, 'unknown_contact'],
    ['x', 'invalid_format'],
    [7, 'invalid_type'],
  ] as const)
    assertProblem(await mergeInto(shop, kept.id, id), {
      status: 422,
      slug: 'validation-failed',
      instance: `${pathOf(kept.id)}/merge`,
      code,
      field: 'contact_id',
    })
  const instance = `${pathOf(foreign.id)}/merge`
  assertProblem(await mergeInto(shop, foreign.id, kept.id), { status: 404, slug: 'resource-not-found', instance })
  assert.equal((await shop.get(pathOf(kept.id))).text, before.text)
  assert.equal((await other.get(pathOf(foreign.id))).status, 200)
})

test('two merges of a pair at once, in either direction, make one contact', async () => {
  const shop = await app.tenant()
  for (let round = 0; round < 5; round++) {
    const [a, b] = [await create(shop, { name: 'A' }), await create(shop, { name: 'B' })]
    const replies = await Promise.all([mergeInto(shop, a.id, b.id), mergeInto(shop, b.id, a.id), mergeInto(shop, a.id, b.id)])
    assert.equal(replies.filter(each => each.status === 200).length, 1, JSON.stringify(replies.map(each => each.body)))
    const left = [await shop.get(pathOf(a.id)), await shop.get(pathOf(b.id))]
    assert.deepEqual(left.map(each => each.status).sort(), [200, 404])
  }
})

test('a contact with thousands of orders is merged in portions, also what is written for it meanwhile', async () => {
  const shop = await app.tenant()
  const [kept, lost] = [await create(shop, { name: 'A' }), await create(shop, { name: 'B' })]
  const order = ok(await shop.post('/api/v1/orders', anOrder({ customer: { contact_id: lost.id } })))
  const many = 2 * MERGED_AT_ONCE
  await app.sql`
    insert into orders (tenant_id, id, number, source, status, payment_status, fulfillment_status, currency, total_amount, contact_id, created_at, updated_at, doc)
    select tenant_id, 'ord_' || n, 1000 + n, source, status, payment_status, fulfillment_status, currency, total_amount, contact_id, created_at, updated_at, doc
      from orders, generate_series(1, ${many}) n where tenant_id = ${shop.id} and id = ${order.id}`
  ok(await mergeInto(shop, kept.id, lost.id))
  const left = async () =>
    (await app.sql`select count(*)::integer as n from orders where tenant_id = ${shop.id} and doc like ${`%${lost.id}%`}`)[0]?.['n']
  await eventuallyHolds(async () => assert.equal(await left(), 0))
  assert.equal(
    (await app.sql`select count(*)::integer as n from orders where tenant_id = ${shop.id} and contact_id = ${kept.id}`)[0]?.['n'],
    many + 1,
  )

  // An order that was being placed for it: its row and its count come after the merge.
  await app.sql`update contacts set orders_count = orders_count + 1 where tenant_id = ${shop.id} and id = ${lost.id}`
  await app.sql`update orders set contact_id = ${lost.id} where tenant_id = ${shop.id} and id = 'ord_1'`
  await app.sql`update graphile_worker._private_jobs set run_at = now()`
  await eventuallyHolds(async () => assert.equal(ok(await shop.get(pathOf(kept.id))).orders_count, 2))
  await eventuallyHolds(async () =>
    assert.equal((await app.sql`select contact_id from orders where tenant_id = ${shop.id} and id = 'ord_1'`)[0]?.['contact_id'], kept.id),
  )
})
