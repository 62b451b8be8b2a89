// Whether a request can have been taken, and the requests that must not be made twice.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import type { Outcome } from '../../src/outbound/outcome.ts'
import { answered, client, rawServer, receiver } from '../support/outbound.ts'
import { startReceiver, startTcpServer, testCertificate } from '../support/receiver.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

const sent = (outcome: Outcome): string => (outcome.error === undefined ? `answer ${outcome.status}` : `${outcome.error}: ${outcome.sent}`)

test('what never left is known not to be taken: refused addresses, names, connections, TLS, and requests that were given up before', async t => {
  const gone = await startReceiver()
  await gone.close()
  const mute = await startTcpServer(() => {})
  t.after(() => mute.close())
  const secure = await receiver(t, undefined, { tls: true })
  const unknown = async () => {
    throw Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  const inside = async () => [{ address: '10.0.0.1', family: 4 }]
  const strict = client(t, { lookup: inside }, { allowPrivate: false, allowOrigins: [] })
  const aborted = new AbortController()
  aborted.abort()
  const outcomes = await Promise.all([
    strict.send({ url: 'https://127.0.0.1/' }),
    strict.send({ url: 'https://inside.example/' }),
    strict.send({ url: 'no url' }),
    client(t, { lookup: unknown }).send({ url: 'https://unknown.example/' }),
    client(t).send({ url: gone.origin }),
    client(t).send({ url: secure.origin }),
    client(t, { connectTimeoutMs: 30 }).send({ url: `https://127.0.0.1:${mute.port}` }),
    client(t).send({ url: `https://127.0.0.1:${mute.port}`, timeoutMs: 30 }),
    client(t).send({ url: secure.origin, mayBegin: () => false }),
    client(t).send({ url: secure.origin, signal: aborted.signal }),
    client(t, { ca: testCertificate }).send({ url: secure.origin, headers: { 'X A': 'no header' } }),
  ])
  assert.deepEqual(outcomes.map(sent), [
    'private-address: no',
    'private-address: no',
    'invalid-url: no',
    'dns: no',
    'connection-refused: no',
    'tls: no',
    'timeout: no',
    'timeout: no',
    'aborted: no',
    'aborted: no',
    'invalid-request: no',
  ])
  assert.equal(secure.received.length, 0)
})

test('what has left may have been taken: silence, resets, nonsense, floods and aborts after the first byte', async t => {
  const silent = await rawServer(t, () => {})
  const reset = await rawServer(t, socket => socket.resetAndDestroy())
  const ended = await rawServer(t, socket => socket.end())
  const nonsense = await rawServer(t, socket => socket.write('SSH-2.0-OpenSSH_9.9\r\n'))
  const flood = await rawServer(t, socket => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(30)))
  const giving = new AbortController()
  const given = await rawServer(t, () => giving.abort())
  const { send, close } = client(t)
  const closing = send({ url: silent.origin })
  const outcomes = await Promise.all([
    send({ url: silent.origin, timeoutMs: 1_000 }),
    send({ url: reset.origin }),
    send({ url: ended.origin }),
    send({ url: nonsense.origin }),
    send({ url: flood.origin }),
    send({ url: given.origin, signal: giving.signal }),
  ])
  await close()
  assert.deepEqual([...outcomes, await closing].map(sent), [
    'timeout: perhaps',
    'connection-reset: perhaps',
    'connection-reset: perhaps',
    'protocol: perhaps',
    'flood: perhaps',
    'aborted: perhaps',
    'aborted: perhaps',
  ])
})

test('a request that must not be repeated is made once, also where its connection turns out closed', async t => {
  for (const hangUp of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
    const there = await rawServer(t, (socket, request) => (request === 1 ? socket.write(OK) : hangUp(socket)))
    const { send } = client(t)
    answered(await send({ url: there.origin, repeatable: false }))
    assert.equal(sent(await send({ url: there.origin, repeatable: false })), 'connection-reset: perhaps')
    assert.equal(there.connections(), 1)
  }
})

test('a repeat that finds no connection may still have been taken the first time', async t => {
  const there = await rawServer(t, (socket, request) => {
    if (request === 1) return void socket.write(OK)
    socket.resetAndDestroy()
    void there.close()
  })
  const { send } = client(t)
  answered(await send({ url: there.origin }))
  const outcome = await send({ url: there.origin })
  assert.ok(outcome.error)
  assert.equal(outcome.sent, 'perhaps')
})

test('a request that must not be repeated takes no connection that has been idle for a second, and others do', async t => {
  const there = await receiver(t)
  const clock = { now: 1_000_000 }
  t.mock.method(performance, 'now', () => clock.now)
  const { send } = client(t)
  const after = async (ms: number, repeatable?: false) => {
    clock.now += ms
    answered(await send({ url: there.origin, ...(repeatable === false && { repeatable }) }))
    return there.connections
  }
  assert.deepEqual(
    [await after(0, false), await after(900, false), await after(1_100, false), await after(3_000), await after(1_100, false)],
    [1, 1, 2, 2, 3],
  )
})

test('no outcome quotes a path, a query or a header: they hold credentials', async t => {
  const secret = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw'
  const gone = await startReceiver()
  await gone.close()
  const plain = await receiver(t)
  const cut = await rawServer(t, socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'))
  const nonsense = await rawServer(t, socket => socket.write('nonsense\r\n'))
  const reset = await rawServer(t, socket => socket.resetAndDestroy())
  const silent = await rawServer(t, () => {})
  const secure = await receiver(t, undefined, { tls: true })
  const strict = client(t, {}, { allowPrivate: false, allowOrigins: [] })
  const { send, fetched } = client(t)
  const path = `/bot${secret}/sendMessage?token=${secret}`
  const headers = { Authorization: `Bearer ${secret}` }
  const outcomes = await Promise.all([
    ...[gone.origin, cut.origin, nonsense.origin, reset.origin, silent.origin, secure.origin].flatMap(origin => [
      send({ url: `${origin}${path}`, headers, timeoutMs: 100 }),
      fetched({ url: `${origin}${path}`, headers, timeoutMs: 100 }),
    ]),
    ...[
      'https://127.0.0.1',
      'https://localhost',
      'http://shop.example',
      'https://a:b@shop.example',
      'ftp://shop.example',
      'https:/',
      'x',
    ].map(origin => strict.send({ url: `${origin}${path}`, headers })),
    strict.send({ url: `https://shop.example${path}#f` }),
    strict.send({ url: `https://shop.example${path}${'x'.repeat(3_000)}` }),
    send({ url: `${plain.origin}${path}`, headers: { Authorization: `Bearer ${secret}\r\n` } }),
    send({ url: `${plain.origin}${path}`, headers: { ...headers, 'Content-Length': '1' } }),
  ])
  assert.equal(outcomes.length, 23)
  for (const outcome of outcomes) assert.doesNotMatch(JSON.stringify(outcome), /AAHdqTcv/, JSON.stringify(outcome))
})
