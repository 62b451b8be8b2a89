// Writing to a customer by REST, and what people do with a conversation besides.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { PlatformName } from '../../src/channels/platforms/names.ts'
import { type Asked, replyAll } from '../../src/conversations/reply.ts'
import { resend } from '../../src/conversations/resend.ts'
import { beginTurn, speak, type Turn } from '../../src/conversations/speak.ts'
import { begin, beginBriefly, openDatabase } from '../../src/postgres/sql.ts'
import { Problem } from '../../src/problems.ts'
import { createUser } from '../../src/tenants/people.ts'
import { type Reply, testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { nobody, ok } from '../support/given.ts'
import { openCounter } from '../support/statement-counter.ts'
import { aTalk, type Talk, talkOn, talksOn } from '../support/talks.ts'

const app = await testApp()
const WHATSAPP = { platform: 'whatsapp', account: { id: '1', name: null } } as const
const HOUR = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * HOUR).toISOString()

const sends = async ({ shop }: Talk) =>
  (await app.sql`select message_id, ai_epoch from channel_sends where tenant_id = ${shop.id} order by queued_at, message_id`).map(
    row => row['message_id'],
  )
const wait = async (talk: Talk, status: string) => {
  await app.sql`update channels set status = ${status} where tenant_id = ${talk.shop.id} and id = ${talk.channel}`
}

function assertRefused(answer: Reply, status: number, code: string, members: object = {}): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.code, code, answer.text)
  for (const [name, value] of Object.entries(members)) assert.deepEqual(answer.body[name], value)
}

