// The agent server on the wire: HTTP and JSON-RPC, to the byte.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { pino } from 'pino'
import { createKey, listKeys, revokeKey } from '../../src/access/keys.ts'
import { agentTools } from '../../src/catalog.ts'
import { createLongReads } from '../../src/ingress/long-reads.ts'
import { listingOf } from '../../src/ingress/mcp/catalogue.ts'
import type { Admitted } from '../../src/ingress/mcp/credentials.ts'
import { answerOf, batchOf, frame } from '../../src/ingress/mcp/messages.ts'
import { createAgentServer } from '../../src/ingress/mcp/server.ts'
import { MCP_BATCH_MAX, MCP_VERSION } from '../../src/limits/mcp.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { startWeb } from '../../src/web.ts'
import { type AgentAsk, type AgentReply, anAgent, askAgent } from '../support/agent.ts'
import { testApp } from '../support/app.ts'
import { anOrder, nobody } from '../support/given.ts'
import { openCounter } from '../support/statement-counter.ts'

const app = await testApp()
const shop = await app.tenant()
const agent = await anAgent(app, shop.id)
const reader = await anAgent(app, shop.id, ['read'])
const order = (await shop.post('/api/v1/orders', anOrder())).body

const rpc = (method: unknown, params?: unknown, id: unknown = 1) => ({
  jsonrpc: '2.0',
  id,
  method,
  ...(params !== undefined && { params }),
})
const told = (method: string, params?: unknown) => ({ jsonrpc: '2.0', method, ...(params !== undefined && { params }) })
const ping = (id: unknown = 1) => rpc('ping', undefined, id)
const call = (name: unknown, args?: unknown, id: unknown = 1) =>
  rpc('tools/call', { name, ...(args !== undefined && { arguments: args }) }, id)
const initialize = (protocolVersion: unknown, id: unknown = 1) =>
  rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'a test', version: '1' } }, id)

interface Case {
  what: string
  ask: AgentAsk
  status: number
  check?: (reply: AgentReply) => void
}

const result =
  (expected: unknown, id: unknown = 1) =>
  (reply: AgentReply) =>
    assert.deepEqual(reply.body, { jsonrpc: '2.0', id, result: expected })
const error =
  (code: number, id: unknown = 1, message = /./) =>
  (reply: AgentReply) => {
    assert.deepEqual([reply.body.jsonrpc, reply.body.id, reply.body.error.code], ['2.0', id, code])
    assert.match(reply.body.error.message, message)
  }
const empty = (reply: AgentReply) => assert.equal(reply.text, '')
const version = (expected: string) => (reply: AgentReply) => assert.equal(reply.body.result.protocolVersion, expected)
const ids = (expected: unknown[]) => (reply: AgentReply) =>
  assert.deepEqual(
    reply.body.map((each: { id: unknown }) => each.id),
    expected,
  )
const codes = (expected: (number | undefined)[]) => (reply: AgentReply) =>
  assert.deepEqual(
    reply.body.map((each: { error?: { code: number } }) => each.error?.code),
    expected,
  )

const body = (what: string, content: unknown, status: number, check?: Case['check']): Case => ({
  what,
  ask: { body: content },
  status,
  ...(check && { check }),
})

