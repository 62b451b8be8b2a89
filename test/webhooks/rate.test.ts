// An endpoint's rate, on a clock that the test moves.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { afterSending, freeFrom } from '../../src/rate.ts'
import { perMinute } from '../../src/webhooks/endpoints/rate.ts'
import { drawn } from '../support/random.ts'

const MINUTE = 60_000

/** The most requests in any 60 seconds. */
function mostInAMinute(times: number[]): number {
  let most = 0
  for (let last = 0, first = 0; last < times.length; last++) {
    while ((times[last] as number) - (times[first] as number) >= MINUTE) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

interface Demand {
  /** For this long nothing is due … */
  idleMs: number
  /** … and then as much is sent as the rate allows, by live deliveries or by a recovery. */
  greedyMs: number
  recovery: boolean
}

const times = fc.oneof(fc.nat(50), fc.nat(5_000), fc.nat(90_000))
const demands = fc.array(fc.record({ idleMs: times, greedyMs: times, recovery: fc.boolean() }), { minLength: 1, maxLength: 20 })

// As the engine keeps it: a slice begins with what is stored, and stores whole milliseconds when it ends; a recovery goes between slices, and
// only when nothing is used ahead.
function sent(count: number, wanted: Demand[]): number[] {
  const rate = perMinute(count)
  const all: number[] = []
  let stored = 0
  let now = 1_780_000_000_000
  for (const { idleMs, greedyMs, recovery } of wanted) {
    now += idleMs
    const until = now + greedyMs
    for (let usedUntil = stored; ; stored = Math.ceil(usedUntil)) {
      now = Math.max(now, Math.ceil(recovery ? stored : freeFrom(usedUntil, rate)))
      if (now > until) break
      all.push(now)
      usedUntil = afterSending(usedUntil, now, rate)
    }
    now = until
  }
  return all
}

suite('an endpoint’s rate', () => {
  test('no 60 seconds see more than max_per_minute, whether slices or recoveries send, and when', () => {
    const counts = fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 600 }))
    fc.assert(
      fc.property(counts, demands, (count, wanted) => mostInAMinute(sent(count, wanted)) <= count),
      drawn(),
    )
    const always = { idleMs: 0, greedyMs: 2 * MINUTE, recovery: false }
    const most = mostInAMinute(sent(60_000, [always, { ...always, recovery: true }]))
    assert.ok(most <= 60_000 && most > 59_900, `${most}`)
  })

  test('live deliveries use all of it: an endpoint with a backlog gets at least 95 % of it, and never waits for more than one request’s time', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), count => {
        const all = sent(count, [{ idleMs: 0, greedyMs: 5 * MINUTE, recovery: false }])
        assert.ok(all.length >= Math.floor(0.95 * 5 * count), `${all.length} of ${5 * count}`)
        const pauses = all.slice(1).map((time, n) => time - (all[n] as number))
        assert.ok(Math.max(0, ...pauses) <= perMinute(count).everyMs + 1)
      }),
      drawn(20),
    )
  })
})
