// The gate before an origin: who is let in, who waits, who gives up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate, type Visitor } from '../../src/outbound/gate.ts'

function come(count: number) {
  const begun: number[] = []
  return { begun, visitors: Array.from({ length: count }, (_, i) => ({ begin: () => void begun.push(i) })) as [Visitor, ...Visitor[]] }
}

test('so many are let in at once, the others one by one as places become free, in their order', async () => {
  const gate = createGate(2)
  const { begun, visitors } = come(4)
  for (const each of visitors) gate.enter('a', each)
  assert.deepEqual(begun, [0, 1])
  gate.leave('a', visitors[0])
  await Promise.resolve()
  assert.deepEqual(begun, [0, 1, 2])
})

test('origins do not wait for each other', () => {
  const gate = createGate(1)
  const { begun, visitors } = come(2)
  visitors.forEach((each, i) => {
    gate.enter(`origin ${i}`, each)
  })
  assert.deepEqual(begun, [0, 1])
})

test('who gives up while waiting frees no place that is taken', async () => {
  const gate = createGate(1)
  const { begun, visitors } = come(3)
  for (const each of visitors) gate.enter('a', each)
  gate.leave('a', visitors[1] as Visitor)
  await Promise.resolve()
  assert.deepEqual(begun, [0])
  gate.leave('a', visitors[0])
  await Promise.resolve()
  assert.deepEqual(begun, [0, 2])
})
