// The memory of texts is bounded by bytes, not by number, because a tenant may choose how long the texts are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoize } from '../src/memoize.ts'

function counted(mostBytes: number, made: (text: string) => string) {
  let times = 0
  const ask = memoize(
    mostBytes,
    text => {
      times++
      return made(text)
    },
    made => made.length,
  )
  return { ask, times: () => times }
}

test('a text is worked out once', () => {
  const { ask, times } = counted(10_000, text => text.toUpperCase())
  assert.deepEqual([ask('a'), ask('a'), ask('b'), times()], ['A', 'A', 'B', 2])
})

test('for one text too many the oldest is forgotten, and no other', () => {
  // There is room for three of them.
  const { ask, times } = counted(10_000, () => ''.padEnd(1_500))
  for (const text of ['a', 'b', 'c']) ask(text)
  ask('d')
  assert.equal(times(), 4)
  for (const text of ['b', 'c', 'd']) ask(text)
  assert.equal(times(), 4)
  ask('a')
  assert.equal(times(), 5)
})

test('short texts are many and long ones few, as is what was made of them', () => {
  const texts = (length: number) => Array.from({ length: 40 }, (_, i) => String(i).padEnd(length))
  for (const [length, madeLength, kept] of [
    [2, 0, true],
    [2_000, 0, false],
    [2, 2_000, false],
  ] as const) {
    const { ask, times } = counted(20_000, () => ''.padEnd(madeLength))
    for (const text of texts(length)) ask(text)
    ask(texts(length)[0] as string)
    assert.equal(times() === 40, kept, `${length} and ${madeLength} characters`)
  }
})
