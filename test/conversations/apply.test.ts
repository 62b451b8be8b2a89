// What a channel tells, applied: every kind of update, twice, late, early and many at once.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Update } from '../../src/conversations/update.ts'
import { windowMoved } from '../../src/conversations/window.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { follow } from '../live/following.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { ok, tell } from '../support/given.ts'
import { openCounter } from '../support/statement-counter.ts'
import { aTalk, talkOn } from '../support/talks.ts'

const app = await testApp()
const HOUR = 3_600_000
const after = (at: string, hours: number) => new Date(Date.parse(at) + hours * HOUR).toISOString()

/** Messages of a hundred customers. */
const many = (count: number, of: string): Update[] =>
  Array.from({ length: count }, (_, n) => {
    const thread = `${of}-${n % 100}`
    return { kind: 'message', thread, at: null, from: { ids: [thread] }, external_id: `${of}:${n}`, said: { text: `${n}`, media: [] } }
  })

suite('a message', () => {
  test('is put in the platform’s order among what is applied together; what comes later is appended, with its sent_at', async () => {
    const talk = await aTalk(app)
    const at = (second: number) => `2026-05-28T20:26:0${second}.000Z`
    const said = (text: string, second: number): Update => ({
      kind: 'message',
      thread: talk.thread,
      at: at(second),
      from: { ids: [talk.thread] },
      external_id: text,
      said: { text, media: [] },
    })
    await talk.tells([said('three', 3), said('one', 1), said('two', 2)])
    await talk.tells([said('late', 0)])
    assert.deepEqual(await talk.texts(), ['Hello?', 'one', 'two', 'three', 'late'])
    const { last_message } = await talk.read()
    assert.equal((await talk.message(last_message.id)).sent_at, at(0))
  })

  test('quotes, presses choices, tells places and says what cannot be shown', async () => {
    const talk = await aTalk(app)
    const location = { latitude: 50.45, longitude: 30.52, name: 'Kyiv', address: null }
    await talk.says('M', { said: { text: 'M', media: [], in_reply_to: talk.first, choice_id: 'size-m', location, unsupported: 'poll' } })
    const { messages } = await talk.read()
    const [message, first] = messages
    assert.deepEqual(
      [message.in_reply_to, message.choice_id, message.location, message.unsupported],
      [first.id, 'size-m', location, 'poll'],
    )
  })

  test('presses a choice whose title the platform does not tell: it is as the shop offered it', async () => {
    const talk = await aTalk(app)
    const offer = await talk.replied({ text: 'Which size?', choices: [{ id: 'size-m', title: 'Medium' }] })
    await talk.fate(offer.id, 'sent', { external_id: `${talk.thread}:7` })
    const pressed = (choice_id: string) => ({ said: { text: null, media: [], choice_id, in_reply_to: `${talk.thread}:7` } })
    await talk.says('', pressed('size-m'))
    await talk.says('', pressed('size-l'))
    assert.deepEqual(await talk.texts(), ['Hello?', 'Which size?', 'Medium', 'size-l'])
  })

  test('of two accounts of one contact, on two bots: each is in its conversation', async () => {
    const shop = await app.tenant()
    const bots = [await aChannel(app, shop, { platform: 'telegram' }), await aChannel(app, shop, { platform: 'telegram' })]
    const told = (external_id: string): Update => ({
      kind: 'message',
      thread: '77',
      at: null,
      from: { ids: ['77'], name: 'Ada' },
      external_id,
      said: { text: external_id, media: [] },
    })
    for (const bot of bots) await tell(app, shop, bot, [told('77:1')])
    const { data } = ok(await shop.get('/api/v1/conversations'))
    assert.deepEqual(data.map((each: { channel_id: string }) => each.channel_id).sort(), bots.toSorted())
    assert.equal(new Set(data.map((each: { contact: { id: string } }) => each.contact.id)).size, 1, 'one person')
  })

  test('five hundred of a hundred customers at once cost no more statements than five', async () => {
    const talk = await aTalk(app)
    const counter = await openCounter(app.databaseUrl)
    const { sql, close } = openDatabase(counter.url, { name: 'counted', lanes: 0, pool: 1 })
    const counted = async (count: number, of: string) => {
      await tell({ ...app, sql }, talk.shop, talk.channel, many(1, `${of}0`))
      const before = counter.statements()
      await tell({ ...app, sql }, talk.shop, talk.channel, many(count, of))
      return counter.statements() - before
    }
    assert.equal(await counted(500, 'b'), await counted(5, 'c'))
    await close()
    await counter.close()
  })

  test('of a person whom WhatsApp names by a number, by an id or by both is in one conversation, which goes by the last', async () => {
    const shop = await app.tenant()
    const channel = await aChannel(app, shop, { platform: 'whatsapp', account: { id: '1', name: null } })
    for (const [n, ids] of [['380441234567'], ['380441234567', 'UA.77'], ['UA.77'], ['380447654321', 'UA.77'], ['380447654321']].entries())
      await tell(app, shop, channel, [
        { kind: 'message', thread: ids[0] as string, at: null, from: { ids }, external_id: `${n}`, said: { text: `${n}`, media: [] } },
      ])
    const rows = () => app.sql`select thread, messages_count from conversations where tenant_id = ${shop.id}`.then(all => [...all])
    assert.deepEqual(await rows(), [{ thread: '380447654321', messages_count: 5 }])
    const renamed = (from: string, to: string, at: string | null = null): Update => ({
      kind: 'renamed',
      thread: from,
      at,
      from: { ids: [from, to] },
      before: [from],
      to,
    })
    await tell(app, shop, channel, [renamed('380441234567', '380449999999')])
    assert.deepEqual(await rows(), [{ thread: '380447654321', messages_count: 5 }], 'the name that was given up is none that it goes by')
    await tell(app, shop, channel, [renamed('380447654321', 'UA.77', '2026-05-28T20:26:40.000Z')])
    assert.deepEqual(await rows(), [{ thread: '380447654321', messages_count: 5 }], 'they have written by it since')
    await tell(app, shop, channel, [renamed('380447654321', 'UA.77')])
    await tell(app, shop, channel, [renamed('UA.77', 'UA.78')])
    assert.deepEqual(await rows(), [{ thread: 'UA.78', messages_count: 5 }], 'answers go to the new one before anything comes from it')
    await tell(app, shop, channel, [renamed('UA.77', 'UA.78'), renamed('UA.00', 'UA.01')])
    assert.deepEqual(await rows(), [{ thread: 'UA.78', messages_count: 5 }], 'told again, and of a person who never wrote')
    await tell(app, shop, channel, [renamed('UA.78', '5511987654321')])
    await tell(app, shop, channel, [renamed('UA.77', 'UA.78')])
    assert.deepEqual(await rows(), [{ thread: '5511987654321', messages_count: 5 }], 'told again after yet another name')
    await tell(app, shop, channel, [renamed('551187654321', 'UA.79')])
    assert.deepEqual(await rows(), [{ thread: 'UA.79', messages_count: 5 }], 'the name that is given up is spelled in another way')
  })

  test('from a number that was another customer’s is theirs who has it now, and no answer to the other goes there', async () => {
    const shop = await app.tenant()
    const channel = await aChannel(app, shop, { platform: 'whatsapp', account: { id: '1', name: null } })
    const at = (second: number) => `2026-05-28T20:26:0${second}.000Z`
    const said = (thread: string, text: string): Update => ({
      kind: 'message',
      thread,
      at: at(0),
      from: { ids: [thread] },
      external_id: text,
      said: { text, media: [] },
    })
    const renamed = (from: string, to: string, second: number): Update => ({
      kind: 'renamed',
      thread: from,
      at: at(second),
      from: { ids: [from, to] },
      before: [from],
      to,
    })
    const [x, y, z, number] = ['380441111111', '380442222222', '380443333333', '380444444444'] as const
    const rows = async () =>
      (
        await app.sql`
          select t.thread, t.status, string_agg((m.doc::jsonb)->>'text', ' ' order by m.created_at) as texts,
                 count(distinct (m.doc::jsonb)->'author'->>'id')::int as authors
            from conversations t
            join messages m on m.tenant_id = t.tenant_id and m.conversation_id = t.id
           where t.tenant_id = ${shop.id}
           group by t.id, t.thread, t.status order by texts`
      ).map(({ thread, status, texts, authors }) => [thread, status, texts, authors])
    await tell(app, shop, channel, [said(x, 'x'), said(y, 'y'), said(z, 'z')])
    await tell(app, shop, channel, [said(x, 'x1'), renamed(y, number, 2), renamed(x, y, 3)])
    await tell(app, shop, channel, [said(y, 'x2'), said(number, 'y2')])
    const [first, third] = [
      [y, 'open', 'x x1 x2', 1],
      [z, 'open', 'z', 1],
    ]
    assert.deepEqual(await rows(), [first, [number, 'open', 'y y2', 1], third], 'of two names that change at once')
    await tell(app, shop, channel, [renamed(x, number, 4)])
    assert.deepEqual((await rows())[0], first, 'told of a name that is not theirs any more')
    await tell(app, shop, channel, [renamed(z, number, 5)])
    await tell(app, shop, channel, [said(number, 'z2')])
    const closed = [number, 'closed', 'y y2', 1]
    assert.deepEqual(await rows(), [first, closed, [number, 'open', 'z z2', 1]], 'the other one’s talk ends')
    const events = await app.sql`select 1 from events where tenant_id = ${shop.id} and type = 'conversation.closed'`
    assert.equal(events.length, 1)

    // One person, whom the channel took for two.
    const [one, two] = ['380445555555', '380446666666'] as const
    await tell(app, shop, channel, [said(one, 'a'), said(two, 'b')])
    const contacts = await app.sql`select contact_id from conversations where tenant_id = ${shop.id} and thread in (${one}, ${two})`
    const [kept, other] = contacts.map(each => each['contact_id'])
    ok(await shop.post(`/api/v1/contacts/${kept}/merge`, { contact_id: other }))
    await tell(app, shop, channel, [renamed(one, two, 6)])
    const both = [
      [two, 'closed', 'a', 1],
      [two, 'open', 'b', 1],
    ]
    assert.deepEqual((await rows()).slice(0, 2), both, 'of two talks of one person one goes on')
  })

  test('of a person whom WhatsApp names by one name, whose talk goes by another, is in that talk, and so is what the shop types in its app', async () => {
    const shop = await app.tenant()
    const channel = await aChannel(app, shop, { platform: 'whatsapp', account: { id: '1', name: null } })
    const said = (external_id: string, ...ids: string[]): Update => ({
      kind: 'message',
      thread: ids[0] as string,
      at: null,
      from: { ids },
      external_id,
      said: { text: external_id, media: [] },
    })
    const typed = (thread: string): Update => ({
      kind: 'echo',
      thread,
      at: null,
      external_id: `to ${thread}`,
      said: { text: 'Typed', media: [] },
    })
    await tell(app, shop, channel, [said('1', '5511987654321', 'BR.77')])
    await tell(app, shop, channel, [said('2', 'BR.77')])
    for (const update of [typed('5511987654321'), typed('551187654321'), said('3', '5511987654321'), typed('BR.77')])
      await tell(app, shop, channel, [update])
    const threads = async () => (await app.sql`select thread from conversations where tenant_id = ${shop.id}`).map(row => row['thread'])
    assert.deepEqual(await threads(), ['5511987654321'], 'it goes by what the customer wrote by last')
    await tell(app, shop, channel, [said('4', 'BR.77'), typed('BR.78')])
    const rows = await app.sql`select thread, messages_count from conversations where tenant_id = ${shop.id} order by thread`
    assert.deepEqual(
      [...rows],
      [
        { thread: 'BR.77', messages_count: 7 },
        { thread: 'BR.78', messages_count: 1 },
      ],
    )

    // What is told with both names of a person who is known by one.
    const both = { ...typed('5599'), external_id: 'to both', names: ['5599', 'BR.78'] } as Update
    await tell(app, shop, channel, [both, both])
    const [{ count } = { count: 0 }] =
      await app.sql`select messages_count as count from conversations where tenant_id = ${shop.id} and thread = 'BR.78'`
    assert.deepEqual([count, ok(await shop.get('/api/v1/contacts')).data.length], [2, 2])
    for (const [n, number] of ['5521987654321', '552187654321', '5521987654321', '552187654321'].entries())
      await tell(app, shop, channel, [said(`spelled ${n}`, number)])
    const spellings = await app.sql`select messages_count from conversations where tenant_id = ${shop.id} and thread like '5521%'`
    assert.deepEqual([...spellings], [{ messages_count: 4 }], 'a number in either spelling is one person’s')
    const second = { ...typed('5598'), external_id: 'to the second', names: ['5598', 'BR.79'] } as Update
    for (const update of [typed('5598'), second, said('5', 'BR.79')]) await tell(app, shop, channel, [update])
    assert.equal(ok(await shop.get('/api/v1/contacts')).data.length, 4, 'a second name is learned also where a talk goes by the first')

    // A talk that is open goes on, whatever an earlier one went by that is closed.
    const [first] = ok(await shop.get(`/api/v1/conversations?channel_id=${channel}`)).data.filter(
      (each: { messages_count: number }) => each.messages_count === 7,
    )
    const { closed_at } = ok(await shop.patch(`/api/v1/conversations/${first.id}`, { status: 'closed' }))
    for (const [n, id] of ['BR.77', '5511987654321', 'BR.77', '551187654321', 'BR.77'].entries())
      await tell(app, shop, channel, [{ ...said(`later ${n}`, id), at: after(closed_at, 25) } as Update])
    const counts = await app.sql`select messages_count from conversations where tenant_id = ${shop.id} order by 1`
    assert.deepEqual(
      counts.map(row => row['messages_count']),
      [2, 3, 4, 5, 7],
    )
  })

  test('of one who has blocked the shop shows that they are back, also where the block is told of late or again', async () => {
    const shop = await app.tenant()
    const channel = await aChannel(app, shop, { platform: 'telegram' })
    const at = (minute: number) => `2026-05-25T10:0${minute}:00.000Z`
    const said = (minute: number): Update => ({
      kind: 'message',
      thread: '7',
      at: at(minute),
      from: { ids: ['7'] },
      external_id: `7:${minute}`,
      said: { text: 'Hi', media: [] },
    })
    const blocked = (minute: number): Update => ({ kind: 'reachability', thread: '7', at: at(minute), reachable: false })
    for (const [set, since] of [
      [[said(1), blocked(0)], null],
      [[blocked(2)], at(2)],
      [[blocked(2), said(3), blocked(2)], null],
      [[blocked(2)], null],
      [[blocked(4)], at(4)],
      [[{ ...blocked(6), reachable: true } as Update, blocked(5)], null],
    ] as const) {
      await tell(app, shop, channel, [...set])
      assert.equal(ok(await shop.get('/api/v1/contacts')).data[0].channels[0].unreachable_since, since)
    }

    // A block names a number, and the customer has written since by their id.
    const whatsapp = await aChannel(app, shop, { platform: 'whatsapp', account: { id: '1', name: null } })
    const as = (minute: number, ...ids: string[]) => ({ ...said(minute), thread: ids[0] as string, from: { ids } }) as Update
    await tell(app, shop, whatsapp, [as(1, '380441234567', 'UA.7'), as(3, 'UA.7')])
    for (const [minute, since] of [
      [2, null],
      [4, at(4)],
    ] as const) {
      await tell(app, shop, whatsapp, [{ ...blocked(minute), thread: '380441234567' } as Update])
      assert.equal(ok(await shop.get('/api/v1/contacts')).data[0].channels[0].unreachable_since, since, `a block of minute ${minute}`)
    }
  })

  test('comes twice and is taken once', async () => {
    const talk = await aTalk(app)
    const outcomes = await talk.tells(many(500, 'a'))
    assert.ok(outcomes.every(each => each.status === 'applied'))
    const [row] =
      await app.sql`select count(*)::int as messages, count(distinct conversation_id)::int as conversations from messages where tenant_id = ${talk.shop.id}`
    assert.deepEqual(row, { messages: 501, conversations: 101 })
    const before = await talk.events()
    assert.deepEqual(await talk.tells(many(500, 'a')), outcomes, 'a repeat changes nothing')
    assert.deepEqual(await talk.events(), before)
  })
})