const cases: Case[] = [
  // Versions
  ...['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '1.0', '', 'latest'].map(asked =>
    body(`initialize with version ${JSON.stringify(asked)}`, initialize(asked), 200, version('2025-03-26')),
  ),
  body('initialize with a version that is no text', initialize(20250326), 200, error(-32602)),
  body('initialize without params', rpc('initialize'), 200, error(-32602)),
  body(
    'initialize with clientInfo that is a text',
    rpc('initialize', { protocolVersion: '2025-03-26', clientInfo: 'me' }),
    200,
    error(-32602),
  ),
  body(
    'initialize with _meta and further members',
    { ...initialize('2025-06-18'), _meta: { a: 1 }, more: [1] },
    200,
    version('2025-03-26'),
  ),
  body('server/discover', rpc('server/discover', {}), 400, error(-32601)),
  // Ids
  body('an id of 0', ping(0), 200, result({}, 0)),
  body('an id of -1', ping(-1), 200, result({}, -1)),
  body('the largest safe id', ping(Number.MAX_SAFE_INTEGER), 200, result({}, Number.MAX_SAFE_INTEGER)),
  body('an id that is a text', ping('abc'), 200, result({}, 'abc')),
  body('an id that is the empty text', ping(''), 200, result({}, '')),
  body('an id with quotes and half of a surrogate pair', '{"jsonrpc":"2.0","id":"\\"\\ud800","method":"ping"}', 200, result({}, '"\ud800')),
  body('an id named __proto__', ping('__proto__'), 200, result({}, '__proto__')),
  body('an id of 1.0, which is 1', '{"jsonrpc":"2.0","id":1.0,"method":"ping"}', 200, result({}, 1)),
  ...[null, 1.5, true, false, {}, [], [1]].map(id => body(`an id of ${JSON.stringify(id)}`, ping(id), 400, error(-32600, null))),
  body('an id beyond 2^53', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', 400, error(-32600, null)),
  body('an id of 1e400', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', 400, error(-32600, null)),
  // What is no message
  ...['1', '"ping"', 'true', 'null', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1}'].map(text =>
    body(`the body ${text}`, text, 400, error(-32600, null)),
  ),
  ...['1.0', '2', 2, 2.0, null, undefined].map(jsonrpc =>
    body(`jsonrpc ${JSON.stringify(jsonrpc)}`, { ...ping(), jsonrpc }, 400, error(-32600, null)),
  ),
  body('a method that is a number', rpc(5), 400, error(-32600, null)),
  body('a notification whose method is null', '{"jsonrpc":"2.0","method":null}', 400, error(-32600, null)),
  // Texts
  ...['', ' ', '{', '{"jsonrpc":"2.0","id":1,"method":"ping"', "{'jsonrpc':'2.0'}", 'ping', '{"a":1}{"b":2}', '[', ']', '\ufffe'].map(
    text => body(`a body that is not JSON: ${JSON.stringify(text)}`, text, 400, error(-32700, null)),
  ),
  body('a body that is not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, error(-32700, null)),
  body(
    'a message behind a byte order mark',
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(JSON.stringify(ping()))]),
    200,
    result({}),
  ),
  body('a hundred thousand brackets', '['.repeat(100_000), 400, error(-32600, null)),
  body(
    'a message nested a thousand levels deep',
    { ...ping(), more: JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) },
    400,
    error(-32600, null),
  ),
  body(
    'arguments nested forty levels deep',
    call('get_orders', { status: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }),
    400,
    error(-32600, null, /32 levels/),
  ),
  body('a message with two hundred thousand values', { ...ping(), more: Array(200_000).fill(0) }, 400, error(-32600, null)),
  body('the same member twice: the last one counts', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}', 200, result({}, 2)),
  // Methods
  body('ping', ping(), 200, result({})),
  body('ping with params', rpc('ping', { _meta: { progressToken: 1 } }), 200, result({})),
  body('ping with a list as params', rpc('ping', []), 200, error(-32602)),
  body('ping with params that are null', rpc('ping', null), 200, error(-32602)),
  body('an unknown method', rpc('tools/run'), 200, error(-32601)),
  ...[
    'resources/list',
    'prompts/list',
    'completion/complete',
    'logging/setLevel',
    '__proto__',
    'constructor',
    'toString',
    '',
    'PING',
    'tools/list ',
  ].map(method => body(`the method ${JSON.stringify(method)}`, rpc(method, {}), 200, error(-32601))),
  body('a method of a megabyte', rpc('x'.repeat(900_000)), 200, reply => {
    error(-32601)(reply)
    assert.ok(reply.text.length < 400, 'no error repeats more than a hundred characters')
  }),
  body('tools/list', rpc('tools/list'), 200, reply => assert.ok(reply.body.result.tools.length >= 1)),
  body('tools/list with a cursor', rpc('tools/list', { cursor: 'abc' }), 200, error(-32602)),
  body('tools/list with a cursor that is null', rpc('tools/list', { cursor: null }), 200, reply =>
    assert.equal(reply.body.result.tools.length, 12),
  ),
  body('tools/list with an empty cursor', rpc('tools/list', { cursor: '' }), 200, error(-32602)),
  body('tools/list with extra params', rpc('tools/list', { limit: 5 }), 200, reply =>
    assert.equal(reply.body.result.nextCursor, undefined),
  ),
  // Calls
  body('a call without params', rpc('tools/call'), 200, error(-32602)),
  body('a call whose params are a list', rpc('tools/call', ['get_orders']), 200, error(-32602)),
  body('a call without a name', rpc('tools/call', { arguments: {} }), 200, error(-32602)),
  body('a call whose name is a number', call(5), 200, error(-32602)),
  ...['__proto__', 'constructor', 'hasOwnProperty', 'GET_ORDERS', 'get_orders ', '', 'get-orders', 'x'.repeat(5000), 'a\0b', '\ud800'].map(
    name =>
      body(`the tool ${JSON.stringify(name).slice(0, 40)}`, call(name), 200, reply => {
        error(-32602)(reply)
        assert.ok(reply.body.error.message.length < 800)
      }),
  ),
  body('a call without arguments', call('get_orders'), 200, reply => assert.equal(reply.body.result.structuredContent.count, 1)),
  ...[null, [], 'x', 5, true].map(args =>
    body(`arguments ${JSON.stringify(args)}`, call('get_orders', args), 200, reply => {
      assert.equal(reply.body.result.isError, true)
      assert.equal(reply.body.result.structuredContent.error.code, 'invalid_arguments')
    }),
  ),
  // Notifications and responses
  body('a notification', told('notifications/initialized'), 202, empty),
  body('an unknown notification', told('no/such/thing', [1]), 202, empty),
  body('a notification that names a tool', told('tools/call', { name: 'get_orders', arguments: {} }), 202, empty),
  body('a notification of initialize', told('initialize'), 202, empty),
  body('cancelled', told('notifications/cancelled', { requestId: 1 }), 202, empty),
  body('a response', { jsonrpc: '2.0', id: 5, result: {} }, 202, empty),
  body('a response that is an error without an id', { jsonrpc: '2.0', id: null, error: { code: 1, message: 'x' } }, 202, empty),
  // Batches
  body('an empty batch', [], 400, error(-32600, null)),
  body('a batch of one', [ping()], 200, ids([1])),
  body(
    'a batch of fifty',
    Array.from({ length: 50 }, (_, index) => ping(index)),
    200,
    ids(Array.from({ length: 50 }, (_, index) => index)),
  ),
  body(
    'a batch of fifty-one',
    Array.from({ length: 51 }, (_, index) => ping(index)),
    400,
    error(-32600, null),
  ),
  body('a batch that holds initialize', [ping(), initialize('2025-03-26', 2)], 400, error(-32600, null)),
  body('a batch of initialize alone', [initialize('2025-03-26')], 400, error(-32600, null)),
  body('a batch of notifications', [told('notifications/initialized'), told('x')], 202, empty),
  body('a batch of responses', [{ jsonrpc: '2.0', id: 1, result: {} }], 202, empty),
  body('a batch with a notification', [ping(1), told('x'), ping(2)], 200, ids([1, 2])),
  body('a batch whose items are no messages', [1, [], {}, null, [ping()]], 200, codes([-32600, -32600, -32600, -32600, -32600])),
  body('a batch with one bad item', [ping('a'), { jsonrpc: '2.0', id: {}, method: 'ping' }, ping('c')], 200, ids(['a', null, 'c'])),
  body('a batch with server/discover', [rpc('server/discover'), ping(2)], 200, codes([-32601, undefined])),
  body('a batch whose second item is unknown', [ping(1), rpc('x', {}, 2), ping(3)], 200, codes([undefined, -32601, undefined])),
  body('a batch with the same id twice', [ping(1), ping(1)], 200, ids([1, 1])),
  body(
    'a batch of a call and its cancellation',
    [call('get_orders', {}, 'a'), told('notifications/cancelled', { requestId: 'a' })],
    200,
    ids(['a']),
  ),
  body('a batch of calls', [call('get_orders', {}, 1), call('get_orders', { order_id: order.id }, 2)], 200, reply => {
    ids([1, 2])(reply)
    assert.equal(reply.body[1].result.structuredContent.items[0].id, order.id)
  }),
  // Media types and transport
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'application/json-rpc',
    'multipart/form-data; boundary=x',
    'nonsense',
    '',
  ].map(
    (type): Case => ({
      what: `Content-Type ${type}`,
      ask: { body: ping(), headers: { 'Content-Type': type } },
      status: 415,
      check: error(-32000, null),
    }),
  ),
  { what: 'no Content-Type', ask: { body: JSON.stringify(ping()), headers: { 'Content-Type': null } }, status: 415 },
  { what: 'no body and no Content-Type', ask: {}, status: 415 },
  ...['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'APPLICATION/JSON', 'application/json; profile=x'].map(
    (type): Case => ({
      what: `Content-Type ${type}`,
      ask: { body: ping(), headers: { 'Content-Type': type } },
      status: 200,
      check: result({}),
    }),
  ),
  { what: 'JSON in UTF-16', ask: { body: ping(), headers: { 'Content-Type': 'application/json; charset=utf-16' } }, status: 415 },
  { what: 'a compressed body', ask: { body: ping(), headers: { 'Content-Encoding': 'gzip' } }, status: 415 },
  { what: 'a body in chunks', ask: { body: JSON.stringify(ping()), isChunked: true }, status: 200, check: result({}) },
  { what: 'no body', ask: { headers: { 'Content-Type': 'application/json' } }, status: 400, check: error(-32700, null) },
  {
    what: 'a body of 20 MB',
    ask: { body: JSON.stringify({ ...ping(), more: 'x'.repeat(20 * 2 ** 20) }) },
    status: 413,
    check: error(-32000, null),
  },
  {
    what: 'a body just over 1 MB',
    ask: { body: JSON.stringify({ ...ping(), more: 'x'.repeat(2 ** 20) }) },
    status: 413,
    check: error(-32000, null),
  },
  {
    what: 'a body just under 1 MB',
    ask: { body: JSON.stringify({ ...ping(), more: 'x'.repeat(2 ** 20 - 100) }) },
    status: 200,
    check: result({}),
  },
  ...['application/json', 'text/event-stream', 'application/json, text/event-stream', '*/*', 'image/png', ''].map(
    (accept): Case => ({ what: `Accept ${accept}`, ask: { body: ping(), headers: { Accept: accept } }, status: 200, check: result({}) }),
  ),
  ...['2025-03-26', '2026-07-28', 'nonsense'].map(
    (value): Case => ({
      what: `MCP-Protocol-Version ${value}`,
      ask: { body: ping(), headers: { 'MCP-Protocol-Version': value } },
      status: 200,
      check: result({}),
    }),
  ),
  {
    what: 'Mcp-Session-Id and Mcp-Method',
    ask: { body: ping(), headers: { 'Mcp-Session-Id': 'a session', 'Mcp-Method': 'tools/list' } },
    status: 200,
    check: reply => assert.equal(reply.headers['mcp-session-id'], undefined),
  },
  // Methods of HTTP
  ...['GET', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'QUERY', 'PROPFIND', 'MKCOL'].map(
    (method): Case => ({
      what: method,
      ask: { method },
      status: 405,
      check: reply => {
        error(-32000, null)(reply)
        assert.equal(reply.headers['allow'], 'POST, OPTIONS')
      },
    }),
  ),
  { what: 'HEAD', ask: { method: 'HEAD' }, status: 405, check: reply => assert.equal(reply.headers['allow'], 'POST, OPTIONS') },
  { what: 'GET without a key', ask: { method: 'GET', headers: { Authorization: null } }, status: 405 },
  { what: 'PUT with a body of another type', ask: { method: 'PUT', body: 'x', headers: { 'Content-Type': 'text/plain' } }, status: 405 },
  { what: 'GET of the path with a letter encoded', ask: { path: '/%61pi/mcp', method: 'GET' }, status: 405 },
  { what: 'a path below, by PROPFIND', ask: { path: '/api/mcp/x', method: 'PROPFIND' }, status: 404, check: error(-32000, null) },
  { what: 'a path below that cannot be read', ask: { path: '/api/mcp/%zz', body: ping() }, status: 404, check: error(-32000, null) },
  { what: 'a path below', ask: { path: '/api/mcp/sse', body: ping() }, status: 404, check: error(-32000, null) },
  { what: 'a path below, by GET', ask: { path: '/api/mcp/', method: 'GET' }, status: 404, check: error(-32000, null) },
  { what: 'a query', ask: { path: '/api/mcp?a=b', body: ping() }, status: 200, check: result({}) },
  // Origins: BASE_URL is a name on the internet
  ...['https://claude.ai', 'http://localhost:6274', 'null'].map(
    (origin): Case => ({
      what: `Origin ${origin}`,
      ask: { body: ping(), headers: { Origin: origin } },
      status: 200,
      check: reply => assert.equal(reply.headers['access-control-allow-origin'], '*'),
    }),
  ),
]