suite('a reply', () => {
  test('is queued in the transaction that writes it, pauses the assistant, and is told who wrote it', async () => {
    const talk = await aTalk(app)
    const answer = await talk.reply({ text: 'Yes, in M.', choices: [{ id: 'm', title: 'M' }] })
    const message = ok(answer)
    assert.equal(answer.status, 201)
    assert.equal(answer.headers.get('location'), `${talk.path}/messages/${message.id}`)
    assert.deepEqual(message, ok(await talk.shop.get(answer.headers.get('location') as string)))
    assert.deepEqual([message.status, message.author.type, message.author.via], ['queued', 'operator', 'api'])
    assert.match(message.author.id, /^key_/)
    assert.deepEqual(await sends(talk), [message.id])
    const { ai_status, ai_paused_reason, unread_count, waiting_since } = await talk.read()
    assert.deepEqual([ai_status, ai_paused_reason, unread_count, waiting_since], ['paused', 'human_reply', 0, null])
    const [audited] =
      await app.sql`select actor_type, details from audit_log where tenant_id = ${talk.shop.id} and action = 'message.write'`
    assert.deepEqual([audited?.['actor_type'], audited?.['details']], ['api_key', { message_id: message.id }])
  })

  test('on web chat is there at once; a note is too, and pauses, sends and reopens nothing', async () => {
    const talk = await aTalk(app, { platform: 'web' })
    assert.equal((await talk.replied({ text: 'Hello!' })).status, 'sent')
    const other = await aTalk(app)
    ok(await other.shop.patch(other.path, { status: 'closed' }))
    const note = await other.replied({ text: 'She is a friend.', private: true })
    const { status, ai_status, last_message } = await other.read()
    assert.deepEqual([note.status, note.private, status, ai_status, last_message.text], ['sent', true, 'closed', 'on', 'Hello?'])
    for (const each of [talk, other]) assert.deepEqual(await sends(each), [])
  })

  test('to a closed conversation reopens it', async () => {
    const talk = await aTalk(app)
    ok(await talk.shop.patch(talk.path, { status: 'closed' }))
    await talk.replied({ text: 'One more thing.' })
    assert.equal((await talk.read()).status, 'open')
    assert.ok((await talk.events()).includes('conversation.reopened'))
  })

  for (const [what, body, code, field] of [
    ['nothing', {}, 'required', 'text'],
    ['an empty text', { text: '' }, 'too_short', 'text'],
    ['spaces alone', { text: ' \n\u2003' }, 'blank', 'text'],
    ['what nobody sees alone', { text: '\u200b\u{e0020} ' }, 'blank', 'text'],
    ['4 097 characters', { text: 'x'.repeat(4097) }, 'too_long', 'text'],
    ['four choices', { text: 'x', choices: [1, 2, 3, 4].map(n => ({ id: `${n}`, title: 'x' })) }, 'too_many', 'choices'],
    ['a long title', { text: 'x', choices: [{ id: 'x', title: 'x'.repeat(21) }] }, 'too_long', 'choices[0].title'],
    ['an id with spaces', { text: 'x', choices: [{ id: 'a b', title: 'x' }] }, 'invalid_format', 'choices[0].id'],
    [
      'a blank title',
      {
        text: 'x',
        choices: [
          { id: 'x', title: 'x' },
          { id: 'y', title: ' \u2003' },
        ],
      },
      'blank',
      'choices[1].title',
    ],
    ['two choices of one id', { text: 'x', choices: ['a', 'b'].map(title => ({ id: 'x', title })) }, 'duplicate_id', 'choices'],
    ['choices without a question', { choices: [{ id: 'x', title: 'x' }], attachments: [{ id: nobody('att') }] }, 'required', 'text'],
    ['a note with choices', { text: 'x', private: true, choices: [{ id: 'x', title: 'x' }] }, 'not_combinable', 'choices'],
    ['a template on Telegram', { template: { name: 'hello', language: 'en', parameters: [] } }, 'template_unsupported', 'template'],
    ['a template with a text', { text: 'x', template: { name: 'hello', language: 'en', parameters: [] } }, 'not_combinable', 'text'],
    ['a quote of nothing', { text: 'x', in_reply_to: nobody('msg') }, 'unknown_message', 'in_reply_to'],
    ['a last_seen of nothing', { text: 'x', last_seen: nobody('msg') }, 'unknown_message', 'last_seen'],
    ['an unknown field', { text: 'x', to: 'me' }, 'unknown_field', 'to'],
  ] as const)
    test(`of ${what} is refused, and leaves nothing`, async () => {
      const talk = await aTalk(app)
      const answer = await talk.reply(body)
      assertRefused(answer, 422, code)
      assert.equal(answer.body.errors[0].field, field)
      assert.deepEqual([(await talk.read()).messages_count, await sends(talk)], [1, []])
    })

  for (const [platform, max, text] of [
    ['telegram', 4096, 'x'.repeat(4097)],
    ['telegram', 4096, 'x'.repeat(900_000)],
    ['whatsapp', 4096, 'x'.repeat(4097)],
    ['facebook', 2000, 'x'.repeat(2001)],
    ['facebook', 2000, 'x'.repeat(4097)],
    ['instagram', 1000, 'ї'.repeat(501)],
    ['instagram', 1000, 'x'.repeat(4097)],
    ['api', 4096, '😀'.repeat(2049)],
    ['web', 4096, 'x'.repeat(4097)],
  ] as const)
    test(`longer than ${platform} takes is refused with the number: ${text.length} of ${text.slice(0, 2)}`, async () => {
      const talk = await talkOn(app, ...(await channelOf(platform)))
      assertRefused(await talk.reply({ text }), 422, 'too_long', { max })
    })

  test('a note longer than any message is refused with the number', async () => {
    const talk = await aTalk(app)
    assertRefused(await talk.reply({ text: 'x'.repeat(4097), private: true }), 422, 'too_long', { max: 4096 })
    assert.equal((await talk.reply({ text: 'x'.repeat(4096), private: true })).status, 201)
  })

  test('longer than WhatsApp takes with its choices, which are lines of a long text, is refused', async () => {
    const shop = await app.tenant()
    const talk = await talkOn(app, shop, await aChannel(app, shop, WHATSAPP), ago(1))
    const choices = [{ id: 'yes', title: 'Yes' }]
    assertRefused(await talk.reply({ text: 'x'.repeat(4090), choices }), 422, 'too_long', { max: 4096 })
    for (const body of [{ text: 'x'.repeat(4088), choices }, { text: 'y'.repeat(4096) }]) assert.equal((await talk.reply(body)).status, 201)
  })

  const channelOf = async (platform: PlatformName) => {
    const shop = await app.tenant()
    return [shop, await aChannel(app, shop, { platform, account: { id: '1', name: null } }), new Date().toISOString()] as const
  }

  test('in another workspace is a 404', async () => {
    const [talk, other] = [await aTalk(app), await aTalk(app)]
    assert.equal((await other.shop.post(`${talk.path}/messages`, { text: 'x' })).status, 404)
    assert.equal((await talk.shop.post(`${other.path}/messages`, { text: 'x' })).status, 404)
  })

  for (const [status, code] of [
    ['disabled', 'channel_disabled'],
    ['deleted', 'channel_deleted'],
  ] as const)
    test(`on a channel that is ${status} is refused; a note is not`, async () => {
      const talk = await aTalk(app)
      await wait(talk, status)
      assertRefused(await talk.reply({ text: 'x' }), 409, code)
      assert.equal((await talk.reply({ text: 'x', private: true })).status, 201)
    })

  test('on a channel that is failing waits', async () => {
    const talk = await aTalk(app)
    await wait(talk, 'failing')
    assert.equal((await talk.replied({ text: 'x' })).status, 'queued')
  })

  test('in a closed conversation is refused while the customer writes in another, and says in which', async () => {
    const talk = await aTalk(app)
    ok(await talk.shop.patch(talk.path, { status: 'closed' }))
    await talk.says('Me again', { at: new Date(Date.now() + 25 * HOUR).toISOString() })
    const { data } = ok(await talk.shop.get('/api/v1/conversations?status=open'))
    assertRefused(await talk.reply({ text: 'x' }), 409, 'conversation_closed', { conversation_id: data[0].id })
    assertRefused(await talk.shop.patch(talk.path, { status: 'open' }), 409, 'conversation_closed', { conversation_id: data[0].id })
  })

  test('on WhatsApp a day after the customer wrote is refused; a template is not', async () => {
    const shop = await app.tenant()
    const talk = await talkOn(app, shop, await aChannel(app, shop, WHATSAPP), ago(25))
    const { reply_until } = await talk.read()
    assertRefused(await talk.reply({ text: 'x' }), 409, 'reply_window_closed', { reply_until })
    const template = { name: 'hello', language: 'en', parameters: ['Ada'] }
    assert.deepEqual((await talk.replied({ template })).template, template)
    assertRefused(await talk.reply({ template }), 409, 'duplicate_message')
    assert.equal((await talk.reply({ template: { ...template, parameters: ['Eve'] } })).status, 201)
    const open = await talkOn(app, shop, talk.channel, ago(23))
    assert.equal((await open.reply({ text: 'x' })).status, 201)
  })
})

