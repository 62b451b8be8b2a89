// Signing in, sessions and new passwords, as verbs: what counts as a failure, when a session ends, and what a link is good for.
import assert from 'node:assert/strict'
import { scryptSync } from 'node:crypto'
import { describe, test } from 'node:test'
import { changePassword, changeProfile, isFresh } from '../../src/access/account.ts'
import { joinWithPassword } from '../../src/access/joining.ts'
import { createLastUses } from '../../src/access/last-use.ts'
import { hashesMade, hashPassword } from '../../src/access/password.ts'
import { askReset, mailReset, makeReset, resetOf, resetPassword } from '../../src/access/reset.ts'
import { recordUses } from '../../src/access/session-store.ts'
import { endSession, endSessions, type Session, sessionOfToken, sessionsOf, switchWorkspace } from '../../src/access/sessions.ts'
import { giveAgain, type SignIn, signIn } from '../../src/access/sign-in.ts'
import { FAILURES_HERE, LAST_USE_MS, SESSIONS_PER_PERSON } from '../../src/limits/access.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { sha256 } from '../../src/secrets.ts'
import { invite } from '../../src/tenants/invitations.ts'
import { changeRole, memberOf, removeMember } from '../../src/tenants/people.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { connectedDatabase } from '../support/database.ts'
import { sessionWaits } from '../support/locks.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { aPerson } from '../support/people.ts'

const { url, sql } = await connectedDatabase({ lanes: 0, pool: 8 })

let people = 0
let places = 0

/** Somebody in a workspace of their own, at an address of their own. */
async function given() {
  const tenant = (await createTenant(sql, { name: 'A shop', plan: 'free', currency: 'EUR' })).id
  const email = `p${++people}@example.com`
  const user = await aPersonWithPassword(sql, tenant, email)
  const device = aDevice()
  return {
    tenant,
    email,
    user,
    device,
    in: (over: Partial<SignIn> = {}) => signIn(sql, { email, password: PASSWORD, device, ...over }),
    wrong: (over: Partial<SignIn> = {}) => refusal(signIn(sql, { email, password: 'wrong horse battery', device, ...over })),
    actions: async () =>
      (await sql`select action from audit_log where tenant_id = ${tenant} and action <> 'tenant.create' order by id`).map(
        row => row['action'],
      ),
    mails: async () =>
      (await sql`select kind, recipient, text, link from mails where tenant_id = ${tenant} order by id`).map(row => ({ ...row })),
  }
}

const aDevice = () => ({ address: `198.51.${Math.floor(++places / 250)}.${places % 250}`, userAgent: 'A browser' })
const sessionOf = async (token: string) => (await sessionOfToken(sql, token)) as Session
/** The code of a refusal; `in` where there is none. */
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'in',
    error => (error instanceof Problem ? String(error.members['code']) : Promise.reject(error)),
  )
/** Again where too many others wait for ten seconds, as on a busy machine. */
const patiently = <T>(work: () => Promise<T>): Promise<T> =>
  work().catch(error => (error instanceof Problem && error.members['code'] === 'busy' ? patiently(work) : Promise.reject(error)))
const ago = (interval: string) => sql`update attempt_windows set times = array(select t - ${interval}::interval from unnest(times) t)`

