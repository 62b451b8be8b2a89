// What agents change: the same verbs, audit rows and events as over REST; and what they are refused.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { MOVES, STATUSES, type Status } from '../../src/orders/lifecycle.ts'
import { type Agent, anAgent } from '../support/agent.ts'
import { type TestTenant, testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { anOrder, aProduct, nobody, ok } from '../support/given.ts'
import { aTalk, talkOn } from '../support/talks.ts'

const app = await testApp()
const shop = await app.tenant()
const agent = await anAgent(app, shop.id)
const post = async (path: string, body: object) => ok(await shop.post(`/api/v1/${path}`, body as Record<string, unknown>))

// biome-ignore lint/suspicious/noExplicitAny: results have every shape
type Json = any
const done = async (tool: string, args: object, by: Pick<Agent, 'call'> = agent): Promise<Json> => {
  const { result, isError, reply } = await by.call(tool, args)
  assert.equal(isError, false, reply.text.slice(0, 500))
  return result
}
const refused = async (tool: string, args: object, by: Pick<Agent, 'call'> = agent): Promise<Json> => {
  const { result, isError, reply } = await by.call(tool, args)
  assert.equal(isError, true, reply.text.slice(0, 500))
  return result.error
}
const audited = (tenant: string, subject: string) =>
  app.sql`select actor_type, actor_id, action, details from audit_log where tenant_id = ${tenant} and subject_id = ${subject} order by id`
const eventsOf = async (tenant: string): Promise<Json[]> =>
  (await app.sql`select body from events where tenant_id = ${tenant} order by seq`).map(({ body }) => JSON.parse(body))

/** An order of a shop with this status. */
async function orderIn(status: Status, shop: TestTenant): Promise<Json> {
  const order = ok(await shop.post('/api/v1/orders', anOrder()))
  if (status === 'pending') return order
  if (status === 'REFUNDED') {
    await app.sql`
      update orders set status = ${status}, doc = jsonb_set(doc::jsonb, '{status}', to_jsonb(${status}::text))::json
       where tenant_id = ${shop.id} and id = ${order.id}`
    return { ...order, status }
  }
  const way: Status[] = status === 'DELIVERED' || status === 'RETURNED' ? ['SHIPPED', status] : [status]
  for (const step of way) ok(await shop.patch(`/api/v1/orders/${order.id}`, { status: step }))
  return ok(await shop.get(`/api/v1/orders/${order.id}`))
}

suite('update_order_status', () => {
  for (const from of STATUSES)
    test(`from ${from} makes every move of the lifecycle and no other`, async () => {
      const own = await app.tenant()
      const mine = await anAgent(app, own.id)
      const refusedAll = await orderIn(from, own)
      for (const to of STATUSES) {
        const order = MOVES[from].includes(to) ? await orderIn(from, own) : refusedAll
        const args = { order_id: order.id, status: to.toLowerCase() }
        if (MOVES[from].includes(to)) {
          const { order: moved } = await done('update_order_status', args, mine)
          const { id, number, version } = order
          assert.deepEqual(moved, { id, number, previous_status: from, status: to, allowed_next: MOVES[to], version: version + 1 })
        } else {
          const { code, valid_targets, from: was, to: asked, next_step } = await refused('update_order_status', args, mine)
          assert.deepEqual([code, valid_targets, was, asked], ['invalid_transition', MOVES[from], from, to])
          assert.ok(next_step.includes(order.id))
        }
      }
    })

  test('writes the audit row and the events that a move over REST writes, with the key as the actor', async () => {
    const other = await app.tenant()
    const mine = await anAgent(app, other.id)
    const change = { status: 'SHIPPED', carrier: 'Nova Poshta', waybill_number: '2045' }
    const [overRest, overAgent] = [ok(await other.post('/api/v1/orders', anOrder())), ok(await other.post('/api/v1/orders', anOrder()))]
    ok(await other.patch(`/api/v1/orders/${overRest.id}`, change))
    await done('update_order_status', { order_id: overAgent.id, ...change }, mine)
    const told = async (id: string) => (await eventsOf(other.id)).filter(each => each.data.order_id === id)
    const [rest, agents] = [await told(overRest.id), await told(overAgent.id)]
    assert.deepEqual(
      agents.map(each => each.type),
      rest.map(each => each.type),
    )
    assert.deepEqual(agents.at(-1).data.actor, { type: 'agent_key', id: mine.keyId })
    assert.equal(rest.at(-1).data.actor.type, 'api_key')
    assert.deepEqual(agents[1].data.fulfillment.waybill_number, '2045')
    const [[, restRow], [, agentRow]] = [await audited(other.id, overRest.id), await audited(other.id, overAgent.id)] as Json
    assert.deepEqual([agentRow.action, agentRow.details], [restRow.action, restRow.details])
    assert.deepEqual([agentRow.actor_type, agentRow.actor_id], ['agent_key', mine.keyId])
  })

  test('of ten equal moves at once one wins, and stock moves once', async () => {
    const product = await post('products', aProduct({ stock: 10 }))
    const order = await post('orders', anOrder({ items: [{ product_id: product.id, quantity: 3 }] }))
    const all = await Promise.all(
      Array.from({ length: 10 }, () => agent.call('update_order_status', { order_id: order.id, status: 'SHIPPED' })),
    )
    assert.equal(all.filter(each => !each.isError).length, 1)
    for (const { result, isError } of all) if (isError) assert.equal(result.error.code, 'invalid_transition')
    assert.equal(ok(await shop.get(`/api/v1/products/${product.id}`)).stock, 7)
  })

  test('takes the reason of a cancellation, and refuses what does not go with the status by the argument’s name', async () => {
    const order = await post('orders', anOrder())
    const error = await refused('update_order_status', { order_id: order.id, status: 'confirmed', reason: 'customer' })
    assert.deepEqual([error.code, error.errors[0].field], ['not_combinable', 'reason'])
    await done('update_order_status', { order_id: order.id, status: 'CANCELLED', reason: 'Out_Of_Stock' })
    assert.equal(ok(await shop.get(`/api/v1/orders/${order.id}`)).cancel_reason, 'out_of_stock')
  })

  test('a write after another in one batch sees it; reads beside it keep their order', async () => {
    const order = await post('orders', anOrder())
    const call = (id: number, name: string, args: object) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: args },
    })
    const { body } = await agent.ask({
      body: [
        call(1, 'update_order_status', { order_id: order.id, status: 'confirmed' }),
        call(2, 'get_orders', { order_id: order.id }),
        call(3, 'update_order_status', { order_id: order.id, status: 'pending' }),
        call(4, 'update_order_status', { order_id: order.id, status: 'processing' }),
        call(5, 'get_orders', { order_id: order.id }),
      ],
    })
    const results = body.map((each: Json) => each.result.structuredContent)
    assert.equal(results[1].items[0].status, 'confirmed')
    assert.equal(results[2].error.code, 'invalid_transition')
    assert.equal(results[4].items[0].status, 'processing')
  })
})

