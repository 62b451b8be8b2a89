// A contact that is blocked is not heard: what is open with them is closed, and what they write changes nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { anInbound, assertProblem, ok } from '../support/given.ts'

const app = await testApp()
await app.startWorker()
const create = async (shop: TestTenant, over = {}) => ok(await shop.post('/api/v1/contacts', { name: 'Eve', ...over }))
const block = (shop: TestTenant, { id }: { id: string }) => shop.patch(`/api/v1/contacts/${id}`, { blocked: true })
const read = async (shop: TestTenant, { id }: { id: string }) => ok(await shop.get(`/api/v1/conversations/${id}`))
const typesOf = async (shop: TestTenant): Promise<string[]> =>
  (await app.sql`select type from events where tenant_id = ${shop.id} order by seq`).map(({ type }) => type)

test('blocking closes what is open, and nothing they write afterwards opens, counts or is told', async () => {
  const shop = await app.tenant()
  const eve = await create(shop)
  const { conversation } = await anInbound(app, shop, { contact_id: eve.id })
  assert.equal((await read(shop, conversation)).unread_count, 1)
  ok(await block(shop, eve))
  const closed = await read(shop, conversation)
  assert.deepEqual([closed.status, closed.unread_count, closed.waiting_since], ['closed', 0, null])
  assert.ok(closed.closed_at)
  const told = await typesOf(shop)
  assert.equal(told.filter(type => type === 'conversation.closed').length, 1)

  const after = await anInbound(app, shop, { contact_id: eve.id, text: 'Hello?!' })
  assert.equal(after.conversation.id, conversation.id)
  const still = await read(shop, conversation)
  assert.deepEqual([still.status, still.unread_count, still.messages_count], ['closed', 0, 2])
  assert.deepEqual(await typesOf(shop), told)
  const instance = `/api/v1/conversations/${conversation.id}/messages`
  assertProblem(await shop.post(instance, { text: 'Hi' }), { status: 409, slug: 'conflict', instance, code: 'contact_blocked' })

  ok(await shop.patch(`/api/v1/contacts/${eve.id}`, { blocked: false }))
  await anInbound(app, shop, { contact_id: eve.id, text: 'Thanks' })
  assert.equal((await read(shop, conversation)).status, 'open')
})

test('a refused change blocks nobody and closes nothing', async () => {
  const shop = await app.tenant()
  const [eve] = [await create(shop), await create(shop, { email: 'ada@example.com' })]
  const { conversation } = await anInbound(app, shop, { contact_id: eve.id })
  const refused = await shop.patch(`/api/v1/contacts/${eve.id}`, { blocked: true, email: 'ada@example.com' })
  assert.equal(refused.status, 409)
  assert.equal((await read(shop, conversation)).status, 'open')
})

test('contacts that a file or a merge blocks are not heard either, a moment later', async () => {
  const shop = await app.tenant()
  const [eve, mallory, trudy] = [await create(shop, { external_id: 'e' }), await create(shop), await create(shop)]
  const [other, another] = [await create(shop, { blocked: true }), await create(shop, { blocked: true })]
  const talks = await Promise.all([eve, mallory, trudy].map(each => anInbound(app, shop, { contact_id: each.id })))
  const row = JSON.stringify({ external_id: 'e', blocked: true })
  const sent = await app.request('POST', '/api/v1/imports?resource=contacts&mode=upsert', {
    key: shop.key,
    raw: `${row}\n`,
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  assert.equal(sent.status, 202, sent.text)
  ok(await shop.post(`/api/v1/contacts/${mallory.id}/merge`, { contact_id: other.id }))
  ok(await shop.post(`/api/v1/contacts/${another.id}/merge`, { contact_id: trudy.id }))
  await eventuallyHolds(async () => {
    for (const { conversation } of talks) assert.equal((await read(shop, conversation)).status, 'closed')
  })
})

test('one who is blocked while they write, twenty times over, ends up with nothing open', async () => {
  const shop = await app.tenant()
  const people = await Promise.all(Array.from({ length: 20 }, () => create(shop)))
  await Promise.all(people.flatMap(each => [anInbound(app, shop, { contact_id: each.id }), block(shop, each).then(ok)]))
  await eventuallyHolds(async () => {
    const open = ok(await shop.get('/api/v1/conversations?status=open')).data
    assert.deepEqual(open, [])
  })
})
