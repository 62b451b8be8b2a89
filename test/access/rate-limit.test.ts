// The limiter: a sliding log per key, exact over two web processes on one database.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { after, test } from 'node:test'
import { createKey, revokeKey } from '../../src/access/keys.ts'
import type { Plan } from '../../src/limits/rate.ts'
import { startWeb } from '../../src/web.ts'
import { type Ask, type Reply, type TestTenant, testApp } from '../support/app.ts'
import { anOrder, assertProblem, assertStandardHeaders, nobody } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const another = async (config = app.config): Promise<string> => {
  const web = await startWeb({ ...app, config })
  after(() => web.close())
  return web.address
}
const addresses = [app.url, await another()]
let turn = 0

/** One request, to the two processes in turn. */
async function ask(method: string, path: string, { key, body, headers = {} }: Ask = {}, to = addresses[turn++ % 2]): Promise<Reply> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  const response = await fetch(to + path, {
    method,
    ...(payload !== undefined && { body: payload }),
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(payload !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) }
}

const parallel = (count: number, one: () => Promise<Reply>) => Promise.all(Array.from({ length: count }, one))
const reads = (shop: TestTenant, count: number) => parallel(count, () => ask('GET', `${ORDERS}?limit=1&fields=id`, { key: shop.key }))
const served = (replies: Reply[]) => replies.filter(reply => reply.status === 200 || reply.status === 201).length
const quota = ({ headers }: Reply) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
  reset: Number(headers.get('x-ratelimit-reset')),
})

/** Moves hits of the tenant's log (all, or those numbered below `before`) this far into the past: a test does not wait. */
const age = async (shop: TestTenant, seconds: number, before = 1_000_000): Promise<void> => {
  await app.sql`
    update rate_chunks c
       set hits = (select array_agg(case when c.slot * 20 + h.n - 1 < ${before} then h.at - make_interval(secs => ${seconds}) else h.at end order by h.n)
                     from unnest(c.hits) with ordinality h (at, n))
      from api_keys k where k.ring = c.ring and k.tenant_id = ${shop.id}`
  await app.sql`
    update rate_rings r
       set latest = coalesce(
             (select array_agg(case when r.head - cardinality(r.latest) + h.n - 1 < ${before} then h.at - make_interval(secs => ${seconds}) else h.at end order by h.n)
                from unnest(r.latest) with ordinality h (at, n)), '{}'),
           oldest = null, oldest_chunk = null
      from api_keys k where k.ring = r.ring and k.tenant_id = ${shop.id}`
}
const setPlan = (shop: TestTenant, plan: Plan) => app.sql`update tenants set plan = ${plan} where id = ${shop.id}`

const PLANS: [Plan, number, number][] = [
  ['free', 30, 5],
  ['starter', 60, 15],
  ['professional', 120, 30],
  ['business', 300, 60],
  ['enterprise', 600, 120],
]
for (const [plan, read, write] of PLANS)
  test(`the plan ${plan} serves ${read} reads and ${write} writes a minute, to the one, over two processes at once`, async () => {
    const shop = await app.tenant({ plan })
    const [readReplies, writeReplies] = await Promise.all([
      reads(shop, read + 20),
      parallel(write + 10, () => ask('POST', ORDERS, { key: shop.key, body: anOrder() })),
    ])
    assert.equal(served(readReplies), read)
    assert.equal(served(writeReplies), write)
    for (const [replies, limit] of [
      [readReplies, read],
      [writeReplies, write],
    ] as const) {
      assert.deepEqual([...new Set(replies.map(reply => quota(reply).limit))], [limit])
      const left = replies.filter(reply => reply.status < 300).map(reply => quota(reply).remaining)
      assert.deepEqual(
        left.sort((a, b) => b - a),
        Array.from({ length: limit }, (_, index) => limit - 1 - index),
        'each slot is given once',
      )
      for (const reply of replies.filter(each => each.status === 429)) assert.equal(quota(reply).remaining, 0)
    }
    const [row] = await app.sql`select count(*) from orders where tenant_id = ${shop.id}`
    assert.equal(row?.['count'], write, 'a request that was refused did nothing')
  })

