// The limit of an origin: who is let in, who waits, who gives up. Its places are shared out by tenant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Visitor } from '../../src/outbound/fair-queue.ts'
import { createOriginLimit } from '../../src/outbound/origin-limit.ts'

/** Visitors of these tenants, by whom those who begun are told. */
function come(...tenants: string[]) {
  const begun: string[] = []
  const visitors = tenants.map((tenant, i) => ({ tenant, begin: () => void begun.push(`${tenant}${i}`) }))
  return { begun, visitors: visitors as [Visitor, ...Visitor[]] }
}

const of = (tenant: string, count: number): string[] => Array.from({ length: count }, () => tenant)
const countOf = (begun: string[], tenant: string): number => begun.filter(each => each.startsWith(tenant)).length

test('so many are let in at once, the others one by one as places become free, in their order', async () => {
  const limit = createOriginLimit(2)
  const { begun, visitors } = come(...of('a', 4))
  for (const each of visitors) limit.enter('o', each)
  assert.deepEqual(begun, ['a0', 'a1'])
  limit.leave('o', visitors[0])
  await Promise.resolve()
  assert.deepEqual(begun, ['a0', 'a1', 'a2'])
})

test('origins do not wait for each other', () => {
  const limit = createOriginLimit(1)
  const { begun, visitors } = come(...of('a', 2))
  visitors.forEach((each, i) => {
    limit.enter(`origin ${i}`, each)
  })
  assert.deepEqual(begun, ['a0', 'a1'])
})

test('who gives up while waiting frees no place that is taken', async () => {
  const limit = createOriginLimit(1)
  const { begun, visitors } = come(...of('a', 3))
  for (const each of visitors) limit.enter('o', each)
  limit.leave('o', visitors[1] as Visitor)
  await Promise.resolve()
  assert.deepEqual(begun, ['a0'])
  limit.leave('o', visitors[0])
  await Promise.resolve()
  assert.deepEqual(begun, ['a0', 'a2'])
})

test('whatever ten tenants hold for ever, the next finds a place free', () => {
  const limit = createOriginLimit(64)
  const taken = Array.from({ length: 12 }, (_, n) => {
    const { begun, visitors } = come(...of(`tenant ${n}`, 640))
    for (const each of visitors) limit.enter('o', each)
    return begun.length
  })
  assert.deepEqual(taken, [45, 9, 2, 1, 1, 1, 1, 1, 1, 1, 1, 0])
})

test('those who wait are served by tenant in turn, and within a tenant the oldest first', async () => {
  const limit = createOriginLimit(2)
  const { begun, visitors } = come('x', 'x', 'a', 'a', 'a', 'b', 'c', 'b')
  for (const each of visitors) limit.enter('o', each)
  // As they were let in, they leave.
  for (const each of begun) {
    limit.leave('o', visitors[Number(each.slice(1))] as Visitor)
    await Promise.resolve()
  }
  assert.deepEqual(begun, ['x0', 'x1', 'a2', 'b5', 'c6', 'a3', 'b7', 'a4'])
})

test('what waits for its tenant’s share alone is let in as others leave, to the last', async () => {
  const limit = createOriginLimit(64)
  const { begun, visitors } = come(...of('a', 200), ...of('b', 5))
  for (const each of visitors) limit.enter('o', each)
  assert.equal(countOf(begun, 'b'), 5)
  for (const each of begun) {
    limit.leave('o', visitors[Number(each.slice(1))] as Visitor)
    await Promise.resolve()
  }
  assert.equal(begun.length, 205)
})
