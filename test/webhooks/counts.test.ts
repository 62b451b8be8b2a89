// How much the database reads to count a backlog for a caller, where the backlog is larger than the count may be.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import { COUNT_MAX, RECOVERY_COUNT_SLICE, RECOVERY_COUNT_SLICES } from '../../src/limits/webhooks.ts'
import { arrayText } from '../../src/postgres/row-set.ts'
import { begin } from '../../src/postgres/sql.ts'
import * as log from '../../src/webhooks/log/store.ts'
import { recover } from '../../src/webhooks/recovery/recovery.ts'
import { testApp } from '../support/app.ts'
import { ok } from '../support/given.ts'
import { explained } from '../support/plans.ts'
import { recoverableWebhook } from './recovering.ts'

const app = await testApp()
const { sql } = app
const looking = await explained(app.superuserUrl)
after(looking.close)

/** A paused webhook with so many due deliveries, and two that wait for their next attempt: the older of these is the oldest of all. */
async function backlog(count: number) {
  const webhook = await recoverableWebhook(app)
  ok(await webhook.shop.post(`${webhook.path}/pause`))
  const oldest = newId('evt')
  const ids = [oldest, ...Array.from({ length: count - 1 }, () => newId('evt'))]
  await sql`
    insert into events (tenant_id, id, type, created_at, body)
    select ${webhook.shop.id}, i, 'order.created', now(), '{}' from unnest(${arrayText(ids)}::text::text[]) i`
  await sql`
    insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at)
    select tenant_id, ${webhook.id}, id, case when id = ${oldest} then now() + interval '30 minutes' else now() end from events where tenant_id = ${webhook.shop.id}`
  await sql`update events set created_at = now() - interval '1 day' where tenant_id = ${webhook.shop.id} and id = ${oldest}`
  return webhook
}

test('a webhook’s health looks at no more of a backlog than it counts, and finds the oldest where it waits for its next attempt', async () => {
  const large = await backlog(4 * COUNT_MAX)
  const health = ok(await large.shop.get(`${large.path}/health`))
  assert.deepEqual([health.pending, health.pending_at_least], [COUNT_MAX, true])
  assert.ok(health.oldest_pending_seconds >= 24 * 60 * 60, `${health.oldest_pending_seconds} s`)
  const plan = await looking.plan(() => log.health(looking.sql, large.shop.id, large.id))
  assert.ok(plan.rows > COUNT_MAX && plan.rows < 1.5 * COUNT_MAX, `${plan.rows} rows`)

  const small = await backlog(COUNT_MAX)
  const exact = ok(await small.shop.get(`${small.path}/health`))
  assert.deepEqual([exact.pending, exact.pending_at_least], [COUNT_MAX, false])
})

test('counting the events of a recovery is bounded work', async () => {
  const webhook = await backlog(RECOVERY_COUNT_SLICE * RECOVERY_COUNT_SLICES + 5_000)
  const caller = { tenant: webhook.shop.id, actor: { type: 'system' as const } }
  const counted = async (input: object) => {
    let answer: Awaited<ReturnType<typeof recover>> | undefined
    const plan = await looking.plan(async () => {
      answer = await begin(looking.sql, tx => recover(tx, caller, webhook.id, { dry_run: true, ...input } as never))
    })
    const preview = answer && 'preview' in answer ? answer.preview : undefined
    return { plan, of: [preview?.total, preview?.total_at_least] }
  }
  const since = new Date(Date.now() - 60_000).toISOString()
  const all = await counted({ scope: 'all', since })
  assert.deepEqual(all.of, [COUNT_MAX, true])
  // The end of the slice, the events, and a delivery for each.
  assert.ok(all.plan.rows < 1.2 * (RECOVERY_COUNT_SLICE + 2 * COUNT_MAX), `${all.plan.rows} rows`)
  const none = await counted({ scope: 'undelivered', since })
  assert.deepEqual(none.of, [0, true])
  assert.ok(none.plan.rows < 4 * RECOVERY_COUNT_SLICE * RECOVERY_COUNT_SLICES, `${none.plan.rows} rows`)
})
