// Files on their way out, over the whole service: how each platform gets them, what becomes of an upload that fails, and how fast they go.
import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import type { Message } from '../../src/conversations/schema.ts'
import { FILES } from '../attachments/samples.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { type Behaviour, startPlatform } from '../support/platform.ts'
import { aSendingChannel, aTalk, type Talk, uploaded } from '../support/sending.ts'

const app = await testApp({ CHANNEL_TIMEOUT_MS: '3000', MESSAGE_SCHEDULE: '0,0.1,0.2,0.3,0.4,0.5' })
before(() => app.startWorker())

async function given(t: { after(work: () => unknown): void }, name: PlatformName) {
  const platform = await startPlatform()
  t.after(platform.close)
  const shop = await app.tenant()
  const channel = await aSendingChannel(app, shop, name, platform.origin)
  const talk = () => aTalk(app, shop, channel, name)
  const files = () => platform.asked.filter(each => /\/(media|message_attachments)$/.test(each.path))
  const status = async () => (await app.sql`select status from channels where id = ${channel}`)[0]?.['status']
  return { platform, shop, talk, files, status }
}

async function saysFile(talk: Talk, content: Buffer, text: string | null = null): Promise<string> {
  return talk.say(text, { attachments: [{ id: await uploaded(app, talk.shop, content) }] })
}
const settled = (talk: Talk, id: string): Promise<Message> =>
  eventually(async () => {
    const message = await talk.message(id)
    return message.status !== 'queued' && message
  })

suite('a file', { concurrency: 8 }, () => {
  test('goes to Telegram in the request that is its message', async t => {
    const { platform, talk } = await given(t, 'telegram')
    const ann = await talk()
    const { status, external_id } = await settled(ann, await saysFile(ann, FILES.jpeg, 'This one?'))
    const [asked, ...others] = platform.asked
    assert.deepEqual([status, external_id, others], ['sent', platform.book[0]?.id, []])
    assert.equal(asked?.path, '/botthe-token/sendPhoto')
    const { chat_id, caption, photo } = asked?.json ?? {}
    assert.deepEqual([chat_id, caption, photo.type], [ann.thread, 'This one?', 'image/jpeg'])
    assert.ok(FILES.jpeg.equals(photo.bytes))
  })

  test('goes to WhatsApp ahead of its message, which names it', async t => {
    const { platform, talk, files } = await given(t, 'whatsapp')
    const ann = await talk()
    const { status } = await settled(ann, await saysFile(ann, FILES.jpeg, 'This one?'))
    const [file] = files()
    assert.deepEqual([status, files().length, platform.messages().length], ['sent', 1, 1])
    assert.deepEqual([file?.json.messaging_product, file?.json.type, file?.json.file.type], ['whatsapp', 'image/jpeg', 'image/jpeg'])
    assert.ok(FILES.jpeg.equals(file?.json.file.bytes))
    assert.deepEqual(platform.messages()[0]?.json.image, { id: 'media-1', caption: 'This one?' })
    assert.equal(file?.headers.authorization, 'Bearer the-token')
  })

  for (const name of ['facebook', 'instagram'] as const)
    test(`goes to ${name} ahead of its message, which names it`, async t => {
      const { platform, talk, files } = await given(t, name)
      const ann = await talk()
      const id = await saysFile(ann, FILES.jpeg)
      assert.equal((await settled(ann, id)).status, 'sent')
      const [file] = files()
      assert.deepEqual([files().length, platform.messages().length], [1, 1])
      assert.equal(JSON.parse(file?.json.message).attachment.type, 'image')
      assert.ok(FILES.jpeg.equals(file?.json.filedata.bytes))
      const { message } = platform.messages()[0]?.json ?? {}
      assert.deepEqual(message, { attachment: { type: 'image', payload: { attachment_id: 'file-1' } }, metadata: id })
    })

  test('goes to a generic receiver as a link that needs no key', async t => {
    const { platform, talk } = await given(t, 'api')
    const ann = await talk()
    const { status } = await settled(ann, await saysFile(ann, FILES.pdf, 'The bill'))
    const [file] = platform.messages()[0]?.json.attachments ?? []
    assert.deepEqual([status, file.type, file.mime_type, file.size_bytes], ['sent', 'file', 'application/pdf', FILES.pdf.length])
    const fetched = await fetch(file.url.replace(/^https?:\/\/[^/]+/, app.url))
    assert.ok(FILES.pdf.equals(Buffer.from(await fetched.arrayBuffer())))
  })
})

interface Row {
  by: Behaviour[]
  uploads: number
  status: Message['status']
  code?: string
  channel?: 'failing'
}
const graph = (status: number, code: number): Behaviour => ({
  status,
  headers: { 'Retry-After': '1' },
  body: { error: { message: 'The words of Meta', code } },
})

