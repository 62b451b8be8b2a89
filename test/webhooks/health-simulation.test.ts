import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Scenario, simulate } from '../support/simulate-endpoint.ts'

const SEEDS = [1, 2, 3, 4, 5]
const each = (scenario: Scenario, check: (report: ReturnType<typeof simulate>, seed: number) => void): void => {
  for (const seed of SEEDS) check(simulate(scenario, seed), seed)
}
const HOUR = 1200

for (const rate of [0.1, 1, 10, 20]) {
  test(`a healthy endpoint gets ${rate} events/s at once, each with one request`, () => {
    each({ name: 'healthy', rate, seconds: HOUR }, report => {
      assert.equal(report.delivered, report.events)
      assert.equal(report.requests, report.events)
      assert.ok(report.p99 < 0.2, `p99 ${report.p99}`)
    })
  })
}

test('a stream of 10/s with 1 % poisoned events keeps p50 under half a second, and is not disabled while it lasts', () => {
  each({ name: 'poisoned', rate: 10, seconds: HOUR, poisoned: 0.01 }, (report, seed) => {
    assert.ok(report.p50 < 0.5, `seed ${seed}: p50 ${report.p50}`)
    // Once no other event comes, the poisoned ones alone are tried, and five of them in a row are five consecutive failures.
    assert.ok((report.disabledAt ?? Number.POSITIVE_INFINITY) > HOUR, `seed ${seed}: disabled at ${report.disabledAt}`)
  })
})

test('with 5 % poisoned half of the rest still arrive within a minute: after a failure what was never tried goes first', () => {
  each({ name: 'poisoned', rate: 10, seconds: 600, poisoned: 0.05 }, (report, seed) => {
    assert.ok(report.p50 < 60, `seed ${seed}: p50 ${report.p50}`)
    assert.ok((report.disabledAt ?? Number.POSITIVE_INFINITY) > 600, `seed ${seed}: disabled at ${report.disabledAt}`)
  })
})

test('1 % of requests failing delays nobody for long and disables nobody', () => {
  each({ name: '1 %', rate: 10, seconds: HOUR, failureRate: 0.01 }, report => {
    assert.equal(report.delivered, report.events)
    assert.equal(report.disabledAt, undefined)
    assert.ok(report.p50 < 0.2)
  })
})

test('5 % of requests failing delays one in a hundred by the schedule, and disables nobody', () => {
  for (const rate of [0.1, 1, 10])
    each({ name: '5 %', rate, seconds: 600, failureRate: 0.05 }, report => {
      assert.equal(report.delivered, report.events)
      assert.equal(report.disabledAt, undefined)
      assert.ok(report.p50 < 0.2 && report.p99 < 120, `p50 ${report.p50}, p99 ${report.p99}`)
    })
})

test('with 30 % of requests failing five in a row come sooner or later: until then nothing is given up, and little is spent', () => {
  for (const rate of [0.1, 1])
    each({ name: '30 %', rate, seconds: 600, failureRate: 0.3 }, report => {
      assert.ok(report.requests < report.delivered * 1.6, `${report.requests} requests for ${report.delivered}`)
      assert.ok(report.disabledAt !== undefined || report.delivered >= report.events * 0.97)
    })
})

for (const rate of [0.1, 1, 20]) {
  test(`a blip of 3 s at ${rate} events/s disables nobody, costs a handful of requests, and everything arrives`, () => {
    each({ name: 'blip', rate, seconds: HOUR, down: { from: 60, seconds: 3 } }, report => {
      assert.equal(report.disabledAt, undefined)
      assert.equal(report.delivered, report.events)
      // The burst under way when the first failure became known, and what the ladder tries.
      assert.ok(report.failed <= 10, `${report.failed} failed requests`)
    })
  })
}

test('five minutes away: everything arrives within minutes of the return, for a handful of requests', () => {
  each({ name: '5 min', rate: 1, seconds: 1200, down: { from: 60, seconds: 290 } }, report => {
    assert.equal(report.disabledAt, undefined)
    assert.equal(report.delivered, report.events)
    assert.ok(report.failed <= 10, `${report.failed} failed requests`)
  })
})

test('a receiver away for ever is disabled on its fifth failure in a row, after a handful of requests', () => {
  for (const rate of [0.1, 1, 20]) {
    each({ name: 'for ever', rate, seconds: 3600, down: { from: 0, seconds: 1e6 } }, report => {
      assert.ok(report.disabledAt !== undefined && report.disabledAt < 1900, `disabled at ${report.disabledAt}`)
      assert.ok(report.requests <= 5 + 8, `${report.requests} requests`)
    })
  }
})
