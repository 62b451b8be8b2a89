import { deepEqual, equal } from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Ref } from '../../src/ids.ts'
import { inTurn } from '../../src/queue/in-turn.ts'

/** A queue whose jobs come at once, or not before they are fetched, and turns that last until they are ended. */
function toys(most: number) {
  const stopping = new AbortController()
  const began: string[] = []
  const queued: { id: string; after: number }[] = []
  const idle = new Set<string>()
  const ends = new Map<string, () => void>()
  const run = inTurn(
    {
      most,
      stopping: stopping.signal,
      async queue(ref: Ref, after: number) {
        queued.push({ id: ref.id, after })
        if (idle.has(ref.id)) return false
        if (after === 0 && !stopping.signal.aborted) void run(ref)
        return true
      },
    },
    ({ id }) => {
      began.push(id)
      return new Promise<void>(resolve => ends.set(id, resolve))
    },
  )
  const come = (id: string, tenant = id): void => void run({ tenant, id })
  const end = async (id: string): Promise<void> => {
    ends.get(id)?.()
    for (let i = 0; i < 5; i++) await turn()
  }
  return { began, queued, idle, come, end, stopping }
}

test('what waits for a place gets it as soon as one is free, by a job that is due at once', async () => {
  const { began, queued, come, end } = toys(2)
  for (const id of ['a', 'b', 'c', 'd']) come(id)
  await turn()
  deepEqual([began, queued], [['a', 'b'], []])
  await end('b')
  deepEqual([began, queued], [['a', 'b', 'c'], [{ id: 'c', after: 0 }]])
  await end('a')
  deepEqual(began, ['a', 'b', 'c', 'd'])
})

test('tenants take turns, however many rows of one wait; and a row waits once', async () => {
  const { began, come, end } = toys(1)
  come('a0', 'a')
  for (const id of ['a1', 'a2', 'a2', 'a1', 'a3']) come(id, 'a')
  come('b1', 'b')
  for (const id of ['a0', 'a1', 'b1', 'a2', 'a3']) await end(id)
  deepEqual(began, ['a0', 'a1', 'b1', 'a2', 'a3'])
})

test('a row that another process serves by now gives its place to the next one', async () => {
  const { began, idle, come, end } = toys(1)
  for (const id of ['a', 'b', 'c']) come(id)
  idle.add('b')
  await end('a')
  deepEqual(began, ['a', 'c'])
})

test('what waits in a process that stops gets its job, for another process; and what comes then waits in the queue', async () => {
  const { began, queued, come, stopping } = toys(1)
  for (const id of ['a', 'b']) come(id)
  stopping.abort()
  come('c')
  await turn()
  deepEqual(began, ['a'])
  deepEqual(
    queued.map(({ id }) => id),
    ['b', 'c'],
  )
})

test('no more wait in a process than it can remember: the others have their jobs a second later', async () => {
  const { queued, come } = toys(1)
  for (let n = 0; n < 600; n++) come(`row${n}`)
  await turn()
  equal(queued.length, 600 - 1 - 512)
  equal(
    queued.every(({ after }) => after === 1),
    true,
  )
})
