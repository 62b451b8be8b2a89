// Short runs of the experiments of `npm run chaos` that compare deliveries with and without other work beside them. The long ones are in docs/reliability.md.
import { test } from 'node:test'
import { runNames } from '../../bench/chaos/names.ts'
import { runRetention } from '../../bench/chaos/retention.ts'
import { KIND_NAMES } from '../../bench/chaos/unreliable-names.ts'
import { assertAllHold } from '../support/findings.ts'

test('names that are not answered, late, unknown, moving and many, then no name server: events of other workspaces arrive once, and none waits for those names', async () => {
  assertAllHold(
    await runNames({
      ordersPerSecond: 8,
      places: 40,
      rounds: 1,
      seconds: 1.5,
      crowds: { 'of each kind': KIND_NAMES },
      steps: [KIND_NAMES.length],
      webhooks: 17,
      outageMs: 1_000,
      // The long run holds it to 100 ms, with the machine to itself. A look-up that is never answered takes 7 s.
      limits: { p50Growth: 100, p99Ms: 5_000 },
      settings: { fsync: 'off' },
    }),
  )
})

test('an old log is pruned beside deliveries, retries, catch-ups, recoveries and a kill: no pending delivery is lost, and no old line is left', async () => {
  assertAllHold(
    await runRetention({
      seed: 1,
      ordersPerSecond: 8,
      seconds: 1,
      rounds: 1,
      settlingMs: 100,
      workers: 1,
      kills: 1,
      tenants: 10,
      events: 1_000,
      limits: { p50Growth: 100, p99Ms: 5_000 },
      settings: { fsync: 'off' },
    }),
  )
})