const ROWS: Record<string, Row> = {
  'an upload without an answer in time is made again': { by: ['hang', 'take'], uploads: 2, status: 'sent' },
  'an upload that is reset is made again': { by: ['reset', 'take'], uploads: 2, status: 'sent' },
  'an upload whose answer is cut short is made again': { by: ['take and half', 'take'], uploads: 2, status: 'sent' },
  'an upload that is answered with 502 is made again': { by: [{ status: 502 }, 'take'], uploads: 2, status: 'sent' },
  'an upload that is answered without an id is made again': { by: [{ status: 200, body: {} }, 'take'], uploads: 2, status: 'sent' },
  'an upload that is asked to wait is made again': { by: [graph(400, 131056), 'take'], uploads: 2, status: 'sent' },
  'an upload that is refused for good fails its message': { by: [graph(400, 100)], uploads: 1, status: 'failed', code: 'rejected' },
  'an upload whose token is refused stops the channel': { by: [graph(401, 190)], uploads: 1, status: 'queued', channel: 'failing' },
}

suite('an upload that fails makes no second message', { concurrency: 8 }, () => {
  for (const [name, row] of Object.entries(ROWS))
    test(name, async t => {
      const { platform, talk, files, status } = await given(t, 'whatsapp')
      platform.nextFile(...row.by)
      const ann = await talk()
      const id = await saysFile(ann, FILES.jpeg)
      if (row.channel) await eventually(async () => (await status()) === row.channel)
      else await settled(ann, id)
      const message = await ann.message(id)
      assert.deepEqual([message.status, message.error?.code], [row.status, row.code])
      assert.deepEqual([files().length, platform.messages().length], [row.uploads, row.status === 'sent' ? 1 : 0])
    })

  test('a message whose fate is unknown is sent again on request, once, with its file', async t => {
    const { platform, talk, files, shop } = await given(t, 'whatsapp')
    platform.next('take and hang', 'take')
    const ann = await talk()
    const id = await saysFile(ann, FILES.jpeg)
    assert.equal((await settled(ann, id)).status, 'unknown')
    assert.equal((await shop.post(`/api/v1/conversations/${ann.conversation}/messages/${id}/resend`)).status, 200)
    assert.equal((await settled(ann, id)).status, 'sent')
    assert.deepEqual([files().length, platform.messages().length], [2, 2], 'the platform’s copy may be gone by then')
    assert.deepEqual(platform.messages()[1]?.json.image, { id: 'media-2' })
  })
})

/** A film for each talk, uploaded. @returns what says them */
async function films(talks: Talk[]): Promise<(() => Promise<string>)[]> {
  const ids: string[] = []
  for (const { shop } of talks) ids.push(await uploaded(app, shop, FILES.mp4))
  return talks.map((talk, index) => () => talk.say(null, { attachments: [{ id: ids[index] }] }))
}

suite('audio and video', { concurrency: 2 }, () => {
  test('go to Messenger at eight a second, and texts of other customers overtake those that wait', async t => {
    const { platform, shop, talk, files } = await given(t, 'facebook')
    const talks = await Promise.all(Array.from({ length: 20 }, talk))
    const texts = await Promise.all(Array.from({ length: 2 }, talk))
    await app.sql`update channels set quiet_until = now() + interval '1 hour' where tenant_id = ${shop.id}`
    const said = await Promise.all((await films(talks)).map(say => say()))
    for (const each of texts) await each.say('Hello')
    const behind = await (talks.at(-1) as Talk).say('Did you see it?')
    await app.sql`update channels set quiet_until = null where tenant_id = ${shop.id}`
    for (const [index, id] of said.entries()) assert.equal((await settled(talks[index] as Talk, id)).status, 'sent')
    assert.equal((await settled(talks.at(-1) as Talk, behind)).status, 'sent')
    const times = files().map(each => each.at)
    assert.equal(times.length, 20)
    const since = times.map(each => each - (times[0] as number))
    // The first eight are of one second; on a busy machine one may be late on its way.
    for (const [index, at] of times.slice(8).entries()) assert.ok(at - (times[index] as number) > 500, `${since}`)
    assert.ok((since.at(-1) as number) < 8_000, `${since}`)
    const shown = platform.messages().filter(each => each.json.message.text)
    const overtaking = shown.filter(each => each.json.message.text === 'Hello')
    assert.equal(overtaking.length, 2)
    for (const { at } of overtaking) assert.ok(at < (times[8] as number), 'a text waits for no film')
    const last = talks.at(-1)?.thread
    const ofLast = platform.messages().filter(each => each.json.recipient.id === last)
    assert.equal(ofLast.at(-1)?.json.message.text, 'Did you see it?', 'within a conversation nothing is overtaken')
  })

  test('keep their pace from one slice of the channel to the next', async t => {
    const { shop, talk, files } = await given(t, 'instagram')
    const one = await talk()
    const row = async () => (await app.sql<{ at: Date }[]>`select heavy_until as at from channels where tenant_id = ${shop.id}`)[0]?.at
    const [say] = await films([one])
    const usedUntil = new Date(Date.now() + 1_000)
    await app.sql`update channels set heavy_until = ${usedUntil} where tenant_id = ${shop.id}`
    assert.equal((await settled(one, (await say?.()) as string)).status, 'sent')
    const at = files()[0]?.at as number
    assert.ok(at >= usedUntil.getTime() - 50, 'a slice before this one had used the pace up')
    await eventually(async () => ((await row())?.getTime() ?? 0) >= usedUntil.getTime() + 125)
  })
})
