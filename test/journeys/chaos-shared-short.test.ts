// Short runs of those experiments of `npm run chaos` that can be done one after the other with one database, web and worker. The long ones are in
// docs/reliability.md.
import { test } from 'node:test'
import { backlog } from '../../bench/chaos/backlog.ts'
import { fairness } from '../../bench/chaos/fairness.ts'
import { hanging, needsOf } from '../../bench/chaos/hanging.ts'
import { isolation } from '../../bench/chaos/isolation.ts'
import { withShops } from '../../bench/chaos/shops.ts'
import { soak } from '../../bench/chaos/soak.ts'
import { assertAllHold } from '../support/findings.ts'

const PLACES = 12
const TIMEOUT_MS = 10_000
/** The long runs hold it to twice the time without the others, with the machine to itself. What waited for a slot would wait for an answer. */
const WAIT_MAX_MS = 5_000
const settings = { fsync: 'off', autovacuum_naptime: '2s' }

test('channels, webhooks and workspaces that would take all slots of a worker, a backlog, and what is left of it all', async t =>
  withShops(needsOf({ places: PLACES, timeoutMs: TIMEOUT_MS, settings }), async shops => {
    await t.test('channels whose platform hangs keep no reply of others waiting, and no webhook', async () => {
      assertAllHold(
        await hanging(
          {
            ordersPerSecond: 8,
            repliesPerSecond: 8,
            rounds: 1,
            seconds: 0.5,
            channels: 16,
            customers: 10,
            places: PLACES,
            ways: ['of one workspace'],
            limits: { growth: 0, p99Ms: WAIT_MAX_MS },
            timeoutMs: TIMEOUT_MS,
          },
          shops,
        ),
      )
    })

    await t.test('receivers that are silent, reset, drip or flood keep no other waiting, and the worker small', async () => {
      assertAllHold(
        await isolation(
          {
            seed: 1,
            ordersPerSecond: 24,
            places: PLACES,
            rounds: 1,
            seconds: 0.5,
            healthy: 10,
            bad: { 'black hole': 14, drip: 2, reset: 1, flood: 1 },
            limits: { growth: 0, p99Ms: WAIT_MAX_MS },
          },
          await shops.anew(),
        ),
      )
    })

    await t.test('a workspace with more slow webhooks than there are slots keeps no other waiting', async () => {
      assertAllHold(
        await fairness(
          {
            ordersPerSecond: 8,
            places: PLACES,
            rounds: 1,
            seconds: 0.5,
            ways: ['slow'],
            webhooks: 16,
            standing: 10,
            limits: { p50Growth: 100, p99Ms: WAIT_MAX_MS },
          },
          await shops.anew(),
        ),
      )
    })

    await t.test('a delivery costs the database as much with fifteen thousand waiting as with next to none', async () => {
      assertAllHold(
        await backlog(
          { deliveries: 15_000, rounds: 1, seconds: 0.4, endpoints: 10, receivers: 'slow', limits: { share: 0.3, cost: 4 } },
          await shops.anew(),
        ),
      )
    })

    // It begins with the dead rows of the backlog.
    await t.test('after a load dead rows are cleared, no transaction is open, and no delivery, job or lease is left', async () => {
      assertAllHold(await soak({ minutes: 0.03, ordersPerSecond: 8, endpoints: 10, sampleMs: 500 }, await shops.anew()))
    })
  }))
