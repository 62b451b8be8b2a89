// A call of a skill, from its arguments to its output: every row of the interface on answers, time limits, repeats, sizes and budget.
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { configure, disable, enable, setCredential, uninstall } from '../../src/apps/deeds.ts'
import type { Caller } from '../../src/caller.ts'
import { newId } from '../../src/ids.ts'
import { RESPONSE_LOG_BYTES } from '../../src/limits/outbound.ts'
import { begin, type Fragment, openDatabase, part, type Sql, type Tx } from '../../src/postgres/sql.ts'
import { standUp } from '../../src/queue/standing.ts'
import type { Called } from '../../src/skills/asking.ts'
import { call } from '../../src/skills/call.ts'
import { make } from '../../src/skills/make.ts'
import { offered } from '../../src/skills/offered.ts'
import { restMs } from '../../src/skills/places.ts'
import { giveBack } from '../../src/skills/writing.ts'
import { testApp } from '../support/app.ts'
import { aManifest, installApp } from '../support/apps.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { sessionWaits } from '../support/locks.ts'
import { rawServer, receiver } from '../support/outbound.ts'
import { type Respond, startTcpServer } from '../support/receiver.ts'
import { openCounter } from '../support/statement-counter.ts'
import { appWith, aSkill, aTurn, briefly, contextOf, rowsOf } from './given.ts'

const app = await testApp({ OUTBOUND_ALLOW_PRIVATE: 'true' })

const json =
  (value: unknown, status = 200): Respond =>
  response =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value))
const text =
  (body: string | Buffer, headers = {}): Respond =>
  response =>
    response.writeHead(200, headers).end(body)
const status =
  (code: number): Respond =>
  response =>
    response.writeHead(code, { Location: 'https://elsewhere.example/' }).end('{"no":true}')

const KB = 1024
const POINTS = { type: 'object', properties: { points: { type: 'integer' } }, required: ['points'] }

// What the app answers, once for each request it gets; whether the skill promises an answer; what comes of it; and how many requests.
const ANSWERS: [what: string, answers: Respond[], outputSchema: object | undefined, expected: unknown, requests: number][] = [
  ['JSON is its value', [json({ points: 3 })], undefined, { output: { points: 3 } }, 1],
  ['and so is a text, a number, null', [json('yes')], undefined, { output: 'yes' }, 1],
  ['any 2xx is success', [json({ points: 3 }, 299)], POINTS, { output: { points: 3 } }, 1],
  ['anything else is text', [text('Hello, <b>you</b>')], undefined, { output: 'Hello, <b>you</b>' }, 1],
  ['a byte order mark is no part of it', [text('\u{FEFF}{"points":1}')], POINTS, { output: { points: 1 } }, 1],
  ['204 is null', [status(204)], undefined, { output: null }, 1],
  ['an empty body is null', [text('')], undefined, { output: null }, 1],
  ['null that is not promised is refused', [text('')], POINTS, ['output', 'invalid_output'], 1],
  ['null that is promised is not', [status(204)], { type: 'null' }, { output: null }, 1],
  ['what is promised as JSON must be some', [text('Hello')], POINTS, ['output', 'not_json'], 1],
  ['and must fit', [json({ points: '3' })], POINTS, ['output', 'invalid_output'], 1],
  ['a text of 256 KB is whole', [text('x'.repeat(256 * KB))], undefined, { output: 'x'.repeat(256 * KB) }, 1],
  ['a longer one is cut', [text('x'.repeat(256 * KB + 1))], undefined, { output: 'x'.repeat(256 * KB), truncated: true }, 1],
  ['and not in the middle of a character', [text('é'.repeat(200 * KB))], undefined, { output: 'é'.repeat(128 * KB), truncated: true }, 1],
  [
    'JSON that is cut is text without a promise',
    [json('y'.repeat(300 * KB))],
    undefined,
    { output: `"${'y'.repeat(256 * KB - 1)}`, truncated: true },
    1,
  ],
  ['and refused with one', [json({ points: 1, more: 'y'.repeat(300 * KB) })], POINTS, ['output', 'truncated'], 1],
  [
    'blanks that are cut off are not missed',
    [text(`{"points":1}${' '.repeat(300 * KB)}`)],
    POINTS,
    { output: { points: 1 }, truncated: true },
    1,
  ],
  ['an answer nested too deeply is no JSON', [text('['.repeat(50_000) + ']'.repeat(50_000))], { type: 'array' }, ['output', 'not_json'], 1],
  [
    'a compressed answer was not asked for',
    [text(gzipSync('{"points":1}'), { 'Content-Encoding': 'gzip' })],
    undefined,
    ['output', 'not_json'],
    1,
  ],
  [
    'one that says that it is not encoded is read, however it says so',
    [text('{"points":1}', { 'Content-Encoding': 'Identity\t' })],
    POINTS,
    { output: { points: 1 } },
    1,
  ],
  ['a text that cannot be stored is mended', [text('a\0b')], undefined, { output: 'a\ufffdb' }, 1],
  [
    'and so is JSON: its texts, its numbers, and the names of its members',
    [text('{"a":["\\u0000\\ud800x",1e400],"b\\u0000":1,"c":2}')],
    { type: 'object', properties: { c: { type: 'number' } }, additionalProperties: { type: 'array' } },
    { output: { a: ['\ufffd\ufffdx', null], c: 2 } },
    1,
  ],
  ['a redirect is not followed', [status(302)], undefined, ['http', 'redirect'], 1],
  ['300 and 304 are redirects too', [status(304)], undefined, ['http', 'redirect'], 1],
  ['4xx is not tried again', [status(400)], undefined, ['http', 'http_status'], 1],
  ['nor is 429', [status(429)], undefined, ['http', 'http_status'], 1],
  ['5xx is tried once more', [status(500), json({ points: 1 })], POINTS, { output: { points: 1 } }, 2],
  ['and no oftener', [status(500), status(503), json({})], undefined, ['http', 'http_status'], 2],
  ['a 4xx after a 5xx counts', [status(502), status(404)], undefined, ['http', 'http_status'], 2],
]

