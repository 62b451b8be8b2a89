// The outbound client against real servers on loopback: answers of every shape, and receivers that misbehave in every way we know.
import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { test } from 'node:test'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import type { Address } from '../../src/outbound/connect.ts'
import type { Outcome } from '../../src/outbound/outcome.ts'
import { answered, client, failed, rawServer, receiver } from '../support/outbound.ts'
import { type Respond, startReceiver, startTcpServer, testCertificate, testKey } from '../support/receiver.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

test('the receiver gets the method, the path, the headers and the exact bytes, and we get its answer', async t => {
  const there = await receiver(t, response => response.writeHead(202, { 'X-Thing': ['a', 'b'] }).end('schön'))
  const body = '{"name":"Олена 🛒"}'
  const outcome = answered(
    await client(t).send({
      url: `${there.origin}/hook/a%20b?x=1&y=%F0`,
      body,
      headers: { 'Content-Type': 'application/json', 'X-Service-Event': 'order.created' },
    }),
  )
  assert.deepEqual(there.received[0]?.body, Buffer.from(body))
  assert.equal(there.received[0]?.method, 'POST')
  assert.equal(there.received[0]?.path, '/hook/a%20b?x=1&y=%F0')
  assert.deepEqual(there.received[0]?.headers, {
    host: `127.0.0.1:${there.port}`,
    connection: 'keep-alive',
    'content-type': 'application/json',
    'x-service-event': 'order.created',
    'content-length': String(Buffer.byteLength(body)),
  })
  assert.deepEqual([outcome.status, outcome.body, outcome.truncated, outcome.headers['x-thing']], [202, 'schön', false, ['a', 'b']])
})

test('a Buffer and an empty body arrive as they are', async t => {
  const there = await receiver(t)
  const { send } = client(t)
  await send({ url: there.origin, body: Buffer.from([0, 255, 13, 10]) })
  await send({ url: there.origin, body: '' })
  assert.deepEqual(
    there.received.map(({ body }) => [...body]),
    [[0, 255, 13, 10], []],
  )
})

const megabyte = Buffer.alloc(1_000_000, 'a body, written in pieces ')

for (const tls of [false, true])
  test(`a large body arrives as it is, and again on the same connection${tls ? ', encrypted' : ''}`, async t => {
    const server = await receiver(t, undefined, { tls })
    const { origin, received } = server
    const { send } = client(t, { ca: testCertificate })
    for (let i = 0; i < 2; i++) assert.equal(answered(await send({ url: origin, body: megabyte })).status, 204)
    for (const { body, headers } of received) {
      assert.ok(body.equals(megabyte))
      assert.equal(headers['content-length'], '1000000')
      assert.equal(headers['transfer-encoding'], undefined)
    }
    assert.equal(received.length, 2)
    assert.equal(server.connections, 1)
  })

test('an answer to a body that is not read stands, and its connection is not used again; silence and resets are what they are, and the next request is sent', async t => {
  const respond = ['HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n', undefined, 'reset']
  const server = await startTcpServer(socket => {
    socket.once('data', () => {
      socket.pause()
      const now = respond.shift()
      if (now === 'reset') socket.resetAndDestroy()
      else if (now) socket.write(now)
      else if (respond.length === 0) socket.end('HTTP/1.1 204 No Content\r\n\r\n')
    })
  })
  t.after(() => server.close())
  const { send } = client(t)
  // More bytes than the buffers of both ends hold.
  const body = Buffer.concat(Array.from({ length: 10 }, () => megabyte))
  const sent = () => send({ url: server.origin, body, timeoutMs: 2_000 })
  assert.equal(answered(await sent()).status, 413)
  failed(await sent(), 'timeout', /No response/)
  failed(await sent(), 'connection-reset', /./)
  assert.equal(answered(await send({ url: server.origin })).status, 204)
})

