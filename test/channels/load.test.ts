// What sending costs, and what one workspace's sending does to another's.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startWorker } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { aBacklog } from '../support/backlog-of-messages.ts'
import { byService, byTelegram, callBack } from '../support/callbacks.ts'
import { aChannel } from '../support/channels.ts'
import { eventually } from '../support/eventually.ts'
import { startPlatform } from '../support/platform.ts'
import { startReceiver } from '../support/receiver.ts'
import { aSendingChannel, aTalk } from '../support/sending.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'
import { openWorkCounter } from '../support/statement-counter.ts'

const SLOTS = 8
const LONE = 20
const app = await testApp({ WORKER_CONCURRENCY: String(SLOTS), CHANNEL_TIMEOUT_MS: '60000' })
const { sql } = app

type Context = { after(work: () => unknown): void }

async function given(t: Context, settings: object = {}) {
  const platform = await startPlatform()
  t.after(platform.close)
  const shop = await app.tenant()
  const channel = await aSendingChannel(app, shop, 'api', platform.origin, { settings: settings as never })
  return { platform, shop, channel, talk: await aTalk(app, shop, channel, 'api') }
}

const waiting = async (channel: string): Promise<number> =>
  (await sql<{ count: number }[]>`select count(*)::integer as count from channel_sends where channel_id = ${channel}`)[0]?.count as number

