// What agents read: each tool's arguments, filters, refusals and pages.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { instructions } from '../../src/assistant/instructions.ts'
import { agentTools } from '../../src/catalog.ts'
import { MCP_DESCRIPTION_CHARS, MCP_INSTRUCTIONS_CHARS } from '../../src/limits/mcp.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { anAgent } from '../support/agent.ts'
import { testApp } from '../support/app.ts'
import { aLine, anInbound, anOrder, aProduct, nobody, ok } from '../support/given.ts'
import { toolsPage } from './tools-page.ts'

const app = await testApp()
const shop = await app.tenant()
const agent = await anAgent(app, shop.id)
const post = async (path: string, body: object) => ok(await shop.post(`/api/v1/${path}`, body as Record<string, unknown>))

// biome-ignore lint/suspicious/noExplicitAny: results have every shape
type Json = any
const found = async (tool: string, args: object = {}): Promise<Json> => {
  const { result, isError, reply } = await agent.call(tool, args)
  assert.equal(isError, false, reply.text.slice(0, 500))
  return result
}
const refused = async (tool: string, args: unknown): Promise<Json> => {
  const { result, isError, reply } = await agent.call(tool, args as object)
  assert.equal(isError, true, reply.text.slice(0, 500))
  return result.error
}
const idsOf = async (tool: string, args: object = {}): Promise<string[]> =>
  (await found(tool, { limit: 50, ...args })).items.map((each: { id: string }) => each.id)

const ada = await post('contacts', {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+380441234567',
  external_id: 'crm-1',
  tags: ['vip'],
})
const bob = await post('contacts', { name: 'Bob', email: 'bob@example.com' })
const shirt = await post('products', aProduct({ name: 'Linen shirt', sku: 'SHIRT', category: 'Clothes/Shirts', stock: 9 }))
const mug = await post('products', aProduct({ name: 'Mug', category: 'Kitchen', stock: 0 }))
const card = await post('products', aProduct({ name: 'Gift card', status: 'draft' }))
const old = await post('products', aProduct({ name: 'Old shirt', status: 'archived' }))
const first = await post(
  'orders',
  anOrder({ customer: { contact_id: ada.id }, items: [aLine({ sku: 'SHIRT', quantity: 2 })], note: 'Ring twice' }),
)
const second = await post('orders', anOrder({ customer: { email: 'bob@example.com' } }))
const shipped = ok(await shop.patch(`/api/v1/orders/${second.id}`, { status: 'SHIPPED' }))
const adas = await anInbound(app, shop, { contact_id: ada.id, platform: 'telegram', text: 'Is it there in M?' })
const bobs = await anInbound(app, shop, { contact_id: bob.id, platform: 'api', text: 'Where is my parcel?' })
ok(await shop.patch(`/api/v1/conversations/${bobs.conversation.id}`, { ai_status: 'paused' }))
ok(await shop.post(`/api/v1/conversations/${bobs.conversation.id}/read`))

