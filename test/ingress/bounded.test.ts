// How much of a body is looked at, and how many errors are told. The cost is tested in hostile.test.ts.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { takesJson } from '../../src/ingress/body.ts'
import { BULK_VALUES_MAX, ERRORS_MAX, FIELD_CHARS, JSON_BREADTH, JSON_VALUES_MAX } from '../../src/limits/bodies.ts'
import { restRoutes } from '../../src/rest.ts'
import { testApp } from '../support/app.ts'
import type { Json } from '../support/contract.ts'
import { anOrder, aProduct, assertProblem } from '../support/given.ts'
import { placesOf } from '../support/hostile.ts'

const app = await testApp()
const ORDERS = '/api/v1/orders'
const PRODUCTS = '/api/v1/products'
const BULK = `${PRODUCTS}/bulk`
const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index))
const codes = (errors: Json[]): [string, string][] => errors.map(({ field, code }) => [field, code])

suite('how many values a body may hold', () => {
  const valuesOf = (body: object): number => JSON.stringify(body).match(/[,[{]/g)?.length ?? 0

  /** An unknown list of lists fills the body up to this many values. */
  function holding(values: number) {
    const body = { ...anOrder(), x: many(9, () => many(900, () => 0)).concat([[0]]) }
    body.x.at(-1)?.push(...many(values - valuesOf(body), () => 0))
    return body
  }

  test('one value more is a 413 that says how many; up to the limit the body is looked at', async () => {
    const shop = await app.tenant()
    const [most, more] = [holding(JSON_VALUES_MAX), holding(JSON_VALUES_MAX + 1)]
    assert.deepEqual([valuesOf(most), valuesOf(more)], [JSON_VALUES_MAX, JSON_VALUES_MAX + 1])
    assertProblem(await shop.post(ORDERS, most), {
      status: 422,
      slug: 'validation-failed',
      instance: ORDERS,
      code: 'unknown_field',
      field: 'x',
    })
    const refused = await shop.post(ORDERS, more)
    assertProblem(refused, { status: 413, slug: 'payload-too-large', instance: ORDERS })
    assert.equal(refused.body.max_values, JSON_VALUES_MAX)
  })

  test('one list or object may hold fewer, however few the others hold', async () => {
    const shop = await app.tenant()
    const filled = 'x'.repeat(JSON_VALUES_MAX)
    const ofMembers = (count: number) => Object.fromEntries(many(count, index => [`k${index}`, 0]))
    for (const make of [(count: number) => many(count, () => 0), ofMembers]) {
      const [most, more] = [JSON_BREADTH, JSON_BREADTH + 1].map(count => ({
        ...anOrder(),
        y: [make(JSON_BREADTH / 2), [[]]],
        x: make(count),
        filled,
      }))
      assert.equal((await shop.post(ORDERS, most)).status, 422)
      const refused = await shop.post(ORDERS, more)
      assertProblem(refused, { status: 413, slug: 'payload-too-large', instance: ORDERS })
      assert.equal(refused.body.max_values, JSON_BREADTH)
      assert.match(refused.body.detail, /a list or an object of more than 5000 values/)
    }
  })

  test('commas and brackets in texts are none', async () => {
    const shop = await app.tenant()
    const text = '"\\,[{'.repeat(1_000)
    const items = many(20, () => aProduct({ description: text }))
    assert.ok(valuesOf(items) > 60_000)
    const reply = await shop.post(BULK, { items: [...items, ...many(20, () => aProduct({ description: `${text}\\` }))] })
    assert.equal(reply.status, 200, reply.text.slice(0, 400))
  })

  test('a bulk request may hold more, and is a 413 beyond that', async () => {
    const shop = await app.tenant()
    const refused = await app.request('POST', BULK, {
      key: shop.key,
      raw: `[${many(50, () => `[${many(BULK_VALUES_MAX / 50, () => '0').join()}]`).join()}]`,
    })
    assertProblem(refused, { status: 413, slug: 'payload-too-large', instance: BULK })
    assert.equal(refused.body.max_values, BULK_VALUES_MAX)
  })
})

suite('a refusal', () => {
  test(`names ${ERRORS_MAX} of very many unknown fields, and misses none of the known fields behind them`, async () => {
    const shop = await app.tenant()
    const unknown = Object.fromEntries(many(4_900, index => [`k${index}`, 0]))
    const { body } = await shop.post(ORDERS, { ...unknown, ...anOrder() })
    assert.deepEqual(
      codes(body.errors),
      many(ERRORS_MAX, index => [`k${index}`, 'unknown_field']),
    )
  })

  test('says that a list is too long, and what is wrong in its beginning', async () => {
    const shop = await app.tenant()
    const { body } = await shop.post(ORDERS, anOrder({ tags: [7, ...many(4_000, index => `t${index}`)] }))
    assert.deepEqual(codes(body.errors), [
      ['tags', 'too_many'],
      ['tags[0]', 'invalid_type'],
    ])
  })

  test('says that endless names and texts are too long; the names are cut', async () => {
    const shop = await app.tenant()
    const long = 'n'.repeat(300_000)
    const { body, text } = await shop.post(ORDERS, { ...anOrder({ note: long, metadata: { [long]: 'x' } }), [long]: 1 })
    assert.deepEqual(codes(body.errors), [
      [`${long.slice(0, FIELD_CHARS)}…`, 'unknown_field'],
      ['note', 'too_long'],
      [`metadata.${long}`.slice(0, FIELD_CHARS).concat('…'), 'too_long'],
    ])
    assert.ok(text.length < 2_000)
  })

  test('says that a name is empty, once, under the name', async () => {
    const shop = await app.tenant()
    const { body } = await shop.post(ORDERS, anOrder({ metadata: { '': 'x' } }))
    assert.deepEqual(body.errors, [{ field: 'metadata[""]', code: 'too_short', message: 'its name must not be empty.' }])
  })

  test('an object with members that texts have too is no text', async () => {
    const shop = await app.tenant()
    const pretender = { toString: 1, valueOf: 1, toLowerCase: 1, length: 3 }
    const { body } = await shop.post(ORDERS, anOrder({ source: pretender, note: pretender }))
    assert.deepEqual(codes(body.errors), [
      ['source', 'invalid_type'],
      ['note', 'invalid_type'],
    ])
  })

  test(`names ${ERRORS_MAX} errors of a bulk request’s items in all, and the first of each item`, async () => {
    const shop = await app.tenant()
    const wrong = Object.fromEntries(many(30, index => [`k${index}`, 0]))
    const told = async (items: Json[]) =>
      (await shop.post(BULK, items)).body.results.map(({ error }: Json) => error?.errors.length ?? 0) as number[]
    assert.deepEqual(await told(many(3, () => ({ ...aProduct(), ...wrong }))), [30, 30, 30])
    assert.deepEqual(await told([aProduct(), ...many(6, () => ({ ...aProduct(), ...wrong }))]), [0, 30, 30, 30, 10, 1, 1])
    const none = await shop.post(
      BULK,
      many(6, () => ({ ...aProduct(), ...wrong })),
    )
    assert.equal(none.body.errors.length, ERRORS_MAX)
    assert.match(none.body.results[5].error.detail, /^k0: is not a field here;[^.]*\.$/)
  })
})

// A value without a limit cannot be cut, so the caller would choose how much is looked at.
suite('each list, dictionary and text of a body has a limit', () => {
  const { routes } = restRoutes(app.config, {} as never, {} as never)
  for (const route of routes.filter(takesJson))
    test(`${route.method} ${route.path}`, () => {
      for (const { at, node } of placesOf(route)) {
        const is = (type: string): boolean => [node.type].flat().includes(type)
        if (is('array')) assert.ok(node.maxItems, `${at} has no maxItems`)
        if (is('object') && node.additionalProperties !== false && !node.discriminator)
          assert.ok(node.maxProperties && node.propertyNames?.maxLength, `${at} has no maxProperties, or its names no maxLength`)
        if (is('string'))
          assert.ok(node.maxLength || node.pattern || node.enum || 'const' in node || node.format === 'date-time', `${at} has no maxLength`)
      }
    })
})
