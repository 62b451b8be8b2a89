// Cache headers of each kind of answer. Every test checks that an answer carries the headers that the OpenAPI document names.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, testApp } from '../support/app.ts'
import { aWebhook, fullTenant, nobody } from '../support/given.ts'

const app = await testApp()
const { shop, ids } = await fullTenant(app)

const told = ({ status, headers }: Reply) => [status, headers.get('cache-control'), headers.get('x-content-type-options')]
const order = `/api/v1/orders/${ids['/api/v1/orders']}`

test('a tenant’s resource is cached for the tenant alone, and asked for again with its tag', async () => {
  for (const path of ['/api/v1/orders', order, '/api/v1/event-types', '/api/v1/exports/orders', '/api/v1/exports/orders?format=csv']) {
    const reply = await shop.get(path)
    assert.deepEqual(told(reply), [200, 'private, no-cache', 'nosniff'], path)
    const again = await shop.get(path, { headers: { 'If-None-Match': reply.headers.get('etag') ?? '' } })
    assert.deepEqual(told(again), [304, 'private, no-cache', 'nosniff'], path)
  }
  assert.deepEqual(told(await shop.patch(order, { note: 'x' })), [200, 'private, no-cache', 'nosniff'])
})

test('an answer that shows a secret is cached nowhere', async () => {
  const created = await shop.post('/api/v1/webhooks', aWebhook())
  assert.deepEqual(told(created), [201, 'no-store', 'nosniff'])
  const path = `/api/v1/webhooks/${created.body.id}`
  assert.deepEqual(told(await shop.post(`${path}/rotate-secret`)), [200, 'no-store', 'nosniff'])
  assert.deepEqual(told(await shop.get(path)), [200, 'private, no-cache', 'nosniff'])
})

test('errors and live streams are cached nowhere', async () => {
  for (const [method, path, status, key] of [
    ['GET', '/api/v1/orders', 401, undefined],
    ['GET', `/api/v1/orders/${nobody('ord')}`, 404, shop.key],
    ['GET', '/api/v1/nothing', 404, shop.key],
    ['PUT', '/api/v1/orders', 405, shop.key],
    ['OPTIONS', '/api/v1/orders', 204, undefined],
    ['POST', '/api/v1/orders', 415, shop.key],
    ['GET', `/api/v1/imports/${ids['/api/v1/imports']}/progress`, 200, shop.key],
  ] as const)
    assert.deepEqual(told(await app.request(method, path, key === undefined ? {} : { key })), [status, 'no-store', 'nosniff'], path)
})

test('a public page may be cached for all, and is asked for again with its tag', async () => {
  const reply = await app.request('GET', '/api/v1/openapi.json')
  assert.deepEqual(told(reply), [200, 'public, no-cache', 'nosniff'])
  const again = await app.request('GET', '/api/v1/openapi.json', { headers: { 'If-None-Match': reply.headers.get('etag') ?? '' } })
  assert.deepEqual(told(again), [304, 'public, no-cache', 'nosniff'])
})