suite('get_orders', () => {
  const cases: [string, object, string[]][] = [
    ['all, the newest first', {}, [second.id, first.id]],
    ['a status', { status: 'pending' }, [first.id]],
    ['a status in another case', { status: 'shipped' }, [second.id]],
    ['a payment status', { payment_status: 'PAID' }, []],
    ['one id', { order_id: first.id }, [first.id]],
    ['a contact', { customer: ada.id }, [first.id]],
    ['an e-mail address in another case', { customer: 'ADA@example.com' }, [first.id]],
    ['a phone number', { customer: '+380441234567' }, [first.id]],
    ['a phone number as people write it', { customer: ' +38 (044) 123\u201345\u201367 ' }, [first.id]],
    ['the beginning of a name', { customer: 'ada l' }, [first.id]],
    ['a name that nobody has', { customer: 'Zed' }, []],
    ['since the time of the second, which is included', { since: second.created_at }, [second.id]],
    ['until the time of the first, which is included', { until: first.created_at }, [first.id]],
    ['a time with another zone', { since: '2020-01-01T00:00:00+05:45' }, [second.id, first.id]],
    ['a time in the year 1', { since: '0001-01-01T00:00:00-14:00', until: '9999-12-31T23:59:59.999Z' }, [second.id, first.id]],
    ['several filters', { customer: ada.id, status: 'pending', since: '2020-01-01T00:00:00Z' }, [first.id]],
  ]
  for (const [what, args, expected] of cases)
    test(`finds by ${what}`, async () => assert.deepEqual(await idsOf('get_orders', args), expected))

  test('shows what is usually needed, and in detail all of it', async () => {
    const { notice, items, ...rest } = await found('get_orders', { order_id: first.id })
    assert.match(notice, /data/)
    assert.deepEqual(rest, { count: 1, has_more: false, next_cursor: null })
    const concise = {
      id: first.id,
      number: first.number,
      status: 'pending',
      payment_status: 'unpaid',
      total_amount: 9800,
      currency: 'EUR',
      customer: { contact_id: ada.id, name: 'Ada Lovelace', email: 'ada@example.com', phone: '+380441234567' },
      items_count: 1,
      created_at: first.created_at,
    }
    assert.deepEqual(items, [concise])
    const { items: detailed } = await found('get_orders', { order_id: first.id, response_format: 'Detailed' })
    const { items: lines, allowed_next, note, ...others } = detailed[0]
    assert.deepEqual(lines, [
      { product_id: shirt.id, sku: 'SHIRT', name: 'Linen shirt', quantity: 2, unit_amount: 4900, total_amount: 9800 },
    ])
    assert.deepEqual(allowed_next, ['confirmed', 'processing', 'SHIPPED', 'CANCELLED'])
    assert.equal(note, 'Ring twice')
    for (const name of [
      'shipping_address',
      'payment',
      'fulfillment',
      'tags',
      'cancel_reason',
      'paid_amount',
      'refunded_amount',
      'updated_at',
    ])
      assert.ok(name in others, name)
    const moved = await found('get_orders', { order_id: shipped.id, response_format: 'detailed' })
    assert.equal(moved.items[0].fulfillment.waybill_number, `MAN-${second.number}`)
  })
})

suite('get_products', () => {
  const cases: [string, object, string[]][] = [
    ['all but archived ones, the newest first', {}, [card.id, mug.id, shirt.id]],
    ['a part of the name', { name: 'SHIRT' }, [shirt.id]],
    ['a category', { category: 'Clothes' }, [shirt.id]],
    ['what can be sold', { in_stock: true }, [card.id, shirt.id]],
    ['what is sold out', { in_stock: false }, [mug.id]],
    ['little stock', { stock_below: 8 }, [mug.id, shirt.id]],
    ['one id', { product_id: mug.id }, [mug.id]],
    ['the id of an archived one', { product_id: old.id }, [old.id]],
  ]
  for (const [what, args, expected] of cases)
    test(`finds by ${what}`, async () => assert.deepEqual(await idsOf('get_products', args), expected))

  test('tells what is available', async () => {
    const { items, notice } = await found('get_products', { product_id: shirt.id })
    assert.equal(notice, undefined)
    assert.deepEqual(items[0], {
      id: shirt.id,
      name: 'Linen shirt',
      sku: 'SHIRT',
      status: 'active',
      price_amount: 4900,
      currency: 'EUR',
      stock: 9,
      available: 7,
      stock_status: 'in_stock',
      category: 'Clothes/Shirts',
    })
    const { items: detailed } = await found('get_products', { product_id: card.id, response_format: 'detailed' })
    const { available, reserved, variants, tags } = detailed[0]
    assert.deepEqual([available, reserved, variants, tags], [null, 0, [], []])
  })
})