describe('signing in', () => {
  test('begins a session whose token only its browser has, and is audited in each workspace of the person', async () => {
    const one = await given()
    const other = (await createTenant(sql, { name: 'Another', plan: 'free', currency: 'EUR' })).id
    await aPerson(sql, other, one.email, 'operator')
    const token = await one.in({ email: ` ${one.email.toUpperCase()} ` })
    assert.match(token, /^sid_[0-9A-Za-z]{40}$/)
    const session = await sessionOf(token)
    assert.deepEqual(
      { ...session, password_seconds: 0 },
      {
        id: session.id,
        tenant: one.tenant,
        user: one.user,
        email: one.email,
        name: null,
        role: 'admin',
        workspace: 'A shop',
        password_seconds: 0,
      },
    )
    const [row] = await sql`select * from sessions where id = ${session.id}`
    assert.deepEqual(row?.['token_hash'], sha256(token))
    assert.ok(!JSON.stringify(row).includes(token))
    assert.deepEqual(await one.actions(), ['session.begin'])
    assert.equal((await sql`select 1 from audit_log where tenant_id = ${other} and action = 'session.begin'`).length, 1)
    assert.equal((await sessionOf(await one.in({ tenant: other }))).role, 'operator')
  })

  test('is refused alike, at the same cost, for a wrong password, an unknown and a disabled account', async () => {
    const one = await given()
    const disabled = await given()
    await sql`update users set disabled_at = now() where id = ${disabled.user}`
    const told = []
    for (const email of [one.email, 'nobody@example.com', disabled.email]) {
      const before = hashesMade()
      const error = await signIn(sql, { email, password: 'wrong horse battery', device: aDevice() }).catch(error => error)
      told.push([hashesMade() - before, error.status, error.message])
    }
    assert.deepEqual(told, Array(3).fill([1, 422, 'The e-mail or the password is not right.']))
    assert.equal(await refusal(disabled.in()), 'wrong_credentials')
  })

  test('replaces a hash of an older program', async () => {
    const one = await given()
    const salt = Buffer.from('0123456789abcdef')
    const old = scryptSync('short', salt, 32, { N: 2 ** 14, r: 8, p: 1 })
    await sql`update users set password_hash = ${`scrypt$16384$8$1$${salt.toString('base64url')}$${old.toString('base64url')}`} where id = ${one.user}`
    for (const _time of [1, 2]) assert.match(await one.in({ password: 'short' }), /^sid_/)
    const [row] = await sql`select password_hash from users where id = ${one.user}`
    assert.match(row?.['password_hash'], /^\$argon2id\$/)
  })

  test('ends the session that the browser had, and leaves those of others', async () => {
    const one = await given()
    const [kept, before] = [await one.in(), await one.in()]
    const after = await one.in({ before: await sessionOf(before) })
    assert.deepEqual(await one.actions(), ['session.begin', 'session.begin', 'session.end', 'session.begin'])
    assert.deepEqual(await Promise.all([kept, before, after].map(async token => (await sessionOf(token)) !== undefined)), [
      true,
      false,
      true,
    ])
  })

  test('an account without a workspace is told so, and gets no session', async () => {
    const one = await given()
    await sql`delete from memberships where user_id = ${one.user}`
    assert.deepEqual([await refusal(one.in()), await one.wrong()], ['no_workspace', 'wrong_credentials'])
    assert.equal((await sql`select 1 from sessions where user_id = ${one.user}`).length, 0)
  })
})

