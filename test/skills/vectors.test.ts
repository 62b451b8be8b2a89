// The vectors that app authors hold their code against, computed anew here by other means: Web Crypto, and a canonical JSON of the test's own.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { signSkill } from '../../src/outbound/sign.ts'
import { headersOf } from '../../src/skills/attempt.ts'
import { callKey, canonical } from '../../src/skills/key.ts'

const vectors = JSON.parse(readFileSync(new URL('../../docs/apps/vectors.json', import.meta.url), 'utf8'))
const hex = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('')
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

async function hmac(secret: string, text: string): Promise<string> {
  const key = await crypto.subtle.importKey('raw', utf8(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return hex(await crypto.subtle.sign('HMAC', key, utf8(text)))
}

/** Names in the order of their UTF-16 code units, big-endian, as the RFC says it. */
const inOrder = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one, 'utf16le').swap16(), Buffer.from(other, 'utf16le').swap16())

const ESCAPES: Record<string, string> = { '\b': '\\b', '\t': '\\t', '\n': '\\n', '\f': '\\f', '\r': '\\r', '"': '\\"', '\\': '\\\\' }

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join()}]`
  if (typeof value === 'number') return String(value === 0 ? 0 : value)
  if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value).sort(inOrder)
    return `{${names.map(name => `${written(name)}:${written((value as Record<string, unknown>)[name])}`).join()}}`
  }
  if (typeof value !== 'string') return String(value)
  const escaped = [...value].map(each => ESCAPES[each] ?? (each < ' ' ? `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}` : each))
  return `"${escaped.join('')}"`
}

test('each key is the hash of what the call is about, its skill and its canonical arguments', async () => {
  for (const { about, skill, arguments: given, body, key } of vectors.keys) {
    assert.equal(canonical(given), body)
    assert.equal(written(given), body)
    assert.equal(callKey(about, skill, body), key)
    assert.equal(hex(await crypto.subtle.digest('SHA-256', utf8([about, skill, body].join('\n')))), key)
  }
  assert.equal(vectors.keys[0].key, 'ae9c0f307f8f4528fcb8b63182587071038df44ef494254ef9e5d1f7636dc1a7')
})

test('each signature is the HMAC over timestamp and body', async () => {
  for (const { secret, timestamp, body, signature } of vectors.signatures) {
    assert.deepEqual(signSkill(secret, timestamp, body), { 'X-Service-Signature': signature, 'X-Service-Timestamp': String(timestamp) })
    assert.equal(`sha256=${await hmac(secret, `${timestamp}.${body}`)}`, signature)
  }
  assert.equal(vectors.signatures[0].signature, 'sha256=626144bd3bf7834e0ee8c63e308261f5c3a3bd3087ece0e16208e47f84be5c0d')
})

test('the RFC’s own cases are written as it writes them', () => {
  for (const { json, canonical: expected } of vectors.canonical) {
    assert.equal(canonical(JSON.parse(json)), expected)
    assert.equal(written(JSON.parse(json)), expected)
  }
  for (const { double, json } of vectors.numbers.values) {
    const number = Buffer.from(double, 'hex').readDoubleBE()
    assert.deepEqual([canonical(number), written(number)], [json, json])
  }
})

test('what is no JSON has no canonical text', () => {
  const circle: unknown[] = []
  circle.push(circle)
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '\ud800', { '\udc00': 1 }, [['a', '\ud83d']], 1n, circle, undefined])
    assert.equal(canonical(value), undefined)
})

test('a request carries what its credential asks for, and nothing else of ours', () => {
  const every = { 'Content-Type': 'application/json', Accept: 'application/json', 'User-Agent': 'Service-Apps/1.0', 'Idempotency-Key': 'k' }
  const of = (credential: Parameters<typeof headersOf>[0]['credential']) => headersOf({ key: 'k', body: '{}', credential }, 1779950000000)
  assert.deepEqual(of({ mode: 'none' }), every)
  assert.deepEqual(of({ mode: 'bearer', secret: 's3cret' }), { ...every, Authorization: 'Bearer s3cret' })
  const {
    'X-Service-Signature': signature,
    'X-Service-Timestamp': at,
    ...rest
  } = of({ mode: 'hmac', secret: 'app-secret-0123456789abcdef' })
  assert.deepEqual(rest, every)
  assert.deepEqual([signature, at], [vectors.signatures[1].signature, '1779950000000'])
})