suite('tag_contact', () => {
  test('adds a tag beside those that are there, once, and tells of it', async () => {
    const contact = await post('contacts', { name: 'Ada', tags: ['vip'] })
    const args = { contact_id: contact.id, tag: '  newsletter ' }
    assert.deepEqual(await done('tag_contact', args), { contact: { id: contact.id, tags: ['vip', 'newsletter'] }, added: true })
    assert.deepEqual(await done('tag_contact', args), { contact: { id: contact.id, tags: ['vip', 'newsletter'] }, added: false })
    const tagged = (await eventsOf(shop.id)).filter(each => each.type === 'contact.tagged' && each.data.contact_id === contact.id)
    assert.deepEqual(
      tagged.map(each => each.data.added),
      [['newsletter']],
    )
    const rows = await audited(shop.id, contact.id)
    assert.deepEqual(
      rows.map(row => [row['actor_type'], row['action']]),
      [
        ['api_key', 'contact.create'],
        ['agent_key', 'contact.update'],
      ],
    )
    assert.deepEqual((await done('get_contacts', { tag: 'newsletter' })).items[0].id, contact.id)
  })

  test('twenty different tags at once are all there', async () => {
    const contact = await post('contacts', { name: 'Busy' })
    await Promise.all(Array.from({ length: 20 }, (_, n) => done('tag_contact', { contact_id: contact.id, tag: `t${n}` })))
    assert.equal(ok(await shop.get(`/api/v1/contacts/${contact.id}`)).tags.length, 20)
  })

  test('refuses blank and long tags, the fifty-first, and a contact that there is not', async () => {
    const contact = await post('contacts', { name: 'Full', tags: Array.from({ length: 50 }, (_, n) => `t${n}`) })
    for (const tag of ['', '   ', '\u200b', ' \u2060\ufeff', 'x'.repeat(65), 'a\0'])
      assert.equal((await refused('tag_contact', { contact_id: contact.id, tag })).code, 'invalid_arguments')
    const short = await post('contacts', { name: 'Short' })
    const padded = `${' '.repeat(200)}${'x'.repeat(64)}\n`
    assert.deepEqual((await done('tag_contact', { contact_id: short.id, tag: padded })).contact.tags, ['x'.repeat(64)])
    assert.equal((await refused('tag_contact', { contact_id: contact.id, tag: 'one more' })).code, 'too_many')
    assert.equal((await refused('tag_contact', { contact_id: nobody('con'), tag: 'a' })).code, 'not_found')
  })
})

