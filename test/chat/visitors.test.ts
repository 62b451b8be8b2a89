// Visitors of a web chat: who may ask, who they are, and that nothing is kept before they have said something.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import { hoursAt } from '../../src/chat/hours.ts'
import { seal } from '../../src/secrets.ts'
import { testApp } from '../support/app.ts'
import { nobody } from '../support/given.ts'
import { aChat, type Chat, identity, ORIGIN, type Reply, request } from './chatting.ts'

const app = await testApp({ INBOUND_CHANNEL_LIMIT: '100000' })

const rowsOf = async ({ shop }: Chat) => {
  const [row] = await app.sql`
    select (select count(*)::integer from callbacks where tenant_id = ${shop.id}) as callbacks,
           (select count(*)::integer from contacts where tenant_id = ${shop.id}) as contacts`
  return { ...row }
}

function assertRefused({ status, body, headers, text }: Reply, expected: number, code?: string): void {
  assert.equal(status, expected, text)
  assert.equal(headers.get('content-type'), 'application/problem+json')
  assert.match(headers.get('x-trace-id') ?? '', /^[0-9a-f]{32}$/)
  assert.ok(headers.get('x-ratelimit-limit'))
  assert.equal(body.status, expected)
  if (code !== undefined) assert.equal(body.code, code, text)
}

const A_MESSAGE = { id: 'a-message-of-mine-1', text: 'Hello?' }

test('a visitor gets a token and what the chat looks like, and leaves no row', async () => {
  const settings = { title: 'Ask us', greeting: 'Hi!', color: '#0a7cff', away_text: 'We are asleep.' }
  const chat = await aChat(app, settings)
  const reply = await chat.ask('visitors', { body: {} })
  assert.equal(reply.status, 200, reply.text)
  const { id, visitor_token, files, now, ...rest } = reply.body
  assert.match(id, /^vis_/)
  assert.deepEqual(rest, { object: 'visitor', ...settings, away: false, changes_at: null, has_email: false })
  assert.ok(Math.abs(Date.parse(now) - Date.now()) < 60_000, now)
  assert.ok(files.max_bytes === 10 * 1024 * 1024 && files.mime_types.includes('application/pdf'))
  assert.equal(reply.headers.get('cache-control'), 'no-store')
  assert.deepEqual(await rowsOf(chat), { callbacks: 0, contacts: 0 })
  const again = await chat.ask('visitors', { token: visitor_token, body: {} })
  assert.equal(again.body.id, id, 'the same visitor')
  assert.equal((await chat.ask('messages', { token: again.body.visitor_token })).status, 200)
  for (let n = 0; n < 40; n++) await chat.visitor()
  assert.deepEqual(await rowsOf(chat), { callbacks: 0, contacts: 0 })
})

suite('a page', () => {
  test('of an origin that the shop named may ask and read the answer; so may our own', async () => {
    const chat = await aChat(app)
    for (const origin of [ORIGIN, app.config.baseUrl]) {
      const preflight = await chat.ask('messages', { method: 'OPTIONS', origin, headers: { 'Access-Control-Request-Method': 'POST' } })
      assert.equal(preflight.status, 204)
      assert.equal(preflight.headers.get('access-control-allow-origin'), origin)
      assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /Authorization/)
      assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /GET.*POST|POST.*GET/)
      assert.equal(preflight.headers.get('allow'), 'POST, GET, HEAD, OPTIONS')
      const reply = await chat.ask('visitors', { body: {}, origin })
      assert.equal(reply.headers.get('access-control-allow-origin'), origin)
      assert.equal(reply.headers.get('vary'), 'Origin')
      assert.equal(reply.headers.get('access-control-allow-credentials'), null)
    }
  })

  test('of another origin is refused, also before it asks, and reads nothing', async () => {
    const chat = await aChat(app)
    const { token } = await chat.visitor()
    const foreign = [
      'https://evil.example',
      'null',
      `${ORIGIN}.evil.example`,
      'http://shop.example.com',
      `${ORIGIN}:444`,
      ORIGIN.toUpperCase(),
    ]
    for (const origin of foreign) {
      const replies = [
        await chat.ask('visitors', { body: {}, origin }),
        await chat.ask('messages', { token, body: A_MESSAGE, origin }),
        await chat.ask('messages', { token, origin }),
        await chat.ask('messages', { method: 'OPTIONS', origin }),
      ]
      for (const reply of replies) {
        assertRefused(reply, 403, 'origin_not_allowed')
        assert.equal(reply.headers.get('access-control-allow-origin'), null)
      }
    }
    assert.deepEqual(await rowsOf(chat), { callbacks: 0, contacts: 0 })
  })

  test('is told that a chat is gone: unknown, deleted, of another platform, of no form', async () => {
    const chat = await aChat(app)
    await app.sql`update channels set status = 'deleted', credentials = null where id = ${chat.id}`
    const telegram = await aChat(app)
    await app.sql`update channels set platform = 'api' where id = ${telegram.id}`
    for (const id of [chat.id, telegram.id, nobody('chn'), 'x']) {
      const path = `/api/chat/${id}/visitors`
      const asked = await request(app, path, { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'POST' } })
      assert.equal(asked.status, 204, 'a browser whose question is refused would not show why')
      const reply = await request(app, path, { body: {} })
      assertRefused(reply, 404)
      for (const { headers } of [asked, reply]) assert.equal(headers.get('access-control-allow-origin'), '*')
    }
  })

  test('that asks by a method or at a path that there is not is told so', async () => {
    const chat = await aChat(app)
    const wrong = await chat.ask('messages', { method: 'DELETE' })
    assertRefused(wrong, 405)
    assert.equal(wrong.headers.get('allow'), 'POST, GET, HEAD, OPTIONS')
    assert.equal((await chat.ask('nothing')).status, 404)
  })
})

