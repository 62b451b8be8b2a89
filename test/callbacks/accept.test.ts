// Callbacks on their way in: what is taken, what is refused and in which order, and how many of one address.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { createKeeping } from '../../src/callbacks/callbacks.ts'
import { newId } from '../../src/ids.ts'
import { openDatabase } from '../../src/postgres/sql.ts'
import { startWeb } from '../../src/web.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { openCounter } from '../support/statement-counter.ts'
import { callbackApp } from './given.ts'
import { secretOf, toyKinds } from './toy-kind.ts'

const app = await callbackApp()

test('a callback is durable before it is answered, and applied once', async () => {
  const source = await app.source()
  const answer = await app.send(source, { text: 'hello' })
  assert.equal(answer.status, 200)
  const [row] = await app.rows(source)
  assert.equal(row?.status, 'waiting', 'no worker runs yet')
  assert.deepEqual(answer.body, { object: 'callback', id: row?.id })
  await app.worker()
  await eventuallyHolds(async () => assert.equal((await app.rows(source))[0]?.status, 'applied'))
  assert.deepEqual(
    (await app.applied(source)).map(each => each.said),
    ['hello'],
  )
})

test('the body may have any type, or none', async () => {
  const source = await app.source()
  for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'no type; ; at all'])
    assert.equal((await app.send(source, '{}', { 'Content-Type': type })).status, 200, type)
})

test('NUL and halves of surrogate pairs are mended, and what cannot be stored is left out', async () => {
  const source = await app.source()
  const raw = String.raw`{"text":"a\u0000b\ud83dc\udc00","__proto__":{"x":1},"n\u0000":1,"big":1e400}`
  assert.equal((await app.send(source, raw)).status, 200)
  await app.worker()
  await eventuallyHolds(async () =>
    assert.deepEqual(
      (await app.applied(source)).map(each => each.said),
      ['a\ufffdb\ufffdc\ufffd'],
    ),
  )
})