suite('reply_to_conversation', () => {
  test('queues the message, records it with the key’s name, and pauses the assistant', async () => {
    const talk = await aTalk(app)
    const mine = await anAgent(app, talk.shop.id, ['read', 'write'], 'Claude')
    const { message, conversation } = await done('reply_to_conversation', { conversation_id: talk.id, message: 'It is on its way.' }, mine)
    assert.deepEqual([message.direction, message.status, message.text], ['outbound', 'queued', 'It is on its way.'])
    assert.deepEqual(conversation, { id: talk.id, ai_status: 'paused' })
    const { author } = await talk.message(message.id)
    assert.deepEqual(author, { type: 'operator', id: mine.keyId, name: 'Claude', via: 'mcp' })
    assert.deepEqual(await talk.events(), ['conversation.started', 'message.received', 'ai.paused'])
    const [row] = await app.sql`select message_id from channel_sends where tenant_id = ${talk.shop.id}`
    assert.equal(row?.['message_id'], message.id)
  })

  test('the same a second time within a minute is refused, with the time to wait', async () => {
    const talk = await aTalk(app)
    const mine = await anAgent(app, talk.shop.id)
    const args = { conversation_id: talk.id, message: 'Hello' }
    await done('reply_to_conversation', args, mine)
    const error = await refused('reply_to_conversation', args, mine)
    assert.equal(error.code, 'duplicate_message')
    assert.ok(error.retry_after_sec >= 1 && error.retry_after_sec <= 60)
    await done('reply_to_conversation', { ...args, message: 'Hello!' }, mine)
  })

  test('what stands in the way is told by its own code, with what to do', async () => {
    const talk = await aTalk(app)
    const mine = await anAgent(app, talk.shop.id)
    const say = (message: string) => refused('reply_to_conversation', { conversation_id: talk.id, message }, mine)
    for (const message of ['', ' \n\t', '\u200b', '\u2800\u00ad\u{e0041}', 'x'.repeat(4097)])
      assert.equal((await say(message)).code, 'invalid_arguments')
    await app.sql`update channels set status = 'disabled' where tenant_id = ${talk.shop.id}`
    assert.equal((await say('a')).code, 'channel_disabled')
    await app.sql`update channels set status = 'enabled' where tenant_id = ${talk.shop.id}`
    const { contact } = await talk.read()
    await app.sql`update channels set status = 'deleted' where tenant_id = ${talk.shop.id}`
    const gone = await say('c')
    assert.equal(gone.code, 'channel_deleted')
    assert.match(gone.next_step, /Tell the user that the channel .* is gone/)
    await app.sql`update channels set status = 'enabled' where tenant_id = ${talk.shop.id}`
    ok(await talk.shop.patch(`/api/v1/contacts/${contact.id}`, { blocked: true }))
    const blocked = await say('b')
    assert.equal(blocked.code, 'contact_blocked')
    assert.match(blocked.next_step, /Tell the user/)
    assert.equal((await refused('reply_to_conversation', { conversation_id: nobody('conv'), message: 'a' }, mine)).code, 'not_found')
  })

  test('a day after the customer wrote on WhatsApp the window is shut, which is told with when and what to do', async () => {
    const own = await app.tenant()
    const channel = await aChannel(app, own, { platform: 'whatsapp', account: { id: '1', name: null } })
    const talk = await talkOn(app, own, channel, new Date(Date.now() - 25 * 3_600_000).toISOString())
    const error = await refused('reply_to_conversation', { conversation_id: talk.id, message: 'a' }, await anAgent(app, own.id))
    assert.deepEqual([error.code, error.reply_until], ['reply_window_closed', (await talk.read()).reply_until])
    assert.match(error.next_step, /until the customer writes again/)
  })

  test('a closed conversation whose customer writes in another one leads there', async () => {
    const talk = await aTalk(app)
    const mine = await anAgent(app, talk.shop.id)
    ok(await talk.shop.patch(talk.path, { status: 'closed' }))
    await app.sql`
      update conversations set doc = jsonb_set(doc::jsonb, '{closed_at}', '"2020-01-01T00:00:00.000Z"')::json, closed_at = '2020-01-01'
       where tenant_id = ${talk.shop.id} and id = ${talk.id}`
    await talk.says('It is me again')
    const error = await refused('reply_to_conversation', { conversation_id: talk.id, message: 'a' }, mine)
    assert.equal(error.code, 'conversation_closed')
    assert.ok(error.next_step.includes(`get_messages {"conversation_id":"${error.conversation_id}"}`))
  })

  test('a text that the platform does not take is told by its own code and the argument’s name', async () => {
    const talk = await aTalk(app, { platform: 'instagram', account: { id: '1', name: null } })
    const mine = await anAgent(app, talk.shop.id)
    const error = await refused('reply_to_conversation', { conversation_id: talk.id, message: 'é'.repeat(1001) }, mine)
    assert.deepEqual([error.code, error.errors[0].field], ['too_long', 'message'])
  })
})

