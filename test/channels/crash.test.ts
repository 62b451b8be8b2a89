// A worker that dies between the intent and the result of a message: what may have gone out is not sent again by itself, unless its receiver tells repeats.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import { FILES } from '../attachments/samples.ts'
import { testApp } from '../support/app.ts'
import { aBacklog } from '../support/backlog-of-messages.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { startPlatform } from '../support/platform.ts'
import { aSendingChannel, aTalk, type Talk, uploaded } from '../support/sending.ts'
import { aWorker, settingsOf } from '../support/shopdesk.ts'

const app = await testApp()

/** A worker of its own. */
async function started(t: { after(work: () => unknown): void }) {
  const worker = await aWorker({ ...settingsOf(app), BASE_URL: 'https://shop.example' })
  t.after(() => worker.stop('SIGKILL'))
  return worker
}

/** A shop whose platform takes the first message and does not answer, and a worker of its own that waits for the answer. */
async function given(t: { after(work: () => unknown): void }, name: PlatformName) {
  const platform = await startPlatform()
  t.after(platform.close)
  platform.next('take and hang')
  const shop = await app.tenant()
  const channel = await aSendingChannel(app, shop, name, platform.origin)
  const [one, other] = (await Promise.all([aTalk(app, shop, channel, name), aTalk(app, shop, channel, name)])) as [Talk, Talk]
  const worker = await started(t)
  const first = await one.say('first')
  await platform.until(1)
  const second = await one.say('second')
  return { platform, one, other, worker, first, second }
}

suite('a killed worker', () => {
  test('its message is unknown and is not sent again by itself; the next ones go', async t => {
    const { platform, one, other, worker, first, second } = await given(t, 'telegram')
    const elsewhere = await other.say('elsewhere')
    await eventually(async () => (await other.message(elsewhere)).status === 'sent')
    await worker.stop('SIGKILL')
    await started(t)
    await eventually(async () => (await one.message(second)).status === 'sent')
    const message = await one.message(first)
    assert.equal(message.status, 'unknown')
    assert.equal(message.error?.code, 'unconfirmed')
    assert.deepEqual(
      platform.messages().map(each => each.json.text),
      ['first', 'elsewhere', 'second'],
    )
  })

  test('on a channel whose receiver tells repeats it is sent again, with the same key, and before the next one', async t => {
    const { platform, one, worker, first, second } = await given(t, 'api')
    await worker.stop('SIGKILL')
    await started(t)
    await eventuallyHolds(async () => {
      assert.equal((await one.message(first)).status, 'sent')
      assert.equal((await one.message(second)).status, 'sent')
    })
    assert.deepEqual(
      platform.messages().map(each => [each.json.text, each.headers['idempotency-key']]),
      [
        ['first', first],
        ['first', first],
        ['second', second],
      ],
    )
    assert.deepEqual(
      platform.book.map(each => each.text),
      ['first', 'second'],
    )
  })

  test('a file that it was uploading is uploaded anew, for that is no message yet, and its message is sent once', async t => {
    const platform = await startPlatform()
    t.after(platform.close)
    platform.nextFile('hang')
    const shop = await app.tenant()
    const channel = await aSendingChannel(app, shop, 'whatsapp', platform.origin)
    const talk = await aTalk(app, shop, channel, 'whatsapp')
    const worker = await started(t)
    const id = await talk.say('This one?', { attachments: [{ id: await uploaded(app, shop, FILES.jpeg) }] })
    const files = () => platform.asked.filter(each => each.path.endsWith('/media')).length
    await eventually(async () => files() === 1)
    await worker.stop('SIGKILL')
    await started(t)
    const message = await eventually(async () => {
      const now = await talk.message(id)
      return now.status !== 'queued' && now
    })
    assert.deepEqual([message.status, message.error, files()], ['sent', null, 2])
    assert.deepEqual(
      platform.messages().map(each => each.json.image),
      [{ id: 'media-1', caption: 'This one?' }],
    )
  })

  test('a file that is its message is in doubt with it, and is not sent again by itself', async t => {
    const platform = await startPlatform()
    t.after(platform.close)
    platform.next('take and hang')
    const shop = await app.tenant()
    const talk = await aTalk(app, shop, await aSendingChannel(app, shop, 'telegram', platform.origin))
    const worker = await started(t)
    const id = await talk.say(null, { attachments: [{ id: await uploaded(app, shop, FILES.jpeg) }] })
    await platform.until(1)
    await worker.stop('SIGKILL')
    await started(t)
    await eventually(async () => (await talk.message(id)).status === 'unknown')
    assert.equal(platform.messages().length, 1)
  })

  test('what waits for a place at its platform is in no doubt: unknown is no more than the platform saw', async t => {
    const platform = await startPlatform()
    t.after(platform.close)
    platform.behave('take and hang')
    const { sql } = app
    const [shops, channels, talks] = [2, 3, 20]
    const ids: string[] = []
    for (let i = 0; i < shops; i++) {
      const shop = await app.tenant()
      for (let j = 0; j < channels; j++) {
        const channel = await aSendingChannel(app, shop, 'telegram', platform.origin, { settings: { max_per_second: 1_000 } as never })
        await sql`update channels set quiet_until = now() + interval '1 hour' where id = ${channel}`
        const talk = await aTalk(app, shop, channel)
        await aBacklog(sql, talk, await talk.say('Hello?'), talks, 1)
        ids.push(channel)
      }
    }
    await sql`update channels set quiet_until = null where id = any(${ids})`
    const worker = await started(t)
    const count = async (rows: PromiseLike<{ count: number }[]>) => (await rows)[0]?.count as number
    const begun = () =>
      count(sql`select count(*)::integer as count from channel_sends where channel_id = any(${ids}) and begun_at is not null`)
    // The first shop takes most of the 64 places, and leaves some for others.
    await eventually(async () => platform.open() > 50 && (await begun()) === platform.open())
    await worker.stop('SIGKILL')
    const seen = platform.messages().length
    platform.behave('take')
    await started(t)
    const inStatus = (status: string) =>
      count(sql`
        select count(*)::integer as count
          from messages m
          join conversations c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
         where c.channel_id = any(${ids}) and m.status = ${status}`)
    await eventually(async () => (await inStatus('queued')) === 0)
    assert.equal(await inStatus('unknown'), seen)
    assert.equal(await inStatus('sent'), shops * channels * (talks + 1) - seen)
    assert.equal(platform.book.length, shops * channels * (talks + 1), 'each went out once')
  })
})
