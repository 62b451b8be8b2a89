// Bad input of every kind: each has its problem document, none is a 500, and none is kept.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { suite, test } from 'node:test'
import { createKey } from '../../src/access/keys.ts'
import { type Ask, type Reply, type TestTenant, testApp } from '../support/app.ts'
import { aLine, anOrder, aProduct, assertProblem, aWebhook, encoded, nobody } from '../support/given.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const PRODUCTS = '/api/v1/products'
const WEBHOOKS = '/api/v1/webhooks'

interface Case {
  what: string
  method: string
  path: string
  ask: Ask
  status: number
  slug: string
  code?: string | undefined
  field?: string | undefined
}

const cases: Case[] = []
/** Every case of a body is a change to a valid one, so that it fails for its own reason alone. */
function refused(method: string, path: string, what: string, ask: Ask, code?: string, field?: string): void {
  cases.push({ what, method, path, ask, status: 422, slug: 'validation-failed', code, field })
}
const order = (what: string, over: object, code: string, field: string) =>
  refused('POST', ORDERS, what, { body: anOrder(over as Record<string, unknown>) }, code, field)
const line = (what: string, over: object, code: string, field: string) =>
  order(what, { items: [aLine(over as Record<string, unknown>)] }, code, field)
const product = (what: string, over: object, code: string, field: string) =>
  refused('POST', PRODUCTS, what, { body: aProduct(over as Record<string, unknown>) }, code, field)
const webhook = (what: string, over: object, code: string | undefined, field: string) =>
  refused('POST', WEBHOOKS, what, { body: aWebhook(over as Record<string, unknown>) }, code, field)
const raw = (what: string, text: string | Buffer, code: string, field?: string) => refused('POST', ORDERS, what, { raw: text }, code, field)
const query = (path: string, text: string, code: string, field: string) =>
  refused('GET', `${path}?${text}`, `?${text.slice(0, 60)}`, {}, code, field)