suite('a token', () => {
  test('that is missing, forged, shortened, of another chat, of another purpose or with another visitor is refused', async () => {
    const [chat, other] = [await aChat(app), await aChat(app)]
    const { token } = await chat.visitor()
    const [key, body = ''] = token.split('.')
    const swapped = `${key}.${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`
    const purpose = seal(app.keyring, JSON.stringify({ v: nobody('vis'), t: Date.now() }), 'another purpose', chat.id)
    const wrong = [undefined, '', 'x', token.slice(0, -2), swapped, (await other.visitor()).token, purpose, chat.shop.key, `${token}x`]
    for (const each of wrong) {
      const replies = [
        await chat.ask('messages', { token: each, body: A_MESSAGE }),
        await chat.ask('messages', { token: each }),
        await chat.ask('seen', { token: each, body: { message_id: nobody('msg') } }),
      ]
      for (const reply of replies) {
        assertRefused(reply, 401, 'invalid_token')
        assert.equal(reply.headers.get('www-authenticate'), 'Bearer')
      }
    }
    assert.deepEqual(await rowsOf(chat), { callbacks: 0, contacts: 0 })
  })

  test('is good for a year, and renewed whenever the visitor comes', async () => {
    const chat = await aChat(app)
    const year = 365 * 24 * 3600_000
    const aged = (ms: number) =>
      seal(app.keyring, JSON.stringify({ v: nobody('vis'), t: Date.now() - ms }), 'tokens of chat visitors', chat.id)
    assert.equal((await chat.ask('messages', { token: aged(year - 60_000) })).status, 200)
    assertRefused(await chat.ask('messages', { token: aged(year + 1) }), 401, 'expired_token')
    const renewed = await chat.ask('visitors', { token: aged(year - 60_000), body: {} })
    assert.equal(renewed.body.id, nobody('vis'))
    assert.notEqual((await chat.ask('visitors', { token: aged(year + 1), body: {} })).body.id, nobody('vis'))
  })
})