test('204, 1xx before the answer, chunks and errors are answers', async t => {
  const shapes: [expected: number, body: string, respond: Respond][] = [
    [204, '', response => response.writeHead(204).end()],
    [
      200,
      'late',
      response => {
        response.writeEarlyHints({ link: '</a>; rel=preload' })
        response.writeProcessing()
        response.end('late')
      },
    ],
    [
      200,
      'ab',
      response => {
        response.write('a')
        response.end('b')
      },
    ],
    [410, 'gone', response => response.writeHead(410).end('gone')],
    [503, '', response => response.writeHead(503, { 'Retry-After': '7' }).end()],
  ]
  const { send } = client(t)
  for (const [status, body, respond] of shapes) {
    const there = await receiver(t, respond)
    const outcome = answered(await send({ url: there.origin }))
    assert.deepEqual([outcome.status, outcome.body, outcome.truncated], [status, body, false])
  }
})

test('compression is not asked for and not undone', async t => {
  const there = await receiver(t, response => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('x'.repeat(100))))
  const outcome = answered(await client(t).send({ url: there.origin }))
  assert.equal(there.received[0]?.headers['accept-encoding'], undefined)
  assert.equal(outcome.headers['content-encoding'], 'gzip')
  assert.notEqual(outcome.body, 'x'.repeat(100))
})

test('a redirect is an answer and is not followed, least of all to a metadata address', async t => {
  const elsewhere = await receiver(t)
  for (const location of ['http://169.254.169.254/latest/meta-data/', elsewhere.origin]) {
    const there = await receiver(t, response => response.writeHead(307, { location }).end())
    const outcome = answered(await client(t).send({ url: there.origin }))
    assert.deepEqual([outcome.status, outcome.headers['location']], [307, location])
  }
  assert.equal(elsewhere.connections, 0)
})

test('invalid UTF-8 in an answer is replaced', async t => {
  const there = await receiver(t, response => response.end(Buffer.from([0x61, 0xff, 0x62])))
  assert.equal(answered(await client(t).send({ url: there.origin })).body, 'a\ufffdb')
})

test('the first part of a large answer is kept and the rest is cancelled with its connection', async t => {
  let sent = 0
  const endless: Respond = response => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
    }
    response.on('drain', more)
    more()
  }
  const large: Respond = response => response.end('x'.repeat(10 * 1024 * 1024))
  const closing: Respond = response => response.writeHead(200, { Connection: 'close' }).end('x'.repeat(2000))
  for (const respond of [endless, large, closing]) {
    const there = await receiver(t, respond)
    const outbound = client(t)
    const outcome = answered(await outbound.send({ url: there.origin }))
    assert.deepEqual([outcome.status, outcome.body, outcome.truncated], [200, 'x'.repeat(1024), 'size'])
    answered(await outbound.send({ url: there.origin }))
    assert.equal(there.connections, 2)
  }
  assert.ok(sent < 64 * 1024 * 1024)
})

test('a large answer is cut, and no flood, where its headers come by themselves and its body at once', async t => {
  const there = await rawServer(t, socket => {
    socket.on('error', () => {})
    socket.write(`HTTP/1.1 200 OK\r\nX-Policy: ${'x'.repeat(8_000)}\r\nContent-Length: 400000\r\n\r\n`)
    // The client, which is of this process, has read the headers before the second turn.
    setImmediate(() => setImmediate(() => socket.write('x'.repeat(400_000))))
  })
  assert.equal(answered(await client(t).send({ url: there.origin })).truncated, 'size')
})

test('an answer of exactly the kept size is whole, and its connection is used again', async t => {
  const there = await receiver(t, response => response.end('x'.repeat(1024)))
  const { send } = client(t)
  for (const _ of [1, 2]) assert.equal(answered(await send({ url: there.origin })).truncated, false)
  assert.equal(there.connections, 1)
})

test('timings name the steps taken: a reused connection has no name to resolve and no connection to make', async t => {
  const there = await receiver(t, response => response.end('ok'), { tls: true })
  const { send } = client(t, { ca: testCertificate, lookup: async () => [{ address: '127.0.0.1', family: 4 }] })
  const url = `https://receiver.test:${there.port}`
  const first = await send({ url })
  const second = await send({ url })
  assert.deepEqual(Object.keys(answered(first).timings).sort(), ['connectMs', 'dnsMs', 'firstByteMs', 'tlsMs', 'totalMs'])
  assert.deepEqual(Object.keys(answered(second).timings).sort(), ['firstByteMs', 'totalMs'])
  assert.equal(there.connections, 1)
})