suite('reply_until', () => {
  test('of a talk that the shop began in the platform’s app is when it began: until the customer writes, the platform takes no reply', async () => {
    const shop = await app.tenant()
    const channel = await aChannel(app, shop, { platform: 'facebook', account: { id: '1', name: null } })
    const at = new Date(Date.now() - 1000).toISOString()
    await tell(app, shop, channel, [{ kind: 'echo', thread: '7', at, external_id: 'e', said: { text: 'Your order is here.', media: [] } }])
    await begin(app.sql, tx => windowMoved(tx, shop.id, channel))
    const [{ id, reply_until, created_at }] = ok(await shop.get('/api/v1/conversations')).data
    assert.deepEqual([reply_until !== null, reply_until], [true, created_at])
    const { status, body } = await shop.post(`/api/v1/conversations/${id}/messages`, { text: 'Hello?' })
    assert.deepEqual([status, body.code, body.reply_until], [409, 'reply_window_closed', reply_until])
  })

  test('moves with each message of the customer, by the platform’s clock, and never back', async () => {
    const shop = await app.tenant()
    const channel = await aChannel(app, shop, { platform: 'whatsapp', account: { id: '1', name: null } })
    const at = '2026-05-28T20:26:40.000Z'
    const talk = await talkOn(app, shop, channel, at)
    assert.equal((await talk.read()).reply_until, after(at, 24))
    await talk.says('later', { at: after(at, 2) })
    await talk.says('late', { at: after(at, 1) })
    assert.equal((await talk.read()).reply_until, after(at, 26))
  })

  test('is seven days on Messenger where people may answer for so long, and null where nothing limits it', async () => {
    const shop = await app.tenant()
    const page = { platform: 'facebook', account: { id: '1', name: null }, settings: { human_agent: true } } as const
    const at = '2026-05-28T20:26:40.000Z'
    const talk = await talkOn(app, shop, await aChannel(app, shop, page), at)
    assert.equal((await talk.read()).reply_until, after(at, 7 * 24))
    await app.sql`update channels set settings = settings - 'human_agent' where id = ${talk.channel}`
    const stream = await follow(app.url, shop.key)
    await begin(app.sql, tx => windowMoved(tx, shop.id, talk.channel))
    assert.equal((await talk.read()).reply_until, after(at, 24), 'at once, where that is set or taken back')
    // A stream may begin with what was there already.
    const { data } = await stream.hears(({ event, data }) => event === 'conversation' && data.reply_until === after(at, 24))
    assert.equal(data.id, talk.id, 'and those who watch are told')
    await begin(app.sql, tx => windowMoved(tx, shop.id, talk.channel))
    const told =
      await app.sql`select 1 from live_changes where tenant_id = ${shop.id} and conversation_id = ${talk.id} and message_id is null`
    assert.equal(told.length, 2, 'when it began and when its window moved, and not when nothing did')
    assert.equal((await (await aTalk(app)).read()).reply_until, null)
  })
})

