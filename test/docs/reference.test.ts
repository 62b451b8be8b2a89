// The reference, from a document with everything a generator may put into one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render as textOf } from 'preact-render-to-string'
import '../../src/ingress/page/tsx.ts'
import { sample } from './sample.ts'

const { renderReference } = await import('../../src/docs/reference.tsx')
const render = (document: object): string => textOf(renderReference(document, 'https://shop.example').body)
const reference = render(sample)
/** The text of one operation, without its tags. */
const operation = (id: string) => {
  const part = reference.split(/(?=<section class="operation")/).find(section => section.includes(` id="${id}"`)) ?? ''
  return unescaped(part.replace(/<[^>]*>/g, '')).replace(/\n\s*\n/g, '\n')
}

test('every operation is there, with its method, its path and a place to link to', () => {
  for (const [path, item] of Object.entries(sample.paths))
    for (const method of Object.keys(item).filter(key => !['parameters', 'head'].includes(key))) {
      assert.ok(
        reference.includes(`<span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code>`),
        `${method} ${path}`,
      )
    }
  for (const id of ['listOrders', 'placeOrder', 'readOrder', 'createProduct', 'get-api-v1-ping'])
    assert.ok(reference.includes(`id="${id}"`), id)
})

test('each operation says what a caller needs: a scope, or no key at all', () => {
  assert.match(operation('listOrders'), /Needs a key with scope read\./)
  assert.match(operation('get-api-v1-ping'), /Needs no key\..*curl https:\/\/shop\.example\/api\/v1\/pingTry it/s)
})

test('a HEAD beside its GET is not told twice', () => {
  assert.doesNotMatch(reference, /headers alone/)
})

test('operations are grouped by tag, in the order of the tags', () => {
  const titles = [...reference.matchAll(/<section class="tag" id="([^"]*)">/g)].map(match => match[1])
  assert.deepEqual(titles, ['tag-Orders', 'tag-Products', 'tag-Other', 'objects', 'headers'])
})

test('parameters show type, limits, defaults and whether they are required, also those given by reference or by the path', () => {
  const list = operation('listOrders')
  assert.match(list, /cursor string\s*The next_cursor of the page before\./)
  assert.match(list, /limit integer\s*default 501 to 100/)
  assert.match(list, /offset integer deprecated/)
  assert.match(list, /status array of string\s*Any of these\.\s*each one of pending, SHIPPED/)
  assert.match(operation('readOrder'), /In the path\s*id string required\s*matches \^ord_/)
})

test('a request body is shown in full, through references, allOf, choices and maps, and ends where it recurs', () => {
  const place = operation('placeOrder')
  assert.match(place, /items array of NewItem required\s*at least 1 item/)
  assert.match(place, /quantity integer required\s*1 to 9\u202f999/)
  assert.match(place, /Alternative 1: object.*email string required.*Alternative 2: object.*phone string required/s)
  assert.equal(place.match(/children array of NewItem/g)?.length, 1)
  const create = operation('createProduct')
  assert.match(create, /price_amount integer required\s*0 to 9\u202f000\u202f000\u202f000/)
  assert.match(create, /metadata map of string\s*at most 50 keys/)
})

test('responses show status, body and headers; what is shared links to its place', () => {
  assert.match(operation('placeOrder'), /201 The order\./)
  assert.match(operation('placeOrder'), /Location string\s*Its address\./)
  assert.match(operation('placeOrder'), /409 A problem document\./)
  assert.match(
    reference,
    /<summary><span class="status s4">409<\/span> <span><a href="https:\/\/shop\.example\/docs\/errors\/conflict">A problem<\/a>/,
  )
  assert.ok(reference.includes('array of <a href="#schema-Order">Order</a>'))
  assert.match(reference, /<section class="object" id="schema-Order"/)
  assert.ok(reference.includes('<a href="#header-Remaining">X-RateLimit-Remaining</a>'))
  assert.match(
    reference.replace(/<(?!div id)[^>]*>/g, ''),
    /<div id="header-Remaining"[^>]*>\s*Remaining integer\s*Requests left in the window\./,
  )
})

test('nullable fields say so', () => {
  assert.match(reference.replace(/<[^>]*>/g, ''), /paid_at string \(date-time\) or null\s*When it was paid\./)
  assert.ok(reference.includes('<a href="#schema-Order">Order</a> or null'))
  assert.match(reference.replace(/<[^>]*>/g, ''), /customer object or null/)
})

test('the curl line sends the example given, and a shell reads it as it stands', () => {
  const place = operation('placeOrder')
  assert.ok(
    place.includes(
      'curl -X POST https://shop.example/api/v1/orders \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H "Idempotency-Key: $(date +%s)"',
    ),
  )
  assert.ok(place.includes(`"email": "o'\\''hara@example.com"`))
  assert.ok(operation('readOrder').includes("curl 'https://shop.example/api/v1/orders/{id}' \\\n"))
})

test('without an example the curl line sends every required field', () => {
  assert.ok(operation('createProduct').includes('-d \'{\n  "name": "Runner 2",\n  "price_amount": 0\n}\''))
})

test('hostile text in the document stays text', () => {
  const hostile = '"><script>alert(1)</script><img src=x onerror=alert(1)>'
  const text = render({
    info: { title: hostile, version: hostile, description: `${hostile} [click](javascript:alert(1)) [x]( JaVaScRiPt:alert(1))` },
    tags: [{ name: hostile, description: hostile }],
    paths: {
      [`/${hostile}`]: {
        post: {
          operationId: hostile,
          tags: [hostile],
          summary: hostile,
          description: hostile,
          parameters: [{ name: hostile, in: 'query', description: hostile, schema: { type: hostile, default: hostile, pattern: hostile } }],
          requestBody: {
            content: {
              [`${hostile}/json`]: { example: { [hostile]: hostile }, schema: { properties: { [hostile]: { const: hostile } } } },
            },
          },
          responses: { [hostile]: { description: hostile, headers: { [hostile]: { schema: { enum: [hostile] } } } } },
        },
      },
    },
    components: { schemas: { [hostile]: { description: hostile, title: hostile } } },
  })
  const tags = [...text.replace(/"[^"]*"/g, '""').matchAll(/<\/?([a-z0-9]+)([^>]*)>/gi)]
  assert.ok(tags.length > 50)
  for (const [tag, name, attributes] of tags) assert.doesNotMatch(`${name} ${attributes}`, /script |img |onerror/i, tag)
  assert.doesNotMatch(text, /href="\s*javascript:/i)
})

test('a part that the document does not have leaves its place empty', () => {
  assert.match(render({ info: { title: 'Empty', version: '1' } }), /Empty/)
  const broken = {
    info: { title: 'x', version: '1' },
    paths: { '/a': { get: { parameters: [{ $ref: '#/nowhere' }], responses: { 200: { $ref: 'b' } } } } },
  }
  assert.match(render(broken), /\/a/)
})

function unescaped(text: string): string {
  return text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" })[name as 'amp'] as string,
  )
}