test('a certificate is verified for the name in the URL, whatever address it leads to', async t => {
  const there = await receiver(t, undefined, { tls: true })
  const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
  const trusting = client(t, { ca: testCertificate, lookup })
  assert.equal(answered(await trusting.send({ url: `https://receiver.test:${there.port}` })).status, 204)
  assert.equal(answered(await trusting.send({ url: `https://127.0.0.1:${there.port}` })).status, 204)
  failed(await trusting.send({ url: `https://other.test:${there.port}` }), 'tls', /does not match certificate's altnames/)
  failed(await client(t, { lookup }).send({ url: `https://receiver.test:${there.port}` }), 'tls', /self-signed certificate$/)
  const plain = await receiver(t)
  failed(await trusting.send({ url: `https://receiver.test:${plain.port}` }), 'tls', /^The TLS connection failed: wrong version number\.$/)
})

test('IPv6 receivers are called too', async t => {
  const there = await receiver(t, undefined, { host: '::1' })
  assert.equal(answered(await client(t).send({ url: `${there.origin}/six` })).status, 204)
  assert.equal(there.received[0]?.headers.host, `[::1]:${there.port}`)
})

test('a name with several addresses is reached at the one that answers', async t => {
  const there = await receiver(t)
  const addresses = [
    { address: '::1', family: 6 },
    { address: '127.0.0.1', family: 4 },
  ]
  const outcome = await client(t, { lookup: async () => addresses }).send({ url: `http://shop.localhost:${there.port}` })
  assert.equal(answered(outcome).status, 204)
})

test('a name that leads to a private address is refused before a connection is made, one such address among many included', async t => {
  const there = await receiver(t)
  const answers = [
    ['127.0.0.1'],
    ['93.184.216.34', '127.0.0.1'],
    ['2606:4700::1', '::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['64:ff9b::a9fe:a9fe'],
    ['fe80::1%lo'],
  ]
  for (const answer of answers) {
    const lookup = async () => answer.map(address => ({ address, family: address.includes(':') ? 6 : 4 }))
    const strict = client(t, { lookup }, { allowPrivate: false, allowOrigins: [] })
    failed(
      await strict.send({ url: `https://rebinding.example:${there.port}` }),
      'private-address',
      /^rebinding\.example does not lead to a public address\.$/,
    )
    assert.equal(strict.stats().connections, 0)
  }
  assert.equal(there.connections, 0)
})

test('the connection goes to the very address that was checked: the resolver is asked once', async t => {
  const checked = await receiver(t)
  const answers = ['127.0.0.1', '127.0.0.2']
  let asked = 0
  const lookup = async () => [{ address: answers[asked++] as string, family: 4 }]
  const outcome = await client(t, { lookup }).send({ url: `http://rebinding.localhost:${checked.port}` })
  assert.equal(answered(outcome).status, 204)
  assert.equal(asked, 1)
})

test('literal addresses, private names, userinfo and bad URLs are refused without a connection', async t => {
  const there = await receiver(t)
  const strict = client(t, {}, { allowPrivate: false, allowOrigins: [] })
  failed(await strict.send({ url: `https://127.0.0.1:${there.port}` }), 'private-address', /127\.0\.0\.1/)
  failed(await strict.send({ url: `https://0x7f.1:${there.port}` }), 'private-address', /127\.0\.0\.1/)
  failed(await strict.send({ url: `https://[::ffff:7f00:1]:${there.port}` }), 'private-address', /::ffff:7f00:1/)
  failed(await strict.send({ url: `https://localhost:${there.port}` }), 'private-address', /localhost/)
  failed(await strict.send({ url: there.origin }), 'invalid-url', /https:\/\//)
  failed(await strict.send({ url: 'https://user:password@shop.example/' }), 'invalid-url', /user name or password/)
  failed(await strict.send({ url: 'no url' }), 'invalid-url', /cannot be read/)
  assert.equal(there.connections, 0)
})

test('http:// reaches loopback only, also when a name of loopback leads elsewhere', async t => {
  const lookup = async () => [{ address: '10.0.0.1', family: 4 }]
  failed(await client(t, { lookup }).send({ url: 'http://shop.localhost/' }), 'invalid-url', /only for loopback/)
})

test('an allowed origin is called, its neighbour port is not', async t => {
  const [mine, other] = [await receiver(t), await receiver(t)]
  const demo = client(t, {}, { allowPrivate: false, allowOrigins: [mine.origin] })
  assert.equal(answered(await demo.send({ url: `${mine.origin}/hook` })).status, 204)
  failed(await demo.send({ url: `${other.origin}/hook` }), 'invalid-url', /https/)
})

test('a name that does not resolve and a port that does not listen say so', async t => {
  const there = await startReceiver()
  await there.close()
  failed(await client(t).send({ url: there.origin }), 'connection-refused', /refused the connection/)
  const both = async () => [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]
  failed(await client(t, { lookup: both }).send({ url: `http://shop.localhost:${there.port}` }), 'connection-refused', /refused/)
  const unknown = async () => {
    throw Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' })
  }
  failed(await client(t, { lookup: unknown }).send({ url: 'https://shop.example' }), 'dns', /shop\.example does not resolve \(ENOTFOUND\)/)
  failed(await client(t, { lookup: async () => [] }).send({ url: 'https://shop.example' }), 'dns', /no address/)
})

test('many requests to one slow name share one look-up', async t => {
  let asked = 0
  const lookup = async () => {
    asked++
    await new Promise(setImmediate)
    return []
  }
  const { send } = client(t, { lookup })
  await Promise.all(Array.from({ length: 30 }, () => send({ url: 'https://shop.example' })))
  assert.equal(asked, 1)
})

test('no headers in time is a timeout, and the connection is closed', async t => {
  const closed = Promise.withResolvers<void>()
  const silent = await rawServer(t, socket => socket.once('close', () => closed.resolve()))
  const slow = await rawServer(t, socket => {
    const drip = setInterval(() => socket.write('H'), 5)
    socket.once('close', () => clearInterval(drip))
  })
  const endlessHints = await rawServer(t, socket => {
    const drip = setInterval(() => socket.write('HTTP/1.1 102 Processing\r\n\r\n'), 50)
    socket.once('close', () => clearInterval(drip))
  })
  for (const { origin } of [silent, slow, endlessHints]) {
    const outcome = await client(t).send({ url: origin, timeoutMs: 500 })
    if (origin !== slow.origin) failed(outcome, 'timeout', /No response within 500 ms/)
    else assert.ok(outcome.error)
    assert.ok(outcome.timings.totalMs < 10_000)
  }
  await closed.promise
})

test('a connection that cannot be made in time is a timeout', async t => {
  const { promise, resolve } = Promise.withResolvers<Address[]>()
  t.after(() => resolve([]))
  failed(
    await client(t, { lookup: () => promise }).send({ url: 'https://shop.example', timeoutMs: 30 }),
    'timeout',
    /No connection within 30 ms/,
  )
  const mute = await startTcpServer(() => {})
  t.after(() => mute.close())
  const { send } = client(t, { connectTimeoutMs: 500 })
  failed(await send({ url: `https://127.0.0.1:${mute.port}` }), 'timeout', /TLS/)
})

test('a request that was given up before its connection was made is not sent later', async t => {
  const there = await receiver(t)
  const slow = Promise.withResolvers<Address[]>()
  const { send } = client(t, { lookup: () => slow.promise })
  const url = `http://slow.localhost:${there.port}`
  failed(await send({ url, timeoutMs: 20 }), 'timeout', /No connection/)
  const next = send({ url: `${url}/next` })
  slow.resolve([{ address: '127.0.0.1', family: 4 }])
  answered(await next)
  assert.deepEqual([there.connections, there.received.map(({ path }) => path)], [1, ['/next']])
})

test('a body that drips is cut at the total limit, and the status stands', async t => {
  const there = await rawServer(t, socket => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n')
    const drip = setInterval(() => socket.write('1\r\nx\r\n'), 5)
    socket.once('close', () => clearInterval(drip))
  })
  const outcome = answered(await client(t).send({ url: there.origin, timeoutMs: 500, bodyExtraMs: 500 }))
  assert.deepEqual([outcome.status, outcome.truncated], [200, 'timeout'])
  assert.match(outcome.body, /^x+$/)
  assert.ok(outcome.timings.totalMs >= 999 && outcome.timings.totalMs < 20_000)
})

test('an answer that breaks off keeps its status and says how it broke', async t => {
  const short = await rawServer(t, socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'))
  const reset = await rawServer(t, socket =>
    socket.write('HTTP/1.1 500 No\r\nContent-Length: 10\r\n\r\nabc', () => socket.resetAndDestroy()),
  )
  const { send } = client(t)
  const first = answered(await send({ url: short.origin }))
  assert.deepEqual([first.status, first.body], [200, 'abc'])
  assert.ok(first.truncated)
  const second = answered(await send({ url: reset.origin }))
  assert.deepEqual([second.status, second.truncated], [500, 'connection-reset'])
})

test('an answer that ends with the connection is whole', async t => {
  const there = await rawServer(t, socket => socket.end('HTTP/1.1 200 OK\r\n\r\nto the end'))
  const outcome = answered(await client(t).send({ url: there.origin }))
  assert.deepEqual([outcome.status, outcome.body, outcome.truncated], [200, 'to the end', false])
})

test('a reset or a half-close instead of an answer is a connection-reset, and is not tried again on a new connection', async t => {
  for (const hangUp of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
    const there = await rawServer(t, hangUp)
    failed(await client(t).send({ url: there.origin }), 'connection-reset', /^The connection was (closed|reset) before an answer came\.$/)
    assert.equal(there.connections(), 1)
  }
})

test('malformed HTTP is a protocol error', async t => {
  const nonsense: [string, RegExp][] = [
    ['SSH-2.0-OpenSSH_9.9\r\n', /HTTP/],
    ['\u0000\u0001\u0002', /HTTP/],
    ['HTTP/1.1 abc\r\n\r\n', /HTTP/],
    ['HTTP/1.1 000 Zero\r\n\r\n', /^The status of the answer is below 100, which HTTP does not know\.$/],
    ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', /length/],
    ['HTTP/1.1 100 Continue\r\n\r\n', /^The answer says to go on with the request \(100\)/],
    [
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n',
      /^The answer changes to another protocol \(101\)/,
    ],
  ]
  for (const [bytes, told] of nonsense) {
    const there = await rawServer(t, socket => socket.write(bytes))
    failed(await client(t).send({ url: there.origin }), 'protocol', told)
  }
})

test('response headers beyond 16 KB are a protocol error', async t => {
  const one = await rawServer(t, socket => socket.write(`HTTP/1.1 200 OK\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`))
  const many = await rawServer(t, socket => socket.write(`HTTP/1.1 200 OK\r\n${'X-A: aaaaaaaaaa\r\n'.repeat(2_000)}\r\n`))
  for (const there of [one, many]) failed(await client(t).send({ url: there.origin }), 'protocol', /[Hh]eader/)
})

test('a flood before the end of an answer ends after 64 KB, or twenty interim answers, and says so', async t => {
  const pieces = {
    interim: ['', 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'],
    line: ['HTTP/1.1 200 ', 'x'.repeat(1024)],
    extension: ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;', 'x'.repeat(1024)],
    size: ['HTTP/1.1 500 No\r\nTransfer-Encoding: chunked\r\n\r\n', '0'.repeat(1024)],
  }
  for (const [what, [head = '', piece = '']] of Object.entries(pieces)) {
    let sent = 0
    const there = await rawServer(t, socket => {
      socket.on('error', () => {})
      socket.write(head)
      const more = (): void => {
        while (!socket.destroyed && socket.write(piece)) sent += piece.length
      }
      socket.on('drain', more)
      more()
    })
    const outcome = await client(t).send({ url: there.origin })
    if (what === 'interim' || what === 'line') failed(outcome, 'flood', what === 'line' ? /within 66560 bytes/ : /More than 20 interim/)
    else assert.equal(answered(outcome).truncated, 'flood', what)
    assert.ok(sent < 20_000_000, `${what}: ${sent} bytes were taken`)
  }
})

test('a flood of TLS’ own messages ends, in its handshake and after it', async t => {
  // 4 096 requests to begin a handshake, which a client in the middle of one passes over.
  const hello = Buffer.concat([Buffer.from([22, 3, 3, 0x40, 0]), Buffer.alloc(16_384)])
  const handshakes = await rawServer(t, socket => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(hello));
    }
    socket.on('drain', more)
    more()
  })
  t.mock.property(tls, 'CLIENT_RENEG_LIMIT', Number.POSITIVE_INFINITY)
  // Handshake after handshake, and never an answer.
  const renegotiating = tls.createServer({ cert: testCertificate, key: testKey, maxVersion: 'TLSv1.2' }, socket => {
    socket.on('error', () => {})
    const again = (): void => void (socket.destroyed || socket.renegotiate({}, () => setImmediate(again)))
    again()
  })
  await new Promise<void>(resolve => renegotiating.listen(0, '127.0.0.1', resolve))
  t.after(() => renegotiating.close())
  for (const { port } of [handshakes, renegotiating.address() as AddressInfo])
    failed(await client(t, { ca: testCertificate }).send({ url: `https://localhost:${port}`, timeoutMs: 30_000 }), 'flood', /over TLS/)
})

test('32 floods before an answer end while a neighbour is answered twenty times', async t => {
  const hints = 'HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\n'.repeat(1_500)
  const extension = 'x'.repeat(65_536)
  const floods = await rawServer(t, (socket, _request, connection) => {
    socket.on('error', () => {})
    const piece = connection % 2 === 0 ? hints : extension
    if (piece === extension) socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;')
    const more = (): void => {
      while (!socket.destroyed && socket.write(piece));
    }
    socket.on('drain', more)
    more()
  })
  const neighbour = await receiver(t)
  const { send } = client(t)
  const ends: (string | false | undefined)[] = []
  for (let i = 0; i < 32; i++) void send({ url: floods.origin, tenant: `t${i % 4}` }).then(each => ends.push(each.error ?? each.truncated))
  for (let i = 0; i < 20; i++) assert.equal(answered(await send({ url: neighbour.origin })).status, 204)
  assert.deepEqual(ends, Array(32).fill('flood'))
})

test('an answer with twenty interim answers, and one in chunks of a byte, is whole', async t => {
  const interim = await rawServer(t, socket => socket.write(`${'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)}${OK}`))
  const chunks = await rawServer(t, socket =>
    socket.write(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(1024)}0\r\n\r\n`),
  )
  const { send } = client(t)
  // Each request has the whole allowance again, also on a connection that has served others.
  for (let round = 0; round < 30; round++) {
    assert.deepEqual([answered(await send({ url: interim.origin })).truncated, interim.connections()], [false, 1])
    assert.deepEqual([answered(await send({ url: chunks.origin })).body.length, chunks.connections()], [1024, 1])
  }
})

test('headers that would break out of the request are refused, and so is another Host', async t => {
  const there = await receiver(t)
  const { send } = client(t)
  for (const headers of [
    { 'X-A': 'a\r\nX-B: b' },
    { 'X A': 'a' },
    { host: 'other.example' },
    { 'Content-Length': '1' },
    { 'Transfer-Encoding': 'chunked' },
  ])
    failed(await send({ url: there.origin, headers: headers as never }), 'invalid-request', /./)
  assert.equal(there.received.length, 0)
})

test('a request that meets the end of an idle connection is made again, once, on a new connection', async t => {
  for (const hangUp of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
    const there = await rawServer(t, (socket, request) => (request === 1 ? socket.write(OK) : hangUp(socket)))
    const { send } = client(t)
    const [first, second] = [await send({ url: there.origin }), await send({ url: there.origin })]
    assert.deepEqual([answered(first).body, answered(second).body, there.connections()], ['ok', 'ok', 2])
    assert.ok(second.timings.connectMs)
  }
})

test('the second attempt is the last, and none follows a first byte of an answer', async t => {
  const dying = await rawServer(t, (socket, _request, connection) => {
    if (connection === 1 && socket.bytesWritten === 0) socket.write(OK)
    else socket.resetAndDestroy()
  })
  const { send } = client(t)
  answered(await send({ url: dying.origin }))
  failed(await send({ url: dying.origin }), 'connection-reset', /./)
  assert.equal(dying.connections(), 2)
  const begun = await rawServer(t, (socket, request) =>
    request === 1 ? socket.write(OK) : socket.write('HTTP/1.1 2', () => socket.resetAndDestroy()),
  )
  answered(await send({ url: begun.origin }))
  failed(await send({ url: begun.origin }), 'connection-reset', /./)
  assert.equal(begun.connections(), 1)
})

test('connections are kept for the next request until they have been idle for long enough, then origins are forgotten too', async t => {
  const receivers = await Promise.all(Array.from({ length: 20 }, () => receiver(t)))
  const { send, stats } = client(t, { keepAliveMs: 20 })
  await Promise.all(receivers.map(({ origin }) => send({ url: origin })))
  assert.equal(stats().origins, 20)
  while (stats().connections > 0 || stats().origins > 0) await new Promise(setImmediate)
})

test('when more connections are idle than may be kept, those idle for the longest are ended; busy ones do not count', async t => {
  const receivers = await Promise.all(Array.from({ length: 10 }, () => receiver(t)))
  const held: (() => void)[] = []
  const busy = await receiver(t, response => void held.push(() => response.end()))
  const { send, stats } = client(t, { connectionsKept: 4 })
  const waiting = Promise.all(Array.from({ length: 8 }, () => send({ url: busy.origin })))
  while (held.length < 8) await new Promise(setImmediate)
  for (const { origin } of receivers) answered(await send({ url: origin }))
  while (stats().connections > 12) await new Promise(setImmediate)
  for (const { origin } of receivers.slice(-4)) answered(await send({ url: origin }))
  for (const { origin } of receivers.slice(0, 6)) answered(await send({ url: origin }))
  assert.deepEqual(
    receivers.map(({ connections }) => connections),
    [2, 2, 2, 2, 2, 2, 1, 1, 1, 1],
  )
  for (const release of held) release()
  await waiting
})

test('origins that cannot be called leave nothing behind', async t => {
  const gone = await startReceiver()
  await gone.close()
  const { send, stats } = client(t, { lookup: async name => [{ address: name.startsWith('a') ? '10.0.0.1' : '127.0.0.1', family: 4 }] })
  const urls = Array.from({ length: 50 }, (_, i) => `http://${i % 2 ? 'a' : 'b'}${i}.localhost:${gone.port}`)
  for (const outcome of await Promise.all(urls.map(url => send({ url })))) assert.ok(outcome.error)
  while (stats().connections > 0 || stats().origins > 0) await new Promise(setImmediate)
})

test('at most 64 requests at once go to one origin, and waiting is not counted against the receiver', async t => {
  let [inside, most] = [0, 0]
  const held: (() => void)[] = []
  const there = await receiver(t, response => {
    most = Math.max(most, ++inside)
    held.push(() => {
      inside--
      response.end()
    })
    if (held.length === 64) for (const release of held.splice(0)) release()
  })
  const { send } = client(t)
  const outcomes = await Promise.all(Array.from({ length: 192 }, (_, i) => send({ url: there.origin, tenant: `tenant ${i}` })))
  for (const outcome of outcomes) assert.equal(answered(outcome).status, 200)
  assert.deepEqual([most, there.received.length], [64, 192])
  assert.ok(there.connections <= 64)
})

test('ten webhooks of one tenant that are never answered do not keep another tenant from the same origin', async t => {
  const there = await receiver(t, (response, { path }) => void (path === '/fast' && response.writeHead(204).end()))
  const { send, close } = client(t)
  const hanging = Array.from({ length: 640 }, () => send({ url: `${there.origin}/slow`, tenant: 'slow' }))
  await there.until(45)
  const burst = await Promise.all(Array.from({ length: 100 }, () => send({ url: `${there.origin}/fast`, tenant: 'fast' })))
  for (const outcome of burst) assert.equal(answered(outcome).status, 204)
  assert.equal(there.received.filter(({ path }) => path === '/slow').length, 45)
  await close()
  for (const outcome of await Promise.all(hanging)) failed(outcome, 'aborted', /./)
})

test('told to stop, a client finishes what is under way and begins nothing more', async t => {
  const held: (() => void)[] = []
  const there = await receiver(t, response => void held.push(() => response.end()))
  const never = Promise.withResolvers<Address[]>()
  t.after(() => never.resolve([]))
  const { send, stop } = client(t, { lookup: () => never.promise })
  const inLine = Array.from({ length: 100 }, () => send({ url: there.origin }))
  await there.until(45)
  const forItsName = send({ url: 'https://shop.example' })
  stop()
  failed(await forItsName, 'aborted', /begins no more/)
  failed(await send({ url: there.origin }), 'aborted', /./)
  for (const answer of held) answer()
  const outcomes = await Promise.all(inLine)
  assert.equal(outcomes.filter(({ error }) => error === undefined).length, 45)
  for (const outcome of outcomes) if (outcome.error) failed(outcome, 'aborted', /begins no more/)
  assert.equal(there.received.length, 45)
})

test('a request that may not begin any more when its slot is free sends nothing', async t => {
  const held: (() => void)[] = []
  const there = await receiver(t, response => void held.push(() => response.end()))
  const { send } = client(t)
  const first = Array.from({ length: 45 }, () => send({ url: there.origin }))
  await there.until(45)
  let may = true
  const inLine = [true, false].map(mine => send({ url: there.origin, mayBegin: () => mine || may }))
  may = false
  for (const answer of held.splice(0)) answer()
  await Promise.all(first)
  await there.until(46)
  for (const answer of held) answer()
  const [kept, late] = (await Promise.all(inLine)) as [Outcome, Outcome]
  assert.equal(answered(kept).status, 200)
  failed(late, 'aborted', /no longer begin/)
  assert.equal(there.received.length, 46)
})

test('a request that may not begin any more when its connection is made sends nothing, and the next one is made anew', async t => {
  const there = await receiver(t, undefined, { tls: true })
  const { send, stats } = client(t, { ca: testCertificate })
  // Asked when it has its slot, its name and its connection.
  const asked = [true, true, false]
  failed(await send({ url: there.origin, mayBegin: () => asked.shift() as boolean }), 'aborted', /no longer begin/)
  assert.deepEqual([asked.length, there.received.length, stats().origins], [0, 0, 0])
  assert.equal(answered(await send({ url: there.origin, mayBegin: () => true })).status, 204)
  assert.equal(answered(await send({ url: there.origin, mayBegin: () => true })).status, 204)
})

test('an abort ends a request that connects, waits in line, waits for an answer or reads one', async t => {
  const never = Promise.withResolvers<Address[]>()
  t.after(() => never.resolve([]))
  const silent = await rawServer(t, () => {})
  const dripping = await rawServer(t, socket => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc'))

  const connecting = new AbortController()
  const unresolved = client(t, { lookup: () => never.promise }).send({ url: 'https://shop.example', signal: connecting.signal })
  connecting.abort()
  failed(await unresolved, 'aborted', /aborted/)
  failed(await client(t).send({ url: silent.origin, signal: connecting.signal }), 'aborted', /before it was sent/)

  const crowd = client(t)
  const all = new AbortController()
  const inLine = Array.from({ length: 200 }, () => crowd.send({ url: silent.origin, signal: all.signal }))
  await crowd.send({ url: silent.origin, timeoutMs: 50, signal: AbortSignal.timeout(50) })
  all.abort()
  for (const outcome of await Promise.all(inLine)) failed(outcome, 'aborted', /aborted/)

  const reading = new AbortController()
  const half = client(t).send({ url: dripping.origin, signal: reading.signal })
  while (dripping.connections() === 0) await new Promise(setImmediate)
  await new Promise(setImmediate)
  reading.abort()
  const outcome = await half
  assert.equal(outcome.error ?? outcome.truncated, 'aborted')
})

test('a signal that outlives its requests is not held by them', async t => {
  const there = await receiver(t)
  const { signal } = new AbortController()
  answered(await client(t).send({ url: there.origin, signal }))
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('closing the client ends its connections and what is under way', async t => {
  const silent = await startTcpServer(() => {})
  t.after(() => silent.close())
  const outbound = client(t)
  const waiting = outbound.send({ url: silent.origin })
  const shaking = outbound.send({ url: `https://127.0.0.1:${silent.port}` })
  while (outbound.stats().connections < 2) await new Promise(setImmediate)
  await outbound.close()
  failed(await waiting, 'aborted', /./)
  assert.ok((await shaking).error)
  failed(await outbound.send({ url: silent.origin }), 'aborted', /./)
  while (outbound.stats().connections > 0) await new Promise(setImmediate)
})
