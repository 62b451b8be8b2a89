// A short run of `npm run chaos flows`, so that every `npm test` kills workers at every boundary of a run. The long one is in docs/reliability.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runFlows } from '../../bench/chaos/flows.ts'
import { cutAt, without } from '../../bench/chaos/stillness.ts'

test('kills of workers at every boundary of a run and a crash of PostgreSQL leave one run for each event, and each effect once', async t => {
  const plan = {
    seed: 1,
    events: 40,
    everyMs: 500,
    restMs: 300,
    kills: 6,
    restarts: 1,
    workers: 2,
    boundaryMs: 30_000,
    stillMs: 30_000,
    settings: { fsync: 'off' },
  }
  const { facts, findings } = await runFlows(plan)
  t.diagnostic(JSON.stringify(facts))
  for (const { promise, figure, holds } of findings) assert.ok(holds, `${promise}: ${figure}`)
})

test('a run stands still for what is left of its time without faults, whenever these began, and cut by the steps of others where it takes its turn', () => {
  assert.deepEqual(
    without(
      [10, 100],
      [
        [0, 20],
        [40, 50],
        [90, 200],
        [200, 300],
      ],
    ),
    [
      [20, 40],
      [50, 90],
    ],
  )
  assert.deepEqual(without([10, 20], [[0, 30]]), [])
  assert.deepEqual(cutAt([10, 100], [5, 30, 60, 100]), [
    [10, 30],
    [30, 60],
    [60, 100],
  ])
})
