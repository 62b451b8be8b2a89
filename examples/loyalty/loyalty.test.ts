// What the service answers, and whom: over HTTP, signed as the shop's service signs.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { loyaltyService } from './service.ts'
import { isSigned } from './verify.ts'

const SECRET = 'app-secret-0123456789abcdef'
const folder = mkdtempSync(join(tmpdir(), 'loyalty-'))
const file = join(folder, 'awards.jsonl')
let service = loyaltyService(SECRET, file)
let address = await service.listen({ port: 0 })
after(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

interface Call {
  key?: string
  at?: number
  secret?: string
  /** What is sent in place of the body that was signed. */
  sent?: string
  type?: string
}

async function call(path: string, body: object, { key = 'a call', at = Date.now(), secret = SECRET, sent, type }: Call = {}) {
  const text = JSON.stringify(body)
  const response = await fetch(`${address}${path}`, {
    method: 'POST',
    body: sent ?? text,
    headers: {
      'Content-Type': type ?? 'application/json',
      'Idempotency-Key': createHash('sha256').update(key).digest('hex'),
      'X-Service-Timestamp': `${at}`,
      'X-Service-Signature': `sha256=${createHmac('sha256', secret).update(`${at}.${text}`).digest('hex')}`,
    },
  })
  return { status: response.status, body: await response.json() }
}
const balanceOf = async (email: string) => (await call('/balance', { email })).body

test('the signature of the reference is one', () => {
  const body = Buffer.from('{"customer":"Zoë","points":12,"tier":null}')
  const headers = {
    'x-service-timestamp': '1779950000000',
    'x-service-signature': 'sha256=626144bd3bf7834e0ee8c63e308261f5c3a3bd3087ece0e16208e47f84be5c0d',
  }
  assert.equal(isSigned(SECRET, headers, body, 1_779_950_000_000), true)
  assert.equal(isSigned(SECRET, headers, body, 1_779_950_300_001), false)
})

test('an order earns a point for each hundred, once, also when the same call comes again or after a restart', async () => {
  const award = { email: 'Ada@example.com', spent: 4599, partner_key: null }
  for (let times = 0; times < 2; times++) {
    assert.deepEqual(await call('/award', award, { key: 'order 1' }), { status: 200, body: { awarded: 45, balance: 45 } })
    assert.deepEqual(await balanceOf('ada@example.com'), { balance: 45, level: 'member' })
    await service.close()
    // As a crash leaves it.
    appendFileSync(file, '\n{"key":"cut sho')
    service = loyaltyService(SECRET, file)
    address = await service.listen({ port: 0 })
  }
  assert.deepEqual((await call('/award', award, { key: 'order 2' })).body, { awarded: 45, balance: 90 })
})

test('the same question has the answer of today', async () => {
  assert.deepEqual(await balanceOf('bo@example.com'), { balance: 0, level: 'member' })
  await call('/award', { email: 'bo@example.com', points: 2000 }, { key: 'a gift' })
  assert.deepEqual(await balanceOf('bo@example.com'), { balance: 2000, level: 'gold' })
})

for (const [name, how, status] of [
  ['one byte changed', () => ({ sent: '{"email":"eve@example.com","points":90}' }), 401],
  ['another secret', () => ({ secret: 'another' }), 401],
  ['301 s old', () => ({ at: Date.now() - 301_000 }), 401],
  ['301 s ahead', () => ({ at: Date.now() + 301_000 }), 401],
  ['another type of body', () => ({ type: 'text/plain' }), 415],
] as const)
  test(`a call is refused: ${name}`, async () => {
    assert.equal((await call('/award', { email: 'eve@example.com', points: 10 }, { ...how(), key: name })).status, status)
    assert.equal((await balanceOf('eve@example.com')).balance, 0)
  })

test('a body that is not as the skill says is refused', async () => {
  assert.equal((await call('/award', { points: 10 })).status, 400)
})
