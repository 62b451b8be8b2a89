// A short run of `npm run chaos conversations`, so that every `npm test` kills web and worker in the middle of conversations. The long one is in
// docs/reliability.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runConversations } from '../../bench/chaos/conversations.ts'

test('kills of web and worker and a crash of PostgreSQL lose no message, double none, and send none twice', async t => {
  const settings = { fsync: 'off' }
  const plan = {
    seed: 1,
    customers: 20,
    updates: 200,
    replies: 60,
    kills: 3,
    restarts: 1,
    workers: 2,
    pauseMs: [500, 1_500] as [number, number],
    settings,
  }
  const { facts, findings } = await runConversations(plan)
  t.diagnostic(JSON.stringify(facts))
  for (const { promise, figure, holds } of findings) assert.ok(holds, `${promise}: ${figure}`)
})