suite('a message', () => {
  for (const { what, ask, status, check } of cases)
    test(what, async () => {
      const reply = await agent.ask(ask)
      assert.equal(reply.status, status, reply.text.slice(0, 500))
      assert.equal(reply.headers['cache-control'], 'no-store')
      assert.match(String(reply.headers['x-trace-id']), /^[0-9a-f]{32}$/)
      if (reply.text) assert.equal(reply.headers['content-type'], 'application/json')
      check?.(reply)
    })

  test('there are more than a hundred of these', () => assert.ok(cases.length > 100, String(cases.length)))
})

test('nothing is carried out of what is not answered, or of a batch that is refused whole', async () => {
  const mine = (await shop.post('/api/v1/orders', anOrder())).body
  const move = call('update_order_status', { order_id: mine.id, status: 'confirmed' })
  const { id: _, ...untold } = move
  const filled = Array.from({ length: MCP_BATCH_MAX }, (_each, id) => ({ ...move, id }))
  for (const [body, status] of [
    [untold, 202],
    [[untold, told('x')], 202],
    [[untold, ping()], 200],
    [[move, initialize('2025-03-26', 2)], 400],
    [[initialize('2025-03-26', 2), move], 400],
    [[...filled, ping('one too many')], 400],
    [{ ...move, jsonrpc: '1.0' }, 400],
    [{ ...move, id: null }, 400],
  ] as const)
    assert.equal((await agent.ask({ body })).status, status, JSON.stringify(body).slice(0, 200))
  assert.equal((await shop.get(`/api/v1/orders/${mine.id}`)).body.status, 'pending')
})

