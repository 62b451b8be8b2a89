// Short runs of `npm run chaos`, so that every `npm test` kills workers and PostgreSQL a few times. The long runs are in docs/reliability.md.
import { test } from 'node:test'
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
      // The long run holds it to 3 s, with the machine to itself.
      next: { p99: 12_000, most: 12_000 },
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
