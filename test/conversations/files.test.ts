// Files of messages: those of customers are fetched later, those of staff are uploaded first.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Media } from '../../src/conversations/update.ts'
import { PNG } from '../attachments/samples.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { nobody, ok } from '../support/given.ts'
import { aTalk, type Talk, talkOn } from '../support/talks.ts'

const app = await testApp()
/** The smallest picture. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const uploaded = async ({ shop }: Talk, raw: Buffer = GIF): Promise<string> =>
  ok(
    await app.request('POST', '/api/v1/attachments?name=shirt.gif', {
      key: shop.key,
      raw,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  ).id

suite('the files of a customer', () => {
  const media: Media[] = [{ type: 'image', name: 'me.jpg', mime_type: 'image/jpeg', size_bytes: 7, source: { file_id: 'abc' } }]

  test('are told at once, and fetched after', async () => {
    const talk = await aTalk(app)
    const message = { external_id: 'x', said: { text: null, media } }
    await talk.says('', message)
    await talk.says('', message)
    const { messages } = await talk.read()
    assert.equal(messages.length, 2, 'a repeat changes nothing')
    const [file] = messages[0].attachments
    assert.deepEqual([file.type, file.name, file.mime_type, file.size_bytes, file.status], ['image', 'me.jpg', 'image/jpeg', 7, 'pending'])
    assert.equal(file.url, `https://shop.example/api/v1/attachments/${file.id}`)
    const [told] = await app.sql`select body from events where tenant_id = ${talk.shop.id} and type = 'message.received' order by seq desc`
    assert.deepEqual(JSON.parse(told?.['body']).data.message, messages[0])
    const rows = await app.sql`select id from attachments where tenant_id = ${talk.shop.id}`
    assert.deepEqual(
      rows.map(row => row['id']),
      [file.id],
    )
  })

  test('go with a message that is deleted', async () => {
    const talk = await aTalk(app)
    await talk.says('', { external_id: 'x', said: { text: null, media } })
    await talk.tells([{ kind: 'deletion', thread: talk.thread, at: null, external_id: 'x' }])
    assert.deepEqual((await talk.read()).messages[0].attachments, [])
    assert.equal((await app.sql`select 1 from attachments where tenant_id = ${talk.shop.id} and status = 'pending'`).length, 0)
  })

  test('who is blocked are not fetched', async () => {
    const talk = await aTalk(app)
    const { contact } = await talk.read()
    ok(await talk.shop.patch(`/api/v1/contacts/${contact.id}`, { blocked: true }))
    await talk.says('', { said: { text: 'Look!', media } })
    const [file] = (await talk.read()).messages[0].attachments
    assert.deepEqual([file.status, file.error.code], ['failed', 'contact_blocked'])
  })
})

suite('a file of ours', () => {
  test('goes with one message, beside its caption', async () => {
    const talk = await aTalk(app)
    const id = await uploaded(talk)
    const message = await talk.replied({ text: 'This one.', attachments: [{ id }] })
    const [file] = message.attachments
    assert.deepEqual([file.id, file.type, file.mime_type, file.status], [id, 'image', 'image/gif', 'stored'])
    assert.deepEqual(await talk.message(message.id), message)
    const again = await talk.reply({ text: 'And again.', attachments: [{ id }] })
    assert.deepEqual([again.status, again.body.code], [409, 'attachment_sent'])
  })

  test('is the same as one that was uploaded once more: refused within a minute', async () => {
    const talk = await aTalk(app)
    await talk.replied({ attachments: [{ id: await uploaded(talk) }] })
    const again = await talk.reply({ attachments: [{ id: await uploaded(talk) }] })
    assert.deepEqual([again.status, again.body.code], [409, 'duplicate_message'])
  })

  test('of a kind that the platform does not carry is refused with the kinds that it does, and stays unsent', async () => {
    const shop = await app.tenant()
    const page = { platform: 'instagram', account: { id: '1', name: null } } as const
    const talk = await talkOn(app, shop, await aChannel(app, shop, page), new Date().toISOString())
    const id = await uploaded(talk, Buffer.from('%PDF-1.7\n%âãÏÓ\n1 0 obj\n<<>>\nendobj\n'))
    const refused = await talk.reply({ attachments: [{ id }] })
    assert.deepEqual([refused.status, refused.body.code], [422, 'attachment_unsupported'])
    assert.deepEqual(refused.body.allowed, ['image', 'video', 'audio'])
    const picture = { attachments: [{ id: await uploaded(talk) }] }
    const captioned = await talk.reply({ text: 'This one.', ...picture })
    assert.deepEqual([captioned.status, captioned.body.code], [422, 'caption_unsupported'])
    assert.equal((await talk.reply(picture)).status, 201)
  })

  for (const [platform, length, fits] of [
    ['telegram', 1025, 1024],
    ['whatsapp', 1025, 1024],
  ] as const)
    test(`has a caption that ${platform} takes, or is refused with the number`, async () => {
      const shop = await app.tenant()
      const channel = await aChannel(app, shop, { platform, account: { id: '1', name: null } })
      const talk = await talkOn(app, shop, channel, new Date().toISOString())
      const attachments = [{ id: await uploaded(talk, PNG) }]
      const refused = await talk.reply({ text: 'x'.repeat(length), attachments })
      assert.deepEqual([refused.status, refused.body.code, refused.body.max], [422, 'too_long', fits])
      assert.equal((await talk.reply({ text: 'x'.repeat(fits), attachments })).status, 201)
    })

  for (const [platform, megabytes] of [
    ['telegram', 10],
    ['whatsapp', 5],
    ['instagram', 8],
  ] as const)
    test(`that is larger than ${platform} takes is refused with the number, and one that just fits is not`, async () => {
      const shop = await app.tenant()
      const channel = await aChannel(app, shop, { platform, account: { id: '1', name: null } })
      const talk = await talkOn(app, shop, channel, new Date().toISOString())
      const max = megabytes * 1024 * 1024
      const sized = (bytes: number) => uploaded(talk, Buffer.concat([PNG, Buffer.alloc(bytes - PNG.length)]))
      const refused = await talk.reply({ attachments: [{ id: await sized(max + 1) }] })
      assert.deepEqual([refused.status, refused.body.code, refused.body.max], [422, 'attachment_too_large', max])
      assert.equal((await talk.reply({ attachments: [{ id: await sized(max) }] })).status, 201)
    })

  test('that is nobody’s, or another workspace’s, is refused', async () => {
    const [talk, other] = [await aTalk(app), await aTalk(app)]
    for (const id of [nobody('att'), await uploaded(other)]) {
      const refused = await talk.reply({ attachments: [{ id }] })
      assert.deepEqual([refused.status, refused.body.errors[0].field, refused.body.code], [422, 'attachments[0].id', 'unknown_attachment'])
    }
  })
})