suite('the same reply', () => {
  test('within a minute is refused, and names the first; notes are not; after a minute it is new', async () => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    const again = await talk.reply({ text: 'Yes.' })
    assertRefused(again, 409, 'duplicate_message', { message_id: id })
    const seconds = Number(again.headers.get('retry-after'))
    assert.ok(seconds > 50 && seconds <= 60)
    const note = { text: 'Note', private: true }
    for (const body of [{ text: 'Yes!' }, note, note, { text: 'Note' }]) await talk.replied(body)
    await app.sql`
      update messages set created_at = created_at - interval '61 seconds', doc = replace(doc, ${(await talk.message(id)).created_at}, ${ago(0.02)})
       where tenant_id = ${talk.shop.id} and id = ${id}`
    assert.equal((await talk.reply({ text: 'Yes.' })).status, 201)
  })

  test('of twenty pairs who answer at once one of each wins, and the other is told who and what', async () => {
    const shop = await app.tenant()
    const talks = await talksOn(app, shop, await aChannel(app, shop), 20)
    await Promise.all(
      talks.map(async talk => {
        const { last_message } = await talk.read()
        const write = (text: string) => talk.reply({ text, last_seen: last_message.id })
        const answers = await Promise.all([write('Hello, this is Olga.'), write('Hello, this is Petro.')])
        const [won, lost] = answers.toSorted((a, b) => a.status - b.status) as [Reply, Reply]
        assert.equal(won.status, 201)
        assertRefused(lost, 409, 'answered_meanwhile', { message: won.body })
      }),
    )
  })

  test('with last_seen is refused after the assistant’s answer too, and goes where its writer has seen that', async () => {
    const talk = await aTalk(app)
    const { last_message } = await talk.read()
    await talk.replied({ text: 'A note', private: true })
    await talk.says('And in L?')
    const caller = { tenant: talk.shop.id, actor: { type: 'system' } } as const
    const spoken = await begin(app.sql, async tx => speak(tx, caller, (await beginTurn(tx, caller, talk.id)) as Turn, { text: 'Both.' }))
    const { id } = 'said' in spoken ? spoken.said : assert.fail(JSON.stringify(spoken))
    const refused = await talk.reply({ text: 'No.', last_seen: last_message.id })
    assertRefused(refused, 409, 'answered_meanwhile')
    assert.deepEqual([refused.body.message.id, refused.body.message.author.type], [id, 'ai'])
    assert.equal((await talk.reply({ text: 'No.', last_seen: id })).status, 201)
    const other = await aTalk(app)
    const { last_message: seen } = await other.read()
    await other.fate((await other.replied({ text: 'Lost' })).id, 'failed', { error: { code: 'rejected', message: 'No.' } })
    assert.equal((await other.reply({ text: 'Again', last_seen: seen.id })).status, 201, 'what failed has answered nothing')
  })

  test('is seen behind any number of the customer’s messages, and so is a colleague’s answer', async () => {
    const talk = await aTalk(app)
    const { last_message } = await talk.read()
    const flood = Array.from({ length: 250 }, (_, n) => ({
      kind: 'message' as const,
      thread: talk.thread,
      at: null,
      from: { ids: [talk.thread] },
      external_id: `${talk.thread}:flood:${n}`,
      said: { text: `${n}`, media: [] },
    }))
    await talk.tells(flood)
    const { id } = await talk.replied({ text: 'One at a time, please.' })
    assertRefused(await talk.reply({ text: 'Sorry?', last_seen: last_message.id }), 409, 'answered_meanwhile')
    assertRefused(await talk.reply({ text: 'One at a time, please.' }), 409, 'duplicate_message', { message_id: id })
  })
})

