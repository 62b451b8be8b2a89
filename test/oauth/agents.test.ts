// AI clients with access tokens at the agent server: what a token opens, for whom, how often, and when it opens nothing any more.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { revokeKey } from '../../src/access/keys.ts'
import { recordUses, type Take, takeAll } from '../../src/oauth/access-store.ts'
import { revokeGrant } from '../../src/oauth/grants.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring, sha256 } from '../../src/secrets.ts'
import { changeRole } from '../../src/tenants/people.ts'
import { startWeb } from '../../src/web.ts'
import { agentWith, anAgent } from '../support/agent.ts'
import type { TestApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { anOrder, ok } from '../support/given.ts'
import { aPersonWithPassword } from '../support/password.ts'
import { talkOn } from '../support/talks.ts'
import { type Answer, BASE, endedAt, oauthApp, type Registered } from './granted.ts'

const { app, tenant, person, client, code, connected, refresh, post, shop } = await oauthApp()

const agentOf = (token: string, url = app.url) => agentWith(url, token)
const statusOf = async (token: string, url?: string): Promise<number> =>
  (await agentOf(token, url).ask({ body: { jsonrpc: '2.0', id: 1, method: 'ping' } })).status

test('a client of the SDK calls tools with a token, and sees those of its scopes', async () => {
  const { tokens } = await connected(['read'])
  const client = new Client({ name: 'test', version: '1' })
  const headers = { Authorization: `Bearer ${tokens.access_token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${app.url}/api/mcp`), { requestInit: { headers } }))
  const names = (await client.listTools()).tools.map(({ name }) => name)
  assert.ok(names.includes('get_orders') && !names.includes('tag_contact'))
  const { structuredContent } = await client.callTool({ name: 'get_orders', arguments: {} })
  assert.deepEqual((structuredContent as { items: unknown[] }).items, [])
  await client.close()
})

test('a write is the person’s, with the grant beside it', async () => {
  const { tokens, grant } = await connected()
  const order = ok(await shop.post('/api/v1/orders', anOrder()))
  const { isError } = await agentOf(tokens.access_token).call('update_order_status', { order_id: order.id, status: 'confirmed' })
  assert.equal(isError, false)
  const rows =
    await app.sql`select actor_type, actor_id, details from audit_log where tenant_id = ${tenant} and subject_id = ${order.id} order by id desc limit 1`
  assert.deepEqual([rows[0]?.['actor_type'], rows[0]?.['actor_id'], rows[0]?.['details'].grant], ['user', person, grant])
})

test('a reply is signed with the person’s name', async () => {
  await app.sql`update users set name = 'Ada L.' where id = ${person}`
  const { tokens } = await connected()
  const talk = await talkOn(app, shop, await aChannel(app, shop, { platform: 'telegram' }))
  const { result, isError, reply } = await agentOf(tokens.access_token).call('reply_to_conversation', {
    conversation_id: talk.id,
    message: 'Hello',
  })
  assert.equal(isError, false, reply.text.slice(0, 400))
  const { author } = await talk.message(result.message.id)
  assert.deepEqual(author, { type: 'operator', id: person, name: 'Ada L.', via: 'mcp' })
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
    test(`${when}, at the next request, in each web process`, async () => {
      const other = await startWeb(app)
      const made = await connected()
      const { access_token } = made.tokens
      assert.deepEqual([await statusOf(access_token), await statusOf(access_token, other.address)], [200, 200])
      await end(made)
      for (const url of [app.url, other.address]) {
        const { status, headers, body } = await agentOf(access_token, url).ask({ body: { jsonrpc: '2.0', id: 1, method: 'ping' } })
        assert.deepEqual([status, body.error], [401, 'invalid_token'], url)
        assert.match(
          String(headers['www-authenticate']),
          new RegExp(`resource_metadata="${BASE}/.well-known/oauth-protected-resource/api/mcp"`),
        )
      }
      await other.close()
      await app.sql`update users set disabled_at = null where id = ${person}`
      await app.sql`insert into memberships (tenant_id, user_id, role) values (${tenant}, ${person}, 'admin') on conflict do nothing`
    })

  test('where it is a refresh token, or asks REST and pages', async () => {
    const { tokens } = await connected()
    assert.equal(await statusOf(tokens.refresh_token), 401)
    const rest = await app.request('GET', '/api/v1/orders', { key: tokens.access_token })
    assert.deepEqual([rest.status, rest.body.type.split('/').at(-1)], [403, 'invalid-api-key'])
    const page = await fetch(`${app.url}/dashboard`, { redirect: 'manual', headers: { authorization: `Bearer ${tokens.access_token}` } })
    assert.match(page.headers.get('location') ?? '', /^\/sign-in/)
  })
})

