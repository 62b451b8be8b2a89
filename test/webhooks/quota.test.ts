// How many webhooks a workspace may have, and how many to an origin that has answered none of them with 2xx.
import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { pruneAll } from '../../src/postgres/prune.ts'
import { pruneOrigins } from '../../src/webhooks/endpoints/origin-store.ts'
import type { Reply, TestTenant } from '../support/app.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { assertProblem, aWebhook, ok } from '../support/given.ts'
import { type Respond, startReceiver } from '../support/receiver.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'
import { emitted } from '../support/subscriber.ts'

const WEBHOOKS = '/api/v1/webhooks'
const LIMITS = { WEBHOOKS_PER_WORKSPACE: '4', WEBHOOKS_UNPROVEN_PER_ORIGIN: '2' }
const app = await testApp(LIMITS)

const create = (shop: TestTenant, url = 'https://receiver.example/hooks') => shop.post(WEBHOOKS, aWebhook({ url }))
const moveTo = (shop: TestTenant, { id }: { id: string }, url: string) => shop.patch(`${WEBHOOKS}/${id}`, { url })
const elsewhere = (n: number): string => `https://receiver-${n}.example/hooks`

function assertReached(reply: Reply, limit: number, detail: RegExp, instance = WEBHOOKS): void {
  assertProblem(reply, { status: 409, slug: 'conflict', instance, code: 'quota_reached' })
  assert.equal(reply.body.limit, limit)
  assert.match(reply.body.detail, detail)
}

suite('a workspace', () => {
  test('has as many webhooks as it may; a deleted one does not count', async () => {
    const shop = await app.tenant()
    const made = []
    for (let n = 0; n < 4; n++) made.push(ok(await create(shop, elsewhere(n))))
    assertReached(await create(shop, elsewhere(4)), 4, /delete one first/)
    await shop.delete(`${WEBHOOKS}/${made[0].id}`)
    ok(await create(shop, elsewhere(4)))
    assertReached(await create(shop, elsewhere(5)), 4, /has 4 webhooks, and may have 4/)
    ok(await moveTo(shop, made[1], elsewhere(5)))
    ok(await create(await app.tenant(), elsewhere(4)))
  })

  test('has no more of them when many are created at once, in all or to one origin', async () => {
    for (let round = 0; round < 5; round++) {
      const [one, two, three] = await Promise.all([app.tenant(), app.tenant(), app.tenant()])
      const moving = await Promise.all([0, 1, 2, 3].map(async n => ok(await create(three, elsewhere(n)))))
      const numbers = Array.from({ length: 12 }, (_, n) => n)
      const accepted = async (replies: Promise<Reply>[]) => (await Promise.all(replies)).filter(reply => reply.status < 300).length
      assert.deepEqual(
        await Promise.all([
          accepted(numbers.map(n => create(one, elsewhere(n)))),
          accepted(numbers.map(() => create(two))),
          accepted(moving.map(webhook => moveTo(three, webhook, 'https://receiver.example/'))),
        ]),
        [4, 2, 2],
      )
    }
  })

  test('is told so on the command line', async () => {
    const shop = await app.tenant()
    const settings = { ...settingsOf(app), ...LIMITS }
    const on = (command: string[]) => shopdesk(['webhook', ...command, '--tenant', shop.id], settings)
    for (const url of ['https://receiver.example/', 'https://receiver.example/2']) ok(await create(shop, url))
    const making = on(['create', '--url', 'https://receiver.example/3', '--events', 'order.created'])
    assert.equal(await making.ended, 1)
    assert.match(making.stderr(), /^2 webhooks of this workspace go to https:\/\/receiver\.example, which has answered none .*\n$/)
    const { id } = ok(await create(shop, elsewhere(1)))
    const moving = on(['update', id, '--url', 'https://receiver.example/4'])
    assert.equal(await moving.ended, 1)
    assert.match(moving.stderr(), /^2 webhooks of this workspace go to/)
  })
})