const anyOrder = `${ORDERS}/${nobody('ord')}`
const change = (what: string, body: object, code: string, field: string) => refused('PATCH', anyOrder, what, { body }, code, field)
const without = (body: object, name: string) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))
/** The valid order's text with one of its parts replaced: what JSON.stringify cannot write. */
const spelled = (part: string, by: string) => JSON.stringify(anOrder({ note: 'NOTE', discount_amount: 7 })).replace(part, by)
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const named = (count: number) => Object.fromEntries(many(count, index => [`k${index}`, 'v']))
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`

// ── a body that is no JSON that can be kept
raw('no body', '', 'malformed_json', '')
raw('white space alone', ' \n\t', 'malformed_json', '')
raw('a cut body', '{"items":[', 'malformed_json', '')
raw('a trailing comma', '{"items":[],}', 'malformed_json', '')
raw('single quotes', "{'items':[]}", 'malformed_json', '')
raw('a comment', '{/* none */}', 'malformed_json', '')
raw('bare names', '{items:[]}', 'malformed_json', '')
raw('two values', '{} {}', 'malformed_json', '')
raw('NaN', spelled('7', 'NaN'), 'malformed_json', '')
raw('Infinity', spelled('7', 'Infinity'), 'malformed_json', '')
raw('undefined', 'undefined', 'malformed_json', '')
raw('a hexadecimal number', spelled('7', '0x10'), 'malformed_json', '')
raw('a number with a leading zero', spelled('7', '07'), 'malformed_json', '')
raw('a number with a plus', spelled('7', '+7'), 'malformed_json', '')
raw('a number without its fraction', spelled('7', '7.'), 'malformed_json', '')
raw('a raw line break in a string', spelled('NOTE', 'a\nb'), 'malformed_json', '')
raw('a raw NUL in a string', spelled('NOTE', 'a\0b'), 'malformed_json', '')
raw('an unknown escape', spelled('NOTE', '\\x41'), 'malformed_json', '')
raw('a cut escape', spelled('NOTE', '\\u00'), 'malformed_json', '')
raw('a form', 'note=1', 'malformed_json', '')
raw('XML', '<order/>', 'malformed_json', '')
raw('NDJSON', '{}\n{}', 'malformed_json', '')
raw('a lone byte of UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'malformed_json', '')
raw(
  'UTF-8 cut in a character',
  Buffer.concat([Buffer.from('{"note":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
  'malformed_json',
  '',
)
raw('an overlong UTF-8 slash', Buffer.concat([Buffer.from('"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"')]), 'malformed_json', '')
raw(
  'a surrogate encoded as UTF-8',
  Buffer.concat([Buffer.from('"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"')]),
  'malformed_json',
  '',
)
raw('UTF-16', Buffer.from('{"note":"x"}', 'utf16le'), 'malformed_json', '')
raw('UTF-16 with its mark', Buffer.from('\ufeff{"note":"x"}', 'utf16le'), 'malformed_json', '')
raw('a NUL byte alone', Buffer.from([0]), 'malformed_json', '')
raw('\\u0000 in a string', spelled('NOTE', 'a\\u0000b'), 'invalid_characters', 'note')
raw('\\u0000 in a nested name', spelled('"note"', '"metadata":{"a\\u0000":"x"},"note"'), 'invalid_characters', 'metadata')
raw('\\u0000 in a tag', spelled('"note"', '"tags":["a\\u0000"],"note"'), 'invalid_characters', 'tags[0]')
raw('\\u0000 in a line', JSON.stringify(anOrder()).replace('Gift card', 'Gift\\u0000'), 'invalid_characters', 'items[0].name')
raw('a lone high surrogate', spelled('NOTE', '\\ud800'), 'invalid_characters', 'note')
raw('a lone low surrogate', spelled('NOTE', 'x\\udc00y'), 'invalid_characters', 'note')
raw('a surrogate pair the wrong way round', spelled('NOTE', '\\udc00\\ud800'), 'invalid_characters', 'note')
raw('a lone surrogate in a name', spelled('"note"', '"metadata":{"\\ud800":"x"},"note"'), 'invalid_characters', 'metadata')
raw('__proto__', spelled('"note"', '"__proto__":{"admin":true},"note"'), 'unknown_field', '__proto__')
raw('__proto__, nested', spelled('"note"', '"metadata":{"__proto__":"x"},"note"'), 'unknown_field', 'metadata.__proto__')
raw('__proto__ in a line', spelled('"quantity"', '"__proto__":{},"quantity"'), 'unknown_field', 'items[0].__proto__')
raw('__proto__, escaped', spelled('"note"', '"\\u005f_proto__":{},"note"'), 'unknown_field', '__proto__')
raw('constructor', spelled('"note"', '"constructor":{"prototype":{}},"note"'), 'unknown_field', 'constructor')
raw('1e400', spelled('7', '1e400'), 'out_of_range', 'discount_amount')
raw('-1e400, nested', spelled('"quantity":1', '"quantity":-1e400'), 'out_of_range', 'items[0].quantity')
raw('33 levels', `{"metadata":${nested(33)}}`, 'too_deep')
raw('100 000 arrays', '['.repeat(100_000) + ']'.repeat(100_000), 'too_deep')
raw('100 000 objects', nested(60_000), 'too_deep')
for (const [what, text] of [
  ['an array', '[]'],
  ['null', 'null'],
  ['a string', '"x"'],
  ['a number', '7'],
  ['true', 'true'],
] as const)
  raw(`${what} for a body`, text, 'invalid_type', '')

// ── orders: what is missing, unknown, of the wrong type or size
for (const name of ['items', 'customer']) refused('POST', ORDERS, `no ${name}`, { body: without(anOrder(), name) }, 'required', name)
order('null items', { items: null }, 'invalid_type', 'items')
order('items as an object', { items: { 0: aLine() } }, 'invalid_type', 'items')
order('no lines', { items: [] }, 'too_few', 'items')
order('101 lines', { items: many(101, () => aLine()) }, 'too_many', 'items')
order('null for a line', { items: [null] }, 'invalid_type', 'items[0]')
order('a list for a line', { items: [[]] }, 'invalid_type', 'items[0]')
order('the second line bad', { items: [aLine(), aLine({ quantity: 0 })] }, 'out_of_range', 'items[1].quantity')
order('an unknown field', { totl: 1 }, 'unknown_field', 'totl')
order('an empty unknown name', { '': 1 }, 'unknown_field', '[""]')
for (const name of ['id', 'number', 'status', 'total_amount', 'subtotal_amount', 'payment_status', 'created_at', 'version', 'tax_amount'])
  order(`${name}, which is the server’s`, { [name]: 1 }, 'unknown_field', name)
line('neither product nor name', { name: undefined }, 'required', 'items[0]')
line('a name without its price', { unit_amount: undefined }, 'required', 'items[0]')
line('no quantity', { quantity: undefined }, 'required', 'items[0].quantity')
for (const [what, quantity] of [
  ['0', 0],
  ['-1', -1],
  ['10 000', 10_000],
] as const)
  line(`quantity ${what}`, { quantity }, 'out_of_range', 'items[0].quantity')
for (const quantity of [1.5, '1', null, true, [1], { n: 1 }])
  line(`quantity ${JSON.stringify(quantity)}`, { quantity }, 'invalid_type', 'items[0].quantity')
for (const unit_amount of [19.99, '1999', null, true])
  line(`money as ${JSON.stringify(unit_amount)}`, { unit_amount }, 'invalid_type', 'items[0].unit_amount')
line('negative money', { unit_amount: -1 }, 'out_of_range', 'items[0].unit_amount')
line('money beyond its range', { unit_amount: 9_000_000_001 }, 'out_of_range', 'items[0].unit_amount')
line('1e300 of money', { unit_amount: 1e300 }, 'out_of_range', 'items[0].unit_amount')
line('a discount above the line', { discount_amount: 2501 }, 'out_of_range', 'items[0].discount_amount')
line('an empty name', { name: '' }, 'too_short', 'items[0].name')
line('a name of 301 characters', { name: 'x'.repeat(301) }, 'too_long', 'items[0].name')
line('an unknown field of a line', { price: 1 }, 'unknown_field', 'items[0].price')
line('metadata of a line as text', { metadata: 'x' }, 'invalid_type', 'items[0].metadata')
line('a product_id of another kind', { product_id: nobody('ord') }, 'invalid_format', 'items[0].product_id')
line('a product_id in upper case', { product_id: nobody('prod').toUpperCase() }, 'invalid_format', 'items[0].product_id')
line('a product_id that names nothing', { product_id: nobody('prod') }, 'unknown_product', 'items[0].product_id')
line('a sku that names nothing', { sku: 'NONE' }, 'unknown_product', 'items[0].sku')
line('a sku of 101 characters', { sku: 'x'.repeat(101) }, 'too_long', 'items[0].sku')
line('both product_id and sku', { product_id: nobody('prod'), sku: 'X' }, 'not_combinable', 'items[0].sku')
line('a price of one’s own for a product', { sku: 'X', unit_amount: 1 }, 'not_combinable', 'items[0].unit_amount')
line('a name of one’s own for a product', { sku: 'X', name: 'Y' }, 'not_combinable', 'items[0].name')
line('a variant without its product', { variant_id: nobody('var') }, 'not_combinable', 'items[0].variant_id')
order('a customer without any identifier', { customer: { name: 'Ada' } }, 'required', 'customer')
order('an empty customer', { customer: {} }, 'required', 'customer')
order('a customer as text', { customer: 'ada@example.com' }, 'invalid_type', 'customer')
order('an unknown field of the customer', { customer: { email: 'a@b.co', mail: 'x' } }, 'unknown_field', 'customer.mail')
for (const email of ['ada', 'ada@', '@b.co', 'a b@c.de', 'a@b', 'a@b..co', 'ada@exa mple.com', 'ada@-b.co', '', `${'a'.repeat(65)}@b.co`])
  order(`e-mail ${JSON.stringify(email).slice(0, 30)}`, { customer: { email } }, 'invalid_format', 'customer.email')
order('an e-mail of 255 characters', { customer: { email: `a@${'b'.repeat(62)}.${'c'.repeat(190)}` } }, 'too_long', 'customer.email')
for (const phone of ['380441234567', '+0441234567', '+12', '+1234567890123456', '+38 044 123', 'phone'])
  order(`phone ${phone}`, { customer: { phone } }, 'invalid_format', 'customer.phone')
order('a phone as a number', { customer: { phone: 380441234567 } }, 'invalid_type', 'customer.phone')
order('a contact that does not exist', { customer: { contact_id: nobody('con') } }, 'unknown_contact', 'customer.contact_id')
order('a contact_id of another kind', { customer: { contact_id: nobody('prod') } }, 'invalid_format', 'customer.contact_id')
for (const currency of ['eur', 'EURO', 'XXY', '€', ''])
  order(
    `currency ${JSON.stringify(currency)}`,
    { currency },
    currency.length === 3 ? 'invalid_format' : currency.length > 3 ? 'too_long' : 'too_short',
    'currency',
  )
order('a currency as a number', { currency: 978 }, 'invalid_type', 'currency')
order('a discount above the sum', { discount_amount: 2501 }, 'out_of_range', 'discount_amount')
order('a float for shipping', { shipping_amount: 4.5 }, 'invalid_type', 'shipping_amount')
order('negative shipping', { shipping_amount: -1 }, 'out_of_range', 'shipping_amount')
order('payment as text', { payment: 'card' }, 'invalid_type', 'payment')
order('an unknown way to pay', { payment: { method: 'gold' } }, 'invalid_choice', 'payment.method')
order('no way to pay', { payment: {} }, 'required', 'payment.method')
order('payment as paid', { payment: { method: 'card', paid_at: '2026-01-01T00:00:00Z' } }, 'unknown_field', 'payment.paid_at')
order('an unknown source', { source: 'fax' }, 'invalid_choice', 'source')
order('a source as a number', { source: 1 }, 'invalid_type', 'source')
order('an empty external_id', { external_id: '' }, 'too_short', 'external_id')
order('an external_id of 201 characters', { external_id: 'x'.repeat(201) }, 'too_long', 'external_id')
order('an external_id as a number', { external_id: 5 }, 'invalid_type', 'external_id')
order('a note of 5001 characters', { note: 'x'.repeat(5001) }, 'too_long', 'note')
order('a note as a list', { note: ['x'] }, 'invalid_type', 'note')
order('51 tags', { tags: many(51, index => `t${index}`) }, 'too_many', 'tags')
order('a tag twice', { tags: ['a', 'b', 'a'] }, 'duplicate', 'tags')
order('an empty tag', { tags: [''] }, 'too_short', 'tags[0]')
order('a tag of 65 characters', { tags: ['x'.repeat(65)] }, 'too_long', 'tags[0]')
order('a number for a tag', { tags: [1] }, 'invalid_type', 'tags[0]')
order('tags as text', { tags: 'a,b' }, 'invalid_type', 'tags')
order('51 names of metadata', { metadata: named(51) }, 'too_many', 'metadata')
order('a metadata value of 501 characters', { metadata: { a: 'x'.repeat(501) } }, 'too_long', 'metadata.a')
order('a metadata name of 41 characters', { metadata: { ['k'.repeat(41)]: 'x' } }, 'too_long', `metadata.${'k'.repeat(41)}`)
order('an empty metadata name', { metadata: { '': 'x' } }, 'too_short', 'metadata[""]')
for (const value of [1, null, true, ['x'], { b: 'x' }])
  order(`metadata holding ${JSON.stringify(value)}`, { metadata: { a: value } }, 'invalid_type', 'metadata.a')
order('metadata as a list', { metadata: [] }, 'invalid_type', 'metadata')
order('null metadata', { metadata: null }, 'invalid_type', 'metadata')
order('an empty address', { shipping_address: {} }, 'too_few', 'shipping_address')
order('an address as text', { shipping_address: 'Kyiv' }, 'invalid_type', 'shipping_address')
order('an unknown line of the address', { shipping_address: { street: 'x' } }, 'unknown_field', 'shipping_address.street')
for (const country of ['ua', 'UKR', 'U', '12'])
  order(`country ${country}`, { shipping_address: { country } }, 'invalid_format', 'shipping_address.country')
order('an empty city', { shipping_address: { city: '' } }, 'too_short', 'shipping_address.city')
order('a postal code as a number', { shipping_address: { postal_code: 1001 } }, 'invalid_type', 'shipping_address.postal_code')

// ── a change to an order
change('nothing', {}, 'too_few', '')
change('an unknown status', { status: 'posted' }, 'invalid_choice', 'status')
change('paid as a status', { status: 'paid' }, 'invalid_choice', 'status')
change('a status as null', { status: null }, 'invalid_type', 'status')
change('items', { items: [aLine()] }, 'unknown_field', 'items')
change('an amount', { total_amount: 1 }, 'unknown_field', 'total_amount')
change('a waybill without SHIPPED', { waybill_number: 'W1' }, 'not_combinable', 'waybill_number')
change('a carrier with CANCELLED', { status: 'CANCELLED', carrier: 'Post' }, 'not_combinable', 'carrier')
change('a cancel_reason with SHIPPED', { status: 'SHIPPED', cancel_reason: 'fraud' }, 'not_combinable', 'cancel_reason')
change('an unknown cancel_reason', { status: 'CANCELLED', cancel_reason: 'boredom' }, 'invalid_choice', 'cancel_reason')
change('restock with DELIVERED', { status: 'DELIVERED', restock: true }, 'not_combinable', 'restock')
change('restock as text', { status: 'RETURNED', restock: 'yes' }, 'invalid_type', 'restock')
change('a tracking_url that is none', { status: 'SHIPPED', tracking_url: 'javascript:alert(1)' }, 'invalid_format', 'tracking_url')
change('an empty waybill', { status: 'SHIPPED', waybill_number: '' }, 'too_short', 'waybill_number')

// ── products
for (const name of ['name', 'price_amount']) refused('POST', PRODUCTS, `no ${name}`, { body: without(aProduct(), name) }, 'required', name)
product('a name as a number', { name: 1 }, 'invalid_type', 'name')
product('a null name', { name: null }, 'invalid_type', 'name')
for (const price of [49.5, '4900', null]) product(`price ${JSON.stringify(price)}`, { price_amount: price }, 'invalid_type', 'price_amount')
product('a negative price', { price_amount: -1 }, 'out_of_range', 'price_amount')
product('reserved, which is the server’s', { reserved: 1 }, 'unknown_field', 'reserved')
product('a negative stock', { stock: -1 }, 'out_of_range', 'stock')
product('half a piece', { stock: 0.5 }, 'invalid_type', 'stock')
product('a stock beyond its range', { stock: 1_000_000_001 }, 'out_of_range', 'stock')
product('an unknown status', { status: 'sold' }, 'invalid_choice', 'status')
product('an image that is no address', { images: [{ url: 'cat.png' }] }, 'invalid_format', 'images[0].url')
product('an image with a script', { images: [{ url: 'javascript:alert(1)' }] }, 'invalid_format', 'images[0].url')
product('an image as text', { images: ['https://a.example/b.png'] }, 'invalid_type', 'images[0]')
product('21 images', { images: many(21, index => ({ url: `https://a.example/${index}` })) }, 'too_many', 'images')
product('101 variants', { variants: many(101, index => ({ name: `v${index}` })) }, 'too_many', 'variants')
product('a variant without a name', { variants: [{ sku: 'A' }] }, 'required', 'variants[0].name')
product('a variant with an id', { variants: [{ id: nobody('var'), name: 'M' }] }, 'unknown_field', 'variants[0].id')
product(
  'a sku in two variants',
  {
    variants: [
      { name: 'M', sku: 'A' },
      { name: 'L', sku: 'A' },
    ],
  },
  'duplicate',
  'variants',
)
product('a sku of its own in a variant', { sku: 'A', variants: [{ name: 'M', sku: 'A' }] }, 'duplicate', 'variants')
product('11 options of a variant', { variants: [{ name: 'M', options: named(11) }] }, 'too_many', 'variants[0].options')
product('attributes with a number', { attributes: { weight: 1 } }, 'invalid_type', 'attributes.weight')
product('a description of 20 001 characters', { description: 'x'.repeat(20_001) }, 'too_long', 'description')
product('an empty category', { category: '' }, 'too_short', 'category')
refused('PATCH', `${PRODUCTS}/${nobody('prod')}`, 'nothing to change', { body: {} }, 'too_few', '')
refused('PATCH', `${PRODUCTS}/${nobody('prod')}`, 'a null name', { body: { name: null } }, 'invalid_type', 'name')
refused('PATCH', `${PRODUCTS}/${nobody('prod')}`, 'an unknown field', { body: { cost: 1 } }, 'unknown_field', 'cost')