suite('an identity', () => {
  test('that is forged, expired, of another chat or names nobody is refused, and says so', async () => {
    const [chat, other] = [await aChat(app), await aChat(app)]
    const who = { email: 'ada@example.com' }
    const good = identity(chat.secret, who)
    const raw = (payload: string) => `${payload}.${createHmac('sha256', chat.secret).update(payload).digest('hex')}`
    const b64 = (value: unknown) => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')
    for (const [text, code] of [
      [identity(other.secret, who), 'invalid_signature'],
      [identity('', who), 'invalid_signature'],
      [good.slice(0, -1), 'invalid_signature'],
      [good.toUpperCase(), 'invalid_signature'],
      [good.replace('.', ''), 'invalid_signature'],
      [`${b64({ ...who, exp: 4e9 })}.${good.split('.')[1]}`, 'invalid_signature'],
      [identity(chat.secret, who, Math.floor(Date.now() / 1000) - 1), 'identity_expired'],
      [identity(chat.secret, { name: 'Ada' }), 'required'],
      [identity(chat.secret, { email: 'nobody' }), 'invalid_identity'],
      [identity(chat.secret, { email: 'a@b.example', admin: true }), 'invalid_identity'],
      [raw(b64('not json')), 'invalid_identity'],
      [raw(b64([])), 'invalid_identity'],
      [raw(b64({ email: 'ada@example.com' })), 'invalid_identity'],
    ] as const) {
      const reply = await chat.ask('visitors', { body: { identity: text } })
      assertRefused(reply, 422, code)
      assert.equal(reply.body.errors[0].field, 'identity')
    }
    assert.equal((await chat.ask('visitors', { body: { identity: good } })).body.has_email, true)
  })

  test('belongs to its visitor: another person, or nobody any more, begins anew', async () => {
    const chat = await aChat(app)
    const [ada, eve] = [identity(chat.secret, { external_id: '1', name: 'Ada' }), identity(chat.secret, { external_id: '2' })]
    const anonymous = await chat.visitor()
    const begin = async (token: string | undefined, body: object) => (await chat.ask('visitors', { token, body })).body
    const signedIn = await begin(anonymous.token, { identity: ada })
    assert.equal(signedIn.id, anonymous.id, 'who signs in goes on with the talk')
    assert.equal((await begin(signedIn.visitor_token, { identity: ada })).id, anonymous.id)
    assert.notEqual((await begin(signedIn.visitor_token, { identity: eve })).id, anonymous.id)
    assert.notEqual((await begin(signedIn.visitor_token, {})).id, anonymous.id)
    const goesOn = async (one: object, other: object) => {
      const { id, visitor_token } = await begin(undefined, { identity: identity(chat.secret, one) })
      return (await begin(visitor_token, { identity: identity(chat.secret, other) })).id === id
    }
    assert.equal(await goesOn({ email: 'ada@example.com' }, { email: 'Ada@Example.com' }), true)
    assert.equal(await goesOn({ external_id: 'Ab1' }, { external_id: 'aB1' }), false, 'ids that differ in case are two people’s')
  })

  test('signed with the secret before a rotation counts for a day more', async () => {
    const chat = await aChat(app)
    const { encrypt } = await import('../../src/secrets.ts')
    const { previousBinding } = await import('../../src/channels/accounts/credentials.ts')
    const sealed = encrypt(app.keyring, 'whsec_before', previousBinding(chat.shop.id, chat.id))
    const until = async (hours: number) =>
      app.sql`update channels set previous_secret = ${sealed}, previous_secret_until = now() + make_interval(hours => ${hours}) where id = ${chat.id}`
    await until(1)
    const body = { identity: identity('whsec_before', { email: 'ada@example.com' }) }
    assert.equal((await chat.ask('visitors', { body })).status, 200)
    const other = await aChat(app)
    assertRefused(await other.ask('visitors', { body }), 422, 'invalid_signature')
  })
})

suite('what is wrong with a message', () => {
  test('is said: its shape, its length, its type; and nothing is kept', async () => {
    const chat = await aChat(app)
    const { token } = await chat.visitor()
    const wrong: [unknown, number][] = [
      [{ ...A_MESSAGE, text: '' }, 422],
      [{ ...A_MESSAGE, text: ' \n ' }, 422],
      [{ ...A_MESSAGE, text: 'x'.repeat(4097) }, 422],
      [{ ...A_MESSAGE, id: 'short' }, 422],
      [{ text: 'no id' }, 422],
      [{ ...A_MESSAGE, email: 'nobody' }, 422],
      [{ ...A_MESSAGE, page: 'javascript:alert(1)' }, 422],
      [{ ...A_MESSAGE, admin: true }, 422],
      [[], 422],
      [null, 422],
      [7, 422],
      [{ ...A_MESSAGE, text: 'x'.repeat(70_000) }, 413],
    ]
    for (const [body, status] of wrong) assertRefused(await chat.ask('messages', { token, body }), status)
    assertRefused(await chat.ask('messages', { token, raw: '[['.repeat(5_000), headers: { 'Content-Type': 'application/json' } }), 422)
    assertRefused(await chat.ask('messages', { token, raw: '{', headers: { 'Content-Type': 'application/json' } }), 422)
    assertRefused(await chat.ask('messages', { token, raw: JSON.stringify(A_MESSAGE), headers: { 'Content-Type': 'text/plain' } }), 415)
    assertRefused(await chat.ask('seen', { token, body: { message_id: nobody('msg') } }), 422, 'unknown_message')
    for (const query of ['after=%00', 'after=', 'before=msg_1', `after=${nobody('msg')}&after=${nobody('msg')}`]) {
      const { status, body } = await chat.ask(`messages?${query}`, { token })
      assert.deepEqual([status, body.errors?.[0]?.field, body.errors?.[0]?.code], [422, query.split('=')[0], 'invalid_format'], query)
    }
    assert.deepEqual(await rowsOf(chat), { callbacks: 0, contacts: 0 })
  })

  test('in its characters is mended, not refused', async () => {
    const chat = await aChat(app)
    const { token } = await chat.visitor()
    const raw = '{"id":"a-message-of-mine-2","text":"a\\u0000b\\ud800c","name":"<b>x</b>\\n\\n"}'
    const reply = await chat.ask('messages', { token, raw, headers: { 'Content-Type': 'application/json' } })
    assert.equal(reply.status, 200, reply.text)
    assert.deepEqual(reply.body, { object: 'callback', id: reply.body.id })
    assert.match(reply.body.id, /^cbk_/)
  })
})

