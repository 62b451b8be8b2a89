// The requests of a message, as each platform's documentation wants them.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { ofPart, ofPress } from '../../src/channels/platforms/messenger/own-ids.ts'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import type { Outgoing, OutgoingFile, PlatformRequest, Sender, SendingAccount } from '../../src/channels/platforms/sender.ts'
import { SENDERS } from '../../src/channels/platforms/senders.ts'
import { verifyWebhook } from '../../src/outbound/sign.ts'

const NOW = 1_780_000_000_000

const account = (over: Partial<SendingAccount> = {}): SendingAccount => ({
  account_id: '4711',
  settings: { api_url: 'https://platform.example', send_url: 'https://shop.example/send' },
  credentials: { token: 'the-token', secret: 'whsec_1' },
  ...over,
})

const aMessage = (over: Partial<Outgoing> = {}): Outgoing => ({
  id: 'msg_1',
  conversation_id: 'conv_1',
  to: '4915112345678',
  name: 'Ann',
  text: 'Hello',
  file: null,
  choices: [],
  location: null,
  template: null,
  in_reply_to: null,
  late: false,
  created_at: '2026-05-28T20:26:40.000Z',
  ...over,
})

const aFile = (over: Partial<OutgoingFile> = {}): OutgoingFile => ({
  type: 'image',
  name: 'shirt.jpg',
  mime_type: 'image/jpeg',
  size_bytes: 3,
  url: 'https://shop.example/files/1',
  async *pieces() {
    yield Buffer.from('abc')
  },
  ...over,
})

const CHOICES = [
  { id: 'yes', title: 'Yes' },
  { id: 'no', title: 'No' },
]

const requestOf = (platform: PlatformName, over: Partial<Outgoing> = {}, uploaded: string | null = null): PlatformRequest =>
  (SENDERS[platform] as Sender).message(aMessage(over), account(), uploaded, NOW)
// biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
const bodyOf = (platform: PlatformName, over: Partial<Outgoing> = {}, uploaded: string | null = null): any =>
  JSON.parse(requestOf(platform, over, uploaded).body as string)

async function formOf({ headers, body }: PlatformRequest): Promise<string> {
  assert.match(headers['Content-Type'] ?? '', /^multipart\/form-data; boundary=/)
  const pieces: Buffer[] = []
  for await (const piece of (body as Extract<PlatformRequest['body'], { pieces: unknown }>).pieces()) pieces.push(piece)
  const text = Buffer.concat(pieces)
  assert.equal((body as { length?: number }).length, text.length, 'its length is known')
  return text.toString()
}

