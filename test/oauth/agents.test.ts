// AI clients with access tokens at the agent server: what a token opens, for whom, how often, and when it opens nothing any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { recordUses, type Take, takeAll } from '../../src/oauth/access-store.ts'
import { accessTokens } from '../../src/oauth/access-tokens.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { sha256 } from '../../src/secrets.ts'
import { agentWith, anAgent } from '../support/agent.ts'
import { aChannel } from '../support/channels.ts'
import { anOrder, ok } from '../support/given.ts'
import { openCounter } from '../support/statement-counter.ts'
import { talkOn } from '../support/talks.ts'
import { oauthApp } from './granted.ts'

const { app, tenant, person, connected, shop } = await oauthApp()

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

test('a refresh token opens nothing, and what opens the agent server opens neither REST, records nor pages', async () => {
  const { tokens } = await connected()
  assert.equal(await statusOf(tokens.refresh_token), 401)
  for (const token of [tokens.access_token, (await anAgent(app, tenant)).key]) {
    for (const path of ['/api/v1/orders', '/api/platform/resources/acme%3Aloyalty%3Apoints', '/api/platform/apps']) {
      const rest = await app.request('GET', path, { key: token })
      assert.deepEqual([rest.status, rest.body.type.split('/').at(-1)], [403, 'invalid-api-key'], path)
    }
    for (const path of ['/dashboard', '/dashboard/account', '/dashboard/settings/integrations']) {
      const page = await fetch(app.url + path, { redirect: 'manual', headers: { authorization: `Bearer ${token}` } })
      assert.match(page.headers.get('location') ?? '', /^\/sign-in/, path)
    }
  }
  assert.equal(await statusOf(shop.key), 401, 'nor a key of REST the agent server')
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

test('the token, its person’s membership and role, and the slots of a batch are one statement', async () => {
  const { tokens } = await connected()
  const counter = await openCounter(app.databaseUrl)
  const db = openDatabase(counter.url, { name: 'test' })
  const credentials = accessTokens(db.pointLane, () => {})
  assert.equal(await credentials.find(tokens.access_token, false), true)
  const before = counter.statements()
  const admitted = await credentials.admit(tokens.access_token, ['read', 'write', 'read'])
  assert.equal(counter.statements() - before, 1)
  const { role, scopes, slots } = admitted ?? assert.fail()
  assert.deepEqual([role, scopes, slots.map(({ allowed }) => allowed)], ['admin', ['read', 'write'], [true, true, true]])
  await app.sql`delete from memberships where tenant_id = ${tenant} and user_id = ${person}`
  assert.equal(await credentials.admit(tokens.access_token, ['read']), undefined)
  assert.equal(counter.statements() - before, 2)
  await app.sql`insert into memberships (tenant_id, user_id, role) values (${tenant}, ${person}, 'admin')`
  await db.close()
  await counter.close()
})

test('the last use of a grant is kept', async () => {
  const { grant } = await connected()
  await app.sql`update oauth_grants set last_used_at = now() - interval '2 days' where id = ${grant}`
  await recordUses(app.sql, [{ tenant, id: grant, ago_ms: 60_000 }])
  const [row] = await app.sql`select extract(epoch from now() - last_used_at)::float8 as ago from oauth_grants where id = ${grant}`
  assert.ok(Math.abs(row?.['ago'] - 60) < 5)
})