describe('failures', () => {
  test('of an account at one address: ten in a quarter of an hour, however many come at once and through whichever process', async () => {
    const one = await given()
    const second = openDatabase(url, { name: 'a second process', lanes: 0, pool: 8 })
    const guess = (from: typeof sql) =>
      refusal(patiently(() => signIn(from, { email: one.email, password: 'wrong horse battery', device: one.device })))
    const before = hashesMade()
    const told = await Promise.all(Array.from({ length: 24 }, (_each, index) => guess(index % 2 ? sql : second.sql)))
    await second.close()
    assert.equal(told.filter(code => code === 'wrong_credentials').length, FAILURES_HERE.most)
    assert.equal(told.filter(code => code === 'too_many_failures').length, 24 - FAILURES_HERE.most)
    assert.equal(hashesMade() - before, FAILURES_HERE.most)
    const error = await one.in().catch(error => error)
    assert.equal(error.status, 429)
    assert.ok(Number(error.headers['Retry-After']) > 800 && Number(error.headers['Retry-After']) <= 900, error.headers['Retry-After'])
    assert.deepEqual(await one.actions(), ['session.refuse'])
    assert.match(await one.in({ device: aDevice() }), /^sid_/, 'from elsewhere the person gets in')
    await ago('16 minutes')
    assert.match(await one.in(), /^sid_/)
  })

  test('are forgotten here by a success, and a success counts as none', async () => {
    const one = await given()
    for (let n = 0; n < 3; n++) await one.wrong()
    await one.in()
    const [row] =
      await sql`select sum(cardinality(times))::int as n from attempt_windows where key = any(${keysOf(one.email, one.device.address)})`
    assert.equal(row?.['n'], 6, 'three of the address, three of the account')
  })

  test('are those of one account, in whatever letters it is written', async () => {
    const one = await given()
    const email = `kiwi-${one.email}`
    await sql`update users set email = ${email} where id = ${one.user}`
    // For the database these are the same address; in JavaScript the lower case of İ is two characters.
    const spellings = [`kİwi-${one.email}`, `kiwİ-${one.email}`, `Kiwi-${one.email}`, ` ${email.toUpperCase()} `]
    for (const spelling of spellings) await one.wrong({ email: spelling })
    const [row] =
      await sql`select cardinality(times) as n from attempt_windows where key = ${keysOf(email, one.device.address)[0] as string}`
    assert.equal(row?.['n'], spellings.length)
    assert.equal(await refusal(one.in({ email: spellings[0] as string })), 'in')
  })

  test('of one address: fifty, whatever the accounts', async () => {
    const [one, other] = [await given(), await given()]
    await one.wrong()
    await sql`update attempt_windows set times = array_fill(clock_timestamp()::timestamptz(3), array[50]) where key = ${keysOf(one.email, one.device.address)[1] as string}`
    assert.equal(await refusal(other.in({ device: one.device })), 'too_many_failures')
    assert.match(await other.in(), /^sid_/)
  })

  test('are not those who sign in at once from one address: only as many count as are looked at', async () => {
    const crowd = await Promise.all(Array.from({ length: 8 }, given))
    const [{ email, device, wrong }] = crowd as [Awaited<ReturnType<typeof given>>]
    await wrong()
    await sql`update attempt_windows set times = array_fill(clock_timestamp()::timestamptz(3), array[47]) where key = ${keysOf(email, device.address)[1] as string}`
    for (const token of await Promise.all(crowd.map(each => each.in({ device })))) assert.match(token, /^sid_/)
  })

  test('of one account: two hundred a day; then it opens where it was opened before, and the person is told once', async () => {
    const one = await given()
    await one.in()
    const elsewhere = aDevice()
    await one.wrong({ device: elsewhere })
    const key = keysOf(one.email, '')[2] as string
    await sql`update attempt_windows set times = array_fill(clock_timestamp()::timestamptz(3), array[199]) where key = ${key}`
    assert.equal(await one.wrong({ device: elsewhere }), 'wrong_credentials')
    assert.equal(await one.wrong({ device: elsewhere }), 'too_many_failures')
    assert.equal(await refusal(one.in({ device: aDevice() })), 'too_many_failures')
    assert.match(await one.in(), /^sid_/)
    await sql`update known_addresses set last_at = now() - interval '31 days' where user_id = ${one.user}`
    assert.equal(await refusal(one.in()), 'too_many_failures')
    assert.deepEqual(
      (await one.mails()).map(mail => mail['kind']),
      ['session.refuse'],
    )
  })
})

