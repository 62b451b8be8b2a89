// Contacts over REST: create, read, change; what identifies them, and what orders move.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type Reply, type TestTenant, testApp } from '../support/app.ts'
import { anOrder, assertProblem, nobody } from '../support/given.ts'

const app = await testApp()
const CONTACTS = '/api/v1/contacts'

const aContact = (over: Record<string, unknown> = {}) => ({ name: 'Ada Lovelace', ...over })
const create = async (shop: TestTenant, over: Record<string, unknown> = {}): Promise<Reply['body']> => {
  const reply = await shop.post(CONTACTS, aContact(over))
  assert.equal(reply.status, 201, reply.text)
  return reply.body
}
const pathOf = ({ id }: { id: string }) => `${CONTACTS}/${id}`
const read = async (shop: TestTenant, contact: { id: string }) => (await shop.get(pathOf(contact))).body
const change = async (shop: TestTenant, contact: { id: string }, body: object): Promise<Reply['body']> => {
  const reply = await shop.patch(pathOf(contact), body)
  assert.equal(reply.status, 200, reply.text)
  return reply.body
}
const eventsOf = async (shop: TestTenant): Promise<{ type: string; data: Reply['body'] }[]> =>
  (await app.sql`select body from events where tenant_id = ${shop.id} order by seq`).map(({ body }) => JSON.parse(body))

