// The page on which a person allows a client to act for them, and every way in which a request for it can lie.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, suite, test } from 'node:test'
import { replacePassword } from '../../src/access/reset.ts'
import { holdSession, sessionsOf } from '../../src/access/sessions.ts'
import { formToken } from '../../src/ingress/page/form-token.ts'
import { DOCUMENT_TIMEOUT_MS } from '../../src/limits/oauth.ts'
import { readDocument } from '../../src/oauth/document.ts'
import { approve, listGrants } from '../../src/oauth/grants.ts'
import { OAuthRefusal } from '../../src/oauth/refusal.ts'
import { createClient } from '../../src/outbound/client.ts'
import { begin, type Tx } from '../../src/postgres/sql.ts'
import { sha256 } from '../../src/secrets.ts'
import { holdMember, removeMember } from '../../src/tenants/people.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { moveClock } from '../support/clock.ts'
import { sessionWaits } from '../support/locks.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { type Answered, aWebBrowser, tokenOf, type WebBrowser } from '../support/web-browser.ts'
import { BASE, endedAt, oauthApp, REDIRECT, type Registered } from './granted.ts'

const { app, client, token, refresh, tenant } = await oauthApp()
const verifier = randomBytes(32).toString('base64url')
const challenge = sha256(verifier).toString('base64url')

let people = 0
async function aPerson(role: 'admin' | 'operator' = 'admin', where = tenant) {
  const email = `p${++people}@shop.example`
  return { email, user: await aPersonWithPassword(app.sql, where, email, role) }
}

async function signedIn({ email }: { email: string }): Promise<WebBrowser> {
  const browser = aWebBrowser(app.url)
  assert.equal((await browser.send('/sign-in', { email, password: PASSWORD })).status, 303)
  return browser
}

const asking = ({ client_id }: Registered, over: Record<string, string | undefined> = {}): string => {
  const fields = {
    response_type: 'code',
    client_id,
    redirect_uri: REDIRECT,
    scope: 'read write',
    state: 'a state & more',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: `${BASE}/api/mcp`,
    ...over,
  }
  return `/oauth/authorize?${new URLSearchParams(Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined))}`
}

/** What the client is told by the address that the person is sent to. */
function toldBy({ status, to }: Answered, redirectUri = REDIRECT): Record<string, string> {
  assert.equal(status, 303)
  assert.ok(to?.startsWith(`${redirectUri}${redirectUri.includes('?') ? '&' : '?'}`), to)
  return Object.fromEntries(new URL(to as string).searchParams)
}

