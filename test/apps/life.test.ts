// The life of an app: installed, upgraded, and what each may do.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { activeApps, credentialOf, installedApp, manifestOf, settingsOf } from '../../src/apps/installed.ts'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import { createUser } from '../../src/tenants/people.ts'
import { testApp } from '../support/app.ts'
import { aManifest, installApp, tryInstall } from '../support/apps.ts'

const app = await testApp()

const NOTIFY: Manifest['flows'] = [
  { id: 'tell', name: 'Tell', trigger: 'order.paid', steps: [{ id: 'say', type: 'notify', title: 'Paid', body: 'An order is paid.' }] },
]
const FLOW_SCOPES = ['notify:team', 'subscribe:order.paid']
const codesOf = (made: Awaited<ReturnType<typeof tryInstall>>) => (made.ok ? [] : made.errors.map(({ path, code }) => `${path} ${code}`))
const actionsOf = async ({ id }: { id: string }) =>
  (await app.sql`select action from audit_log where tenant_id = ${id} order by id`).map(row => row['action'])
const triggers = async ({ id }: { id: string }) =>
  (await app.sql`select event_type from app_triggers where tenant_id = ${id} order by event_type`).map(row => row['event_type'])

test('an app is installed with exactly the scopes of its manifest, once, and found by either id', async () => {
  const shop = await app.tenant()
  const manifest = aManifest({ scopes: FLOW_SCOPES, flows: NOTIFY })
  const made = await tryInstall(app, shop, manifest)
  assert.ok(made.ok)
  assert.equal(made.outcome, 'installed')
  assert.match(made.app.id, /^app_[0-9a-z]{26}$/)
  for (const name of [made.app.id, 'acme:loyalty']) {
    const { id, app_id, state, revision, scopes } = (await installedApp(app.sql, shop.id, name)) ?? assert.fail()
    assert.deepEqual(
      { id, app_id, state, revision, scopes },
      {
        id: made.app.id,
        app_id: 'acme:loyalty',
        state: 'active',
        revision: 1,
        scopes: FLOW_SCOPES,
      },
    )
  }
  assert.deepEqual(await triggers(shop), ['order.paid'])
  // The same content in another order is the same app.
  const again = await tryInstall(app, shop, Object.fromEntries(Object.entries(manifest).reverse()))
  assert.ok(again.ok)
  assert.deepEqual([again.outcome, again.app.revision], ['unchanged', 1])
  assert.deepEqual(await actionsOf(shop), ['app.install'])
})

test('an upgrade raises the revision, and what began before ends on the one it began with', async () => {
  const shop = await app.tenant()
  const { id } = await installApp(app, shop, aManifest())
  const made = await tryInstall(app, shop, aManifest({ version: '1.1.0', name: 'Points' }))
  assert.ok(made.ok)
  assert.deepEqual([made.outcome, made.app.revision, made.app.id], ['upgraded', 2, id])
  assert.equal((await manifestOf(app.sql, shop.id, id, 1))?.name, 'Loyalty')
  assert.equal((await installedApp(app.sql, shop.id, id))?.name, 'Points')
})

test('an upgrade that asks for more is refused with the list until that is granted, and gives up what it no longer asks for', async () => {
  const shop = await app.tenant()
  await installApp(app, shop, aManifest())
  const larger = aManifest({ scopes: FLOW_SCOPES, flows: NOTIFY })
  const refused = await tryInstall(app, shop, larger)
  assert.deepEqual(codesOf(refused), ['scopes[0] scope_not_granted', 'scopes[1] scope_not_granted'])
  assert.deepEqual((await installedApp(app.sql, shop.id, 'acme:loyalty'))?.scopes, [])
  assert.deepEqual(await triggers(shop), [])
  assert.equal((await installApp(app, shop, larger, { grant: true })).revision, 2)
  assert.deepEqual(await triggers(shop), ['order.paid'])
  assert.deepEqual((await installApp(app, shop, aManifest({ version: '2.0.0' }))).scopes, [])
  assert.deepEqual(await triggers(shop), [])
  assert.deepEqual(await actionsOf(shop), ['app.install', 'app.upgrade', 'app.grant', 'app.upgrade'])
})

test('an app whose required setting has no value runs once it is set, and secrets are kept encrypted', async () => {
  const shop = await app.tenant()
  const manifest = aManifest({
    config: [
      { key: 'api_key', type: 'secret', required: true },
      { key: 'rate', type: 'number' },
      { key: 'tier', type: 'enum', enumValues: ['gold', 'silver'] },
    ],
  })
  const { id, state, missing } = await installApp(app, shop, manifest)
  assert.deepEqual([state, missing], ['needs_config', ['api_key']])
  assert.deepEqual(await activeApps(app.sql, shop.id), [])
  const wrong = await tryInstall(app, shop, manifest, { config: { rate: 'a lot', tier: 'lead', api_kee: 'x' } })
  assert.deepEqual(codesOf(wrong), ['config.rate invalid_type', 'config.tier invalid_choice', 'config.api_kee unknown_setting'])
  const credential = { mode: 'hmac', secret: 'app-secret-0123456789abcdef' } as const
  const set = await installApp(app, shop, manifest, { config: { api_key: 'key-of-the-shop', rate: 2.5 }, credential })
  assert.deepEqual([set.state, set.missing, set.revision], ['active', [], 1])
  assert.deepEqual(await settingsOf(app.sql, app.keyring, shop.id, id), { api_key: 'key-of-the-shop', rate: 2.5 })
  assert.deepEqual(await credentialOf(app.sql, app.keyring, shop.id, id), credential)
  const [row] = await app.sql`select a::text as text from apps a where tenant_id = ${shop.id}`
  assert.doesNotMatch(row?.['text'], /key-of-the-shop|app-secret/)
})

test('no key and no operator installs an app', async () => {
  const shop = await app.tenant()
  const operator = await createUser(app.sql, {
    tenant: shop.id,
    email: 'operator@apps.example',
    password: 'long enough a password',
    role: 'operator',
  })
  for (const actor of [
    { type: 'api_key', id: 'key_1' },
    { type: 'agent_key', id: 'key_2' },
    { type: 'user', id: operator.id },
  ] as const)
    await assert.rejects(tryInstall(app, shop, aManifest(), { caller: { tenant: shop.id, actor } }), /An admin of the workspace/)
  const admin = await createUser(app.sql, {
    tenant: shop.id,
    email: 'admin@apps.example',
    password: 'long enough a password',
    role: 'admin',
  })
  const caller = { tenant: shop.id, actor: { type: 'user', id: admin.id } } as const
  await assert.rejects(tryInstall(app, shop, aManifest(), { caller: { ...caller, grant: 'gra_1' } }), /An admin of the workspace/)
  assert.ok((await tryInstall(app, shop, aManifest(), { caller })).ok)
})
