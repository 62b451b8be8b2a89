// The OpenAPI document against itself, against the server's routes, and against what the server really answers.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { PROBLEMS } from '../../src/problems.ts'
import { startWeb } from '../../src/web.ts'
import { type Reply, testApp } from '../support/app.ts'
import { anEstate, filled, nobody } from '../support/given.ts'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
type Json = any

const app = await testApp()
const { body: document }: { body: Json } = await app.request('GET', '/api/v1/openapi.json')
const METHODS = ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace']

const ajv = new Ajv2020({ strict: false, allErrors: true })
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/)
ajv.addFormat('email', /^[^@\s]+@[^@\s]+$/)
ajv.addFormat('uri', (text: string) => URL.canParse(text))
ajv.addFormat('currency', /^[A-Z]{3}$/)
ajv.addSchema(document, 'openapi')

interface Operation {
  method: string
  path: string
  described: Json
}
const operations: Operation[] = Object.entries(document.paths as Json).flatMap(([path, item]) =>
  Object.entries(item as Json).map(([method, described]) => ({ method, path, described })),
)
const pointer = (text: string) => `openapi#/${text}`
const escaped = (part: string) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))

function find(reference: string): Json {
  assert.match(reference, /^#\//)
  return reference
    .slice(2)
    .split('/')
    .reduce((at, part) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document)
}
const resolved = (value: Json): Json => (value?.$ref ? find(value.$ref) : value)

function* nodes(value: Json): Generator<Json> {
  if (value === null || typeof value !== 'object') return
  yield value
  for (const inner of Object.values(value)) yield* nodes(inner)
}

/** Holds `value` against the schema at this place of the document. */
function assertFits(place: string, value: unknown): void {
  const validate = ajv.getSchema(pointer(place))
  assert.ok(validate, `no schema at ${place}`)
  assert.ok(validate(value), `${place}: ${JSON.stringify(validate.errors)}`)
}

suite('the document', () => {
  test('is OpenAPI 3.1: its parts are there and of the right kind', () => {
    assert.match(document.openapi, /^3\.1\.\d$/)
    assert.ok(document.info.title && document.info.version && document.info.description)
    assert.deepEqual(document.servers, [{ url: 'https://shop.example' }])
    for (const { path, method, described } of operations) {
      assert.match(path, /^\/api\/v1\//)
      assert.ok(METHODS.includes(method))
      assert.ok(described.summary && described.tags.length === 1)
      assert.ok(
        document.tags.some((tag: Json) => tag.name === described.tags[0]),
        described.tags[0],
      )
      assert.ok(Object.keys(described.responses).every(status => /^[2345]\d\d$/.test(status)))
      for (const response of Object.values(described.responses)) assert.equal(typeof resolved(response).description, 'string')
      const inPath = (path.match(/\{(\w+)\}/g) ?? []).map(each => each.slice(1, -1))
      const parameters = described.parameters.map(resolved)
      assert.deepEqual(
        parameters.filter((each: Json) => each.in === 'path').map((each: Json) => each.name),
        inPath,
      )
      for (const parameter of parameters) {
        assert.ok(['path', 'query', 'header'].includes(parameter.in) && parameter.schema)
        assert.equal(parameter.required, parameter.in === 'path')
      }
      assert.equal(new Set(parameters.map((each: Json) => each.in + each.name)).size, parameters.length)
      if (described.requestBody) assert.ok(['post', 'patch', 'put'].includes(method))
    }
  })

  test('has no reference that leads nowhere, and nothing that nobody refers to', () => {
    const referred = new Set<string>()
    for (const node of nodes(document))
      if (typeof node.$ref === 'string') {
        assert.ok(find(node.$ref) !== undefined, node.$ref)
        referred.add(node.$ref)
      }
    for (const group of ['schemas', 'headers', 'responses'])
      for (const name of Object.keys(document.components[group])) {
        // Which path answers 405 is the absence of an operation.
        if (name !== 'method-not-allowed') assert.ok(referred.has(`#/components/${group}/${name}`), `${group}/${name}`)
      }
  })

  test('names every operation once', () => {
    const ids = operations.map(({ described }) => described.operationId)
    assert.equal(new Set(ids).size, ids.length)
    for (const id of ids) assert.match(id, /^[a-z][A-Za-z]+$/)
  })

  test('has schemas that compile', () => {
    for (const name of Object.keys(document.components.schemas)) assert.ok(ajv.getSchema(pointer(`components/schemas/${name}`)), name)
    for (const { path, method, described } of operations)
      for (const index of described.parameters.keys())
        assert.ok(ajv.getSchema(pointer(`paths/${escaped(path)}/${method}/parameters/${index}/schema`)))
  })

  test('has examples that fit their schemas, and that the server takes', async () => {
    const shop = await app.tenant()
    let examples = 0
    for (const { path, method, described } of operations) {
      const content = described.requestBody?.content['application/json']
      if (!content) continue
      assertFits(`paths/${escaped(path)}/${method}/requestBody/content/${escaped('application/json')}/schema`, content.example)
      examples++
      if (!path.includes('{')) assert.equal((await shop.post(path, content.example)).status, 201, path)
    }
    assert.ok(examples >= 6)
  })

  test('tells of every response its headers, and of every problem its type', () => {
    for (const { path, method, described } of operations)
      for (const [status, response] of Object.entries(described.responses)) {
        const { headers = {}, content } = resolved(response)
        if (method !== 'head' || Number(status) < 400)
          for (const name of ['X-Trace-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
            assert.ok(headers[name], `${method} ${path} ${status} ${name}`)
        if (Number(status) >= 400 && method !== 'head') assert.deepEqual(Object.keys(content), ['application/problem+json'])
        if (status === '201') assert.ok(headers.Location)
        if (status === '200' || status === '304') assert.ok(headers.ETag)
      }
    const statuses = new Set(operations.flatMap(({ described }) => Object.keys(described.responses)))
    for (const { status } of Object.values(PROBLEMS)) if (status !== 405) assert.ok(statuses.has(String(status)), String(status))
  })

  test('is the same to everybody, with a key and without', async () => {
    const shop = await app.tenant()
    assert.equal((await shop.get('/api/v1/openapi.json')).text, (await app.request('GET', '/api/v1/openapi.json')).text)
  })
})

suite('the server', () => {
  const somewhere = (path: string) => filled(path, () => nobody('ord'))
  for (const path of Object.keys(document.paths as Json))
    test(`serves at ${path} the methods of the document and no others`, async () => {
      const { headers } = await app.request('OPTIONS', somewhere(path))
      const documented = Object.keys(document.paths[path]).map(method => method.toUpperCase())
      assert.deepEqual(headers.get('allow')?.split(', ').sort(), [...documented, 'OPTIONS'].sort())
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status } = await app.request(method, somewhere(path))
        assert.equal(status !== 405 && status !== 404, documented.includes(method), `${method} ${path} → ${status}`)
      }
    })

  test('has no route below the API that the document does not have', async () => {
    const web = await startWeb(app)
    const tree = web.app.printRoutes({ commonPrefix: false })
    await web.close()
    const at: string[] = []
    const served = [...tree.matchAll(/^((?:[│ ] {3})*)[├└]── (\S+) \((.+)\)$/gm)].flatMap(([, indent = '', part = '', methods = '']) => {
      at.splice(indent.length / 4, Infinity, part.replaceAll(/:(\w+)/g, '{$1}'))
      return methods.split(', ').map(method => `${method} ${at.join('')}`)
    })
    const documented = operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    assert.deepEqual(served.filter(each => each.includes(' /api/')).sort(), documented.sort())
  })
})

suite('real answers fit the document', async () => {
  const { shop, ids } = await anEstate(app)
  const reader = await app.tenant({ scopes: ['read'] })

  function assertDocumented({ method, path, described }: Operation, reply: Reply): void {
    const response = resolved(described.responses[reply.status])
    assert.ok(response, `${method} ${path} answers ${reply.status}, which it does not declare: ${reply.text}`)
    for (const [name, header] of Object.entries(response.headers ?? {}) as [string, Json][]) {
      const value = reply.headers.get(name)
      const { schema } = resolved(header)
      if (value !== null) assert.ok(ajv.validate(schema, schema.type === 'integer' ? Number(value) : value), `${name}: ${value}`)
    }
    if (method === 'head' || reply.status === 304) {
      assert.equal(reply.text, '')
      return
    }
    const type = reply.headers.get('content-type')?.split(';')[0] as string
    assert.ok(response.content[type], type)
    const reference = described.responses[reply.status].$ref
    const place = reference ? reference.slice(2) : `paths/${escaped(path)}/${method}/responses/${reply.status}`
    assertFits(`${place}/content/${escaped(type)}/schema`, reply.body)
    // But for the document, which holds examples.
    if (!path.endsWith('openapi.json'))
      for (const [time] of reply.text.matchAll(/"\d{4}-\d\d-\d\dT[^"]*"/g)) assert.match(time, /\.\d{3}Z"$/, 'times have milliseconds')
  }

  // What is shown in an answer is in its schema too: additional members would be undocumented.
  function assertComplete({ method, path, described }: Operation, { status, body }: Reply): void {
    const { schema } = resolved(described.responses[status]).content['application/json']
    const members = (shape: Json): string[] => Object.keys(resolved(shape).properties ?? {})
    if (members(schema).length > 0)
      assert.deepEqual(
        Object.keys(body).filter(name => !members(schema).includes(name)),
        [],
        `${method} ${path}`,
      )
    const items = resolved(schema).properties?.data?.items
    if (items)
      for (const item of body.data)
        assert.deepEqual(
          Object.keys(item).filter(name => !members(items).includes(name)),
          [],
          path,
        )
  }

  const rank = ['head', 'get', 'patch', 'post', 'delete']
  for (const operation of operations.sort((a, b) => rank.indexOf(a.method) - rank.indexOf(b.method))) {
    const { method, path, described } = operation
    const body = described.requestBody?.content['application/json'].example
    const ask = (key: string | undefined, given: object = {}, idOf = (before: string) => ids[before]) =>
      app.request(method.toUpperCase(), filled(path, idOf), {
        ...(key !== undefined && { key }),
        ...(body !== undefined && { body }),
        ...given,
      })

    test(`${described.operationId}, done`, async () => {
      const reply = await ask(shop.key)
      // A conflict is with what the tests before this one have done.
      assert.ok(reply.status < 300 || reply.status === 409, reply.text)
      assertDocumented(operation, reply)
      if (method !== 'head' && reply.status !== 409) assertComplete(operation, reply)
      if (!['get', 'head'].includes(method)) return
      assertDocumented(operation, await ask(shop.key, { headers: { 'If-None-Match': '*' } }))
    })

    test(`${described.operationId}, refused`, async () => {
      if (path.endsWith('openapi.json')) return
      const stranger = await app.tenant()
      assertDocumented(operation, await ask(undefined))
      assertDocumented(operation, await ask('garbage'))
      if (!['get', 'head'].includes(method)) assertDocumented(operation, await ask(reader.key))
      if (path.includes('{')) for (const id of ['x', nobody('ord')]) assertDocumented(operation, await ask(stranger.key, {}, () => id))
      if (body !== undefined) {
        assertDocumented(operation, await ask(stranger.key, { body: 'x' }))
        assertDocumented(operation, await ask(stranger.key, { headers: { 'Content-Type': 'text/plain' } }))
      }
      if (['patch', 'delete'].includes(method)) assertDocumented(operation, await ask(shop.key, { headers: { 'If-Match': '"x"' } }))
      if (method !== 'post') return
      const used = { headers: { 'Idempotency-Key': described.operationId } }
      assertDocumented(operation, await ask(shop.key, used))
      assertDocumented(operation, await ask(shop.key, used))
    })
  }
})

suite('the addresses that problems give lead to a page', () => {
  const base = 'https://shop.example'
  for (const path of [...Object.keys(PROBLEMS).map(slug => `/docs/errors/${slug}`), '/docs/api/pagination', '/docs'])
    test(path, async () => {
      const { status, headers, text } = await app.request('GET', path)
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^text\/html/)
      assert.ok(text.includes('<h1'))
      if (path.endsWith('pagination')) assert.ok(text.includes('id="cursor"'), 'the Link of offset names this anchor')
    })

  test('as they stand in a real problem and a real Link', async () => {
    const shop = await app.tenant()
    const { body } = await shop.get('/api/v1/orders?limit=0')
    const link = (await shop.get('/api/v1/orders?offset=0')).headers.get('link')?.match(/^<([^>]+)>/)?.[1]
    for (const address of [body.type, link?.split('#')[0]]) {
      assert.ok(address?.startsWith(base))
      assert.equal((await app.request('GET', address.slice(base.length))).status, 200)
    }
  })
})
