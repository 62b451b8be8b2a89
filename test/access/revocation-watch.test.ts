// Revoking a key ends its streams and uploads, which may otherwise go on for ten minutes, or for six hours.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { mock, test } from 'node:test'
import { createKey, keyAuthenticator, revokeKey } from '../../src/access/keys.ts'
import type { Caller } from '../../src/caller.ts'
import { REVOCATION_LOOK_MS } from '../../src/limits/access.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { NDJSON } from '../imports/importing.ts'
import { testApp } from '../support/app.ts'
import { insertOrders } from '../support/bulk-orders.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { openCounter } from '../support/statement-counter.ts'

// Before anything starts: this clock is moved by hand, and only timers that repeat go by it.
mock.timers.enable({ apis: ['setInterval'] })
const app = await testApp()
const later = () => mock.timers.tick(REVOCATION_LOOK_MS)

function ask(method: string, path: string, key: string, headers: Record<string, string> = {}): ClientRequest {
  return request(app.url + path, { method, headers: { Authorization: `Bearer ${key}`, ...headers } })
}

async function opened(path: string, key: string): Promise<IncomingMessage> {
  const [response] = (await once(ask('GET', path, key).end(), 'response')) as [IncomingMessage]
  assert.equal(response.statusCode, 200)
  response.on('error', () => {})
  return response
}

test('a progress stream, a live one and a download of a revoked key end, and those of other keys go on', async () => {
  const shop = await app.tenant()
  const other = await createKey(app.sql, { tenant: shop.id, kind: 'rest', scopes: ['read'] })
  await insertOrders(app.sql, shop, 100, 300_000)
  const file = { key: shop.key, raw: '{"name":"Cap","price_amount":900}\n', headers: { 'Content-Type': NDJSON } }
  // No worker runs, so the import waits.
  const { id } = ok(await app.request('POST', '/api/v1/imports?resource=products', file))
  const [progress, live, untouched, download] = await Promise.all([
    opened(`/api/v1/imports/${id}/progress`, shop.key),
    opened('/api/v1/conversations/live', shop.key),
    opened(`/api/v1/imports/${id}/progress`, other.key),
    opened('/api/v1/exports/orders', shop.key),
  ])
  for (const stream of [progress, live, untouched]) stream.resume()
  later()
  const [row] = await app.sql`select id from api_keys where tenant_id = ${shop.id} and id <> ${other.id}`
  await revokeKey(app.sql, shop.id, row?.['id'])
  // The previous statement may still be under way.
  await eventually(async () => {
    later()
    return progress.closed && live.closed
  })
  download.resume()
  await eventually(async () => download.closed)
  assert.equal(download.complete, false, 'the reader sees that its file is not whole')
  assert.equal(untouched.closed, false)
  untouched.destroy()
})

test('an upload of a revoked key is cut off, and nothing of it is applied', async () => {
  const shop = await app.tenant()
  const sending = ask('POST', '/api/v1/imports?resource=products', shop.key, { 'Content-Type': NDJSON })
  sending.on('error', () => {})
  sending.write('{"name":"Cap","price_amount":900}\n')
  const [{ id } = {}] = await eventually(async () => {
    const rows = await app.sql`select id from imports where tenant_id = ${shop.id}`
    return rows.length > 0 && rows
  })
  await app.sql`update api_keys set revoked_at = now() where tenant_id = ${shop.id}`
  later()
  await eventually(async () => sending.closed)
  const imported = await eventually(async () => {
    const [row] = await app.sql`select status, error from imports where id = ${id} and status <> 'uploading'`
    return row
  })
  assert.deepEqual([imported['status'], imported['error'].code], ['failed', 'upload_incomplete'])
})

test('one statement asks for all that is under way, and none when nothing is', async () => {
  const counter = await openCounter(app.databaseUrl)
  const db = openDatabase(counter.url, { name: 'test' })
  const authenticator = keyAuthenticator(db.pointLane, 'rest')
  const callers = await Promise.all(
    Array.from({ length: 3 }, async (): Promise<Caller> => {
      const shop = await app.tenant()
      const [row] = await app.sql`select id from api_keys where tenant_id = ${shop.id}`
      return { tenant: shop.id, actor: { type: 'api_key', id: row?.['id'] } }
    }),
  )
  const ended: number[] = []
  const leave = Array.from({ length: 60 }, (_, n) => authenticator.watch(callers[n % 3] as Caller, () => ended.push(n % 3)))
  await db.pointLane`select 1`
  const before = counter.statements()
  await app.sql`update api_keys set revoked_at = now() where tenant_id = ${callers[1]?.tenant ?? ''}`
  later()
  await eventually(async () => ended.length > 0)
  assert.deepEqual([ended.length, new Set(ended)], [20, new Set([1])])
  assert.equal(counter.statements() - before, 1)
  for (const each of leave) each()
  later()
  await db.pointLane`select 1`
  assert.equal(counter.statements() - before, 2)
  await db.close()
  await counter.close()
})