describe('an answer', () => {
  for (const [what, answers, outputSchema, expected, requests] of ANSWERS)
    test(what, async t => {
      const there = await receiver(t, (response, received) => answers[there.received.length - 1]?.(response, received))
      const { ask, shop } = await appWith(t, app, [
        aSkill(there.origin, outputSchema ? { outputSchema: outputSchema as Record<string, unknown> } : {}),
      ])
      const called = await ask()
      assert.deepEqual(briefly(called), expected)
      assert.equal(there.received.length, requests)
      // What was recorded is what is answered to the same call.
      const [row] = await rowsOf(app, shop)
      assert.deepEqual([row?.['stage'], row?.['code']], 'refused' in called ? [called.stage, called.code] : ['done', null])
      assert.equal(row?.['attempts'].length, requests)
      assert.equal(new Set(there.received.map(each => each.headers['idempotency-key'])).size, 1)
      assert.equal(new Set(there.received.map(each => each.body.toString())).size, 1)
    })
})

test('an answer that a schema is not even held against says what it is', async t => {
  for (const [answer, told] of [
    ['Hello', 'It is no JSON.'],
    [`${'['.repeat(33)}${']'.repeat(33)}`, 'It is JSON of more than 32 levels.'],
    ['{"a\\\\b":1}', 'In its JSON the name of a member holds a backslash, which is refused.'],
  ] as const) {
    const there = await receiver(t, text(answer))
    const { ask } = await appWith(t, app, [aSkill(there.origin, { outputSchema: {} })])
    const called = await ask()
    assert.ok('refused' in called && called.code === 'not_json' && called.reason.endsWith(told), JSON.stringify(called))
  }
})

