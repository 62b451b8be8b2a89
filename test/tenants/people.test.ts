// People: one account for all their workspaces, and what they are in each.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { disableAccount, enableAccount } from '../../src/access/disabling.ts'
import { issueKey } from '../../src/access/issue.ts'
import { isPassword } from '../../src/access/password.ts'
import { makeReset, resetOf } from '../../src/access/reset.ts'
import { beginSession, sessionOfToken } from '../../src/access/sessions.ts'
import type { Caller } from '../../src/caller.ts'
import { newId } from '../../src/ids.ts'
import { approve, listGrants } from '../../src/oauth/grants.ts'
import { violatedConstraint } from '../../src/postgres/errors.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { emailOf, nameOf } from '../../src/tenants/email.ts'
import { invite } from '../../src/tenants/invitations.ts'
import * as people from '../../src/tenants/people.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { isTimeZone } from '../../src/tenants/time-zone.ts'
import { command } from '../support/command.ts'
import { connectedDatabase } from '../support/database.ts'
import { sessionWaits } from '../support/locks.ts'
import { aPerson } from '../support/people.ts'
import { settingsOf } from '../support/shopdesk.ts'

const { url, sql } = await connectedDatabase({ lanes: 0, pool: 4 })

const cli = (tenant: string): Caller => ({ tenant, actor: { type: 'cli' } })
const aWorkspace = async () => (await createTenant(sql, { name: 'A shop', plan: 'free', currency: 'EUR' })).id
const inTx = <T>(work: (tx: Tx) => Promise<T>) => begin(sql, work)
const rolesIn = async (tenant: string) => Object.fromEntries((await people.peopleOf(sql, tenant)).map(({ email, role }) => [email, role]))
const auditOf = async (tenant: string) =>
  (await sql`select action, subject_id, details from audit_log where tenant_id = ${tenant} and action <> 'tenant.create' order by id`).map(
    row => Object.values(row),
  )
const refused = (code: string) => (error: unknown) => error instanceof Problem && error.members['code'] === code