suite('an echo', () => {
  test('of what a human typed in the platform’s app pauses the assistant like a reply, and is told', async () => {
    const talk = await aTalk(app)
    await talk.echo('Yes, in M.')
    const { ai_status, ai_paused_reason, unread_count, messages } = await talk.read()
    assert.deepEqual([ai_status, ai_paused_reason, unread_count], ['paused', 'human_reply', 0])
    assert.deepEqual([messages[0].author, messages[0].status], [{ type: 'operator', id: null, name: null, via: 'channel' }, 'sent'])
    assert.deepEqual((await talk.events()).slice(2), ['message.sent', 'ai.paused'])
  })

  test('of our own never makes a second message, also when it overtakes our record', async () => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    const received = new Date()
    const echo: Update = { kind: 'echo', thread: talk.thread, at: null, external_id: 'x', said: { text: 'Yes.', media: [] } }
    const [early] = await talk.tells([echo], received)
    assert.equal(early?.status, 'later')
    await talk.fate(id, 'sent', { external_id: 'x' })
    assert.deepEqual(await talk.tells([echo], received), [{ status: 'applied' }])
    assert.deepEqual(await talk.texts(), ['Hello?', 'Yes.'])
  })

  test('settles a message of ours whose fate is unknown, by its words', async () => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    await talk.fate(id, 'unknown', { error: { code: 'timeout', message: 'No answer.' } })
    await talk.echo('Yes.', { external_id: 'x' })
    const message = await talk.message(id)
    assert.deepEqual([message.status, message.external_id, (await talk.read()).failed_count], ['sent', 'x', 0])
    assert.deepEqual(await talk.texts(), ['Hello?', 'Yes.'])
  })

  test('says when a message of unknown fate went out', async () => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    await talk.fate(id, 'unknown', { error: { code: 'timeout', message: 'No answer.' } })
    const at = '2030-05-28T20:26:40.000Z'
    await talk.echo('Yes.', { external_id: 'x', at })
    assert.equal((await talk.message(id)).sent_at, at)
  })

  test('of the words of a message that does not go out is a human’s after a while', async () => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    const echo: Update = { kind: 'echo', thread: talk.thread, at: null, external_id: 'x', said: { text: 'Yes.', media: [] } }
    assert.deepEqual(await talk.tells([echo], new Date(Date.now() - 59_000)), [{ status: 'applied' }])
    assert.deepEqual([await talk.texts(), (await talk.message(id)).status], [['Hello?', 'Yes.', 'Yes.'], 'queued'])
  })

  test('with a file is none of a message without one', async () => {
    const talk = await aTalk(app)
    await talk.replied({ text: 'Yes.' })
    await talk.echo('Yes.', { said: { text: 'Yes.', media: [{ type: 'image', source: { file_id: 'f' } }] } })
    assert.deepEqual(await talk.texts(), ['Hello?', 'Yes.', 'Yes.'])
  })

  test('with other words than those under way is a human’s at once', async () => {
    const talk = await aTalk(app)
    await talk.replied({ text: 'Yes.' })
    await talk.echo('No.')
    assert.deepEqual(await talk.texts(), ['Hello?', 'Yes.', 'No.'])
  })

  test('reopens a closed conversation', async () => {
    const talk = await aTalk(app)
    ok(await talk.shop.patch(talk.path, { status: 'closed' }))
    await talk.echo('One more thing.')
    assert.equal((await talk.read()).status, 'open')
    assert.ok((await talk.events()).includes('conversation.reopened'))
  })
})

