// A process's estimate of the database's time. Each test continues with the estimate of the one before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteTime, now } from '../src/clock.ts'

/** The same moment by the machine's clock and since the process began; the quickest of some looks, for there may be a pause between the two. */
const [T, P] = Array.from({ length: 100 }, () => [Date.now(), performance.now()] as const).reduce((a, b) =>
  b[1] - b[0] < a[1] - a[0] ? b : a,
)

/** By how many milliseconds the estimate is ahead of this machine's clock; the quickest of some looks, for there may be a pause between the two. */
const ahead = (): number => Math.min(...Array.from({ length: 100 }, () => -Date.now() + now()))

const isAhead = (ms: number): void => assert.ok(Math.abs(ahead() - ms) <= 2, `${ahead()} ms`)

test('clocks that agree are left alone, however long the answer took, and whatever part of a millisecond it has', () => {
  for (const [told, answeredAt] of [
    [T + 2, P],
    [T, P + 5_000],
    [T + 5_000, P + 5_000],
  ] as const) {
    noteTime(P, told, answeredAt)
    isAhead(0)
  }
})

test('a clock that is off is off by as much as the answer says, give or take the time that the answer took', () => {
  noteTime(P, T + 20_000, P + 10)
  isAhead(19_990)
  noteTime(P, T + 20_000, P)
  isAhead(20_000)
})

test('an estimate stays while it may be right, and ends when it cannot be', () => {
  noteTime(P, T + 20_500, P + 1_000)
  isAhead(20_000)
  noteTime(P, T + 20_012, P + 8)
  isAhead(20_004)
  noteTime(P, T + 1, P)
  isAhead(0)
})

test('a machine’s clock that is set while the process runs changes nothing', t => {
  const before = now()
  let setBy = 0
  // One mock alone: a second one over it would leave the first behind, for the files after this one.
  t.mock.method(Date, 'now', () => T + setBy)
  for (setBy of [20_000, 600_000, -20_000, -600_000]) assert.ok(now() >= before && now() - before < 5_000)
})