suite('a credential', () => {
  const how = /^Send an agent key \(mcp_…\) or an access token as: Authorization: Bearer <token>$/
  const refused: [string, Record<string, string | null>, boolean, RegExp?][] = [
    ['none', { Authorization: null }, false, how],
    ['an empty one', { Authorization: '' }, true, how],
    ['another scheme', { Authorization: 'Basic abc' }, true, how],
    ['a key without a scheme', { Authorization: agent.key }, true, how],
    ['no token', { Authorization: 'Bearer' }, true, how],
    ['two tokens', { Authorization: 'Bearer a b' }, true],
    ['a REST key', { Authorization: `Bearer ${shop.key}` }, true, /^This is a REST key.*agent keys/],
    ['an unknown key', { Authorization: `Bearer mcp_${'0'.repeat(40)}` }, true],
    ['a key with a wrong checksum', { Authorization: `Bearer ${agent.key.slice(0, -1)}!` }, true],
    ['a refresh token', { Authorization: `Bearer ort_${'a'.repeat(40)}` }, true],
    ['a token of a hundred kilobytes', { Authorization: `Bearer mcp_${'a'.repeat(10_000)}` }, true],
  ]
  for (const [what, headers, wasSent, says = /revoked or has expired/] of refused)
    test(`${what} is a 401 that says where to get a token`, async () => {
      const reply = await agent.ask({ body: ping(), headers })
      assert.equal(reply.status, 401)
      assert.deepEqual(Object.keys(reply.body), ['error', 'error_description'])
      assert.match(reply.body.error_description, says)
      const challenge = 'Bearer resource_metadata="https://shop.example/.well-known/oauth-protected-resource/api/mcp", scope="read write"'
      assert.equal(reply.headers['www-authenticate'], challenge + (wasSent ? ', error="invalid_token"' : ''))
    })

  test('one in the address is a 401', async () => {
    const reply = await askAgent(app.url, { path: `/api/mcp?access_token=${agent.key}`, body: ping() })
    assert.equal(reply.status, 401)
    assert.match(reply.body.error_description, /address/)
  })

  test('the scheme is taken in any case', async () => {
    assert.equal((await agent.ask({ body: ping(), headers: { Authorization: `bearer ${agent.key}` } })).status, 200)
  })

  test('an agent key does not open REST', async () => {
    const reply = await app.request('GET', '/api/v1/orders', { key: agent.key })
    assert.equal(reply.status, 403)
    assert.match(reply.body.type, /invalid-api-key$/)
  })

  test('a key that was revoked is refused from the next request on, whatever is wrong with that', async () => {
    const { id, key } = await createKey(app.sql, { tenant: shop.id, kind: 'mcp', scopes: ['read'] })
    const headers = { Authorization: `Bearer ${key}` }
    const asks: AgentAsk[] = [
      { body: ping() },
      { body: call('get_orders', {}) },
      { body: 'no JSON' },
      { body: [] },
      { body: ping(), headers: { 'Content-Type': 'text/plain' } },
      { body: 'x'.repeat(2 ** 20 + 1) },
    ]
    for (const ask of asks) assert.notEqual((await askAgent(app.url, { ...ask, headers: { ...headers, ...ask.headers } })).status, 401)
    await revokeKey(app.sql, shop.id, id)
    for (const ask of asks) assert.equal((await askAgent(app.url, { ...ask, headers: { ...headers, ...ask.headers } })).status, 401)
  })

  test('the checks come in the order 405, 401, 415, 413, 400', async () => {
    const big = 'x'.repeat(2 ** 20 + 1)
    const wrong = { Authorization: null, 'Content-Type': 'text/plain' }
    const statuses = [
      await agent.ask({ method: 'PUT', body: big, headers: wrong }),
      await agent.ask({ body: big, headers: wrong }),
      await agent.ask({ body: big, headers: { 'Content-Type': 'text/plain' } }),
      await agent.ask({ body: big }),
      await agent.ask({ body: 'x' }),
    ].map(each => each.status)
    assert.deepEqual(statuses, [405, 401, 415, 413, 400])
  })
})

