// Self-clocked batching: no timer, no item lost, no error swallowed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { batched, patient, spaced } from '../../src/postgres/batch.ts'

/** A flush that ends when the test says so. */
function gated() {
  const batches: number[][] = []
  let open: (() => void)[] = []
  const flush = async (items: number[]): Promise<string[]> => {
    batches.push(items)
    await new Promise<void>(resolve => open.push(resolve))
    return items.map(item => `done ${item}`)
  }
  const release = async (): Promise<void> => {
    const opened = open
    open = []
    for (const each of opened) each()
    await turn()
  }
  return { batches, flush, release }
}

test('items of one turn of the event loop leave at its end, and items that arrive meanwhile go together in the next flush, in order', async () => {
  const { batches, flush, release } = gated()
  const add = batched(flush)
  const first = [0, 1].map(add)
  await turn()
  assert.deepEqual(batches, [[0, 1]])
  const rest = [2, 3, 4].map(add)
  await turn()
  assert.deepEqual(batches, [[0, 1]], 'one flush at a time')
  await release()
  assert.deepEqual(await Promise.all(first), ['done 0', 'done 1'])
  assert.deepEqual(batches, [
    [0, 1],
    [2, 3, 4],
  ])
  await release()
  assert.deepEqual(await Promise.all(rest), ['done 2', 'done 3', 'done 4'])
})

test('as many flushes are under way at once as were asked for', async () => {
  const { batches, flush, release } = gated()
  const add = batched(flush, 10, 2)
  const all: Promise<string>[] = []
  for (const item of [0, 1, 2, 3]) {
    all.push(add(item))
    await turn()
  }
  assert.deepEqual(batches, [[0], [1]])
  await release()
  assert.deepEqual(batches, [[0], [1], [2, 3]])
  await release()
  assert.equal((await Promise.all(all)).at(-1), 'done 3')
})

test('of flushes that wait for their turns at the same moment, one that finds nothing left does nothing', async () => {
  const batches: number[][] = []
  const turns: (() => void)[] = []
  const flush = async (items: number[]) => {
    batches.push(items)
    return items
  }
  const add = batched(flush, 1000, 2, () => new Promise<void>(resolve => turns.push(resolve)))
  const first = add(0)
  await turn()
  const second = add(1)
  await turn()
  for (const each of turns.splice(0)) each()
  assert.deepEqual(await Promise.all([first, second]), [0, 1])
  await turn()
  assert.deepEqual(batches, [[0, 1]])
  // A flush is free again.
  const third = add(2)
  await turn()
  for (const each of turns.splice(0)) each()
  assert.equal(await third, 2)
})

test('a lone item goes at once; those of the time that its flush keeps free behind it go together, and a full flush keeps none free', async () => {
  const batches: number[][] = []
  const { flush, turn: own } = spaced(
    async (items: number[]) => {
      batches.push(items)
      return items
    },
    { msEach: 50, mostMs: 100, full: 3 },
  )
  const add = batched(flush, 1000, 2, own)
  await add(0)
  assert.deepEqual(batches, [[0]])
  const second = add(1)
  await turn()
  await turn()
  assert.deepEqual(await Promise.all([second, add(2)]), [1, 2])
  assert.deepEqual(batches, [[0], [1, 2]])
  await Promise.all([3, 4, 5].map(add))
  const last = add(6)
  await turn()
  await turn()
  assert.deepEqual(batches, [[0], [1, 2], [3, 4, 5], [6]])
  await last
})

test('a flush takes at most its maximum; the other items keep their order', async () => {
  const { batches, flush, release } = gated()
  const add = batched(flush, 2)
  const all = Promise.all([0, 1, 2, 3, 4, 5].map(add))
  await turn()
  for (let i = 0; i < 3; i++) await release()
  assert.deepEqual(batches, [
    [0, 1],
    [2, 3],
    [4, 5],
  ])
  assert.equal((await all).at(-1), 'done 5')
})

test('an error reaches the items of its flush and no others, and the next flush goes on', async () => {
  const add = batched<number, number>(async items => {
    if (items.includes(2)) throw new Error(`no ${items}`)
    return items.map(item => item * 10)
  }, 2)
  const results = await Promise.allSettled([0, 1, 2, 3, 4].map(add))
  assert.deepEqual(
    results.map(result => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message)),
    [0, 10, 'no 2,3', 'no 2,3', 40],
  )
  assert.equal(await add(7), 70)
})

test('a flush that throws before it awaits rejects its items as well', async () => {
  const add = batched<number, number>(() => {
    throw new Error('at once')
  })
  await assert.rejects(add(1), /at once/)
  await assert.rejects(add(2), /at once/)
})

test('items added from a result are flushed, too', async () => {
  const add = batched<number, number>(async items => items)
  assert.equal(await add(1).then(() => add(2)), 2)
})

test('ten thousand items are each answered with their own result', async () => {
  const add = batched<number, number>(async items => {
    await new Promise(resolve => setImmediate(resolve))
    return items.map(item => -item)
  }, 1000)
  const results = await Promise.all(Array.from({ length: 10_000 }, (_, i) => add(i)))
  assert.ok(results.every((result, i) => result === -i))
})

test('items that may wait are gathered, and one that may not takes them with it', async () => {
  const batches: number[][] = []
  const flush = async (items: number[]): Promise<number[]> => {
    batches.push(items)
    return items
  }
  const add = patient(flush, 10, { msEach: 60_000, mostMs: 60_000, full: 10 })
  await add(0, true)
  const waiting = [1, 2].map(item => add(item, true))
  for (let turns = 0; turns < 10; turns++) await turn()
  assert.deepEqual(batches, [[0]])
  await Promise.all([add(3, false), ...waiting])
  await add(4, false)
  assert.deepEqual(batches, [[0], [1, 2, 3], [4]])
})
