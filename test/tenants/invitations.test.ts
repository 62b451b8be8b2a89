// Invitations: a link that lets the invited address in, once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { disableAccount } from '../../src/access/disabling.ts'
import { mintToken } from '../../src/access/token.ts'
import type { Caller } from '../../src/caller.ts'
import { LINKS_PER_HOUR } from '../../src/limits/tenants.ts'
import { begin } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { dropInvitation } from '../../src/tenants/invitation-links.ts'
import * as invitations from '../../src/tenants/invitations.ts'
import * as people from '../../src/tenants/people.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { connectedDatabase } from '../support/database.ts'
import { aPerson } from '../support/people.ts'

const { sql } = await connectedDatabase({ lanes: 0, pool: 12 })
const BASE = 'https://shop.example'

async function given() {
  const tenant = (await createTenant(sql, { name: 'Linen & More', plan: 'free', currency: 'EUR' })).id
  const admin = await aPerson(sql, tenant, 'boss@example.com')
  const caller: Caller = { tenant, actor: { type: 'user', id: admin } }
  const invite = (email: string, role: people.Member['role'] = 'operator') =>
    begin(sql, tx => invitations.invite(tx, caller, { email, role }, BASE))
  return { tenant, caller, invite, email: `p${Math.random()}@example.com` }
}

/** Somebody with an account, who belongs to another workspace. */
async function anAccount(email: string) {
  const tenant = (await createTenant(sql, { name: 'Elsewhere', plan: 'free', currency: 'EUR' })).id
  return { id: await aPerson(sql, tenant, email), email, name: null }
}

const tokenOf = ({ url }: { url: string }) => url.split('/').at(-1) as string
const accept = (token: string, account: people.Account) => begin(sql, tx => invitations.accept(tx, token, account))
const linksOf = async (tenant: string) =>
  (await sql`select link from mails where tenant_id = ${tenant} order by id`).map(row => row['link'])
const withdrawnOf = async (tenant: string) =>
  (
    await sql`select details from audit_log where tenant_id = ${tenant} and action = 'user.invite' and details ? 'withdrawn' order by id`
  ).map(row => row['details'])
const coded = (code: string) => (error: unknown) => error instanceof Problem && error.members['code'] === code

