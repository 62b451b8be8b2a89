// The pages of people: signing in and out, invitations, new passwords, their account and their team, as a browser meets them.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createKey } from '../../src/access/keys.ts'
import { nextOf } from '../../src/access/next.ts'
import { makeReset } from '../../src/access/reset.ts'
import { newId } from '../../src/ids.ts'
import { approve } from '../../src/oauth/grants.ts'
import { begin } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { testApp } from '../support/app.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { aPerson } from '../support/people.ts'
import { aWebBrowser, tokenOf, type WebBrowser } from '../support/web-browser.ts'

const app = await testApp()
const { sql, url } = app
const COOKIE = '__Host-shopdesk'
const TEAM = '/dashboard/settings/team'
const ACCOUNT = '/dashboard/account'

let people = 0

/** Somebody who can sign in, in a workspace of their own. */
async function given(role: 'admin' | 'operator' = 'admin') {
  const tenant = (await createTenant(sql, { name: 'Linen & More', plan: 'free', currency: 'EUR' })).id
  const email = `p${++people}@example.com`
  return { tenant, email, user: await aPersonWithPassword(sql, tenant, email, role) }
}

async function signedIn({ email }: { email: string }, browser: WebBrowser = aWebBrowser(url)): Promise<WebBrowser> {
  const answer = await browser.send('/sign-in', { email, password: PASSWORD })
  assert.deepEqual([answer.status, answer.to], [303, '/dashboard'], answer.text)
  return browser
}

/** A client that a person allowed to act for them. */
const aGrant = async (tenant: string, user: string): Promise<string> => {
  const approval = { client: 'cli_none', redirectUri: 'https://client.example/back', challenge: 'x'.repeat(43), scopes: ['read' as const] }
  return (await begin(sql, tx => approve(tx, { tenant, actor: { type: 'user', id: user } }, approval))).id
}

const signOutIn = (text: string): string =>
  /action="\/sign-out"[^>]*><input type="hidden" name="_csrf" value="([^"]+)"/.exec(text)?.[1] as string
