// While the database takes no changes every request is answered at once, in the usual form; when it takes them again, so does the service.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, test } from 'node:test'
import { createKey } from '../../src/access/keys.ts'
import { loadConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { parseKeyring } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { startWeb } from '../../src/web.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, assertStandardHeaders } from '../support/given.ts'
import { aServer } from '../support/server.ts'

const server = await aServer()
const db = openDatabase(server.url, { name: 'test', lanes: 0, pool: 1 })
after(() => db.close())
const { id: tenant } = await createTenant(db.sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
const { key } = await createKey(db.sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })
const config = loadConfig({ DATABASE_URL: server.url, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'silent' })
const web = await startWeb({ config, databaseUrl: server.url, keyring: parseKeyring(randomBytes(32).toString('hex')) ?? {} })
after(() => web.close())

const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
const ask = (path: string, body?: unknown) =>
  fetch(web.address + path, {
    headers,
    signal: AbortSignal.timeout(5_000),
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
const WRITES: [path: string, body: unknown][] = [
  ['/api/v1/orders', anOrder()],
  ['/api/v1/orders/bulk', { operations: [{ method: 'POST', body: anOrder() }] }],
  ['/api/v1/products', { name: 'Cap', price_amount: 1 }],
  ['/api/v1/webhooks', { url: 'https://shop.example/hooks', events: ['order.created'] }],
  ['/api/v1/exports', { resource: 'orders' }],
]

test('writes during a read-only spell get 503 in a problem document; after it they are carried out', async () => {
  assert.equal((await ask('/api/v1/orders', anOrder())).status, 201)
  await server.readOnly(true)
  for (let round = 0; round < 3; round++)
    for (const reply of await Promise.all(WRITES.map(([path, body]) => ask(path, body)))) {
      const text = await reply.text()
      assert.equal(reply.status, 503, text)
      assertStandardHeaders(reply.headers)
      assert.deepEqual([reply.headers.get('retry-after'), reply.headers.get('content-type')], ['1', 'application/problem+json'])
      const { type, detail } = JSON.parse(text)
      assert.match(type, /\/errors\/service-unavailable$/)
      assert.equal(detail, 'The database of the service takes no changes just now; try again.')
    }
  await server.readOnly(false)
  await eventually(async () => (await ask('/api/v1/orders', anOrder())).status === 201)
})

test('reads, which are counted against the rate limit, get the same answer, and the process is not ready', async () => {
  await server.readOnly(true)
  for (const path of ['/api/v1/orders', '/api/v1/orders/ord_00000000000000000000000000', '/readyz']) {
    const reply = await ask(path)
    assert.deepEqual([path, reply.status, reply.headers.get('content-type')], [path, 503, 'application/problem+json'])
    assert.match(await reply.text(), /takes no changes/)
  }
  assert.equal((await ask('/healthz')).status, 200)
  await server.readOnly(false)
  await eventually(async () => (await ask('/readyz')).status === 200)
  assert.equal((await ask('/api/v1/orders')).status, 200)
})
