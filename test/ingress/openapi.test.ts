// The OpenAPI document against itself, against the server's routes, and against what the server really answers.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { createKey } from '../../src/access/keys.ts'
import { PROBLEMS } from '../../src/problems.ts'
import { startWeb } from '../../src/web.ts'
import { type Ask, testApp } from '../support/app.ts'
import { contractOf, follow, type Json, type Operation } from '../support/contract.ts'
import { filled, fullTenant, nobody } from '../support/given.ts'

// Callers without a key are limited by their address, and these tests are more than one may be.
const app = await testApp({ TRUST_PROXY: '1' })
// Each write of the document is sent: the limiter has tests of its own.
await app.sql`update plans set write_per_minute = 600 where plan = 'enterprise'`
const { body: document }: { body: Json } = await app.request('GET', '/api/v1/openapi.json')
const { operations, resolved, fits, assertEvent } = contractOf(document)
const reads = ({ method }: Operation): boolean => method === 'get' || method === 'head'

function* nodes(value: Json): Generator<Json> {
  if (value === null || typeof value !== 'object') return
  yield value
  for (const inner of Object.values(value)) yield* nodes(inner)
}

suite('the document', () => {
  test('is valid OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    assert.ok(valid, JSON.stringify(errors))
    const { valid: broken } = await new Validator().validate({ ...structuredClone(document), paths: { '/x': { get: { responses: 7 } } } })
    assert.equal(broken, false)
  })

  test('has every part that readers of it need', () => {
    assert.match(document.openapi, /^3\.1\.\d$/)
    assert.ok(document.info.title && document.info.version && document.info.description)
    assert.deepEqual(document.servers, [{ url: 'https://shop.example' }])
    for (const { path, method, described } of operations) {
      assert.match(path, /^\/api\/(v1|platform)\//)
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
        // A file has required parameters, because its body does not describe itself.
        if (!described.requestBody) assert.equal(parameter.required, parameter.in === 'path')
      }
      assert.equal(new Set(parameters.map((each: Json) => each.in + each.name)).size, parameters.length)
      if (described.requestBody) assert.ok(['post', 'patch', 'put'].includes(method))
    }
  })

  test('has no dangling reference, and no component without a reference to it', () => {
    const referred = new Set<string>()
    for (const node of nodes(document))
      if (typeof node.$ref === 'string') {
        assert.ok(follow(document, node.$ref) !== undefined, node.$ref)
        referred.add(node.$ref)
      }
    for (const group of ['schemas', 'headers', 'parameters', 'responses'])
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

  test('has examples that fit their schemas, and that the server takes', async () => {
    const shop = await app.tenant()
    let examples = 0
    for (const { path, described } of operations) {
      const content = described.requestBody?.content['application/json']
      if (!content) continue
      assert.ok(fits(content.schema, content.example), path)
      examples++
      if (!path.includes('{')) {
        const done = Number(Object.keys(described.responses).find(status => status < '300'))
        assert.equal((await shop.post(path, content.example)).status, done, path)
      }
    }
    assert.ok(examples >= 6)
  })

  test('describes what each type of event sends to a webhook, with an example that fits', () => {
    const events = Object.values(document.webhooks as Json).map((each: Json) => each.post.requestBody.content['application/json'])
    assert.deepEqual(
      events.map(({ example }) => example.type),
      Object.keys(document.webhooks),
    )
    for (const { example } of events) assertEvent(example)
  })

  test('tells of every answer its headers, and of every problem its type', () => {
    const always = ['X-Trace-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
    for (const { path, method, described } of operations)
      for (const [status, response] of Object.entries(described.responses)) {
        const { headers = {}, content } = resolved(response)
        const required = Object.keys(headers).filter(name => resolved(headers[name]).required)
        for (const name of always) assert.ok(required.includes(name), `${method} ${path} ${status} ${name}`)
        if (status === '201' || status === '202') assert.ok(required.includes('Location'), `${method} ${path}`)
        const streamed = 'Content-Disposition' in headers || 'X-Accel-Buffering' in headers
        if (['200', '201', '202', '304'].includes(status) && !streamed) assert.ok(required.includes('ETag'), `${method} ${path}`)
        if (Number(status) >= 400 && method !== 'head' && method !== 'options')
          assert.deepEqual(Object.keys(content), ['application/problem+json'])
      }
    const statuses = new Set(operations.flatMap(({ described }) => Object.keys(described.responses)))
    for (const { status } of Object.values(PROBLEMS)) if (status !== 405) assert.ok(statuses.has(String(status)), String(status))
  })

  test('is the same for every caller, with a key and without', async () => {
    const shop = await app.tenant()
    assert.equal((await shop.get('/api/v1/openapi.json')).text, (await app.request('GET', '/api/v1/openapi.json')).text)
  })
})

suite('the server', () => {
  const somewhere = (path: string) => filled(path, () => nobody('ord'))
  for (const [index, path] of Object.keys(document.paths as Json).entries())
    test(`serves at ${path} the methods of the document and no others`, async () => {
      const from = { headers: { 'X-Forwarded-For': `192.0.2.${index % 250}` } }
      const { headers } = await app.request('OPTIONS', somewhere(path), from)
      const documented = Object.keys(document.paths[path]).map(method => method.toUpperCase())
      assert.deepEqual(headers.get('allow')?.split(', ').sort(), documented.sort())
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        const { status } = await app.request(method, somewhere(path), from)
        assert.equal(status !== 405 && status !== 404, documented.includes(method), `${method} ${path} → ${status}`)
      }
    })

  test('has no route of REST that the document does not have', async () => {
    const web = await startWeb(app)
    const tree = web.app.printRoutes({ commonPrefix: false })
    await web.close()
    const at: string[] = []
    const served = [...tree.matchAll(/^((?:[│ ] {3})*)[├└]── (\S+) \((.+)\)$/gm)].flatMap(([, indent = '', part = '', methods = '']) => {
      at.splice(indent.length / 4, Infinity, part.replaceAll(/:(\w+)/g, '{$1}'))
      return methods.split(', ').map(method => `${method} ${at.join('')}`)
    })
    // OPTIONS is answered before any route.
    const routed = operations.filter(({ method }) => method !== 'options')
    const documented = routed.map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    assert.deepEqual(served.filter(each => / \/api\/(v1|platform)\//.test(each)).sort(), documented.sort())
  })
})

suite('real answers fit the document', async () => {
  const { shop, ids } = await fullTenant(app)
  const reader = await app.tenant({ scopes: ['read'] })
  // Each key has a limit of its own.
  const second = await createKey(app.sql, { tenant: shop.id, kind: 'rest', scopes: ['read', 'write'] })

  const rank = ['head', 'get', 'patch', 'post', 'delete']
  const asked = operations.filter(({ method }) => method !== 'options')
  for (const operation of asked.sort((a, b) => rank.indexOf(a.method) - rank.indexOf(b.method))) {
    const { method, path, described } = operation
    const [type, { example }] = (Object.entries(described.requestBody?.content ?? {})[0] ?? ['', {}]) as [string, Json]
    const body = type === 'application/json' ? example : undefined
    // A file and its parameters.
    const file = type !== '' && body === undefined ? { raw: example, headers: { 'Content-Type': type } } : {}
    const needed = described.parameters.map(resolved).filter((each: Json) => each.in === 'query' && each.required)
    const query = needed.map((each: Json) => `${each.name}=${each.schema.example}`).join('&')
    const ask = (key: string | undefined, given: Ask = {}, idOf = (before: string) => ids[before]) =>
      app.request(method.toUpperCase(), filled(path, idOf) + (query && `?${query}`), {
        ...(key !== undefined && { key }),
        ...(body !== undefined && { body }),
        ...file,
        ...given,
        headers: { ...file.headers, ...given.headers },
      })

    test(`${described.operationId}, done`, async () => {
      const reply = await ask(shop.key)
      // Conflicts come from what earlier tests have done.
      assert.ok(reply.status < 300 || reply.status === 409, reply.text)
      if (!reads(operation)) return
      await ask(shop.key, { headers: { 'If-None-Match': '*' } })
    })

    test(`${described.operationId}, refused`, async () => {
      if (path.endsWith('openapi.json')) return
      const other = await app.tenant()
      await ask(undefined)
      await ask('malformed')
      if (!reads(operation)) await ask(reader.key)
      if (path.includes('{')) for (const id of ['x', nobody('ord')]) await ask(other.key, {}, () => id)
      if (body !== undefined) {
        await ask(other.key, { body: 'x' })
        await ask(other.key, { headers: { 'Content-Type': 'text/plain' } })
      }
      if (['patch', 'delete'].includes(method)) await ask(second.key, { headers: { 'If-Match': '"x"' } })
      if (method !== 'post') return
      const used = { headers: { 'Idempotency-Key': described.operationId } }
      await ask(second.key, used)
      await ask(second.key, used)
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
