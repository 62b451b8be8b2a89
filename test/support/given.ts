// Fixtures: the smallest valid bodies, and the form that every answer of the service must have.
import assert from 'node:assert/strict'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import { apply } from '../../src/conversations/apply.ts'
import type { Conversation, Message } from '../../src/conversations/schema.ts'
import type { Said, Update } from '../../src/conversations/update.ts'
import { newId } from '../../src/ids.ts'
import { notify } from '../../src/notifications/notifications.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { Reply, TestApp, TestTenant } from './app.ts'
import { aManifest, fullManifest, installApp } from './apps.ts'
import { aChannel } from './channels.ts'

type Body = Record<string, unknown>

export const anOrder = (over: Body = {}): Body => ({ items: [aLine()], customer: { email: 'ada@example.com' }, ...over })
/** A free line; of the catalogue where `over` names a product. */
export const aLine = (over: Body = {}): Body =>
  'product_id' in over || 'sku' in over ? { quantity: 1, ...over } : { name: 'Gift card', unit_amount: 2500, quantity: 1, ...over }
export const aProduct = (over: Body = {}): Body => ({ name: 'Linen shirt', price_amount: 4900, ...over })
export const aWebhook = (over: Body = {}): Body => ({ url: 'https://receiver.example/hooks', events: ['order.created'], ...over })

/** The channel of a tenant's messages of each platform that come without one. */
const channels = new Map<string, Promise<string>>()

function channelOf(app: TestApp, shop: TestTenant, platform: string): Promise<string> {
  const key = `${shop.id} ${platform}`
  const known = channels.get(key) ?? aChannel(app, shop, { platform: platform as PlatformName })
  channels.set(key, known)
  return known
}

/** A customer's message that is told by a channel. */
export interface Inbound extends Partial<Said> {
  /** The contact who writes. They are known on the channel by this id, which is also their thread, unless told otherwise. */
  contact_id: string
  thread?: string
  platform?: string
  channel_id?: string
  external_id?: string
  /** The platform's clock. */
  at?: string
}

let messages = 0

/** Taken as a channel would. @returns the message and its conversation, as a read gives them */
export async function anInbound(app: TestApp, shop: TestTenant, over: Inbound) {
  const { contact_id, thread = contact_id, platform = 'web', external_id = `m${++messages}`, at = null, ...said } = over
  const channel_id = over.channel_id ?? (await channelOf(app, shop, platform))
  await app.sql`
    insert into contact_channels (tenant_id, channel_id, platform, connected_at, external_id, contact_id)
    values (${shop.id}, ${channel_id}, ${platform}, now(), ${thread}, ${contact_id})
    on conflict do nothing`
  const { channel_id: _channel, ...rest } = said
  const update: Update = { kind: 'message', thread, at, from: { ids: [thread] }, external_id, said: { text: 'Hello?', media: [], ...rest } }
  await tell(app, shop, channel_id, [update])
  const found = await shop.get(`/api/v1/conversations?contact_id=${contact_id}&channel_id=${channel_id}&limit=1`)
  const conversation = found.body.data[0] as Conversation
  const { body } = await shop.get(`/api/v1/conversations/${conversation.id}/messages`)
  return { conversation, message: body.data.find((each: Message) => each.external_id === external_id) as Message }
}

/** What a channel tells, applied as its callbacks are. @returns an outcome for each */
export const tell = (app: TestApp, { id: tenant }: { id: string }, channel: string, updates: Update[], receivedAt = new Date()) =>
  begin(app.sql, async tx => {
    const account = (await accounts.of(tx, tenant, channel)) as accounts.Account
    const told = updates.map(update => ({ update, receivedAt }))
    return apply(tx, { tenant, actor: { type: 'system' } }, account, told)
  })

/** An id of the right form that names nothing. */
export const nobody = (prefix: string): string => `${prefix}_0${'1'.repeat(25)}`

/** A tenant's ids, by the segment before them in a path of the OpenAPI document. */
export interface FullTenant {
  shop: TestTenant
  ids: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into resources of every shape
  order: any
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into resources of every shape
  product: any
}