const notices = (text: string): string[] =>
  [...text.matchAll(/class="notice [^>]*>(.*?)<\/div>/gs)].map(([, inner = '']) => inner.replaceAll(/<[^>]*>/g, ''))
const anHourLater = (user: string) => sql`update sessions set password_at = now() - interval '61 minutes' where user_id = ${user}`

test('a sign-in leads to a page of ours alone', () => {
  for (const [next, to] of [
    ['/dashboard/settings/team?a=1', '/dashboard/settings/team?a=1'],
    [
      '/oauth/authorize?client_id=cli_1&redirect_uri=https%3A%2F%2Fx.example',
      '/oauth/authorize?client_id=cli_1&redirect_uri=https%3A%2F%2Fx.example',
    ],
    ...[
      null,
      '',
      'dashboard',
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/a\\b',
      '/\n/evil.example',
      'javascript:alert(1)',
      '/.//evil.example',
      '/a/..//evil.example',
      '/%2e//evil.example/path',
      '/a/%2E%2e///evil.example',
    ].map(each => [each, '/dashboard'] as const),
  ] as const)
    assert.equal(nextOf(next), to, String(next))
})

describe('signing in', () => {
  test('gives the browser a cookie that scripts and other hosts cannot have, and leads on', async () => {
    const one = await given()
    const browser = aWebBrowser(url)
    const led = await browser.get(`${TEAM}?x=1`)
    assert.equal(led.to, `/sign-in?next=${encodeURIComponent(`${TEAM}?x=1`)}`)
    const answer = await browser.send(led.to as string, { email: one.email, password: PASSWORD })
    assert.equal(answer.to, `${TEAM}?x=1`)
    assert.match(browser.cookies.get(COOKIE) as string, /^sid_/)
    const attributes = (browser.set.get(COOKIE) as string).split('; ').filter(Boolean).sort()
    assert.deepEqual(attributes, ['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'])
    const page = await browser.get('/dashboard')
    assert.match(page.text, /Linen &amp; More/)
    assert.equal((await browser.get('/sign-in?next=/dashboard/account')).to, ACCOUNT, 'the page to sign in leads on at once')
  })

  test('makes a session anew, whatever the browser brought, and signing out ends it for every copy', async () => {
    const one = await given()
    const browser = await signedIn(one)
    const first = browser.cookies.get(COOKIE) as string
    const planted = aWebBrowser(url)
    planted.cookies.set(COOKIE, 'sid_planted')
    await signedIn(one, planted)
    assert.notEqual(planted.cookies.get(COOKIE), 'sid_planted')
    const thief = aWebBrowser(url)
    thief.cookies.set(COOKIE, first)
    assert.equal((await thief.get(ACCOUNT)).status, 200)
    const page = await browser.get('/dashboard')
    assert.equal((await browser.post('/sign-out', { _csrf: signOutIn(page.text) })).to, '/sign-in')
    assert.equal(browser.cookies.get(COOKIE), undefined)
    assert.match((await thief.get(ACCOUNT)).to as string, /^\/sign-in/)
    assert.equal((await planted.get(ACCOUNT)).status, 200, 'another session of the person goes on')
  })

  test('signing out in a tab whose session has ended leads to sign-in, and in one of an earlier session asks once more', async () => {
    const one = await given()
    const browser = await signedIn(one, aWebBrowser(url, undefined, { 'sec-fetch-site': 'same-origin' }))
    const _csrf = signOutIn((await browser.get('/dashboard')).text)
    for (const _tab of ['the first', 'the second']) assert.equal((await browser.post('/sign-out', { _csrf })).to, '/sign-in')
    assert.equal((await browser.get('/sign-out')).to, '/sign-in')
    await signedIn(one, browser)
    const asked = await browser.post('/sign-out', { _csrf })
    assert.deepEqual([asked.status, /^You have signed in or out since/.test(notices(asked.text)[0] ?? '')], [403, true])
    assert.equal((await browser.get(ACCOUNT)).status, 200)
    assert.equal((await browser.post('/sign-out', { _csrf: tokenOf(asked.text) as string })).to, '/sign-in')
    assert.equal(browser.cookies.get(COOKIE), undefined)
  })

  test('reads the same for a wrong password and an unknown account, keeps the e-mail and never the password', async () => {
    const one = await given()
    const told = []
    for (const email of [one.email, 'nobody@example.com']) {
      const { status, text } = await aWebBrowser(url).send('/sign-in', { email, password: 'wrong horse battery' })
      assert.ok(text.includes(`value="${email}"`) && !text.includes('wrong horse'))
      told.push([status, notices(text)])
    }
    assert.deepEqual(told, Array(2).fill([422, ['The e-mail or the password is not right.']]))
  })

  test('is refused with the page, a time and a Retry-After when too many failed', async () => {
    const one = await given()
    const browser = aWebBrowser(url)
    await sql`delete from attempt_windows`
    await browser.send('/sign-in', { email: one.email, password: 'wrong horse battery' })
    await sql`update attempt_windows set times = array_fill(clock_timestamp()::timestamptz(3), array[10]) where most = 10`
    const { status, headers, text } = await browser.send('/sign-in', { email: one.email, password: PASSWORD })
    assert.deepEqual([status, Number(headers.get('retry-after')) > 800], [429, true])
    assert.match(notices(text)[0] as string, /^Too many attempts have failed\. Try again in 15 minutes/)
    assert.match(text, /<h1>Sign in<\/h1>/)
    await sql`delete from attempt_windows`
  })

  test('a form of before the sign-in, of another session or without a token does nothing', async () => {
    const [one, other] = [await given(), await given()]
    const [mine, theirs] = [await signedIn(one), await signedIn(other)]
    const foreign = tokenOf((await theirs.get(ACCOUNT)).text, 'profile') as string
    for (const _csrf of [foreign, '', 'garbage']) {
      const answer = await mine.post(ACCOUNT, { _csrf, _form: 'profile', name: 'Eve', email: one.email })
      assert.equal(answer.status, 403)
    }
    const [row] = await sql`select name from users where id = ${one.user}`
    assert.equal(row?.['name'], null)
  })
})

describe('links by mail', () => {
  test('a new password: a scanner’s visits use nothing up, the form does, once, and the old session is gone', async () => {
    const one = await given()
    const old = await signedIn(one)
    const asked = await aWebBrowser(url).send('/forgot', { email: one.email })
    const unknown = await aWebBrowser(url).send('/forgot', { email: 'nobody@example.com' })
    for (const [{ status, text }, email] of [
      [asked, one.email],
      [unknown, 'nobody@example.com'],
    ] as const) {
      assert.equal(status, 200)
      assert.match(text, /This service has no mail server/)
      assert.ok(text.includes(email))
    }
    const made = (await begin(sql, tx => makeReset(tx, one.email, ''))) as { url: string }
    const scanner = await aWebBrowser(url).get(made.url)
    assert.deepEqual([scanner.status, scanner.headers.get('referrer-policy')], [200, 'no-referrer'])
    // Its own session goes with the others.
    const browser = await signedIn(one)
    const short = await browser.send(made.url, { password: 'short' })
    assert.deepEqual([short.status, /at least 15 characters/.test(short.text)], [422, true])
    assert.equal((await browser.send(made.url, { password: 'a horse of another colour' })).to, '/sign-in')
    assert.match(notices((await browser.get('/sign-in')).text)[0] as string, /Your new password is set/)
    assert.equal((await browser.get(made.url)).status, 404)
    assert.match((await old.get(ACCOUNT)).to as string, /^\/sign-in/)
    for (const garbage of ['rst_garbage', '%00', 'a'.repeat(300)])
      assert.ok([404, 414].includes((await browser.get(`/reset/${garbage}`)).status))
  })

  test('an invitation lets a new person make an account, which signs them in', async () => {
    const one = await given()
    const admin = await signedIn(one)
    const email = `new${people}@example.com`
    const shown = await admin.send(TEAM, { email, role: 'operator' }, 'invite')
    // Without a mail server the admin is shown the link.
    const link = /https:\/\/shop\.example(\/invite\/inv_\w+)/.exec(shown.text)?.[1] as string
    const guest = aWebBrowser(url)
    assert.match((await guest.get(link)).text, /You are invited to Linen &amp; More/)
    const held = await guest.send(link, { name: 'New Person', password: `${email} is me` }, 'make')
    assert.deepEqual([held.status, /holds the e-mail address/.test(held.text), held.text.includes('value="New Person"')], [422, true, true])
    assert.equal((await guest.send(link, { name: 'New Person', password: PASSWORD }, 'make')).to, '/dashboard')
    assert.match((await guest.get('/dashboard')).text, /New Person, an operator/)
    assert.equal((await aWebBrowser(url).get(link)).status, 404)
    assert.match((await admin.get(TEAM)).text, new RegExp(email))
  })

  test('a link of odd characters leads to a page of ours, whatever they are', async () => {
    const guest = aWebBrowser(url)
    for (const odd of ['%0d%0aX-Evil:%201', '%E2%82%AC', '%2F%2Fevil.example', 'a%3Fb%23c']) {
      const { text } = await guest.get('/sign-in')
      const answer = await guest.post(`/invite/${odd}`, { _csrf: tokenOf(text) ?? '', _form: 'join' })
      assert.deepEqual([answer.status, answer.headers.get('x-evil')], [303, null], odd)
      assert.equal(decodeURIComponent(answer.to ?? ''), `/invite/${decodeURIComponent(odd)}`)
      assert.equal((await guest.get(answer.to ?? '')).status, 404)
    }
  })

  test('an invitation of somebody with an account asks for their password, and of another address lets nobody in', async () => {
    const [one, other] = [await given(), await given()]
    const admin = await signedIn(one)
    const linkFor = async (email: string) =>
      /https:\/\/shop\.example(\/invite\/inv_\w+)/.exec((await admin.send(TEAM, { email, role: 'admin' }, 'invite')).text)?.[1] as string
    const link = await linkFor(other.email)
    const mistaken = await signedIn(await given())
    assert.match((await mistaken.get(link)).text, /Sign out, and open the link again/)
    const page = await mistaken.get(ACCOUNT)
    const forced = await mistaken.post(link, { _csrf: tokenOf(page.text, 'profile') as string, _form: 'join' })
    assert.equal(forced.status, 409)
    const browser = aWebBrowser(url)
    assert.equal((await browser.send(link, { password: 'wrong horse battery' }, 'sign_in')).status, 422)
    assert.equal((await browser.send(link, { password: PASSWORD }, 'sign_in')).to, '/dashboard')
    assert.match((await browser.get('/dashboard')).text, /Linen &amp; More/)
    const third = await given()
    const already = await signedIn(third)
    const second = await linkFor(third.email)
    assert.equal((await already.send(second, {}, 'join')).to, '/dashboard')
    assert.equal((await sql`select 1 from memberships where tenant_id = ${one.tenant}`).length, 3)
    const [session] = await sql`select tenant_id from sessions where user_id = ${third.user}`
    assert.equal(session?.['tenant_id'], one.tenant)
  })
})

describe('what is open to whom', async () => {
  await import('../../src/ingress/page/tsx.ts')
  const { openDashboard } = await import('../../src/dashboard.ts')
  const at = { sql, baseUrl: 'https://shop.example' }
  const { pages } = openDashboard(
    { ...at, sendsMail: false },
    { ...at, outbound: () => assert.fail(), allowPrivate: false, appSchemes: [] },
  )

  test('each page behind sign-in leads others there, and what is the admins’ refuses operators, GET and POST', async () => {
    const operator = await signedIn(await given('operator'))
    const guest = aWebBrowser(url)
    const walled = pages.filter(({ who }) => who !== 'anyone')
    assert.ok(walled.length >= 10)
    const _csrf = tokenOf((await operator.get(ACCOUNT)).text, 'profile') as string
    for (const { path, who, actions = {} } of walled) {
      const at = path.replaceAll(/:\w+/g, newId('usr'))
      const forms = Object.keys(actions).map(_form => ({ _csrf, _form }))
      const led = await guest.get(at)
      assert.deepEqual([led.status, led.to?.startsWith('/sign-in?next=')], [303, true], path)
      for (const answer of await Promise.all(forms.map(form => guest.post(at, form))))
        assert.deepEqual([answer.status, answer.text.includes('<h1>You are signed out</h1>')], [403, true], path)
      if (who !== 'admin') continue
      for (const answer of [await operator.get(at), ...(await Promise.all(forms.map(form => operator.post(at, form))))])
        assert.deepEqual([answer.status, answer.text.includes('This page is for admins')], [403, true], path)
    }
    const { text } = await operator.get('/dashboard')
    assert.doesNotMatch(text, /\/dashboard\/settings/)
  })

  test('another workspace’s people are not found, and cannot be changed', async () => {
    const [one, other] = [await given(), await given()]
    const admin = await signedIn(one)
    const token = tokenOf((await admin.get(`${TEAM}/${one.user}`)).text, 'role') as string
    for (const user of [other.user, newId('usr'), 'usr_1', '%00', '__proto__']) {
      assert.equal((await admin.get(`${TEAM}/${user}`)).status, 404, user)
      assert.equal((await admin.post(`${TEAM}/${user}`, { _csrf: token, _form: 'role', role: 'operator' })).status, 404, user)
    }
  })
})

test('the overview has the figures of today and of the week, those of this workspace alone', async () => {
  const [one, other] = [await given('operator'), await given('operator')]
  const { key } = await createKey(sql, { tenant: one.tenant, kind: 'rest', scopes: ['write'] })
  const order = { items: [{ name: 'A shirt', unit_amount: 4950, quantity: 2 }], customer: { email: 'buyer@example.com' } }
  assert.equal((await app.request('POST', '/api/v1/orders', { key, body: order })).status, 201)
  const overview = async (person: { email: string }) =>
    (await (await signedIn(person)).get('/dashboard')).text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
  const [mine, theirs] = [await overview(one), await overview(other)]
  const figures = (title: string, orders: number, average: string) =>
    `${title} Orders ${orders} Paid EUR 0.00 Given back EUR 0.00 Average order EUR ${average} New conversations 0 Messages of customers 0`
  for (const title of ['Today', 'The last 7 days']) {
    assert.ok(mine.includes(figures(title, 1, '99.00')), title)
    assert.ok(theirs.includes(figures(title, 0, '0.00')), title)
  }
  assert.match(mine, /Day by day The last 7 days, by the clock of UTC Day Orders Paid Messages \d{4}-\d\d-\d\d 1 EUR 0\.00 0/)
  assert.match(theirs, /Nothing has happened yet/)
})

describe('account and team', () => {
  test('what is dangerous asks for the password again after an hour, and nothing is lost', async () => {
    const one = await given()
    const admin = await signedIn(one)
    await anHourLater(one.user)
    const email = `late${people}@example.com`
    const asked = await admin.send(TEAM, { email, role: 'admin' }, 'invite')
    assert.match(asked.text, /<h1>Your password, once more<\/h1>/)
    assert.equal((await sql`select 1 from invitations where tenant_id = ${one.tenant}`).length, 0)
    const fields = { _form: 'invite', email, role: 'admin' }
    const wrong = await admin.post(TEAM, {
      ...fields,
      _csrf: tokenOf(asked.text, 'invite') as string,
      password_again: 'wrong horse battery',
    })
    assert.deepEqual([wrong.status, notices(wrong.text)], [422, ['That is not your password.']])
    const done = await admin.post(TEAM, { ...fields, _csrf: tokenOf(wrong.text, 'invite') as string, password_again: PASSWORD })
    assert.match(done.text, /\/invite\/inv_/)
    assert.match(
      (await admin.send(TEAM, { email: `x${email}`, role: 'operator' }, 'invite')).text,
      /\/invite\/inv_/,
      'now it was given lately',
    )
  })

  test('lists sessions with hostile names as text, and ends one or all others', async () => {
    const one = await given()
    const mine = await signedIn(one)
    const hostile = await signedIn(one, aWebBrowser(url, '<img src=x onerror=alert(1)>"&'))
    const { text } = await mine.get(ACCOUNT)
    assert.match(text, /Firefox on Linux \(this one\)/)
    assert.ok(text.includes('&lt;img src=x onerror=alert(1)') && !text.includes('<img src=x'))
    assert.equal((await mine.send(ACCOUNT, {}, 'others')).to, ACCOUNT)
    assert.match((await hostile.get(ACCOUNT)).to as string, /^\/sign-in/)
    assert.equal((await mine.get(ACCOUNT)).status, 200)
  })

  test('changes name and password, and says what is wrong beside the field', async () => {
    const one = await given()
    const browser = await signedIn(one)
    await browser.send(ACCOUNT, { name: 'Ada Lovelace', email: one.email }, 'profile')
    assert.match((await browser.get('/dashboard')).text, /Ada Lovelace/)
    const bad = await browser.send(ACCOUNT, { password: PASSWORD, new_password: 'Ada Lovelace is here' }, 'password')
    assert.deepEqual([bad.status, /holds the name/.test(bad.text)], [422, true])
    assert.equal((await browser.send(ACCOUNT, { password: PASSWORD, new_password: 'a horse of another colour' }, 'password')).to, ACCOUNT)
    assert.equal((await aWebBrowser(url).send('/sign-in', { email: one.email, password: PASSWORD })).status, 422)
  })

  test('shows a person their own AI clients alone, and disconnects one', async () => {
    const one = await given()
    const [mine, theirs] = [
      await aGrant(one.tenant, one.user),
      await aGrant(one.tenant, await aPerson(sql, one.tenant, `colleague${people}@example.com`)),
    ]
    const browser = await signedIn(one)
    const { text } = await browser.get(ACCOUNT)
    assert.ok(text.includes(mine) && !text.includes(theirs))
    for (const grant of [theirs, mine]) assert.equal((await browser.send(ACCOUNT, { grant }, 'disconnect')).to, ACCOUNT)
    const left = await sql`select id from oauth_grants where tenant_id = ${one.tenant} and revoked_at is null`
    assert.deepEqual(
      left.map(row => row['id']),
      [theirs],
    )
  })

  test('switches and leaves workspaces; the last admin stays', async () => {
    const one = await given()
    const other = (await createTenant(sql, { name: 'Second shop', plan: 'free', currency: 'EUR' })).id
    await aPerson(sql, other, one.email, 'operator')
    const browser = await signedIn(one)
    const stay = await browser.send(ACCOUNT, { workspace: one.tenant }, 'leave')
    assert.deepEqual([stay.status, /is the last admin of this workspace/.test(stay.text)], [409, true])
    const { tenant: foreign } = await given()
    assert.equal((await browser.send(ACCOUNT, { workspace: foreign }, 'switch')).to, '/dashboard')
    assert.equal((await browser.get(TEAM)).status, 200, 'a workspace of others is no place to go')
    assert.equal((await browser.send(ACCOUNT, { workspace: other }, 'switch')).to, '/dashboard')
    assert.match((await browser.get('/dashboard')).text, /Second shop/)
    assert.equal((await browser.send(ACCOUNT, { workspace: other }, 'leave')).to, '/sign-in')
    assert.deepEqual(notices((await browser.get('/sign-in')).text), ['You have left the workspace, and your sessions there have ended.'])
    assert.match((await browser.get('/dashboard')).to as string, /^\/sign-in/)
    await signedIn(one, browser)
    assert.match((await browser.get('/dashboard')).text, /Linen &amp; More/)
  })

  test('admins who demote or remove themselves are led to a page that they may see, which tells them', async () => {
    const one = await given()
    const email = `second${people}@example.com`
    const second = await aPersonWithPassword(sql, one.tenant, email)
    const [first, other] = [await signedIn(one), await signedIn({ email })]
    assert.equal((await first.send(`${TEAM}/${one.user}`, { role: 'operator' }, 'role')).to, '/dashboard')
    assert.deepEqual(notices((await first.get('/dashboard')).text)[0], `${one.email} is an operator now.`)
    assert.equal((await other.send(`${TEAM}/${one.user}`, { role: 'admin' }, 'role')).to, TEAM)
    assert.equal((await other.send(`${TEAM}/${second}`, {}, 'remove')).to, '/sign-in')
    assert.deepEqual(notices((await other.get('/sign-in')).text), [`${email} is no longer in this workspace.`])
  })

  test('a form that was opened in one workspace does nothing in another', async () => {
    const one = await given()
    const other = (await createTenant(sql, { name: 'Second shop', plan: 'free', currency: 'EUR' })).id
    await aPerson(sql, other, one.email, 'admin')
    const browser = await signedIn(one)
    const { text } = await browser.get(TEAM)
    const shownIn = /name="_workspace" value="(\w+)"/.exec(text)?.[1] ?? ''
    assert.equal(shownIn, one.tenant)
    const form = {
      _csrf: tokenOf(text, 'workspace') ?? '',
      _form: 'workspace',
      _workspace: shownIn,
      name: 'Meant for the first',
      time_zone: 'UTC',
    }
    assert.equal((await browser.send(ACCOUNT, { workspace: other }, 'switch')).to, '/dashboard')
    const refused = await browser.post(TEAM, form)
    assert.deepEqual([refused.status, /gone to Second shop since\. Nothing was done/.test(refused.text)], [409, true])
    assert.equal((await browser.send(ACCOUNT, { workspace: one.tenant }, 'switch')).to, '/dashboard')
    assert.equal((await browser.post(TEAM, form)).to, TEAM, 'back there it is as good as it was')
    const names = await sql`select name from tenants where id in (${one.tenant}, ${other}) order by id`
    assert.deepEqual(
      names.map(row => row['name']),
      ['Meant for the first', 'Second shop'],
    )
  })

  test('an admin gives roles, removes people, withdraws invitations and names the workspace, each audited', async () => {
    const one = await given()
    const admin = await signedIn(one)
    const olga = await aPersonWithPassword(sql, one.tenant, `olga${people}@example.com`, 'operator')
    const operator = await signedIn({ email: `olga${people}@example.com` })
    assert.equal((await admin.send(`${TEAM}/${olga}`, { role: 'admin' }, 'role')).to, TEAM)
    assert.equal((await operator.get(TEAM)).status, 200)
    assert.equal((await admin.send(`${TEAM}/${olga}`, { role: 'boss' }, 'role')).status, 422)
    assert.equal((await admin.send(`${TEAM}/${olga}`, {}, 'remove')).to, TEAM)
    assert.match((await operator.get('/dashboard')).to as string, /^\/sign-in/)
    await admin.send(TEAM, { email: 'guest@example.com', role: 'operator' }, 'invite')
    assert.equal((await admin.send(TEAM, { address: 'guest@example.com' }, 'withdraw')).to, TEAM)
    const bad = await admin.send(TEAM, { name: 'Linen', time_zone: 'Mars/Olympus' }, 'workspace')
    assert.deepEqual([bad.status, bad.text.includes('value="Mars/Olympus"')], [422, true])
    assert.equal((await admin.send(TEAM, { name: 'Linen', time_zone: ' Asia/Kathmandu ' }, 'workspace')).to, TEAM)
    assert.match((await admin.get(TEAM)).text, /value="Asia\/Kathmandu"/)
    const audit = await admin.get('/dashboard/settings/audit')
    for (const action of ['session.begin', 'user.role', 'user.remove', 'user.invite', 'tenant.update'])
      assert.ok(audit.text.includes(action), action)
    const [row] =
      await sql`select actor_type, actor_id, trace_id from audit_log where tenant_id = ${one.tenant} and action = 'tenant.update'`
    assert.deepEqual([row?.['actor_type'], row?.['actor_id']], ['user', one.user])
    assert.match(row?.['trace_id'], /^[0-9a-f]{32}$/)
  })
})