// ── webhooks
for (const name of ['url', 'events']) refused('POST', WEBHOOKS, `no ${name}`, { body: without(aWebhook(), name) }, 'required', name)
webhook('http', { url: 'http://receiver.example/hooks' }, undefined, 'url')
for (const url of ['hooks', 'ftp://a.example', 'https://', 'javascript:alert(1)', '//a.example/x'])
  webhook(`address ${url}`, { url }, undefined, 'url')
webhook('an address with a password', { url: 'https://u:p@a.example/' }, undefined, 'url')
webhook('an empty address', { url: '' }, 'too_short', 'url')
webhook('an address as a number', { url: 1 }, 'invalid_type', 'url')
webhook('no events', { events: [] }, 'too_few', 'events')
webhook('an unknown event', { events: ['order.eaten'] }, 'invalid_choice', 'events[0]')
webhook('an event that is for flows alone', { events: ['webhook.disabled'] }, 'invalid_choice', 'events[0]')
webhook('an event twice', { events: ['order.paid', 'order.paid'] }, 'duplicate', 'events')
webhook('a secret of one’s own', { secret: 'x' }, 'unknown_field', 'secret')
webhook('a status', { status: 'disabled' }, 'unknown_field', 'status')
webhook('max_parallel 0', { max_parallel: 0 }, 'out_of_range', 'max_parallel')
webhook('max_parallel 65', { max_parallel: 65 }, 'out_of_range', 'max_parallel')

