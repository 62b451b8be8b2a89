// Short runs of `npm run chaos`, so that every `npm test` kills workers and PostgreSQL a few times. The long runs are in docs/reliability.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextOfHeld, nextOfWaiting } from '../../bench/chaos/abandoned-leases.ts'
import { runCuts } from '../../bench/chaos/cuts.ts'
import { runKills } from '../../bench/chaos/kills.ts'
import { assertAllHold } from '../support/findings.ts'

test('four workers killed and PostgreSQL restarted under a load of orders: nothing is lost, and the log tells the truth', async () => {
  assertAllHold(
    await runKills({
      seed: 1,
      kills: 4,
      restarts: 1,
      workers: 2,
      slots: 3,
      ordersPerSecond: 8,
      pauseMs: [500, 2_500],
      // The long run holds it to 3 s, with the machine to itself. What waits would stand still for ten without the lookout's word.
      next: { p99: 12_000, most: 12_000, waiting: 9_500 },
      // The system keeps all that a killed process has written; only a power cut would need the flush.
      settings: { fsync: 'off' },
    }),
  )
})

test('PostgreSQL stopped twice and read-only for two spells under a load of orders: web and workers live, and nothing is lost', async () => {
  assertAllHold(
    await runKills({
      seed: 2,
      kills: 0,
      restarts: 2,
      spells: { count: 2, ms: [200, 1_500] },
      workers: 2,
      ordersPerSecond: 8,
      pauseMs: [300, 1_200],
      settings: { fsync: 'off' },
    }),
  )
})

test('workers cut off from the database seven times, with a reset and without a word: no ordered webhook has two senders, and nothing is lost', async () => {
  assertAllHold(
    await runCuts({
      seed: 3,
      cuts: 7,
      workers: 2,
      ordersPerSecond: 3,
      cutMs: [200, 5_000],
      pauseMs: [300, 1_000],
      settings: { fsync: 'off' },
    }),
  )
})

test('a webhook that stands still in a killed worker’s memory while more are killed counts from the first kill, and one that is queued again for each', () => {
  const kill = (until: number, mark: number) => ({ kind: 'kill' as const, from: until - 1, until, waiting: [{ id: 'w', mark }] })
  const waits = (...faults: object[]) => ({ posts: [{ endpoint: 0, at: 11_000 }], webhooks: [{ id: 'w' }], faults }) as never
  const ms = (...faults: object[]) => nextOfWaiting(waits(...faults)).map(each => each.ms)
  assert.deepEqual(ms(kill(1_000, 1), kill(4_000, 1), kill(7_000, 1)), [10_000])
  assert.deepEqual(ms(kill(1_000, 1), kill(4_000, 2), kill(7_000, 2)), [5_000])
  assert.deepEqual(ms(kill(1_000, 1), { ...kill(4_000, 1), waiting: [], held: ['w'] }), [5_000])
  assert.deepEqual(ms(kill(1_000, 1), { kind: 'restart', from: 4_000, until: 5_000 }), [])
  const held = (until: number) => ({ ...kill(until, 1), held: ['w'] })
  assert.deepEqual(
    nextOfHeld(waits(held(1_000), kill(4_000, 2), held(7_000), kill(8_000, 3))).map(each => each.ms),
    [4_000],
  )
})

test('a webhook whose job was fetched by a worker that is killed in turn counts until that fetch, and one that waits in a worker that lives counts until its request', () => {
  const [dead, living] = [11, 12]
  const faults = [
    { kind: 'kill', pid: 10, from: 999, until: 1_000, held: ['w'] },
    { kind: 'kill', pid: dead, from: 3_999, until: 4_000, held: [] },
  ]
  const ms = (...fetches: { pid: number; at: number }[]) =>
    nextOfHeld({
      posts: [{ endpoint: 0, at: 9_000 }],
      webhooks: [{ id: 'w' }],
      faults,
      fetches: fetches.map(each => ({ webhook: 'w', ...each })),
    } as never).map(each => each.ms)
  assert.deepEqual(ms({ pid: dead, at: 3_000 }, { pid: living, at: 5_000 }), [2_000])
  assert.deepEqual(ms({ pid: living, at: 3_000 }), [8_000])
  assert.deepEqual(ms({ pid: dead, at: 500 }, { pid: living, at: 5_000 }), [8_000])
})
