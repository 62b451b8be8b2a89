// A cursor of events seals its place, because the numbers in it count for the whole cluster.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { lowestId } from '../../src/ids.ts'
import { RETENTION_DAYS } from '../../src/limits/retention.ts'
import { startWeb } from '../../src/web.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { anOrder, assertProblem, decoded, encoded, nobody, ok } from '../support/given.ts'

const app = await testApp()
const path = '/api/v1/events'
const DAY_MS = 24 * 60 * 60 * 1000

/** A tenant with this many events, all of them settled, and their ids in order. */
async function given(count: number): Promise<{ shop: TestTenant; ids: string[] }> {
  const shop = await app.tenant()
  for (let n = 0; n < count; n++) ok(await shop.post('/api/v1/orders', anOrder()))
  const ids = await eventually(async () => {
    const found = await idsAfter(shop)
    return found.length === count && found
  })
  return { shop, ids }
}
const idsAfter = async (shop: TestTenant, cursor?: string): Promise<string[]> =>
  ok(await shop.get(cursor === undefined ? path : `${path}?after=${cursor}`)).data.map((event: { id: string }) => event.id)
const cursorsOf = async (shop: TestTenant): Promise<string[]> => {
  const page = ok(await shop.get(`${path}?limit=1`))
  return [page.next_cursor, page.resume_cursor, ok(await shop.get(path)).resume_cursor]
}
const refused = async (shop: TestTenant, cursor: string): Promise<void> => {
  for (const field of ['after', 'cursor'])
    assertProblem(await shop.get(`${path}?${field}=${cursor}`), {
      ...{ status: 422, slug: 'validation-failed', instance: path, code: 'invalid_cursor', field },
    })
}

/** A cursor as it was before places were sealed. */
async function inTheClear(shop: TestTenant, id: string, over: object = {}): Promise<string> {
  const [row] = await app.sql`select xid::text || '.' || seq as last from events where tenant_id = ${shop.id} and id = ${id}`
  return encoded({ v: 1, sort: 'commit', dir: 'asc', last: row?.['last'] ?? '1.1', id, ...over })
}

test('a cursor has the members of every cursor, and its place is sealed: its numbers cannot be read', async () => {
  const { shop } = await given(2)
  const [next, resume, last] = await cursorsOf(shop)
  assert.equal(next, resume)
  const places = await app.sql`select xid::text as xid, seq::text as seq from events where tenant_id = ${shop.id} order by xid, seq`
  for (const [index, cursor] of [next, last].entries()) {
    const { last: sealed, ...rest } = decoded(cursor as string)
    assert.deepEqual(Object.keys(decoded(cursor as string)), ['v', 'sort', 'dir', 'last', 'id'])
    assert.deepEqual({ ...rest, id: '' }, { v: 1, sort: 'commit', dir: 'asc', id: '' })
    assert.match(sealed, /^k1\.[A-Za-z0-9_-]{64}$/)
    const bytes = Buffer.from(sealed.slice(3), 'base64url').toString('latin1')
    assert.ok(!bytes.includes(`${places[index]?.['xid']}.${places[index]?.['seq']}`))
  }
})

test('a page keeps its ETag, and a place is the same cursor whichever request led to it', async () => {
  const { shop, ids } = await given(3)
  const first = await shop.get(`${path}?limit=2`)
  assert.equal((await shop.get(`${path}?limit=2`, { headers: { 'If-None-Match': first.headers.get('etag') ?? '' } })).status, 304)
  assert.equal(ok(await shop.get(`${path}?after=${ids[0]}&limit=1`)).next_cursor, first.body.next_cursor)
})

test('a cursor that was changed, or is another tenant’s, is refused', async () => {
  const [{ shop }, { shop: other, ids }] = [await given(2), await given(2)]
  const [cursor] = (await cursorsOf(shop)) as [string]
  await refused(other, cursor)
  const parts = decoded(cursor)
  await refused(shop, encoded({ ...parts, id: decoded((await cursorsOf(other))[0] as string).id }))
  const [id, sealed] = parts.last.split('.') as [string, string]
  const bytes = Buffer.from(sealed, 'base64url')
  for (const at of [0, 15, 16, 30, bytes.length - 1]) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    await refused(shop, encoded({ ...parts, last: `${id}.${changed.toString('base64url')}` }))
  }
  for (const last of ['', '.', `${id}.`, `k2.${sealed}`, `__proto__.${sealed}`, `${id}.${sealed}A`, sealed, `${id}.${sealed.slice(0, 20)}`])
    await refused(shop, encoded({ ...parts, last }))
  assert.equal(ids.length, 2)
})

test('a cursor in the clear, as earlier versions gave, goes on where it did; its numbers are not used', async () => {
  const { shop, ids } = await given(3)
  const [first, second, third] = ids as [string, string, string]
  assert.deepEqual(await idsAfter(shop, await inTheClear(shop, first)), [second, third])
  // Otherwise the page would tell, number by number, where an own event lies.
  for (const last of ['1.1', '9999999999.1']) assert.deepEqual(await idsAfter(shop, await inTheClear(shop, second, { last })), [third])
  const { shop: other } = await given(1)
  await refused(other, await inTheClear(shop, first))
  await refused(shop, await inTheClear(shop, nobody('evt').replace('evt_0', 'evt_7')))
})

test('a cursor in the clear outlives its event: what is kept came later', async () => {
  const { shop, ids } = await given(2)
  const cursor = await inTheClear(shop, lowestId('evt', Date.now() - RETENTION_DAYS * DAY_MS - 1000))
  assert.deepEqual(await idsAfter(shop, cursor), ids)
  await app.sql`delete from events where tenant_id = ${shop.id}`
  const empty = ok(await shop.get(`${path}?after=${cursor}`))
  assert.deepEqual(empty.data, [])
  ok(await shop.post('/api/v1/orders', anOrder()))
  await eventuallyHolds(async () => assert.equal((await idsAfter(shop, empty.resume_cursor)).length, 1))
})

test('SECRET_KEY can be rotated: what an older key sealed still opens while it is in the ring', async () => {
  const { shop, ids } = await given(2)
  const [cursor] = (await cursorsOf(shop)) as [string]
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  const read = async (keyring: typeof app.keyring, after: string): Promise<{ status: number; body: any }> => {
    const web = await startWeb({ ...app, keyring })
    try {
      const answer = await fetch(`${web.address}${path}?after=${after}`, { headers: { Authorization: `Bearer ${shop.key}` } })
      return { status: answer.status, body: await answer.json() }
    } finally {
      await web.close()
    }
  }
  const current = { k2: randomBytes(32) }
  const rotated = await read({ ...current, ...app.keyring }, cursor)
  assert.deepEqual([rotated.status, rotated.body.data.map((event: { id: string }) => event.id)], [200, ids.slice(1)])
  assert.match(decoded(rotated.body.resume_cursor).last, /^k2\./)
  assert.equal((await read({ ...current, ...app.keyring }, rotated.body.resume_cursor)).status, 200)
  assert.equal((await read(current, cursor)).body.code, 'invalid_cursor')
})