// ── the parameters every list takes
for (const limit of ['0', '101', '-1', '1000000000000'])
  for (const path of [ORDERS, PRODUCTS, WEBHOOKS]) query(path, `limit=${limit}`, 'out_of_range', 'limit')
for (const limit of [
  '1.5',
  'abc',
  '',
  '1e1',
  '0x10',
  '%205',
  '+5',
  '5%20',
  '1.0',
  '05',
  'null',
  '1,2',
  '%EF%BC%91%EF%BC%90',
  '99999999999999999999',
  '-',
])
  query(ORDERS, `limit=${limit}`, 'invalid_type', 'limit')
query(ORDERS, 'limit=5&limit=5', 'repeated', 'limit')
query(PRODUCTS, 'sort=name&sort=name', 'repeated', 'sort')
query(ORDERS, 'sort=password', 'invalid_choice', 'sort')
query(ORDERS, 'sort=', 'invalid_choice', 'sort')
query(ORDERS, 'sort=name', 'invalid_choice', 'sort')
query(ORDERS, 'sort=created_at;drop', 'invalid_choice', 'sort')
query(ORDERS, 'dir=up', 'invalid_choice', 'dir')
query(ORDERS, 'dir=', 'invalid_choice', 'dir')
for (const offset of ['-1', '1000001']) query(ORDERS, `offset=${offset}`, 'out_of_range', 'offset')
for (const offset of ['abc', '', '1.5', '1e3']) query(PRODUCTS, `offset=${offset}`, 'invalid_type', 'offset')
query(WEBHOOKS, 'offset=0', 'not_offered', 'offset')
for (const fields of [
  'total',
  'id,',
  ',',
  'id,,name',
  'customer.',
  '.id',
  'customer.mail',
  'id.x',
  'items[0].sku',
  '*',
  'ID',
  'customer.email.x',
  '__proto__',
  'constructor',
])
  query(ORDERS, `fields=${encodeURIComponent(fields)}`, 'unknown_path', 'fields')
query(ORDERS, 'fields=', 'too_short', 'fields')
query(ORDERS, `fields=${'id,'.repeat(100)}id`, 'too_many', 'fields')
query(`${ORDERS}/${nobody('ord')}`, 'fields=nothing', 'unknown_path', 'fields')
query(PRODUCTS, 'fields=customer.email', 'unknown_path', 'fields')

