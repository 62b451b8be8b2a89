// While the database is away every request is answered at once, and says so; when it is back, so is the service.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startWeb } from '../../src/web.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { anOrder, assertStandardHeaders } from '../support/given.ts'

const app = await testApp()
const proxy = await flakyProxy(app.databaseUrl)
const web = await startWeb({ config: app.config, databaseUrl: proxy.url, keyring: app.keyring })
after(() => web.close())

const shop = await app.tenant()
const headers = { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' }
const ask = (path: string, init: RequestInit = {}) => fetch(web.address + path, { headers, signal: AbortSignal.timeout(5_000), ...init })
const REQUESTS: [path: string, init: RequestInit][] = [
  ['/api/v1/orders', { method: 'POST', body: JSON.stringify(anOrder()) }],
  ['/api/v1/orders', {}],
  ['/api/v1/orders/ord_00000000000000000000000000', {}],
  ['/api/v1/orders', { method: 'PUT' }],
  ['/api/v1/orders', { method: 'OPTIONS' }],
]

test('requests that come while it is away are answered 503 with the headers of every answer', async () => {
  assert.equal((await ask('/api/v1/orders')).status, 200)
  proxy.block()
  for (let round = 0; round < 5; round++) {
    const replies = await Promise.all(REQUESTS.map(([path, init]) => ask(path, init)))
    for (const [index, reply] of replies.entries()) {
      assert.equal(reply.status, [503, 503, 503, 405, 204][index], await reply.text())
      assertStandardHeaders(reply.headers)
      if (reply.status === 503) assert.equal(reply.headers.get('retry-after'), '1')
    }
  }
})

test('once it is back, so is the service, without a restart', async () => {
  proxy.mend()
  await eventually(async () => (await ask('/api/v1/orders')).status === 200)
  assert.equal((await ask('/api/v1/orders', { method: 'POST', body: JSON.stringify(anOrder()) })).status, 201)
})

test('orders that are under way when connections break are answered, and each answer is true', async () => {
  const placed: string[] = []
  for (let round = 0; round < 10; round++) {
    const asked = Array.from({ length: 10 }, (_, n) =>
      ask('/api/v1/orders', { method: 'POST', body: JSON.stringify(anOrder({ external_id: `cut-${round}-${n}` })) }),
    )
    if (round % 2) await asked[0]
    proxy.cut(round % 3 ? 'destroy' : 'resetAndDestroy')
    for (const [n, reply] of (await Promise.all(asked)).entries()) {
      assert.ok([201, 503].includes(reply.status), await reply.text())
      if (reply.status === 201) placed.push(`cut-${round}-${n}`)
    }
  }
  const rows = await app.sql`select external_id from orders where tenant_id = ${shop.id} and external_id is not null`
  const kept = new Set(rows.map(row => row['external_id']))
  assert.deepEqual(
    placed.filter(each => !kept.has(each)),
    [],
  )
})

test('a failure at admission is a problem document too, and the database’s words stay in the log', async () => {
  const { key } = await app.tenant()
  await app.sql`alter table api_keys rename to elsewhere`
  const reply = await ask('/api/v1/orders', { headers: { Authorization: `Bearer ${key}` } })
  await app.sql`alter table elsewhere rename to api_keys`
  const text = await reply.text()
  assert.deepEqual([reply.status, reply.headers.get('content-type')], [500, 'application/problem+json'], text)
  assert.doesNotMatch(text, /relation|42P01/)
})
