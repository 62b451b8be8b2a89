// How connections are kept and how they end: with a whole answer, however much the client still sends, and soon, however slowly it sends.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { PATIENCE, type Patience } from '../../src/ingress/connections/listener.ts'
import { startWeb, type Web } from '../../src/web.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder } from '../support/given.ts'
import { type Raw, rawClient, statusesOf } from '../support/raw.ts'

const app = await testApp()
const shop = await app.tenant()
const KEY = `Authorization: Bearer ${shop.key}\r\n`
const MB = 1024 * 1024

/** A web process of its own, with these time limits. */
async function another(patience: Partial<Patience>): Promise<Web> {
  return startWeb({ ...app, patience: { ...PATIENCE, ...patience } })
}

const headOf = (method: string, path: string, ...more: string[]): string =>
  `${[`${method} ${path} HTTP/1.1`, 'Host: shop.example', 'Content-Type: application/json', ...more].join('\r\n')}\r\n`
const order = JSON.stringify(anOrder())

suite('a body that is too large is refused while it still comes, and the client reads the whole answer', () => {
  for (const path of ['/api/v1/orders', '/api/v1/products/bulk'])
    for (const size of [8, 16, 40])
      for (const chunked of [false, true])
        test(`${size} MB to ${path}, ${chunked ? 'chunked' : 'with its length'}`, async () => {
          const client = await rawClient(app.url)
          const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${size * MB}`
          await client.say(`${headOf('POST', path, framing)}${KEY}\r\n`)
          const piece = Buffer.alloc(MB, 'x')
          for (let sent = 0; sent < size; sent++)
            await client.say(chunked ? Buffer.concat([Buffer.from('100000\r\n'), piece, Buffer.from('\r\n')]) : piece)
          if (chunked) await client.say('0\r\n\r\n')
          const { heard, error } = await client.ended
          assert.equal(error, undefined)
          assert.deepEqual(statusesOf(heard), [413])
          assert.match(heard, /\r\nconnection: close\r\n/i)
          const [, body = ''] = heard.split('\r\n\r\n')
          assert.equal(JSON.parse(body).max_bytes, path.endsWith('bulk') ? 4 * MB : MB)
          client.socket.destroy()
        })

  test('a client that does not stop at all is cut off', async () => {
    const client = await rawClient(app.url)
    await client.say(`${headOf('POST', '/api/v1/orders', 'Content-Length: 1000000000')}${KEY}\r\n`)
    const piece = Buffer.alloc(MB)
    for (let sent = 0; sent < 200 && !client.socket.destroyed; sent++) await client.say(piece)
    assert.ok(client.socket.destroyed, 'it was read to the end')
  })
})

suite('no body is waited for long', async () => {
  const web = await another({ bodyMs: 300, lingerMs: 100 })
  const connections = () => new Promise<number>(resolve => web.app.server.getConnections((_error, count) => resolve(count)))
  const closed = () => eventually(async () => (await connections()) === 0)
  test.after(() => web.close())

  for (const [method, path, status] of [
    ['POST', '/api/v1/orders', 401],
    ['POST', '/nope', 404],
    ['PUT', '/api/v1/orders', 405],
    ['OPTIONS', '/api/v1/orders', 204],
    ['GET', '/docs/nope', 404],
    ['GET', '/docs', 200],
    ['GET', '/api/v1/openapi.json', 200],
  ] as const)
    for (const framing of ['Content-Length: 1000000', 'Transfer-Encoding: chunked'])
      test(`${method} ${path} is answered at once, and its connection ends though its body (${framing}) does not`, async () => {
        const client = await rawClient(web.address)
        await client.say(`${headOf(method, path, framing)}\r\n1\r\n`)
        const { heard } = await client.ended
        assert.deepEqual(statusesOf(heard), [status])
        assert.match(heard, /\r\nconnection: close\r\n/i)
        // This end stays open: the server closes the connection.
        await closed()
      })

  test('a refusal keeps the connection where the body came with the head', async () => {
    const client = await rawClient(web.address)
    const requests = [
      ['POST', '/api/v1/orders', 401],
      ['POST', '/nope', 404],
      ['PUT', '/api/v1/orders', 405],
      ['POST', '/api/v1/imports', 401],
    ] as const
    for (const [index, [method, path]] of requests.entries()) {
      await client.say(`${headOf(method, path, 'Content-Length: 2')}\r\n{}`)
      await client.hears(new RegExp(`(HTTP/1.1 4[^]*){${index + 1}}`))
    }
    assert.deepEqual(
      statusesOf(client.heard()),
      requests.map(([, , status]) => status),
    )
    assert.doesNotMatch(client.heard(), /connection: close/i)
    client.socket.destroy()
    await closed()
  })

  test('a body that drips is cut off, that of a file is not', async t => {
    // Time enough for a busy machine to find out that it is a file.
    const { address, close } = await another({ bodyMs: 3_000 })
    t.after(close)
    const file = await rawClient(address)
    await file.say(
      `${headOf('POST', '/api/v1/imports?resource=products').replace('json', 'x-ndjson')}${KEY}Content-Length: 15\r\n\r\n{"name":`,
    )
    const client = await rawClient(address)
    await client.say(`${headOf('POST', '/api/v1/orders', 'Content-Length: 1000')}${KEY}\r\n`)
    const drip = setInterval(() => client.say('{'), 20)
    const { heard } = await client.ended
    clearInterval(drip)
    assert.deepEqual(statusesOf(heard), [408])
    assert.match(heard, /"detail":"The body did not arrive in time."/)
    client.socket.destroy()
    // It began before the other, so its time would be over as well.
    assert.equal(file.heard(), '')
    await file.say('"Cap"}\n')
    await file.hears(/^HTTP\/1\.1 202 /)
    file.socket.destroy()
  })

  test('malformed HTTP is answered, and the connection ends though the client’s end stays open', async () => {
    const client = await rawClient(web.address)
    await client.say('hello\r\n\r\n')
    assert.deepEqual(statusesOf((await client.ended).heard), [400])
    await closed()
  })

  test('malformed HTTP is answered after the sound requests before it', async () => {
    const client = await rawClient(web.address)
    await client.say(`${headOf('GET', '/api/v1/orders')}${KEY}\r\nhello\r\n\r\n`)
    assert.deepEqual(statusesOf((await client.ended).heard), [200, 400])
  })

  test('a body that is there in part is refused with the framing that is broken', async () => {
    const client = await rawClient(web.address)
    await client.say(`${headOf('POST', '/api/v1/orders', 'Transfer-Encoding: chunked')}${KEY}\r\n1\r\n{\r\nnonsense\r\n`)
    assert.deepEqual(statusesOf((await client.ended).heard), [400])
    await closed()
  })
})

test('a silent connection is kept longer than load balancers keep it', async () => {
  const client = await rawClient(app.url)
  await client.say(`${headOf('GET', '/healthz')}\r\n`)
  const heard = await client.hears(/\r\n\r\n\{/)
  assert.match(heard, /\r\nConnection: keep-alive\r\nKeep-Alive: timeout=75\r\n/)
  const web = await another({})
  const { keepAliveTimeout, headersTimeout } = web.app.server
  assert.ok(headersTimeout >= keepAliveTimeout, 'also one over which nothing has come yet')
  await web.close()
})

suite('at the end of the process', () => {
  test('connections without a request end at once, whatever has come over them', async () => {
    const web = await another({ graceMs: 600_000, lingerMs: 600_000 })
    const [idle, fresh, half, refused] = (await Promise.all([1, 2, 3, 4].map(() => rawClient(web.address)))) as [Raw, Raw, Raw, Raw]
    await idle.say(`${headOf('GET', '/healthz')}\r\n`)
    await half.say('GET /healthz HTTP/1.1\r\n')
    await refused.say(`${headOf('POST', '/nope', 'Content-Length: 1000')}\r\n`)
    await Promise.all([idle.hears(/ 200 /), refused.hears(/ 404 /)])
    await web.close()
    assert.deepEqual((await Promise.all([idle, fresh, half, refused].map(each => each.ended))).map(each => each.error).filter(Boolean), [])
  })

  for (const more of [0, 1, 2])
    test(`a request under way is answered, with ${more} that come after it, and the connection ends with the last`, async () => {
      const web = await another({ graceMs: 600_000 })
      const client = await rawClient(web.address)
      const post = `${headOf('POST', '/api/v1/orders', `Content-Length: ${order.length}`, 'Expect: 100-continue')}${KEY}\r\n`
      await client.say(post)
      await client.hears(/100 Continue/)
      const closing = web.close()
      await client.say(order + `${headOf('GET', '/api/v1/orders?limit=1')}${KEY}\r\n`.repeat(more))
      const { heard } = await client.ended
      const answers = heard.split('HTTP/1.1 ').slice(2)
      assert.deepEqual(statusesOf(heard), [100, 201, 200, 200].slice(0, 2 + more), heard)
      for (const [index, answer] of answers.entries()) assert.ok(/^connection: close\r$/im.test(answer) === (index === more), answer)
      client.socket.destroy()
      await closing
    })

  test('a request that does not end is cut off when the grace is over', async () => {
    const web = await another({ graceMs: 50 })
    const client = await rawClient(web.address)
    await client.say(`${headOf('POST', '/api/v1/orders', 'Content-Length: 1000', 'Expect: 100-continue')}${KEY}\r\n`)
    await client.hears(/100 Continue/)
    await web.close()
    assert.deepEqual(statusesOf((await client.ended).heard), [100])
  })
})
