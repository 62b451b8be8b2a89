// The agent server, and what its clients and people need with it, while the database is away; and over two web processes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { revokeKey } from '../../src/access/keys.ts'
import { makeReset } from '../../src/access/reset.ts'
import { mintToken } from '../../src/access/token.ts'
import { cookieName } from '../../src/ingress/page/cookies.ts'
import { register } from '../../src/oauth/clients.ts'
import { readMetadata } from '../../src/oauth/registration.ts'
import { begin } from '../../src/postgres/sql.ts'
import { invite } from '../../src/tenants/invitations.ts'
import { startWeb } from '../../src/web.ts'
import { agentWith, anAgent } from '../support/agent.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { aWebBrowser, tokenOf, type WebBrowser } from '../support/web-browser.ts'

const app = await testApp()
const shop = await app.tenant()
const agent = await anAgent(app, shop.id)
const proxy = await flakyProxy(app.databaseUrl)
const web = await startWeb({ config: { ...app.config, port: 0 }, databaseUrl: proxy.url, keyring: app.keyring })
after(() => web.close())
const other = agentWith(web.address, agent.key)

test('while the database is away every request is answered 503, in JSON-RPC, as an OAuth error or as a page, and once it is back, so is the service', async () => {
  assert.equal((await other.call('get_orders')).isError, false)
  const askedForToken = (): Promise<Response> =>
    fetch(`${web.address}/api/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', client_id: 'cli_x', refresh_token: 'x' }),
    })
  assert.equal((await askedForToken()).status, 401)
  proxy.block()
  for (const body of [
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_orders' } },
    { jsonrpc: '2.0', id: 1, method: 'tools/list' },
    [{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_orders' } }],
    'no JSON',
  ]) {
    const reply = await other.ask({ body })
    assert.equal(reply.status, 503, reply.text)
    assert.deepEqual([reply.body.jsonrpc, reply.body.id, reply.body.error.code], ['2.0', null, -32000])
    assert.equal(reply.headers['retry-after'], '1')
    assert.doesNotMatch(reply.text, /ECONN|postgres/i)
  }
  const token = await askedForToken()
  assert.deepEqual([token.status, token.headers.get('retry-after')], [503, '1'])
  assert.equal(((await token.json()) as { error: string }).error, 'temporarily_unavailable')
  const cookie = `${cookieName(app.config.baseUrl, '')}=${mintToken('sid')}`
  const page = await fetch(`${web.address}/dashboard`, { redirect: 'manual', headers: { cookie, accept: 'text/html' } })
  const text = await page.text()
  assert.deepEqual([page.status, page.headers.get('retry-after'), page.headers.get('content-type')], [503, '1', 'text/html; charset=utf-8'])
  assert.match(text, /The service is not there just now.*Trace id: <code>[0-9a-f]{32}</s)
  assert.doesNotMatch(text, /ECONN|postgres/i)
  proxy.mend()
  await eventually(async () => (await other.call('get_orders')).reply.status === 200)
})

test('a form that is sent while the database is away is told so on a page that leads back to it, and sent again it does its work', async () => {
  const [email, password] = ['reset@shop.example', 'a long enough password']
  const person = await aPersonWithPassword(app.sql, shop.id, 'ada@shop.example', 'admin')
  await aPersonWithPassword(app.sql, shop.id, email, 'operator')
  const caller = { tenant: shop.id, actor: { type: 'user' as const, id: person } }
  const [invited, reset] = await Promise.all([
    begin(app.sql, tx => invite(tx, caller, { email: 'new@shop.example', role: 'operator' }, '')),
    begin(app.sql, tx => makeReset(tx, email, '')),
  ])
  const redirect = 'https://client.example/callback'
  const client = await register(
    app.sql,
    readMetadata({ redirect_uris: [redirect], token_endpoint_auth_method: 'none' }, { method: 'none', appSchemes: [] }),
    '127.0.0.1',
    10,
  )
  const asked = { response_type: 'code', client_id: client.client_id, code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
  const consent = `/oauth/authorize?${new URLSearchParams(asked)}`
  const ada = aWebBrowser(web.address)
  const signIn = { email: 'ada@shop.example', password: PASSWORD }
  const forms: [WebBrowser, string, Record<string, string>, string, RegExp][] = [
    [ada, `/sign-in?next=${encodeURIComponent(consent)}`, signIn, '', /^\/oauth\/authorize\?/],
    [ada, consent, { decision: 'allow', scope: 'write' }, '', /^https:\/\/client\.example\/callback\?code=/],
    [aWebBrowser(web.address), invited.url, { name: 'New', password }, 'make', /^\/dashboard$/],
    [aWebBrowser(web.address), reset?.url ?? '', { password }, '', /^\/sign-in$/],
  ]
  for (const [browser, path, fields, form, to] of forms) {
    const sent = { _csrf: tokenOf((await browser.get(path)).text, form) ?? '', ...(form && { _form: form }), ...fields }
    proxy.block()
    const { status, headers, text } = await browser.post(path, sent)
    assert.deepEqual([status, headers.get('retry-after')], [503, '1'], path)
    assert.match(text, /reload this page: the form is sent again/)
    assert.ok(text.includes(`href="${path.replaceAll('&', '&amp;')}">Open the page anew`), text)
    proxy.mend()
    await eventually(async () => (await other.call('get_orders')).reply.status === 200)
    assert.match((await browser.post(path, sent)).to ?? '', to)
  }
})

test('a key that is revoked in one process is refused by the other at its next request', async () => {
  const mine = await anAgent(app, shop.id)
  const there = agentWith(web.address, mine.key)
  assert.equal((await there.call('get_orders')).isError, false)
  await revokeKey(app.sql, shop.id, mine.keyId)
  for (const body of [
    { jsonrpc: '2.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_orders' } },
  ])
    assert.equal((await there.ask({ body })).status, 401)
})

test('the slots of a key are exact over both processes', async () => {
  const small = await app.tenant({ plan: 'free' })
  const mine = await anAgent(app, small.id)
  const both = [mine, agentWith(web.address, mine.key)]
  const batch = Array.from({ length: 10 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_orders' } }))
  const replies = await Promise.all(Array.from({ length: 6 }, (_, n) => (both[n % 2] as typeof mine).ask({ body: batch })))
  const results = replies.flatMap(each => each.body) as { result: { isError?: boolean } }[]
  assert.equal(results.filter(each => !each.result.isError).length, 30)
})