// ── cursors
const cursor = { v: 1, sort: 'created_at', dir: 'desc', last: '2026-05-25T09:30:00.000Z', id: nobody('ord') }
const badCursors: [string, string][] = [
  ['bad base64', '%%%'],
  ['padding', `${encoded({ ...cursor, last: '2026-05-25T09:30:00.00Z' })}=`],
  ['base64 of nothing', encoded('')],
  ['a plain id', nobody('ord')],
  ['no JSON', Buffer.from('hello').toString('base64url')],
  ['cut', encoded(cursor).slice(0, -10)],
  ['an array', encoded([1])],
  ['null', encoded(null)],
  ['a number', encoded(7)],
  ['an empty object', encoded({})],
  ['v 2', encoded({ ...cursor, v: 2 })],
  ['v as text', encoded({ ...cursor, v: '1' })],
  ['no v', encoded(without(cursor, 'v'))],
  ['an unknown sort', encoded({ ...cursor, sort: 'number' })],
  ['a sort that is inherited', encoded({ ...cursor, sort: 'constructor' })],
  ['__proto__ as the sort', encoded({ ...cursor, sort: '__proto__' })],
  ['a sort of another list', encoded({ ...cursor, sort: 'name', last: 'x' })],
  ['an unknown dir', encoded({ ...cursor, dir: 'DESC' })],
  ['no dir', encoded(without(cursor, 'dir'))],
  ['a number for a time', encoded({ ...cursor, last: 1 })],
  ['null for a time', encoded({ ...cursor, last: null })],
  ['text for a time', encoded({ ...cursor, last: 'yesterday' })],
  ['31 February', encoded({ ...cursor, last: '2026-02-31T00:00:00.000Z' })],
  ['the year 0', encoded({ ...cursor, last: '0000-01-01T00:00:00.000Z' })],
  ['a time for a number', encoded({ ...cursor, sort: 'total_amount' })],
  ['a float for a number', encoded({ ...cursor, sort: 'total_amount', last: 1.5 })],
  ['a number beyond its range', encoded({ ...cursor, sort: 'total_amount', last: 2 ** 60 })],
  ['no last', encoded(without(cursor, 'last'))],
  ['an id of another kind', encoded({ ...cursor, id: nobody('prod') })],
  ['an id as a number', encoded({ ...cursor, id: 1 })],
  ['SQL for an id', encoded({ ...cursor, id: "' or 1=1 --" })],
  ['a member too many', encoded({ ...cursor, tenant: 'other' })],
  ['__proto__ as a member', Buffer.from(JSON.stringify(cursor).replace('{', '{"__proto__":{},')).toString('base64url')],
  ['1 MB of nothing', 'A'.repeat(2000)],
]
for (const [what, text] of badCursors)
  refused('GET', `${ORDERS}?cursor=${encodeURIComponent(text)}`, `a cursor that is ${what}`, {}, 'invalid_cursor', 'cursor')
refused('GET', `${ORDERS}?cursor=`, 'an empty cursor', {}, 'too_short', 'cursor')
refused('GET', `${ORDERS}?cursor=${'A'.repeat(2001)}`, 'a cursor of 2001 characters', {}, 'too_long', 'cursor')
refused(
  'GET',
  `${PRODUCTS}?cursor=${encoded({ ...cursor, sort: 'name', last: 'a\0', id: nobody('prod') })}`,
  'a cursor with a NUL',
  {},
  'invalid_cursor',
  'cursor',
)
refused('GET', `${ORDERS}?cursor=${encoded(cursor)}&sort=updated_at`, 'a cursor under another sort', {}, 'cursor_mismatch', 'sort')
refused('GET', `${ORDERS}?cursor=${encoded(cursor)}&dir=asc`, 'a cursor the other way', {}, 'cursor_mismatch', 'dir')
refused('GET', `${ORDERS}?cursor=${encoded(cursor)}&offset=5`, 'a cursor with offset', {}, 'cursor_conflict', 'offset')
refused('GET', `${ORDERS}?cursor=${encoded(cursor)}&cursor=${encoded(cursor)}`, 'two cursors', {}, 'repeated', 'cursor')
refused('GET', `${WEBHOOKS}?cursor=${encoded(cursor)}`, 'a cursor of another list', {}, 'invalid_cursor', 'cursor')

// ── filters
const badTimes = [
  'yesterday',
  '2026-05-25',
  '2026-02-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-05-25T09:30:00',
  '2026-05-25T24:00:00Z',
  '2026-05-25T09:60:00Z',
  '1748165400',
  '0000-01-01T00:00:00Z',
  '2026-05-25T09:30:00%2B23:59',
  '',
]
for (const time of badTimes) query(ORDERS, `created_after=${time}`, 'invalid_format', 'created_after')
for (const name of ['created_before', 'updated_after', 'updated_before'])
  for (const path of [PRODUCTS, WEBHOOKS]) query(path, `${name}=2026-02-30T00:00:00Z`, 'invalid_format', name)
for (const name of ['status', 'payment_status', 'fulfillment_status', 'source'])
  query(ORDERS, `${name}=eaten`, 'invalid_choice', `${name}[0]`)
query(ORDERS, 'status=pending,,SHIPPED', 'invalid_choice', 'status[1]')
query(ORDERS, 'status=', 'invalid_choice', 'status[0]')
query(ORDERS, 'status=pending&status=SHIPPED', 'repeated', 'status')
query(ORDERS, `status=${'pending,'.repeat(20)}pending`, 'too_many', 'status')
query(ORDERS, 'contact_id=con_1', 'invalid_format', 'contact_id')
query(ORDERS, `contact_id=${nobody('ord')}`, 'invalid_format', 'contact_id')
for (const number of ['abc', '1.5', '']) query(ORDERS, `number=${number}`, 'invalid_type', 'number')
for (const number of ['0', '-1', '2147483648']) query(ORDERS, `number=${number}`, 'out_of_range', 'number')
query(ORDERS, 'min_total=1.5', 'invalid_type', 'min_total')
query(ORDERS, 'max_total=-1', 'out_of_range', 'max_total')
query(ORDERS, 'q=', 'too_short', 'q')
query(ORDERS, `q=${'x'.repeat(301)}`, 'too_long', 'q')
query(ORDERS, 'q=%00', 'invalid_characters', 'q')
query(ORDERS, 'customer_email=', 'too_short', 'customer_email')
query(ORDERS, 'external_id=', 'too_short', 'external_id')
query(PRODUCTS, 'name=a%00b', 'invalid_characters', 'name')
query(PRODUCTS, 'stock_below=-1', 'out_of_range', 'stock_below')
query(PRODUCTS, 'stock_below=many', 'invalid_type', 'stock_below')
query(PRODUCTS, 'min_price=9000000001', 'out_of_range', 'min_price')
query(PRODUCTS, 'stock_status=gone', 'invalid_choice', 'stock_status[0]')
query(PRODUCTS, 'status=pending', 'invalid_choice', 'status[0]')