describe('people', () => {
  test('a password is kept as Argon2id with its parameters, never as it is', async () => {
    const tenant = await aWorkspace()
    const { id } = await people.createUser(sql, { tenant, email: 'Pia@Example.com', password: 'correct horse battery', role: 'admin' })
    assert.match(id, /^usr_/)
    const [row] = await sql`select email, password_hash from users where id = ${id}`
    assert.equal(row?.['email'], 'Pia@Example.com')
    assert.match(row?.['password_hash'], /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    assert.equal(await isPassword('correct horse battery', row?.['password_hash']), true)
  })

  test('an address has one account, in upper or lower case, and joins further workspaces with it', async () => {
    const [one, two] = [await aWorkspace(), await aWorkspace()]
    const id = await aPerson(sql, one, 'ada@example.com')
    const again = people.createUser(sql, { tenant: two, email: 'ADA@example.com', password: 'correct horse', role: 'operator' })
    await assert.rejects(again, error => violatedConstraint(error) === 'users_email')
    assert.deepEqual(await rolesIn(two), {})
    const added = await inTx(tx => people.addMember(tx, cli(two), { email: 'Ada@Example.com', role: 'operator' }))
    assert.deepEqual(added, { id, email: 'ada@example.com', name: null, role: 'operator' })
    await assert.rejects(
      inTx(tx => people.addMember(tx, cli(two), { email: 'ada@example.com', role: 'admin' })),
      refused('already_member'),
    )
    assert.equal(await inTx(tx => people.addMember(tx, cli(two), { email: 'eve@example.com', role: 'admin' })), undefined)
    assert.deepEqual(
      (await people.workspacesOf(sql, id)).map(({ id, role }) => [id, role]),
      [
        [one, 'admin'],
        [two, 'operator'],
      ],
    )
    assert.deepEqual(await auditOf(two), [['user.join', id, { email: 'ada@example.com', role: 'operator' }]])
    assert.deepEqual([await people.isMember(sql, two, id), await people.isMember(sql, await aWorkspace(), id)], [true, false])
  })

  test('a role is changed and a membership ended, each audited; the account and other workspaces stay', async () => {
    const [tenant, elsewhere] = [await aWorkspace(), await aWorkspace()]
    await aPerson(sql, tenant, 'boss@example.com')
    const id = await aPerson(sql, tenant, 'olga@example.com', 'operator')
    await aPerson(sql, elsewhere, 'olga@example.com')
    assert.equal((await inTx(tx => people.changeRole(tx, cli(tenant), id, 'admin'))).role, 'admin')
    await inTx(tx => people.changeRole(tx, cli(tenant), id, 'admin'))
    await inTx(tx => people.removeMember(tx, cli(tenant), id))
    assert.deepEqual(await auditOf(tenant), [
      ['user.role', id, { email: 'olga@example.com', from: 'operator', to: 'admin' }],
      ['user.remove', id, { email: 'olga@example.com', role: 'admin' }],
    ])
    assert.deepEqual([await rolesIn(tenant), await rolesIn(elsewhere)], [{ 'boss@example.com': 'admin' }, { 'olga@example.com': 'admin' }])
    for (const user of [id, newId('usr')]) {
      await assert.rejects(
        inTx(tx => people.removeMember(tx, cli(tenant), user)),
        { type: 'resource-not-found' },
      )
      await assert.rejects(
        inTx(tx => people.changeRole(tx, cli(tenant), user, 'admin')),
        { type: 'resource-not-found' },
      )
    }
    assert.equal((await auditOf(elsewhere)).length, 0)
  })

  test('the last admin who can sign in is neither removed nor demoted, also where two go at once', async () => {
    const tenant = await aWorkspace()
    const [ann, ben] = [await aPerson(sql, tenant, 'ann@example.com'), await aPerson(sql, tenant, 'ben@example.com')]
    const changed = Promise.withResolvers<void>()
    const demoting = inTx(async tx => {
      await people.changeRole(tx, cli(tenant), ann, 'operator')
      changed.resolve()
      await sessionWaits(sql)
    })
    await changed.promise
    const removing = inTx(tx => people.removeMember(tx, cli(tenant), ben))
    await Promise.all([demoting, assert.rejects(removing, refused('last_admin'))])
    const left = Object.values(await rolesIn(tenant)).filter(role => role === 'admin')
    assert.equal(left.length, 1)
    const [last] = (await people.peopleOf(sql, tenant)).filter(({ role }) => role === 'admin')
    const disabled = await aPerson(sql, tenant, 'disabled@example.com')
    await sql`update users set disabled_at = now() where id = ${disabled}`
    for (const end of [
      (tx: Tx) => people.removeMember(tx, cli(tenant), last?.id as string),
      (tx: Tx) => people.changeRole(tx, cli(tenant), last?.id as string, 'operator'),
    ])
      await assert.rejects(inTx(end), refused('last_admin'))
    assert.equal((await people.admins(sql, tenant)).length, 1)
  })

  test('of two admins who remove each other at once one does, and what the other asked for meanwhile is refused', async () => {
    const tenant = await aWorkspace()
    const [ann, ben, cas] = await Promise.all(['ann', 'ben', 'cas'].map(name => aPerson(sql, tenant, `${name}@${tenant}.example`)))
    const by = (id = ''): Caller => ({ tenant, actor: { type: 'user', id } })
    const removed = Promise.withResolvers<void>()
    const first = inTx(async tx => {
      await people.removeMember(tx, by(ann), ben as string)
      removed.resolve()
      await sessionWaits(sql)
    })
    await removed.promise
    const second = inTx(tx => people.removeMember(tx, by(ben), ann as string))
    await Promise.all([first, assert.rejects(second, refused('insufficient_role'))])
    await inTx(tx => people.changeRole(tx, by(ann), cas as string, 'operator'))
    for (const gone of [ben, cas])
      for (const late of [
        (tx: Tx) => people.changeRole(tx, by(gone), ann as string, 'operator'),
        (tx: Tx) => invite(tx, by(gone), { email: 'eve@example.com', role: 'admin' }, ''),
        (tx: Tx) => issueKey(tx, { tenant, kind: 'rest', scopes: ['write'], name: 'Late' }, by(gone).actor),
      ])
        await assert.rejects(inTx<unknown>(late), refused('insufficient_role'))
    await inTx(tx => people.removeMember(tx, by(cas), cas as string))
    assert.deepEqual(await rolesIn(tenant), { [`ann@${tenant}.example`]: 'admin' })
  })

  test('a disabled account loses sessions and AI clients with it, in every workspace, and is let in again later', async () => {
    const [tenant, other] = [await aWorkspace(), await aWorkspace()]
    for (const each of [tenant, other]) await aPerson(sql, each, `boss-${each}@example.com`)
    const id = await aPerson(sql, tenant, 'eve@example.com', 'operator')
    await aPerson(sql, other, 'eve@example.com')
    const token = await inTx(tx => beginSession(tx, id, tenant, { address: '192.0.2.1', userAgent: 'A browser' }))
    const approval = { client: 'cli_none', redirectUri: 'https://x.example/', challenge: 'x'.repeat(43), scopes: ['read' as const] }
    await inTx(tx => approve(tx, { tenant: other, actor: { type: 'user', id } }, approval))
    const { url } = (await inTx(tx => makeReset(tx, 'eve@example.com', 'https://shop.example'))) as { url: string }
    const by = { type: 'cli' } as const
    assert.deepEqual(await inTx(tx => disableAccount(tx, 'EVE@example.com', by)), { id, email: 'eve@example.com', disabled: true })
    assert.equal(await sessionOfToken(sql, token), undefined)
    assert.deepEqual(await listGrants(sql, other), [])
    assert.equal(await resetOf(sql, url.split('/').at(-1) as string), undefined)
    await inTx(tx => disableAccount(tx, 'eve@example.com', by))
    await inTx(tx => enableAccount(tx, 'eve@example.com', by))
    const [row] = await sql`select disabled_at from users where id = ${id}`
    assert.equal(row?.['disabled_at'], null)
    assert.equal(await sessionOfToken(sql, token), undefined, 'what has ended stays so')
    for (const each of [tenant, other])
      assert.deepEqual(
        (await auditOf(each)).map(([action]) => action).filter(action => /^user\.(dis|en)able$/.test(String(action))),
        ['user.disable', 'user.enable'],
      )
    await assert.rejects(
      inTx(tx => disableAccount(tx, `boss-${tenant}@example.com`, by)),
      refused('last_admin'),
    )
    assert.equal(await inTx(tx => disableAccount(tx, 'nobody@example.com', by)), undefined)
  })

  test('the commands that disable and enable an account say what became of it, or why not', async () => {
    const tenant = await aWorkspace()
    await aPerson(sql, tenant, 'last@example.com')
    const id = await aPerson(sql, tenant, 'zoe@example.com', 'operator')
    const user = (verb: string, email: string, ...more: string[]) =>
      command(['user', verb, '--email', email, ...more], settingsOf({ databaseUrl: url, keyring: { k1: Buffer.alloc(32, 1) } }))
    for (const [verb, disabled] of [
      ['disable', true],
      ['enable', false],
    ] as const)
      assert.deepEqual(JSON.parse((await user(verb, 'Zoe@example.com', '--json')).stdout), { id, email: 'zoe@example.com', disabled })
    assert.match((await user('disable', 'zoe@example.com')).stdout, /zoe@example\.com/)
    for (const [email, why] of [
      ['last@example.com', /admin/],
      ['nobody@example.com', /nobody@example\.com has no account/],
      ['nobody', /--email/],
    ] as const) {
      const { code, stderr } = await user('disable', email)
      assert.equal(code, 1)
      assert.match(stderr, why)
    }
  })

  test('two admins who change one role leave the one that came last, and a line for each', async () => {
    const tenant = await aWorkspace()
    await aPerson(sql, tenant, 'cas@example.com')
    const id = await aPerson(sql, tenant, 'dan@example.com')
    const done = await Promise.all((['operator', 'admin'] as const).map(role => inTx(tx => people.changeRole(tx, cli(tenant), id, role))))
    assert.deepEqual(
      done.map(({ role }) => role),
      ['operator', 'admin'],
    )
    const changes = (await auditOf(tenant)).map(([, , details]) => (details as { to: string }).to)
    assert.equal((await rolesIn(tenant))['dan@example.com'], changes.at(-1))
  })
})

test('a key is told to the admins, without itself', async () => {
  const tenant = await aWorkspace()
  await aPerson(sql, tenant, 'key-admin@example.com')
  await aPerson(sql, tenant, 'key-operator@example.com', 'operator')
  const { id, key } = await inTx(tx => issueKey(tx, { tenant, kind: 'mcp', scopes: ['read', 'write'], name: 'Till' }, { type: 'cli' }))
  const mails = await sql`select kind, recipient, text from mails where tenant_id = ${tenant}`
  assert.deepEqual(
    mails.map(row => [row['kind'], row['recipient']]),
    [['key.create', 'key-admin@example.com']],
  )
  assert.match(mails[0]?.['text'], new RegExp(`An agent key, “Till”, was made, with the scopes read and write: ${id}`))
  assert.ok(!mails[0]?.['text'].includes(key))
})

test('an e-mail address has one at-sign, a dot behind it and nothing that a head of a mail could take for more', () => {
  for (const text of [' ada@example.com ', 'Ada.Lovelace+shop@mail.example.co.uk', 'привіт@пошта.укр'])
    assert.equal(emailOf(text), text.trim())
  for (const text of [
    '',
    'ada',
    'ada@example',
    'a b@example.com',
    'a@b@example.com',
    'ada@example.com\r\nBcc: x@y.example',
    '<ada@example.com>',
    `${'a'.repeat(250)}@b.cd`,
    'ada@example.com\u202e',
    'a\u200bda@example.com',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.com.',
    '.ada@example.com',
  ])
    assert.equal(emailOf(text), undefined, text)
})

test('a name changes nothing of what stands beside it', () => {
  for (const name of ['Ada', ' Łódź & “Söhne” ', 'أحمد', 'A‍B']) assert.equal(nameOf(name), name.trim())
  for (const name of ['', ' ', '\u200b', 'a\r\nBcc: x', 'a\u2028b', '\u202eelgoog', 'a\u2066b', '\ud800', 'a'.repeat(101)])
    assert.equal(nameOf(name), undefined, JSON.stringify(name))
})

test('a time zone is a name that is known, not an offset', () => {
  for (const zone of ['UTC', 'Europe/Kyiv', 'Asia/Kathmandu', 'America/St_Johns']) assert.equal(isTimeZone(zone), true, zone)
  for (const zone of ['', '+05:45', 'Mars/Olympus', 'Europe', "UTC'; drop table users"]) assert.equal(isTimeZone(zone), false, zone)
})