suite('an edit, a deletion, a reaction', () => {
  const about = (talk: { thread: string; first: string }, second = 0) => ({
    thread: talk.thread,
    at: `2030-05-28T20:26:0${second}.000Z`,
    external_id: talk.first,
  })

  test('changes the text, and the audit row has the old one; an older edit and the same again change nothing', async () => {
    const talk = await aTalk(app)
    const edit = (text: string, second: number): Update => ({ kind: 'edit', text, ...about(talk, second) })
    await talk.tells([edit('Hello!', 5)])
    const edited = await talk.read()
    assert.deepEqual([edited.messages[0].text, edited.messages[0].edited_at], ['Hello!', about(talk, 5).at])
    assert.equal(edited.last_message.text, 'Hello!')
    await talk.tells([edit('Hello!', 5), edit('Hell', 4)])
    assert.deepEqual(await talk.read(), edited)
    const rows = await app.sql`select details from audit_log where tenant_id = ${talk.shop.id} and action = 'message.edit'`
    assert.deepEqual(
      rows.map(row => row['details'].text),
      ['Hello?'],
    )
  })

  test('deletes text and files, once and for all', async () => {
    const talk = await aTalk(app)
    await talk.tells([{ kind: 'deletion', ...about(talk, 5) }])
    const deleted = await talk.read()
    const [message] = deleted.messages
    assert.deepEqual([message.text, message.attachments, message.deleted_at], [null, [], about(talk, 5).at])
    assert.equal(deleted.last_message.text, null)
    await talk.tells([
      { kind: 'edit', text: 'Boo', ...about(talk, 6) },
      { kind: 'reaction', emoji: '👍', by: 'customer', ...about(talk, 6) },
      { kind: 'deletion', ...about(talk, 7) },
    ])
    assert.deepEqual(await talk.read(), deleted)
    const file = { text: null, media: [{ type: 'image' as const, source: { file_id: 'f' } }] }
    await talk.tells([
      { kind: 'message', thread: talk.thread, at: about(talk, 1).at, from: { ids: [talk.thread] }, external_id: 'with a file', said: file },
      { kind: 'deletion', thread: talk.thread, at: about(talk, 2).at, external_id: 'with a file' },
    ])
    assert.equal(
      (await app.sql`select 1 from attachments where tenant_id = ${talk.shop.id}`).length,
      0,
      'nor is one of the same moment fetched',
    )
  })

  test('deletes what the message’s further files have become, too', async () => {
    const talk = await aTalk(app)
    for (const external_id of ['m', 'm:1', 'm:2', 'n:1']) await talk.says(external_id, { external_id })
    await talk.tells([{ kind: 'deletion', thread: talk.thread, at: null, external_id: 'm', parts: ['m:1', 'm:2', 'm:3'] }])
    assert.deepEqual(await talk.texts(), ['Hello?', null, null, null, 'n:1'])
    const { status } = (await talk.tells([{ kind: 'deletion', thread: talk.thread, at: null, external_id: 'm', parts: ['m:1'] }]))[0] ?? {}
    assert.equal(status, 'applied', 'a part that was never there is not waited for')
  })

  test('is one reaction of each side, can be withdrawn, and moves nothing else', async () => {
    const talk = await aTalk(app)
    const before = await talk.read()
    const react = (emoji: string | null, by: 'customer' | 'operator', second: number): Update => ({
      kind: 'reaction',
      emoji,
      by,
      ...about(talk, second),
    })
    await talk.tells([react('👍', 'customer', 1), react('❤️', 'operator', 1), react('👎', 'customer', 2)])
    const now = await talk.read()
    assert.deepEqual(
      now.messages[0].reactions.map((each: { emoji: string }) => each.emoji),
      ['❤️', '👎'],
    )
    assert.deepEqual({ ...now, messages: [] }, { ...before, messages: [] })
    await talk.tells([react('😀', 'customer', 0)])
    assert.deepEqual(await talk.read(), now, 'one that was meant earlier comes too late')
    await talk.tells([react(null, 'customer', 3), react(null, 'customer', 3)])
    const emojis = async () => (await talk.read()).messages[0].reactions.map((each: { emoji: string }) => each.emoji)
    assert.deepEqual(await emojis(), ['❤️'])
    await talk.tells([react('👎', 'customer', 2)])
    assert.deepEqual(await emojis(), ['❤️'], 'one that was withdrawn is told of again')
    await talk.tells([react(null, 'operator', 5)])
    await talk.tells([react('👍', 'customer', 4), react('🎉', 'operator', 4)])
    assert.deepEqual(await emojis(), ['👍'], 'the withdrawal was told of first')

    // The same where the message is also one that a receipt for all of them may be for.
    const { id } = await talk.replied({ text: 'Yes.' })
    await talk.fate(id, 'sent', { external_id: 'yes' })
    const receipt: Update = { kind: 'receipt', thread: talk.thread, at: null, status: 'delivered', until: about(talk, 9).at }
    const toYes = (...all: Parameters<typeof react>): Update => ({ ...react(...all), external_id: 'yes' }) as Update
    await talk.tells([toYes(null, 'operator', 6), receipt])
    await talk.tells([toYes(null, 'customer', 6), receipt])
    const changes = () =>
      app.sql`select 1 from live_changes where tenant_id = ${talk.shop.id} and message_id = ${id}`.then(all => all.length)
    const written = await changes()
    await talk.tells([toYes('👍', 'customer', 5), toYes('🎉', 'operator', 5), toYes(null, 'customer', 6), receipt])
    assert.deepEqual((await talk.message(id)).reactions, [])
    assert.equal(await changes(), written, 'nor is the message written again')
  })

  test('of a message that is not here waits a minute, and changes nothing', async () => {
    const talk = await aTalk(app)
    const before = await talk.read()
    const received = new Date()
    const named = { thread: talk.thread, at: null, external_id: 'never' }
    const outcomes = await talk.tells(
      [
        { kind: 'edit', text: 'x', ...named },
        { kind: 'deletion', ...named },
        { kind: 'reaction', emoji: '👍', by: 'customer', ...named },
        { kind: 'receipt', status: 'read', ...named },
      ],
      received,
    )
    for (const each of outcomes) assert.ok(each.status === 'later' && each.until.getTime() === received.getTime() + 60_000)
    assert.deepEqual(await talk.read(), before)
  })

  test('is applied after its message, where both come together in the wrong order', async () => {
    const talk = await aTalk(app)
    const common = { thread: talk.thread, external_id: 'x' }
    const message: Update = {
      kind: 'message',
      ...common,
      at: '2030-01-01T00:00:00.000Z',
      from: { ids: [talk.thread] },
      said: { text: 'frist', media: [] },
    }
    await talk.tells([{ kind: 'edit', ...common, at: '2030-01-01T00:00:01.000Z', text: 'first' }, message])
    assert.deepEqual(await talk.texts(), ['Hello?', 'first'])
  })
})

