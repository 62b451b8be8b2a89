// What became of messages that were sent: by the engine's record, by receipts, by echoes, in any order.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createRecorder, type Fate, type Recorder } from '../../src/channels/sending/record.ts'
import { recordSends } from '../../src/conversations/sent.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { ok } from '../support/given.ts'
import { openCounter } from '../support/statement-counter.ts'
import { aTalk, type Talk, talkOn } from '../support/talks.ts'

const app = await testApp()
const UNKNOWN = { error: { code: 'timeout', message: 'The platform did not answer.' } }

suite('the record of a message that was sent', () => {
  test('tells the platform’s id, when it was sent and how often, and is told to webhooks', async () => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    await talk.fate(id, 'queued', { error: { code: 'unavailable', message: 'Away.' }, next_attempt_at: '2026-05-28T20:26:40.000Z' })
    const waiting = await talk.message(id)
    assert.deepEqual(
      [waiting.status, waiting.attempts, waiting.error.code, waiting.next_attempt_at],
      ['queued', 1, 'unavailable', '2026-05-28T20:26:40.000Z'],
    )
    await talk.fate(id, 'sent', { external_id: 'x', attempts: 2 })
    const sent = await talk.message(id)
    assert.deepEqual([sent.status, sent.attempts, sent.error, sent.next_attempt_at, sent.external_id], ['sent', 2, null, null, 'x'])
    assert.ok(sent.sent_at)
    assert.deepEqual((await talk.events()).slice(2), ['ai.paused', 'message.sent'])
    assert.equal((await talk.read()).failed_count, 0)
  })

  test('keeps the platform’s id though a message of another bot of the shop has the same one', async () => {
    const talk = await aTalk(app)
    const other = await talkOn(app, talk.shop, await aChannel(app, talk.shop, { platform: 'telegram' }))
    const [mine, theirs] = [await talk.replied({ text: 'Yes.' }), await other.replied({ text: 'No.' })]
    await talk.echo('typed in the app', { external_id: '7:2' })
    await other.fate(theirs.id, 'sent', { external_id: '7:1' })
    await begin(app.sql, tx =>
      recordSends(
        tx,
        [
          [talk.id, mine.id, '7:1'],
          [other.id, theirs.id, '7:1'],
        ].map(([conversation_id = '', message_id = '', external_id = '']) => ({
          tenant: talk.shop.id,
          conversation_id,
          message_id,
          status: 'sent',
          external_id,
          error: null,
          next_attempt_at: null,
        })),
      ),
    )
    assert.deepEqual([(await talk.message(mine.id)).external_id, (await other.message(theirs.id)).external_id], ['7:1', '7:1'])
    const again = await talk.replied({ text: 'Again.' })
    await talk.fate(again.id, 'sent', { external_id: '7:2' })
    assert.equal((await talk.message(again.id)).external_id, null)
  })

  test('that a customer has blocked says since when they cannot be written to, until they write; one who writes just then can be', async () => {
    const talk = await aTalk(app)
    const refused = { error: { code: 'recipient_unreachable', message: 'The customer has blocked the bot.' }, isBlock: true }
    const since = async () => ok(await talk.shop.get(`/api/v1/contacts/${(await talk.read()).contact.id}`)).channels[0].unreachable_since
    const tried = async (status: 'failed', over: Record<string, unknown>) =>
      talk.fate((await talk.replied({ text: `${++replies}` })).id, status, over)
    let replies = 0
    await tried('failed', { error: { code: 'recipient_unreachable', message: 'No such chat.' } })
    assert.equal(await since(), null)
    await tried('failed', refused)
    const first = await since()
    assert.ok(Date.parse(first) > Date.now() - 60_000, first)
    await tried('failed', refused)
    assert.equal(await since(), first)
    await talk.says('Here I am.')
    assert.equal(await since(), null)
    const { id } = await talk.replied({ text: 'Which has arrived.' })
    await talk.receipt('delivered', { our_id: id, external_id: 'arrived' })
    await talk.fate(id, 'failed', refused)
    assert.equal(await since(), null, 'one of whom it is known that something has arrived')
    await begin(app.sql, async tx => {
      await tx`select from contact_channels where tenant_id = ${talk.shop.id} and external_id = ${talk.thread} for update`
      await tried('failed', refused)
    })
    assert.equal(await since(), null)
  })

  test('that failed or is unknown counts in the conversation until it is settled', async () => {
    const talk = await aTalk(app)
    const one = await talk.replied({ text: 'one' })
    const two = await talk.replied({ text: 'two' })
    await talk.fate(one.id, 'failed', { error: { code: 'rejected', message: 'No.' } })
    await talk.fate(two.id, 'unknown', UNKNOWN)
    assert.equal((await talk.read()).failed_count, 2)
    assert.deepEqual((await talk.events()).slice(-2), ['message.failed', 'message.failed'])
    const { body } = await talk.shop.get('/api/v1/conversations?failed=true')
    assert.deepEqual(
      body.data.map((each: { id: string }) => each.id),
      [talk.id],
    )
    await talk.replied({ text: 'three' })
    const counts = async () => {
      const { queued_count, unknown_count } = (await talk.shop.get(`/api/v1/channels/${talk.channel}`)).body
      return [queued_count, unknown_count]
    }
    assert.deepEqual(await counts(), [1, 1])
    await talk.receipt('delivered', { our_id: two.id, external_id: 'two' })
    assert.deepEqual(await counts(), [1, 0])
    const settled = await talk.message(two.id)
    assert.deepEqual([settled.status, settled.error, settled.external_id], ['delivered', null, 'two'])
    assert.equal((await talk.read()).failed_count, 1)
    assert.equal((await talk.events()).at(-1), 'message.sent')
  })

  test('that comes after a receipt or an echo of the same message leaves what is known better', async () => {
    const talk = await aTalk(app)
    const one = await talk.replied({ text: 'one' })
    await talk.receipt('read', { our_id: one.id, external_id: 'one' })
    await talk.fate(one.id, 'sent', { external_id: 'one' })
    await talk.fate(one.id, 'unknown', UNKNOWN)
    const two = await talk.replied({ text: 'two' })
    await talk.echo('two', { our_id: two.id, external_id: 'two' })
    await talk.fate(two.id, 'unknown', UNKNOWN)
    await talk.fate(two.id, 'queued', { ...UNKNOWN, next_attempt_at: '2030-05-28T20:26:40.000Z' })
    assert.equal((await talk.message(two.id)).next_attempt_at, null)
    const messages = [await talk.message(one.id), await talk.message(two.id)]
    assert.deepEqual(
      messages.map(each => [each.status, each.external_id, each.error]),
      [
        ['read', 'one', null],
        ['sent', 'two', null],
      ],
    )
    assert.deepEqual(await talk.texts(), ['Hello?', 'one', 'two'])
    assert.equal((await talk.read()).failed_count, 0)
    assert.equal((await talk.events()).filter(each => each === 'message.sent').length, 2)
  })
})