describe('a password that is replaced while it is being looked at', () => {
  /** Sets a password and ends all sessions, as a reset does, while `work` has verified the old one. */
  async function meanwhile<T>(user: string, work: () => Promise<T>): Promise<T | string> {
    let worked: Promise<T | string> | undefined
    await begin(sql, async tx => {
      const [row] =
        await tx`update users set password_hash = ${await hashPassword('a horse of another colour')} where id = ${user} returning email`
      worked = refusalOr(work())
      await sessionWaits(sql)
      await endSessions(tx, user, { type: 'user', id: user })
      return row
    })
    return worked as Promise<T | string>
  }
  const refusalOr = <T>(work: Promise<T>) =>
    work.catch(error =>
      error instanceof Problem
        ? String(error.members['code'] ?? (error.members['errors'] as { code: string }[])[0]?.code)
        : Promise.reject(error),
    )
  const opens = (one: Awaited<ReturnType<typeof given>>, password: string) => refusal(one.in({ password, device: aDevice() }))

  test('begins no session, nor does it come back as the hash of a newer program', async () => {
    const [one, old] = [await given(), await given()]
    const hash = scryptSync(PASSWORD, Buffer.alloc(16), 32, { N: 2 ** 10, r: 8, p: 1 })
    await sql`update users set password_hash = ${`scrypt$1024$8$1$${Buffer.alloc(16).toString('base64url')}$${hash.toString('base64url')}`} where id = ${old.user}`
    for (const each of [one, old]) {
      assert.equal(await meanwhile(each.user, () => each.in()), 'wrong_credentials')
      assert.equal((await sessionsOf(sql, each.user)).length, 0)
      assert.deepEqual([await opens(each, PASSWORD), await opens(each, 'a horse of another colour')], ['wrong_credentials', 'in'])
    }
  })

  test('accepts no invitation', async () => {
    const [one, host] = [await given(), await given()]
    const caller = { tenant: host.tenant, actor: { type: 'user' as const, id: host.user } }
    const { url } = await begin(sql, tx => invite(tx, caller, { email: one.email, role: 'admin' }, 'https://shop.example'))
    const invitation = { tenant: host.tenant, workspace: 'A shop', address: one.email, role: 'admin' as const }
    const join = () => joinWithPassword(sql, url.split('/').at(-1) as string, invitation, PASSWORD, aDevice())
    assert.equal(await meanwhile(one.user, join), 'wrong_credentials')
    assert.deepEqual([(await sessionsOf(sql, one.user)).length, await memberOf(sql, host.tenant, one.user)], [0, undefined])
  })

  test('sets no other password in a session that has ended by then', async () => {
    const one = await given()
    const session = await sessionOf(await one.in())
    assert.equal(await meanwhile(one.user, () => changePassword(sql, session, 'the horse of a thief')), 'session_ended')
    assert.deepEqual([await opens(one, 'the horse of a thief'), await opens(one, 'a horse of another colour')], ['wrong_credentials', 'in'])
  })
})

const keysOf = (email: string, address: string): string[] =>
  [`sign-in here\0${email}\0${address}`, `sign-in of address\0${address}`, `sign-in of account\0${email}`].map(text =>
    sha256(text).toString('base64url'),
  )

