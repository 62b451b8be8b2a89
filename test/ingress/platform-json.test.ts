// What a platform may send: short bodies are read by a shorter way, which must not let through what the longer one mends or refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAgain, readPlatformJson } from '../../src/ingress/platform-json.ts'
import { JSON_DEPTH } from '../../src/limits/bodies.ts'
import { Problem } from '../../src/problems.ts'

const read = (text: string) => readPlatformJson(Buffer.from(text)).value

const DIGITS = '9'.repeat(310)
const MENDED: [string, unknown][] = [
  ['{"a":"\\u0000"}', { a: '\ufffd' }],
  ['{"a":"\\ud83d"}', { a: '\ufffd' }],
  ['{"a":"\\ud83d\\ude00"}', { a: '😀' }],
  ['{"a":[{"b\\u0000":1}]}', { a: [{}] }],
  ['{"a":{"__proto__":{"b":1}}}', { a: {} }],
  ['{"a":{"\\u005f_proto__":{"b":1}}}', { a: {} }],
  ['{"a":1e400}', { a: null }],
  ['{"a":-1.5E+0400}', { a: null }],
  [`{"a":${DIGITS}}`, { a: null }],
  [`{"a":${DIGITS.slice(0, 250)}e99}`, { a: null }],
  [`{"a":${DIGITS.slice(0, 250)}.0e99}`, { a: null }],
  ['{"a":1e-400,"b":1e308}', { a: 0, b: 1e308 }],
]

for (const [text, value] of MENDED)
  test(`what cannot be stored is mended, at once and when it is read again: ${text.slice(0, 40)}`, () => {
    assert.deepEqual(read(text), value)
    assert.deepEqual(readAgain(text), value)
  })

test('a short body may not lie deeper than a long one', () => {
  for (const [open, close] of [
    ['{"a":', '}'],
    ['[', ']'],
  ] as const) {
    const deep = (levels: number) => `{"a":${open.repeat(levels - 1)}1${close.repeat(levels - 1)}}`
    assert.doesNotThrow(() => read(deep(JSON_DEPTH)))
    assert.throws(
      () => read(deep(JSON_DEPTH + 1)),
      error => error instanceof Problem && error.status === 422,
    )
  }
})

test('brackets within texts, and many beside each other, count as no depth', () => {
  assert.deepEqual(read(`{"a":"${'['.repeat(100)}"}`), { a: '['.repeat(100) })
  assert.equal((read(`{"a":[${'[],'.repeat(100)}[]]}`)['a'] as unknown[]).length, 101)
})