suite('a page of another origin', () => {
  test('asks without a key, and is told what it may send', async () => {
    const reply = await askAgent(app.url, {
      method: 'OPTIONS',
      headers: { Origin: 'https://client.example', 'Access-Control-Request-Method': 'POST' },
    })
    assert.equal(reply.status, 204)
    assert.equal(reply.headers['access-control-allow-origin'], '*')
    for (const name of ['allow', 'access-control-allow-methods']) assert.equal(reply.headers[name], 'POST, OPTIONS')
    assert.equal(
      reply.headers['access-control-allow-headers'],
      'authorization, content-type, mcp-protocol-version, mcp-session-id, last-event-id',
    )
  })

  test('may read refusals too', async () => {
    for (const headers of [{ Authorization: null }, { 'Content-Type': 'text/plain' }]) {
      const reply = await agent.ask({ body: ping(), headers: { Origin: 'https://client.example', ...headers } })
      assert.equal(reply.headers['access-control-allow-origin'], '*')
      assert.equal(reply.headers['access-control-expose-headers'], 'WWW-Authenticate, X-Trace-Id, Retry-After')
    }
  })
})

suite('calls and their slots', () => {
  test('a call takes a slot, and everything else takes none', async () => {
    const small = await app.tenant({ plan: 'free' })
    const mine = await anAgent(app, small.id)
    for (let n = 0; n < 40; n++) assert.equal((await mine.ask({ body: ping() })).status, 200)
    for (let n = 0; n < 30; n++) assert.equal((await mine.call('get_orders')).isError, false)
    const { result, isError } = await mine.call('get_orders')
    assert.equal(isError, true)
    assert.equal(result.error.code, 'rate_limit_exceeded')
    assert.equal(result.error.limit, 30)
    assert.ok(result.error.retry_after_sec >= 1 && result.error.retry_after_sec <= 60)
    assert.equal((await mine.ask({ body: ping() })).status, 200)
  })

  test('calls of a batch that find no slot are refused, and the others go on', async () => {
    const small = await app.tenant({ plan: 'free' })
    const mine = await anAgent(app, small.id)
    const reply = await mine.ask({ body: Array.from({ length: 40 }, (_, id) => (id === 35 ? ping(id) : call('get_orders', {}, id))) })
    const isRefused = reply.body.map((each: { result: { isError?: boolean } }) => each.result.isError === true)
    assert.deepEqual(
      isRefused,
      Array.from({ length: 40 }, (_, id) => id >= 30 && id !== 35),
    )
  })

  test('a credential has six hundred other requests a minute in a process', async () => {
    const mine = await anAgent(app, (await app.tenant()).id)
    const statuses: number[] = []
    for (let n = 0; n < 24; n++)
      statuses.push(
        ...(await Promise.all(Array.from({ length: 26 }, (_, each) => mine.ask({ body: each % 2 ? ping() : '{' })))).map(
          each => each.status,
        ),
      )
    assert.deepEqual(new Set(statuses), new Set([200, 400, 429]))
    assert.equal(statuses.filter(status => status !== 429).length, 600, 'what is no message counts too')
    const reply = await mine.ask({ body: ping() })
    assert.equal(reply.status, 429)
    assert.ok(Number(reply.headers['retry-after']) >= 1)
    assert.equal(reply.body.error.code, -32000)
    assert.equal((await mine.call('get_orders')).isError, false)
  })
})

