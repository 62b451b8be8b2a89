// Callers without a valid key: what they cost the connection that admits all others, and that none of them keeps a valid key out.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { mintKey } from '../../src/access/key.ts'
import { keyAuthenticator, revokeKey } from '../../src/access/keys.ts'
import { newId } from '../../src/ids.ts'
import { LATE_KEY_QUESTIONS } from '../../src/limits/access.ts'
import { ANONYMOUS_PER_MINUTE } from '../../src/limits/rate.ts'
import { sha256 } from '../../src/secrets.ts'
import { startWeb } from '../../src/web.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { openCounter } from '../support/statement-counter.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders?limit=1'

/** A web process of its own, with its statements counted, and callers of it by their address. */
async function aWebProcess() {
  const counter = await openCounter(app.databaseUrl)
  const web = await startWeb({ ...app, config: { ...app.config, trustProxy: 1 }, databaseUrl: counter.url })
  after(async () => {
    await web.close()
    await counter.close()
  })
  const from =
    (address: string, method = 'GET') =>
    async (key?: string): Promise<Response> => {
      const headers = { 'X-Forwarded-For': address, ...(key !== undefined && { Authorization: `Bearer ${key}` }) }
      const response = await fetch(web.address + ORDERS, { method, headers })
      await response.arrayBuffer()
      return response
    }
  /** @returns what the statements cost, and how each was answered */
  async function costOf(work: () => Promise<Response[]>): Promise<{ statements: number; statuses: number[] }> {
    const before = counter.statements()
    const statuses = [...new Set((await work()).map(response => response.status))]
    return { statements: counter.statements() - before, statuses }
  }
  return { from, costOf }
}

type Ask = (key?: string) => Promise<Response>

async function exhaust(ask: Ask): Promise<void> {
  for (let left = ANONYMOUS_PER_MINUTE; left > 0; left -= 50) await parallel(Math.min(left, 50), () => ask())
  assert.equal((await ask()).status, 429)
}

const parallel = (count: number, one: () => Promise<Response>) => Promise.all(Array.from({ length: count }, one))

async function oneByOne(count: number, one: () => Promise<Response>): Promise<Response[]> {
  const replies: Response[] = []
  while (replies.length < count) replies.push(await one())
  return replies
}

test('forged keys with a right checksum get 429 and cost next to no statements, together or one by one', async () => {
  for (const many of [parallel, oneByOne]) {
    const { from, costOf } = await aWebProcess()
    const ask = from('203.0.113.1')
    await exhaust(ask)
    const { statements, statuses } = await costOf(() => many(300, () => ask(mintKey('rest'))))
    assert.deepEqual(statuses, [429])
    assert.ok(statements < 25, `${statements} statements, ${many.name}`)
  }
})

test('a token that is no key is looked up once, however many callers send it, and not again for a moment', async () => {
  const { from, costOf } = await aWebProcess()
  const ask = from('203.0.113.1')
  const forged = mintKey('rest')
  const { statements, statuses } = await costOf(async () => [
    ...(await parallel(50, () => ask(forged))),
    ...(await oneByOne(20, () => ask(forged))),
  ])
  assert.deepEqual(statuses, [403])
  assert.ok(statements <= 2, `${statements} statements`)
})

test('a revoked key costs no more than that', async () => {
  const { from, costOf } = await aWebProcess()
  // A read begins while its key is looked up.
  const ask = from('203.0.113.1', 'POST')
  const shop = await app.tenant()
  assert.equal((await ask(shop.key)).status, 415)
  const [row] = await app.sql`select id from api_keys where tenant_id = ${shop.id}`
  await revokeKey(app.sql, shop.id, row?.['id'])
  const { statements, statuses } = await costOf(() => parallel(100, () => ask(shop.key)))
  assert.deepEqual(statuses, [403])
  // The admissions under way, 50 to a statement, and one look-up.
  assert.ok(statements <= 10, `${statements} statements`)
})

test('a key that the process has not seen comes in from an address that is exhausted, also while keys are made up there', async () => {
  const { from } = await aWebProcess()
  const ask = from('203.0.113.1')
  await exhaust(ask)
  const calm = await app.tenant()
  assert.equal((await ask(calm.key)).status, 200, 'at once')
  let flooding = true
  const flood = parallel(8, async () => {
    while (flooding) await ask(mintKey('rest'))
    return ask()
  })
  for (let n = 0; n < 3; n++) {
    const shop = await app.tenant()
    const first = await ask(shop.key)
    if (first.status === 429) assert.equal(first.headers.get('retry-after'), '1', 'it is let in soon')
    await eventually(async () => (await ask(shop.key)).status === 200)
  }
  flooding = false
  await flood
})

test('a key that the process has not seen is not kept out by forged keys from other addresses', async () => {
  const { from } = await aWebProcess()
  const [bad, good] = [from('203.0.113.1'), from('203.0.113.2')]
  await exhaust(bad)
  const shop = await app.tenant()
  const [reply] = await Promise.all([good(shop.key), parallel(200, () => bad(mintKey('rest')))])
  assert.equal(reply.status, 200)
})

test('a key seen for the first time costs its address nothing', async () => {
  const { from } = await aWebProcess()
  const ask = from('203.0.113.1')
  const shop = await app.tenant()
  await parallel(5, () => ask(shop.key))
  assert.equal((await ask()).headers.get('x-ratelimit-remaining'), String(ANONYMOUS_PER_MINUTE - 1))
})

test('a key that was looked up before it was made works within seconds', async () => {
  const { from } = await aWebProcess()
  const ask = from('203.0.113.1')
  const { id: tenant } = await app.tenant()
  const key = mintKey('rest')
  assert.equal((await ask(key)).status, 403)
  await app.sql`
    with made as (
      insert into api_keys (tenant_id, id, kind, hash, prefix, last_four, scopes)
      values (${tenant}, ${newId('key')}, 'rest', ${sha256(key)}, 'sk_', 'last', '{read}')
      returning ring)
    select rate_prepare(ring) from made`
  await eventually(async () => (await ask(key)).status === 200)
})

test('a look-up that has to wait still happens, and then the key is known', async () => {
  const { key } = await app.tenant()
  const authenticator = keyAuthenticator(app.sql, 'rest')
  for (let n = 0; n < LATE_KEY_QUESTIONS.burst; n++) assert.equal(await authenticator.find(mintKey('rest'), true), false)
  assert.equal(authenticator.find(key, true), undefined)
  assert.equal(authenticator.knows(key), false)
  await eventually(async () => authenticator.knows(key), 5 * LATE_KEY_QUESTIONS.everyMs)
  assert.ok(await authenticator.admit(key, 'read'))
})

test('a key whose log was lost in a crash of the database is admitted beside one that has its log', async () => {
  const [one, two] = await Promise.all([app.tenant(), app.tenant()])
  const authenticator = keyAuthenticator(app.sql, 'rest')
  const admitBoth = () => Promise.all([one.key, two.key].map(key => authenticator.admit(key, 'read')))
  for (const admission of await admitBoth()) assert.equal(admission?.quota.remaining, 599)
  await app.sql`delete from rate_rings r using api_keys k where k.ring = r.ring and k.tenant_id = ${two.id}`
  assert.deepEqual(
    (await admitBoth()).map(admission => admission?.quota.remaining),
    [598, 599],
  )
})
