// The limit of an origin: which requests begin, wait or give up. Its slots are shared out by tenant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Waiter } from '../../src/fair-queue.ts'
import { createOriginLimit } from '../../src/outbound/origin-limit.ts'
import { awaitPlace, takePlace } from '../../src/outbound/place.ts'

/** One waiter for each of these tenants, and the names of the waiters that have begun. */
function come(...tenants: string[]) {
  const begun: string[] = []
  const waiters = tenants.map((tenant, i) => ({ tenant, begin: () => void begun.push(`${tenant}${i}`) }))
  return { begun, waiters: waiters as [Waiter, ...Waiter[]] }
}

const of = (tenant: string, count: number): string[] => Array.from({ length: count }, () => tenant)
const countOf = (begun: string[], tenant: string): number => begun.filter(each => each.startsWith(tenant)).length

test('the limit begins at once, the rest one by one as slots become free, in their order', async () => {
  const limit = createOriginLimit(2)
  const { begun, waiters } = come(...of('a', 4))
  for (const each of waiters) limit.enter('o', each)
  assert.deepEqual(begun, ['a0', 'a1'])
  limit.leave('o', waiters[0])
  await Promise.resolve()
  assert.deepEqual(begun, ['a0', 'a1', 'a2'])
})

test('origins do not wait for each other', () => {
  const limit = createOriginLimit(1)
  const { begun, waiters } = come(...of('a', 2))
  waiters.forEach((each, i) => {
    limit.enter(`origin ${i}`, each)
  })
  assert.deepEqual(begun, ['a0', 'a1'])
})

test('a waiter that gives up frees no slot that is taken', async () => {
  const limit = createOriginLimit(1)
  const { begun, waiters } = come(...of('a', 3))
  for (const each of waiters) limit.enter('o', each)
  limit.leave('o', waiters[1] as Waiter)
  await Promise.resolve()
  assert.deepEqual(begun, ['a0'])
  limit.leave('o', waiters[0])
  await Promise.resolve()
  assert.deepEqual(begun, ['a0', 'a2'])
})

test('however many slots ten tenants hold for ever, the next finds a free one', () => {
  const limit = createOriginLimit(64)
  const taken = Array.from({ length: 12 }, (_, n) => {
    const { begun, waiters } = come(...of(`tenant ${n}`, 640))
    for (const each of waiters) limit.enter('o', each)
    return begun.length
  })
  assert.deepEqual(taken, [45, 9, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0])
})

test('waiters are served by tenant in turn, and within a tenant the oldest first', async () => {
  const limit = createOriginLimit(2)
  const { begun, waiters } = come('x', 'x', 'a', 'a', 'a', 'b', 'c', 'b')
  for (const each of waiters) limit.enter('o', each)
  // They leave in the order in which they began.
  for (const each of begun) {
    limit.leave('o', waiters[Number(each.slice(1))] as Waiter)
    await Promise.resolve()
  }
  assert.deepEqual(begun, ['x0', 'x1', 'a2', 'b5', 'c6', 'a3', 'b7', 'a4'])
})

test('a waiter held back only by its tenant’s share begins as others leave, to the last one', async () => {
  const limit = createOriginLimit(64)
  const { begun, waiters } = come(...of('a', 200), ...of('b', 5))
  for (const each of waiters) limit.enter('o', each)
  assert.equal(countOf(begun, 'b'), 5)
  for (const each of begun) {
    limit.leave('o', waiters[Number(each.slice(1))] as Waiter)
    await Promise.resolve()
  }
  assert.equal(begun.length, 205)
})

test('a place is taken only where nothing waits, is given back once however often it is left, and is awaited in turn', async () => {
  const limit = createOriginLimit(1)
  const place = takePlace(limit, 'o', 'a')
  assert.ok(place)
  assert.equal(takePlace(limit, 'o', 'b'), undefined)
  const begun: string[] = []
  awaitPlace(limit, 'o', 'b', given => {
    begun.push('b')
    given.leave()
  })
  awaitPlace(limit, 'o', 'c', () => begun.push('c'))
  place.leave()
  place.leave()
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual(begun, ['b', 'c'])
  assert.equal(takePlace(limit, 'o', 'a'), undefined, 'the last one has its place still')
})