/** A tenant with one of everything that a path can name. */
export async function fullTenant(app: TestApp): Promise<FullTenant> {
  const shop = await app.tenant()
  const made = async (path: string, body: Body) => ok(await shop.post(path, body))
  const variants = [{ name: 'M', sku: 'SHIRT-M', stock: 100_000 }]
  const product = await made('/api/v1/products', aProduct({ sku: 'SHIRT', external_id: 'P-1', category: 'Clothes', stock: 9, variants }))
  const webhook = await made('/api/v1/webhooks', aWebhook())
  const contact = await made('/api/v1/contacts', { name: 'Ada', email: 'ada@example.com', external_id: 'C-1', tags: ['vip'] })
  // The contact that the example of a merge names.
  const other = await made('/api/v1/contacts', { name: 'Augusta' })
  const named = 'con_01jw3k5m7n8p9q0r1s2t3v4w5x'
  await app.sql`update contacts set id = ${named}, doc = replace(doc, ${other.id}, ${named}) where tenant_id = ${shop.id} and id = ${other.id}`
  const order = await made('/api/v1/orders', anOrder({ items: [aLine({ sku: 'SHIRT-M' })], external_id: 'O-1' }))
  const { conversation, message } = await anInbound(app, shop, { contact_id: contact.id })
  const { id: payment } = await made(`/api/v1/orders/${order.id}/payments`, { reference: 'P-1' })
  const { id: refund } = await made(`/api/v1/orders/${order.id}/refunds`, { amount: 1 })
  const recovery = await shop.post(`/api/v1/webhooks/${webhook.id}/recoveries`, { scope: 'undelivered', since: order.created_at })
  const imported = await app.request('POST', '/api/v1/imports?resource=products', {
    key: shop.key,
    raw: '{"name":"Cap"}\n',
    headers: { 'Content-Type': 'application/x-ndjson' },
  })
  // Over at once, for there may be no worker, and a test that follows it would wait.
  await shop.post(`/api/v1/imports/${imported.body.id}/cancel`)
  const uploaded = await app.request('POST', '/api/v1/attachments', {
    key: shop.key,
    raw: 'A file.',
    headers: { 'Content-Type': 'text/plain' },
  })
  const installed = await installApp(app, shop, fullManifest)
  const { resource, record } = await aRecord(app, shop)
  const told = { app: { id: installed.id, name: installed.name }, level: 'info', title: 'Points', body: 'Awarded.' } as const
  await begin(app.sql, tx => notify(tx, { tenant: shop.id, actor: { type: 'app', id: installed.id } }, told))
  const [called] = await app.sql`
    insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, key, input, stage, output)
    values (${shop.id}, ${newId('call')}, ${installed.id}, 1, 'balance', 'test', 'a test', 'k', '{}', 'done', '{}')
    returning id`
  const ordered = await made('/api/v1/exports', { resource: 'orders' })
  const [event] = await app.sql`select id from events where tenant_id = ${shop.id} and type = 'order.created'`
  const run = 'run_01jw3k5m7n8p9q0r1s2t3v4w5x'
  await app.sql`
    insert into flow_runs (tenant_id, id, app_id, flow_id, revision, event_id, event_type, depth, lineage, state, created_at, ended_at)
    values (${shop.id}, ${run}, ${installed.id}, 'welcome', 1, ${event?.['id']}, 'order.created', 0, '{}', 'failed', now(), now())`
  return {
    shop,
    order,
    product,
    ids: {
      '/api/v1/orders': order.id,
      '/api/v1/products': product.id,
      '/api/v1/contacts': contact.id,
      '/api/v1/conversations': conversation.id,
      '/api/v1/channels': conversation.channel_id,
      '/api/v1/conversations/{id}/messages': message.id,
      '/api/v1/imports': imported.body.id,
      '/api/v1/webhooks': webhook.id,
      '/api/v1/webhooks/{id}/deliveries': event?.['id'],
      '/api/v1/webhooks/{id}/recoveries': recovery.body.id,
      '/api/v1/events': event?.['id'],
      '/api/v1/exports': ordered.id,
      '/api/v1/payments': payment,
      '/api/v1/attachments': uploaded.body.id,
      '/api/v1/orders/{id}/refunds': refund,
      '/api/platform/apps': installed.id,
      '/api/platform/resources': resource,
      '/api/platform/resources/{resourceFullId}': record,
      '/api/platform/apps/{app}/runs': run,
      '/api/platform/apps/{app}/calls': called?.['id'],
    },
  }
}