test('a read key is shown what reads alone; the third item of its batch, a write, is refused and recorded, and the others are answered', async () => {
  const { body: shown } = await reader.ask({ body: rpc('tools/list') })
  assert.equal(shown.result.tools.length, 7)
  for (const tool of shown.result.tools) assert.equal(tool.annotations.readOnlyHint, true)
  const move = call('update_order_status', { order_id: order.id, status: 'confirmed' }, 'third')
  const { body } = await reader.ask({ body: [ping(1), call('get_orders', { order_id: order.id }, 2), move, ping(4)] })
  ids([1, 2, 'third', 4])({ body } as AgentReply)
  assert.deepEqual([body[0].result, body[1].result.structuredContent.count, body[3].result], [{}, 1, {}])
  assert.deepEqual([body[2].result.isError, body[2].result.structuredContent.error.code], [true, 'insufficient_scope'])
  assert.equal((await shop.get(`/api/v1/orders/${order.id}`)).body.status, 'pending')
  const refused = await app.sql`
    select details from audit_log where tenant_id = ${shop.id} and action = 'agent.refuse' and subject_id = ${reader.keyId}`
  assert.deepEqual(
    refused.map(row => row['details']),
    [{ tool: 'update_order_status', reason: 'insufficient_scope' }],
  )
})