suite('sending', () => {
  test('a lone message takes six statements at most, and one of a backlog less than one', async t => {
    const counter = await openWorkCounter(app.databaseUrl)
    const { platform, channel, talk } = await given(t, { max_per_second: 1_000 })
    const quiet = await given(t)
    // A process of its own: what web does for a message is counted apart.
    const worker = await aWorker({ ...settingsOf(app), DATABASE_URL: counter.url })
    t.after(async () => {
      await worker.stop()
      await counter.close()
    })
    await quiet.talk.say('The first opens connections.')
    await quiet.platform.until(1)
    await new Promise(resolve => setTimeout(resolve, 500))
    await counter.learnIdleness()
    const spent: number[] = []
    for (let i = 0; i < LONE; i++) {
      const before = counter.forWork()
      const id = await talk.say(`${i}`)
      await eventually(async () => (await talk.message(id)).status === 'sent')
      await eventually(async () => (await sql`select lease_token from channels where id = ${channel}`)[0]?.['lease_token'] === null)
      spent.push(counter.forWork() - before)
    }
    // What is rarer than every two seconds falls into the time of some; and on a busy machine most wait past a lock, which takes statements of its own.
    const lone = spent.toSorted((a, b) => a - b)[LONE / 10] as number
    t.diagnostic(`${lone} statements for a lone message: ${spent}`)
    assert.ok(lone <= 6, `${lone} statements`)

    // Channels share statements.
    const behind = [{ channel, talk }, ...(await Promise.all([1, 2, 3].map(() => given(t, { max_per_second: 1_000 }))))]
    const channels = behind.map(each => each.channel)
    await sql`update channels set quiet_until = now() + interval '1 hour' where id in ${sql(channels)}`
    for (const each of behind) await aBacklog(sql, each.talk, await each.talk.say('waits'), 100, 5)
    await eventually(async () => (await sql`select 1 from channels where id in ${sql(channels)} and lease_token is not null`).length === 0)
    const [begun, at] = [counter.forWork(), performance.now()]
    await sql`update channels set quiet_until = null where id in ${sql(channels)}`
    await eventually(async () => (await Promise.all(channels.map(waiting))).every(count => count === 0))
    const messages = 501 * behind.length
    const each = (counter.forWork() - begun) / messages
    t.diagnostic(`${each.toFixed(2)} statements for one of a backlog, ${Math.round(messages / ((performance.now() - at) / 1000))} a second`)
    assert.ok(each <= 1, `${each} statements`)
    assert.equal(platform.book.length, LONE + 501)
  })

  test('more channels whose platform hangs than there are slots keep no other workspace’s reply waiting', async t => {
    const worker = await startWorker(app)
    t.after(worker.close)
    const hanging = await given(t)
    hanging.platform.behave('hang')
    for (let i = 0; i < SLOTS + 4; i++) {
      const channel = await aSendingChannel(app, hanging.shop, 'api', hanging.platform.origin)
      await (await aTalk(app, hanging.shop, channel, 'api')).say('Hello?')
    }
    const { platform, talk } = await given(t)
    await hanging.platform.until(1)
    const asked = hanging.platform.messages().length
    for (let i = 0; i < 5; i++) {
      await talk.say(`${i}`)
      await platform.until(i + 1)
    }
    // What waited for a slot would wait until the platform's time is over.
    assert.ok(hanging.platform.open() >= asked, 'none of the requests that hang has ended')
    assert.equal(hanging.platform.book.length, 0)
    await hanging.platform.close()
  })

  test('pressed buttons of a platform that hangs keep no other workspace’s files waiting, though each is a job that waits for its answer', async t => {
    const worker = await startWorker(app)
    t.after(worker.close)
    let [open, most] = [0, 0]
    const hanging = await startReceiver(response => {
      most = Math.max(most, ++open)
      response.on('close', () => open--)
    })
    t.after(hanging.close)
    const settings = { api_url: hanging.origin }
    const busy = await app.tenant()
    const channel = await aChannel(app, busy, { platform: 'telegram', settings, credentials: { token: '42:t', secret: 'the-secret' } })
    const pressed = (id: string) => ({
      from: { id: 7, is_bot: false, first_name: 'Ada' },
      message: { message_id: 5, date: 0, chat: { id: 7, type: 'private' } },
      data: 'yes',
      id,
    })
    for (let n = 0; n < SLOTS + 2; n++) {
      const body = { update_id: n, callback_query: pressed(`q${n}`) }
      const { id } = (await callBack(app, channel, body, byTelegram('the-secret'))).body
      // One after the other: those that are applied together are one job.
      await eventually(async () => (await sql`select from callbacks where id = ${id} and status = 'applied'`).length === 1)
    }
    await eventually(async () => hanging.received.length > 0)
    const { shop, talk } = await given(t)
    const host = await startReceiver(response => response.end('a file'))
    t.after(host.close)
    const file = { url: `${host.origin}/file.txt`, name: 'file.txt' }
    const said = { id: 'm-1', type: 'message', from: { id: talk.thread }, attachments: [file] }
    await callBack(app, talk.channel, said, byService('whsec_the-secret'))
    await eventually(async () => (await sql`select from attachments where tenant_id = ${shop.id} and status = 'stored'`).length === 1)
    assert.ok(most <= SLOTS / 4, `${most} of ${SLOTS} jobs waited for the platform`)
  })

  test('a channel with 10 000 queued messages delays another workspace’s reply by less than a second of its rate', async t => {
    const worker = await startWorker(app)
    t.after(worker.close)
    const busy = await given(t, { max_per_second: 1_000 })
    await sql`update channels set quiet_until = now() + interval '1 hour' where id = ${busy.channel}`
    await aBacklog(sql, busy.talk, await busy.talk.say('waits'), 1_000, 10)
    await sql`update channels set quiet_until = null where id = ${busy.channel}`
    await busy.platform.until(20)
    const { platform, talk } = await given(t)
    const meanwhile: number[] = []
    for (let i = 0; i < 3; i++) {
      const before = busy.platform.book.length
      await talk.say(`${i}`)
      await platform.until(i + 1)
      meanwhile.push(busy.platform.book.length - before)
    }
    t.diagnostic(`${meanwhile} messages of the busy channel were sent while each reply waited`)
    // A second's worth of its rate.
    assert.ok(Math.max(...meanwhile) < 1_000, `${meanwhile} messages`)
    assert.ok((await waiting(busy.channel)) > 0)
  })
})
