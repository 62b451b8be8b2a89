// The signatures, held against the published vectors and against node:crypto used plainly.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { signSkill, signWebhook, verifyWebhook } from '../../src/outbound/sign.ts'
import { signatureOf, signingKey } from '../../src/outbound/signing-key.ts'
import { type Vector, vectorsOf } from '../support/vectors.ts'

const vectors = vectorsOf('webhooks')

for (const vector of vectors)
  test(`${vector.valid ? 'valid' : 'invalid'}: ${vector.name}`, () => {
    const { secret, header, body, now, valid } = vector
    assert.equal(verifyWebhook(secret, header, body, now), valid)
    assert.equal(verifyWebhook(secret, header, Buffer.from(body), now), valid)
    assert.equal(verifyWebhook(signingKey(secret), header, Buffer.from(body), now), valid)
    assert.equal(plainlyVerified(vector), valid)
  })

test('a secret that was made ready signs as any HMAC does, whatever the lengths of secret and text', () => {
  for (const secret of ['', 'k', 'é'.repeat(32), 'k'.repeat(64), 'k'.repeat(65), 'é'.repeat(200)]) {
    const key = signingKey(secret)
    for (const length of [0, 1, 63, 64, 300, 8_188, 8_189, 8_190, 100_000]) {
      const text = Buffer.alloc(length, 'text')
      const plain = createHmac('sha256', secret).update('170.').update(text).digest('hex')
      assert.equal(signatureOf(key, '170.', text), plain, `${Buffer.byteLength(secret)} and ${length} bytes`)
    }
  }
})

test('signing gives the header of every valid vector with one signature', () => {
  const single = vectors.filter(({ valid, header }) => valid && header.split('v1=').length === 2)
  assert.ok(single.length >= 6)
  for (const { secret, header, body } of single) assert.equal(signWebhook([secret], Number(/^t=(\d+)/.exec(header)?.[1]), body), header)
})

test('during a rotation the new signature comes first and the old one last', () => {
  const [withNew, withOld] = vectors.filter(({ name }) => name.startsWith('rotation'))
  assert.equal(signWebhook([withNew?.secret ?? '', withOld?.secret ?? ''], 1780000000, withNew?.body ?? ''), withNew?.header)
  assert.equal(withNew?.header, withOld?.header)
})

test('the documentation shows code that verifies every vector, and a request that is one of them', async () => {
  const guide = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8')
  const code = stripTypeScriptTypes(/```ts\n(.*?)```/s.exec(guide)?.[1] ?? '')
  const { verify } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  for (const { name, secret, header, body, now, valid } of vectors)
    assert.equal(verify(secret, header, Buffer.from(body), now), valid, name)
  assert.ok(guide.includes(`X-Service-Signature: ${vectors[0]?.header}\n\n${vectors[0]?.body}\n`))
})

test('a skill call carries its signature and its milliseconds in two headers', () => {
  const hex = createHmac('sha256', 'geheim').update('1780000000123.{"a":"é"}', 'utf8').digest('hex')
  assert.deepEqual(signSkill('geheim', 1780000000123, '{"a":"é"}'), {
    'X-Service-Signature': `sha256=${hex}`,
    'X-Service-Timestamp': '1780000000123',
  })
})

// A receiver's own code, written from the documentation.
function plainlyVerified({ secret, header, body, now }: Vector): boolean {
  const match = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(header)
  if (!match || Math.abs(now - Number(match[1])) > 300) return false
  const hex = createHmac('sha256', Buffer.from(secret, 'utf8'))
    .update(Buffer.from(`${match[1]}.${body}`, 'utf8'))
    .digest('hex')
  return match[2]?.split(',v1=').includes(hex) ?? false
}