suite('before anyone signs in', () => {
  const stranger = aWebBrowser(app.url)

  test('a request that is right leads to sign-in, and back to where it was', async () => {
    const path = asking(await client())
    const { status, to, headers } = await stranger.get(path)
    assert.deepEqual([status, to], [303, `/sign-in?next=${encodeURIComponent(path)}`])
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
  })

  test('the answer comes by the query, also where that is asked for', async () => {
    assert.match((await stranger.get(asking(await client(), { response_mode: 'query' }))).to ?? '', /^\/sign-in\?/)
  })

  test('a parameter without a value is as if it were not there', async () => {
    const empty = { scope: '', state: '', redirect_uri: '', resource: '', response_mode: '' }
    assert.match((await stranger.get(`${asking(await client(), empty)}&scope=read`)).to ?? '', /^\/sign-in\?/)
    const said = toldBy(await stranger.get(asking(await client(), { ...empty, response_type: '' })))
    assert.deepEqual([said['error'], 'state' in said], ['invalid_request', false])
    const two = await client('none', { redirect_uris: [REDIRECT, `${REDIRECT}2`] })
    assert.equal((await stranger.get(asking(two, empty))).status, 400)
  })

  test('the resource may end in a slash, and its host be written otherwise', async () => {
    const made = await client()
    for (const resource of [`${BASE}/api/mcp/`, 'HTTPS://SHOP.example/api/mcp', 'https://shop.example:443/api/mcp'])
      assert.match((await stranger.get(asking(made, { resource }))).to ?? '', /^\/sign-in/, resource)
  })

  const pages: [string, Record<string, string | undefined>][] = [
    ['an unknown client', { client_id: 'cli_01h455vb4pex5vsknk084sn02q' }],
    ['no client', { client_id: undefined }],
    ['a NUL in the client', { client_id: 'cli_\0' }],
    ['another redirect URI', { redirect_uri: 'https://evil.example/callback' }],
    ['a suffix of it', { redirect_uri: `${REDIRECT}.evil.example` }],
    ['a path more', { redirect_uri: `${REDIRECT}/more` }],
    ['another case', { redirect_uri: REDIRECT.replace('client', 'Client') }],
    ['a port', { redirect_uri: 'https://client.example:443/callback' }],
    ['an encoded letter', { redirect_uri: REDIRECT.replace('callback', '%63allback') }],
    ['a user', { redirect_uri: 'https://client.example@evil.example/callback' }],
    ['a fragment', { redirect_uri: `${REDIRECT}#x` }],
    ['a query more', { redirect_uri: `${REDIRECT}?next=evil` }],
    ['a script', { redirect_uri: 'javascript:alert(1)' }],
    ['the authorize page itself', { redirect_uri: `${BASE}/oauth/authorize` }],
  ]
  for (const [what, over] of pages)
    test(`sends nobody anywhere: ${what}`, async () => {
      const { status, text, to } = await stranger.get(asking(await client(), over))
      assert.deepEqual([status, to], [400, undefined])
      assert.match(text, /<h1>This (program is not known|link is not right)<\/h1>/)
      assert.doesNotMatch(text, /evil/)
    })

  test('sends nobody anywhere: two redirect URIs, two clients', async () => {
    const path = asking(await client())
    for (const more of [`&redirect_uri=${encodeURIComponent(REDIRECT)}`, '&client_id=cli_x'])
      assert.equal((await stranger.get(path + more)).status, 400)
  })

  test("sends nobody anywhere: another registered client's address", async () => {
    const other = await client('none', { redirect_uris: ['https://other.example/cb'] })
    assert.equal((await stranger.get(asking(other))).status, 400)
  })

  const told: [string, Record<string, string | undefined>, string, string?][] = [
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'short' }, 'invalid_request'],
    ['a long challenge', { code_challenge: `${challenge}A` }, 'invalid_request'],
    ['a challenge of other characters', { code_challenge: `${challenge.slice(1)}+` }, 'invalid_request'],
    ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no method, which would be plain', { code_challenge_method: undefined }, 'invalid_request'],
    ['a method in lower case', { code_challenge_method: 's256' }, 'invalid_request'],
    ['no response type', { response_type: undefined }, 'invalid_request'],
    ['a response type without a value', { response_type: '' }, 'invalid_request'],
    ['a token at once', { response_type: 'token' }, 'unsupported_response_type'],
    ['a code and a token', { response_type: 'code token' }, 'unsupported_response_type'],
    ['an answer in the fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['an answer by a form', { response_mode: 'form_post' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/api/mcp' }, 'invalid_target'],
    ['a resource with a query', { resource: `${BASE}/api/mcp?x` }, 'invalid_target'],
    ['a resource with a user', { resource: 'https://shop.example@evil.example/api/mcp' }, 'invalid_target'],
    ['a resource with a letter encoded', { resource: `${BASE}/api/%6dcp` }, 'invalid_target'],
    ['a resource in another case of its path', { resource: `${BASE}/API/mcp` }, 'invalid_target'],
    ['a resource without its path', { resource: BASE }, 'invalid_target'],
    ['a resource that begins like ours', { resource: `${BASE}/api/mcp.evil` }, 'invalid_target'],
    ['scopes that are not there', { scope: 'admin openid' }, 'invalid_scope'],
    ['a scope of spaces', { scope: ' ' }, 'invalid_scope'],
    ['a scope in upper case', { scope: 'READ' }, 'invalid_scope'],
    ['a scope twice', { scope: 'read', '&scope': 'write' }, 'invalid_request'],
    ['a state twice', { '&state': 'x' }, 'invalid_request'],
    ['a challenge twice', { '&code_challenge': challenge }, 'invalid_request'],
    ['a resource twice', { '&resource': 'https://evil.example' }, 'invalid_request'],
  ]
  for (const [what, over, error] of told)
    test(`tells the client, with its state and who says so: ${what}`, async () => {
      const twice = Object.entries(over).filter(([name]) => name.startsWith('&'))
      const path = asking(await client(), Object.fromEntries(Object.entries(over).filter(([name]) => !name.startsWith('&'))))
      const said = toldBy(await stranger.get(path + twice.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('')))
      assert.equal(said['error'], error)
      assert.equal(said['iss'], BASE)
      assert.ok((said['error_description'] ?? '').length > 10)
      assert.equal(said['state'], what === 'a state twice' ? undefined : 'a state & more')
    })

  test('a redirect URI of its own query keeps it, and one with a port of this computer is taken', async () => {
    const made = await client('none', { redirect_uris: ['http://127.0.0.1/cb?a=1'] })
    const redirectUri = 'http://127.0.0.1:50123/cb?a=1'
    const said = toldBy(await stranger.get(asking(made, { redirect_uri: redirectUri, scope: 'none' })), redirectUri)
    assert.deepEqual([said['a'], said['error']], ['1', 'invalid_scope'])
  })
})

