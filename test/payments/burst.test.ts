// A burst of an address: 30 a minute are taken on payments, the rest is told to wait, and another address is not held.
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { paymentApp } from './given.ts'
import { event } from './stripe-events.ts'

const app = await paymentApp({ worker: false, env: { INBOUND_PAYMENT_LIMIT: '30' } })

function from(
  localAddress: string,
  path: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; retryAfter: string | undefined }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    const asked = request({ hostname, port, path, method: 'POST', headers, localAddress }, reply => {
      reply.resume().on('end', () => resolve({ status: reply.statusCode as number, retryAfter: reply.headers['retry-after'] }))
    })
    asked.on('error', reject).end(body)
  })
}

test('of 60 at once 30 are taken and stored once, the others get 429 with Retry-After; unsigned ones count too', async () => {
  const at = await app.provider('stripe')
  const send = (address: string, headers?: Record<string, string>) => {
    const raw = JSON.stringify(event('customer.created', { id: 'cus_1' }))
    return from(address, app.pathOf(at), raw, headers ?? app.signed(at, raw))
  }
  for (let n = 0; n < 5; n++) assert.equal((await send('127.0.0.1', {})).status, 401)
  const replies = await Promise.all(Array.from({ length: 60 }, () => send('127.0.0.1')))
  const by = (status: number) => replies.filter(reply => reply.status === status)
  assert.deepEqual([by(200).length, by(429).length], [25, 35])
  for (const { retryAfter } of by(429)) assert.match(String(retryAfter), /^\d+$/)
  assert.equal((await app.sql`select 1 from callbacks where source_id = ${at.id}`).length, 25)
  assert.equal((await send('127.0.0.2')).status, 200)
  const channels = await fetch(`${app.url}/api/channels/chn_0${'1'.repeat(25)}/callback`, { method: 'POST', body: '{}' })
  assert.equal(channels.status, 404, 'channels count for themselves')
})