suite('get_contacts', () => {
  const cases: [string, object, string[]][] = [
    ['all, the newest first', {}, [bob.id, ada.id]],
    ['the beginning of a name', { query: 'ADA' }, [ada.id]],
    ['an e-mail address', { query: 'bob@example.com' }, [bob.id]],
    ['a phone number', { query: '+380441234567' }, [ada.id]],
    ['an external_id', { query: 'crm-1' }, [ada.id]],
    ['a tag', { tag: 'vip' }, [ada.id]],
    ['one id', { contact_id: bob.id }, [bob.id]],
  ]
  for (const [what, args, expected] of cases)
    test(`finds by ${what}`, async () => assert.deepEqual(await idsOf('get_contacts', args), expected))

  test('tells what they ordered, and leads to a contact that one was merged into', async () => {
    const { items } = await found('get_contacts', { contact_id: ada.id, response_format: 'detailed' })
    assert.equal(items[0].orders_count, 1)
    assert.equal(items[0].channels[0].platform, 'telegram')
    const [kept, gone] = [await post('contacts', { name: 'Kept' }), await post('contacts', { name: 'Gone' })]
    await post(`contacts/${kept.id}/merge`, { contact_id: gone.id })
    for (const [tool, args] of [
      ['get_contacts', { contact_id: gone.id }],
      ['get_orders', { customer: gone.id }],
      ['get_conversations', { contact_id: gone.id }],
    ] as const) {
      const error = await refused(tool, args)
      assert.deepEqual([error.code, error.merged_into], ['not_found', kept.id])
      assert.ok(error.next_step.includes(`get_contacts {"contact_id":"${kept.id}"}`))
    }
    assert.equal((await found('get_conversations', { contact_id: kept.id })).count, 0)
  })
})

suite('get_conversations and get_messages', () => {
  const cases: [string, object, string[]][] = [
    ['all, the last updated first', {}, [bobs.conversation.id, adas.conversation.id]],
    ['a platform', { platform: 'Telegram' }, [adas.conversation.id]],
    ['whether the assistant answers', { ai_status: 'paused' }, [bobs.conversation.id]],
    ['a contact', { contact_id: ada.id }, [adas.conversation.id]],
    ['unread messages', { unread: true }, [adas.conversation.id]],
    ['no unread messages', { unread: false }, [bobs.conversation.id]],
    ['the time of a change, which is included', { since: adas.conversation.updated_at }, [bobs.conversation.id, adas.conversation.id]],
  ]
  for (const [what, args, expected] of cases)
    test(`are found by ${what}`, async () => assert.deepEqual(await idsOf('get_conversations', args), expected))

  test('show who writes, what was said last, and in detail why the assistant is paused', async () => {
    const { items } = await found('get_conversations', { contact_id: ada.id })
    const { id, platform, status, ai_status, contact, unread_count, last_message } = items[0]
    assert.deepEqual([id, platform, status, ai_status, unread_count], [adas.conversation.id, 'telegram', 'open', 'on', 1])
    assert.deepEqual(contact, { id: ada.id, name: 'Ada Lovelace', email: 'ada@example.com', email_claimed: false })
    assert.deepEqual([last_message.direction, last_message.author_type, last_message.text], ['inbound', 'customer', 'Is it there in M?'])
    const detailed = await found('get_conversations', { ai_status: 'paused', response_format: 'detailed' })
    assert.equal(detailed.items[0].ai_paused_reason, 'manual')
  })

  test('messages come the newest first, with their author', async () => {
    await anInbound(app, shop, { contact_id: ada.id, platform: 'telegram', text: 'In blue?' })
    ok(await shop.post(`/api/v1/conversations/${adas.conversation.id}/messages`, { text: 'Ask Grace', private: true }))
    const { items, notice } = await found('get_messages', { conversation_id: adas.conversation.id })
    assert.match(notice, /data/)
    assert.deepEqual(
      items.map((each: Json) => [each.text, each.direction, each.author.type, each.private]),
      [
        ['Ask Grace', 'outbound', 'operator', true],
        ['In blue?', 'inbound', 'customer', false],
        ['Is it there in M?', 'inbound', 'customer', false],
      ],
    )
    const detailed = await found('get_messages', { conversation_id: adas.conversation.id, response_format: 'detailed' })
    assert.deepEqual(detailed.items[0].attachments, [])
  })
})

