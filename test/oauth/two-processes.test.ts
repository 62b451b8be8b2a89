// Two web processes on one database, while SECRET_KEY is rotated: the one encrypts by the old key still, the other by the new one, and both know both.
// What is good once is good once between them, and what ended on one has ended on the other.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { revokeGrant } from '../../src/oauth/grants.ts'
import { begin } from '../../src/postgres/sql.ts'
import { changeRole } from '../../src/tenants/people.ts'
import { agentWith, anAgent } from '../support/agent.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { aPerson } from '../support/people.ts'
import { startShopdesk } from '../support/processes.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { aTalk } from '../support/talks.ts'
import { aWebBrowser, type WebBrowser } from '../support/web-browser.ts'
import { type Answer, BASE, endedAt, oauthApp, type Registered } from './granted.ts'

const { app, tenant, person, client, code, connected, post } = await oauthApp()

const [[id, old]] = Object.entries(app.keyring) as [[string, Buffer]]
const keys = [`${id}:${old.toString('hex')}`, `newer:${randomBytes(32).toString('hex')}`]
const start = async (keys: string[]): Promise<string> => {
  const settings = { ...settingsOf(app), SECRET_KEY: keys.join(), BASE_URL: BASE, HOST: '127.0.0.1', PORT: '0' }
  return (await startShopdesk('web', settings, 'kept')).ready as string
}
const urls = (await Promise.all([start(keys), start(keys.toReversed())])) as [string, string]
/** In turn. */
const either = (n: number): string => urls[n % 2] as string