suite('replies of one moment', () => {
  const asked = ({ shop, id }: Talk, text: string): Asked => ({ caller: { tenant: shop.id, actor: { type: 'cli' } }, id, input: { text } })

  test('of several workspaces are written in three round trips, and one that is refused leaves no trace', async t => {
    const counter = await openCounter(app.databaseUrl, undefined, 20)
    const db = openDatabase(counter.url, { name: 'replies', lanes: 0, pool: 1 })
    t.after(() => db.close().then(counter.close))
    const talks = await Promise.all(Array.from({ length: 4 }, () => aTalk(app)))
    const [one, two, three, other] = talks as [Talk, Talk, Talk, Talk]
    // The first time statements are prepared: by a reply where the assistant is paused and one where it is not, as below.
    await beginBriefly(db.sql, tx => replyAll(tx, [asked(one, 'Wait.')]))
    await beginBriefly(db.sql, tx => replyAll(tx, [asked(one, 'Well.'), asked(other, 'Wait.')]))
    const [statements, trips] = [counter.statements(), counter.roundTrips()]
    const strange = asked({ ...one, id: two.id }, 'Not mine.')
    const said = await beginBriefly(db.sql, tx =>
      replyAll(tx, [asked(one, 'One.'), asked(two, 'Two.'), strange, asked(three, 'x'.repeat(5_000))]),
    )
    assert.deepEqual([counter.statements() - statements, counter.roundTrips() - trips], [5, 3])
    assert.deepEqual(
      said.map(each => (each instanceof Problem ? each.type : each.text)),
      ['One.', 'Two.', 'resource-not-found', 'validation-failed'],
    )
    assert.deepEqual(await Promise.all(talks.map(async each => (await each.texts()).slice(1))), [
      ['Wait.', 'Well.', 'One.'],
      ['Two.'],
      [],
      ['Wait.'],
    ])
    assert.deepEqual(await Promise.all(talks.map(async each => (await sends(each)).length)), [3, 1, 0, 1])
    assert.deepEqual([(await two.events()).at(-1), (await three.events()).at(-1)], ['ai.paused', 'message.received'])
  })

  test('in one conversation each see those before them', async () => {
    const talk = await aTalk(app)
    const said = await begin(app.sql, tx => replyAll(tx, [asked(talk, 'Yes.'), asked(talk, 'Yes.'), asked(talk, 'No.')]))
    assert.deepEqual(
      said.map(each => (each instanceof Problem ? each.members['code'] : each.text)),
      ['Yes.', 'duplicate_message', 'No.'],
    )
    assert.deepEqual((await talk.texts()).slice(1), ['Yes.', 'No.'])
  })
})

