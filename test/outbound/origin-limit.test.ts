// The limit of an origin: which requests begin, wait or give up. Its slots are shared out by tenant; where what shares them has a weight, as bodies
// have, by weight.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue, createShares, type Waiter } from '../../src/fair-queue.ts'
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

/** Waiters of a weight each, such as `a5`, and those that have begun. */
function weighed(...names: string[]) {
  const queue = createFairQueue(64)
  const begun: string[] = []
  const waiters = new Map(
    names.map(name => [name, { tenant: name[0] as string, weight: Number(name.slice(1)), begin: () => void begun.push(name) }]),
  )
  const each = (does: 'enter' | 'leave' | 'tryEnter') => (name: string) => queue[does](waiters.get(name) as Waiter)
  const left = async (name: string) => {
    each('leave')(name)
    await Promise.resolve()
    return begun
  }
  return { queue, begun, left, enter: each('enter'), tryEnter: each('tryEnter') }
}

test('a tenant’s share is by weight: with what it asks for, it leaves an eighth free and holds four times the rest at most', () => {
  const shares = createShares(64)
  shares.take('a', 32)
  assert.deepEqual([shares.hasRoom('a', 13), shares.hasRoom('a', 14)], [true, false])
  assert.deepEqual([shares.hasRoom('b', 32), shares.hasRoom('b', 33)], [true, false])
  shares.giveBack('a', 32)
  assert.deepEqual([shares.held('a'), shares.held()], [0, 0])
})

test('a tenant that may have three has no room for a fourth, and others have', () => {
  const shares = createShares(64, 3)
  shares.take('a', 2)
  assert.deepEqual([shares.hasRoom('a'), shares.hasRoom('a', 2)], [true, false])
  shares.take('a')
  assert.deepEqual([shares.hasRoom('a'), shares.hasRoom('b')], [false, true])
})

test('what is heavier than all slots runs alone: it waits for all others, and no lighter one overtakes it meanwhile', async () => {
  const { queue, left, enter, tryEnter } = weighed('a5', 'x1', 'b80', 'c1', 'd1')
  for (const name of ['a5', 'x1', 'b80', 'c1']) enter(name)
  assert.equal(tryEnter('d1'), false)
  assert.deepEqual(await left('x1'), ['a5', 'x1'])
  assert.deepEqual(await left('a5'), ['a5', 'x1', 'b80'])
  assert.deepEqual(await left('b80'), ['a5', 'x1', 'b80', 'c1'])
  assert.equal(queue.held(), 1)
  await left('c1')
  assert.ok(queue.isEmpty())
})

test('a heavy one that leaves makes room for many, and one that gives up lets in those behind it', async () => {
  const { begun, left, enter } = weighed('a60', 'b20', 'c20', 'd20', 'e64', 'f1')
  for (const name of ['a60', 'b20', 'c20', 'd20']) enter(name)
  assert.deepEqual(await left('a60'), ['a60', 'b20', 'c20', 'd20'])
  for (const name of ['e64', 'f1']) enter(name)
  assert.equal(begun.length, 4)
  assert.deepEqual((await left('e64')).slice(4), ['f1'])
})

test('within a tenant a lighter one does not overtake one that waits for its share', async () => {
  const { begun, left, enter, tryEnter } = weighed('a40', 'a30', 'a1', 'b1')
  for (const name of ['a40', 'a30', 'a1']) enter(name)
  assert.equal(tryEnter('a1'), false)
  enter('b1')
  assert.deepEqual(begun, ['a40', 'b1'])
  assert.deepEqual(await left('a40'), ['a40', 'b1', 'a30', 'a1'])
})
