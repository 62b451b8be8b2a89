// Passwords: which are taken, how they are kept, and what hashing them may cost a process.
import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { hashesMade, hashPassword, isOutdated, isPassword } from '../../src/access/password.ts'
import { passwordFault } from '../../src/access/password-rules.ts'
import { HASH_WAIT_MS, HASHES_WAITING } from '../../src/limits/access.ts'

const about = { email: 'ada.lovelace@example.com', name: 'Ada Lovelace', workspaces: ['Linen & More'] }

test('any long password is taken, in any script', () => {
  for (const password of [
    'correct horse battery',
    'four words, no rule',
    'пятнадцать букв!',
    '汉字汉语词典里的十五个字符好记',
    '🦊🐻🐼🐨🐯🦁🐮🐷🐸🐵🐔🐧🐦🐤🦆',
    ' leading and trailing ',
    'x'.repeat(7) + 'y'.repeat(9),
    `${'long '.repeat(51)}!`,
    'tractor 1234567890',
  ])
    assert.equal(passwordFault(password, about), undefined, password)
})

test('what is short, long, repeated, common or about the person is refused, and says why', () => {
  for (const [password, why] of [
    ['', /at least 15/],
    ['fourteen chars', /at least 15/],
    ['x'.repeat(257), /at most 256/],
    ['a'.repeat(20), /repeats/],
    ['abcabcabcabcabcabc', /repeats/],
    ['Pa55word!Pa55word!', /repeats/],
    ['123456789012345', /guessed first/],
    ['qwertyuiopasdfghjkl', /guessed first/],
    ['abcdefghijklmnopqrst', /guessed first/],
    ['0987654321qwertyuiop', /guessed first/],
    ['CorrectHorseBatteryStaple', /guessed first/],
    ['iloveyousomuch1', /guessed first/],
    ['Password_1234567890', /guessed first/],
    ['09876welcome54321', /guessed first/],
    ['my mail is ada.lovelace', /holds the e-mail address/],
    ['welcome ada-lovelace 7', /holds the e-mail address/],
    ['the linen and linenmore', /holds the workspace/],
    ['love shopdesk for ever', /holds the name of this product/],
    ['nul \0 in a password', /cannot be typed/],
    [`half a \ud800 character`, /cannot be typed/],
  ] as const)
    assert.match(passwordFault(password, about) ?? 'taken', why, password)
  assert.match(
    passwordFault('the queen of sheba', { ...about, email: 'q@example.com', name: 'Queen of Sheba' }) ?? 'taken',
    /holds the name;|holds the name,/,
  )
})

test('the threads that hash let all others go before them', { skip: process.platform !== 'linux' }, async () => {
  await hashPassword('correct horse battery')
  const threads = readdirSync('/proc/self/task').filter(id => readFileSync(`/proc/self/task/${id}/comm`, 'utf8').startsWith('libuv-worker'))
  assert.deepEqual([...new Set(threads.map(id => getPriority(Number(id))))], [10])
  assert.equal(getPriority(), 0)
})

test('a password verifies however its characters are composed, and no other does', async () => {
  const stored = await hashPassword('Café au lait à deux')
  assert.equal(isOutdated(stored), false)
  assert.equal(await isPassword('Cafe\u0301 au lait a\u0300 deux', stored), true)
  assert.equal(await isPassword('Café au lait à trois', stored), false)
  assert.notEqual(await hashPassword('Café au lait à deux'), stored)
})

test('a hash of an older program verifies, and is known to be outdated', async () => {
  const salt = Buffer.from('0123456789abcdef')
  const hash = scryptSync('correct horse', salt, 32, { N: 2 ** 14, r: 8, p: 1 })
  const stored = `scrypt$16384$8$1$${salt.toString('base64url')}$${hash.toString('base64url')}`
  assert.equal(await isPassword('correct horse', stored), true)
  assert.equal(await isPassword('wrong horse', stored), false)
  assert.equal(isOutdated(stored), true)
})

test('an unknown account costs one hash, as a known one, and never opens', async () => {
  const stored = await hashPassword('correct horse battery')
  for (const against of [stored, undefined]) {
    const before = hashesMade()
    assert.equal(await isPassword('not the password', against), false)
    assert.equal(hashesMade(), before + 1)
  }
})

test('two are hashed at once; others wait at most ten seconds, and beyond a number of them nobody waits', async t => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const all = Array.from({ length: HASHES_WAITING + 3 }, () => hashPassword('correct horse battery').catch((error: Error) => error))
  const last = (await all.at(-1)) as unknown as { status: number; headers: Record<string, string> }
  assert.deepEqual([last.status, last.headers['Retry-After']], [503, '5'])
  t.mock.timers.tick(HASH_WAIT_MS)
  const ended = await Promise.all(all)
  assert.ok(ended.filter(each => typeof each === 'string').length <= 4)
  assert.ok(ended.filter(each => typeof each !== 'string').every(each => (each as unknown as { status: number }).status === 503))
})