suite('a message that failed or is unknown', () => {
  const failed = async (status: 'failed' | 'unknown') => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    await app.sql`delete from channel_sends where tenant_id = ${talk.shop.id}`
    await talk.fate(id, status, { error: { code: 'timeout', message: 'No answer.' } })
    return { talk, id, path: `${talk.path}/messages/${id}` }
  }

  for (const status of ['failed', 'unknown'] as const)
    test(`is sent again as the same message, once: ${status}`, async () => {
      const { talk, id, path } = await failed(status)
      const again = ok(await talk.shop.post(`${path}/resend`))
      assert.deepEqual([again.id, again.status, again.error], [id, 'queued', null])
      assert.deepEqual([await sends(talk), (await talk.read()).failed_count], [[id], 0])
      assertRefused(await talk.shop.post(`${path}/resend`), 409, 'not_resendable', { status: 'queued' })
      assert.deepEqual(await talk.texts(), ['Hello?', 'Yes.'])
    })

  const hindrances: [code: string, hinder: (talk: Talk) => Promise<unknown>][] = [
    ['channel_disabled', talk => wait(talk, 'disabled')],
    ['channel_deleted', talk => wait(talk, 'deleted')],
    ['contact_blocked', async talk => talk.shop.patch(`/api/v1/contacts/${(await talk.read()).contact.id}`, { blocked: true })],
    [
      'conversation_closed',
      async talk => {
        ok(await talk.shop.patch(talk.path, { status: 'closed' }))
        await talk.says('Me again', { at: new Date(Date.now() + 25 * HOUR).toISOString() })
      },
    ],
  ]
  for (const [code, hinder] of hindrances)
    test(`is sent again no more than a reply is: ${code}`, async () => {
      const { talk, id, path } = await failed('unknown')
      await hinder(talk)
      const before = await talk.message(id)
      assertRefused(await talk.shop.post(`${path}/resend`), 409, code)
      assert.deepEqual([await talk.message(id), await sends(talk)], [before, []])
    })

  test('is sent again in no closed window, but as a template', async () => {
    const shop = await app.tenant()
    const talk = await talkOn(app, shop, await aChannel(app, shop, WHATSAPP), ago(25))
    const template = { name: 'hello', language: 'en', parameters: [] }
    const { id } = await talk.replied({ template })
    await app.sql`delete from channel_sends where tenant_id = ${shop.id}`
    await talk.fate(id, 'failed', { error: { code: 'rejected', message: 'No.' } })
    assert.equal(ok(await shop.post(`${talk.path}/messages/${id}/resend`)).status, 'queued')
    const open = await talkOn(app, shop, talk.channel, ago(23))
    const said = await open.replied({ text: 'x' })
    await open.fate(said.id, 'failed', { error: { code: 'rejected', message: 'No.' } })
    await app.sql`update conversations set reply_until = now() - interval '1 hour' where tenant_id = ${shop.id} and id = ${open.id}`
    assertRefused(await shop.post(`${open.path}/messages/${said.id}/resend`), 409, 'reply_window_closed')
  })

  test('goes by the platform’s id of the last sending: a receipt, a quote or a reaction names that', async () => {
    const { talk, id, path } = await failed('unknown')
    await talk.receipt('sent', { our_id: id, external_id: 'the first', at: '2026-05-28T20:26:40.000Z' })
    await talk.receipt('failed', { external_id: 'the first' })
    const { sent_at } = await talk.message(id)
    assert.equal(sent_at, '2026-05-28T20:26:40.000Z')
    assert.deepEqual([ok(await talk.shop.post(`${path}/resend`)).external_id, (await talk.message(id)).sent_at], [null, null])
    await talk.fate(id, 'sent', { external_id: 'the second' })
    await talk.receipt('delivered', { external_id: 'the second' })
    const again = await talk.message(id)
    assert.deepEqual([again.external_id, again.status, again.sent_at > sent_at], ['the second', 'delivered', true])
  })

  test('is sent again once by ten who ask at the same time', async () => {
    const { talk, id } = await failed('unknown')
    const caller = { tenant: talk.shop.id, actor: { type: 'cli' } } as const
    const again = await Promise.allSettled(Array.from({ length: 10 }, () => begin(app.sql, tx => resend(tx, caller, talk.id, id))))
    assert.equal(again.filter(each => each.status === 'fulfilled').length, 1)
    assert.deepEqual(await sends(talk), [id])
  })

  for (const [status, type] of [
    ['sent', 'message.sent'],
    ['failed', 'message.failed'],
  ] as const)
    test(`is settled by a person as ${status}, where it was unknown`, async () => {
      const { talk, path } = await failed('unknown')
      const { headers } = await talk.shop.get(path)
      assert.equal((await talk.shop.patch(path, { status }, { 'If-Match': '"x"' })).status, 412)
      const settled = ok(await talk.shop.patch(path, { status }, { 'If-Match': headers.get('etag') as string }))
      assert.deepEqual([settled.status, (await talk.read()).failed_count], [status, 0])
      assert.equal((await talk.events()).at(-1), type)
      assertRefused(await talk.shop.patch(path, { status }), 409, 'not_unknown', { status })
    })

  test('that was deleted in the platform’s app is not sent again', async () => {
    const { talk, id, path } = await failed('unknown')
    await talk.fate(id, 'unknown', { external_id: 'it' })
    await talk.tells([{ kind: 'deletion', thread: talk.thread, at: null, external_id: 'it' }])
    const { status, deleted_at } = await talk.message(id)
    assert.deepEqual([status, deleted_at === null], ['unknown', false])
    assertRefused(await talk.shop.post(`${path}/resend`), 409, 'not_resendable')
  })

  test('is not of the customer, not a note and not of another conversation', async () => {
    const { talk, path } = await failed('failed')
    const { messages } = await talk.read()
    const note = await talk.replied({ text: 'x', private: true })
    for (const id of [messages[1].id, note.id])
      assertRefused(await talk.shop.post(`${talk.path}/messages/${id}/resend`), 409, 'not_resendable')
    const other = await aTalk(app)
    const foreign = path.replace(talk.id, other.id)
    for (const shop of [talk.shop, other.shop]) assert.equal((await shop.post(`${foreign}/resend`)).status, 404)
    assert.equal((await other.shop.patch(path, { status: 'sent' })).status, 404)
  })

  test('counts no more once the conversation is closed, and settling it then takes nothing from what failed since', async () => {
    const { talk, path } = await failed('unknown')
    ok(await talk.shop.patch(talk.path, { status: 'closed' }))
    assert.equal((await talk.read()).failed_count, 0)
    const { id } = await talk.replied({ text: 'Another.' })
    await talk.fate(id, 'failed', { error: { code: 'rejected', message: 'No.' } })
    assert.equal((await talk.read()).failed_count, 1)
    ok(await talk.shop.patch(path, { status: 'sent' }))
    assert.equal((await talk.read()).failed_count, 1)
  })
})