test('a 429 says when to come back, in the header and in the document, and that is true', async () => {
  const shop = await app.tenant({ plan: 'free' })
  await reads(shop, 30)
  const reply = await ask('GET', ORDERS, { key: shop.key })
  assertProblem(reply, { status: 429, slug: 'rate-limit-exceeded', instance: ORDERS })
  const seconds = Number(reply.headers.get('retry-after'))
  assert.ok(seconds > 50 && seconds <= 60, String(seconds))
  assert.equal(reply.body.retry_after_sec, seconds)
  assert.equal(quota(reply).reset, seconds)
  await age(shop, seconds - 20)
  const early = await ask('GET', ORDERS, { key: shop.key })
  assert.equal(early.status, 429)
  assert.ok(Number(early.headers.get('retry-after')) <= 20)
  await age(shop, 20)
  assert.equal((await ask('GET', ORDERS, { key: shop.key })).status, 200)
})

test('the window slides: a slot is free again a minute after it was taken, and no sooner', async () => {
  const shop = await app.tenant({ plan: 'free' })
  await reads(shop, 20)
  await age(shop, 30)
  assert.equal(served(await reads(shop, 30)), 10)
  await age(shop, 5)
  assert.equal(served(await reads(shop, 5)), 0)
  await age(shop, 25)
  assert.equal(served(await reads(shop, 30)), 20, 'the first 20 have left the window')
  await age(shop, 61)
  const fresh = await ask('GET', ORDERS, { key: shop.key })
  assert.deepEqual(quota(fresh), { limit: 30, remaining: 29, reset: 60 })
})

test('requests that are refused do not lengthen the wait', async () => {
  const shop = await app.tenant({ plan: 'free' })
  await reads(shop, 30)
  await age(shop, 30)
  await reads(shop, 40)
  await age(shop, 30)
  assert.equal(served(await reads(shop, 40)), 30)
})

test('reset counts down to when the oldest request leaves the window', async () => {
  const shop = await app.tenant()
  assert.deepEqual(quota(await ask('GET', ORDERS, { key: shop.key })), { limit: 600, remaining: 599, reset: 60 })
  await age(shop, 30)
  const { reset, remaining } = quota(await ask('GET', ORDERS, { key: shop.key }))
  assert.ok(reset >= 20 && reset <= 30, String(reset))
  assert.equal(remaining, 598)
})

test('the ring of chunks goes round without losing count', async () => {
  const shop = await app.tenant({ plan: 'free' })
  await app.sql`update rate_rings r set head = 1180, tail = 1180 from api_keys k where k.ring = r.ring and k.tenant_id = ${shop.id}`
  assert.equal(served(await reads(shop, 45)), 30)
  await age(shop, 61)
  assert.equal(served(await reads(shop, 45)), 30)
})

test('a change of plan counts at once and stays exact, upward and downward', async () => {
  const shop = await app.tenant({ plan: 'free' })
  assert.equal(served(await reads(shop, 40)), 30)
  await setPlan(shop, 'starter')
  assert.equal(served(await reads(shop, 40)), 30)
  await setPlan(shop, 'free')
  const refused = await ask('GET', ORDERS, { key: shop.key })
  assert.equal(refused.status, 429)
  assert.deepEqual([quota(refused).limit, quota(refused).remaining], [30, 0])
  // The oldest 31 of the 60 leave the window, so 29 stay in it.
  await age(shop, 61, 31)
  assert.equal(served(await reads(shop, 10)), 1)
})