describe('a session', () => {
  test('ends when it was not used for a week, and a month after the sign-in, by the database’s clock', async () => {
    const one = await given()
    const [idle, old] = [await one.in(), await one.in()]
    const set = (token: string, over: Record<string, string>) => sql`update sessions set ${sql(over)} where token_hash = ${sha256(token)}`
    const at = async (days: number) => ((await sql`select (now() - make_interval(days => ${days}))::text as at`)[0] as { at: string }).at
    await set(idle, { last_used_at: await at(6) })
    await set(old, { created_at: await at(29) })
    for (const token of [idle, old]) assert.ok(await sessionOf(token))
    await set(idle, { last_used_at: await at(7) })
    await set(old, { created_at: await at(30) })
    for (const token of [idle, old, 'sid_', `${idle}x`, idle.replace('sid_', 'mcp_')]) assert.equal(await sessionOf(token), undefined)
  })

  test('has the role and the name of its person at this moment, and ends with their membership or account', async () => {
    const one = await given()
    await aPerson(sql, one.tenant, 'second@example.com')
    const caller = { tenant: one.tenant, actor: { type: 'cli' } } as const
    const token = await one.in()
    await begin(sql, tx => changeRole(tx, caller, one.user, 'operator'))
    assert.equal((await sessionOf(token)).role, 'operator')
    await sql`update users set disabled_at = now() where id = ${one.user}`
    assert.equal(await sessionOf(token), undefined)
    await sql`update users set disabled_at = null where id = ${one.user}`
    await begin(sql, tx => removeMember(tx, caller, one.user))
    assert.equal((await sql`select 1 from sessions where user_id = ${one.user}`).length, 0)
  })

  test('moves to another workspace of its person, and to no other', async () => {
    const [one, foreign] = [await given(), await given()]
    const other = (await createTenant(sql, { name: 'Second shop', plan: 'free', currency: 'EUR' })).id
    await aPerson(sql, other, one.email, 'operator')
    const token = await one.in()
    const session = await sessionOf(token)
    assert.equal(await switchWorkspace(sql, session, foreign.tenant), false)
    assert.equal(await switchWorkspace(sql, session, other), true)
    const { tenant, role, workspace } = await sessionOf(token)
    assert.deepEqual([tenant, role, workspace], [other, 'operator', 'Second shop'])
  })

  test('is listed and ended by its person alone, one or all others', async () => {
    const [one, foreign] = [await given(), await given()]
    const tokens = [
      await one.in(),
      await one.in({ device: { address: '2001:db8::1', userAgent: 'Another browser' } }),
      await one.in(),
    ] as const
    const [mine, second, third] = (await Promise.all(tokens.map(sessionOf))) as [Session, Session, Session]
    assert.deepEqual(new Set((await sessionsOf(sql, one.user)).map(each => each.id)), new Set([mine.id, second.id, third.id]))
    const end = (user: string, id: string) => begin(sql, tx => endSession(tx, user, id))
    assert.deepEqual(
      [await end(foreign.user, second.id), await end(one.user, second.id), await end(one.user, second.id)],
      [false, true, false],
    )
    assert.equal(await begin(sql, tx => endSessions(tx, one.user, { type: 'user', id: one.user }, mine.id)), 1)
    assert.deepEqual(
      (await sessionsOf(sql, one.user)).map(each => each.id),
      [mine.id],
    )
    assert.equal((await one.actions()).filter(action => action === 'session.end').length, 2)
  })

  test('too many are not kept: the one that was used longest ago ends', async () => {
    const one = await given()
    const first = await one.in()
    await sql`
      insert into sessions (id, token_hash, tenant_id, user_id, address, user_agent, last_used_at)
      select 'ses_many' || n, sha256(('many' || n)::bytea), ${one.tenant}, ${one.user}, '', '', now() - interval '1 hour' * n
        from generate_series(1, ${SESSIONS_PER_PERSON - 1}) n`
    const last = await one.in()
    const ids = (await sessionsOf(sql, one.user)).map(each => each.id)
    assert.deepEqual([ids.length, ids.includes(`ses_many${SESSIONS_PER_PERSON - 1}`)], [SESSIONS_PER_PERSON, false])
    for (const token of [first, last]) assert.ok(await sessionOf(token))
  })

  test('asks for the password again an hour after it was given', async () => {
    const one = await given()
    const token = await one.in()
    assert.equal(isFresh(await sessionOf(token)), true)
    await sql`update sessions set password_at = now() - interval '61 minutes' where token_hash = ${sha256(token)}`
    const stale = await sessionOf(token)
    assert.equal(isFresh(stale), false)
    assert.equal(await refusal(giveAgain(sql, stale, 'wrong horse battery', one.device)), 'wrong_password')
    await giveAgain(sql, stale, PASSWORD, one.device)
    assert.equal(isFresh(await sessionOf(token)), true)
  })

  test('keeps when it was last used, in batches', async () => {
    const one = await given()
    const session = await sessionOf(await one.in())
    await sql`update sessions set last_used_at = now() - interval '1 day' where id = ${session.id}`
    const uses = createLastUses(
      some => recordUses(sql, some),
      error => assert.fail(String(error)),
    )
    uses.note(session)
    await uses.stop()
    const [row] = await sql`select last_used_at > now() - interval '1 minute' as lately from sessions where id = ${session.id}`
    assert.equal(row?.['lately'], true)
  })
})