const at = async (url: string, fields: Record<string, string>): Promise<Answer['body']> => {
  const response = await fetch(`${url}/api/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
  return { status: response.status, ...((await response.json()) as object) }
}
const next = ({ client_id }: Registered, refresh_token: string) => ({ grant_type: 'refresh_token', client_id, refresh_token })
const ping = (token: string, url: string) => agentWith(url, token).ask({ body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
const statusOf = async (token: string, url: string): Promise<number> => (await ping(token, url)).status

test('a code is taken once, also ten times at once, and then its grant is over', async () => {
  const { grant, fields } = await code(await client())
  const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => at(either(n), fields)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)])
  assert.ok(await endedAt(app, grant))
})

test('a refresh token has one successor, also eight times at once', async () => {
  const { client: made, tokens, grant } = await connected()
  const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => at(either(n), next(made, tokens.refresh_token))))
  assert.deepEqual(new Set(answers.map(each => each.status)), new Set([200]))
  assert.equal(new Set(answers.map(each => each.refresh_token)).size, 1)
  assert.equal(new Set(answers.map(each => each.access_token)).size, 8)
  for (const { access_token } of answers) for (const url of urls) assert.equal(await statusOf(access_token, url), 200)
  assert.equal(await endedAt(app, grant), null)
})

test('it is the same where SECRET_KEY was rotated between a refresh and its repeat', async () => {
  const { client: made, tokens } = await connected()
  const [first, again] = [await at(urls[0], next(made, tokens.refresh_token)), await at(urls[1], next(made, tokens.refresh_token))]
  assert.deepEqual([again.status, again.refresh_token], [200, first.refresh_token])
  // From then on by the new key, and back.
  const newer = await at(urls[1], next(made, first.refresh_token))
  assert.equal((await at(urls[0], next(made, first.refresh_token))).refresh_token, newer.refresh_token)
  assert.equal((await at(urls[0], next(made, newer.refresh_token))).status, 200)
})

test('a key that was revoked and a role that was changed, by pages of the one, are so at the next request of the other', async () => {
  const key = await anAgent(app, tenant)
  const { tokens } = await connected()
  const persona = async (url: string, tone: string) => {
    const { isError, result } = await agentWith(url, tokens.access_token).call('update_ai_persona', { tone })
    return isError ? result.error.code : 'changed'
  }
  for (const url of urls) assert.deepEqual([await statusOf(key.key, url), await persona(url, 'friendly')], [200, 'changed'])
  await aPersonWithPassword(app.sql, tenant, 'another-admin@shop.example')
  const admin = aWebBrowser(urls[0])
  await admin.send('/sign-in', { email: 'another-admin@shop.example', password: PASSWORD })
  assert.equal((await admin.send(`/dashboard/settings/integrations/keys/${key.keyId}`, {})).status, 303)
  assert.equal((await admin.send(`/dashboard/settings/team/${person}`, { role: 'operator' }, 'role')).status, 303)
  for (const url of urls.toReversed())
    assert.deepEqual([await statusOf(key.key, url), await persona(url, 'formal')], [401, 'insufficient_role'])
  const [refused] =
    await app.sql`select details from audit_log where tenant_id = ${tenant} and action = 'agent.refuse' order by id desc limit 1`
  assert.deepEqual([refused?.['details'].tool, refused?.['details'].reason], ['update_ai_persona', 'insufficient_role'])
  await begin(app.sql, tx => changeRole(tx, { tenant, actor: { type: 'cli' } }, person, 'admin'))
  for (const url of urls) assert.equal(await persona(url, 'formal'), 'changed')
})

suite('a token opens nothing', () => {
  const ends: [string, (made: Awaited<ReturnType<typeof connected>>) => Promise<unknown>][] = [
    [
      'once it expired',
      ({ grant }) => app.sql`update oauth_access_tokens set expires_at = now() - interval '1 second' where grant_id = ${grant}`,
    ],
    ['once it was revoked', made => post('/api/oauth/revoke', { client_id: made.client.client_id, token: made.tokens.access_token })],
    [
      'once its refresh token was revoked',
      made => post('/api/oauth/revoke', { client_id: made.client.client_id, token: made.tokens.refresh_token }),
    ],
    ['once an admin took the grant back', ({ grant }) => revokeGrant(app.sql, { tenant, actor: { type: 'cli' } }, grant)],
    ['once the account is disabled', () => app.sql`update users set disabled_at = now() where id = ${person}`],
    ['once the person has left', () => app.sql`delete from memberships where tenant_id = ${tenant} and user_id = ${person}`],
  ]
  for (const [when, end] of ends)
    test(`${when}, at the next request, in each process`, async () => {
      const made = await connected()
      const { access_token } = made.tokens
      for (const url of urls) assert.equal(await statusOf(access_token, url), 200)
      await end(made)
      for (const url of urls) {
        const { status, headers, body } = await ping(access_token, url)
        assert.deepEqual([status, body.error], [401, 'invalid_token'], url)
        assert.match(
          String(headers['www-authenticate']),
          new RegExp(`resource_metadata="${BASE}/.well-known/oauth-protected-resource/api/mcp"`),
        )
      }
      await app.sql`update users set disabled_at = null where id = ${person}`
      await app.sql`insert into memberships (tenant_id, user_id, role) values (${tenant}, ${person}, 'admin') on conflict do nothing`
    })
})

test('a grant has the requests of its plan, exactly, however often it is refreshed', async () => {
  await app.sql`update tenants set plan = 'free' where id = ${tenant}`
  const { client: made, tokens } = await connected()
  const call = (token: string, n: number) => agentWith(either(n), token).call('get_ai_config')
  const first = await Promise.all(Array.from({ length: 20 }, (_, n) => call(tokens.access_token, n)))
  const renewed = (await at(urls[0], next(made, tokens.refresh_token))).access_token
  const rest = await Promise.all(Array.from({ length: 20 }, (_, n) => call(renewed, n)))
  const allowed = [...first, ...rest].filter(({ isError }) => !isError).length
  assert.equal(allowed, 30)
  const refused = rest.find(({ isError }) => isError)
  assert.equal(refused?.result.error.code, 'rate_limit_exceeded')
  assert.ok(refused?.result.error.retry_after_sec >= 1 && refused?.result.error.retry_after_sec <= 60)
  const { tokens: another } = await connected()
  assert.equal((await call(another.access_token, 0)).isError, false, 'another grant has a window of its own')
  await app.sql`update tenants set plan = 'enterprise' where id = ${tenant}`
})

test('two hundred equal replies at once, of five keys, send one message', async () => {
  const talk = await aTalk(app)
  const agents = await Promise.all(Array.from({ length: 5 }, () => anAgent(app, talk.shop.id)))
  const args = { conversation_id: talk.id, message: 'Once!' }
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, n) => agentWith(either(n), (agents[n % 5] as { key: string }).key).call('reply_to_conversation', args)),
  )
  assert.equal(all.filter(each => !each.isError).length, 1)
  for (const { result, isError } of all) if (isError) assert.equal(result.error.code, 'duplicate_message')
  const rows = await app.sql`select 1 from messages where tenant_id = ${talk.shop.id} and doc::jsonb->>'text' = 'Once!'`
  assert.equal(rows.length, 1)
  assert.equal((await app.sql`select 1 from channel_sends where tenant_id = ${talk.shop.id}`).length, 1)
})

suite('people', () => {
  const somebody = async (email: string) => ({ email, user: await aPersonWithPassword(app.sql, tenant, email) })
  const signIn = (browser: WebBrowser, email: string, password = PASSWORD) => browser.send('/sign-in', { email, password })

  test('guesses of a password through both count together', async () => {
    const { email } = await somebody('guessed@shop.example')
    const browsers = urls.map(url => aWebBrowser(url))
    const guess = async (n: number) => (await signIn(browsers[n % 2] as WebBrowser, email, 'wrong horse battery')).status
    assert.deepEqual([await guess(0), await guess(1)], [422, 422])
    await app.sql`update attempt_windows set times = array_fill(clock_timestamp()::timestamptz(3), array[8]) where cardinality(times) = 2`
    assert.deepEqual((await Promise.all([0, 1, 2, 3].map(guess))).sort(), [422, 422, 429, 429])
    for (const browser of browsers) assert.equal((await signIn(browser, email)).status, 429, 'the right password too')
  })

  test('a session is the same in both, and its role and its end are known at once', async () => {
    const one = await somebody('both@shop.example')
    await aPerson(app.sql, tenant, 'stays-admin@shop.example')
    const here = aWebBrowser(urls[0])
    assert.equal((await signIn(here, one.email)).status, 303)
    const there = aWebBrowser(urls[1])
    for (const [name, value] of here.cookies) there.cookies.set(name, value)
    const [TEAM, ACCOUNT] = ['/dashboard/settings/team', '/dashboard/account']
    assert.equal((await there.get(TEAM)).status, 200)
    assert.equal((await there.send(`${TEAM}/${one.user}`, { role: 'operator' }, 'role')).to, '/dashboard')
    assert.equal((await here.get(TEAM)).status, 403)
    const [session] = await app.sql`select id from sessions where user_id = ${one.user}`
    assert.equal((await there.send(ACCOUNT, { session: session?.['id'] }, 'end')).to, '/sign-in')
    assert.match((await here.get(ACCOUNT)).to as string, /^\/sign-in/)
  })
})