test('after a change to a smaller plan Retry-After is when enough have left', async () => {
  const shop = await app.tenant({ plan: 'starter' })
  await reads(shop, 20)
  await age(shop, 30)
  await reads(shop, 40)
  await setPlan(shop, 'free')
  const reply = await ask('GET', ORDERS, { key: shop.key })
  assert.equal(reply.status, 429)
  const seconds = Number(reply.headers.get('retry-after'))
  assert.ok(seconds > 40, `20 leave in 30 s, but 40 are too many still: ${seconds}`)
  await age(shop, seconds)
  assert.equal((await ask('GET', ORDERS, { key: shop.key })).status, 200)
})

test('each key of a tenant has its own log', async () => {
  const shop = await app.tenant({ plan: 'free' })
  const second = await createKey(app.sql, { tenant: shop.id, kind: 'rest', scopes: ['read'] })
  assert.equal(served(await reads(shop, 31)), 30)
  assert.equal((await ask('GET', ORDERS, { key: second.key })).status, 200)
})

test('429 comes before the scope, 415, 413 and 422; HEAD counts as a read; a refusal for the scope counts', async () => {
  const shop = await app.tenant({ plan: 'free', scopes: ['read'] })
  for (const reply of await parallel(5, () => ask('POST', ORDERS, { key: shop.key, body: {} }))) assert.equal(reply.status, 403)
  assert.equal((await ask('POST', ORDERS, { key: shop.key, body: {}, headers: { 'Content-Type': 'text/plain' } })).status, 429)
  assert.equal(quota(await ask('HEAD', ORDERS, { key: shop.key })).remaining, 29)
  assert.equal(quota(await ask('GET', `${ORDERS}?limit=0`, { key: shop.key })).remaining, 28)
})

test('304, 404, 405, 422 and OPTIONS carry the headers of the key’s bucket and take a slot of it', async () => {
  const shop = await app.tenant({ plan: 'free' })
  const first = await ask('GET', ORDERS, { key: shop.key })
  const counted: [string, string, number, Record<string, string>?][] = [
    ['GET', ORDERS, 304, { 'If-None-Match': String(first.headers.get('etag')) }],
    ['GET', `${ORDERS}?limit=0`, 422],
    ['GET', `${ORDERS}/${nobody('ord')}`, 404],
    ['GET', '/api/v1/nothing', 404],
    ['GET', '/api/v1/%zz', 404],
    ['OPTIONS', ORDERS, 204],
    ['GET', '/api/v1/openapi.json', 200],
  ]
  for (const [index, [method, path, status, headers = {}]] of counted.entries()) {
    const reply = await ask(method, path, { key: shop.key, headers })
    assert.equal(reply.status, status)
    assertStandardHeaders(reply.headers)
    assert.deepEqual([quota(reply).limit, quota(reply).remaining], [30, 28 - index], `${method} ${path}`)
  }
  const write = await ask('PUT', ORDERS, { key: shop.key })
  assert.equal(write.status, 405)
  assert.deepEqual([quota(write).limit, quota(write).remaining], [5, 4])
})

test('a revoked key is refused from the next request on, by both processes', async () => {
  const shop = await app.tenant()
  await reads(shop, 4)
  const [row] = await app.sql`select id from api_keys where tenant_id = ${shop.id}`
  assert.equal(await revokeKey(app.sql, shop.id, row?.['id']), true)
  for (const to of addresses)
    for (const method of ['GET', 'POST'])
      assertProblem(await ask(method, ORDERS, { key: shop.key, ...(method === 'POST' && { body: anOrder() }) }, to), {
        status: 403,
        slug: 'invalid-api-key',
        instance: ORDERS,
      })
  assert.equal(await revokeKey(app.sql, shop.id, row?.['id']), false)
})