suite('a blocked contact', () => {
  test('is kept in a conversation that stays closed, and nobody is bothered', async () => {
    const talk = await aTalk(app)
    const { contact } = await talk.read()
    ok(await talk.shop.patch(`/api/v1/contacts/${contact.id}`, { blocked: true }))
    const closed = await talk.read()
    assert.deepEqual([closed.status, closed.unread_count, closed.waiting_since], ['closed', 0, null])
    const before = await talk.events()
    await talk.says('Answer me!')
    await talk.says('Now!')
    const now = await talk.read()
    assert.deepEqual([now.status, now.unread_count, now.waiting_since, now.messages_count], ['closed', 0, null, 3])
    await talk.echo('Go away.')
    const { status, ai_status, last_message } = await talk.read()
    assert.deepEqual(
      [status, ai_status, last_message],
      ['closed', now.ai_status, now.last_message],
      'nor by what is typed in the platform’s app',
    )
    assert.deepEqual(await talk.events(), before)
    assert.equal((await talk.reply({ text: 'No.' })).body.code, 'contact_blocked')
    assert.equal((await talk.shop.get('/api/v1/conversations')).body.data.length, 1)
  })

  test('who wrote on WhatsApp while they were blocked can be answered once they are not', async () => {
    const shop = await app.tenant()
    const talk = await talkOn(
      app,
      shop,
      await aChannel(app, shop, { platform: 'whatsapp' }),
      new Date(Date.now() - 25 * 3_600_000).toISOString(),
    )
    const path = `/api/v1/contacts/${(await talk.read()).contact.id}`
    ok(await shop.patch(path, { blocked: true }))
    await talk.says('Sorry!', { at: new Date().toISOString() })
    ok(await shop.patch(path, { blocked: false }))
    assert.equal((await talk.reply({ text: 'All right.' })).status, 201)
  })
})