suite('two web processes', () => {
  const both = async (over: Partial<TestApp> = {}): Promise<{ urls: [string, string]; close(): Promise<void> }> => {
    const other = await startWeb({ ...app, ...over })
    return { urls: [app.url, other.address], close: () => other.close() }
  }
  const at = async (url: string, fields: Record<string, string>): Promise<Answer['body']> => {
    const response = await fetch(`${url}/api/oauth/token`, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, ...((await response.json()) as object) }
  }
  const next = ({ client_id }: Registered, refresh_token: string) => ({ grant_type: 'refresh_token', client_id, refresh_token })

  test('take one code once between them, also ten times at once, and then its grant is over', async () => {
    const { urls, close } = await both()
    const { grant, fields } = await code(await client())
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => at(urls[n % 2] as string, fields)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(400)])
    assert.ok(await endedAt(app, grant))
    await close()
  })

  test('give one refresh token one successor between them, also eight times at once', async () => {
    const { urls, close } = await both()
    const { client: made, tokens, grant } = await connected()
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => at(urls[n % 2] as string, next(made, tokens.refresh_token))))
    assert.deepEqual(new Set(answers.map(each => each.status)), new Set([200]))
    assert.equal(new Set(answers.map(each => each.refresh_token)).size, 1)
    assert.equal(new Set(answers.map(each => each.access_token)).size, 8)
    for (const { access_token } of answers) for (const url of urls) assert.equal(await statusOf(access_token, url), 200)
    assert.equal(await endedAt(app, grant), null)
    await close()
  })

  test('give the same successor though SECRET_KEY was rotated between a refresh and its repeat', async () => {
    const [[id, key]] = Object.entries(app.keyring) as [[string, Buffer]]
    const keyring = parseKeyring(`rotated:${randomBytes(32).toString('hex')},${id}:${key.toString('hex')}`) as Keyring
    const { urls, close } = await both({ keyring })
    const { client: made, tokens } = await connected()
    const [first, again] = [await at(urls[0], next(made, tokens.refresh_token)), await at(urls[1], next(made, tokens.refresh_token))]
    assert.deepEqual([again.status, again.refresh_token], [200, first.refresh_token])
    // From then on by the new key.
    const newer = await at(urls[1], next(made, first.refresh_token))
    assert.equal((await at(urls[1], next(made, first.refresh_token))).refresh_token, newer.refresh_token)
    assert.equal((await at(urls[1], next(made, newer.refresh_token))).status, 200)
    await close()
  })

  test('know at the next request of a key that was revoked, and of a role that was changed, on the other', async () => {
    const { urls, close } = await both()
    const key = await anAgent(app, tenant)
    const { tokens } = await connected()
    const persona = async (url: string, tone: string) => {
      const { isError, result } = await agentOf(tokens.access_token, url).call('update_ai_persona', { tone })
      return isError ? result.error.code : 'changed'
    }
    for (const url of urls) assert.deepEqual([await statusOf(key.key, url), await persona(url, 'friendly')], [200, 'changed'])
    const caller = { tenant, actor: { type: 'cli' as const } }
    await aPersonWithPassword(app.sql, tenant, 'another-admin@shop.example')
    assert.equal(await revokeKey(app.sql, tenant, key.keyId, caller.actor), true)
    await begin(app.sql, tx => changeRole(tx, caller, person, 'operator'))
    for (const url of urls) assert.deepEqual([await statusOf(key.key, url), await persona(url, 'formal')], [401, 'insufficient_role'])
    const [refused] =
      await app.sql`select details from audit_log where tenant_id = ${tenant} and action = 'agent.refuse' order by id desc limit 1`
    assert.deepEqual([refused?.['details'].tool, refused?.['details'].reason], ['update_ai_persona', 'insufficient_role'])
    await begin(app.sql, tx => changeRole(tx, caller, person, 'admin'))
    for (const url of urls) assert.equal(await persona(url, 'formal'), 'changed')
    await close()
  })
})