test('callers without a key share 600 a minute and address, then 429 instead of 401 and 403', async () => {
  const to = await another()
  const first = await ask('GET', ORDERS, {}, to)
  assert.equal(first.status, 401)
  assert.deepEqual(quota(first), { limit: 600, remaining: 599, reset: 60 })
  for (let n = 1; n < 600; n += 50) await parallel(Math.min(50, 600 - n), () => ask('GET', ORDERS, {}, to))
  for (const key of [undefined, 'malformed', `sk_${'a'.repeat(40)}`]) {
    const reply = await ask('GET', ORDERS, key === undefined ? {} : { key }, to)
    assertProblem(reply, { status: 429, slug: 'rate-limit-exceeded', instance: ORDERS })
    assert.equal(Number(reply.headers.get('retry-after')), reply.body.retry_after_sec)
    assert.deepEqual([quota(reply).limit, quota(reply).remaining], [600, 0])
  }
  const spoofed = await ask('GET', ORDERS, { headers: { 'X-Forwarded-For': '203.0.113.9' } }, to)
  assert.equal(spoofed.status, 429, 'X-Forwarded-For counts for no caller unless TRUST_PROXY says so')
  const shop = await app.tenant()
  assert.equal((await ask('GET', ORDERS, { key: shop.key }, to)).status, 200)
  assert.equal((await ask('GET', '/api/v1/openapi.json', {}, to)).status, 200)
  assert.equal((await ask('GET', '/api/v1/nothing', {}, to)).status, 404)
})

test('TRUST_PROXY tells callers apart by the address their proxy gives; those of one /64 are one', async () => {
  const to = await another({ ...app.config, trustProxy: 1 })
  const left = async (address: string) => quota(await ask('GET', ORDERS, { headers: { 'X-Forwarded-For': address } }, to)).remaining
  assert.equal(await left('203.0.113.9'), 599)
  assert.equal(await left('203.0.113.10'), 599)
  assert.equal(await left('198.51.100.1, 203.0.113.9'), 598, 'an address that the caller itself sent does not count')
  assert.equal(await left('2001:db8:1:2::1'), 599)
  assert.equal(await left('2001:db8:1:2:3::4'), 598)
  assert.equal(await left('2001:db8:1:3::1'), 599)
  assert.equal(await left('2001:db8::1'), 599)
  assert.equal(await left('2001:db8::2'), 598)
})

test('the trace id is a valid traceparent’s, else new', async () => {
  const shop = await app.tenant()
  const traceOf = async (traceparent: string) =>
    (await ask('GET', ORDERS, { key: shop.key, headers: { traceparent } })).headers.get('x-trace-id')
  const id = '4bf92f3577b34da6a3ce929d0e0e4736'
  assert.equal(await traceOf(`00-${id}-00f067aa0ba902b7-01`), id)
  assert.equal(await traceOf(`cc-${id}-00f067aa0ba902b7-01-what-the-future-will-bring`), id)
  const invalid = [
    id,
    `ff-${id}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${id}-${'0'.repeat(16)}-01`,
    `00-${id.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${id}-00f067aa0ba902b7`,
    `00-${id}-00f067aa0ba902b7-01-more`,
  ]
  const made = await Promise.all(invalid.map(traceOf))
  for (const each of made) assert.match(String(each), /^(?!4bf92f3577b34da6)[0-9a-f]{32}$/)
  assert.equal(new Set(made).size, made.length)
  const refused = await ask('POST', ORDERS, { headers: { traceparent: `00-${id}-00f067aa0ba902b7-01` } })
  assert.equal(refused.body.trace_id, id)
})

test('a trace id is kept with what the request did', async () => {
  const shop = await app.tenant()
  const id = '0af7651916cd43dd8448eb211c80319c'
  await shop.post(ORDERS, anOrder(), { traceparent: `00-${id}-b7ad6b7169203331-01` })
  assert.deepEqual([...(await app.sql`select trace_id from audit_log where tenant_id = ${shop.id}`)], [{ trace_id: id }])
})

test('headers of 20 000 bytes are refused with 431', async () => {
  const { hostname, port } = new URL(app.url)
  const status = await new Promise(resolve => {
    const request = httpRequest({ hostname, port, path: ORDERS, headers: { Cookie: 'x'.repeat(20_000) } }, response =>
      resolve(response.statusCode),
    )
    request.end()
  })
  assert.equal(status, 431)
})