test('the last uses that are written each minute are written whole before the process closes its connections', async t => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const written: string[] = []
  const slow = Promise.withResolvers<void>()
  const uses = createLastUses(
    async some => {
      if (some.some(({ id }) => id === 'key_1')) await slow.promise
      written.push(...some.map(({ id }) => id))
    },
    error => assert.fail(String(error)),
  )
  uses.note({ tenant: 'ten_1', id: 'key_1' })
  t.mock.timers.tick(LAST_USE_MS)
  await null
  uses.note({ tenant: 'ten_1', id: 'key_2' })
  const stopped = uses.stop().then(() => [...written])
  setImmediate(slow.resolve)
  assert.deepEqual(await stopped, ['key_1', 'key_2'])
})

describe('a new password', () => {
  test('ends the person’s other sessions and their links, and tells them', async () => {
    const one = await given()
    const [mine, other] = [await one.in(), await one.in()]
    const { url } = (await begin(sql, tx => makeReset(tx, one.email, 'https://shop.example'))) as { url: string }
    assert.equal(await refusal(changePassword(sql, await sessionOf(mine), 'too short')), 'bad_password')
    await changePassword(sql, await sessionOf(mine), 'another horse, and a cart')
    assert.deepEqual([(await sessionOf(mine))?.user, await sessionOf(other)], [one.user, undefined])
    assert.equal(await resetPassword(sql, url.split('/').at(-1) as string, 'yet another horse or two', '192.0.2.1'), false)
    assert.deepEqual(
      [await one.wrong({ password: PASSWORD }), await refusal(one.in({ password: 'another horse, and a cart' }))],
      ['wrong_credentials', 'in'],
    )
    const mails = await one.mails()
    assert.deepEqual(
      mails.map(mail => [mail['kind'], mail['link']]),
      [
        ['user.reset', null],
        ['user.password', null],
      ],
    )
    assert.ok((await one.actions()).includes('user.password'))
    assert.ok(!JSON.stringify(mails).includes('another horse'))
  })

  test('by a link: opened often, used once by one of ten, and every session ends', async () => {
    const one = await given()
    const session = await one.in()
    await mailReset(sql, one.email.toUpperCase(), 'https://shop.example')
    const [mail] = await one.mails()
    const token = String(mail?.['link']).split('/').at(-1) as string
    assert.match(String(mail?.['link']), /^https:\/\/shop\.example\/reset\/rst_[0-9A-Za-z]{40}$/)
    for (let n = 0; n < 3; n++) assert.equal((await resetOf(sql, token))?.id, one.user)
    assert.equal(await refusal(resetPassword(sql, token, `${one.email} is mine`, '192.0.2.1')), 'bad_password')
    const use = () => resetPassword(sql, token, 'a horse of another colour', '192.0.2.1')
    const used = await Promise.all(Array.from({ length: 10 }, () => patiently(use)))
    assert.deepEqual(used.filter(Boolean), [true])
    assert.deepEqual([await sessionOf(session), await resetOf(sql, token)], [undefined, undefined])
    assert.match(await one.in({ password: 'a horse of another colour' }), /^sid_/)
  })

  test('by a link: lets the person in again from where they are, however often others have failed', async () => {
    const one = await given()
    const token = async () =>
      ((await begin(sql, tx => makeReset(tx, one.email, 'https://shop.example'))) as { url: string }).url.split('/').at(-1) as string
    await one.wrong()
    await sql`update attempt_windows set times = array_fill(clock_timestamp()::timestamptz(3), array[most]) where key in (${keysOf(one.email, one.device.address)[0] as string}, ${keysOf(one.email, '')[2] as string})`
    assert.equal(await refusal(one.in()), 'too_many_failures')
    assert.equal(await resetPassword(sql, await token(), 'a horse of another colour', one.device.address), true)
    assert.equal(await refusal(one.in({ password: 'a horse of another colour' })), 'in')
    assert.equal(await refusal(one.in({ password: 'a horse of another colour', device: aDevice() })), 'too_many_failures')
  })

  test('by a link: is open to somebody who belongs to no workspace any more, and is invited to one', async () => {
    const [one, shop] = [await given(), await given()]
    await sql`delete from memberships where user_id = ${one.user}`
    await mailReset(sql, one.email, 'https://shop.example')
    assert.equal((await one.mails()).length + (await shop.mails()).length, 0, 'there is nothing to sign in for')
    await begin(sql, tx =>
      invite(tx, { tenant: shop.tenant, actor: { type: 'cli' } }, { email: one.email, role: 'operator' }, 'https://shop.example'),
    )
    await mailReset(sql, one.email, 'https://shop.example')
    const mail = (await shop.mails()).find(each => each['kind'] === 'user.reset')
    assert.equal(mail?.['recipient'], one.email)
    assert.equal(
      await resetPassword(sql, String(mail?.['link']).split('/').at(-1) as string, 'a horse of another colour', one.device.address),
      true,
    )
    assert.deepEqual(
      (await shop.mails()).map(each => [each['kind'], each['link'] !== null]),
      [
        ['user.invite', true],
        ['user.reset', false],
        ['user.password', false],
      ],
    )
  })

  test('by a link: not after an hour, not for a disabled account, and five an hour are mailed, which the asker is not told', async () => {
    const one = await given()
    for (let n = 0; n < 7; n++) await mailReset(sql, one.email, 'https://shop.example')
    await mailReset(sql, 'nobody@example.com', 'https://shop.example')
    const links = (await one.mails()).map(mail => String(mail['link']).split('/').at(-1) as string)
    assert.equal(links.length, 5)
    await sql`update users set disabled_at = now() where id = ${one.user}`
    assert.equal(await resetOf(sql, links[0] as string), undefined)
    await sql`update users set disabled_at = null where id = ${one.user}`
    await sql`update password_resets set expires_at = now() - interval '1 second' where token_hash = ${sha256(links[0] as string)}`
    assert.deepEqual(
      [
        await resetPassword(sql, links[0] as string, 'a horse of another colour', '192.0.2.1'),
        (await resetOf(sql, links[1] as string)) !== undefined,
      ],
      [false, true],
    )
  })

  test('is asked for at the same cost for an unknown address: a job, which looks later', async () => {
    const one = await given()
    for (const email of [one.email, 'nobody@example.com']) await askReset(sql, email, one.device.address)
    const jobs =
      await sql`select payload from graphile_worker._private_jobs where payload ->> 'email' in (${one.email}, 'nobody@example.com')`
    assert.equal(jobs.length, 2)
    for (let n = 2; n < 20; n++) await askReset(sql, 'nobody@example.com', one.device.address)
    assert.equal(await refusal(askReset(sql, one.email, one.device.address)), 'too_many_links')
    assert.equal((await one.mails()).length, 0)
  })
})

test('a changed e-mail is told to both addresses, ends links to the old one, and may be nobody else’s', async () => {
  const [one, other] = [await given(), await given()]
  const session = await sessionOf(await one.in())
  await begin(sql, tx => makeReset(tx, one.email, 'https://shop.example'))
  assert.equal(await refusal(changeProfile(sql, session, { name: 'Ada', email: other.email.toUpperCase() })), 'taken')
  assert.equal(await refusal(changeProfile(sql, session, { name: 'Ada', email: 'no address' })), 'invalid')
  assert.equal(await refusal(changeProfile(sql, session, { name: 'A\nB', email: one.email })), 'invalid')
  const email = `new-${one.email}`
  await changeProfile(sql, session, { name: ' Ada ', email })
  assert.deepEqual(
    (await one.mails()).map(mail => [mail['kind'], mail['recipient'], mail['link']]),
    [
      ['user.reset', one.email, null],
      ['user.email', one.email, null],
      ['user.email', email, null],
    ],
  )
  assert.equal(await refusal(one.in({ email })), 'in')
  assert.equal(await one.wrong(), 'wrong_credentials')
})