describe('an invitation', () => {
  test('is mailed with a link that names the workspace and the role, is used once, and leaves no link behind', async () => {
    const { tenant, caller, invite, email } = await given()
    const invited = await invite(email.toUpperCase(), 'admin')
    const token = tokenOf(invited)
    assert.match(invited.url, /^https:\/\/shop\.example\/invite\/inv_[0-9A-Za-z]{40}$/)
    assert.deepEqual(await linksOf(tenant), [invited.url])
    const opened = await invitations.invitationOf(sql, token)
    assert.deepEqual(opened, { tenant, workspace: 'Linen & More', address: email, role: 'admin' })
    assert.deepEqual(await invitations.invitationOf(sql, token), opened, 'opening it uses nothing up')
    assert.equal((await invitations.openInvitations(sql, tenant)).length, 1)
    const [stored] = await sql`select token_hash, invited_by from invitations where tenant_id = ${tenant}`
    assert.ok(!JSON.stringify(stored).includes(token))
    assert.equal(stored?.['invited_by'], caller.actor.id)

    const account = await anAccount(email)
    assert.equal(await accept(token, account), tenant)
    assert.equal(await accept(token, account), undefined)
    assert.equal((await people.memberByEmail(sql, tenant, email))?.role, 'admin')
    assert.deepEqual([await linksOf(tenant), (await invitations.openInvitations(sql, tenant)).length], [[null], 0])
    const rows = await sql`select actor_id, action, details from audit_log where tenant_id = ${tenant} and action like 'user.%' order by id`
    assert.deepEqual(
      rows.map(row => [row['actor_id'], row['action'], row['details'].role]),
      [
        [caller.actor.id, 'user.invite', 'admin'],
        [account.id, 'user.join', 'admin'],
      ],
    )
  })

  test('that ten use at once lets one of them in', async () => {
    const { tenant, invite, email } = await given()
    const token = tokenOf(await invite(email))
    const account = await anAccount(email)
    const used = await Promise.all(Array.from({ length: 10 }, () => accept(token, account)))
    assert.deepEqual(used.filter(Boolean), [tenant])
    assert.equal((await sql`select 1 from audit_log where tenant_id = ${tenant} and action = 'user.join'`).length, 1)
  })

  test('for another address lets nobody in, and can still be used', async () => {
    const { tenant, invite, email } = await given()
    const token = tokenOf(await invite(email))
    await assert.rejects(accept(token, await anAccount(`x${email}`)), coded('other_address'))
    assert.equal(await accept(token, await anAccount(email)), tenant)
  })

  test('is dead once a newer one is sent, it is withdrawn, or a week is over', async () => {
    const { tenant, caller, invite, email } = await given()
    const account = await anAccount(email)
    const older = tokenOf(await invite(email))
    const newer = await invite(email, 'admin')
    assert.equal(await accept(older, account), undefined)
    assert.deepEqual(await linksOf(tenant), [null, newer.url])
    await sql`update invitations set expires_at = now() - interval '1 second' where tenant_id = ${tenant}`
    assert.equal(await invitations.invitationOf(sql, tokenOf(newer)), undefined)
    assert.equal(await accept(tokenOf(newer), account), undefined)
    const third = await invite(email)
    const withdraw = () => begin(sql, tx => dropInvitation(tx, caller, email.toUpperCase()))
    assert.deepEqual([await withdraw(), await withdraw()], [true, false])
    assert.deepEqual([await accept(tokenOf(third), account), (await linksOf(tenant)).at(-1)], [undefined, null])
    for (const garbage of ['', 'inv_', mintToken('rst'), `${tokenOf(third).slice(0, -1)}!`, mintToken('inv')])
      assert.equal(await accept(garbage, account), undefined)
  })

  test('that was left open is dead once the person, who came by another way, is removed', async () => {
    const { tenant, caller, invite, email } = await given()
    const account = await anAccount(email)
    const token = tokenOf(await invite(email, 'admin'))
    await begin(sql, tx => people.addMember(tx, caller, { email, role: 'operator' }))
    await begin(sql, tx => people.removeMember(tx, caller, account.id))
    assert.deepEqual([await accept(token, account), (await linksOf(tenant)).at(-1)], [undefined, null])
    assert.deepEqual(await withdrawnOf(tenant), [{ email, withdrawn: true }])
  })

  for (const [what, end] of [
    ['is removed', (caller, { id }) => begin(sql, tx => people.removeMember(tx, caller, id))],
    ['leaves', ({ tenant }, { id }) => begin(sql, tx => people.removeMember(tx, { tenant, actor: { type: 'user', id } }, id))],
    ['becomes an operator', (caller, { id }) => begin(sql, tx => people.changeRole(tx, caller, id, 'operator'))],
    ['is disabled', (_caller, { email }) => begin(sql, tx => disableAccount(tx, email, { type: 'cli' }))],
  ] as [string, (caller: Caller, admin: { id: string; email: string }) => Promise<unknown>][])
    test(`is dead once the admin who sent it ${what}, and those of others are not`, async () => {
      const { tenant, caller, invite, email } = await given()
      const admin = { id: '', email: `a-${email}` }
      admin.id = await aPerson(sql, tenant, admin.email)
      const theirs = (address: string) =>
        begin(sql, tx => invitations.invite(tx, { tenant, actor: { type: 'user', id: admin.id } }, { email: address, role: 'admin' }, BASE))
      const [own, other, taken] = [await anAccount(`own-${email}`), await anAccount(email), await anAccount(`taken-${email}`)]
      const tokens = [await theirs(own.email), await invite(other.email)].map(tokenOf) as [string, string]
      await theirs(taken.email)
      const takenOver = tokenOf(await invite(taken.email))
      await end(caller, admin)
      assert.equal(await accept(tokens[0], own), undefined)
      assert.deepEqual([await accept(tokens[1], other), await accept(takenOver, taken)], [tenant, tenant])
      assert.deepEqual(await withdrawnOf(tenant), [{ email: own.email, withdrawn: true, invited_by: admin.id }])
      assert.deepEqual((await linksOf(tenant)).filter(Boolean), [])
    })

  test('is refused where a hundred are open, or two hundred were sent within a day', async () => {
    const { tenant, invite, email } = await given()
    await sql`
      insert into invitations (tenant_id, address, role, token_hash, expires_at)
      select ${tenant}, n || '@example.com', 'operator', sha256(${tenant}::bytea || n::text::bytea), now() + interval '1 day'
        from generate_series(1, 99) n`
    await invite(email)
    await assert.rejects(invite(`x${email}`), coded('quota_reached'))
    await sql`delete from invitations where tenant_id = ${tenant}`
    await sql`update attempt_windows set times = array_fill(clock_timestamp()::timestamptz(3), array[200]) where most = 200`
    await assert.rejects(invite(`y${email}`), coded('too_many_links'))
    assert.equal((await invitations.openInvitations(sql, tenant)).length, 0)
  })

  test('is refused for somebody who is there already, and beyond five an hour and address', async () => {
    const { tenant, invite, email } = await given()
    await assert.rejects(invite('BOSS@example.com'), coded('already_member'))
    for (let n = 0; n < LINKS_PER_HOUR; n++) await invite(email)
    await assert.rejects(invite(email.toUpperCase()), error => coded('too_many_links')(error) && (error as Problem).status === 429)
    assert.equal((await linksOf(tenant)).length, LINKS_PER_HOUR)
    await sql`update attempt_windows set times = array(select t - interval '1 hour' from unnest(times) t)`
    await invite(email)
  })
})