// Servers that speak no HTTP, or too little of it.
const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
type OnRequest = Parameters<typeof rawServer>[1]
const BROKEN: [what: string, onRequest: OnRequest, expected: unknown, requests: number][] = [
  ['silence', () => {}, ['network', 'timeout'], 2],
  ['silence, then an answer', (socket, _request, connection) => connection > 1 && socket.end(OK), { output: {} }, 2],
  ['a reset', socket => socket.resetAndDestroy(), ['network', 'connection'], 2],
  ['an end without an answer', socket => socket.end(), ['network', 'connection'], 2],
  [
    'a body that breaks off',
    socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}', () => socket.resetAndDestroy()),
    ['network', 'connection'],
    2,
  ],
  [
    'a body that breaks off, then a whole one',
    (socket, _request, connection) =>
      connection > 1 ? socket.end(OK) : socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}', () => socket.resetAndDestroy()),
    { output: {} },
    2,
  ],
  ['a head that drips', socket => drip(socket, 'H'), 'no answer', 0],
  [
    'a body that drips',
    socket => drip(socket, '1\r\n \r\n', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'),
    ['network', 'timeout'],
    2,
  ],
  ['a body that never comes', socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'), ['network', 'timeout'], 2],
  ['another protocol', socket => socket.write('SSH-2.0-OpenSSH_9.9\r\n'), ['network', 'connection'], 1],
  [
    'two lengths',
    socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'),
    ['network', 'connection'],
    1,
  ],
  [
    '64 KB of headers',
    socket => socket.write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(64 * KB)}\r\nContent-Length: 2\r\n\r\n{}`),
    ['network', 'connection'],
    1,
  ],
  ['interim answers without end', socket => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(30)), ['network', 'connection'], 1],
  ['an interim answer before the answer', socket => socket.end(`HTTP/1.1 103 Early Hints\r\n\r\n${OK}`), { output: {} }, 1],
  ['64 MB', socket => flood(socket), { output: 'x'.repeat(256 * KB), truncated: true }, 1],
]

function drip(socket: Parameters<OnRequest>[0], piece: string, head = ''): void {
  socket.write(head)
  const timer = setInterval(() => socket.write(piece), 20)
  socket.once('close', () => clearInterval(timer))
}

function flood(socket: Parameters<OnRequest>[0]): void {
  const piece = Buffer.alloc(64 * KB, 'x')
  let left = 1_000
  const go = (): void => {
    while (left-- > 0 && socket.write(piece));
  }
  socket.on('drain', go)
  socket.write('HTTP/1.1 200 OK\r\nContent-Length: 65536000\r\n\r\n')
  go()
}

describe('a service that breaks the protocol', { concurrency: true }, () => {
  for (const [what, onRequest, expected, requests] of BROKEN)
    test(`${what} ends, in its stage and in bounded memory`, async t => {
      const there = await rawServer(t, onRequest)
      const { ask } = await appWith(t, app, [aSkill(there.origin)], { timeoutMs: 2_000 })
      const [before, since] = [process.memoryUsage().arrayBuffers, performance.now()]
      const called = await ask()
      // The body has no time of its own: two attempts are four seconds, and this is a machine that is busy.
      assert.ok(performance.now() - since < 20_000)
      if (expected === 'no answer') assert.ok('refused' in called && called.stage === 'network')
      else {
        assert.deepEqual(briefly(called), expected)
        assert.equal(there.connections(), requests)
      }
      assert.ok(process.memoryUsage().arrayBuffers - before < 32 * KB * KB)
    })
})

test('a connection that went stale costs an attempt that is counted: nothing is asked again in silence', async t => {
  let requests = 0
  const there = await rawServer(t, socket => (requests++ === 1 ? socket.destroy() : socket.write(OK)))
  const { ask, shop } = await appWith(t, app, [aSkill(there.origin)])
  for (let n = 0; n < 2; n++) assert.deepEqual(briefly(await ask()), { output: {} })
  assert.deepEqual(
    (await rowsOf(app, shop)).map(row => row['attempts'].map((each: { status: number | null }) => each.status)),
    [[200], [null, 200]],
  )
  assert.deepEqual([requests, there.connections()], [3, 2])
})

/** Its port is closed to what comes after so many requests, each of which is cut off. */
async function closing(t: TestContext, requests: number) {
  const there = await rawServer(t, (socket, _request, connection) => {
    socket.resetAndDestroy()
    if (connection === requests) void there.close()
  })
  if (requests === 0) await there.close()
  return there
}

test('that the app may have done its work is said where it can have got a request, and nowhere else', async t => {
  const said = async (requests: number, prepare?: (given: Awaited<ReturnType<typeof appWith>>, question: object) => Promise<unknown>) => {
    const there = await closing(t, requests)
    const given = await appWith(t, app, [aSkill(there.origin)])
    const question = { for: { run: newId('run'), step: 'award', revision: 1, secrets: [] } }
    await prepare?.(given, question)
    const called = await given.ask(question)
    assert.deepEqual(briefly(called), ['network', 'connection'])
    assert.equal(there.connections(), requests)
    return 'refused' in called && called.reason.replace(/127[.0-9]+:\d+/, 'IT')
  }
  const [head, tail] = ['The skill “Award points” gave no whole answer.', 'It may have done its work all the same.']
  assert.equal(await said(0), `${head} IT refused the connection.`)
  assert.equal(await said(1), `${head} IT refused the connection. ${tail}`, 'the first attempt was taken')
  assert.match(String(await said(2)), new RegExp(`^${head} .*[^.]\\. ${tail}$`))
  const spared = await said(0, async ({ shop, installed, ask }, question) => {
    const until = (when: Fragment) => app.sql`
      insert into skill_breakers (tenant_id, app, failures, openings, spared_until) values (${shop.id}, ${installed.id}, 5, 1, ${when})
      on conflict (tenant_id, app) do update set spared_until = excluded.spared_until`
    await until(part`now() + interval '1 minute'`)
    assert.deepEqual(briefly(await ask(question)), ['network', 'app_unavailable'])
    await until(part`now() - interval '1 second'`)
  })
  assert.equal(spared, `${head} IT refused the connection.`, 'it waited, and was not asked meanwhile')
})

test('what may not be called is not: private addresses, names that lead there, and those that lead nowhere', async t => {
  const there = await receiver(t)
  const { ask, shop, installed } = await appWith(t, app, [aSkill(there.origin), aSkill('https://rebinding.example/', { id: 'other' })])
  assert.ok(installed && shop)
  const strict = { allowPrivate: false, allowOrigins: [] }
  const closed = contextOf(
    t,
    { ...app, config: { ...app.config, outbound: strict } },
    {},
    { lookup: async () => [{ address: '169.254.169.254', family: 4 }] },
  )
  assert.deepEqual(briefly(await ask({}, closed)), ['network', 'private_address'])
  assert.deepEqual(briefly(await ask({ skill_id: 'other' }, closed)), ['network', 'private_address'])
  const nowhere = contextOf(
    t,
    app,
    {},
    {
      lookup: async () => {
        throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
      },
    },
  )
  assert.deepEqual(briefly(await ask({ skill_id: 'other' }, nowhere)), ['network', 'dns'])
  assert.equal(there.received.length, 0)
})

test('a name that leads elsewhere meanwhile changes nothing: both attempts go to the address that was judged', async t => {
  const there = await rawServer(t, socket => socket.resetAndDestroy())
  const answers = ['127.0.0.1', '10.0.0.1']
  const lookup = async () => [{ address: answers.shift() ?? '169.254.169.254', family: 4 }]
  const moving = contextOf(t, app, {}, { lookup })
  const { ask, shop } = await appWith(t, app, [aSkill(there.origin.replace('127.0.0.1', 'rebinding.localhost'))])
  assert.deepEqual(briefly(await ask({}, moving)), ['network', 'connection'])
  assert.deepEqual([there.connections(), answers], [2, ['10.0.0.1']])
  assert.equal((await rowsOf(app, shop))[0]?.['attempts'].length, 2)
})

describe('an answer before the request is read', () => {
  const EARLY = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
  const letters = { text: 'x'.repeat(60 * KB) }
  const WAYS: [what: string, onSocket: (socket: Socket) => void][] = [
    ['at once, and the connection stays', socket => void socket.pause().write(EARLY)],
    ['at once, and the connection ends', socket => void socket.pause().end(EARLY)],
    ['at its first bytes, and the connection ends', socket => void socket.once('data', () => socket.pause().end(EARLY))],
  ]
  for (const [what, onSocket] of WAYS)
    test(`${what}: it is taken`, async t => {
      const there = await startTcpServer(onSocket)
      t.after(() => there.close())
      const { ask } = await appWith(t, app, [aSkill(there.origin)])
      assert.deepEqual(briefly(await ask({ arguments: letters })), { output: {} })
    })
})

test('both attempts have a time together: the second has what the first left of it, or is not made', async t => {
  const there = await rawServer(t, () => {})
  const skill = aSkill(there.origin)
  const { client } = contextOf(t, app)
  const attempts = async (timeoutMs: number, totalMs: number) => {
    const asked = {
      signal: new AbortController().signal,
      mayBegin: () => true,
      mayNow: async () => false,
      again: async () => 'granted' as const,
    }
    const question = { tenant: newId('ten'), url: there.origin, key: 'k', body: '{}', credential: { mode: 'none' as const } }
    const made = await make({ client, timeoutMs, totalMs, ...asked }, question, skill, { attempts: [], asked: false })
    return made.attempts.map(({ error }) => Number(/within (\d+) ms/.exec(error ?? '')?.[1]))
  }
  const [first, second = 0] = await attempts(300, 400)
  assert.equal(first, 300)
  assert.ok(second <= 100, `the second had ${second} ms`)
  assert.deepEqual(await attempts(100, 100), [100])
})

test('a certificate that cannot be trusted is not called, and not tried again', async t => {
  const there = await receiver(t, json({}), { tls: true })
  const { ask, shop } = await appWith(t, app, [aSkill(there.origin)])
  assert.deepEqual(briefly(await ask()), ['network', 'tls'])
  assert.equal((await rowsOf(app, shop))[0]?.['attempts'].length, 1)
})

test('the app gets its key, its signature and the canonical arguments, and no word of tenant or conversation', async t => {
  const there = await receiver(t, json({}))
  const secret = 'app-secret-0123456789abcdef'
  const { ask, shop, installed } = await appWith(
    t,
    app,
    [aSkill(`${there.origin}/award?v=1`)],
    {},
    { credential: { mode: 'hmac', secret } },
  )
  const turn = { conversation: 'conv_01jz0000000000000000000000', turn: 'a turn' }
  await ask({ arguments: { points: 12, customer: 'Zoë', tier: null }, for: turn })
  const [received] = there.received
  assert.ok(received)
  assert.equal(received.body.toString(), '{"customer":"Zoë","points":12,"tier":null}')
  const { 'x-service-signature': signature, 'x-service-timestamp': at, host, connection, ...headers } = received.headers
  assert.deepEqual(headers, {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': 'Service-Apps/1.0',
    'idempotency-key': 'ae9c0f307f8f4528fcb8b63182587071038df44ef494254ef9e5d1f7636dc1a7',
    'content-length': String(received.body.length),
  })
  assert.equal(signature, `sha256=${createHmac('sha256', secret).update(`${at}.`).update(received.body).digest('hex')}`)
  assert.ok(Math.abs(Date.now() - Number(at)) < 60_000)
  for (const own of [shop.id, installed.id]) assert.ok(!JSON.stringify(received.headers).includes(own))
})

describe('before a request', () => {
  const input = {
    type: 'object',
    properties: { points: { type: 'integer', minimum: 1 } },
    required: ['points'],
    additionalProperties: false,
  }
  const WRONG: [value: unknown, field: string, code: string][] = [
    [{}, 'points', 'required'],
    [{ points: '1' }, 'points', 'invalid_type'],
    [{ points: 0 }, 'points', 'out_of_range'],
    [{ points: 1, more: 1 }, 'more', 'unknown_field'],
    [[], '', 'invalid_type'],
    [{ points: Number.NaN }, 'arguments', 'malformed_json'],
    [{ points: 1, more: 'x'.repeat(64 * KB) }, 'arguments', 'too_long'],
  ]
  test('wrong arguments cost nothing: no request, no budget', async t => {
    const there = await receiver(t, json({}))
    const { ask, shop } = await appWith(t, app, [aSkill(there.origin, { inputSchema: input })])
    const turn = aTurn()
    for (const [value, field, code] of WRONG) {
      const called = await ask({ arguments: value, for: turn })
      assert.deepEqual(briefly(called), ['input', 'invalid_input'])
      const row = (await rowsOf(app, shop)).at(-1)
      assert.deepEqual([row?.['errors'][0].field, row?.['errors'][0].code, row?.['turn_number']], [field, code, null])
    }
    assert.equal(there.received.length, 0)
    for (let points = 1; points <= 3; points++) assert.deepEqual(briefly(await ask({ arguments: { points }, for: turn })), { output: {} })
  })

  test('an app that needs a value, is disabled, or is not there is not called', async t => {
    const there = await receiver(t, json({}))
    const needs = await appWith(
      t,
      app,
      [aSkill(there.origin)],
      {},
      { manifest: { config: [{ key: 'api_key', type: 'secret', required: true }] } },
    )
    const called = await needs.ask()
    assert.ok('refused' in called)
    assert.deepEqual([called.stage, called.code], ['input', 'config_required'])
    assert.match(called.refused, /Award points.*api_key.*Go on without it/)
    await app.sql`update apps set state = 'disabled' where tenant_id = ${needs.shop.id}`
    assert.deepEqual(briefly(await needs.ask()), ['input', 'app_disabled'])
    assert.deepEqual(briefly(await needs.ask({ for: 'test' })), ['input', 'app_disabled'])
    const question = { ...needs.base, for: aTurn() }
    assert.equal(await call(needs.context, { ...question, skill_id: 'other' }), undefined)
    assert.equal(await call(needs.context, { ...question, app_id: newId('app') }), undefined)
    const stranger = await app.tenant()
    assert.equal(await call(needs.context, { ...question, tenant: stranger.id }), undefined)
    assert.equal(there.received.length, 0)
  })

  test('a schema that is not valid any more, of an app that was installed under other rules, lets nothing in and nothing out', async t => {
    const circle = { type: 'object', properties: { a: { $ref: '#' } } }
    for (const [schemas, expected, requests] of [
      [{ inputSchema: circle }, ['input', 'invalid_input'], 0],
      [{ outputSchema: circle }, ['output', 'invalid_output'], 1],
    ] as const) {
      const there = await receiver(t, json({}))
      const { ask, shop, installed } = await appWith(t, app, [aSkill(there.origin)])
      const manifest = JSON.stringify({ ...installed.manifest, skills: [aSkill(there.origin, schemas)] })
      // Of a revision of its own, for manifests are kept read.
      await app.sql`
        insert into app_revisions (tenant_id, app, revision, hash, manifest, created_at)
        select tenant_id, app, 9, hash, ${manifest}, now() from app_revisions where tenant_id = ${shop.id}`
      await app.sql`update apps set revision = 9 where tenant_id = ${shop.id}`
      assert.deepEqual(briefly(await ask()), expected)
      assert.equal((await rowsOf(app, shop))[0]?.['errors'][0].code, 'invalid_schema')
      assert.equal(there.received.length, requests)
    }
  })
})

describe('the budget of a turn', () => {
  const skills = (origin: string) => ['award', 'balance', 'redeem'].map(id => aSkill(origin, { id }))
  const codes = (all: Called[]): string[] => all.map(each => ('refused' in each ? each.code : 'done')).sort()

  test('is eight calls of an app and three of a skill, whoever calls at once', async t => {
    const there = await receiver(t, json({}))
    const { ask } = await appWith(t, app, skills(there.origin))
    const turn = aTurn()
    const all = await Promise.all(
      Array.from({ length: 60 }, (_, n) => ask({ skill_id: ['award', 'balance', 'redeem'][n % 3] as string, arguments: { n }, for: turn })),
    )
    assert.deepEqual(codes(all).filter(each => each === 'done').length, 8)
    assert.deepEqual(new Set(codes(all)), new Set(['done', 'budget_exhausted']))
    assert.equal(there.received.length, 8)
    const one = aTurn()
    assert.deepEqual(codes(await Promise.all(Array.from({ length: 20 }, (_, n) => ask({ arguments: { n }, for: one })))).slice(-3), [
      'done',
      'done',
      'done',
    ])
    assert.equal(there.received.length, 11)
  })

  test('is not spent by the same call again, which is answered from its record', async t => {
    const there = await receiver(t, json({ points: 1 }))
    const { ask } = await appWith(t, app, skills(there.origin))
    const turn = aTurn()
    const all = await Promise.all(Array.from({ length: 20 }, () => ask({ arguments: { n: 1 }, for: turn })))
    assert.deepEqual(new Set(all.map(each => JSON.stringify(each))).size, 1)
    assert.equal(there.received.length, 1)
    // Another turn asks the app again, with the same key.
    await ask({ arguments: { n: 1 }, for: { ...turn, turn: 'the next' } })
    assert.equal(there.received.length, 2)
    assert.equal(there.received[0]?.headers['idempotency-key'], there.received[1]?.headers['idempotency-key'])
  })

  test('is not spent either by a repeat whose answer was long, which stands apart', async t => {
    const long = 'x'.repeat(RESPONSE_LOG_BYTES)
    const there = await receiver(t, json({ long }))
    const { ask, shop } = await appWith(t, app, skills(there.origin))
    const turn = aTurn()
    const [first, again] = [await ask({ for: turn }), await ask({ for: turn })]
    assert.deepEqual([briefly(first), briefly(again)], [{ output: { long } }, { output: { long } }])
    assert.equal(there.received.length, 1)
    const [row] = await rowsOf(app, shop)
    assert.equal(row?.['output'], null)
  })

  test('is no matter of runs and tests', async t => {
    const there = await receiver(t, json({}))
    const { ask, installed } = await appWith(t, app, skills(there.origin))
    for (let n = 0; n < 10; n++) await ask({ for: 'test' })
    const run = newId('run')
    const of = (step: string) => ({ run, step, revision: installed.revision, secrets: [] })
    for (let n = 0; n < 10; n++) await ask({ for: of(`step${n}`) })
    assert.equal(there.received.length, 20)
    await ask({ for: of('step1') })
    assert.equal(there.received.length, 20, 'a step’s call is made once')
  })
})

test('the end of a call writes no index: none has a column that it sets, and pages have room', async () => {
  const [row] = await app.sql`
    select array_agg(distinct a.attname order by a.attname)::text[] as columns, count(*) filter (where i.indpred is not null or i.indexprs is not null) as partial,
           (select reloptions from pg_class where oid = 'skill_calls'::regclass) as options
      from pg_index i
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
     where i.indrelid = 'skill_calls'::regclass`
  const never = ['app', 'created_at', 'id', 'occasion', 'skill_id', 'tenant_id', 'turn_number']
  assert.deepEqual(row, { columns: never, partial: 0, options: ['fillfactor=40'] })
})

test('the assistant is offered the skills of active apps alone, each under a name of its own', async t => {
  const { shop, installed, context } = await appWith(t, app, [aSkill('https://a.example/'), aSkill('https://a.example/', { id: 'ask' })])
  const second = aManifest({ id: 'other:loyalty', skills: [aSkill('https://b.example/')] })
  const other = await installApp(app, shop, second)
  const slugs = async () => (await offered(context.sql, shop.id)).map(({ app_id, skill_id, slug }) => [app_id, skill_id, slug])
  const own = [
    [installed.id, 'award', 'loyalty__award'],
    [installed.id, 'ask', 'loyalty__ask'],
  ]
  assert.deepEqual(await slugs(), [...own, [other.id, 'award', 'loyalty__award_2']])
  const [first] = await offered(context.sql, shop.id)
  assert.deepEqual(first, {
    ...{ app_id: installed.id, skill_id: 'award', slug: 'loyalty__award', name: 'Award points', description: 'Call it to award points.' },
    inputSchema: { type: 'object' },
  })
  await app.sql`update apps set state = 'disabled' where tenant_id = ${shop.id} and id = ${other.id}`
  assert.deepEqual(await slugs(), own)
})

test('a run that got a long answer goes on later, so its app asks for no other meanwhile; a conversation goes on at once', async t => {
  for (const chance of [0, 0.5, 1])
    assert.deepEqual(
      [0, 32 * KB, 96 * KB, 256 * KB].map(bytes => restMs(bytes, chance)),
      [0, 0, 1_000, 3_500].map(ms => ms * (0.5 + chance)),
    )
  const there = await receiver(t, text('x'.repeat(64 * KB)))
  const { ask, installed, shop } = await appWith(t, app, [aSkill(there.origin)])
  await ask()
  await ask({ for: { run: newId('run'), step: 'award', revision: installed.revision, secrets: [] } })
  const back = Date.now()
  const [, { ended_at: at }] = (await rowsOf(app, shop)) as unknown as [unknown, { ended_at: Date }]
  assert.ok(back - at.getTime() >= 240, `${back - at.getTime()} ms after its answer was kept`)
})

/** An app of each of so many workspaces, with one receiver and one process: `ask` calls the app of that number. */
async function apps(t: TestContext, count: number, origin: string, sql: Sql = app.sql) {
  const context = contextOf(t, app, { sql })
  const all = await Promise.all(Array.from({ length: count }, () => appWith(t, app, [aSkill(origin)])))
  return { all, ask: (n: number, about = aTurn()) => (all[n] as (typeof all)[number]).ask({ for: about }, context) }
}

test('calls that are made together share statements', async t => {
  const counter = await openCounter(app.databaseUrl)
  const db = openDatabase(counter.url, { name: 'shopdesk counted' })
  t.after(() => db.close().then(counter.close))
  const held: (() => void)[] = []
  const there = await receiver(t, response => {
    held.push(() => response.end('{}'))
    if (there.received.length > 20) for (const answer of held.splice(0)) answer()
    else if (there.received.length <= 10) response.end('{}')
  })
  const { ask } = await apps(t, 10, there.origin, db.sql)
  await Promise.all(Array.from({ length: 10 }, (_, n) => ask(n)))
  const before = counter.statements()
  await Promise.all(Array.from({ length: 20 }, (_, n) => ask(n % 10)))
  assert.ok(counter.statements() - before < 20, `${counter.statements() - before} statements for 20 calls`)
  const alone = counter.statements()
  there.received.length = 0
  await ask(0)
  assert.equal(counter.statements() - alone, 2, 'a lone call is two statements: its app was read before')
})

test('an app that has changed since its last call is called as it is now, or not at all', async t => {
  const [there, elsewhere] = [await receiver(t, json({})), await receiver(t, json({}))]
  const { ask, shop, installed } = await appWith(t, app, [aSkill(there.origin)])
  const admin: Caller = { tenant: shop.id, actor: { type: 'cli' } }
  await ask()
  await begin(app.sql, tx => setCredential(tx, admin, installed.id, { mode: 'bearer', secret: 'a-new-secret' }, app.keyring))
  await ask()
  assert.deepEqual(
    there.received.map(({ headers }) => headers['authorization']),
    [undefined, 'Bearer a-new-secret'],
  )
  await installApp(app, shop, { ...installed.manifest, skills: [aSkill(elsewhere.origin)] })
  await ask()
  assert.deepEqual([there.received.length, elsewhere.received.length], [2, 1])
  await begin(app.sql, tx => disable(tx, admin, installed.id))
  assert.deepEqual(briefly(await ask()), ['input', 'app_disabled'])
  await begin(app.sql, tx => enable(tx, admin, installed.id))
  assert.deepEqual(briefly(await ask()), { output: {} })
  await begin(app.sql, tx => uninstall(tx, admin, installed.id))
  await assert.rejects(ask(), { message: 'there is no such skill' })
})

/** Connections that wait for locks for ever, unless a statement says otherwise. */
async function patient(t: TestContext) {
  const db = openDatabase(app.databaseUrl, { name: 'shopdesk patient', pool: 4 })
  t.after(() => db.close())
  const all = await Promise.all(Array.from({ length: 4 }, () => db.sql.reserve()))
  for (const each of all) await each`set lock_timeout = 0`
  for (const each of all) each.release()
  return db
}

describe('an app that may not be called any more', { concurrency: true }, () => {
  const required = { config: [{ key: 'word', type: 'string' as const, required: true }] }
  const ENDS: [code: string, end: (tx: Tx, caller: Caller, app: string) => Promise<unknown>][] = [
    ['app_disabled', disable],
    ['app_disabled', uninstall],
    ['config_required', (tx, caller, id) => configure(tx, caller, id, { word: null }, app.keyring)],
  ]
  for (const [code, end] of ENDS)
    test(`gets neither a second attempt nor a call that waited meanwhile: ${code}`, async t => {
      const ended = Promise.withResolvers<void>()
      const there = await receiver(t, async response => {
        await begin(app.sql, tx => end(tx, { tenant: shop.id, actor: { type: 'cli' } }, installed.id))
        ended.resolve()
        response.writeHead(503).end()
      })
      const { ask, shop, installed, context } = await appWith(
        t,
        app,
        [aSkill(there.origin)],
        {},
        { manifest: required, config: { word: 'set' } },
      )
      // A place is free for the second once the app has ended, and long after it was read.
      const late = async (...asked: Parameters<typeof context.places.enter>) => {
        const since = performance.now()
        await ended.promise
        await eventually(async () => performance.now() - since > 1_000)
        return context.places.enter(...asked)
      }
      const waiting = ask({}, { ...context, places: { enter: late } })
      assert.deepEqual(briefly(await ask()), ['http', 'http_status'])
      assert.deepEqual(briefly(await waiting), ['input', code])
      assert.equal(there.received.length, 1)
      const rows = await rowsOf(app, shop)
      assert.deepEqual(rows.map(({ stage, lease_token }) => [stage, lease_token]).sort(), [
        ['http', null],
        ['input', null],
      ])
    })
})

test('a lock that is in the way of one call holds up no other', async t => {
  const there = await receiver(t, json({}))
  const db = await patient(t)
  const { all, ask } = await apps(t, 2, there.origin, db.sql)
  const [{ shop, installed }] = all as [(typeof all)[number]]
  const isOurs = part`tenant_id = ${shop.id} and app = ${installed.id}`
  await app.sql`insert into skill_breakers (tenant_id, app, failures) values (${shop.id}, ${installed.id}, 1)`
  const turn = aTurn()
  const LOCKS = [
    ['at its end', part`select from skill_breakers where ${isOurs} for update`, aTurn()],
    [
      'at its beginning',
      part`
        insert into skill_calls (tenant_id, id, app, revision, skill_id, purpose, occasion, turn_number, key, input, stage)
        values (${shop.id}, ${newId('call')}, ${installed.id}, 1, 'award', 'conversation', ${turn.turn}, 1, 'another', '{}', 'done')`,
      turn,
    ],
  ] as const
  for (const [where, lock, about] of LOCKS) {
    let isDone = false
    const held = await begin(app.sql, async tx => {
      await tx`${lock}`
      const held = ask(0, about).finally(() => {
        isDone = true
      })
      await sessionWaits(app.sql)
      assert.deepEqual(briefly(await ask(1)), { output: {} })
      assert.equal(isDone, false, where)
      return { held }
    })
    assert.deepEqual(briefly(await held.held), { output: {} }, where)
  }
})

test('a call whose second attempt could not be noted is given back: the next asker makes it at once', async t => {
  const held = Promise.withResolvers<void>()
  const asked = Promise.withResolvers<void>()
  const there = await receiver(t, response => {
    asked.resolve()
    void held.promise.then(() =>
      response.writeHead(there.received.length === 1 ? 500 : 200, { 'Content-Type': 'application/json' }).end('{}'),
    )
  })
  const { ask, shop } = await appWith(t, app, [aSkill(there.origin)])
  const turn = { for: aTurn() }
  // It may be rejected while the transaction is still under way.
  const rejected = assert.rejects(ask(turn))
  await asked.promise
  await begin(app.sql, async tx => {
    await tx`select from skill_calls where tenant_id = ${shop.id} for update`
    held.resolve()
    await sessionWaits(app.sql)
    await app.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  })
  await rejected
  assert.equal((await rowsOf(app, shop))[0]?.['lease_token'], null)
  assert.deepEqual(briefly(await ask(turn)), { output: {} })
})

test('a setting that a run was given is masked in what comes back, also where it was replaced meanwhile', async t => {
  const there = await receiver(t, json({ said: 'tok_before' }))
  const { ask, installed, shop } = await appWith(t, app, [aSkill(there.origin)])
  const step = { run: newId('run'), step: 'award', revision: installed.revision, secrets: ['tok_before'] }
  assert.deepEqual(briefly(await ask({ for: step })), { output: { said: '••••' } })
  // So short that it is found by no search: the run says where it stands.
  const pin = { ...step, step: 'pin', secrets: ['123'], shown: { note: 'PIN ••••' } }
  await ask({ arguments: { note: 'PIN 123' }, for: pin })
  assert.equal(there.received.at(-1)?.body.toString(), '{"note":"PIN 123"}')
  const row = (await rowsOf(app, shop)).find(each => each['step_id'] === 'pin')
  assert.equal(row?.['input'], '{"note":"PIN ••••"}')
})

test('a call is given back by one try where its end has waited for the database already', async () => {
  let connections = 0
  const away = createServer(socket => {
    connections++
    socket.destroy()
  })
  await once(away.listen(0, '127.0.0.1'), 'listening')
  const { sql, close } = openDatabase(`postgres://x@127.0.0.1:${(away.address() as AddressInfo).port}/x`, {
    name: 'far',
    lanes: 0,
    pool: 1,
  })
  await assert.rejects(giveBack(sql, 'ten', 'call', randomUUID(), true, performance.now() - 60_000))
  assert.equal(connections, 1)
  await close()
  away.close()
})

