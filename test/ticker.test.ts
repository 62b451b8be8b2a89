// One timer for many waiting members.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTicker } from '../src/ticker.ts'

test('members are visited round after round, in the order in which they came, until they go', async () => {
  const visits: string[] = []
  const seen = Promise.withResolvers<void>()
  const ticker = createTicker<string>(1, member => {
    visits.push(member)
    if (member === 'once') ticker.delete(member)
    if (visits.length === 7) seen.resolve()
  })
  for (const each of ['first', 'once', 'last']) ticker.add(each)
  await seen.promise
  ticker.delete('first')
  ticker.delete('last')
  assert.deepEqual(visits.slice(0, 7), ['first', 'once', 'last', 'first', 'last', 'first', 'last'])
})

test('without members there is no timer, which would keep the process from ending', () => {
  const timers = () => process.getActiveResourcesInfo().filter(each => each === 'Timeout').length
  const before = timers()
  const ticker = createTicker<string>(1_000, () => {})
  ticker.add('a')
  ticker.add('b')
  assert.equal(timers(), before + 1)
  ticker.delete('a')
  ticker.delete('b')
  assert.equal(timers(), before)
})