test('a batch with lists of tools in it is answered in its order, to the byte as they are alone', async () => {
  const alone = await agent.ask({ body: rpc('tools/list') })
  const list = JSON.stringify(alone.body.result)
  const { text, headers } = await agent.ask({
    body: [ping('é"'), rpc('tools/list', {}, '№ 2'), told('ping'), rpc('no/such'), rpc('tools/list')],
  })
  assert.equal(Number(headers['content-length']), Buffer.byteLength(text))
  const [first, second, third, fourth, ...more] = JSON.parse(text)
  assert.deepEqual([first.id, second.id, third.error.code, fourth.id, more], ['é"', '№ 2', -32601, 1, []])
  assert.deepEqual([JSON.stringify(second.result), JSON.stringify(fourth.result)], [list, list])
})

test('fifty lists of tools in one batch take the memory of one', async () => {
  const list = listingOf(await agentTools())({ scopes: ['read', 'write'], role: 'admin' })
  const pieces = batchOf(Array.from({ length: MCP_BATCH_MAX }, (_, id) => answerOf(id, list))) as Buffer[]
  const own = pieces.filter(piece => piece !== list)
  assert.equal(pieces.length - own.length, MCP_BATCH_MAX)
  assert.ok(own.reduce((sum, { length }) => sum + length, 0) < 100 * MCP_BATCH_MAX)
  const { body } = await agent.ask({ body: Array.from({ length: MCP_BATCH_MAX }, (_, id) => rpc('tools/list', undefined, id)) })
  assert.deepEqual(body, JSON.parse(Buffer.concat(pieces).toString()))
})

test('orders that a batch reads by their ids are read by one statement', async () => {
  const counter = await openCounter(app.databaseUrl)
  const db = openDatabase(counter.url, { name: 'test' })
  const about = { versions: [MCP_VERSION], version: '1' }
  const tools = await agentTools()
  const server = createAgentServer({
    about,
    tools,
    instructions: async () => '',
    db,
    log: pino({ level: 'silent' }),
    longReads: createLongReads(db),
  })
  const work = server.work(frame(Array.from({ length: 20 }, (_, id) => call('get_orders', { order_id: order.id }, id))))
  const slot = { allowed: true, quota: { limit: 600, remaining: 1, resetMs: 1 } }
  const caller = { tenant: shop.id, actor: { type: 'agent_key', id: agent.keyId } } as const
  await db.pointLane`select 1`
  const before = counter.statements()
  const admitted: Admitted = { caller, credential: agent.keyId, scopes: ['read'], role: 'admin', slots: work.buckets.map(() => slot) }
  const text = await work.answer(admitted, { traceId: '', leaving: () => new AbortController().signal })
  const read = JSON.parse(text as string).map(
    (each: { result: { structuredContent: { items: { id: string }[] } } }) => each.result.structuredContent.items[0]?.id,
  )
  assert.deepEqual(
    read,
    Array.from({ length: 20 }, () => order.id),
  )
  assert.equal(counter.statements() - before, 1)
  await db.close()
  await counter.close()
})

