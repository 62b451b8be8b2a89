// Ids: their form, their order, and texts that are no id.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idPattern, idSuffix, isId, newId, prefixesOf } from '../src/ids.ts'

/** As the TypeID specification reads the 26 characters: 5 bits each. */
function uuidOf(id: string): string {
  const digits = [...idSuffix(id)].reduce((value, char) => value * 32n + BigInt('0123456789abcdefghjkmnpqrstvwxyz'.indexOf(char)), 0n)
  return digits.toString(16).padStart(32, '0')
}

test('an id is a prefix and the 26 characters of a UUIDv7', () => {
  const now = Date.UTC(2026, 4, 28, 20, 26, 40, 123)
  const id = newId('ord', now)
  assert.match(id, /^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  const uuid = uuidOf(id)
  assert.equal(Number.parseInt(uuid.slice(0, 12), 16), now)
  assert.equal(uuid[12], '7', 'version')
  assert.match(uuid[16] as string, /[89ab]/, 'variant')
})

test('ids sort by the time they were made', () => {
  const times = [0, 1, 1_000, Date.now(), Date.now() + 1, 2 ** 47, 2 ** 48 - 1]
  const ids = times.map(time => newId('evt', time))
  assert.deepEqual(ids.toSorted(), ids)
})

test('ids of one millisecond sort in the order they were made, whatever they name', () => {
  const made = Array.from({ length: 500 }, (_, i) => idSuffix(newId(i % 3 ? 'evt' : 'ord', 1)))
  assert.deepEqual(made.toSorted(), made)
  assert.equal(new Set(made).size, made.length)
  assert.match(uuidOf(`evt_${made.at(-1)}`), /^0{11}17[0-9a-f]{3}[89ab]/)
})

test('no two ids are the same, also within a millisecond and beyond the pool of random bytes', () => {
  const ids = Array.from({ length: 20_000 }, () => newId('evt', 1))
  assert.equal(new Set(ids).size, 20_000)
})

test('never a colon, on which delivery ids are split', () => {
  for (let i = 0; i < 1000; i++) assert.ok(!newId('whk').includes(':'))
})

test('isId and idPattern agree on what has the form of an id', () => {
  const id = newId('ord')
  const pattern = new RegExp(idPattern('ord'))
  const not = [
    '',
    'ord_',
    id.slice(0, -1),
    `${id}0`,
    id.toUpperCase(),
    id.replace('ord', 'prod'),
    idSuffix(id),
    `ord_8${'0'.repeat(25)}`,
    `ord_${'0'.repeat(25)}u`,
    `ord_${'0'.repeat(25)}i`,
    `${id}\n`,
    ` ${id}`,
  ]
  assert.ok(isId('ord', id) && pattern.test(id))
  for (const text of not) assert.deepEqual([isId('ord', text), pattern.test(text)], [false, false], JSON.stringify(text))
})

test('a pattern tells the prefixes of its ids, and no other pattern has any', () => {
  assert.deepEqual(prefixesOf(idPattern('prod')), ['prod'])
  assert.deepEqual(prefixesOf(`${idPattern('con')}|${idPattern('ord')}`), ['con', 'ord'])
  assert.deepEqual(prefixesOf('^\\+[1-9][0-9]{6,14}$'), [])
})

test('idSuffix is the 26 characters', () => {
  assert.equal(idSuffix('evt_01jz0000000000000000000000'), '01jz0000000000000000000000')
})
