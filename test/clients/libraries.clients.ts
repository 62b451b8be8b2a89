// The libraries as they come, given the address and a key, or the address alone: then a person is asked in a real browser, and access lasts until it
// is taken back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentTools } from '../../src/catalog.ts'
import { type Connection, KINDS, type Kind } from './kinds.ts'
import { aCallback, aPersonAtABrowser } from './person.ts'
import { aProvider, type Kept } from './provider.ts'
import { aShop, SETTINGS, type Shop } from './shop.ts'

const person = await aPersonAtABrowser()

for (const [what, env] of SETTINGS) {
  const shop = await aShop(env)
  for (const kind of KINDS) {
    test(`${kind.name}, ${what}, lists the tools by a key and finds each result as its schema says`, async () => {
      const connection = await kind.connect(shop.url, { key: shop.key })
      assert.match(connection.instructions() ?? '', /A shop/)
      const version = connection.version()
      if (version !== undefined) assert.equal(version, env['MCP_PROTOCOL_VERSIONS'] ? '2025-11-25' : '2025-03-26')
      await callsEach(connection, shop)
      await connection.close()
    })
    test(`${kind.name}, ${what}, asks a person, works, refreshes, and asks again once access is taken back`, () => accessOf(kind, shop))
  }
}

async function callsEach(connection: Connection, shop: Shop): Promise<void> {
  const names = await connection.tools()
  assert.deepEqual(
    names,
    (await agentTools()).map(({ name }) => name),
  )
  const calls = await shop.calls()
  for (const name of names) {
    const args = calls[name]
    assert.ok(args, `There is no call of ${name} in shop.ts`)
    const { isError, structuredContent, content } = await connection.call(name, args)
    assert.ok(!isError, JSON.stringify(content))
    assert.ok(structuredContent, name)
    if (content) assert.deepEqual(JSON.parse(content[0]?.text ?? ''), structuredContent)
  }
}

async function accessOf(kind: Kind, shop: Shop): Promise<void> {
  const { app, url } = shop
  const callback = await aCallback()
  const { kept, provider } = aProvider(callback.address)

  await assert.rejects(kind.connect(url, { provider }), isUnauthorized)
  assert.match(kept.client?.client_id ?? '', /^cli_/)
  await person.allows(kept.asked.at(-1) as URL)
  assert.equal(callback.brought().get('state'), kept.state)
  assert.equal(callback.brought().get('iss'), shop.base)
  await kind.finish(url, provider, callback.brought())
  const connection = await kind.connect(url, { provider })
  await callsEach(connection, shop)

  const first = tokensOf(kept)
  await app.sql`update oauth_access_tokens set expires_at = now() - interval '1 second' where tenant_id = ${shop.talk.shop.id}`
  await connection.call('get_ai_config', {})
  assert.notEqual(tokensOf(kept).access_token, first.access_token)
  assert.notEqual(tokensOf(kept).refresh_token, first.refresh_token)
  assert.equal(kept.asked.length, 1)

  const fields = { client_id: kept.client?.client_id ?? '', token: tokensOf(kept).refresh_token }
  assert.equal((await fetch(`${shop.base}/api/oauth/revoke`, { method: 'POST', body: new URLSearchParams(fields) })).status, 200)
  await assert.rejects(connection.call('get_ai_config', {}), isUnauthorized)
  assert.equal(kept.asked.length, 2)
  await connection.close().catch(() => {})
}

const tokensOf = ({ tokens }: Kept) => {
  assert.ok(tokens)
  return tokens
}

function isUnauthorized(error: Error): boolean {
  assert.match(`${error.name} ${error.message}`, /unauthorized/i)
  return true
}