test('a person who became an operator is neither shown nor told of what is the admins’, and changes none of it', async () => {
  const { tokens, grant } = await connected()
  const agent = agentOf(tokens.access_token)
  assert.equal((await agent.call('update_ai_persona', { tone: 'friendly' })).isError, false)
  await app.sql`update memberships set role = 'operator' where tenant_id = ${tenant} and user_id = ${person}`
  const { isError, result } = await agent.call('update_ai_persona', { tone: 'formal' })
  assert.deepEqual([isError, result.error.code, result.error.required_role], [true, 'insufficient_role', 'admin'])
  assert.equal((await agent.call('get_ai_config')).result.ai_config.tone, 'friendly', 'what an operator may read is as it was')
  const { body } = await agent.ask({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
  const { reply } = await agent.call('get_weather')
  for (const text of [JSON.stringify(body), reply.body.error.message])
    assert.ok(text.includes('pause_ai_for_contact') && !text.includes('"update_ai_persona"') && !/, update_ai_persona/.test(text))
  const rows =
    await app.sql`select details from audit_log where tenant_id = ${tenant} and action = 'agent.refuse' and subject_id = ${grant}`
  assert.deepEqual(
    rows.map(row => row['details']),
    [{ tool: 'update_ai_persona', reason: 'insufficient_role', grant }],
  )
  await app.sql`update memberships set role = 'admin' where tenant_id = ${tenant} and user_id = ${person}`
})

test('a grant has the requests of its plan, exactly, over two processes and however often it is refreshed', async () => {
  await app.sql`update tenants set plan = 'free' where id = ${tenant}`
  const other = await startWeb(app)
  const { client, tokens } = await connected()
  const call = (token: string, n: number) => agentOf(token, n % 2 ? app.url : other.address).call('get_ai_config')
  const first = await Promise.all(Array.from({ length: 20 }, (_, n) => call(tokens.access_token, n)))
  const next = (await refresh(client, tokens.refresh_token)).body.access_token
  const rest = await Promise.all(Array.from({ length: 20 }, (_, n) => call(next, n)))
  const allowed = [...first, ...rest].filter(({ isError }) => !isError).length
  assert.equal(allowed, 30)
  const refused = rest.find(({ isError }) => isError)
  assert.equal(refused?.result.error.code, 'rate_limit_exceeded')
  assert.ok(refused?.result.error.retry_after_sec >= 1 && refused?.result.error.retry_after_sec <= 60)
  const { tokens: another } = await connected()
  assert.equal((await call(another.access_token, 0)).isError, false, 'another grant has a window of its own')
  await other.close()
  await app.sql`update tenants set plan = 'enterprise' where id = ${tenant}`
})

test('a ring takes exactly its limit, also across chunks and after the window has moved', async () => {
  const { tokens } = await connected()
  const agent = agentOf(tokens.access_token)
  const batch = (count: number) =>
    agent.ask({
      body: Array.from({ length: count }, (_, id) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'get_ai_config' } })),
    })
  let taken = 0
  for (let n = 0; n < 13; n++) {
    const { body } = await batch(50)
    taken += body.filter(({ result }: { result: { isError?: boolean } }) => !result.isError).length
  }
  assert.equal(taken, 600)
  // All hits but those of the last chunk left the window a while ago.
  await app.sql`update rate_chunks set hits = array(select t - interval '61 seconds' from unnest(hits) t) where ring < 0`
  await app.sql`update rate_rings set oldest = null, oldest_chunk = null where ring < 0`
  const { body } = await batch(50)
  assert.ok(body.every(({ result }: { result: { isError?: boolean } }) => !result.isError))
})

test('a set of takes is answered in its order, and the rings of it that a crash has lost are made anew', async () => {
  const [one, other] = [await connected(), await connected()]
  const hashes = [one, other].map(({ tokens }) => sha256(tokens.access_token).toString('hex')) as [string, string]
  const takes: Take[] = [
    { hash: hashes[1], bucket: 'read' },
    { hash: hashes[0], bucket: 'read' },
    { hash: hashes[0], bucket: 'none' },
    { hash: '00', bucket: 'read' },
    { hash: hashes[0], bucket: 'write' },
    { hash: hashes[1], bucket: 'read' },
    { hash: hashes[0], bucket: 'read' },
  ]
  const remaining = async () => (await takeAll(app.sql, takes)).map(each => each && [each.grant, each.remaining])
  const [reads, writes] = [600, 120]
  const after = (before: number, lost = 0) => [
    [other.grant, reads - before - 1],
    [one.grant, reads - before - 1 + lost],
    [one.grant, null],
    undefined,
    [one.grant, writes - before / 2 - 1 + lost / 2],
    [other.grant, reads - before - 2],
    [one.grant, reads - before - 2 + lost],
  ]
  assert.deepEqual(await remaining(), after(0))
  assert.deepEqual(await remaining(), after(2))
  await app.sql`delete from rate_rings r using oauth_grants g where g.id = ${one.grant} and r.ring = g.ring`
  assert.deepEqual(await remaining(), after(4, 4))
  await app.sql`delete from rate_rings r using oauth_grants g where g.id = any (${[one.grant, other.grant]}) and r.ring = g.ring`
  assert.deepEqual(await remaining(), after(0))
})

test('the last use of a grant is kept', async () => {
  const { grant } = await connected()
  await app.sql`update oauth_grants set last_used_at = now() - interval '2 days' where id = ${grant}`
  await recordUses(app.sql, [{ tenant, id: grant, ago_ms: 60_000 }])
  const [row] = await app.sql`select extract(epoch from now() - last_used_at)::float8 as ago from oauth_grants where id = ${grant}`
  assert.ok(Math.abs(row?.['ago'] - 60) < 5)
})
