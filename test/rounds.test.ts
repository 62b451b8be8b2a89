// One timer for many who wait.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRounds } from '../src/rounds.ts'

test('members are visited round after round, in the order in which they came, until they go', async () => {
  const visits: string[] = []
  const seen = Promise.withResolvers<void>()
  const rounds = createRounds<string>(1, member => {
    visits.push(member)
    if (member === 'once') rounds.delete(member)
    if (visits.length === 7) seen.resolve()
  })
  for (const each of ['first', 'once', 'last']) rounds.add(each)
  await seen.promise
  rounds.delete('first')
  rounds.delete('last')
  assert.deepEqual(visits.slice(0, 7), ['first', 'once', 'last', 'first', 'last', 'first', 'last'])
})

test('without members there is no timer, which would keep the process from ending', () => {
  const timers = () => process.getActiveResourcesInfo().filter(each => each === 'Timeout').length
  const before = timers()
  const rounds = createRounds<string>(1_000, () => {})
  rounds.add('a')
  rounds.add('b')
  assert.equal(timers(), before + 1)
  rounds.delete('a')
  rounds.delete('b')
  assert.equal(timers(), before)
})
