// The simulation of npm run chaos health, shorter, and its results for single events, short outages and poison.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runHealth } from '../../bench/chaos/health.ts'
import { seeded } from '../support/random.ts'
import { type Scenario, simulate } from '../support/simulate-endpoint.ts'

const SEEDS = [1, 2, 3, 4, 5]
const each = (scenario: Scenario, check: (report: ReturnType<typeof simulate>, seed: number) => void): void => {
  for (const seed of SEEDS) check(simulate(scenario, seed), seed)
}
const HOUR = 3600

for (const { promise, figure, holds } of runHealth({ seed: 1, seeds: 3, seconds: 900 }).findings)
  test(`over ways to fail and 0.1 to 20 events/s: ${promise}`, () => assert.ok(holds, figure))

test('a stream of 10/s with 1 % poisoned events keeps p50 under half a second, and is not disabled while it lasts', () => {
  each({ name: 'poisoned', rate: 10, seconds: HOUR / 3, poisoned: 0.01 }, (report, seed) => {
    assert.ok(report.p50 < 0.5, `seed ${seed}: p50 ${report.p50}`)
    // Once no other event comes, the poisoned ones alone are tried, and five of them in a row are five consecutive failures.
    assert.ok((report.disabledAt ?? Number.POSITIVE_INFINITY) > HOUR / 3, `seed ${seed}: disabled at ${report.disabledAt}`)
  })
})

test('with 5 % poisoned half of the rest still arrive within a minute: after a failure deliveries never tried go first', () => {
  each({ name: 'poisoned', rate: 10, seconds: 600, poisoned: 0.05 }, (report, seed) => {
    assert.ok(report.p50 < 60, `seed ${seed}: p50 ${report.p50}`)
    assert.ok((report.disabledAt ?? Number.POSITIVE_INFINITY) > 600, `seed ${seed}: disabled at ${report.disabledAt}`)
  })
})

test('with 30 % of requests failing hardly more requests than these are lost, until five in a row fail', () => {
  let [requests, failed] = [0, 0]
  for (const rate of [0.1, 1, 10, 20])
    each({ name: '30 %', rate, seconds: 900, failureRate: 0.3 }, report => {
      requests += report.requests
      failed += report.failed
    })
  assert.ok(failed < requests * 0.35, `${failed} of ${requests} failed`)
})

test('an outage of less than five minutes disables no webhook, whenever it begins, whatever the rate, refused or unanswered', () => {
  const random = seeded(1)
  for (let run = 0; run < 300; run++) {
    const rate = 10 ** random.between(-3, 1)
    const down = { from: random.between(0, 900), seconds: random.between(1, 300), hangs: random.next() < 0.5 }
    const report = simulate({ name: 'short', rate, seconds: 1200, down }, run)
    assert.deepEqual([report.disabledAt, report.delivered], [undefined, report.events], JSON.stringify({ rate, down, report }))
    assert.ok(report.failed <= 13, `${report.failed} failed requests`)
  }
})

test('a webhook that has a single event to send is given half an hour: its five attempts', () => {
  const single = { name: 'single', rate: 1 / HOUR, seconds: HOUR }
  each({ ...single, down: { from: 0, seconds: 2 * HOUR } }, ({ requests, disabledAt }) => {
    assert.equal(requests, 5)
    assert.ok(disabledAt !== undefined)
  })
  for (const seed of SEEDS) {
    const happensAt = simulate({ ...single, down: { from: 0, seconds: 2 * HOUR } }, seed).disabledAt ?? 0
    const back = simulate({ ...single, down: { from: 0, seconds: happensAt - 120 } }, seed)
    assert.deepEqual([back.delivered, back.disabledAt], [1, undefined], 'back before the fifth, and at it')
    assert.ok(back.p99 > 0.9 * 1800 && back.p99 < 1.1 * 1800 + 2, `after ${back.p99} s`)
  }
})
