// Encryption at rest, the keyring, and comparisons.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { decrypt, encrypt, equalSecrets, type Keyring, parseKeyring, randomBase62, seal, sha256, unseal } from '../src/secrets.ts'

const hex = (fill: number): string => Buffer.alloc(32, fill).toString('hex')
const ring = (text: string): Keyring => parseKeyring(text) as Keyring

test('an encrypted text decrypts, whatever characters it has', () => {
  const keys = ring(hex(1))
  for (const plain of ['', 'whsec_00', 'é 😀 \0 \n', 'x'.repeat(100_000)])
    assert.equal(decrypt(keys, encrypt(keys, plain, 'row'), 'row'), plain)
})

test('a ciphertext names its key, never holds the plain text, and is another one every time', () => {
  const keys = ring(`main:${hex(1)}`)
  const [one, two] = [encrypt(keys, 'secret', 'row'), encrypt(keys, 'secret', 'row')]
  assert.match(one, /^main\.[A-Za-z0-9_-]+$/)
  assert.notEqual(one, two)
  assert.ok(!Buffer.from(one.slice(5), 'base64url').includes('secret'))
})

test('a ciphertext is bound to its row', () => {
  const keys = ring(hex(1))
  const sealed = encrypt(keys, 'secret', 'ten_1 whk_1 secret')
  for (const other of ['ten_1 whk_2 secret', 'ten_2 whk_1 secret', 'ten_1 whk_1 secre', ''])
    assert.throws(() => decrypt(keys, sealed, other))
})

test('a ciphertext that was changed, or cut, is refused', () => {
  const keys = ring(hex(1))
  const sealed = encrypt(keys, 'secret', 'row')
  const bytes = Buffer.from(sealed.slice(3), 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] as number) ^ 1
    assert.throws(() => decrypt(keys, `k1.${changed.toString('base64url')}`, 'row'), `byte ${i}`)
  }
  // A short authentication tag would be easy to guess.
  for (const length of [0, 5, 12, 16, 20, 27, 28, bytes.length - 1])
    assert.throws(() => decrypt(keys, `k1.${bytes.subarray(0, length).toString('base64url')}`, 'row'), `${length} bytes`)
})

test('rotation: the first key encrypts, all decrypt, and a key that is gone is named', () => {
  const [old, both, current] = [ring(`a:${hex(1)}`), ring(`b:${hex(2)},a:${hex(1)}`), ring(`b:${hex(2)}`)]
  const before = encrypt(old, 'secret', 'row')
  const after = encrypt(both, 'secret', 'row')
  assert.equal(decrypt(both, before, 'row'), 'secret')
  assert.ok(after.startsWith('b.'))
  assert.equal(decrypt(current, after, 'row'), 'secret')
  assert.throws(() => decrypt(current, before, 'row'), /no key a in SECRET_KEY/)
  assert.throws(() => decrypt(ring(`a:${hex(3)}`), before, 'row'))
})

test('a sealed text is the same every time, opens again, and does not tell its length', () => {
  const keys = ring(`main:${hex(1)}`)
  for (const plain of ['1', '808.1', 'é 😀', '9'.repeat(32), '9'.repeat(33)]) {
    const sealed = seal(keys, plain, 'purpose', 'row')
    assert.match(sealed, /^main\.[A-Za-z0-9_-]+$/)
    assert.equal(seal(keys, plain, 'purpose', 'row'), sealed)
    assert.equal(unseal(keys, sealed, 'purpose', 'row'), plain)
  }
  const lengths = Array.from({ length: 32 }, (_, n) => seal(keys, '9'.repeat(n + 1), 'purpose', 'row').length)
  assert.equal(new Set(lengths).size, 1)
})

test('a sealed text opens for its purpose and row alone, whole, and with its key alone', () => {
  const [old, both, current] = [ring(`a:${hex(1)}`), ring(`b:${hex(2)},a:${hex(1)}`), ring(`b:${hex(2)}`)]
  const sealed = seal(old, '808.1', 'purpose', 'row')
  assert.equal(unseal(both, sealed, 'purpose', 'row'), '808.1')
  assert.ok(seal(both, '808.1', 'purpose', 'row').startsWith('b.'))
  for (const [keys, purpose, bound] of [
    [current, 'purpose', 'row'],
    [ring(`a:${hex(3)}`), 'purpose', 'row'],
    [old, 'other', 'row'],
    [old, 'purpose', 'other'],
    [old, 'purpose', ''],
  ] as const)
    assert.equal(unseal(keys, sealed, purpose, bound), undefined)
  assert.notEqual(seal(old, '808.1', 'purpose', 'other').slice(-43), sealed.slice(-43), 'rows have nothing in common')
  const bytes = Buffer.from(sealed.slice(2), 'base64url')
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] as number) ^ 1
    assert.equal(unseal(old, `a.${changed.toString('base64url')}`, 'purpose', 'row'), undefined, `byte ${i}`)
    assert.equal(unseal(old, `a.${bytes.subarray(0, i).toString('base64url')}`, 'purpose', 'row'), undefined, `${i} bytes`)
  }
  for (const other of ['', '.', 'a', 'a.', `${sealed}A`, `${sealed}.`, `${sealed}=`, `constructor.${sealed.slice(2)}`])
    assert.equal(unseal(old, other, 'purpose', 'row'), undefined, other)
})

test('SECRET_KEY: 64 hex digits, base64 or base64url of 32 bytes, or several with ids', () => {
  const bytes = randomBytes(32)
  for (const text of [
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64').replace('=', ''),
    bytes.toString('base64url'),
  ])
    assert.deepEqual(parseKeyring(text), { k1: bytes }, text)
  assert.deepEqual(Object.keys(ring(`new:${hex(1)}, old:${bytes.toString('base64')}`)), ['new', 'old'])
})

test('anything else is no key', () => {
  const wrong = [
    '',
    'short',
    hex(1).slice(1),
    `${hex(1)}00`,
    'g'.repeat(64),
    randomBytes(31).toString('base64'),
    randomBytes(33).toString('base64'),
    `a:${hex(1)},a:${hex(2)}`,
    `${hex(1)},${hex(2)}`,
    `a:${hex(1)},`,
    `bad id:${hex(1)}`,
    `${'i'.repeat(17)}:${hex(1)}`,
    `:${hex(1)}`,
  ]
  for (const text of wrong) assert.equal(parseKeyring(text), undefined, JSON.stringify(text))
})

test('equalSecrets compares bytes', () => {
  assert.ok(equalSecrets('abc', 'abc'))
  assert.ok(equalSecrets('', ''))
  for (const other of ['abd', 'ab', 'abcd', '', 'ABC']) assert.ok(!equalSecrets('abc', other))
  assert.ok(!equalSecrets('é', 'e\u0301'))
})

test('random base62 has its length, its alphabet and no repetition', () => {
  const texts = Array.from({ length: 500 }, () => randomBase62(40))
  assert.ok(texts.every(text => /^[0-9A-Za-z]{40}$/.test(text)))
  assert.equal(new Set(texts).size, 500)
  const counts = new Map<string, number>()
  for (const char of texts.join('')) counts.set(char, (counts.get(char) ?? 0) + 1)
  assert.equal(counts.size, 62)
  // Each of the characters comes about 323 times in 20 000. 100 off would be more than five standard deviations.
  for (const [char, count] of counts) assert.ok(Math.abs(count - 20_000 / 62) < 100, `${char} ${count} times`)
})

test('sha256 is of the UTF-8 bytes', () => {
  assert.equal(sha256('abc').toString('hex'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