suite('results of several workspaces', () => {
  const recorded = (recorder: Recorder, { shop, channel, id }: Talk, message_id: string): Promise<void> =>
    recorder({
      channel: { tenant: shop.id, id: channel },
      token: null,
      conversation_id: id,
      message_id,
      fate: { status: 'sent', external_id: null, attempts: 1, made: 1 },
    })

  test('are recorded by as many statements as one', async t => {
    const counter = await openCounter(app.databaseUrl)
    const db = openDatabase(counter.url, { name: 'a recorder', lanes: 0, pool: 1 })
    t.after(() => db.close().then(counter.close))
    const recorder = createRecorder(db.sql, new AbortController().signal)
    const talks = await Promise.all(Array.from({ length: 3 }, () => aTalk(app)))
    const ids = await Promise.all(talks.map(async talk => (await talk.replied({ text: 'Yes.' })).id))
    await db.sql`select 1`
    const before = counter.statements()
    await Promise.all(talks.map((talk, index) => recorded(recorder, talk, ids[index])))
    assert.equal(counter.statements() - before, 4)
    for (const [index, talk] of talks.entries()) {
      assert.equal((await talk.message(ids[index])).status, 'sent')
      assert.deepEqual((await talk.events()).slice(3), ['message.sent'])
    }
    assert.equal((await app.sql`select 1 from channel_sends where message_id = any(${ids})`).length, 0)
  })

  test('are not held up by one whose conversation is locked, which is recorded when it is free', async () => {
    const recorder = createRecorder(app.sql, new AbortController().signal)
    const [one, other] = [await aTalk(app), await aTalk(app)]
    const [mine, theirs] = [await one.replied({ text: 'Yes.' }), await other.replied({ text: 'No.' })]
    let first = Promise.resolve()
    await begin(app.sql, async tx => {
      await tx`select 1 from conversations where tenant_id = ${one.shop.id} and id = ${one.id} for update`
      first = recorded(recorder, one, mine.id)
      await recorded(recorder, other, theirs.id)
      assert.equal((await other.message(theirs.id)).status, 'sent')
    })
    await first
    assert.equal((await one.message(mine.id)).status, 'sent')
  })
})