const DEEP = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`
const BROAD = `{"a":[${'1,'.repeat(200_000)}1]}`

suite('what is wrong is refused, each with its code, and nothing is kept', async () => {
  const source = await app.source()
  const foreign = { tenant: source.tenant, id: newId('chn') }
  const wrong: [
    string,
    () => Promise<{ status: number; body?: { code?: string; errors?: { field: string }[] } }>,
    number,
    string | undefined,
  ][] = [
    ['no signature', () => app.send(source, {}, { 'X-Toy': '' }), 401, 'invalid_signature'],
    ['a wrong signature', () => app.send(source, {}, { 'X-Toy': 'x'.repeat(30) }), 401, 'invalid_signature'],
    ['a wrong signature of what is no JSON', () => app.send(source, 'no json', { 'X-Toy': '' }), 401, 'invalid_signature'],
    ['an unknown channel', () => app.send(foreign, {}), 404, undefined],
    ['an id of no such form', () => app.send({ ...source, id: 'chn_1' }, {}), 404, undefined],
    ['no JSON', () => app.send(source, 'no json'), 422, 'malformed_json'],
    ['nothing', () => app.send(source, ''), 422, 'malformed_json'],
    ['bytes that are no text', () => app.send(source, Buffer.from([0x7b, 0xff, 0x7d])), 422, 'malformed_json'],
    ['null', () => app.send(source, 'null'), 422, 'invalid_type'],
    ['a list', () => app.send(source, '[1]'), 422, 'invalid_type'],
    ['a number', () => app.send(source, '1'), 422, 'invalid_type'],
    ['5 000 brackets deep', () => app.send(source, DEEP), 422, 'too_deep'],
    ['200 000 values', () => app.send(source, BROAD), 413, undefined],
    ['4 MB and a byte', () => app.send(source, Buffer.alloc(4 * 1024 * 1024 + 1, ' ')), 413, undefined],
    ['4 MB and a byte for nobody', () => app.send(foreign, Buffer.alloc(4 * 1024 * 1024 + 1, ' ')), 413, undefined],
    ['a wrong shape', () => app.send(source, { shape: 1 }), 422, 'unknown_field'],
    ['another method', () => app.send(source, undefined, {}, 'PUT'), 405, undefined],
  ]
  for (const [what, send, status, code] of wrong)
    test(what, async () => {
      const answer = await send()
      assert.equal(answer.status, status)
      assert.equal(answer.body?.code, code)
      assert.deepEqual(await app.rows(source), [])
    })

  test('every fault of a signature has one and the same answer, with its scheme', async () => {
    const answers = [await app.send(source, {}, { 'X-Toy': '' }), await app.send(source, { a: 1 }, { 'X-Toy': 'é' })]
    for (const { headers } of answers) assert.equal(headers.get('www-authenticate'), 'Signature')
    const [first, second] = answers.map(({ body: { trace_id: _, ...body } }) => body)
    assert.deepEqual(first, second)
  })

  test('problem documents, trace ids and rate headers as everywhere', async () => {
    for (const answer of [
      await app.send(source, {}),
      await app.send(source, 'x'),
      await app.send(foreign, {}),
      await app.send(source, {}, {}, 'PUT'),
    ]) {
      assert.match(answer.headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/)
      for (const name of ['limit', 'remaining', 'reset']) assert.match(answer.headers.get(`x-ratelimit-${name}`) ?? '', /^\d+$/, name)
      if (answer.status === 200) continue
      assert.equal(answer.headers.get('content-type'), 'application/problem+json')
      assert.equal(answer.body.trace_id, answer.headers.get('x-trace-id'))
    }
    assert.equal((await app.send(source, undefined, {}, 'PUT')).headers.get('allow'), 'GET, POST, HEAD, OPTIONS')
  })
})

test('a platform that asks whether the address is ours gets its challenge as text, or 403', async () => {
  const source = await app.source()
  const ask = (token: string) =>
    fetch(`${app.web.address}/api/channels/${source.id}/callback?hub.mode=subscribe&hub.challenge=%3Cb%3E7&hub.verify_token=${token}`)
  const answer = await ask(secretOf(source.id))
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(await answer.text(), '<b>7')
  assert.equal((await ask('wrong')).status, 403)
  assert.equal((await app.send(await app.source('payment'), undefined, {}, 'GET')).status, 405)
})

test('a secret that was replaced counts at once, and a channel that is deleted within a second', async () => {
  const source = await app.source()
  assert.equal((await app.send(source, {})).status, 200)
  await app.sql`delete from callback_sources where id = ${source.id}`
  assert.equal(
    (await app.send(source, {}, { 'X-Toy': 'wrong' })).status,
    404,
    'a signature that does not fit is no reason to rely on what was read',
  )
  await eventuallyHolds(async () => assert.equal((await app.send(source, {})).status, 404))
})

suite('one address', () => {
  for (const [kind, most] of [
    ['channel', 60],
    ['payment', 30],
  ] as const)
    test(`sends ${most} of a burst of 200 to ${kind}s, all of which are kept; another address is not held`, async () => {
      const limited = await callbackApp({ INBOUND_CHANNEL_LIMIT: '60', INBOUND_PAYMENT_LIMIT: '30', TRUST_PROXY: '1' })
      const sources = [await limited.source(kind), await limited.source(kind)]
      const from = (address: string) => ({ 'X-Forwarded-For': address })
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, n) => limited.send(sources[n % 2] as never, { n }, from(`2001:db8::${n}`))),
      )
      const taken = answers.filter(({ status }) => status === 200)
      assert.equal(taken.length, most)
      for (const refused of answers.filter(each => each.status !== 200)) {
        assert.equal(refused.status, 429)
        assert.ok(Number(refused.headers.get('retry-after')) > 0)
        assert.equal(refused.body.retry_after_sec, Number(refused.headers.get('retry-after')))
        assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
      }
      const kept = (await Promise.all(sources.map(limited.rows))).flat().map(({ id }) => id)
      assert.deepEqual(kept.sort(), taken.map(({ body }) => body.id).sort())
      assert.equal((await limited.send(sources[0] as never, {}, from('2001:db8:0:1::1'))).status, 200)
      const other = await limited.source(kind === 'channel' ? 'payment' : 'channel')
      assert.equal((await limited.send(other, {}, from('2001:db8::1'))).status, 200, 'each kind counts for itself')
    })

  test('uses up its minute with unsigned calls too, and X-Forwarded-For counts only as TRUST_PROXY says', async () => {
    const limited = await callbackApp({ INBOUND_CHANNEL_LIMIT: '3' })
    const source = await limited.source()
    for (let n = 0; n < 3; n++)
      assert.equal((await limited.send(source, {}, { 'X-Toy': '', 'X-Forwarded-For': `192.0.2.${n}` })).status, 401)
    assert.equal((await limited.send(source, {}, { 'X-Forwarded-For': '192.0.2.9' })).status, 429)
  })
})

test('the log says once a minute, for channels and for payments, that callbacks are refused, and which setting to raise', async () => {
  const web = shopdesk(['web'], {
    ...settingsOf(app),
    ...{ LOG_LEVEL: 'info', PORT: '0', HOST: '127.0.0.1', INBOUND_CHANNEL_LIMIT: '2', INBOUND_PAYMENT_LIMIT: '2' },
  })
  await web.says(/listening on \S+/)
  const [, address] = /listening on (http:\/\/[^\s"]+)/.exec(web.stdout()) ?? []
  const refused = await Promise.all(
    ['channels/chn', 'payments/pay'].flatMap(each =>
      Array.from({ length: 8 }, () =>
        fetch(`${address}/api/${each}_00000000000000000000000000/callback`, { method: 'POST' }).then(({ status }) => status),
      ),
    ),
  )
  assert.equal(refused.filter(status => status === 429).length, 12)
  const said = (await web.stop().then(web.stdout)).split('\n').filter(line => line.includes('were refused with 429'))
  assert.deepEqual(said.map(line => JSON.parse(line)['setting']).sort(), ['INBOUND_CHANNEL_LIMIT', 'INBOUND_PAYMENT_LIMIT'])
})

test('a worker is told by what goes out with the callback, in one round trip', async () => {
  await app.worker()
  const source = await app.source()
  const counter = await openCounter(app.databaseUrl, undefined, 10)
  const db = openDatabase(counter.url, { name: 'counted', lanes: 0 })
  const keeping = createKeeping(db, error => assert.fail(String(error)))
  const keep = async (): Promise<number> => {
    const before = counter.roundTrips()
    await keeping.keep(source, '{"text":"hello"}')
    await keeping.allAwake()
    return counter.roundTrips() - before
  }
  try {
    // The statements are prepared on the connection first.
    await keep()
    assert.equal(await keep(), 1)
  } finally {
    await db.close()
    await counter.close()
  }
  await eventuallyHolds(async () => assert.equal((await app.applied(source)).length, 2))
})

test('callbacks that come together share their statements', async () => {
  const counter = await openCounter(app.databaseUrl)
  const web = await startWeb({ ...app, databaseUrl: counter.url }, toyKinds)
  after(async () => {
    await web.close()
    await counter.close()
  })
  const sources = await Promise.all(Array.from({ length: 10 }, () => app.source()))
  const send = (n: number) => {
    const { id } = sources[n % 10] as { id: string }
    const body = JSON.stringify({ text: randomBytes(200).toString('hex') })
    return fetch(`${web.address}/api/channels/${id}/callback`, { method: 'POST', headers: { 'X-Toy': secretOf(id) }, body })
  }
  await Promise.all(Array.from({ length: 20 }, (_, n) => send(n)))
  const before = counter.statements()
  const answers = await Promise.all(Array.from({ length: 200 }, (_, n) => send(n)))
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  assert.ok(counter.statements() - before < 200, `${counter.statements() - before} statements`)
})