suite('floods', () => {
  test('of visitors: an address may begin so many a minute, with its messages and files, and leaves no row', async () => {
    const limited = await testApp({ INBOUND_CHANNEL_LIMIT: '5' })
    const chat = await aChat(limited)
    const replies = await Promise.all(Array.from({ length: 20 }, () => chat.ask('visitors', { body: {} })))
    assert.deepEqual(replies.map(each => each.status).sort(), [...Array(5).fill(200), ...Array(15).fill(429)])
    const token = replies.find(each => each.status === 200)?.body.visitor_token
    const refused = await chat.ask('messages', { token, body: A_MESSAGE })
    assertRefused(refused, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    const reads = await Promise.all(Array.from({ length: 60 }, () => chat.ask('messages', { token })))
    assert.equal(reads.filter(each => each.status === 200).length, 50, 'reading has a limit of its own, ten times as large')
    assertRefused(reads.find(each => each.status === 429) as Reply, 429)
    for (const table of ['callbacks', 'contacts', 'conversations', 'contact_channels'])
      assert.equal((await limited.sql`select 1 from ${limited.sql(table)} where tenant_id = ${chat.shop.id}`).length, 0, table)
  })

  test('of messages: a visitor may send 20 a minute', async () => {
    const chat = await aChat(app)
    const [{ token }, other] = [await chat.visitor(), await chat.visitor()]
    const send = (by: string, n: number) => chat.ask('messages', { token: by, body: { id: `message-number-${n}-xx`, text: 'x' } })
    const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => send(token, n)))
    assert.equal(replies.filter(each => each.status === 200).length, 20)
    const refused = replies.find(each => each.status === 429) as Reply
    assertRefused(refused, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await send(other.token, 1)).status, 200, 'another visitor is not held')
    assert.equal((await rowsOf(chat))['callbacks' as never], 21)
  })
})

suite('the hours of a shop', () => {
  const at = (time: string) => Date.parse(time)
  for (const [hours, zone, time, away, changes] of [
    [undefined, undefined, '2026-11-23T03:00:00Z', false, null],
    ['Mon-Fri 09:00-18:00', undefined, '2026-11-23T08:59:59Z', true, '2026-11-23T09:00:00.000Z'],
    ['Mon-Fri 09:00-18:00', undefined, '2026-11-23T09:00:00Z', false, '2026-11-23T18:00:00.000Z'],
    ['Mon-Fri 09:00-18:00', 'Europe/Kyiv', '2026-11-23T08:59:59Z', false, '2026-11-23T16:00:00.000Z'],
    ['Mon-Fri 09:00-18:00', undefined, '2026-11-27T18:00:00Z', true, '2026-11-30T09:00:00.000Z'],
    ['Mon-Fri 09:00-18:00, Sat 10:00-14:00', undefined, '2026-11-28T12:00:00Z', false, '2026-11-28T14:00:00.000Z'],
    ['Fri-Mon 22:00-06:00', undefined, '2026-11-24T05:00:00Z', false, '2026-11-24T06:00:00.000Z'],
    ['Sun 20:00-02:00', undefined, '2026-11-23T01:00:00Z', false, '2026-11-23T02:00:00.000Z'],
    ['Mon-Sun 00:00-24:00', undefined, '2026-11-25T23:59:00Z', false, null],
    ['Mon-Sun 09:00-18:00', 'America/New_York', '2026-10-31T23:00:00Z', true, '2026-11-01T14:00:00.000Z'],
    ['Mon-Sun 09:00-18:00', 'America/New_York', '2026-03-07T23:30:00Z', true, '2026-03-08T13:00:00.000Z'],
  ] as const)
    test(`${hours} in ${zone ?? 'UTC'}, at ${time}`, () => {
      assert.deepEqual(hoursAt(hours, zone, at(time)), { away, changes_at: changes })
    })
})