suite('a late answer', () => {
  const [OLD, NEW] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const recorder = createRecorder(app.sql, new AbortController().signal)
  const refused = { status: 'failed', error: { code: 'rejected', message: 'No.' } } as const
  const unknown = { status: 'unknown', ...UNKNOWN } as const

  /** Takes a message to send it. @returns what records the answer */
  async function sending({ shop, channel, id: conversation_id }: Talk, message_id: string, token: string) {
    const [row] = await app.sql<{ queued_at: Date }[]>`
      update channel_sends set taken = ${token}, begun_at = clock_timestamp() where message_id = ${message_id} returning queued_at`
    const claimed = { channel: { tenant: shop.id, id: channel }, token, conversation_id, message_id, queuedAt: row?.queued_at as Date }
    return (fate: Partial<Fate>) => recorder({ ...claimed, fate: { status: 'sent', external_id: null, attempts: 1, made: 1, ...fate } })
  }
  const isQueued = async (id: string) => (await app.sql`select 1 from channel_sends where message_id = ${id}`).length === 1

  /** A message that a worker sent, whose lease ran out: another one has it. */
  async function lapsed() {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'Yes.' })
    const first = await sending(talk, id, OLD)
    return { talk, id, first, second: await sending(talk, id, NEW) }
  }

  test('says what became of a message whose fate was unknown, or is about to be, also where a person took it for lost', async () => {
    for (const known of ['nothing yet', 'unknown', 'settled'] as const) {
      const { talk, id, first, second } = await lapsed()
      if (known !== 'nothing yet') await second(unknown)
      if (known === 'settled') ok(await talk.shop.patch(`${talk.path}/messages/${id}`, { status: 'failed' }))
      await first({ external_id: '7:1' })
      if (known === 'nothing yet') await second(unknown)
      const { status, external_id, error } = await talk.message(id)
      assert.deepEqual([status, external_id, error, await isQueued(id)], ['sent', '7:1', null, false])
      assert.equal((await talk.read()).failed_count, 0)
    }
  })

  test('of the sending before says nothing of a message that a person has sent again', async () => {
    for (const late of [refused, { status: 'queued', nextAt: Date.now() + 900_000 }, { external_id: '7:1' }] as const) {
      const { talk, id, first, second } = await lapsed()
      await second(unknown)
      ok(await talk.shop.post(`${talk.path}/messages/${id}/resend`))
      await first(late)
      const { status, error, next_attempt_at } = await talk.message(id)
      assert.deepEqual([status, error, next_attempt_at, await isQueued(id)], ['queued', null, null, true])
      const again = await sending(talk, id, NEW)
      await first(late)
      assert.equal((await talk.message(id)).status, 'queued', 'while it is under way as well')
      await again({ external_id: '7:2' })
      await first(late)
      const sent = await talk.message(id)
      assert.deepEqual([sent.status, sent.external_id, await isQueued(id)], ['sent', '7:2', false])
    }
  })
})