/** A record of an app that no other workspace has by this name, with the fields that the document has in its examples. */
async function aRecord(app: TestApp, shop: TestTenant): Promise<{ resource: string; record: string }> {
  const id = `acme:${shop.id}`
  const scopes = ['read:records', 'write:records']
  const fields = [
    { name: 'reason', type: 'string' as const },
    { name: 'points', type: 'number' as const },
  ]
  await installApp(app, shop, aManifest({ id, scopes, resources: [{ id: 'points', name: 'Points', fields }] }))
  const resource = `${id}:points`
  const { body } = await shop.post(`/api/platform/resources/${resource}`, { external_id: 'R-1', reason: 'Welcome', points: 1 })
  return { resource, record: body.id }
}

/** The path with every `{parameter}` filled in by `idOf`, which is given the segment before it. */
export const filled = (path: string, idOf: (before: string) => string | undefined): string =>
  path.replaceAll(/\{\w+\}/g, (_parameter, at: number) => {
    const before = path.slice(0, at - 1)
    return idOf(before) ?? assert.fail(`${path} is new: let fullTenant have what ${before} names`)
  })

/** Base64url of the JSON, as a cursor is made of. */
export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
// biome-ignore lint/suspicious/noExplicitAny: a test looks into cursors of every shape
export const decoded = (cursor: string): any => JSON.parse(Buffer.from(cursor, 'base64url').toString())

/** Every response carries the rate-limit headers and the trace id. */
export function assertStandardHeaders(headers: Headers): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    assert.match(headers.get(name) ?? `no ${name}`, /^\d+$/)
  assert.match(headers.get('x-trace-id') ?? 'no x-trace-id', /^[0-9a-f]{32}$/)
}

/** @returns the body of an answer that is no refusal */
export const ok = (reply: Reply) => {
  assert.ok(reply.status < 300, reply.text)
  return reply.body
}

export interface Refusal {
  status: number
  /** The last part of the problem's type. */
  slug: string
  /** The request's path, without its query. */
  instance: string
  code?: string | undefined
  /** The field of one of its errors, with the code above. */
  field?: string | undefined
}

/** Asserts that an answer is a problem of the documented form. */
export function assertProblem(reply: Reply, { status, slug, instance, code, field }: Refusal): void {
  assert.equal(reply.status, status, `${instance} answered ${reply.status}: ${reply.text.slice(0, 400)}`)
  assert.equal(reply.headers.get('content-type'), 'application/problem+json')
  assertStandardHeaders(reply.headers)
  const { body } = reply
  assert.equal(body.type, `https://shop.example/docs/errors/${slug}`)
  assert.equal(body.status, status)
  assert.equal(body.instance, instance)
  assert.equal(body.trace_id, reply.headers.get('x-trace-id'))
  for (const text of [body.title, body.detail]) assert.ok(typeof text === 'string' && text.length > 0)
  assert.equal('retry_after_sec' in body, status === 429)
  if (code !== undefined) assert.equal(body.code, code, reply.text)
  assert.equal('errors' in body, slug === 'validation-failed')
  if (slug !== 'validation-failed') return
  assert.ok(body.errors.length > 0)
  for (const error of body.errors) {
    assert.deepEqual(Object.keys(error), ['field', 'code', 'message'])
    for (const text of Object.values(error)) assert.equal(typeof text, 'string')
    assert.ok(error.code && error.message)
  }
  assert.equal(body.code, body.errors[0].code)
  if (field !== undefined)
    assert.ok(
      body.errors.some((error: { field: string; code: string }) => error.field === field && (code === undefined || error.code === code)),
      `no error of ${field} in ${reply.text}`,
    )
}
