import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { ContactTagged } from '../../src/contacts/events.ts'
import { emit } from '../../src/events/emit.ts'
import { newId } from '../../src/ids.ts'
import { LIST_SCAN_MAX } from '../../src/limits/lists.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventuallyHolds } from '../support/eventually.ts'

const app = await testApp()

const order = { items: [{ name: 'Gift card', unit_amount: 2500, quantity: 1 }], customer: { email: 'ada@example.com' } }
// A transaction of any database of the server holds back what began later, and other files' tests run on the same one.
const settled = (shop: TestTenant, count: number, query = ''): Promise<string[]> =>
  eventuallyHolds(async () => {
    const found = ids((await shop.get(`/api/v1/events${query}`)).body)
    assert.equal(found.length, count)
    return found
  })
/** The ids of each page. */
const settledByPages = (shop: TestTenant, count: number): Promise<string[][]> =>
  eventuallyHolds(async () => {
    const pages: string[][] = []
    for (let after: string | undefined = ''; after !== undefined; ) {
      const { body } = await shop.get(`/api/v1/events${after}`)
      pages.push(ids(body))
      after = body.has_more ? `?after=${body.next_cursor}` : undefined
    }
    assert.equal(new Set(pages.flat()).size, count)
    return pages
  })
const ids = (body: { data: { id: string }[] }): string[] => body.data.map(event => event.id)

test('a cursor never passes an event that commits later: one that began earlier holds back those after it', async () => {
  const shop = await app.tenant()
  const slow = postgres(app.databaseUrl, { max: 1 })
  const late = await slow.reserve()
  const lateId = newId('evt')
  const body = JSON.stringify({ id: lateId, type: 'order.created', created_at: new Date().toISOString(), data: {} })
  await late`begin`
  await late`insert into events (tenant_id, id, type, created_at, body) values (${shop.id}, ${lateId}, 'order.created', now(), ${body})`
  const placed = await shop.post('/api/v1/orders', order)
  assert.equal(placed.status, 201)

  const meanwhile = await shop.get('/api/v1/events')
  assert.deepEqual(ids(meanwhile.body), [], 'the committed event waits for the one before it')

  await late`commit`
  late.release()
  await slow.end()
  const afterwards = await settled(shop, 2)
  assert.equal(afterwards[0], lateId, 'in the order of their transactions')
})

test('an event of a change that waited for another one comes after it, however early its transaction began', async () => {
  const shop = await app.tenant()
  const late = await begin(app.sql, async tx => {
    await tx`select pg_current_xact_id()`
    assert.equal((await shop.post('/api/v1/orders', order)).status, 201)
    return emit(tx, { tenant: shop.id, actor: { type: 'system' } }, ContactTagged, ContactTagged.example as never)
  })
  const [row] =
    await app.sql`select xid < pg_snapshot_xmax(pg_current_snapshot()) as over from events where tenant_id = ${shop.id} and id = ${late}`
  assert.equal(row?.['over'], true, 'it waits for no transaction that is yet to begin')
  const all = await settled(shop, 2)
  assert.equal(all[1], late)
})

test('clients that follow while many change one thing get each event once, in the order of the changes', async () => {
  const shop = await app.tenant()
  const contact = (await shop.post('/api/v1/contacts', { name: 'Ada' })).body
  const [writers, each] = [6, 8]
  let changes = 0
  const change = () =>
    begin(app.sql, async tx => {
      await tx`select pg_current_xact_id()`
      await tx`select 1 from contacts where tenant_id = ${shop.id} and id = ${contact.id} for update`
      await emit(tx, { tenant: shop.id, actor: { type: 'system' } }, ContactTagged, {
        contact_id: contact.id,
        contact,
        added: [`${++changes}`],
      })
    })
  const write = async (): Promise<void> => {
    for (let n = 0; n < each; n++) await change()
  }
  const follow = async (limit: number): Promise<string[]> => {
    const seen: string[] = []
    let after = ''
    await eventuallyHolds(async () => {
      const { data, resume_cursor } = (await shop.get(`/api/v1/events?types=contact.tagged&limit=${limit}${after}`)).body
      seen.push(...data.map((event: { data: { added: string[] } }) => event.data.added[0]))
      if (resume_cursor !== null) after = `&after=${resume_cursor}`
      assert.equal(seen.length, writers * each)
    })
    return seen
  }
  const [one, other] = await Promise.all([follow(5), follow(100), ...Array.from({ length: writers }, write)])
  const all = Array.from({ length: writers * each }, (_, n) => `${n + 1}`)
  assert.deepEqual([one, other], [all, all])
})

test('a client that reads on from its last event gets the later events, page by page', async () => {
  const shop = await app.tenant()
  for (let n = 0; n < 5; n++) await shop.post('/api/v1/orders', order)
  const all = await settled(shop, 5)
  const first = await shop.get('/api/v1/events?limit=2')
  assert.deepEqual(ids(first.body), all.slice(0, 2))
  assert.equal(first.body.has_more, true)
  const second = await shop.get(`/api/v1/events?limit=2&after=${first.body.next_cursor}`)
  assert.deepEqual(ids(second.body), all.slice(2, 4))
  assert.deepEqual(ids((await shop.get(`/api/v1/events?after=${all[3]}`)).body), all.slice(4))
  const end = await shop.get(`/api/v1/events?after=${all[4]}`)
  assert.deepEqual([end.body.data, end.body.next_cursor, end.body.has_more], [[], null, false])
})