test('a contact has every documented field, 201, Location and ETag', async () => {
  const shop = await app.tenant()
  const given = {
    name: 'Ada Lovelace',
    email: 'Ada@Example.com',
    phone: '+380441234567',
    language: 'en-GB',
    avatar_url: 'https://a.example/ada.png',
    tags: ['vip', 'newsletter'],
    blocked: true,
    external_id: 'crm-1815',
    attributes: { birthday: '1815-12-10', 'Größe "M"': '\\ 😀' },
  }
  const reply = await shop.post(CONTACTS, given)
  assert.equal(reply.status, 201, reply.text)
  const { body: contact } = reply
  assert.match(contact.id, /^con_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(reply.headers.get('location'), pathOf(contact))
  assert.match(contact.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(contact, {
    object: 'contact',
    id: contact.id,
    ...given,
    channels: [],
    summary: null,
    summary_updated_at: null,
    orders_count: 0,
    total_spent_amount: 0,
    currency: 'EUR',
    last_message_at: null,
    version: 1,
    created_at: contact.created_at,
    updated_at: contact.created_at,
    email_claimed: false,
  })
  const again = await shop.get(pathOf(contact))
  assert.equal(again.text, reply.text, 'the answer to a write equals a read, to the byte')
  assert.equal(again.headers.get('etag'), reply.headers.get('etag'))
})

for (const [name, value] of Object.entries({ name: 'A', email: 'a@example.com', phone: '+15550001111', external_id: 'x' }))
  test(`${name} alone makes a contact; the rest is null, [] or {}`, async () => {
    const reply = await (await app.tenant()).post(CONTACTS, { [name]: value })
    const { object, id, created_at, updated_at, ...rest } = reply.body
    assert.deepEqual(rest, {
      name: null,
      email: null,
      email_claimed: false,
      phone: null,
      language: null,
      avatar_url: null,
      channels: [],
      tags: [],
      summary: null,
      summary_updated_at: null,
      currency: 'EUR',
      blocked: false,
      external_id: null,
      attributes: {},
      version: 1,
      orders_count: 0,
      total_spent_amount: 0,
      last_message_at: null,
      [name]: value,
    })
  })

suite('an identifier is one contact’s alone', () => {
  const identifiers = [
    ['external_id', 'crm-1', 'crm-1'],
    ['email', 'ada@example.com', 'ADA@example.COM'],
    ['phone', '+15550001111', '+15550001111'],
  ] as const
  for (const [field, value, same] of identifiers) {
    const refused = (reply: Reply, instance: string, holder: { id: string }) => {
      assertProblem(reply, { status: 409, slug: 'conflict', instance, code: `duplicate_${field}` })
      assert.equal(reply.body.contact_id, holder.id)
      assert.equal(reply.headers.get('location'), pathOf(holder))
    }

    test(`${field}: a second contact with it is a 409 that names the first`, async () => {
      const shop = await app.tenant()
      const first = await create(shop, { [field]: value })
      refused(await shop.post(CONTACTS, aContact({ [field]: same })), CONTACTS, first)
      assert.equal((await shop.get(CONTACTS)).body.data.length, 1)
      assert.equal(
        (await (await app.tenant()).post(CONTACTS, aContact({ [field]: value }))).status,
        201,
        'the same identifier is free in another shop',
      )
    })

    test(`${field}: nor can a change take it; one’s own is no conflict, and what is given up is free`, async () => {
      const shop = await app.tenant()
      const [first, second] = [await create(shop, { [field]: value }), await create(shop)]
      refused(await shop.patch(pathOf(second), { [field]: same, name: 'B' }), pathOf(second), first)
      assert.deepEqual(await read(shop, second), second)
      assert.equal((await change(shop, first, { [field]: same }))[field], same)
      await change(shop, first, { [field]: null })
      assert.equal((await change(shop, second, { [field]: value }))[field], value)
    })
  }

  test('ten at once make one', async () => {
    const shop = await app.tenant()
    const replies = await Promise.all(Array.from({ length: 10 }, () => shop.post(CONTACTS, aContact({ email: 'a@example.com' }))))
    assert.deepEqual(replies.map(each => each.status).sort(), [201, ...Array.from({ length: 9 }, () => 409)])
    const made = replies.find(each => each.status === 201)?.body
    for (const reply of replies) if (reply.status === 409) assert.equal(reply.body.contact_id, made.id)
  })

  test('two contacts that take an address at once: one gets it, and the other a 409', async () => {
    const shop = await app.tenant()
    for (let n = 0; n < 5; n++) {
      const both = [await create(shop), await create(shop)]
      const replies = await Promise.all(both.map(each => shop.patch(pathOf(each), { email: `n${n}@example.com` })))
      assert.deepEqual(replies.map(each => each.status).sort(), [200, 409])
      assert.equal(replies.find(each => each.status === 409)?.body.code, 'duplicate_email')
    }
  })

  test('an order finds the contact that was made, and a contact that an order made is found', async () => {
    const shop = await app.tenant()
    const contact = await create(shop, { email: 'ada@example.com' })
    const order = await shop.post('/api/v1/orders', anOrder({ customer: { email: 'ADA@example.com' } }))
    assert.deepEqual([order.body.customer.contact_id, order.body.customer.name], [contact.id, 'Ada Lovelace'])
    const other = await shop.post('/api/v1/orders', anOrder({ customer: { email: 'eve@example.com', name: 'Eve' } }))
    const reply = await shop.post(CONTACTS, aContact({ email: 'eve@example.com' }))
    assert.equal(reply.body.contact_id, other.body.customer.contact_id)
    assert.equal((await shop.get(`${CONTACTS}?q=eve`)).body.data[0].id, other.body.customer.contact_id)
  })
})

suite('a change', () => {
  test('touches what is given alone, replaces lists whole, and counts the version', async () => {
    const shop = await app.tenant()
    const before = await create(shop, { email: 'a@example.com', tags: ['x', 'y'], attributes: { a: 'b' } })
    const after = await change(shop, before, { name: null, tags: ['y', 'z'], attributes: { c: 'd' }, language: 'uk' })
    const { updated_at, ...rest } = after
    assert.ok(updated_at >= before.updated_at)
    assert.deepEqual(rest, {
      ...Object.fromEntries(Object.entries(before).filter(([name]) => name !== 'updated_at')),
      name: null,
      tags: ['y', 'z'],
      attributes: { c: 'd' },
      language: 'uk',
      version: 2,
    })
    assert.deepEqual(await read(shop, before), after)
  })

  test('that changes nothing is not written', async () => {
    const shop = await app.tenant()
    const before = await create(shop, { tags: ['x'], attributes: { a: 'b' } })
    assert.deepEqual(await change(shop, before, { name: 'Ada Lovelace', tags: ['x'], attributes: { a: 'b' }, email: null }), before)
    assert.deepEqual(await read(shop, before), before)
  })

  test('leaves an audit row, and an event where it adds tags', async () => {
    const shop = await app.tenant()
    const contact = await create(shop, { tags: ['a'] })
    await change(shop, contact, { tags: ['b', 'a', 'c'], name: 'B' })
    await change(shop, contact, { tags: ['a'] })
    const rows = await app.sql`select action, details, actor_type from audit_log where subject_id = ${contact.id} order by id`
    assert.deepEqual(
      rows.map(row => [row['action'], row['details'], row['actor_type']]),
      [
        ['contact.create', {}, 'api_key'],
        ['contact.update', { fields: ['name', 'tags'] }, 'api_key'],
        ['contact.update', { fields: ['tags'] }, 'api_key'],
      ],
    )
    const [created, tagged, ...more] = await eventsOf(shop)
    assert.deepEqual(more, [])
    assert.deepEqual([created?.type, created?.data], ['contact.created', { contact_id: contact.id, contact }])
    assert.equal(tagged?.type, 'contact.tagged')
    assert.deepEqual([tagged?.data.added, tagged?.data.contact.tags, tagged?.data.contact.version], [['b', 'c'], ['b', 'a', 'c'], 2])
  })

  test('is refused on another version than the one it was based on', async () => {
    const shop = await app.tenant()
    const contact = await create(shop)
    const path = pathOf(contact)
    const etag = String((await shop.get(path)).headers.get('etag'))
    assert.equal((await shop.patch(path, { name: 'B' }, { 'If-Match': etag })).status, 200)
    assertProblem(await shop.patch(path, { name: 'C' }, { 'If-Match': etag }), { status: 412, slug: 'precondition-failed', instance: path })
    const past = { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' }
    assertProblem(await shop.patch(path, { name: 'C' }, past), { status: 412, slug: 'precondition-failed', instance: path })
    const future = { 'If-Unmodified-Since': 'Sat, 01 Jan 2050 00:00:00 GMT' }
    assert.equal((await shop.patch(path, { name: 'C' }, future)).status, 200)
    assert.equal((await read(shop, contact)).name, 'C')
  })

  test('of a contact that does not exist is a 404', async () => {
    const shop = await app.tenant()
    for (const id of [nobody('con'), 'x', nobody('ord')]) {
      const instance = `${CONTACTS}/${id}`
      assertProblem(await shop.patch(instance, { name: 'B' }), { status: 404, slug: 'resource-not-found', instance })
      assertProblem(await shop.get(instance), { status: 404, slug: 'resource-not-found', instance })
    }
  })
})

suite('bad input', () => {
  const cases: [string, object, string, string][] = [
    ['no identifier', {}, 'required', ''],
    ['null for the only identifier', { name: null }, 'required', ''],
    ['only what identifies no contact', { tags: ['x'], language: 'en' }, 'required', ''],
    ['an unknown field', { name: 'A', nickname: 'B' }, 'unknown_field', 'nickname'],
    ...['id', 'version', 'orders_count', 'total_spent_amount', 'currency', 'channels', 'summary', 'last_message_at', 'created_at'].map(
      (name): [string, object, string, string] => [`${name}, which is the server’s`, { name: 'A', [name]: 1 }, 'unknown_field', name],
    ),
    ['an empty name', { name: '' }, 'too_short', 'name'],
    ['a name of 301', { name: 'x'.repeat(301) }, 'too_long', 'name'],
    ['a number for a name', { name: 7 }, 'invalid_type', 'name'],
    ['an e-mail without its host', { email: 'ada@' }, 'invalid_format', 'email'],
    ['two e-mails', { email: 'a@example.com,b@example.com' }, 'invalid_format', 'email'],
    ['a phone number without its plus', { phone: '380441234567' }, 'invalid_format', 'phone'],
    ['a phone number with spaces', { phone: '+380 44 123 45 67' }, 'invalid_format', 'phone'],
    ['a language by its name', { name: 'A', language: 'english_' }, 'invalid_format', 'language'],
    ['an avatar that is no address', { name: 'A', avatar_url: 'javascript:alert(1)' }, 'invalid_format', 'avatar_url'],
    ['tags as text', { name: 'A', tags: 'vip' }, 'invalid_type', 'tags'],
    ['the same tag twice', { name: 'A', tags: ['a', 'a'] }, 'duplicate', 'tags'],
    ['an empty tag', { name: 'A', tags: [''] }, 'too_short', 'tags[0]'],
    ['a tag that nobody sees', { name: 'A', tags: ['a', ' \u200b'] }, 'blank', 'tags[1]'],
    ['51 tags', { name: 'A', tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, 'too_many', 'tags'],
    ['text for blocked', { name: 'A', blocked: 'true' }, 'invalid_type', 'blocked'],
    ['an empty external_id', { external_id: '' }, 'too_short', 'external_id'],
    ['a number among the attributes', { name: 'A', attributes: { a: 1 } }, 'invalid_type', 'attributes.a'],
    ['an attribute of 501', { name: 'A', attributes: { a: 'x'.repeat(501) } }, 'too_long', 'attributes.a'],
    ['a NUL', { name: 'a\0' }, 'invalid_characters', 'name'],
  ]
  for (const [what, body, code, field] of cases)
    test(what, async () => {
      const shop = await app.tenant()
      const refusal = { status: 422, slug: 'validation-failed', code, field }
      assertProblem(await shop.post(CONTACTS, body), { ...refusal, instance: CONTACTS })
      if (code === 'required') return
      const contact = await create(shop)
      assertProblem(await shop.patch(pathOf(contact), body), { ...refusal, instance: pathOf(contact) })
      assert.deepEqual(await read(shop, contact), contact)
    })

  test('a change of nothing at all', async () => {
    const shop = await app.tenant()
    const instance = pathOf(await create(shop))
    assertProblem(await shop.patch(instance, {}), { status: 422, slug: 'validation-failed', instance, code: 'too_few' })
  })
})

test('orders count up orders_count, and leave version and updated_at alone', async () => {
  const shop = await app.tenant()
  const contact = await create(shop, { email: 'ada@example.com' })
  for (let n = 0; n < 2; n++) await shop.post('/api/v1/orders', anOrder({ customer: { contact_id: contact.id } }))
  assert.deepEqual(await read(shop, contact), { ...contact, orders_count: 2 })
})

test('every contact’s columns are what its document says, and the document is rendered as we would again', async () => {
  const shop = await app.tenant()
  const made = await create(shop, { email: 'Ö1@Example.com', phone: '+15550001111', external_id: 'x', tags: ['b', 'a'] })
  await change(shop, made, { name: 'Ünï "😀" \\ \u2028', blocked: true, tags: ['a', 'c'] })
  await create(shop)
  await shop.post('/api/v1/orders', anOrder({ customer: { email: 'o@example.com', name: 'O' } }))
  const rows = await app.sql`select t.* from contacts t where tenant_id = ${shop.id}`
  assert.equal(rows.length, 3)
  for (const row of rows) {
    const doc = JSON.parse(row['doc'])
    assert.equal(JSON.stringify(doc), row['doc'])
    for (const name of ['id', 'name', 'email', 'phone', 'external_id', 'blocked', 'version']) assert.deepEqual(row[name], doc[name], name)
    for (const name of ['created_at', 'updated_at']) assert.equal(row[name].toISOString(), doc[name])
    for (const name of ['orders_count', 'total_spent_amount', 'last_message_at']) assert.ok(!(name in doc))
    const tags = await app.sql`select tag, created_at from contact_tags where contact_id = ${doc.id} order by tag`
    assert.deepEqual(
      tags.map(each => each['tag']),
      [...doc.tags].sort(),
    )
    for (const each of tags) assert.equal(each['created_at'].toISOString(), doc.created_at)
  }
})