suite('arguments that do not fit', () => {
  const NOW = /; it is \d{4}-\d\d-\d\dT[\d:.]+Z now\.$/
  const cases: [string, string, unknown, string, string, RegExp?][] = [
    ['an unknown one', 'get_orders', { state: 'pending' }, 'unknown_field', 'state'],
    ['null', 'get_orders', { status: null }, 'invalid_type', 'status', /not null; leave it out/],
    ['null where an id is needed', 'get_messages', { conversation_id: null }, 'invalid_type', 'conversation_id', /a string, not null\.$/],
    ['a list of statuses', 'get_orders', { status: ['pending'] }, 'invalid_type', 'status', /not a list; call once for each/],
    ['a number for a text', 'get_orders', { status: 5 }, 'invalid_type', 'status'],
    ['a status that there is none of', 'get_orders', { status: 'paid' }, 'invalid_choice', 'status'],
    ['several statuses in one', 'get_orders', { status: 'pending,confirmed' }, 'invalid_choice', 'status'],
    ['a limit of 0', 'get_orders', { limit: 0 }, 'out_of_range', 'limit'],
    ['a limit of 51', 'get_orders', { limit: 51 }, 'out_of_range', 'limit'],
    ['a limit of 1.5', 'get_orders', { limit: 1.5 }, 'invalid_type', 'limit'],
    ['a limit as text', 'get_orders', { limit: '5' }, 'invalid_type', 'limit'],
    ['a limit of 1e400', 'get_orders', JSON.parse('{"limit":1e400}'), 'invalid_type', 'limit'],
    ['a date without a time', 'get_orders', { since: '2026-05-25' }, 'invalid_format', 'since', NOW],
    ['a time in words', 'get_conversations', { since: 'last week' }, 'invalid_format', 'since', NOW],
    ['a time as a number', 'get_orders', { until: 1_700_000_000 }, 'invalid_type', 'until', NOW],
    ['a time without a zone', 'get_orders', { since: '2026-05-25T00:00:00' }, 'invalid_format', 'since'],
    ['a day that there is none of', 'get_orders', { since: '2026-02-30T00:00:00Z' }, 'invalid_format', 'since'],
    ['a time to come', 'get_orders', { since: '2999-01-01T00:00:00Z' }, 'in_future', 'since'],
    ['a time to come', 'get_conversations', { since: '9999-12-31T23:59:59.999999Z' }, 'in_future', 'since'],
    ['no id', 'get_orders', { order_id: '5' }, 'invalid_format', 'order_id', /must be an id: ord_/],
    ['an object for an id', 'get_orders', { order_id: { toString: 0 } }, 'invalid_type', 'order_id', /must be an id: ord_/],
    [
      "an order's number for its id",
      'update_order_status',
      { order_id: 5, status: 'SHIPPED' },
      'invalid_type',
      'order_id',
      /must be an id: ord_/,
    ],
    [
      'a period that ends before it begins',
      'get_orders',
      { since: '2026-05-25T00:00:00Z', until: '2026-05-24T23:59:59Z' },
      'out_of_range',
      'until',
    ],
    ['a blank name', 'get_orders', { customer: ' ' }, 'too_short', 'customer'],
    ['a blank category', 'get_products', { category: '\u200b' }, 'blank', 'category'],
    [
      'a blank waybill',
      'update_order_status',
      { order_id: first.id, status: 'SHIPPED', waybill_number: ' ' },
      'too_short',
      'waybill_number',
    ],
    ["half of an order's id", 'get_orders', { order_id: first.id.slice(0, 12) }, 'invalid_format', 'order_id'],
    ["an order's id that there cannot be", 'get_orders', { order_id: `ord_${'z'.repeat(26)}` }, 'invalid_format', 'order_id'],
    ["a contact's id for an order's", 'get_orders', { order_id: ada.id }, 'wrong_kind_of_id', 'order_id'],
    ["an order's id for a product's", 'get_products', { product_id: first.id }, 'wrong_kind_of_id', 'product_id'],
    ["an order's id for a conversation's", 'get_messages', { conversation_id: first.id }, 'wrong_kind_of_id', 'conversation_id'],
    ["an order's id for a customer's", 'get_orders', { customer: first.id }, 'wrong_kind_of_id', 'customer'],
    ['half of an id', 'get_orders', { customer: ada.id.slice(0, 12) }, 'wrong_kind_of_id', 'customer'],
    ['an id for a text', 'get_contacts', { query: ada.id }, 'wrong_kind_of_id', 'query'],
    ['an id and a filter', 'get_orders', { order_id: first.id, status: 'pending' }, 'not_combinable', 'status'],
    ['an id and a cursor', 'get_contacts', { contact_id: ada.id, cursor: 'abc' }, 'not_combinable', 'cursor'],
    ['no cursor', 'get_orders', { cursor: 'abc' }, 'invalid_cursor', 'cursor'],
    ['an empty cursor', 'get_orders', { cursor: '' }, 'too_short', 'cursor'],
    ['an unknown format', 'get_orders', { response_format: 'xml' }, 'invalid_choice', 'response_format'],
    ['a NUL', 'get_contacts', { query: 'a\0b' }, 'invalid_characters', 'query'],
    ['half of a surrogate pair', 'get_contacts', { query: '\ud800' }, 'invalid_characters', 'query'],
    ['an object for a text', 'get_contacts', { query: { $ne: null } }, 'invalid_type', 'query'],
    ['a list for a text', 'get_contacts', { query: [[['a']]] }, 'invalid_type', 'query'],
    ['a member __proto__', 'get_contacts', JSON.parse('{"__proto__":{"query":"a"}}'), 'unknown_field', '__proto__'],
    ['a member constructor', 'get_contacts', { constructor: 'a' }, 'unknown_field', 'constructor'],
    ['a text of a hundred kilobytes', 'get_contacts', { query: 'x'.repeat(100_000) }, 'too_long', 'query'],
    ['nothing where an id is needed', 'get_messages', {}, 'required', 'conversation_id'],
    ['something where nothing is taken', 'get_ai_config', { verbose: true }, 'unknown_field', 'verbose'],
    [
      'the contrary of a choice',
      'pause_ai_for_contact',
      { conversation_id: adas.conversation.id, action: 'unpause' },
      'invalid_choice',
      'action',
      /one of pause, resume\.$/,
    ],
    ['a negative number', 'get_products', { stock_below: -1 }, 'out_of_range', 'stock_below'],
    ['a text for a switch', 'get_products', { in_stock: 'true' }, 'invalid_type', 'in_stock'],
  ]
  for (const [what, tool, args, code, field, says = /./] of cases)
    test(`${what}: ${tool} names it and says what may be`, async () => {
      const error = await refused(tool, args)
      assert.equal(error.code, 'invalid_arguments')
      assert.match(error.next_step, /must be an id/.test(error.message) ? /to find the right id/ : new RegExp(tool))
      assert.match(error.message, says)
      assert.ok(
        error.errors.some((each: Json) => each.code === code && (each.field === field || each.field.startsWith(`${field}[`))),
        JSON.stringify(error),
      )
      assert.ok(JSON.stringify(error).length < 3_000)
    })

  test('an id of another kind says which tool takes it', async () => {
    const error = await refused('get_orders', { order_id: ada.id })
    assert.match(error.message, /is a contact's id; use get_contacts\./)
  })

  test('an unknown argument is told with those that are known, and a status with those that there are', async () => {
    assert.match((await refused('get_orders', { state: 'x' })).message, /known are order_id, status, /)
    assert.match((await refused('get_orders', { status: 'paid' })).message, /pending, confirmed, processing, SHIPPED/)
    assert.match((await refused('get_orders', { 'a\0': 1 })).message, /^has a member whose name holds a NUL character/)
  })

  test('unknown arguments are told in part, each by the beginning of its name and without what nobody sees', async () => {
    const names = Array.from({ length: 500 }, (_, n) => `${n}\u{e0041}\u202e${'y'.repeat(1_000)}`)
    const error = await refused('get_orders', Object.fromEntries(names.map(name => [name, 1])))
    assert.equal(error.errors.length, 20)
    for (const { field } of error.errors) assert.match(field, /^\d+y{90,99}$/)
    assert.ok(JSON.stringify(error).length < 8_000)
  })

  for (const [tool, args] of [
    ['get_orders', { order_id: nobody('ord') }],
    ['get_products', { product_id: nobody('prod') }],
    ['get_contacts', { contact_id: nobody('con') }],
    ['get_messages', { conversation_id: nobody('conv') }],
    ['get_orders', { customer: nobody('con') }],
    ['get_conversations', { contact_id: nobody('con') }],
  ] as const)
    test(`${tool} ${Object.keys(args)} says that nothing has this id, and where to look`, async () => {
      const error = await refused(tool, args)
      assert.equal(error.code, 'not_found')
      assert.match(error.next_step, /Call get_/)
    })
})

suite('pages', async () => {
  const big = await app.tenant()
  const mine = await anAgent(app, big.id)
  const add = async (n: number) => ok(await big.post('/api/v1/contacts', { name: `Contact ${n}` })).id as string
  const made: string[] = []
  for (let n = 0; n < 30; n++) made.push(await add(n))

  test('show every row once while rows are added and one is gone', async () => {
    const seen: string[] = []
    let cursor: string | undefined
    for (let pages = 0; pages < 20; pages++) {
      const { result } = await mine.call('get_contacts', { limit: 7, ...(cursor && { cursor }) })
      seen.push(...result.items.map((each: Json) => each.id))
      assert.equal(result.count, result.items.length)
      assert.equal(result.has_more, result.next_cursor !== null)
      if (!result.has_more) break
      cursor = result.next_cursor
      await add(100 + pages)
      // The row that the cursor names.
      await app.sql`delete from contacts where tenant_id = ${big.id} and id = ${seen.at(-1) as string}`
    }
    assert.deepEqual(seen, made.toReversed())
  })

  test('of the other lists show every row once, too, while rows are added', async () => {
    const talker = await add(0)
    const { conversation } = await anInbound(app, big, { contact_id: talker, platform: 'api', text: '0' })
    const made = async (path: string, body: object) => ok(await big.post(`/api/v1/${path}`, body as Record<string, unknown>)).id as string
    const lists: [string, object, () => Promise<string>][] = [
      ['get_orders', {}, () => made('orders', anOrder())],
      ['get_products', {}, () => made('products', aProduct())],
      [
        'get_conversations',
        { platform: 'telegram' },
        async () => (await anInbound(app, big, { contact_id: await add(1), platform: 'telegram' })).conversation.id,
      ],
      [
        'get_messages',
        { conversation_id: conversation.id },
        async () => (await anInbound(app, big, { contact_id: talker, platform: 'api' })).message.id,
      ],
    ]
    for (const [tool, args, make] of lists) {
      const ids: string[] = []
      while (ids.length < 7) ids.push(await make())
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const { result } = await mine.call(tool, { ...args, limit: 3, ...(cursor && { cursor }) })
        seen.push(...result.items.map((each: Json) => each.id))
        cursor = result.next_cursor ?? undefined
        await make()
      } while (cursor)
      assert.deepEqual(seen.slice(0, 7), ids.toReversed(), tool)
      assert.equal(new Set(seen).size, seen.length, tool)
    }
  })

  test('a cursor belongs to its list', async () => {
    const { result } = await mine.call('get_contacts', { limit: 1 })
    for (const tool of ['get_orders', 'get_products', 'get_conversations']) {
      const { result: other } = await mine.call(tool, { cursor: result.next_cursor })
      assert.equal(other.error.errors[0].code, 'invalid_cursor')
    }
    const rest = await big.get('/api/v1/contacts?limit=1&sort=updated_at')
    const { result: other } = await mine.call('get_contacts', { cursor: rest.body.next_cursor })
    assert.equal(other.error.errors[0].code, 'invalid_cursor')
  })

  test('a cursor of messages belongs to its conversation, over REST too', async () => {
    const says = (contact_id: string, text: string) => anInbound(app, big, { contact_id, platform: 'api', text })
    const [one, other] = [await says(made[0] as string, '1'), await says(made[1] as string, '2')]
    await says(made[0] as string, '3')
    const [here, elsewhere] = [{ conversation_id: one.conversation.id }, { conversation_id: other.conversation.id }]
    const { result } = await mine.call('get_messages', { ...here, limit: 1 })
    const cursor = result.next_cursor
    assert.equal((await mine.call('get_messages', { ...here, cursor })).result.items[0].text, '1')
    assert.equal((await mine.call('get_messages', { ...elsewhere, cursor })).result.error.errors[0].code, 'invalid_cursor')
    const { status, body } = await big.get(`/api/v1/conversations/${other.conversation.id}/messages?cursor=${cursor}`)
    assert.deepEqual([status, body.errors[0].code], [422, 'invalid_cursor'])
  })

  test('an empty workspace has empty lists', async () => {
    const none = await anAgent(app, (await app.tenant()).id)
    for (const tool of ['get_orders', 'get_products', 'get_contacts', 'get_conversations']) {
      const { result } = await none.call(tool)
      assert.deepEqual([result.count, result.has_more, result.next_cursor, result.items], [0, false, null, []])
    }
  })
})