test('a page ends with the event that brings it to a megabyte, and what follows is on the next', async () => {
  const shop = await app.tenant()
  for (const chars of [700_000, 700_000, 1, 700_000]) {
    const id = newId('evt')
    const body = JSON.stringify({ id, type: 'order.created', created_at: new Date().toISOString(), data: { text: 'x'.repeat(chars) } })
    await app.sql`insert into events (tenant_id, id, type, created_at, body) values (${shop.id}, ${id}, 'order.created', now(), ${body})`
  }
  const all = await settledByPages(shop, 4)
  assert.deepEqual(
    all.map(each => each.length),
    [2, 2],
  )
})

test('every page says where to go on, the last too: later events follow once each, and a place outlives what is pruned', async () => {
  const shop = await app.tenant()
  const nothing = (await shop.get('/api/v1/events')).body
  assert.deepEqual([nothing.data, nothing.next_cursor, nothing.resume_cursor], [[], null, null])
  for (let n = 0; n < 3; n++) await shop.post('/api/v1/orders', order)
  const all = await settled(shop, 3)
  const first = (await shop.get('/api/v1/events?limit=2')).body
  assert.equal(first.resume_cursor, first.next_cursor)
  const last = (await shop.get(`/api/v1/events?after=${first.resume_cursor}`)).body
  assert.deepEqual([ids(last), last.next_cursor, last.has_more], [all.slice(2), null, false])
  const again = await shop.get(`/api/v1/events?after=${last.resume_cursor}`)
  assert.deepEqual([again.body.data, again.body.resume_cursor], [[], last.resume_cursor])
  const etag = again.headers.get('etag') ?? ''
  assert.equal((await shop.get(`/api/v1/events?after=${last.resume_cursor}`, { headers: { 'If-None-Match': etag } })).status, 304)
  const fromId = (await shop.get(`/api/v1/events?after=${all[2]}`)).body
  assert.equal(fromId.resume_cursor, last.resume_cursor)

  await app.sql`delete from events where tenant_id = ${shop.id}`
  assert.equal((await shop.get(`/api/v1/events?after=${all[2]}`)).body.errors[0].code, 'unknown_event')
  const placed = await shop.post('/api/v1/orders', order)
  const [only] = (
    await eventuallyHolds(async () => {
      const page = (await shop.get(`/api/v1/events?after=${last.resume_cursor}`)).body
      assert.equal(page.data.length, 1)
      return page
    })
  ).data
  assert.equal(only.data.order_id, placed.body.id)
})

test('a type that hardly occurs is found behind more events than a page looks at, and a place passes over what was left out', async () => {
  const shop = await app.tenant()
  const insert = (type: string, count: number) => app.sql`
    insert into events (tenant_id, id, type, created_at, body)
    select ${shop.id}, 'evt_' || lpad(n::text, 26, '0'), ${type}::text, now(),
           json_build_object('id', 'evt_' || lpad(n::text, 26, '0'), 'type', ${type}::text, 'created_at', '2026-05-28T20:26:40.000Z', 'data', '{}'::json)
      from (select n + (select count(*) from events where tenant_id = ${shop.id}) as n from generate_series(1, ${count}::integer) n) n`
  await insert('order.created', LIST_SCAN_MAX + 500)
  await insert('order.shipped', 1)
  await insert('order.created', 10)
  await settled(shop, 10, `?after=evt_${String(LIST_SCAN_MAX + 501).padStart(26, '0')}`)
  const first = (await shop.get('/api/v1/events?types=order.shipped')).body
  assert.deepEqual([first.data, first.has_more, first.resume_cursor], [[], true, first.next_cursor])
  const second = (await shop.get(`/api/v1/events?types=order.shipped&cursor=${first.next_cursor}`)).body
  assert.deepEqual([second.data.length, second.data[0].type, second.has_more, second.next_cursor], [1, 'order.shipped', false, null])
  const all = (await shop.get(`/api/v1/events?after=${second.resume_cursor}`)).body
  assert.deepEqual([all.data, all.has_more], [[], false])
})

test('an event is the envelope the webhook carries, under the name of its type', async () => {
  const shop = await app.tenant()
  const placed = await shop.post('/api/v1/orders', order)
  await shop.patch(`/api/v1/orders/${placed.body.id}`, { status: 'confirmed' })
  await settled(shop, 1, '?types=ORDER.status_changed')
  const [event] = (await shop.get('/api/v1/events?types=ORDER.status_changed')).body.data
  assert.deepEqual(Object.keys(event), ['object', 'id', 'type', 'created_at', 'data'])
  assert.equal(event.data.to, 'confirmed')
  assert.deepEqual((await shop.get(`/api/v1/events/${event.id}`)).body, event)
  assert.deepEqual((await shop.get(`/api/v1/events/${event.id}?fields=id,data.order_id`)).body, {
    id: event.id,
    data: { order_id: placed.body.id },
  })
})

test('a parameter that is no place in the list is refused by name, and other tenants’ events are not there', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  await other.post('/api/v1/orders', order)
  const [foreign] = await settled(other, 1)
  assert.equal((await shop.get(`/api/v1/events/${foreign}`)).status, 404)
  for (const [query, code] of [
    [`after=${foreign}`, 'unknown_event'],
    ['after=abc', 'invalid_cursor'],
    ['cursor=abc', 'invalid_cursor'],
    ['after=a&cursor=b', 'cursor_conflict'],
    ['offset=50', 'not_offered'],
    ['types=order.eaten', 'invalid_choice'],
  ]) {
    const refused = await shop.get(`/api/v1/events?${query}`)
    assert.equal(refused.status, 422, query)
    assert.equal(refused.body.errors[0].code, code, query)
  }
})