// ── Idempotency-Key
for (const [what, key] of [
  ['of 256 characters', 'k'.repeat(256)],
  ['with a space', 'a b'],
  ['with a tab', 'a\tb'],
  ['that is empty', ''],
  ['that is not ASCII', 'clé'.normalize('NFC')],
] as const)
  for (const [path, body] of [
    [ORDERS, anOrder()],
    [WEBHOOKS, aWebhook()],
  ] as const)
    refused('POST', path, `an Idempotency-Key ${what}`, { body, headers: { 'Idempotency-Key': key } }, 'invalid_format', 'Idempotency-Key')

// ── what is not found, not allowed, too large, of another type
const other =
  (status: number, slug: string) =>
  (method: string, path: string, what: string, ask: Ask = {}, code?: string) =>
    cases.push({ what, method, path, ask, status, slug, code })
const missing = other(404, 'resource-not-found')
for (const id of [
  '1',
  'ord_',
  'ord_1',
  nobody('ord').slice(0, -1),
  `${nobody('ord')}1`,
  nobody('ord').toUpperCase(),
  `ord_8${'1'.repeat(25)}`,
  nobody('ord').replace('_', '-'),
  nobody('prod'),
  nobody('con'),
  '%00',
  '%0a',
  '%F0%9F%98%80',
  '..%2f..',
  "'--",
  'x'.repeat(200),
  'x'.repeat(3000),
])
  missing('GET', `${ORDERS}/${id}`, `the id ${id.slice(0, 40)}`)
for (const path of [ORDERS, PRODUCTS, WEBHOOKS]) {
  const prefix = { [ORDERS]: 'ord', [PRODUCTS]: 'prod', [WEBHOOKS]: 'whk' }[path] as string
  missing('GET', `${path}/${nobody(prefix)}`, 'an id that names nothing')
  missing('PATCH', `${path}/x`, 'a malformed id to change', {
    body: path === ORDERS ? { note: 'x' } : path === PRODUCTS ? { name: 'x' } : { description: 'x' },
  })
}
missing('DELETE', `${PRODUCTS}/${nobody('prod')}`, 'nothing to archive')
missing('DELETE', `${WEBHOOKS}/${nobody('whk')}`, 'nothing to delete')
missing('POST', `${WEBHOOKS}/${nobody('whk')}/enable`, 'nothing to enable')
missing('POST', `${WEBHOOKS}/${nobody('ord')}/disable`, 'an order to disable')
for (const path of [
  '/api/v1',
  '/api/v1/',
  '/api/v1/order',
  '/api/v1/orders/',
  '/api/v1/Orders',
  '/api/v1/orders/a/b',
  '/api/v1/%6frders/%zz',
  '/api/v1/%zz',
  `${ORDERS}/%zz`,
  `${ORDERS}/%e0%a4%a`,
  `/api/v1/${'x'.repeat(5000)}`,
  '/api/v1/orders/../../etc/passwd%00',
  '/api/v1//orders',
])
  missing('GET', path, `the path ${path.slice(0, 60)}`)
missing('POST', '/api/v1/nothing', 'a post to nowhere', { body: {} })
missing('TRACE', '/api/v1/nothing', 'TRACE of nowhere')

const type = other(415, 'unsupported-media-type')
for (const contentType of [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/jsonx',
  'application/json-patch+json',
  'application/problem+json',
  'json',
  '*/*',
  'application/json; charset=latin1',
  'application/json; charset=utf-16',
  'text/json',
  ';',
  'application/json, text/plain',
])
  type('POST', ORDERS, `Content-Type ${contentType}`, { body: anOrder(), headers: { 'Content-Type': contentType } })
type('POST', ORDERS, 'no Content-Type', { body: anOrder(), headers: { 'Content-Type': '' } })
type('PATCH', anyOrder, 'Content-Type text/plain of a change', { body: { note: 'x' }, headers: { 'Content-Type': 'text/plain' } })
type('POST', ORDERS, 'a compressed body', { body: anOrder(), headers: { 'Content-Encoding': 'gzip' } })

const large = other(413, 'payload-too-large')
const tooLarge = Buffer.concat([Buffer.from('{"note":"'), Buffer.alloc(1024 * 1024, 'x'), Buffer.from('"}')])
large('POST', ORDERS, 'a body over 1 MB', { raw: tooLarge })
large('POST', ORDERS, 'a body over 1 MB without its length', { raw: tooLarge, headers: { 'Transfer-Encoding': 'chunked' } })
large('PATCH', anyOrder, 'a change over 1 MB', { raw: tooLarge })

