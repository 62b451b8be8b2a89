// The endpoint's health and the schedule of retries, rule by rule. Pure: the clock is a number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DELIVERY_SCHEDULE_SECONDS } from '../../src/limits/webhooks.ts'
import { nextAttempt } from '../../src/retry.ts'
import {
  afterFailure,
  afterSuccess,
  countedStart,
  HEALTHY,
  type Health,
  isFailing,
  isSilent,
  mustDisable,
  parallel,
  waitingUntil,
} from '../../src/webhooks/delivery/health.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const T = Date.UTC(2026, 5, 1)
const schedule = DELIVERY_SCHEDULE_SECONDS

/** Attempts that fail one after the other, each begun at its second and known 100 ms later. */
const failed = (...seconds: number[]): Health => seconds.reduce((health, at) => failedAt(health, T + at * SECOND), HEALTHY)
const failedAt = (health: Health, startedAt: number, retryAfterMs?: number): Health =>
  afterFailure(health, { startedAt, endedAt: startedAt + 100, retryAfterMs }, schedule)

test('failures in a row are counted', () => {
  assert.deepEqual(
    [failed(0), failed(0, 1), failed(0, 1, 2)].map(health => health.failures),
    [1, 2, 3],
  )
})

test('attempts that started before the last counted failure was known count with it, so a burst counts once', () => {
  const first = afterFailure(HEALTHY, { startedAt: T, endedAt: T + 500 }, schedule)
  const burst = [0, 1, 200, 499].reduce((health, ms) => afterFailure(health, { startedAt: T + ms, endedAt: T + 9_000 }, schedule), first)
  assert.equal(burst.failures, 1)
  assert.equal(burst.failureKnownAt, T + 500, 'a straggler must not stretch the burst')
  assert.equal(afterFailure(burst, { startedAt: T + 500, endedAt: T + 9_100 }, schedule).failures, 2)
})

test('a burst of eight that ends in any order counts once', () => {
  const ends = [700, 300, 900, 400, 800, 350, 600, 500].sort((a, b) => a - b)
  const health = ends.reduce((known, end) => afterFailure(known, { startedAt: T, endedAt: T + end }, schedule), HEALTHY)
  assert.equal(health.failures, 1)
})

test('a failure that became known while an attempt was under way came after its start, though in the same millisecond', () => {
  const health = failed(0)
  const knownAt = T + 100
  assert.equal(countedStart(health, null, knownAt - 5), knownAt - 5)
  assert.equal(countedStart(health, null, knownAt), knownAt - 1)
  assert.equal(afterFailure(health, { startedAt: countedStart(health, null, knownAt), endedAt: T + 9_000 }, schedule).failures, 1)
  assert.deepEqual(afterSuccess(health, countedStart(health, null, knownAt)), health, 'its success says nothing about now')
  assert.equal(countedStart(health, knownAt, knownAt), knownAt, 'it was sent after that failure was known')
  assert.equal(
    countedStart(health, knownAt, knownAt - 1),
    knownAt,
    'also if the end of the failure was rounded up, or told by a clock that is ahead',
  )
  assert.equal(countedStart(HEALTHY, knownAt, T + 500), T + 500, 'a later success has wiped the failure')
})

test('after one failure the cap is 1, until a 2xx that started later', () => {
  const health = failed(0)
  assert.equal(parallel(HEALTHY, 8), 8)
  assert.equal(parallel(health, 8), 1)
  const overtaken = afterSuccess(health, T + 50)
  assert.equal(parallel(overtaken, 8), 1, 'it began before the failure was known, so it says nothing about now')
  assert.deepEqual(overtaken, health)
  assert.equal(parallel(afterSuccess(health, T + 100), 8), 8)
})

test('two failures in a row bring no silence', () => {
  assert.equal(failed(0).silentUntil, null)
  assert.equal(failed(0, 8).silentUntil, null)
})

test('from the third in a row it is silent until 60 s after the streak’s first failure, from the fourth until 5 min', () => {
  assert.equal(failed(0, 1, 2).silentUntil, T + 60 * SECOND)
  assert.equal(failed(0, 1, 2, 60).silentUntil, T + 5 * MINUTE)
})

test('a silence ends at its time', () => {
  const health = failed(0, 1, 2)
  assert.ok(isSilent(health, T + 60 * SECOND - 1))
  assert.ok(!isSilent(health, T + 60 * SECOND))
  assert.ok(!isSilent(HEALTHY, T))
})

