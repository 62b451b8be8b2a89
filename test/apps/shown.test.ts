// What of installed apps is shown: their views, judged anew, and how they have been doing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disable } from '../../src/apps/deeds.ts'
import { viewsOf } from '../../src/apps/views.ts'
import { newId } from '../../src/ids.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { fullManifest, installApp } from '../support/apps.ts'

const app = await testApp()

test('views are judged again when they are handed out, and hidden with a disabled app', async () => {
  const shop = await app.tenant()
  const manifest = {
    ...fullManifest,
    views: [
      ...(fullManifest.views ?? []),
      { id: 'page', name: 'Page', target: 'dashboard.page' as const, component: 'custom:https://loyalty.example/page' },
      { id: 'moved', name: 'Moved', target: 'dashboard.page' as const, component: 'custom:https://moved.example/' },
    ],
  }
  const { id } = await installApp(app, shop, manifest)
  const contents = async () => Object.fromEntries((await viewsOf(app.sql, shop.id)).map(view => [view.id, view.content]))
  assert.deepEqual(await contents(), {
    tab: { kind: 'list', resource: 'acme:loyalty:points' },
    page: { kind: 'frame', url: 'https://loyalty.example/page' },
    moved: { kind: 'frame', url: 'https://moved.example/' },
  })
  assert.deepEqual(
    (await viewsOf(app.sql, shop.id, 'contact.tabs')).map(view => view.id),
    ['tab'],
  )
  assert.deepEqual(await viewsOf(app.sql, (await app.tenant()).id), [])
  // As one that was installed under rules of before would be. Of a revision of its own, for manifests are kept read.
  await app.sql`
    insert into app_revisions (tenant_id, app, revision, hash, manifest, created_at)
    select tenant_id, app, 9, hash, replace(replace(manifest, 'moved.example', '127.1'), 'list:points', 'list:gone'), now()
      from app_revisions where tenant_id = ${shop.id}`
  await app.sql`update apps set revision = 9 where tenant_id = ${shop.id}`
  const { tab, moved } = await contents()
  assert.deepEqual(tab, { kind: 'fault', code: 'unknown_resource', reason: 'This view lists gone, which the app does not have.' })
  assert.equal(moved?.kind === 'fault' && moved.code, 'private_host')
  await begin(app.sql, tx => disable(tx, { tenant: shop.id, actor: { type: 'cli' } }, id))
  assert.deepEqual(await viewsOf(app.sql, shop.id), [])
})

test('the health of an app counts calls of a day by their outcome, trials aside, and says whether it is spared', async () => {
  const shop = await app.tenant()
  const { id } = await installApp(app, shop, fullManifest)
  const call = (over: { stage: string; code?: string; purpose?: string; ms: number; hours?: number }) => app.sql`
    insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, key, input, stage, code, error, duration_ms, created_at, ended_at)
    values (${shop.id}, ${newId('call')}, ${id}, 1, 'balance', ${over.purpose ?? 'run'}, ${newId('run')}, 'k', '{}', ${over.stage}, ${over.code ?? null},
            ${over.code ? 'It did not answer.' : null}, ${over.ms}, now() - make_interval(hours => ${over.hours ?? 1}), now())`
  const path = '/api/platform/apps/acme:loyalty/health'
  const none = (await shop.get(path)).body
  assert.deepEqual([none.calls.total, none.calls.duration_ms, none.last_error], [0, { p50: null, p95: null }, null])
  for (const ms of [10, 20, 30]) await call({ stage: 'done', ms })
  await call({ stage: 'network', code: 'timeout', ms: 30_000 })
  await call({ stage: 'network', code: 'timeout', ms: 1, purpose: 'test' })
  await call({ stage: 'http', code: 'http_status', ms: 1, hours: 25 })
  await app.sql`
    insert into skill_breakers (tenant_id, app, failures, openings, spared_until)
    values (${shop.id}, ${id}, 5, 1, now() + interval '30 seconds')`
  const { body } = await shop.get(path)
  assert.deepEqual(body.calls, {
    total: 4,
    succeeded: 3,
    failed: 1,
    outcomes: { done: 3, timeout: 1 },
    duration_ms: { p50: 20, p95: 30_000 },
  })
  assert.deepEqual([body.breaker.state, body.breaker.consecutive_failures, body.last_error.code], ['open', 5, 'timeout'])
  assert.equal((await (await app.tenant()).get(path)).status, 404)
})