suite('a receipt', () => {
  test('goes forward alone; failed may follow sent, and not delivered', async () => {
    const talk = await aTalk(app)
    const seen: string[] = []
    const { id } = await talk.replied({ text: 'one' })
    await talk.fate(id, 'sent', { external_id: 'one' })
    for (const status of ['failed', 'sent', 'delivered', 'failed', 'read', 'delivered', 'sent'] as const) {
      await talk.receipt(status, { external_id: 'one' })
      seen.push((await talk.message(id)).status)
    }
    assert.deepEqual(seen, ['failed', 'failed', 'delivered', 'delivered', 'read', 'read', 'read'])
    const { id: other } = await talk.replied({ text: 'two' })
    await talk.fate(other, 'unknown', UNKNOWN)
    await talk.receipt('failed', { our_id: other, at: '2030-05-28T20:26:40.000Z', error: { code: 'rejected', message: 'First.' } })
    await talk.receipt('failed', { our_id: other, error: { code: 'rejected', message: 'Second.' } })
    const { error, sent_at } = await talk.message(other)
    assert.deepEqual([error.message, sent_at], ['First.', null])
    assert.equal((await talk.events()).filter(each => each === 'message.failed').length, 3)
    assert.equal((await talk.read()).failed_count, 1)
  })

  test('of what waits to be tried again takes it out of the queue, whose next one may go at once', async () => {
    const talk = await aTalk(app)
    const { sql } = app
    const [one, two] = [await talk.replied({ text: 'one' }), await talk.replied({ text: 'two' })]
    await sql`update channel_queues set due_at = now() + interval '15 minutes' where tenant_id = ${talk.shop.id}`
    const left = async () => {
      const sends = await sql`select message_id as id from channel_sends where tenant_id = ${talk.shop.id} order by queued_at, message_id`
      const [queue] = await sql`select due_at <= clock_timestamp() as is_due from channel_queues where tenant_id = ${talk.shop.id}`
      return [...sends.map(each => each['id']), queue?.['is_due']]
    }
    await talk.receipt('sent', { our_id: two.id, external_id: 'two' })
    assert.deepEqual(await left(), [one.id, false])
    await talk.receipt('delivered', { our_id: one.id, external_id: 'one' })
    assert.deepEqual(await left(), [true])
    // What a person sent again goes once more, whatever is told of the first sending.
    await talk.fate(two.id, 'failed', { error: { code: 'rejected', message: 'No.' } })
    ok(await talk.shop.post(`${talk.path}/messages/${two.id}/resend`))
    await talk.receipt('sent', { our_id: two.id, external_id: 'two' })
    assert.deepEqual((await left())[0], two.id)
    await talk.receipt('failed', { external_id: 'two' })
    assert.equal(ok(await talk.shop.post(`${talk.path}/messages/${two.id}/resend`)).status, 'queued')
  })

  test('of a failure before a message was sent again says nothing of that', async () => {
    const talk = await aTalk(app)
    const { id } = await talk.replied({ text: 'one' })
    const failure = { our_id: id, external_id: 'the first', error: { code: 'rejected', message: 'No.' } }
    await talk.fate(id, 'sent', { external_id: 'the first' })
    await talk.receipt('failed', failure)
    await app.sql`delete from channel_sends where tenant_id = ${talk.shop.id}`
    ok(await talk.shop.post(`${talk.path}/messages/${id}/resend`))
    const [again] = await talk.receipt('failed', failure)
    assert.deepEqual([again?.status, (await talk.message(id)).status], ['later', 'queued'])
    await talk.fate(id, 'sent', { external_id: 'the second' })
    const [late] = await talk.receipt('failed', failure)
    assert.deepEqual([late?.status, (await talk.message(id)).status], ['ignored', 'sent'])
    await talk.receipt('failed', { ...failure, external_id: 'the second' })
    assert.equal((await talk.message(id)).status, 'failed')
  })

  test('that comes before the record waits for it, for a minute', async () => {
    const talk = await aTalk(app)
    const received = new Date()
    const early = { kind: 'receipt', thread: talk.thread, at: null, status: 'read', external_id: 'one' } as const
    const [outcome] = await talk.tells([early], received)
    assert.ok(outcome?.status === 'later' && outcome.until.getTime() === received.getTime() + 60_000)
    const { id } = await talk.replied({ text: 'one' })
    await talk.fate(id, 'sent', { external_id: 'one' })
    assert.deepEqual(await talk.tells([early], received), [{ status: 'applied' }])
    assert.equal((await talk.message(id)).status, 'read')
  })

  test('with a watermark is of all that was sent up to then', async () => {
    const talk = await aTalk(app)
    const ids: string[] = []
    for (const text of ['one', 'two', 'three']) {
      const { id } = await talk.replied({ text })
      if (text !== 'three') await talk.fate(id, 'sent', { external_id: text })
      ids.push(id)
    }
    const { sent_at } = await talk.message(ids[0] as string)
    await talk.receipt('delivered', { until: sent_at })
    await talk.receipt('read', { until: new Date(Date.now() + 1000).toISOString() })
    const statuses = await Promise.all(ids.map(async id => (await talk.message(id)).status))
    assert.deepEqual(statuses, ['read', 'read', 'queued'])
    // Written before it, and sent after it: nobody has read that.
    const { id, created_at } = await talk.replied({ text: 'four' })
    const [until, later] = [1, 2].map(minutes => new Date(Date.parse(created_at) + minutes * 60_000).toISOString())
    await talk.fate(id, 'sent', { external_id: 'four', sent_at: later })
    await talk.receipt('read', { until: until as string })
    assert.equal((await talk.message(id)).status, 'sent')
  })

  test('with a watermark waits for the record of what is under way, which was sent before its answer came', async () => {
    const talk = await aTalk(app)
    const { id, created_at } = await talk.replied({ text: 'one' })
    const [sent_at, until] = [1, 2].map(ms => new Date(Date.parse(created_at) + ms).toISOString())
    const received = new Date()
    const read = { kind: 'receipt', thread: talk.thread, at: null, status: 'read', until: until as string } as const
    const [outcome] = await talk.tells([read], received)
    assert.ok(outcome?.status === 'later' && outcome.until.getTime() === received.getTime() + 60_000)
    const late = await talk.replied({ text: 'written after it' })
    await talk.fate(id, 'sent', { external_id: 'one', sent_at })
    assert.deepEqual(await talk.tells([read], received), [{ status: 'applied' }])
    assert.deepEqual([(await talk.message(id)).status, (await talk.message(late.id)).status], ['read', 'queued'])
    // What never goes out holds up no receipt for longer.
    assert.deepEqual(await talk.tells([{ ...read, until: late.created_at }], new Date(Date.now() - 61_000)), [{ status: 'applied' }])
  })
})