suite('pause_ai_for_contact', () => {
  test('pauses by hand and resumes, once each', async () => {
    const talk = await aTalk(app)
    const mine = await anAgent(app, talk.shop.id)
    const set = (action: string) => done('pause_ai_for_contact', { conversation_id: talk.id, action }, mine)
    assert.deepEqual(await set('pause'), { conversation: { id: talk.id, ai_status: 'paused' }, changed: true })
    assert.equal((await talk.read()).ai_paused_reason, 'manual')
    assert.equal((await set('Pause')).changed, false)
    assert.deepEqual(await set('resume'), { conversation: { id: talk.id, ai_status: 'on' }, changed: true })
    assert.equal((await set('resume')).changed, false)
    assert.deepEqual((await talk.events()).slice(-2), ['ai.paused', 'ai.resumed'])
  })
})

suite('the assistant’s settings', () => {
  test('have defaults, are changed one by one, and count their versions', async () => {
    const [own, neighbour] = [await app.tenant(), await app.tenant()]
    const [mine, other] = [await anAgent(app, own.id), await anAgent(app, neighbour.id)]
    const { ai_config: theirs } = await done('update_ai_persona', { tone: 'casual' }, other)
    const { ai_config: before } = await done('get_ai_config', {}, mine)
    assert.deepEqual(
      { ...before, updated_at: undefined },
      {
        tone: 'neutral',
        language: 'auto',
        custom_instructions: '',
        auto_reply: true,
        knowledge_base: [],
        version: 1,
        updated_at: undefined,
      },
    )
    const first = await done('update_ai_persona', { tone: 'FRIENDLY', language: 'pt-br' }, mine)
    assert.deepEqual(first.changed, ['tone', 'language'])
    assert.deepEqual([first.ai_config.tone, first.ai_config.language, first.ai_config.version], ['friendly', 'pt-BR', 2])
    const same = await done('update_ai_persona', { tone: 'friendly' }, mine)
    assert.deepEqual([same.changed, same.ai_config.version], [[], 2])
    const long = await done('update_ai_persona', { custom_instructions: 'x'.repeat(4000), auto_reply: false }, mine)
    const { ai_config } = await done('get_ai_config', {}, mine)
    assert.deepEqual(long.ai_config, ai_config)
    assert.ok(ai_config.updated_at > first.ai_config.updated_at && first.ai_config.updated_at > before.updated_at)
    assert.deepEqual([ai_config.custom_instructions.length, ai_config.auto_reply, ai_config.version], [4000, false, 3])
    const rows = await audited(own.id, own.id)
    assert.deepEqual(
      rows.filter(row => row['action'] === 'ai_config.update').map(row => row['details']),
      [{ fields: ['tone', 'language'] }, { fields: ['custom_instructions', 'auto_reply'] }],
    )
    assert.deepEqual((await done('get_ai_config', {}, other)).ai_config, theirs)
  })

  test('twenty changes at once are twenty versions, and none undoes another', async () => {
    const own = await app.tenant()
    const mine = await anAgent(app, own.id)
    const texts = Array.from({ length: 16 }, (_, n) => ({ custom_instructions: `${n}` }))
    const changes = [{ tone: 'casual' }, { language: 'uk' }, { auto_reply: false }, ...texts]
    await done('update_ai_persona', { custom_instructions: 'Be kind.' }, mine)
    await Promise.all(changes.map(args => done('update_ai_persona', args, mine)))
    const { version, tone, language, auto_reply } = (await done('get_ai_config', {}, mine)).ai_config
    assert.deepEqual([version, tone, language, auto_reply], [21, 'casual', 'uk', false])
  })

  test('take every tag that BCP 47 has, in its one spelling, and an empty text', async () => {
    const own = await anAgent(app, (await app.tenant()).id)
    for (const [language, kept] of [
      ['uk', 'uk'],
      ['ZH-hant-tw', 'zh-Hant-TW'],
      ['es-419', 'es-419'],
      ['zh-cmn-hans-cn', 'zh-cmn-Hans-CN'],
      ['sl-rozaj-biske', 'sl-rozaj-biske'],
      ['de-ch-1901', 'de-CH-1901'],
      ['I-Klingon', 'i-klingon'],
      ['x-whatever', 'x-whatever'],
      ['de-de-x-goethe', 'de-DE-x-goethe'],
      ['en-us-u-islamcal', 'en-US-u-islamcal'],
      ['en-a-myext-b-another', 'en-a-myext-b-another'],
      ['qaa-qaaa-qm-x-southern', 'qaa-Qaaa-QM-x-southern'],
      ['sgn-be-fr', 'sgn-BE-FR'],
      ['auto', 'auto'],
    ])
      assert.equal((await done('update_ai_persona', { language }, own)).ai_config.language, kept)
    await done('update_ai_persona', { custom_instructions: 'x' }, own)
    assert.equal((await done('update_ai_persona', { custom_instructions: '' }, own)).ai_config.custom_instructions, '')
  })

  test('refuse nothing at all, an unknown tone, a wrong language and too many words', async () => {
    for (const args of [
      {},
      { tone: 'angry' },
      { language: '' },
      { language: 'Ukrainian language' },
      { language: 'en_US' },
      { language: 'en-US-US' },
      { language: 'de-1996-1996' },
      { language: 'en-a-bbb-a-ccc' },
      { language: 'x' },
      { custom_instructions: '\u200b' },
      { custom_instructions: '  ' },
      { custom_instructions: 'x'.repeat(4001) },
      { auto_reply: 'no' },
    ])
      assert.equal((await refused('update_ai_persona', args)).code, 'invalid_arguments', JSON.stringify(args))
  })
})