suite('Telegram', () => {
  test('a text goes by sendMessage, with what it quotes and with its choices as buttons', () => {
    const { url } = requestOf('telegram')
    assert.equal(url, 'https://platform.example/botthe-token/sendMessage')
    assert.deepEqual(bodyOf('telegram', { to: '12', in_reply_to: '12:345', choices: CHOICES }), {
      chat_id: '12',
      text: 'Hello',
      reply_parameters: { message_id: 345, allow_sending_without_reply: true },
      reply_markup: { inline_keyboard: [[{ text: 'Yes', callback_data: 'yes' }], [{ text: 'No', callback_data: 'no' }]] },
    })
  })

  for (const [type, mime_type, method] of [
    ['image', 'image/jpeg', 'sendPhoto'],
    ['image', 'image/gif', 'sendAnimation'],
    ['image', 'image/heic', 'sendDocument'],
    ['video', 'video/mp4', 'sendVideo'],
    ['video', 'video/quicktime', 'sendDocument'],
    ['audio', 'audio/mpeg', 'sendAudio'],
    ['audio', 'audio/ogg', 'sendVoice'],
    ['file', 'application/pdf', 'sendDocument'],
  ] as const)
    test(`${mime_type} goes by ${method}, with its text as the caption`, async () => {
      const request = requestOf('telegram', { file: aFile({ type, mime_type }), choices: CHOICES })
      assert.ok(request.url.endsWith(`/${method}`), request.url)
      const form = await formOf(request)
      assert.match(form, /name="caption"\r\n\r\nHello\r\n/)
      assert.match(form, new RegExp(`filename="shirt.jpg"\r\nContent-Type: ${mime_type}\r\n\r\nabc\r\n`))
      assert.match(form, /name="reply_markup"\r\n\r\n\{"inline_keyboard"/)
    })

  test('a place goes as one', () => {
    const place = { latitude: 50.45, longitude: 30.52, name: null, address: null }
    assert.ok(requestOf('telegram', { location: place }).url.endsWith('/sendLocation'))
    const named = { ...place, name: 'The shop', address: 'A street 1' }
    assert.ok(requestOf('telegram', { location: named }).url.endsWith('/sendVenue'))
    assert.equal(bodyOf('telegram', { location: named }).title, 'The shop')
  })
})

suite('WhatsApp', () => {
  test('a text names our message, and what it quotes', () => {
    const { url, headers } = requestOf('whatsapp')
    assert.equal(url, 'https://platform.example/4711/messages')
    assert.equal(headers['Authorization'], 'Bearer the-token')
    assert.deepEqual(bodyOf('whatsapp', { in_reply_to: 'wamid.1' }), {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '4915112345678',
      context: { message_id: 'wamid.1' },
      type: 'text',
      text: { body: 'Hello', preview_url: true },
      biz_opaque_callback_data: 'msg_1',
    })
  })

  test('a person without a number is named by their user id', () => {
    const { to, recipient } = bodyOf('whatsapp', { to: 'US.13491208655302741918' })
    assert.deepEqual({ to, recipient }, { to: undefined, recipient: 'US.13491208655302741918' })
  })

  test('choices are buttons, above them the file; numbered lines where the text is too long for that', () => {
    const { interactive } = bodyOf('whatsapp', { choices: CHOICES, file: aFile() }, 'media-1')
    assert.deepEqual(interactive, {
      type: 'button',
      header: { type: 'image', image: { id: 'media-1' } },
      body: { text: 'Hello' },
      action: { buttons: CHOICES.map(reply => ({ type: 'reply', reply })) },
    })
    const { type, text } = bodyOf('whatsapp', { choices: CHOICES, text: 'x'.repeat(1025) })
    assert.equal(type, 'text')
    assert.ok(text.body.endsWith('x\n\n1. Yes\n2. No'))
  })

  test('a file is uploaded first, and then named by its id', async () => {
    const upload = SENDERS.whatsapp?.upload?.(aFile(), account()) as PlatformRequest
    assert.equal(upload.url, 'https://platform.example/4711/media')
    const form = await formOf(upload)
    assert.match(form, /name="messaging_product"\r\n\r\nwhatsapp\r\n/)
    assert.match(form, /name="type"\r\n\r\nimage\/jpeg\r\n/)
    assert.deepEqual(bodyOf('whatsapp', { file: aFile() }, 'media-1').image, { id: 'media-1', caption: 'Hello' })
    const pdf = aFile({ type: 'file', name: 'offer.pdf', mime_type: 'application/pdf' })
    assert.deepEqual(bodyOf('whatsapp', { file: pdf }, 'media-1').document, { id: 'media-1', caption: 'Hello', filename: 'offer.pdf' })
    assert.deepEqual(bodyOf('whatsapp', { file: aFile({ type: 'audio', mime_type: 'audio/ogg' }), text: null }, 'media-1').audio, {
      id: 'media-1',
    })
  })

  test('a template goes with its parameters', () => {
    const template = { name: 'order_ready', language: 'en_US', parameters: ['Ann', '4711'] }
    assert.deepEqual(bodyOf('whatsapp', { template, text: null }).template, {
      name: 'order_ready',
      language: { code: 'en_US' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ann' },
            { type: 'text', text: '4711' },
          ],
        },
      ],
    })
    assert.deepEqual(bodyOf('whatsapp', { template: { ...template, parameters: [] }, text: null }).template.components, [])
  })

  test('reading and typing name the customer’s last message', () => {
    const read = SENDERS.whatsapp?.read?.('1', 'wamid.9', account())
    assert.deepEqual(JSON.parse(read?.body as string), { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.9' })
    const typing = SENDERS.whatsapp?.typing?.('1', 'wamid.9', account())
    assert.deepEqual(JSON.parse(typing?.body as string).typing_indicator, { type: 'text' })
    assert.equal(SENDERS.whatsapp?.read?.('1', null, account()), undefined)
  })
})

suite('Messenger and Instagram', () => {
  test('a text is a response with our id as metadata, after a day with the tag of human agents', () => {
    assert.equal(requestOf('facebook').url, 'https://platform.example/4711/messages')
    assert.deepEqual(bodyOf('facebook', { to: 'psid', in_reply_to: 'mid.1' }), {
      recipient: { id: 'psid' },
      messaging_type: 'RESPONSE',
      reply_to: { mid: 'mid.1' },
      message: { text: 'Hello', metadata: 'msg_1' },
    })
    const { messaging_type, tag } = bodyOf('instagram', { late: true })
    assert.deepEqual({ messaging_type, tag }, { messaging_type: 'MESSAGE_TAG', tag: 'HUMAN_AGENT' })
  })

  test('a quoted file goes by the message that it came in, and a pressed button is not quoted', () => {
    assert.deepEqual(bodyOf('facebook', { in_reply_to: ofPart('m_1', 12) }).reply_to, { mid: 'm_1' })
    assert.deepEqual(bodyOf('facebook', { in_reply_to: 'mid.1457764197618:41d102a3e1ae206a38' }).reply_to, {
      mid: 'mid.1457764197618:41d102a3e1ae206a38',
    })
    assert.equal(bodyOf('instagram', { in_reply_to: ofPress('psid', null) }).reply_to, undefined)
    assert.equal(bodyOf('telegram', { in_reply_to: '7:press:4382' }).reply_parameters, undefined)
  })

  test('reading and typing are actions of the page, and name the customer alone', () => {
    const [read, typing] = (['read', 'typing'] as const).map(signal => SENDERS.facebook?.[signal]?.('psid', null, account()))
    assert.deepEqual(
      [read, typing].map(each => [each?.url, JSON.parse(each?.body as string)]),
      ['mark_seen', 'typing_on'].map(sender_action => [
        'https://platform.example/4711/messages',
        { recipient: { id: 'psid' }, sender_action },
      ]),
    )
  })

  test('choices are quick replies, and a file goes ahead by message_attachments', async () => {
    assert.deepEqual(bodyOf('facebook', { choices: CHOICES }).message.quick_replies, [
      { content_type: 'text', title: 'Yes', payload: 'yes' },
      { content_type: 'text', title: 'No', payload: 'no' },
    ])
    const upload = SENDERS.instagram?.upload?.(aFile(), account()) as PlatformRequest
    assert.equal(upload.url, 'https://platform.example/4711/message_attachments')
    const form = await formOf(upload)
    assert.match(form, /name="platform"\r\n\r\ninstagram\r\n/)
    assert.match(form, /name="message"\r\n\r\n\{"attachment":\{"type":"image"/)
    assert.match(form, /name="filedata"; filename="shirt.jpg"/)
    assert.deepEqual(bodyOf('instagram', { file: aFile(), text: null }, 'file-1').message.attachment, {
      type: 'image',
      payload: { attachment_id: 'file-1' },
    })
  })
})

suite('the generic format', () => {
  test('it is signed as a webhook is, and its key is the message', () => {
    const { url, headers, body } = requestOf('api')
    assert.equal(url, 'https://shop.example/send')
    assert.equal(headers['Idempotency-Key'], 'msg_1')
    const signature = headers['X-Service-Signature'] as string
    assert.ok(verifyWebhook('whsec_1', signature, body as string, NOW / 1000))
    assert.ok(!verifyWebhook('whsec_2', signature, body as string, NOW / 1000))
  })

  test('during a rotation both secrets sign', () => {
    const request = SENDERS.api?.message(aMessage(), account({ previous_secret: 'whsec_0' }), null, NOW) as PlatformRequest
    for (const secret of ['whsec_0', 'whsec_1'])
      assert.ok(verifyWebhook(secret, request.headers['X-Service-Signature'] as string, request.body as string, NOW / 1000))
  })

  test('it holds what the message has, and a link to its file', () => {
    assert.deepEqual(bodyOf('api'), {
      type: 'message',
      id: 'msg_1',
      conversation_id: 'conv_1',
      to: { id: '4915112345678', name: 'Ann' },
      text: 'Hello',
      attachments: [],
      created_at: '2026-05-28T20:26:40.000Z',
    })
    const { attachments, choices, in_reply_to, to } = bodyOf('api', { file: aFile(), choices: CHOICES, in_reply_to: 'theirs', name: null })
    assert.deepEqual(attachments, [
      { type: 'image', name: 'shirt.jpg', mime_type: 'image/jpeg', size_bytes: 3, url: 'https://shop.example/files/1' },
    ])
    assert.deepEqual({ choices, in_reply_to, to }, { choices: CHOICES, in_reply_to: 'theirs', to: { id: '4915112345678' } })
  })
})