test('late failures, after nothing could be sent for long, are kept apart by half a step of the schedule', () => {
  const third = failed(0, 8, 3600)
  assert.equal(third.silentUntil, T + 3600 * SECOND + 100 + 26 * SECOND)
  assert.equal(failedAt(third, T + 3630 * SECOND).silentUntil, T + 3630 * SECOND + 100 + 2 * MINUTE)
  assert.equal(nextAttempt(3, T, T + 3600 * SECOND, schedule, 0.5), T + 3600 * SECOND + 2 * MINUTE)
})

test('the silences scale with the schedule', () => {
  const short = [0, 0.2, 0.4, 0.8, 1.6]
  const at = (health: Health, ms: number) => afterFailure(health, { startedAt: T + ms, endedAt: T + ms }, short)
  const third = at(at(at(HEALTHY, 0), 1), 2)
  assert.equal(third.silentUntil, T + 400)
  assert.equal(at(third, 400).silentUntil, T + 800)
})

test('Retry-After lengthens a silence, to 30 minutes at most, and never shortens it', () => {
  const third = (retryAfterMs: number) => failedAt(failed(0, 1), T + 2 * SECOND, retryAfterMs).silentUntil
  assert.equal(third(10 * MINUTE), T + 2 * SECOND + 100 + 10 * MINUTE)
  assert.equal(third(5 * 60 * MINUTE), T + 2 * SECOND + 100 + 30 * MINUTE)
  assert.equal(third(SECOND), T + 60 * SECOND)
})

test('Retry-After is honoured from the first failure on, and from a straggler of a burst', () => {
  const first = failedAt(HEALTHY, T, 30 * SECOND)
  assert.equal(first.silentUntil, T + 30 * SECOND + 100)
  assert.equal(failedAt(first, T + 1, 40 * SECOND).silentUntil, T + 1 + 40 * SECOND + 100)
})

test('an endpoint is failing from its first failure until a 2xx', () => {
  assert.deepEqual([HEALTHY, failed(0), failed(0, 1), failed(0, 1, 2), failed(0, 1, 2, 60)].map(isFailing), [false, true, true, true, true])
})

test('a 2xx resets everything', () => {
  for (const health of [failed(0), failed(0, 1, 2), failed(0, 1, 2, 60)]) assert.deepEqual(afterSuccess(health, T + 10 * MINUTE), HEALTHY)
})

test('an ordered endpoint’s wait for its head is a silence too, and never shortens another', () => {
  assert.equal(waitingUntil(failed(0), T + 8 * SECOND).silentUntil, T + 8 * SECOND)
  assert.equal(waitingUntil(failed(0, 1, 2), T + 8 * SECOND).silentUntil, T + 60 * SECOND)
})

test('the fifth consecutive failure disables, the fourth does not', () => {
  const four = failed(0, 8, 60, 300)
  assert.ok(!mustDisable(four))
  assert.ok(mustDisable(failedAt(four, T + 1800 * SECOND)))
})

test('a blip does not disable: hundreds of failures of one burst are one', () => {
  let health = HEALTHY
  for (let i = 0; i < 500; i++) health = afterFailure(health, { startedAt: T + (i % 8), endedAt: T + 10_000 + i }, schedule)
  assert.equal(health.failures, 1)
})

test('a dead receiver costs a handful of requests, not five per event', () => {
  // A backlog without end: something is always due, so only health holds requests back.
  let health = HEALTHY
  let now = T
  let requests = 0
  while (!mustDisable(health)) {
    now = Math.max(now, health.silentUntil ?? now)
    health = failedAt(health, now)
    now += 100
    requests++
  }
  assert.equal(requests, 5)
  assert.ok(now - T >= 5 * MINUTE, 'it has five minutes to come back')
})

test('a delivery has five attempts: the first and four more at 8 s, 60 s, 5 min and 30 min after it', () => {
  const seconds = [1, 2, 3, 4, 5].map(made => {
    const next = nextAttempt(made, T, T, schedule, 0.5)
    return next === undefined ? undefined : (next - T) / SECOND
  })
  assert.deepEqual(seconds, [8, 60, 300, 1800, undefined])
})

test('the jitter is ±10 %', () => {
  const at = (random: number) => (nextAttempt(1, T, T, schedule, random) as number) - T
  assert.equal(at(0), 7_200)
  assert.equal(at(0.999999999), 8_800)
  for (let i = 0; i < 100; i++) {
    const ms = at(Math.random())
    assert.ok(ms >= 7_200 && ms <= 8_800)
  }
})

test('the times count from the first attempt, however late the others were', () => {
  assert.equal(nextAttempt(2, T, T, schedule, 0.5), T + MINUTE)
})
