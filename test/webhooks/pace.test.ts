// An endpoint's rate, on a clock that the test moves.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { afterSending, freeFrom } from '../../src/webhooks/pace.ts'

const MINUTE = 60_000

/** The most that any 60 seconds saw. */
function mostInAMinute(times: number[]): number {
  let most = 0
  for (let last = 0, first = 0; last < times.length; last++) {
    while ((times[last] as number) - (times[first] as number) >= MINUTE) first++
    most = Math.max(most, last - first + 1)
  }
  return most
}

/** Up to so many requests are wanted after so many milliseconds, by live deliveries or by a recovery. */
const demand = fc.array(
  fc.record({ pauseMs: fc.oneof(fc.nat(20), fc.nat(5_000), fc.nat(90_000)), count: fc.nat(80), recovery: fc.boolean() }),
  { minLength: 1, maxLength: 60 },
)
const perMinutes = fc.oneof(fc.integer({ min: 1, max: 10 }), fc.integer({ min: 1, max: 2_000 }), fc.constant(60_000))

// As the engine keeps it: a turn begins with what is stored, stores whole milliseconds when it ends, and a recovery goes between turns,
// one at a time and only when nothing is used ahead.
function sent(perMinute: number, wanted: { pauseMs: number; count: number; recovery: boolean }[]): number[] {
  const times: number[] = []
  let stored = 0
  let now = 1_780_000_000_000
  for (const { pauseMs, count, recovery } of wanted) {
    now += pauseMs
    let usedUntil = stored
    for (let n = 0; n < count; n++) {
      if (recovery ? usedUntil > now : freeFrom(usedUntil) > now) break
      times.push(now)
      usedUntil = afterSending(usedUntil, now, perMinute)
      if (recovery) usedUntil = Math.ceil(usedUntil)
    }
    stored = Math.ceil(usedUntil)
  }
  return times
}

suite('an endpoint’s rate', () => {
  test('no 60 seconds see more than max_per_minute, however requests are wanted and whoever sends them', () => {
    fc.assert(fc.property(perMinutes, demand, (perMinute, wanted) => mostInAMinute(sent(perMinute, wanted)) <= perMinute))
  })

  test('whoever always wants to send gets at least nine tenths of it, and waits for no longer than one place and the burst', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2_000 }), perMinute => {
        const wanted = Array.from({ length: 3_000 }, () => ({ pauseMs: 100, count: 2_000, recovery: false }))
        const times = sent(perMinute, wanted)
        assert.ok(times.length >= Math.floor(0.9 * perMinute * 5), `${times.length} of ${perMinute * 5}`)
        const pauses = times.slice(1).map((time, n) => time - (times[n] as number))
        assert.ok(Math.max(0, ...pauses) <= afterSending(0, 0, perMinute) + 100)
      }),
      { numRuns: 20 },
    )
  })
})
