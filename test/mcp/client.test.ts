// Clients as they are: the SDK, unmodified, given the address and a key. And a stand-in for a model, which knows only what the tools say.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { agentTools } from '../../src/catalog.ts'
import { faultsOf, findersOf } from '../../src/ingress/mcp/arguments.ts'
import { check } from '../../src/ingress/validate.ts'
import { anAgent, callsOf } from '../support/agent.ts'
import { testApp } from '../support/app.ts'
import { nobody, ok } from '../support/given.ts'
import { aTalk } from '../support/talks.ts'

// biome-ignore lint/suspicious/noExplicitAny: results have every shape
type Json = any

async function connected(url: string, key: string): Promise<Client> {
  const client = new Client({ name: 'a test', version: '1.0.0' })
  const requestInit = { headers: { Authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/mcp`), { requestInit }) as Json)
  return client
}

for (const [what, env, version] of [
  ['as it comes', {}, '2025-03-26'],
  ['with later versions allowed', { MCP_PROTOCOL_VERSIONS: '2025-11-25,2025-06-18,2025-03-26' }, '2025-11-25'],
] as const)
  suite(`the SDK’s client, ${what}`, async () => {
    const app = await testApp({ BASE_URL: 'http://127.0.0.1:3000', ...env })
    const talk = await aTalk(app)
    const agent = await anAgent(app, talk.shop.id)

    test('connects, lists the tools, calls each, and finds every result as its output schema says', async () => {
      const client = await connected(app.url, agent.key)
      assert.equal(client.getServerVersion()?.name, 'shopdesk')
      assert.deepEqual(client.getServerCapabilities(), { tools: {} })
      assert.match(client.getInstructions() ?? '', /A shop/)
      assert.equal((client.transport as Json).protocolVersion, version)
      await client.ping()
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map(each => each.name),
        (await agentTools()).map(each => each.name),
      )
      const order = ok(
        await talk.shop.post('/api/v1/orders', {
          items: [{ name: 'Card', unit_amount: 100, quantity: 1 }],
          customer: { email: 'a@b.example' },
        }),
      )
      const calls: [string, Record<string, unknown>][] = [
        ['get_orders', { response_format: 'detailed' }],
        ['get_conversations', { response_format: 'detailed' }],
        ['get_products', {}],
        ['get_contacts', { response_format: 'detailed' }],
        ['get_analytics', { period: '7d' }],
        ['get_ai_config', {}],
        ['get_messages', { conversation_id: talk.id, response_format: 'detailed' }],
        ['reply_to_conversation', { conversation_id: talk.id, message: 'Hello!' }],
        ['update_order_status', { order_id: order.id, status: 'confirmed' }],
        ['tag_contact', { contact_id: order.customer.contact_id, tag: 'vip' }],
        ['update_ai_persona', { tone: 'friendly' }],
        ['pause_ai_for_contact', { conversation_id: talk.id, action: 'resume' }],
      ]
      assert.deepEqual(new Set(calls.map(([name]) => name)), new Set(tools.map(each => each.name)))
      for (const [name, args] of calls) {
        // The client itself compares the structure with the output schema, and throws where it does not fit.
        const result: Json = await client.callTool({ name, arguments: args })
        assert.equal(result.isError, undefined, JSON.stringify(result))
        assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
        const tool = (await agentTools()).find(each => each.name === name)
        assert.deepEqual(check(tool?.output as Json, structuredClone(result.structuredContent)), [], name)
      }
      await client.close()
    })

    test('reads refusals as results, and unknown tools as errors', async () => {
      const client = await connected(app.url, agent.key)
      await client.listTools()
      const result: Json = await client.callTool({ name: 'get_orders', arguments: { order_id: nobody('ord') } })
      assert.equal(result.isError, true)
      assert.equal(result.structuredContent.error.code, 'not_found')
      await assert.rejects(client.callTool({ name: 'create_order', arguments: {} }), { code: -32602 })
      await client.close()
    })

    test('is told that its key is none', async () => {
      const other = agent.key.endsWith('x') ? 'y' : 'x'
      await assert.rejects(connected(app.url, `${agent.key.slice(0, -1)}${other}`), /401|Unauthorized|invalid_token/i)
    })
  })

suite('an agent that only reads the tools', async () => {
  const app = await testApp()
  const talk = await aTalk(app)
  const { shop } = talk
  const agent = await anAgent(app, shop.id)
  const tools = await agentTools()
  const finders = findersOf(tools)
  const { contact } = await talk.read()
  const product = ok(await shop.post('/api/v1/products', { name: 'Shirt', price_amount: 100, stock: 5 }))
  const order = ok(
    await shop.post('/api/v1/orders', { items: [{ product_id: product.id, quantity: 1 }], customer: { contact_id: contact.id } }),
  )
  ok(await shop.patch(`/api/v1/orders/${order.id}`, { status: 'SHIPPED' }))

  /** Where an id of a result goes, as the arguments of the tools say by their form. */
  function takersOf(id: string): [string, string][] {
    return tools.flatMap(({ name, input }) =>
      Object.entries(input.properties as Record<string, { pattern?: string }>)
        .filter(([, { pattern }]) => pattern?.startsWith(`^${id.split('_')[0]}_`) && new RegExp(pattern).test(id))
        .map(([argument]) => [name, argument] as [string, string]),
    )
  }
  const idsIn = (value: Json): string[] =>
    [...JSON.stringify(value).matchAll(/"((?:ord|con|conv|prod)_[0-9a-z]{26})"/g)].map(match => match[1] as string)

  test('every example of a call fits its tool', () => {
    for (const tool of tools) assert.deepEqual(faultsOf(tool, structuredClone(tool.example), finders), [], tool.name)
  })

  test('every id in a result is taken by the tools that take such ids', async () => {
    const calls: [string, object][] = [
      ['get_orders', { response_format: 'detailed' }],
      ['get_conversations', { response_format: 'detailed' }],
      ['get_contacts', { response_format: 'detailed' }],
      ['get_products', { response_format: 'detailed' }],
      ['get_analytics', { period: 'today' }],
    ]
    const followed = new Set<string>()
    for (const [name, args] of calls) {
      const { result } = await agent.call(name, args)
      const ids = new Set(idsIn(result))
      assert.ok(ids.size > 0, name)
      for (const id of ids) {
        const takers = takersOf(id)
        assert.ok(takers.length > 0, `${id} of ${name} leads nowhere`)
        for (const [taker, argument] of takers) {
          const tool = tools.find(each => each.name === taker)
          followed.add(`${taker}.${argument}`)
          if (tool?.scope === 'write') continue
          const { isError, reply } = await agent.call(taker, { [argument]: id })
          assert.equal(isError, false, reply.text)
        }
      }
    }
    for (const needed of [
      'get_orders.order_id',
      'get_messages.conversation_id',
      'get_contacts.contact_id',
      'update_order_status.order_id',
      'tag_contact.contact_id',
    ])
      assert.ok(followed.has(needed), needed)
    // By its description rather than its form.
    const { result } = await agent.call('get_orders', { customer: contact.id })
    assert.equal(result.items[0].id, order.id)
  })

  test('every next_step names a tool or an argument that there is, and every call in it fits', async () => {
    ok(await shop.patch(talk.path, { status: 'open' }))
    const merged = ok(await shop.post('/api/v1/contacts', { name: 'Twin' }))
    ok(await shop.post(`/api/v1/contacts/${contact.id}/merge`, { contact_id: merged.id }))
    await agent.call('reply_to_conversation', { conversation_id: talk.id, message: 'Twice' })
    const refusals: [string, object, string][] = [
      ['get_orders', { order_id: nobody('ord') }, 'not_found'],
      ['get_orders', { order_id: contact.id }, 'invalid_arguments'],
      ['get_orders', { cursor: 'x' }, 'invalid_arguments'],
      ['get_products', { product_id: nobody('prod') }, 'not_found'],
      ['get_contacts', { contact_id: nobody('con') }, 'not_found'],
      ['get_contacts', { contact_id: merged.id }, 'not_found'],
      ['get_messages', { conversation_id: nobody('conv') }, 'not_found'],
      ['update_order_status', { order_id: nobody('ord'), status: 'SHIPPED' }, 'not_found'],
      ['update_order_status', { order_id: order.id, status: 'pending' }, 'invalid_transition'],
      ['update_order_status', { order_id: order.id, status: 'DELIVERED', reason: 'customer' }, 'not_combinable'],
      ['tag_contact', { contact_id: merged.id, tag: 'a' }, 'not_found'],
      ['reply_to_conversation', { conversation_id: talk.id, message: 'Twice' }, 'duplicate_message'],
      ['reply_to_conversation', { conversation_id: nobody('conv'), message: 'a' }, 'not_found'],
      ['pause_ai_for_contact', { conversation_id: nobody('conv'), action: 'pause' }, 'not_found'],
      ['update_ai_persona', {}, 'invalid_arguments'],
    ]
    let calls = 0
    for (const [name, args, code] of refusals) {
      const { result } = await agent.call(name, args)
      assert.equal(result.error.code, code, JSON.stringify(result))
      for (const step of await callsOf(result.error.next_step)) {
        calls++
        const answer = await agent.call(step.name, step.args)
        assert.equal(answer.isError, false, answer.reply.text)
      }
    }
    assert.ok(calls >= 4, String(calls))
  })
})
