// Bodies made to cost as much as a route lets them (see support/hostile.ts), sent to a web process of its own. Its processor time is what counts:
// how long an answer takes says little on a machine that is shared. `npm run bench hostile` sends all there are, beside another tenant.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { familyBytes, processorMs } from '../../bench/processor.ts'
import { restRoutes } from '../../src/catalog.ts'
import type { WriteRoute } from '../../src/ingress/route.ts'
import { testApp } from '../support/app.ts'
import { aProduct, filled, nobody } from '../support/given.ts'
import { fullestBodies, type Hostile, hostileBodies, takesJson } from '../support/hostile.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

/** Processor time of web for a body that is refused. Most take 10 to 50, the worst 150. */
const REFUSED_MS = 250
/** What else runs makes work dearer, never cheaper: a body is judged by the best of so many times. */
const TIMES = 4
/** What web may weigh more than before. */
const MORE_BYTES = 60 * 2 ** 20
/** Of an answer that refuses. */
const ANSWER_BYTES = 100 * 1024

const app = await testApp()
// The limiter has tests of its own.
await app.sql`update plans set write_per_minute = 600 where plan = 'enterprise'`
const { routes } = restRoutes(app.config, {} as never, {} as never)
const web = shopdesk(['web'], { ...settingsOf(app), PORT: '0', HOST: '127.0.0.1' })
await web.says(/listening on/)
const [address = ''] = /http:\S+/.exec(web.stdout()) ?? []
const pid = web.child.pid as number

interface Answered {
  status: number
  text: string
  ms: number
}

async function send({ method, path, idPrefix = '' }: WriteRoute, key: string, body: Buffer): Promise<Answered> {
  const before = processorMs(pid)
  const { status, text } = await fetch(address + filled(path, () => nobody(idPrefix)), {
    method,
    body,
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
  }).then(async reply => ({ status: reply.status, text: await reply.text() }))
  return { status, text, ms: processorMs(pid) - before }
}

async function assertCheap(route: WriteRoute, key: string, { what, body }: Hostile): Promise<void> {
  let least = Number.POSITIVE_INFINITY
  for (let time = 0; time < TIMES && least > REFUSED_MS; time++) {
    const { status, text, ms } = await send(route, key, body)
    assert.ok(status < 500 && status !== 429, `${what}: ${text.slice(0, 400)}`)
    // Of what is taken the work is real: see bench/hostile.ts.
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

  // What is garbage for a while is as much as with any other body of this size.
  test('and so are many of them', async () => {
    const bulk = takingJson.find(({ path }) => path === '/api/v1/products/bulk') as WriteRoute
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
  for (const route of takingJson)
    test(`${route.method} ${route.path}`, async () => {
      const { key } = await app.tenant()
      for (const each of hostileBodies(route, 'one')) {
        await assertCheap(route, key, each)
        const more = familyBytes(pid) - weighed
        assert.ok(more < MORE_BYTES, `after ${each.what} web weighs ${Math.round(more / 2 ** 20)} MB more`)
      }
    })
})