suite('consent', () => {
  const allow = (browser: WebBrowser, path: string, fields: Record<string, string> = {}) =>
    browser.send(path, { decision: 'allow', scope: 'write', ...fields })

  test('a person who allows it sends a code, by which the client gets what they ticked', async () => {
    const person = await aPerson('operator')
    const browser = await signedIn(person)
    const made = await client('none', { client_name: 'Editor' })
    const said = toldBy(await allow(browser, asking(made, { resource: '' })))
    assert.deepEqual([said['state'], said['iss'], said['error']], ['a state & more', BASE, undefined])
    const fields = {
      grant_type: 'authorization_code',
      client_id: made.client_id,
      code: said['code'] ?? '',
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    }
    assert.equal((await token(fields)).body.scope, 'read write')
    const [mail] =
      await app.sql`select recipient, text from mails where tenant_id = ${tenant} and kind = 'oauth.approve' order by id desc limit 1`
    assert.equal(mail?.['recipient'], person.email)
    assert.match(mail?.['text'], /calls itself “Editor”.*client\.example/)
    const [row] =
      await app.sql`select actor_id, details from audit_log where tenant_id = ${tenant} and action = 'oauth.approve' order by id desc limit 1`
    assert.deepEqual([row?.['actor_id'], row?.['details'].client], [person.user, made.client_id])
  })

  const ticked: [string, string, Record<string, string>, string | undefined][] = [
    ['write unticked', 'read write', { scope: '' }, 'read'],
    ['a scope that was not asked for', 'read', { scope: 'write' }, 'read'],
    ['nothing asked for, which is all', '', { scope: 'write' }, 'read write'],
    ['write alone, ticked', 'write', { scope: 'write' }, 'write'],
    ['write alone, unticked', 'write', { scope: '' }, undefined],
    ['a scope that is not there, ticked', 'read', { scope: 'admin' }, 'read'],
  ]
  for (const [what, scope, fields, granted] of ticked)
    test(`gives what was asked for and ticked: ${what}`, async () => {
      const browser = await signedIn(await aPerson())
      const made = await client()
      const said = toldBy(await allow(browser, asking(made, { scope }), fields))
      if (granted === undefined) return assert.equal(said['error'], 'access_denied')
      const [grant] = await app.sql`select scopes from oauth_grants where client_id = ${made.client_id}`
      assert.deepEqual(grant?.['scopes'], granted.split(' '))
    })

  test('a person who denies it sends word of that, and nothing is granted', async () => {
    const browser = await signedIn(await aPerson())
    const made = await client()
    const said = toldBy(await browser.send(asking(made), { decision: 'deny' }))
    assert.deepEqual([said['error'], said['state'], said['iss'], said['code']], ['access_denied', 'a state & more', BASE, undefined])
    assert.equal((await app.sql`select 1 from oauth_grants where client_id = ${made.client_id}`).length, 0)
    assert.equal((await browser.send(asking(made), {})).status, 422)
  })

  test('says in quotes what the client says of itself, and apart from it what is known', async () => {
    const person = await aPerson()
    const browser = await signedIn(person)
    const made = await client('none', { client_name: '</q>Shopdesk <b>Support</b>\u202e\u0007', redirect_uris: ['http://localhost:1/cb'] })
    const { text, headers } = await browser.get(asking(made, { redirect_uri: 'http://localhost:7/cb' }))
    assert.match(text, /<q class="said"><bdi>&lt;\/q>Shopdesk &lt;b>Support&lt;\/b><\/bdi><\/q>/)
    assert.match(text, /<strong>localhost:7<\/strong>, a program on this computer/)
    assert.match(text, new RegExp(`<dd>${person.email}</dd>`))
    assert.doesNotMatch(headers.get('content-security-policy') ?? '', /form-action/)
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
    assert.equal(headers.get('cross-origin-opener-policy'), null)
    assert.equal(headers.get('referrer-policy'), 'no-referrer')
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('asks which workspace, where there are several, and takes none of others', async () => {
    const person = await aPerson()
    const [second, foreign] = [
      await createTenant(app.sql, { name: 'Second', plan: 'free', currency: 'EUR' }),
      await createTenant(app.sql, { name: 'Foreign', plan: 'free', currency: 'EUR' }),
    ]
    await app.sql`insert into memberships (tenant_id, user_id, role) values (${second.id}, ${person.user}, 'operator')`
    const browser = await signedIn(person)
    const made = await client()
    assert.match((await browser.get(asking(made))).text, /<option[^>]*>Second<\/option>.*There it could:/)
    const refused = await allow(browser, asking(made), { tenant: foreign.id })
    assert.equal(refused.status, 422)
    assert.doesNotMatch(refused.text, /Foreign/)
    toldBy(await allow(browser, asking(made), { tenant: second.id }))
    assert.equal((await listGrants(app.sql, second.id)).length, 1)
    assert.deepEqual(await listGrants(app.sql, foreign.id), [])
  })

  test('is judged again when it is posted: the address is the browser’s to change', async () => {
    const browser = await signedIn(await aPerson())
    const made = await client()
    const _csrf = tokenOf((await browser.get(asking(made, { scope: 'read' }))).text) ?? ''
    assert.equal((await browser.post(asking(made, { redirect_uri: 'https://evil.example' }), { _csrf, decision: 'allow' })).status, 400)
    const said = toldBy(await browser.post(asking(made, { code_challenge_method: 'plain' }), { _csrf, decision: 'allow' }))
    assert.equal(said['error'], 'invalid_request')
  })

  test('is taken from its own session alone, and once', async () => {
    const [browser, other] = [await signedIn(await aPerson()), await signedIn(await aPerson())]
    const path = asking(await client())
    const _csrf = tokenOf((await browser.get(path)).text) ?? ''
    const form = { _csrf, decision: 'allow' }
    assert.equal((await other.post(path, form)).status, 403)
    assert.equal((await aWebBrowser(app.url).post(path, form)).status, 403)
    assert.equal((await browser.post(path, { decision: 'allow' })).status, 403)
    assert.equal((await browser.post(path, form)).status, 303)
    assert.equal((await browser.post(path, form)).status, 409)
  })

  test('after sign-out the page leads to sign-in, and back to what was asked', async () => {
    const person = await aPerson()
    const browser = await signedIn(person)
    const path = asking(await client())
    browser.cookies.clear()
    const { to } = await browser.get(path)
    const back = await browser.send(to as string, { email: person.email, password: PASSWORD })
    assert.deepEqual([back.status, new URL(back.to as string, BASE).searchParams.get('state')], [303, 'a state & more'])
    assert.match((await browser.get(back.to as string)).text, /<h1>Allow access/)
  })

  test('a form that was open for over a day, or longer than its session, is asked again and loses nothing', async () => {
    const person = await aPerson()
    const browser = aWebBrowser(app.url, undefined, { origin: BASE })
    const signIn = (path: string) => browser.send(path, { email: person.email, password: PASSWORD })
    await signIn('/sign-in')
    const path = asking(await client())
    const [session] = await sessionsOf(app.sql, person.user)
    moveClock(Date.now() - 25 * 3_600_000)
    const _csrf = formToken(app.keyring, session?.id ?? '')
    moveClock(Date.now())
    const late = await browser.post(path, { _csrf, decision: 'allow' })
    assert.deepEqual([late.status, /open for over a day, so nothing was done/.test(late.text)], [403, true])
    const renewed = tokenOf(late.text) ?? ''
    browser.cookies.clear()
    const { status, to = '' } = await browser.post(path, { _csrf: renewed, decision: 'allow' })
    assert.deepEqual([status, to], [303, `/sign-in?next=${encodeURIComponent(path)}`])
    assert.equal((await signIn(to)).to, path)
    assert.ok(toldBy(await browser.send(path, { decision: 'allow' }))['code'])
  })

  test('what was granted ends when the person leaves, and when their password is set anew', async () => {
    for (const end of ['leave', 'reset'] as const) {
      const person = await aPerson()
      const browser = await signedIn(person)
      const made = await client()
      const said = toldBy(await allow(browser, asking(made)))
      const fields = {
        grant_type: 'authorization_code',
        client_id: made.client_id,
        code: said['code'] ?? '',
        redirect_uri: REDIRECT,
        code_verifier: verifier,
      }
      const { body } = await token(fields)
      const by = { type: 'user' as const, id: person.user }
      if (end === 'leave') await begin(app.sql, tx => removeMember(tx, { tenant, actor: by }, person.user))
      else await begin(app.sql, tx => replacePassword(tx, { id: person.user, email: person.email, name: null }, 'x', by))
      const [grant] = await app.sql`select id from oauth_grants where client_id = ${made.client_id}`
      assert.ok(await endedAt(app, grant?.['id']), end)
      assert.equal((await refresh(made, body.refresh_token)).body.error, 'invalid_grant')
    }
  })
})

suite('at the same moment', () => {
  const open = async ({ client_id }: Registered) =>
    (await app.sql`select 1 from oauth_grants where client_id = ${client_id} and revoked_at is null`).length

  for (const what of ['removed', 'given a new password'] as const) {
    const end = (tx: Tx, { user, email }: { user: string; email: string }): Promise<unknown> =>
      what === 'removed'
        ? removeMember(tx, { tenant, actor: { type: 'system' } }, user)
        : replacePassword(tx, { id: user, email, name: null }, 'x', { type: 'system' })

    test(`what a person allows who is ${what} is allowed no more`, async () => {
      const [person, made] = [await aPerson(), await client()]
      const browser = await signedIn(person)
      let answered: Promise<Answered> | undefined
      const page = await browser.get(asking(made))
      await begin(app.sql, async tx => {
        await end(tx, person)
        answered = browser.post(asking(made), { _csrf: tokenOf(page.text) ?? '', decision: 'allow', scope: 'write' })
        await sessionWaits(app.sql)
      })
      const { status, to } = await (answered as Promise<Answered>)
      assert.deepEqual([status, await open(made)], [what === 'removed' ? 422 : 303, 0])
      if (status === 303) assert.match(to ?? '', /^\/sign-in\?next=%2Foauth%2Fauthorize/)
    })

    test(`a person who is ${what} loses what they have just allowed`, async () => {
      const [person, made] = [await aPerson(), await client()]
      await signedIn(person)
      const [session] = await sessionsOf(app.sql, person.user)
      let ended: Promise<unknown> | undefined
      await begin(app.sql, async tx => {
        assert.ok((await holdMember(tx, tenant, person.user)) && (await holdSession(tx, session?.id ?? '')))
        const approval = { client: made.client_id, redirectUri: REDIRECT, challenge, scopes: ['read' as const] }
        await approve(tx, { tenant, actor: { type: 'user', id: person.user } }, approval)
        ended = begin(app.sql, other => end(other, person))
        await sessionWaits(app.sql)
      })
      await ended
      assert.equal(await open(made), 0)
    })
  }
})

let answer: (request: IncomingMessage, response: ServerResponse, id: string) => void = () => {}
let asked = 0
const server = createServer((request, response) => {
  asked++
  answer(request, response, `${origin}${request.url}`)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => server.close().closeAllConnections())
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

suite('a client that is known by a document', () => {
  let documents = 0
  const anId = () => `${origin}/client-${++documents}.json`
  const described = (client_id: string, over: object = {}) => ({ client_id, client_name: 'Described', redirect_uris: [REDIRECT], ...over })
  const send =
    (body: object | string, headers: Record<string, string> = {}, status = 200) =>
    (_request: IncomingMessage, response: ServerResponse, id: string) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(Object.keys(body).length === 0 ? described(id) : body))

  test('is read for a person who is signed in alone, and connects without registering', async () => {
    const client_id = anId()
    answer = send({})
    const before = asked
    assert.match((await aWebBrowser(app.url).get(asking({ client_id }))).to ?? '', /^\/sign-in\?next=/)
    assert.equal(asked, before)
    const browser = await signedIn(await aPerson())
    const { text } = await browser.get(asking({ client_id }))
    assert.match(text, /<bdi>Described<\/bdi>/)
    assert.match(text, new RegExp(`It is described by</dt><dd><strong>${new URL(origin).host}</strong>`))
    const said = toldBy(await browser.send(asking({ client_id }), { decision: 'allow' }))
    assert.equal(asked, before + 1, 'it was read again while it was fresh')
    const fields = {
      grant_type: 'authorization_code',
      client_id,
      code: said['code'] ?? '',
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    }
    const { status, body } = await token(fields)
    assert.equal(status, 200)
    await app.sql`update oauth_clients set fresh_until = now() - interval '20 days', serves_until = now() - interval '13 days' where id = ${client_id}`
    assert.equal((await refresh({ client_id }, body.refresh_token)).status, 200, 'what was allowed hangs on no document')
    assert.equal(asked, before + 1)
  })

  const wrong: [string, (id: string) => ReturnType<typeof send>][] = [
    ['is another client’s', () => send(described(`${origin}/other.json`))],
    ['redirects', id => send('', { location: `${id}?again` }, 302)],
    ['is not there', () => send('', {}, 404)],
    ['is no JSON', () => send('<html>')],
    ['is a list', () => send('[]')],
    ['says that it is HTML', id => send(described(id), { 'content-type': 'text/html' })],
    ['is too long', id => send(described(id, { client_name: 'a', padding: 'a'.repeat(17_000) }))],
    ['holds a secret', id => send(described(id, { client_secret: 'x' }))],
    ['wants a secret', id => send(described(id, { token_endpoint_auth_method: 'client_secret_basic' }))],
    ['has a redirect URI that may not be', id => send(described(id, { redirect_uris: ['http://evil.example/'] }))],
    ['has no redirect URI', id => send(described(id, { redirect_uris: [] }))],
  ]
  for (const [what, make] of wrong)
    test(`is not taken where the document ${what}`, async () => {
      const client_id = anId()
      answer = make(client_id)
      const { status, text } = await (await signedIn(await aPerson())).get(asking({ client_id }))
      assert.equal(status, 400)
      assert.match(text, /<h1>This program is not known<\/h1><p>Its description/)
      assert.equal((await app.sql`select 1 from oauth_clients where id = ${client_id}`).length, 0)
    })

  test('is not waited for where its document stalls, before its head or within it', async () => {
    const { tenant: where, user } = { tenant, ...(await aPerson()) }
    const client = createClient({ allowPrivate: true, allowOrigins: [] })
    const times: number[] = []
    // Real requests, with a fiftieth of the time.
    const hasty = {
      ...client,
      get: (ask: Parameters<typeof client.get>[0]) => client.get({ ...ask, timeoutMs: times.push(ask.timeoutMs) && 100 }),
    }
    const context = { sql: app.sql, outbound: () => hasty, allowPrivate: true, appSchemes: [] }
    const stalls: (typeof answer)[] = [
      () => {},
      (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).write('{"client_id":'),
    ]
    for (const stall of stalls) {
      answer = stall
      await assert.rejects(readDocument(context, anId(), { tenant: where, user }), OAuthRefusal)
    }
    assert.deepEqual(times, [DOCUMENT_TIMEOUT_MS, DOCUMENT_TIMEOUT_MS])
    await client.close()
  })

  test('is not asked about at addresses that lead inside', async () => {
    const walled = await oauthApp({ OUTBOUND_ALLOW_PRIVATE: 'false' })
    await aPersonWithPassword(walled.app.sql, walled.tenant, 'ann@shop.example')
    const browser = aWebBrowser(walled.app.url)
    await browser.send('/sign-in', { email: 'ann@shop.example', password: PASSWORD })
    let connections = 0
    server.on('connection', () => connections++)
    const { port } = new URL(origin)
    const hosts = [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`, `[::ffff:7f00:1]:${port}`, '10.0.0.1', '169.254.169.254']
    for (const client_id of [...hosts.map(host => `https://${host}/client.json`), `${origin}/client.json`]) {
      const { status, text } = await browser.get(asking({ client_id }))
      assert.deepEqual([status, /<h1>This program is not known/.test(text)], [400, true], client_id)
    }
    assert.equal(connections, 0)
  })

  test('serves for a while where its document cannot be read again, and changes with it where it can', async () => {
    const client_id = anId()
    answer = send({}, { 'cache-control': 'public, max-age=1' })
    const browser = await signedIn(await aPerson())
    assert.equal((await browser.get(asking({ client_id }))).status, 200)
    const [kept] = await app.sql`select extract(epoch from fresh_until - now()) as fresh from oauth_clients where id = ${client_id}`
    assert.ok(Number(kept?.['fresh']) > 290 && Number(kept?.['fresh']) <= 300)
    const stale = () => app.sql`update oauth_clients set fresh_until = now() - interval '1 second' where id = ${client_id}`
    await stale()
    answer = send('', {}, 500)
    assert.equal((await browser.get(asking({ client_id }))).status, 200)
    answer = send(described(client_id, { redirect_uris: ['https://moved.example/cb'] }))
    assert.equal((await browser.get(asking({ client_id }))).status, 400)
    await stale()
    await app.sql`update oauth_clients set serves_until = now() - interval '1 second' where id = ${client_id}`
    answer = send('', {}, 500)
    assert.match((await browser.get(asking({ client_id }))).text, /This program is not known/)
  })

  test('is no address that leads inside, has no path, or is written in another way', async () => {
    const browser = await signedIn(await aPerson())
    const before = asked
    for (const client_id of [
      origin,
      `${origin}/`,
      `${origin}/a/../b.json`,
      `${origin}/%2e%2e/b.json`,
      `${origin}/a.json#x`,
      `http://u@127.0.0.1/a.json`,
      'http://shop.example/a.json',
      'ftp://a.example/a.json',
      'file:///etc/passwd',
      'HTTPS://a.example/a.json',
    ])
      assert.equal((await browser.get(asking({ client_id }))).status, 400, client_id)
    assert.equal(asked, before)
  })
})