test('a call that is given up is given back, also where the database is away at that moment: no asker waits for its lease', async t => {
  const asked = Promise.withResolvers<void>()
  const there = await receiver(t, () => asked.resolve())
  const { ask, shop } = await appWith(t, app, [aSkill(there.origin)])
  const [giving, turn] = [new AbortController(), { for: aTurn() }]
  const rejected = assert.rejects(ask({ ...turn, signal: giving.signal }), { name: 'AbortError' })
  await asked.promise
  await begin(app.sql, async tx => {
    await tx`select from skill_calls where tenant_id = ${shop.id} for update`
    giving.abort()
    await sessionWaits(app.sql)
    await tx`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  })
  await rejected
  const [row] = await rowsOf(app, shop)
  assert.deepEqual([row?.['stage'], row?.['lease_token']], [null, null])
  await there.close()
  const again = await ask(turn)
  assert.match('refused' in again ? again.reason : '', /refused the connection\. It may have done its work all the same\.$/)
})

test('a call that begins while the session of its process is late waits for it, and is made once', async t => {
  const proxy = await flakyProxy(app.databaseUrl)
  const standing = await standUp(proxy.url, pino({ level: 'silent' }), new AbortController().signal)
  t.after(standing.close)
  const there = await receiver(t, response => response.end('{"points":1}'))
  const { ask, shop } = await appWith(t, app, [aSkill(there.origin)], { standing })
  const token = standing.token()
  proxy.silence('both')
  await eventually(async () => !standing.holds(token))
  const called = ask()
  // Its row is written, and it has its place.
  await eventually(async () => (await app.sql`select from skill_calls where tenant_id = ${shop.id}`).length === 1)
  proxy.mend()
  assert.deepEqual({ ...(await called), call_id: '' }, { output: { points: 1 }, truncated: false, call_id: '' })
  assert.equal(there.received.length, 1)
})

test('once its process stops, the request under way ends, nothing else begins, and what is left is made by whoever asks next', async t => {
  const held = new Map<string, Parameters<Respond>[0]>()
  const there = await receiver(t, (response, { body }) => {
    held.set(JSON.parse(body.toString()).call, response)
  })
  const stop = new AbortController()
  const { ask, shop, context } = await appWith(t, app, [aSkill(there.origin)], { stopping: stop.signal })
  const of = (name: string) => ({ arguments: { call: name }, for: aTurn() })
  const [kept, repeated, left] = [of('kept'), of('repeated'), of('left')]
  const asked = [kept, repeated, left].map(each => ask(each))
  await there.until(3)
  const waiting = assert.rejects(ask(left), { name: 'GivenUp' })
  stop.abort()
  context.client.stop()
  await waiting
  await assert.rejects(ask(of('late')), { name: 'GivenUp' })
  assert.equal((await rowsOf(app, shop)).length, 3)
  held.get('kept')?.end('{"points":1}')
  assert.deepEqual(briefly((await asked[0]) as Called), { output: { points: 1 } })
  // Its second attempt would begin now.
  held.get('repeated')?.writeHead(500).end()
  await assert.rejects(asked[1] as Promise<Called>, { name: 'GivenUp' })
  await Promise.all([assert.rejects(asked[2] as Promise<Called>, { name: 'GivenUp' }), context.client.close()])
  assert.equal(there.received.length, 3)
  const other = contextOf(t, app)
  const again = [repeated, left].map(each => ask(each, other))
  await there.until(5)
  for (const each of ['repeated', 'left']) held.get(each)?.end('{"points":2}')
  for (const each of again) assert.deepEqual(briefly(await each), { output: { points: 2 } })
  assert.equal(new Set(there.received.map(({ headers }) => headers['idempotency-key'])).size, 3)
})
