// The gate before an origin: who is let in, who waits, who gives up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGate } from '../../src/outbound/gate.ts'

function visitors(count: number) {
  const begun: number[] = []
  return { begun, begins: Array.from({ length: count }, (_, i) => () => void begun.push(i)) as [() => void, ...(() => void)[]] }
}

test('so many are let in at once, the others one by one as places become free, in their order', async () => {
  const gate = createGate(2)
  const { begun, begins } = visitors(4)
  for (const begin of begins) gate.enter('a', begin)
  assert.deepEqual(begun, [0, 1])
  gate.leave('a', begins[0])
  await Promise.resolve()
  assert.deepEqual(begun, [0, 1, 2])
})

test('origins do not wait for each other', () => {
  const gate = createGate(1)
  const { begun, begins } = visitors(2)
  begins.forEach((begin, i) => {
    gate.enter(`origin ${i}`, begin)
  })
  assert.deepEqual(begun, [0, 1])
})

test('who gives up while waiting frees no place that is taken', async () => {
  const gate = createGate(1)
  const { begun, begins } = visitors(3)
  for (const begin of begins) gate.enter('a', begin)
  gate.leave('a', begins[1] as () => void)
  await Promise.resolve()
  assert.deepEqual(begun, [0])
  gate.leave('a', begins[0])
  await Promise.resolve()
  assert.deepEqual(begun, [0, 2])
})