suite('an origin', async () => {
  await app.startWorker()
  const receiverOf = async (respond?: Respond) => {
    const receiver = await startReceiver(respond)
    after(receiver.close)
    return receiver
  }
  const proven = async ({ id }: { id: string }) => (await app.sql`select from webhook_endpoints where id = ${id} and proven`).length > 0

  test('that has not answered has so many webhooks, however its URL is written', async () => {
    const shop = await app.tenant()
    ok(await create(shop))
    ok(await create(shop, 'https://Receiver.example:443/other?x=1'))
    assertReached(await create(shop), 2, /https:\/\/receiver\.example, which has answered none of them with 2xx yet; let it answer a test/)
    const away = ok(await create(shop, 'https://receiver.example:8443/'))
    const path = `${WEBHOOKS}/${away.id}`
    assertReached(await moveTo(shop, away, 'https://receiver.example/3'), 2, /receiver\.example/, path)
    ok(await moveTo(shop, away, 'https://receiver.example:8443/4'))
    const [first] = ok(await shop.get(`${WEBHOOKS}?dir=asc`)).data
    ok(await moveTo(shop, first, 'https://receiver.example/5'))
  })

  for (const [how, answered] of [
    ['a delivery', async (shop: TestTenant) => void (await emitted(app.sql, shop.id))],
    ['a test', async (shop: TestTenant, id: string) => void ok(await shop.post(`${WEBHOOKS}/${id}/test`))],
  ] as const)
    test(`that answers ${how} with 2xx may have more, also when the webhook that it answered is deleted or sent elsewhere`, async () => {
      const receiver = await receiverOf()
      const shop = await app.tenant()
      const [one, two] = [ok(await create(shop, `${receiver.origin}/1`)), ok(await create(shop, `${receiver.origin}/2`))]
      assert.equal((await create(shop, receiver.origin)).status, 409)
      await shop.post(`${WEBHOOKS}/${two.id}/pause`)
      await answered(shop, one.id)
      await eventually(() => proven(one))
      const three = ok(await create(shop, `${receiver.origin}/3`))
      await shop.post(`${WEBHOOKS}/${three.id}/pause`)
      ok(await moveTo(shop, one, elsewhere(1)))
      assert.equal(await proven(one), false)
      ok(await create(shop, `${receiver.origin}/4`))
      await shop.delete(`${WEBHOOKS}/${one.id}`)
      ok(await moveTo(shop, two, `${receiver.origin}/5`))
      assert.equal(await proven(two), false)
      ok(await create(shop, `${receiver.origin}/6`))
      const other = await app.tenant()
      for (const path of ['/1', '/2']) ok(await create(other, receiver.origin + path))
      assert.equal((await create(other, receiver.origin)).status, 409, 'to another workspace it has proven nothing')
    })

  test('that a deleted webhook had proven is remembered for a month', async () => {
    const shop = await app.tenant()
    for (const [origin, days] of [
      ['https://old.example', 31],
      ['https://young.example', 29],
    ] as const)
      await app.sql`
        insert into webhook_origins (tenant_id, origin, left_at) values (${shop.id}, ${origin}, now() - make_interval(days => ${days}))`
    await pruneAll(app.sql, pruneOrigins)
    assert.deepEqual(
      [...(await app.sql`select origin from webhook_origins where tenant_id = ${shop.id}`)],
      [{ origin: 'https://young.example' }],
    )
  })

  test('is not proven by refusals, nor by what answered before a webhook was sent there', async () => {
    const waiting: (() => void)[] = []
    const slow = await receiverOf(response => void waiting.push(() => response.writeHead(204).end()))
    const refusing = await receiverOf(response => response.writeHead(500).end())
    const shop = await app.tenant()
    const one = ok(await create(shop, slow.origin))
    await emitted(app.sql, shop.id)
    await slow.until(1)
    ok(await shop.post(`${WEBHOOKS}/${one.id}/test`))
    await slow.until(2)
    ok(await moveTo(shop, one, refusing.origin))
    for (const answer of waiting) answer()
    await eventually(async () => (await app.sql`select from webhook_attempts where endpoint_id = ${one.id} and status = 204`).length === 2)
    await emitted(app.sql, shop.id)
    await refusing.until(1)
    await eventually(async () => (await app.sql`select from webhook_attempts where endpoint_id = ${one.id} and status = 500`).length > 0)
    assert.equal(await proven(one), false)
    ok(await create(shop, refusing.origin))
    assert.equal((await create(shop, refusing.origin)).status, 409)
  })
})