suite('sizes', async () => {
  const full = await app.tenant()
  const mine = await anAgent(app, full.id)
  const long = (chars: number) => '"\\é'.repeat(Math.ceil(chars / 3)).slice(0, chars)
  const contact = ok(
    await full.post('/api/v1/contacts', {
      name: long(300),
      email: 'ada@example.com',
      tags: Array.from({ length: 50 }, (_, n) => `${n}${long(62)}`),
      attributes: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}${'"'.repeat(60)}`, long(500)])),
    }),
  )
  const order = anOrder({
    items: Array.from({ length: 100 }, () => aLine({ name: long(300), metadata: { a: long(500) } })),
    note: long(5000),
    customer: { contact_id: contact.id },
    tags: Array.from({ length: 50 }, (_, n) => `${n}${long(62)}`),
    shipping_address: { name: long(300), line1: long(300), line2: long(300), city: long(300), region: long(300) },
  })
  for (let n = 0; n < 50; n++) ok(await full.post('/api/v1/orders', order))
  const { conversation } = await anInbound(app, full, { contact_id: contact.id, platform: 'telegram', text: long(4096) })
  for (let n = 0; n < 50; n++) await anInbound(app, full, { contact_id: contact.id, platform: 'telegram', text: `${n}${long(4000)}` })
  await app.sql`
    update contacts set doc = jsonb_set(doc::jsonb, '{summary}', to_jsonb(repeat('"\\é', 20000)))::json where tenant_id = ${full.id}`
  await app.sql`
    insert into contacts (tenant_id, id, name, created_at, updated_at, doc)
    select tenant_id, copy.id, name, created_at, updated_at, (doc::jsonb || jsonb_build_object('id', copy.id))::json
      from contacts, lateral (select 'con_' || lpad(n::text, 26, '0') as id from generate_series(1, 49) n) copy
     where tenant_id = ${full.id}`
  const choices = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`${n}${'"'.repeat(60)}`, long(200)]))
  const product = aProduct({
    name: long(300),
    description: long(20_000),
    category: long(300),
    tags: Array.from({ length: 50 }, (_, n) => `${n}${long(62)}`),
    variants: Array.from({ length: 100 }, () => ({ name: long(300), options: choices, stock: 1 })),
  })
  for (let n = 0; n < 2; n++) ok(await full.post('/api/v1/products', product))

  const calls: [string, object, number][] = [
    ['get_orders', {}, 50],
    ['get_contacts', {}, 50],
    ['get_messages', { conversation_id: conversation.id }, 51],
    ['get_conversations', {}, 1],
    ['get_products', {}, 2],
  ]
  for (const [tool, args, all] of calls)
    for (const response_format of ['concise', 'detailed'])
      test(`${tool} of the longest there can be, ${response_format}, stays under 40,000 characters a page and shows all of them`, async () => {
        let [shown, cursor]: [number, string | undefined] = [0, undefined]
        do {
          const { result, reply }: { result: Json; reply: Json } = await mine.call(tool, {
            ...args,
            limit: 50,
            response_format,
            ...(cursor && { cursor }),
          })
          const { text } = reply.body.result.content[0]
          assert.ok(text.length <= 40_000, String(text.length))
          assert.deepEqual(JSON.parse(text), result)
          assert.ok(result.count >= 1)
          shown += result.count
          cursor = result.next_cursor ?? undefined
        } while (cursor)
        assert.equal(shown, all)
      })

  test('what was cut says so, where it was cut', async () => {
    const { result: concise } = await mine.call('get_messages', { conversation_id: conversation.id, limit: 1 })
    assert.equal(concise.items[0].truncated, true)
    assert.equal(concise.items[0].text.length, 2_000)
    const { result: detailed } = await mine.call('get_messages', {
      conversation_id: conversation.id,
      limit: 1,
      response_format: 'detailed',
    })
    assert.equal(detailed.items[0].truncated, undefined)
    const { result: orders } = await mine.call('get_orders', { limit: 1, response_format: 'detailed' })
    assert.equal(orders.items[0].truncated, true)
    assert.equal(orders.items[0].items_count, 100)
  })
})

test('another workspace’s ids find nothing', async () => {
  const other = await anAgent(app, (await app.tenant()).id)
  for (const [tool, args] of [
    ['get_orders', { order_id: first.id }],
    ['get_products', { product_id: shirt.id }],
    ['get_contacts', { contact_id: ada.id }],
    ['get_messages', { conversation_id: adas.conversation.id }],
    ['get_orders', { customer: ada.id }],
    ['get_conversations', { contact_id: ada.id }],
  ] as const)
    assert.equal((await other.call(tool, args)).result.error.code, 'not_found')
  assert.equal((await other.call('get_orders', { customer: 'ada@example.com' })).result.count, 0)
  assert.equal((await other.call('get_orders', { customer: 'Ada' })).result.count, 0)
})

suite('the tools as they are told of', () => {
  test('are what was read by a person: see golden.json', async () => {
    const { body } = await agent.ask({ body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
    const golden = JSON.parse(readFileSync(new URL('./golden.json', import.meta.url), 'utf8'))
    assert.deepEqual(body.result, golden, 'after a change on purpose: node test/mcp/write-golden.ts, and read the difference')
  })

  test('are on the page of the documentation as they are', async () => {
    const page = readFileSync(new URL('../../docs/agent/tools.md', import.meta.url), 'utf8')
    assert.equal(page, toolsPage(await agentTools()), 'after a change on purpose: node test/mcp/write-golden.ts')
  })

  test('have short descriptions, closed arguments with an example each, and none of our own keywords', async () => {
    for (const { name, description, input } of await agentTools()) {
      assert.ok(description.length <= MCP_DESCRIPTION_CHARS, `${name}: ${description.length}`)
      assert.equal(input['additionalProperties' as never], false)
      for (const [argument, schema] of Object.entries(input.properties as Record<string, { description?: string }>))
        assert.match(schema.description ?? '', /Example: /, `${name}.${argument}`)
    }
    assert.doesNotMatch(readFileSync(new URL('./golden.json', import.meta.url), 'utf8'), /"x-/)
  })

  test('come with instructions of at most 1,500 characters, whatever the workspace is called', async () => {
    const { id } = await createTenant(app.sql, {
      name: `${'"'.repeat(300)}`,
      plan: 'free',
      currency: 'EUR',
      timeZone: 'America/Argentina/ComodRivadavia',
    })
    const text = await instructions(app.sql, { tenant: id, actor: { type: 'system' } })
    assert.ok(text.length <= MCP_INSTRUCTIONS_CHARS, String(text.length))
    assert.ok(text.includes(`one workspace: ${JSON.stringify('"'.repeat(100))}. Its currency is EUR.`) && text.includes('ComodRivadavia'))
    await app.sql`update tenants set name = ${'A\u{e0041}\u202e shop'} where id = ${id}`
    assert.match(await instructions(app.sql, { tenant: id, actor: { type: 'system' } }), /one workspace: "A shop"\./)
    for (const [currency, example] of [
      ['JPY', '4900'],
      ['HUF', '49.00'],
      ['KWD', '4.900'],
    ]) {
      await app.sql`update tenants set currency = ${currency as string} where id = ${id}`
      assert.match(await instructions(app.sql, { tenant: id, actor: { type: 'system' } }), new RegExp(`\\(4900 is ${example}\\)`))
    }
    for (const { name } of await agentTools())
      if (/^get_(orders|contacts|conversations|messages)$/.test(name)) assert.ok(text.includes(name))
  })
})