suite('what an agent may not', () => {
  test('with a read key nothing is written, and each try is recorded', async () => {
    const own = await app.tenant()
    const reader = await anAgent(app, own.id, ['read'])
    const order = ok(await own.post('/api/v1/orders', anOrder()))
    const calls: [string, object][] = [
      ['update_order_status', { order_id: order.id, status: 'SHIPPED' }],
      ['tag_contact', { contact_id: order.customer.contact_id, tag: 'a' }],
      ['reply_to_conversation', { conversation_id: nobody('conv'), message: 'a' }],
      ['update_ai_persona', { tone: 'casual' }],
      ['pause_ai_for_contact', { conversation_id: nobody('conv'), action: 'pause' }],
    ]
    for (const [tool, args] of calls) {
      const error = await refused(tool, args, reader)
      assert.deepEqual([error.code, error.required_scope], ['insufficient_scope', 'write'])
    }
    const rows = await audited(own.id, reader.keyId)
    assert.deepEqual(
      rows.filter(row => row['action'] === 'agent.refuse').map(row => row['details']),
      calls.map(([tool]) => ({ tool, reason: 'insufficient_scope' })),
    )
    assert.equal(ok(await own.get(`/api/v1/orders/${order.id}`)).status, 'pending')
    const writer = await anAgent(app, own.id, ['write'])
    assert.equal((await refused('get_orders', {}, writer)).required_scope, 'read')
    const { body } = await writer.ask({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    assert.equal(body.result.tools.length, calls.length)
  })

  const capabilities: [string, string][] = [
    ['create_order', 'orders.create'],
    ['place_order', 'orders.create'],
    ['createOrder', 'orders.create'],
    ['orders.create', 'orders.create'],
    ['order_create', 'orders.create'],
    ['create-order', 'orders.create'],
    ['CreateOrder', 'orders.create'],
    ['CREATE_ORDERS', 'orders.create'],
    ['createorder', 'orders.create'],
    ['ordercreate', 'orders.create'],
    ['shopdesk/orders/bulk_create', 'orders.create'],
    ['create_draft_order_v2', 'orders.create'],
    ['createOrder2', 'orders.create'],
    ['Order::Place', 'orders.create'],
    ['create\u200border', 'orders.create'],
    ['\uff43\uff52\uff45\uff41\uff54\uff45_order', 'orders.create'],
    ['add_order', 'orders.create'],
    ['order.new', 'orders.create'],
    ['take_payment', 'payments'],
    ['refund_order', 'payments'],
    ['charge_card', 'payments'],
    ['get_payments', 'payments'],
    ['Refunds.create', 'payments'],
    ['order_refund', 'payments'],
    ['pay_order', 'payments'],
    ['payments/capture', 'payments'],
    ['install_app', 'apps'],
    ['uninstall_app', 'apps'],
    ['list_apps', 'apps'],
    ['installApp', 'apps'],
    ['app.install', 'apps'],
    ['change_scopes', 'scopes'],
    ['grant-scope', 'scopes'],
    ['set_credentials', 'credentials'],
    ['create_api_key', 'credentials'],
    ['createAPIKey', 'credentials'],
    ['create_apikey', 'credentials'],
    ['createApiKey', 'credentials'],
    ['createapikey', 'credentials'],
    ['api.keys.create', 'credentials'],
    ['webhooks', 'credentials'],
    ['revealSecret', 'credentials'],
    ['create_webhook', 'credentials'],
    ['billing', 'billing'],
    ['upgrade_plan', 'billing'],
    ['cancel subscription', 'billing'],
    ['manage_team', 'team'],
    ['invite_member', 'team'],
    ['inviteMember', 'team'],
    ['member-invite', 'team'],
    ['deleteusers', 'team'],
    ['delete_user', 'team'],
    ['SET_ROLE', 'team'],
  ]
  test('what is forbidden is refused as a capability, to every credential and whatever comes along, and recorded', async () => {
    const own = await app.tenant()
    const credentials = [await anAgent(app, own.id), await anAgent(app, own.id, ['read'])]
    const calls = capabilities.map(([name], id) => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name, arguments: { confirm: true, scopes: ['admin'] } },
    }))
    const told = (details: { tool: string }[]) => details.toSorted((one, other) => (one.tool < other.tool ? -1 : 1))
    for (const mine of credentials) {
      const answers = [await mine.ask({ body: calls.slice(0, 50) }), await mine.ask({ body: calls.slice(50) })].flatMap(each => each.body)
      for (const [index, [tool, capability]] of capabilities.entries()) {
        assert.equal(answers[index].error.code, -32602, tool)
        assert.deepEqual(answers[index].error.data, { reason: 'capability_unavailable', capability, where: 'dashboard' }, tool)
      }
      const rows = (await audited(own.id, mine.keyId)).filter(row => row['action'] === 'agent.refuse')
      assert.deepEqual(
        told(rows.map(row => row['details'] as { tool: string })),
        told(capabilities.map(([tool]) => ({ tool, reason: 'capability_unavailable' }))),
      )
    }
    const { body } = await agent.ask({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    for (const [tool] of capabilities)
      assert.doesNotMatch(JSON.stringify(body.result.tools.map((each: Json) => each.name)), new RegExp(`"${tool}"`))
  })

  test('a name with a NUL, or of a megabyte, is recorded all the same', async () => {
    const own = await app.tenant()
    const mine = await anAgent(app, own.id)
    for (const name of [`create_api_key\0`, `create_api_key_${'x'.repeat(100_000)}`, 'key_\ud800'])
      assert.equal((await mine.call(name)).reply.body.error?.data?.capability, 'credentials', name.slice(0, 20))
    assert.equal((await audited(own.id, mine.keyId)).filter(row => row['action'] === 'agent.refuse').length, 3)
  })

  test('an unknown tool is told with those that there are and the one that is near, and is not recorded', async () => {
    const own = await app.tenant()
    const reader = await anAgent(app, own.id, ['read'])
    const cases: [string, string | undefined][] = [
      ['get_weather', undefined],
      ['get_order', 'get_orders'],
      ['getOrders', 'get_orders'],
      ['list_orders', 'get_orders'],
      ['orders', 'get_orders'],
      ['add_order_note', 'get_orders'],
      ['get_new_orders', 'get_orders'],
      ['search-contacts', 'get_contacts'],
      ['get_customers', 'get_contacts'],
      ['untag_contact', 'get_contacts'],
      ['get_figures', 'get_analytics'],
      ['get_ai_confg', 'get_ai_config'],
      ['__proto__', undefined],
    ]
    for (const [tool, near] of cases) {
      const { error } = (await reader.call(tool)).reply.body
      assert.deepEqual([error.code, error.data], [-32602, undefined])
      assert.match(error.message, /The tools are: get_orders, get_conversations, .*get_messages\./)
      assert.equal(/did you mean (\w+)\?/.exec(error.message)?.[1], near, tool)
    }
    assert.equal((await audited(own.id, reader.keyId)).filter(row => row['action'] === 'agent.refuse').length, 0)
  })
})

test('another workspace’s ids are not written to', async () => {
  const talk = await aTalk(app)
  const order = ok(await talk.shop.post('/api/v1/orders', anOrder()))
  const { contact } = await talk.read()
  const calls: [string, object][] = [
    ['update_order_status', { order_id: order.id, status: 'SHIPPED' }],
    ['tag_contact', { contact_id: contact.id, tag: 'a' }],
    ['reply_to_conversation', { conversation_id: talk.id, message: 'a' }],
    ['pause_ai_for_contact', { conversation_id: talk.id, action: 'pause' }],
  ]
  for (const [tool, args] of calls) assert.equal((await refused(tool, args)).code, 'not_found')
  assert.equal(ok(await talk.shop.get(`/api/v1/orders/${order.id}`)).status, 'pending')
  assert.equal((await talk.read()).ai_status, 'on')
  assert.deepEqual(await talk.texts(), ['Hello?'])
})
