// The life of an app: installed, upgraded, and what each may do.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { configure, disable, enable, setCredential, uninstall } from '../../src/apps/deeds.ts'
import { install } from '../../src/apps/install.ts'
import { activeApps, installedApp, manifestOf, settingsOf } from '../../src/apps/installed.ts'
import { pruneUninstalled } from '../../src/apps/leftovers.ts'
import type { Manifest } from '../../src/apps/manifest/shape.ts'
import { sealedApps } from '../../src/apps/sealed.ts'
import { eventTypes } from '../../src/catalog.ts'
import { titlesOf } from '../../src/knowledge/knowledge.ts'
import { pruneAll } from '../../src/postgres/prune.ts'
import { begin } from '../../src/postgres/sql.ts'
import * as records from '../../src/records/records.ts'
import { reencrypt } from '../../src/reencrypt.ts'
import { createUser } from '../../src/tenants/people.ts'
import { testApp } from '../support/app.ts'
import { aManifest, credentialOf, fullManifest, installApp, tryInstall } from '../support/apps.ts'

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

test('a version that goes back is warned of, by the precedence of semver', async () => {
  const shop = await app.tenant()
  const told = []
  const versions =
    '1.2.0 1.10.0 1.9.3 2.0.0-beta.2 2.0.0-beta.10 2.0.0-beta 2.0.0-9 2.0.0-alpha 2.0.0 2.0.0-rc.1 2.0.0+build 2.0.0+other 10.0.0 9007199254740993.0.0 9007199254740992.0.0'
  for (const version of versions.split(' ')) {
    const made = await tryInstall(app, shop, aManifest({ version }))
    assert.ok(made.ok)
    if (made.warnings.some(({ path, code }) => `${path} ${code}` === 'version older_version')) told.push(version)
  }
  assert.deepEqual(told, ['1.9.3', '2.0.0-beta', '2.0.0-9', '2.0.0-rc.1', '9007199254740992.0.0'])
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
  assert.deepEqual(await settingsOf(app.sql, app.keyring, shop.id, id), { plain: { rate: 2.5 }, secret: { api_key: 'key-of-the-shop' } })
  assert.deepEqual(await credentialOf(app, shop, id), credential)
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

const POINTS = (over: Partial<NonNullable<Manifest['resources']>[number]['fields'][number]>[] = []): Manifest =>
  aManifest({
    scopes: ['read:records', 'write:records'],
    resources: [
      {
        id: 'points',
        name: 'Points',
        fields: [
          { name: 'amount', type: 'number', ...over[0] },
          { name: 'tier', type: 'enum', enumValues: ['gold', 'silver'], ...over[1] },
        ],
      },
    ],
  })
const fieldsOf = (manifest: Manifest) => (manifest.resources?.[0] ?? assert.fail()).fields

async function aRecord({ id: tenant }: { id: string }, external_id: string) {
  const caller = { tenant, actor: { type: 'cli' } } as const
  return begin(app.sql, tx => records.create(tx, caller, 'acme:loyalty:points', { values: { amount: 1, tier: 'gold' }, external_id }))
}
const recordsOf = async ({ id: tenant }: { id: string }) =>
  (await app.sql`select count(*)::integer as count from records where tenant_id = ${tenant}`)[0]?.['count']

test('an upgrade that records would not fit is refused with their count, and is free while there are none', async () => {
  const shop = await app.tenant()
  await installApp(app, shop, POINTS())
  await aRecord(shop, '1')
  await aRecord(shop, '2')
  const without = POINTS()
  fieldsOf(without).pop()
  const more = POINTS()
  fieldsOf(more).push({ name: 'reason', type: 'string', required: true })
  const refused: [string, Manifest, string][] = [
    ['a field removed', without, 'resources[0].fields schema_change'],
    ['a field renamed', POINTS([{ name: 'sum' }]), 'resources[0].fields schema_change'],
    ['another type', POINTS([{ type: 'string' }]), 'resources[0].fields[0].type schema_change'],
    ['a value taken away', POINTS([{}, { enumValues: ['gold', 'lead'] }]), 'resources[0].fields[1].enumValues schema_change'],
    ['a field made required', POINTS([{ required: true }]), 'resources[0].fields[0].required schema_change'],
    ['a new required field', more, 'resources[0].fields[2].required schema_change'],
    ['the resource removed', aManifest(), 'resources schema_change'],
  ]
  for (const [what, manifest, expected] of refused) {
    const made = await tryInstall(app, shop, manifest)
    assert.deepEqual(codesOf(made), [expected], what)
    assert.match(made.ok ? '' : (made.errors[0]?.message ?? ''), /points has 2 records/, what)
  }
  assert.equal((await installedApp(app.sql, shop.id, 'acme:loyalty'))?.revision, 1)
  const widened = POINTS([{}, { enumValues: ['silver', 'lead', 'gold'] }])
  fieldsOf(widened).push({ name: 'reason', type: 'string' })
  assert.equal((await installApp(app, shop, widened)).revision, 2)
  // Back, which takes away what no record has used: refused all the same, for nobody looks into them.
  assert.deepEqual(codesOf(await tryInstall(app, shop, POINTS())), [
    'resources[0].fields schema_change',
    'resources[0].fields[1].enumValues schema_change',
  ])
  const empty = await app.tenant()
  await installApp(app, empty, POINTS())
  for (const [what, manifest] of refused) assert.ok((await tryInstall(app, empty, manifest)).ok, what)
})

test('of two upgrades at once one wins and the other is told, and a dry run writes nothing', async () => {
  const shop = await app.tenant()
  await installApp(app, shop, aManifest())
  const planned = await tryInstall(app, shop, aManifest({ name: 'One' }), { dryRun: true })
  assert.ok(planned.ok)
  assert.deepEqual([planned.outcome, planned.app.revision], ['upgraded', 2])
  assert.deepEqual(await actionsOf(shop), ['app.install'])
  const made = await Promise.allSettled(['One', 'Two'].map(name => tryInstall(app, shop, aManifest({ name }), { expected: 1 })))
  assert.deepEqual(made.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  const lost = made.find(each => each.status === 'rejected')
  assert.match(String(lost?.reason), /meanwhile/)
  assert.equal((await installedApp(app.sql, shop.id, 'acme:loyalty'))?.revision, 2)
})

test('a workspace has fifty apps, of two that are installed at once too; an upgrade needs no place, and one that is uninstalled leaves its own', async () => {
  const shop = await app.tenant()
  const named = (slug: string, over: Partial<Manifest> = {}) => tryInstall(app, shop, aManifest({ id: `acme:${slug}`, ...over }))
  for (let n = 1; n < 50; n++) assert.ok((await named(`app${n}`)).ok)
  const both = await Promise.all([named('one'), named('other')])
  assert.deepEqual(both.flatMap(codesOf), [' too_many_apps'])
  assert.ok((await named('app1', { name: 'Renamed' })).ok)
  const leave = (slug: string) => begin(app.sql, tx => uninstall(tx, { tenant: shop.id, actor: { type: 'cli' } }, `acme:${slug}`))
  await leave('app1')
  assert.ok((await named('later')).ok)
  assert.deepEqual(codesOf(await named('app1')), [' too_many_apps'])
})

test('a disabled app lets its records be read and not written, and its flows and knowledge rest until it is enabled', async () => {
  const shop = await app.tenant()
  const caller = { tenant: shop.id, actor: { type: 'cli' } } as const
  const { id } = await installApp(app, shop, fullManifest)
  const titles = async () => (await titlesOf(app.sql, shop.id)).map(({ title, source }) => [title, source])
  assert.deepEqual(await titles(), [['How points work', 'app']])
  await begin(app.sql, tx => disable(tx, caller, 'acme:loyalty'))
  assert.deepEqual([await titles(), await triggers(shop), await activeApps(app.sql, shop.id)], [[], [], []])
  assert.equal((await shop.get(`/api/platform/apps/${id}`)).body.status, 'disabled')
  await assert.rejects(aRecord(shop, '1'), /disabled/)
  // Neither an upgrade nor a setting enables it.
  await installApp(app, shop, { ...fullManifest, name: 'Points' })
  await begin(app.sql, tx => configure(tx, caller, id, { rate: 2 }, app.keyring))
  assert.equal((await installedApp(app.sql, shop.id, id))?.state, 'disabled')
  await begin(app.sql, tx => enable(tx, caller, id))
  assert.deepEqual([await titles(), await triggers(shop)], [[['How points work', 'app']], ['order.paid']])
  assert.deepEqual(await actionsOf(shop), ['app.install', 'app.disable', 'app.upgrade', 'app.configure', 'app.enable'])
})

test('an upgrade leaves a text that is as it was its id and time, changes one in its place, and takes away what is gone', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()]
  const texts = (...given: [id: string, title: string, content: string][]) =>
    aManifest({ knowledge: given.map(([id, title, content]) => ({ id, title, content })) })
  const known = async (of: { id: string }) =>
    Object.fromEntries((await titlesOf(app.sql, of.id)).map(({ title, id, updated_at }) => [title, { id, updated_at }]))
  const first = texts(['a', 'A', 'one'], ['b', 'B', 'two'], ['c', 'C', 'three'])
  for (const each of [shop, other]) await installApp(app, each, first)
  await installApp(app, shop, { ...texts(['z', 'Z', 'of another app']), id: 'acme:other' })
  const [before, theirs] = [await known(shop), await known(other)]
  await installApp(app, shop, texts(['b', 'B', 'changed'], ['a', 'A', 'one'], ['d', '1st', 'four']))
  const after = await known(shop)
  assert.deepEqual(Object.keys(after), ['1st', 'A', 'B', 'Z'], 'by their titles')
  assert.deepEqual([after['A'], after['B']?.id], [before['A'], before['B']?.id])
  assert.ok((after['B']?.updated_at ?? '') > (before['B']?.updated_at ?? ''))
  assert.deepEqual(await known(other), theirs)
  await installApp(app, shop, aManifest())
  assert.deepEqual(await known(shop), { Z: before['Z'] })
})

test('installing again within a month brings back records and settings, and after it nothing is left', async () => {
  const shop = await app.tenant()
  const caller = { tenant: shop.id, actor: { type: 'cli' } } as const
  const manifest = { ...POINTS(), config: [{ key: 'api_key', type: 'secret' as const }] }
  const { id } = await installApp(app, shop, manifest, { config: { api_key: 'kept' } })
  await aRecord(shop, '1')
  const leave = () => begin(app.sql, tx => uninstall(tx, caller, 'acme:loyalty'))
  await leave()
  assert.equal(await installedApp(app.sql, shop.id, id), undefined)
  for (const name of [id, 'acme:loyalty']) assert.equal((await shop.get(`/api/platform/apps/${name}`)).status, 404)
  await assert.rejects(leave(), /no such app/)
  const since = (days: number) => app.sql`
    update apps set uninstalled_at = now() - make_interval(days => ${days}) where tenant_id = ${shop.id}`
  await since(29)
  await pruneAll(app.sql, pruneUninstalled)
  assert.deepEqual(codesOf(await tryInstall(app, shop, aManifest())), ['resources schema_change'])
  const back = await installApp(app, shop, manifest)
  assert.deepEqual([back.id, back.state, await recordsOf(shop)], [id, 'active', 1])
  assert.deepEqual(await settingsOf(app.sql, app.keyring, shop.id, id), { plain: {}, secret: { api_key: 'kept' } })
  await leave()
  await since(31)
  await assert.rejects(tryInstall(app, shop, manifest), /being deleted/)
  await pruneAll(app.sql, pruneUninstalled)
  assert.equal(await recordsOf(shop), 0)
  const anew = await installApp(app, shop, manifest)
  assert.notEqual(anew.id, id)
  assert.deepEqual(await settingsOf(app.sql, app.keyring, shop.id, anew.id), { plain: {}, secret: {} })
})

test('settings and credentials can be replaced, and SECRET_KEY be rotated, without a restart', async () => {
  const shop = await app.tenant()
  const caller = { tenant: shop.id, actor: { type: 'cli' } } as const
  const manifest = aManifest({ config: [{ key: 'api_key', type: 'secret', required: true }] })
  const { id } = await installApp(app, shop, manifest)
  const set = await begin(app.sql, tx => configure(tx, caller, id, { api_key: 'first-of-the-shop' }, app.keyring))
  assert.equal(set.ok && set.app.state, 'active')
  const wrong = await begin(app.sql, tx => setCredential(tx, caller, id, { mode: 'bearer', secret: 'has a space' }, app.keyring))
  assert.equal(wrong.ok ? '' : wrong.errors[0]?.code, 'invalid_format')
  await begin(app.sql, tx => setCredential(tx, caller, id, { mode: 'bearer', secret: 'token-of-the-shop' }, app.keyring))
  const { body } = await shop.get(`/api/platform/apps/${id}`)
  assert.deepEqual([body.credential.mode, body.credential.set, body.config[0].set], ['bearer', true, true])
  assert.doesNotMatch(JSON.stringify(body), /of-the-shop/)
  const rotated = { k9: randomBytes(32), ...app.keyring }
  const done = await reencrypt(app.sql, rotated, [sealedApps], () => {})
  assert.ok(done.done >= 1 && done.left === 0)
  const alone = { k9: rotated.k9 }
  assert.deepEqual(await settingsOf(app.sql, alone, shop.id, id), { plain: {}, secret: { api_key: 'first-of-the-shop' } })
  assert.deepEqual(await credentialOf({ ...app, keyring: alone }, shop, id), { mode: 'bearer', secret: 'token-of-the-shop' })
  const gone = await begin(app.sql, tx => configure(tx, caller, id, { api_key: null }, alone))
  assert.deepEqual(gone.ok && [gone.app.state, gone.app.missing], ['needs_config', ['api_key']])
  // What was set of a key that leaves, or becomes something else, is gone with it.
  await begin(app.sql, tx => configure(tx, caller, id, { api_key: 'second-of-the-shop' }, alone))
  const plain = aManifest({ config: [{ key: 'api_key', type: 'string' }] })
  await begin(app.sql, tx =>
    install(tx, caller, { manifest: plain }, { keyring: alone, triggers: eventTypes, outbound: app.config.outbound }),
  )
  assert.deepEqual(await settingsOf(app.sql, alone, shop.id, id), { plain: {}, secret: {} })
  const texts = await app.sql`select t::text as text from (select to_jsonb(l) from audit_log l where tenant_id = ${shop.id}) t`
  assert.doesNotMatch(texts.map(({ text }) => text).join(), /of-the-shop/)
})