test('an id that nothing has is not found', async () => {
  const { result, isError } = await agent.call('get_orders', { order_id: nobody('ord') })
  assert.equal(isError, true)
  assert.equal(result.error.code, 'not_found')
  assert.match(result.error.next_step, /get_orders/)
})

suite('a service on a loopback address', async () => {
  const local = await testApp({ BASE_URL: 'http://127.0.0.1:3000', MCP_PROTOCOL_VERSIONS: '2025-11-25,2025-06-18,2025-03-26' })
  const mine = await anAgent(local, (await local.tenant()).id)

  for (const host of ['localhost:3000', '127.0.0.1', '127.8.9.1:80', '[::1]:3000', 'LOCALHOST'])
    test(`is called as ${host}`, async () => {
      assert.equal((await mine.ask({ body: ping(), headers: { Host: host } })).status, 200)
    })
  for (const host of [
    'shop.example',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    '192.168.0.1',
    '127.0.0.256',
    '[::2]',
    'localhost@evil.example',
  ])
    test(`is not called as ${host}, and says which setting decides`, async () => {
      for (const from of [{}, { Origin: 'http://localhost:6274' }]) {
        const reply = await mine.ask({ body: ping(), headers: { Host: host, ...from } })
        assert.equal(reply.status, 403)
        assert.match(reply.body.error.message, /BASE_URL/)
        const preflight = await mine.ask({ method: 'OPTIONS', headers: { Host: host, ...from } })
        assert.equal(preflight.status, 403)
        for (const { headers } of [reply, preflight]) assert.equal(headers['access-control-allow-origin'], undefined)
      }
    })
  for (const origin of ['http://localhost:6274', 'https://127.0.0.1', 'http://[::1]:1'])
    test(`takes the origin ${origin}`, async () => {
      const reply = await mine.ask({ body: ping(), headers: { Origin: origin } })
      assert.equal(reply.headers['access-control-allow-origin'], origin)
      assert.equal(reply.headers['vary'], 'Origin')
    })
  for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example', 'file://', 'http://localhost:1/path', ''])
    test(`refuses the origin ${JSON.stringify(origin)} before the key is looked at`, async () => {
      const reply = await mine.ask({ body: ping(), headers: { Origin: origin, Authorization: null } })
      assert.equal(reply.status, 403)
      assert.equal(reply.headers['access-control-allow-origin'], undefined)
    })
  for (const [asked, answered] of [
    ['2025-06-18', '2025-06-18'],
    ['2025-03-26', '2025-03-26'],
    ['2024-11-05', '2025-11-25'],
  ] as const)
    test(`answers ${answered} to ${asked} where MCP_PROTOCOL_VERSIONS says so`, async () => {
      version(answered)(await mine.ask({ body: initialize(asked) }))
    })
})

test('a last use of a key is recorded to the minute, also of one for REST', async () => {
  const web = await startWeb({ config: { ...app.config, port: 0 }, databaseUrl: app.databaseUrl, keyring: app.keyring })
  const other = await app.tenant()
  const { keyId, key } = await anAgent(app, other.id)
  await askAgent(web.address, { body: ping(), headers: { Authorization: `Bearer ${key}` } })
  await fetch(`${web.address}/api/v1/orders`, { headers: { Authorization: `Bearer ${other.key}` } })
  const keys = () => listKeys(app.sql, other.id)
  assert.deepEqual(
    (await keys()).map(each => each.last_used_at),
    [null, null],
  )
  await web.close()
  const [agents, rest] = await keys()
  assert.equal(agents?.id, keyId)
  for (const each of [agents, rest]) assert.ok(Math.abs(Date.now() - Date.parse(each?.last_used_at ?? '')) < 60_000)
})
