// What tests are given: the smallest bodies that are valid, and the look that every answer of the service must have.
import assert from 'node:assert/strict'
import type { Reply } from './app.ts'

type Body = Record<string, unknown>

export const anOrder = (over: Body = {}): Body => ({ items: [aLine()], customer: { email: 'ada@example.com' }, ...over })
/** A free line; of the catalogue where `over` names a product. */
export const aLine = (over: Body = {}): Body =>
  'product_id' in over || 'sku' in over ? { quantity: 1, ...over } : { name: 'Gift card', unit_amount: 2500, quantity: 1, ...over }
export const aProduct = (over: Body = {}): Body => ({ name: 'Linen shirt', price_amount: 4900, ...over })
export const aWebhook = (over: Body = {}): Body => ({ url: 'https://receiver.example/hooks', events: ['order.created'], ...over })

/** An id of the right form that names nothing. */
export const nobody = (prefix: string): string => `${prefix}_0${'1'.repeat(25)}`

/** Base64url of the JSON, as a cursor is made of. */
export const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
// biome-ignore lint/suspicious/noExplicitAny: a test looks into cursors of every shape
export const decoded = (cursor: string): any => JSON.parse(Buffer.from(cursor, 'base64url').toString())

/** spec: every response carries the rate-limit headers and the trace id. */
export function assertStandardHeaders(headers: Headers): void {
  for (const name of ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])
    assert.match(headers.get(name) ?? `no ${name}`, /^\d+$/)
  assert.match(headers.get('x-trace-id') ?? 'no x-trace-id', /^[0-9a-f]{32}$/)
}

export interface Refusal {
  status: number
  /** The last part of the problem's type. */
  slug: string
  /** The request's path, without its query. */
  instance: string
  code?: string | undefined
  /** Of one of its errors, with the code above. */
  field?: string | undefined
}

/** Holds an answer against the interface's section "Errors". */
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