suite('a conversation', () => {
  test('is closed and reopened, and clears what waits', async () => {
    const talk = await aTalk(app)
    const closed = ok(await talk.shop.patch(talk.path, { status: 'closed' }))
    assert.deepEqual([closed.status, closed.unread_count, closed.waiting_since, closed.version], ['closed', 0, null, 2])
    assert.equal(closed.closed_at, closed.updated_at)
    assert.deepEqual(await talk.read(), closed)
    const same = await talk.shop.patch(talk.path, { status: 'closed' })
    assert.deepEqual([same.body, same.headers.get('etag')], [closed, (await talk.shop.get(talk.path)).headers.get('etag')])
    assert.equal(ok(await talk.shop.patch(talk.path, { status: 'open' })).closed_at, null)
    assert.deepEqual((await talk.events()).slice(2), ['conversation.closed', 'conversation.reopened'])
  })

  test('is assigned to users of the workspace alone', async () => {
    const talk = await aTalk(app)
    const user = async (tenant: string, email: string) =>
      (await createUser(app.sql, { tenant, email, password: 'correct horse', role: 'operator' })).id
    const [olga, foreign] = [await user(talk.shop.id, 'olga@shop.example'), await user((await app.tenant()).id, 'eve@other.example')]
    assert.equal(ok(await talk.shop.patch(talk.path, { assigned_to: olga })).assigned_to, olga)
    for (const id of [foreign, nobody('usr')]) assertRefused(await talk.shop.patch(talk.path, { assigned_to: id }), 422, 'unknown_user')
    const found = ok(await talk.shop.get(`/api/v1/conversations?assigned_to=${olga}`))
    assert.equal(found.data.length, 1)
    assert.equal(ok(await talk.shop.patch(talk.path, { assigned_to: null })).assigned_to, null)
  })

  test('is changed in one version however much is asked at once, and honours If-Match', async () => {
    const talk = await aTalk(app)
    const etag = (await talk.shop.get(talk.path)).headers.get('etag') as string
    const changed = ok(await talk.shop.patch(talk.path, { tags: ['sizes'], ai_status: 'paused', status: 'closed' }, { 'If-Match': etag }))
    assert.deepEqual([changed.tags, changed.ai_status, changed.ai_paused_reason, changed.version], [['sizes'], 'paused', 'manual', 2])
    assert.equal((await talk.shop.patch(talk.path, { tags: [] }, { 'If-Match': etag })).status, 412)
    assert.deepEqual((await talk.events()).slice(2).sort(), ['ai.paused', 'conversation.closed'])
    ok(await talk.shop.patch(talk.path, { ai_status: 'on' }))
    assert.equal((await talk.events()).at(-1), 'ai.resumed')
  })

  test('is read, which a second time changes nothing', async () => {
    const talk = await aTalk(app)
    const read = ok(await talk.shop.post(`${talk.path}/read`))
    assert.deepEqual([read.unread_count, read.waiting_since !== null], [0, true])
    assert.deepEqual(ok(await talk.shop.post(`${talk.path}/read`)), read)
  })
})