const notAllowed = other(405, 'method-not-allowed')
for (const method of ['PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'PURGE', 'LOCK']) notAllowed(method, ORDERS, method)
for (const method of ['PUT', 'POST', 'DELETE']) notAllowed(method, anyOrder, method, { body: {} })
notAllowed('PATCH', `${WEBHOOKS}/${nobody('whk')}/enable`, 'PATCH', { body: {} })
notAllowed('POST', '/api/v1/openapi.json', 'POST', { body: {} })

suite('bad input has its problem document', () => {
  for (const [index, one] of cases.entries())
    test(`${one.method} ${one.path.split('?')[0]?.slice(0, 60)} with ${one.what} → ${one.status} ${one.code ?? one.slug}`, async () => {
      const shop = await shopOf(index)
      const reply = await ask(one.method, one.path, { key: shop.key, ...one.ask })
      assertProblem(reply, { ...one, instance: one.path.split('?')[0] as string })
      if (one.status === 405) assert.ok(!(reply.headers.get('allow') ?? one.method).split(', ').includes(one.method))
    })

  test('there are at least 150 of them', () => assert.ok(cases.length >= 150, String(cases.length)))

  test('none of them left a row', async () => {
    const [row] = await app.sql`
      select (select count(*) from orders) + (select count(*) from products) + (select count(*) from events) + (select count(*) from contacts)
             + (select count(*) from webhook_endpoints) + (select count(*) from audit_log where actor_type = 'api_key') + (select count(*) from idempotency_keys)
             + (select count(*) from product_skus) + (select count(*) from order_counters) as rows`
    assert.equal(row?.['rows'], 0)
  })
})

suite('a request is checked in one order: path, method, key, scope, content type, size, body', async () => {
  const shop = await app.tenant()
  const reader = await app.tenant({ scopes: ['read'] })
  const writer = await app.tenant({ scopes: ['write'] })
  const agent = await createKey(app.sql, { tenant: shop.id, kind: 'mcp', scopes: ['read', 'write'] })
  const broken = shop.key.slice(0, -1) + (shop.key.endsWith('0') ? '1' : '0')

  for (const header of [
    '',
    'Bearer',
    'Bearer ',
    'bearer',
    `Basic ${btoa('a:b')}`,
    shop.key,
    `Token ${shop.key}`,
    `Bearer${shop.key}`,
    `Bearer ${shop.key} ${shop.key}`,
    `Bearer ${shop.key},`,
    `Bearer "${shop.key}"`,
    'Bearer a b',
    'Bearer é',
    `Bearer ${shop.key}, Bearer ${shop.key}`,
    'Digest username="x"',
  ])
    test(`401 with WWW-Authenticate for Authorization ${JSON.stringify(header.replaceAll(shop.key, '<key>'))}`, async () => {
      const reply = await ask('GET', ORDERS, { headers: { Authorization: header } })
      assertProblem(reply, { status: 401, slug: 'authentication-required', instance: ORDERS })
      assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
    })

  for (const [what, token] of [
    ['a malformed key', 'malformed'],
    ['a broken checksum', broken],
    ['a key that is too short', shop.key.slice(0, -1)],
    ['an upper-case prefix', shop.key.replace('sk_', 'SK_')],
    ['a key of the agent server', agent.key],
    ['2 000 characters', 'x'.repeat(2000)],
  ] as const)
    test(`403 invalid-api-key for ${what}`, async () => {
      assertProblem(await ask('GET', ORDERS, { key: token }), { status: 403, slug: 'invalid-api-key', instance: ORDERS })
    })

  test('the scheme is read in any case, with any number of spaces', async () => {
    for (const header of [`bearer ${shop.key}`, `BEARER  ${shop.key}`, `Bearer ${shop.key} `])
      assert.equal((await ask('GET', ORDERS, { headers: { Authorization: header } })).status, 200)
  })

  const first = (what: string, method: string, path: string, given: Ask, status: number, slug: string) =>
    test(what, async () => assertProblem(await ask(method, path, given), { status, slug, instance: path.split('?')[0] as string }))
  const json = { 'Content-Type': 'application/json' }
  const text = { 'Content-Type': 'text/plain' }
  first('404 before 401', 'GET', '/api/v1/nothing', {}, 404, 'resource-not-found')
  first('405 before 401', 'PUT', ORDERS, {}, 405, 'method-not-allowed')
  first('405 before 403', 'PUT', ORDERS, { key: 'malformed' }, 405, 'method-not-allowed')
  first('401 before 415', 'POST', ORDERS, { raw: 'x', headers: text }, 401, 'authentication-required')
  first('401 before 413', 'POST', ORDERS, { raw: tooLarge, headers: json }, 401, 'authentication-required')
  first('401 before 422', 'GET', `${ORDERS}?limit=0`, {}, 401, 'authentication-required')
  first('401 before an id’s 404', 'GET', `${ORDERS}/x`, {}, 401, 'authentication-required')
  first('403 of an unknown key before 415', 'POST', ORDERS, { key: 'malformed', raw: 'x', headers: text }, 403, 'invalid-api-key')
  first('403 of an unknown key before 422', 'GET', `${ORDERS}?limit=0`, { key: 'malformed' }, 403, 'invalid-api-key')
  first('a reading key may not write', 'POST', ORDERS, { key: reader.key, body: anOrder() }, 403, 'insufficient-scope')
  first('a reading key may not change', 'PATCH', anyOrder, { key: reader.key, body: { note: 'x' } }, 403, 'insufficient-scope')
  first('a reading key may not delete', 'DELETE', `${WEBHOOKS}/${nobody('whk')}`, { key: reader.key }, 403, 'insufficient-scope')
  first('a writing key may not read', 'GET', ORDERS, { key: writer.key }, 403, 'insufficient-scope')
  first('403 of the scope before 415', 'POST', ORDERS, { key: reader.key, raw: 'x', headers: text }, 403, 'insufficient-scope')
  first('403 of the scope before 413', 'POST', ORDERS, { key: reader.key, raw: tooLarge, headers: json }, 403, 'insufficient-scope')
  first('403 of the scope before 422', 'POST', ORDERS, { key: reader.key, raw: '{', headers: json }, 403, 'insufficient-scope')
  first('403 of the scope before 404', 'GET', `${ORDERS}/${nobody('ord')}`, { key: writer.key }, 403, 'insufficient-scope')
  first('415 before 413', 'POST', ORDERS, { key: shop.key, raw: tooLarge, headers: text }, 415, 'unsupported-media-type')
  first(
    '415 of a charset before 413',
    'POST',
    ORDERS,
    { key: shop.key, raw: tooLarge, headers: { 'Content-Type': 'application/json; charset=latin1' } },
    415,
    'unsupported-media-type',
  )
  first('415 before 422', 'POST', ORDERS, { key: shop.key, raw: '{', headers: text }, 415, 'unsupported-media-type')
  first('415 before 404', 'PATCH', `${ORDERS}/x`, { key: shop.key, raw: '{}', headers: text }, 415, 'unsupported-media-type')
  first(
    '413 before 422',
    'POST',
    ORDERS,
    { key: shop.key, raw: Buffer.alloc(1024 * 1024 + 1, '{'), headers: json },
    413,
    'payload-too-large',
  )
  first('413 before 404', 'PATCH', `${ORDERS}/x`, { key: shop.key, raw: tooLarge, headers: json }, 413, 'payload-too-large')
  first('422 before 404 of a malformed id', 'PATCH', `${ORDERS}/x`, { key: shop.key, body: {} }, 422, 'validation-failed')
  first('422 before 404 of an id that names nothing', 'PATCH', anyOrder, { key: shop.key, body: { note: 1 } }, 422, 'validation-failed')
  first('422 of fields before 404', 'GET', `${ORDERS}/x?fields=nothing`, { key: shop.key }, 422, 'validation-failed')
  first(
    '404 before 412',
    'PATCH',
    anyOrder,
    { key: shop.key, body: { note: 'x' }, headers: { 'If-Match': '"none"' } },
    404,
    'resource-not-found',
  )

  test('422 before 412, 412 before 409', async () => {
    const placed = await shop.post(ORDERS, anOrder())
    const instance = `${ORDERS}/${placed.body.id}`
    await shop.patch(instance, { status: 'CANCELLED' })
    const stale = { 'If-Match': '"stale"' }
    assertProblem(await shop.patch(instance, { carrier: 'Post' }, stale), {
      status: 422,
      slug: 'validation-failed',
      instance,
      code: 'not_combinable',
    })
    assertProblem(await shop.patch(instance, { status: 'SHIPPED' }, stale), { status: 412, slug: 'precondition-failed', instance })
    assertProblem(await shop.patch(instance, { status: 'SHIPPED' }), {
      status: 409,
      slug: 'conflict',
      instance,
      code: 'invalid_transition',
    })
  })
})

test('Allow names what a path takes, and OPTIONS answers with it to every caller', async () => {
  const allowed: [string, string[]][] = [
    [ORDERS, ['GET', 'POST', 'HEAD', 'OPTIONS']],
    [anyOrder, ['GET', 'PATCH', 'HEAD', 'OPTIONS']],
    [PRODUCTS, ['GET', 'POST', 'HEAD', 'OPTIONS']],
    [`${PRODUCTS}/${nobody('prod')}`, ['GET', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']],
    [`${WEBHOOKS}/${nobody('whk')}`, ['GET', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']],
    [`${WEBHOOKS}/${nobody('whk')}/enable`, ['POST', 'OPTIONS']],
    ['/api/v1/openapi.json', ['GET', 'HEAD', 'OPTIONS']],
  ]
  for (const [path, methods] of allowed)
    for (const [method, status] of [
      ['OPTIONS', 204],
      ['PUT', 405],
    ] as const) {
      const reply = await ask(method, path, {})
      assert.equal(reply.status, status)
      assert.deepEqual(reply.headers.get('allow')?.split(', ').sort(), [...methods].sort(), `${method} ${path}`)
    }
})

test('a target in absolute form is answered as its path is, which url and instance name', async () => {
  const shop = await app.tenant()
  const list = await ask('GET', `http://shop.example${ORDERS}?limit=1`, { key: shop.key })
  assert.deepEqual([list.status, list.body.url], [200, ORDERS])
  const none = await ask('PUT', `HTTP://shop.example:80${ORDERS}`, { key: shop.key })
  assertProblem(none, { status: 405, slug: 'method-not-allowed', instance: ORDERS })
  assert.equal(none.headers.get('x-ratelimit-limit'), '120')
})

test('an id that is far too long is not told to be badly encoded', async () => {
  const { body } = await ask('GET', `${ORDERS}/${'x'.repeat(3000)}`, { key: (await app.tenant()).key })
  assert.equal(body.detail, 'There is nothing at this path.')
})

test('input that looks bad but is valid is accepted', async () => {
  const shop = await app.tenant()
  const fine: [string, Ask][] = [
    ['a byte order mark', { raw: `\ufeff${JSON.stringify(anOrder())}` }],
    ['white space around it', { raw: `\n ${JSON.stringify(anOrder())} \n` }],
    ['an integer written as a float', { raw: spelled('7', '7.0') }],
    ['an integer with an exponent', { raw: spelled('7', '7e0') }],
    ['a name given twice: the last one counts', { raw: spelled('"note"', '"note":1,"note"') }],
    ['an unknown expectation', { body: anOrder(), headers: { Expect: 'banana' } }],
    ['an upgrade that is not offered', { body: anOrder(), headers: { Connection: 'Upgrade', Upgrade: 'websocket' } }],
    ['a charset', { body: anOrder(), headers: { 'Content-Type': 'Application/JSON; Charset="UTF-8"' } }],
    ['a charset as many clients write it', { body: anOrder(), headers: { 'Content-Type': 'application/json;charset=utf8' } }],
    ['an Idempotency-Key of 255 characters', { body: anOrder(), headers: { 'Idempotency-Key': '~'.repeat(255) } }],
    ['emoji and a surrogate pair', { raw: spelled('NOTE', '\\ud83d\\ude00 😀') }],
    ['names of objects’ own methods', { body: anOrder({ metadata: { constructor: 'x', toString: 'y', hasOwnProperty: 'z' } }) }],
    ['null where null is allowed', { body: anOrder({ note: null, external_id: null, shipping_address: null }) }],
  ]
  for (const [what, given] of fine) assert.equal((await ask('POST', ORDERS, { key: shop.key, ...given })).status, 201, what)
  for (const text of [
    'unknown=1&limit=5',
    'limit=1',
    'limit=100',
    'created_after=2026-05-25T09:30:00%2B02:00',
    'status=shipped,PENDING',
    'q=%25',
    'q=%zz',
    'fields=id',
    'fields=id,%20number',
    'created_before=2026-05-25T09:30:00.123456789Z',
  ])
    assert.equal((await shop.get(`${ORDERS}?${text}`)).status, 200, text)
  const { id } = (await shop.post(ORDERS, anOrder())).body
  const empty = new ReadableStream({ start: stream => stream.close() })
  const headers = { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' }
  const sent = { method: 'POST', headers, body: empty, duplex: 'half' }
  const { status } = await fetch(`${app.url}${ORDERS}/${id}/payments`, sent)
  assert.equal(status, 201, 'chunks of which there are none, where the body may be left out')
})

const shops: TestTenant[] = []
// A plan allows 120 writes a minute: a shop serves fewer cases than that.
async function shopOf(index: number): Promise<TestTenant> {
  const turn = Math.floor(index / 100)
  shops[turn] ??= await app.tenant()
  return shops[turn]
}

/** Like app.request, but over node:http: fetch would not send such methods, headers and paths unchanged. */
function ask(method: string, path: string, { key, body, raw: content, headers = {} }: Ask): Promise<Reply> {
  const payload = content ?? (body === undefined ? undefined : JSON.stringify(body))
  const sent: Record<string, string> = {
    ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    ...(payload !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  }
  if (sent['Content-Type'] === '') delete sent['Content-Type']
  if (payload !== undefined && sent['Transfer-Encoding'] === undefined) sent['Content-Length'] = String(Buffer.byteLength(payload))
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    let answered = false
    const request = httpRequest({ hostname, port, method, path, headers: sent }, async response => {
      answered = true
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      const answer = Buffer.concat(chunks).toString()
      resolve({
        status: response.statusCode ?? 0,
        headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
        text: answer,
        body: answer && JSON.parse(answer),
      })
    })
    // A refusal may come before the body is sent; what then fails is the sending alone.
    request.on('error', error => (answered ? undefined : reject(error)))
    request.end(payload)
  })
}
