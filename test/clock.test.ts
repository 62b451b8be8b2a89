// A process's estimate of the database's time. Each test continues with the estimate of the one before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteTime, now } from '../src/clock.ts'

const T = Date.UTC(2026, 5, 1)

/** By how many milliseconds the estimate is ahead of this machine's clock; the quickest of some looks, for there may be a pause between the two. */
const ahead = (): number => Math.min(...Array.from({ length: 100 }, () => -Date.now() + now()))

test('clocks that agree are left alone, however long the answer took, and whatever part of a millisecond it has', () => {
  for (const [told, answeredAt] of [
    [T + 0.9, T],
    [T, T + 5_000],
    [T + 5_000, T + 5_000],
  ] as const)
    assert.equal(noteTime(T, told, answeredAt), 0)
  assert.ok(Math.abs(ahead()) <= 1)
})

test('a clock that is off is off by as much as the answer says, give or take half the time that the answer took', () => {
  assert.equal(noteTime(T, T + 20_000, T + 10), 19_995)
  assert.ok(Math.abs(ahead() - 19_995) <= 1)
})

test('an estimate stays while it may be right, and ends when it cannot be', () => {
  assert.equal(noteTime(T, T + 20_500, T + 1_000), 19_995)
  assert.equal(noteTime(T, T + 20_006, T + 8), 20_002)
  assert.equal(noteTime(T, T + 1, T + 2), 0)
})
