// Bodies made to cost as much as a route lets them (see support/hostile.ts), sent to a web process of its own. Its processor time is what counts:
// how long an answer takes says little on a machine that is shared. `npm run bench hostile` sends all there are, beside another tenant.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { suite, test } from 'node:test'
import { type BodyRoute, takesJson } from '../../src/ingress/body.ts'
import { BULK_BODY_BYTES } from '../../src/limits/bodies.ts'
import { restRoutes } from '../../src/rest.ts'
import { testApp } from '../support/app.ts'
import { aProduct } from '../support/given.ts'
import { fullestBodies, type Hostile, hostileBodies, sendTo } from '../support/hostile.ts'
import { familyBytes, processorMs } from '../support/process-usage.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

/** Processor time of web for a body that is refused. Most take 10 to 50, the worst 150. */
const REFUSED_MS = 250
/** Other work on the machine only makes a body dearer: a body is judged by its best of this many times. */
const TIMES = 4
/** The memory that web may use beyond what it used before. */
const MORE_BYTES = 60 * 2 ** 20
/** The largest refusal. */
const ANSWER_BYTES = 100 * 1024

const app = await testApp()
// The limiter has tests of its own.
await app.sql`update plans set write_per_minute = 600 where plan = 'enterprise'`
const { routes } = restRoutes(app.config, {} as never, {} as never)
const web = shopdesk(['web'], { ...settingsOf(app), PORT: '0', HOST: '127.0.0.1' })
await web.says(/listening on/)
const [address = ''] = /http:\S+/.exec(web.stdout()) ?? []
const pid = web.child.pid as number

/** Sends a body, and measures the processor time that web took for it. */
async function send(route: BodyRoute, key: string, body: Buffer) {
  const before = processorMs(pid)
  const answer = await sendTo(address, route, key, body)
  return { ...answer, ms: processorMs(pid) - before }
}

async function assertCheap(route: BodyRoute, key: string, { what, body }: Hostile): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES && least > REFUSED_MS; time++) {
    const { status, text, ms } = await send(route, key, body)
    assert.ok(status < 500 && status !== 429, `${what}: ${text.slice(0, 400)}`)
    // An accepted body costs real work: see bench/hostile.ts.
    if (status < 300) return
    assert.ok(text.length <= ANSWER_BYTES, `${what} was answered with ${text.length} bytes`)
    least = Math.min(least, ms)
  }
  assert.ok(least <= REFUSED_MS, `${what} took ${least} ms`)
}

const takingJson = routes.filter(takesJson)
let weighed = 0

suite('bodies that are right, as full as they may be, are taken', () => {
  for (const route of takingJson)
    test(`${route.method} ${route.path}`, async () => {
      const { key } = await app.tenant()
      for (const { what, body } of fullestBodies(route, 'right')) {
        const { status, text } = await send(route, key, body)
        assert.ok(status !== 413 && status < 500, `${what}: ${text.slice(0, 400)}`)
      }
    })

  // Such a body leaves as much for the garbage collector as any other of its size.
  test('and so are many of them', async () => {
    const bulk = takingJson.find(({ path }) => path === '/api/v1/products/bulk') as BodyRoute
    const { key } = await app.tenant()
    const attributes = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, 'x'.repeat(500)]))
    const items = Array.from({ length: 50 }, () => aProduct({ description: 'x'.repeat(20_000), attributes }))
    for (let time = 0; time < 6; time++) {
      const { status, text } = await send(bulk, key, Buffer.from(JSON.stringify(items)))
      assert.equal(status, 200, text.slice(0, 400))
      weighed = Math.max(weighed, familyBytes(pid))
    }
  })
})

suite('a body made to cost much is refused at once', () => {
  const refused = new Set<string>()
  for (const route of takingJson)
    test(`${route.method} ${route.path}`, async () => {
      const { key } = await app.tenant()
      for (const each of hostileBodies(route, 'one')) {
        const once = `${each.what}, ${each.body.length} bytes`
        if (each.shapeless && refused.has(once)) continue
        refused.add(once)
        await assertCheap(route, key, each)
        const more = familyBytes(pid) - weighed
        assert.ok(more < MORE_BYTES, `after ${each.what} web weighs ${Math.round(more / 2 ** 20)} MB more`)
      }
    })
})

/** Sends the text in chunks of a byte, over a connection of its own, until there is an answer. @returns the first line of it */
async function trickle(path: string, key: string, type: string, text: string): Promise<string> {
  const { hostname, port } = new URL(address)
  const socket = connect(Number(port), hostname)
  let answer = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    answer += part
  })
  // The connection may be closed while the rest is sent.
  socket.on('error', () => {})
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  const head = ['Host: x', `Authorization: Bearer ${key}`, `Content-Type: ${type}`, 'Transfer-Encoding: chunked', 'Connection: close']
  socket.write(`POST ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`)
  for (let from = 0; from < text.length && answer === '' && socket.writable; from += 10_000) {
    const chunks = [...text.slice(from, from + 10_000)].map(character => `1\r\n${character}\r\n`).join('')
    if (!socket.write(chunks)) await Promise.race([new Promise<void>(resolve => socket.once('drain', () => resolve())), closed])
  }
  if (socket.writable) socket.write('0\r\n\r\n')
  await closed
  return answer.split('\r\n', 1)[0] as string
}

suite('a body that comes a byte at a time', () => {
  const padded = (body: object, length: number): string => JSON.stringify(body).padEnd(length)

  test('is taken', async () => {
    const { key } = await app.tenant()
    assert.match(await trickle('/api/v1/products', key, 'application/json', padded(aProduct(), 20_000)), / 201 /)
  })

  test('is refused before it weighs much more than it holds', async () => {
    const { key } = await app.tenant()
    const [before, bytes] = [processorMs(pid), familyBytes(pid)]
    assert.match(await trickle('/api/v1/products/bulk', key, 'application/json', padded([aProduct()], BULK_BODY_BYTES)), / 413 /)
    assert.ok(processorMs(pid) - before <= 2 * REFUSED_MS)
    assert.ok(familyBytes(pid) - bytes < MORE_BYTES)
  })

  test('is imported', async () => {
    const { key } = await app.tenant()
    for (const [type, text] of [
      ['application/x-ndjson', padded(aProduct(), 300_000)],
      ['text/csv', `name,price_amount,description\nShirt,1,"${'x'.repeat(300_000)}"\n`],
    ] as const) {
      const before = processorMs(pid)
      assert.match(await trickle('/api/v1/imports?resource=products', key, type, text), / 202 /)
      assert.ok(processorMs(pid) - before <= 10 * REFUSED_MS)
    }
  })
})
