// When a slice looks for new deliveries, and how many it claims at once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLAIM_MAX } from '../../src/limits/webhooks.ts'
import { FIRST_ASK } from '../../src/webhooks/delivery/claim-store.ts'
import { createClaims, nextClaim } from '../../src/webhooks/delivery/claims.ts'
import { HEALTHY, type Health } from '../../src/webhooks/delivery/health.ts'
import { createPoll, isDue, isSlowest, scheduleAfter } from '../../src/webhooks/delivery/poll.ts'
import type { Slice } from '../../src/webhooks/delivery/slice.ts'

test('a slice looks again soon after it found several deliveries, and half as often after each look that finds none', () => {
  const poll = createPoll()
  const intervals = [2, 0, 0, 0, 0, 1, 5].map(found => {
    scheduleAfter(poll, found, 1_000)
    assert.deepEqual([isDue(poll, 999 + poll.intervalMs), isDue(poll, 1_000 + poll.intervalMs)], [false, true])
    return poll.intervalMs
  })
  assert.deepEqual(intervals, [30, 60, 120, 240, 250, 250, 30])
  assert.equal(isSlowest(poll), false)
  assert.equal(isSlowest(createPoll()), true)
})

const sliceOf = (health: Health, maxParallel = 8) => ({ health, lease: { max_parallel: maxParallel } }) as Slice

test('a claim doubles while the one before was sent soon, and reads held deliveries again when it starts from the beginning', () => {
  const claims = createClaims(0)
  const counts = [50, 100, 150, 1_000, 1_010].map(now => nextClaim(claims, sliceOf(HEALTHY), 3, now).count)
  assert.deepEqual(
    counts,
    [2, 4, 8, 8, 16].map(times => times * FIRST_ASK).map(count => Math.min(count, CLAIM_MAX) + 3),
  )
  for (let now = 1_010; now < 2_000; now += 10) nextClaim(claims, sliceOf(HEALTHY), 0, now)
  assert.equal(claims.size, CLAIM_MAX)
})

test('a healthy endpoint is claimed from behind the cursor; a failing or ordered one from the beginning, and a failing one singly', () => {
  const cursor = { event_id: 'evt_1', type: '', bytes: 0, body: '', attempts: 0, first_attempt_at: null, due_at: new Date(0) }
  const claimOf = (slice: Slice) => nextClaim({ ...createClaims(0), cursor }, slice, 2, 1_000)
  assert.deepEqual(claimOf(sliceOf(HEALTHY)), { count: FIRST_ASK, after: cursor })
  assert.deepEqual(claimOf(sliceOf(HEALTHY, 1)), { count: FIRST_ASK + 2, after: undefined })
  assert.deepEqual(claimOf(sliceOf({ ...HEALTHY, failures: 1 })), { count: 1 + 2, after: undefined })
})
