// Workspaces, their people and their keys, as they are made and as they are kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindOf } from '../../src/access/key.ts'
import { createKey, revokeKey } from '../../src/access/keys.ts'
import { newId } from '../../src/ids.ts'
import { sha256 } from '../../src/secrets.ts'
import { createUser } from '../../src/tenants/people.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { testApp } from '../support/app.ts'
import { anOrder, aProduct } from '../support/given.ts'

const app = await testApp()

test('a workspace has its plan and its currency, which prices without a currency take', async () => {
  const { id, ...rest } = await createTenant(app.sql, { name: 'Dollars', plan: 'starter', currency: 'USD' })
  assert.match(id, /^ten_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.deepEqual(rest, { name: 'Dollars', plan: 'starter' })
  const { key } = await createKey(app.sql, { tenant: id, kind: 'rest', scopes: ['read', 'write'] })
  for (const [path, body] of [
    ['/api/v1/orders', anOrder()],
    ['/api/v1/products', aProduct()],
  ] as const) {
    const reply = await app.request('POST', path, { key, body })
    assert.equal(reply.body.currency, 'USD')
    assert.equal(reply.headers.get('x-ratelimit-limit'), '15')
  }
})

test('a key is kept as a hash with its prefix and last four characters, never as it is', async () => {
  const { id: tenant } = await createTenant(app.sql, { name: 'A', plan: 'free', currency: 'EUR' })
  for (const [kind, form] of [
    ['rest', /^sk_[0-9A-Za-z]{40}$/],
    ['mcp', /^mcp_[0-9A-Za-z]{40}$/],
  ] as const) {
    const { id, key, scopes } = await createKey(app.sql, { tenant, kind, scopes: ['read'], name: 'till' })
    assert.match(key, form)
    assert.match(id, /^key_/)
    assert.deepEqual(scopes, ['read'])
    assert.equal(kindOf(key), kind)
    const [row] = await app.sql`select * from api_keys where id = ${id}`
    assert.deepEqual(row?.['hash'], sha256(key))
    assert.deepEqual([row?.['prefix'], row?.['last_four'], row?.['name']], [key.slice(0, key.indexOf('_') + 1), key.slice(-4), 'till'])
    assert.ok(!JSON.stringify(row).includes(key))
  }
})

test('each creation and revocation is in the audit log with its actor, and without a secret', async () => {
  const cli = { type: 'cli' } as const
  const { id: tenant } = await createTenant(app.sql, { name: 'A', plan: 'free', currency: 'EUR' }, cli)
  const user = { tenant, email: 'ada@example.com', password: 'correct horse', role: 'admin' } as const
  const ada = await createUser(app.sql, user, cli)
  const { id, key } = await createKey(app.sql, { tenant, kind: 'rest', scopes: ['read'], name: 'till' }, { type: 'user', id: ada.id })
  await assert.rejects(createUser(app.sql, user, cli))
  assert.equal(await revokeKey(app.sql, tenant, id, cli), true)
  assert.equal(await revokeKey(app.sql, tenant, id, cli), false, 'revoking it again changes nothing')
  assert.equal(await revokeKey(app.sql, tenant, newId('key'), cli), false)
  const rows = await app.sql`
    select actor_type, actor_id, action, subject_id, details from audit_log where tenant_id = ${tenant} order by id`
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [
      ['cli', null, 'tenant.create', tenant, { name: 'A', plan: 'free', currency: 'EUR', time_zone: 'UTC' }],
      ['cli', null, 'user.create', ada.id, { email: 'ada@example.com', role: 'admin' }],
      ['user', ada.id, 'key.create', id, { kind: 'rest', scopes: ['read'], name: 'till' }],
      ['cli', null, 'key.revoke', id, {}],
    ],
  )
  for (const secret of [key, key.slice(3, -6), user.password, sha256(key).toString('hex')])
    assert.ok(!JSON.stringify(rows).includes(secret))
})

test('an action that cannot be audited is not carried out', async () => {
  const { id: tenant } = await createTenant(app.sql, { name: 'A', plan: 'free', currency: 'EUR' })
  const { id } = await createKey(app.sql, { tenant, kind: 'rest', scopes: ['read'] })
  await app.sql.unsafe(`alter table audit_log add constraint none_of_it check (tenant_id <> '${tenant}') not valid`)
  await assert.rejects(createKey(app.sql, { tenant, kind: 'rest', scopes: ['read'] }))
  await assert.rejects(createUser(app.sql, { tenant, email: 'dora@example.com', password: 'correct horse', role: 'admin' }))
  await assert.rejects(revokeKey(app.sql, tenant, id))
  await app.sql`alter table audit_log drop constraint none_of_it`
  assert.deepEqual([...(await app.sql`select id, revoked_at from api_keys where tenant_id = ${tenant}`)], [{ id, revoked_at: null }])
  assert.equal((await app.sql`select 1 from memberships where tenant_id = ${tenant}`).length, 0)
  assert.equal((await app.sql`select 1 from users where email = 'dora@example.com'`).length, 0)
})

test('the checksum of a key notices every mistyped character', async () => {
  const { id: tenant } = await createTenant(app.sql, { name: 'A', plan: 'free', currency: 'EUR' })
  const { key } = await createKey(app.sql, { tenant, kind: 'rest', scopes: ['read'] })
  for (let at = 3; at < key.length; at++) {
    const mistyped = key.slice(0, at) + (key[at] === 'a' ? 'b' : 'a') + key.slice(at + 1)
    assert.equal(kindOf(mistyped), undefined)
  }
  assert.equal(kindOf(`mcp_${key.slice(3)}`), undefined, 'a key of one surface is not valid for the other')
})
