// Messages on their way through channels: their order, their pace, and what happens to those that wait.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, suite, test } from 'node:test'
import { seal } from '../../src/channels/accounts/credentials.ts'
import { sweepChannels } from '../../src/channels/sending/sweep.ts'
import { reply } from '../../src/conversations/reply.ts'
import type { Update } from '../../src/conversations/update.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { Problem } from '../../src/problems.ts'
import { testApp } from '../support/app.ts'
import { command } from '../support/command.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { tell } from '../support/given.ts'
import { aPerson } from '../support/people.ts'
import { type Behaviour, startPlatform } from '../support/platform.ts'
import { aSendingChannel, aTalk, type Talk } from '../support/sending.ts'
import { settingsOf } from '../support/shopdesk.ts'

const app = await testApp({ CHANNEL_TIMEOUT_MS: '3000', MESSAGE_SCHEDULE: '0,0.1,0.2,0.3,0.4,0.5' })
const { sql } = app
before(() => app.startWorker())

const REFUSED: Behaviour = { status: 401, body: { ok: false, error_code: 401, description: 'Unauthorized' } }
const AWAY: Behaviour = { status: 503 }

/** A shop with a channel of its own platform. */
async function given(
  t: { after(work: () => unknown): void },
  name: 'telegram' | 'whatsapp' | 'facebook' | 'api' = 'api',
  settings: object = {},
) {
  const platform = await startPlatform()
  t.after(platform.close)
  const shop = await app.tenant()
  const channel = await aSendingChannel(app, shop, name, platform.origin, { settings: settings as never })
  const talk = () => aTalk(app, shop, channel, name)
  const row = async () => (await sql`select * from channels where id = ${channel}`)[0] as Record<string, unknown>
  const set = (change: Record<string, unknown>) => sql`update channels set ${sql(change)} where id = ${channel}`
  const statuses = async (ids: string[]) =>
    (await sql`select status from messages where id = any(${ids}::text[]) group by status`).map(each => each['status'] as string)
  return { platform, shop, channel, talk, row, set, statuses }
}

const several = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => make(i)))

/** Says `count` things in each talk, which are written at once in the talks and one after the other in each. @returns their ids */
async function sayAll(talks: Talk[], count: number): Promise<string[]> {
  const said = await Promise.all(
    talks.map(async talk => {
      const ids: string[] = []
      for (let i = 0; i < count; i++) ids.push(await talk.say(`${talk.thread} ${i}`))
      return ids
    }),
  )
  return said.flat()
}

const inOrder = (texts: (string | undefined)[]): void =>
  assert.deepEqual(
    texts,
    texts.toSorted((a, b) => Number(a?.split(' ')[1]) - Number(b?.split(' ')[1])),
  )

suite('sending', { concurrency: 4 }, () => {
  test('within a conversation one message at a time, in the order written; conversations side by side', async t => {
    const { platform, talk, statuses } = await given(t)
    platform.behave({ status: 200, take: true, afterMs: 30 })
    const talks = await several(8, talk)
    const ids = await sayAll(talks, 6)
    await eventually(async () => (await statuses(ids)).join() === 'sent')
    for (const { thread } of talks) inOrder(platform.book.filter(each => each.to === thread).map(each => each.text))
    assert.equal(platform.book.length, 48)
    assert.ok(platform.most() > 2 && platform.most() <= 16, `${platform.most()} at once`)
    // A customer may have read it before the platform's answer is here.
    const [{ asked }] = platform.book as [(typeof platform.book)[0]]
    const { sent_at } = await (talks[0] as Talk).message(asked.json.id)
    assert.ok(Date.parse(sent_at as string) <= asked.at, `sent at ${sent_at}, taken at ${new Date(asked.at).toISOString()}`)
  })

  test('a message that is tried again holds up the next ones of its conversation, and no other conversation', async t => {
    const { platform, talk, set, statuses } = await given(t)
    const [a, b] = (await several(2, talk)) as [Talk, Talk]
    let refused = 0
    platform.behave(asked => (asked.json.to.id === a.thread && refused++ < 2 ? AWAY : 'take'))
    await set({ quiet_until: new Date(Date.now() + 60_000) })
    const ids = [await a.say(`${a.thread} 0`), await a.say(`${a.thread} 1`), await b.say('meanwhile')]
    await set({ quiet_until: null })
    await eventually(async () => (await statuses(ids)).join() === 'sent')
    assert.deepEqual(
      platform.book.map(each => each.text),
      ['meanwhile', `${a.thread} 0`, `${a.thread} 1`],
    )
  })

  test('a message that is unknown does not hold up the next ones, and is sent again on request alone: once, also days later', async t => {
    const { platform, talk } = await given(t, 'telegram')
    const one = await talk()
    platform.next('take and hang')
    const [first, second] = [await one.say('first'), await one.say('second')]
    await eventually(async () => (await one.message(second)).status === 'sent')
    assert.equal((await one.message(first)).status, 'unknown')
    const { body } = await one.shop.get(`/api/v1/conversations/${one.conversation}`)
    assert.equal(body.failed_count, 1)
    const { created_at } = await one.message(first)
    const days = new Date(Date.parse(created_at) - 50 * 3_600_000).toISOString()
    await sql`update messages set created_at = ${days}, doc = replace(doc, ${created_at}, ${days}) where tenant_id = ${one.shop.id} and id = ${first}`
    assert.equal((await one.shop.post(`/api/v1/conversations/${one.conversation}/messages/${first}/resend`)).status, 200)
    await eventually(async () => (await one.message(first)).status === 'sent')
    assert.equal(platform.messages().length, 3)
    assert.equal((await one.message(first)).attempts, 2)
  })

  test('what Meta took is not sent again though it says that it had not, where a receipt or an echo came before that answer', async t => {
    for (const name of ['whatsapp', 'facebook'] as const) {
      const { platform, shop, channel, talk } = await given(t, name)
      const one = await talk()
      const answered = Promise.withResolvers<Behaviour>()
      platform.behave(({ json }) => (JSON.stringify(json).includes('first') ? answered.promise : 'take'))
      const [first, second] = [await one.say('first'), await one.say('second')]
      await platform.until(1)
      const named = { thread: one.thread, at: null, external_id: 'taken', our_id: first }
      const echo: Update = { kind: 'echo', said: { text: 'first', media: [] }, ...named }
      await tell(app, shop, channel, [name === 'whatsapp' ? { kind: 'receipt', status: 'sent', ...named } : echo])
      answered.resolve({ status: 500, body: { error: { code: 131000, message: 'Something went wrong' } } })
      await eventually(async () => (await one.message(second)).status === 'sent')
      const { status, external_id } = await one.message(first)
      assert.deepEqual([name, status, external_id, platform.messages().length], [name, 'sent', 'taken', 2])
    }
  })

  test('when all attempts are used up the message has failed: expired', async t => {
    const { platform, talk, set } = await given(t)
    const [one, other] = (await several(2, talk)) as [Talk, Talk]
    // Another conversation has something to send all the time, and shows that it is not the channel.
    platform.behave(asked => (asked.json.to.id === one.thread ? AWAY : { status: 200, take: true, afterMs: 150 }))
    const left = () => sql`select 1 from channel_sends where conversation_id = ${other.conversation}`
    await set({ quiet_until: new Date(Date.now() + 60_000) })
    await sayAll([other], 60)
    const id = await one.say('Hello?')
    await set({ quiet_until: null })
    await eventually(async () => {
      // The attempts may take a busy machine longer than all of those.
      if ((await left()).length < 20) await sayAll([other], 10)
      return (await one.message(id)).status === 'failed'
    })
    const message = await one.message(id)
    assert.equal(message.error?.code, 'expired')
    assert.equal(message.attempts, 6)
    assert.equal(platform.messages().filter(each => each.json.to.id === one.thread).length, 6)
    const attempts = await sql`select outcome, status, error from channel_attempts where message_id = ${id}`
    assert.equal(attempts.length, 6)
    assert.ok(attempts.every(each => each['outcome'] === 'again' && each['status'] === 503))
  })

  test('credentials refused with 50 messages queued: none fails, the admins are told once, and after `channel update --token` each goes once and in order', async t => {
    const { platform, shop, channel, talk, row, statuses } = await given(t, 'telegram')
    await aPerson(sql, shop.id, 'ann@example.com')
    platform.behave(asked => (asked.path.includes('new-token') ? 'take' : REFUSED))
    const talks = await several(10, talk)
    const ids = await sayAll(talks, 5)
    await eventually(async () => (await row())['status'] === 'failing')
    assert.deepEqual(await statuses(ids), ['queued'])
    const refused = platform.messages().length
    assert.ok(refused <= 16, `${refused} requests`)
    const events = await sql`select body from events where tenant_id = ${shop.id} and type = 'channel.failing'`
    assert.equal(events.length, 1)
    const mails = await sql`select subject, text from mails where tenant_id = ${shop.id}`
    assert.equal(mails.length, 1)
    assert.match(mails[0]?.['text'], /Unauthorized/)
    assert.doesNotMatch(mails[0]?.['text'], /the-token/)
    const updated = await command(['channel', 'update', channel, '--token', 'new-token', '--tenant', shop.id], settingsOf(app))
    assert.equal(updated.code, 0, updated.stderr)
    await eventually(async () => (await statuses(ids)).join() === 'sent')
    assert.equal((await row())['status'], 'enabled')
    assert.equal(platform.book.length, 50)
    for (const { thread } of talks) inOrder(platform.book.filter(each => each.to === thread).map(each => each.text))
    assert.ok(
      (await Promise.all(ids.map(id => talks[0]?.message(id)))).every(message => message?.attempts === 1),
      'waiting used up no attempts',
    )
  })

  test('a channel whose platform is away is probed with one message at a time, of another conversation each time, and goes on when one is taken', async t => {
    const { platform, channel, talk, row, set, statuses } = await given(t)
    const talks = await several(4, talk)
    platform.behave(asked => (asked.json.to.id === talks[3]?.thread ? { status: 503, afterMs: 150 } : AWAY))
    await set({ quiet_until: new Date(Date.now() + 60_000) })
    const ids = await sayAll(talks, 2)
    await set({ quiet_until: null })
    await eventually(async () => (await row())['status'] === 'failing')
    /** When nothing is under way: how often it was probed, and the conversations of all attempts so far. */
    const looked = () =>
      eventually(async () => {
        const [found] = await sql<{ probes: number; attempts: string[] }[]>`
          select r.probes, array(
                   select m.conversation_id
                     from channel_attempts a
                     join messages m on m.tenant_id = a.tenant_id and m.id = a.message_id
                    where a.tenant_id = r.tenant_id and a.channel_id = r.id
                    order by a.started_at) as attempts
            from channels r
           where r.id = ${channel} and r.lease_token is null`
        return platform.open() === 0 && found
      })
    const first = await looked()
    // On a busy machine the time of the first probe may have come.
    const failingFor = Date.now() - ((await row())['failing_since'] as Date).getTime()
    if (failingFor < 5_000) assert.equal(first.probes, 0, 'the fourth was under way when the channel stopped')
    platform.behave(AWAY)
    let latest = first
    // What was under way is recorded: it would put off the next probe.
    while (latest.probes < first.probes + 4) {
      await set({ quiet_until: null })
      const { probes } = latest
      await eventually(async () => ((await row())['probes'] as number) > probes)
      latest = await looked()
    }
    const probed = latest.attempts.slice(first.attempts.length)
    assert.equal(probed.length, latest.probes - first.probes, 'one message each time')
    assert.deepEqual(probed.slice(0, 4).toSorted(), talks.map(each => each.conversation).toSorted())
    await eventually(async () => (await row())['lease_token'] === null)
    platform.behave('take')
    await set({ quiet_until: null })
    await eventually(async () => (await statuses(ids)).join() === 'sent')
    const { status, failures, failing_since } = await row()
    assert.deepEqual({ status, failures, failing_since }, { status: 'enabled', failures: 0, failing_since: null })
  })

  test('a channel with one conversation is probed no more often than others', async t => {
    const { platform, talk, row, set } = await given(t, 'telegram')
    platform.behave(REFUSED)
    const one = await talk()
    await one.say('Hello?')
    await eventually(async () => (await row())['status'] === 'failing')
    for (const probes of [1, 2, 3]) {
      await set({ quiet_until: null })
      await eventually(async () => (await row())['probes'] === probes)
      assert.ok(((await row())['quiet_until'] as Date).getTime() > Date.now() + 500_000)
    }
    await eventually(async () => (await row())['lease_token'] === null)
    assert.equal(platform.messages().length, 4)
  })

  test('an answer to a token that was replaced meanwhile, or to what was under way when the channel stopped, holds nothing up', async t => {
    for (const isFirst of [true, false]) {
      const { platform, shop, channel, talk, row, set, statuses } = await given(t, 'telegram')
      const [one, other] = (await several(2, talk)) as [Talk, Talk]
      platform.behave(asked => {
        if (asked.path.includes('new-token')) return 'take'
        return String(asked.json.chat_id) === one.thread
          ? { ...(REFUSED as object), status: 401, afterMs: 150 }
          : isFirst
            ? 'take'
            : REFUSED
      })
      await set({ quiet_until: new Date(Date.now() + 60_000) })
      const ids = [await one.say('slow'), await other.say('quick')]
      await set({ quiet_until: null })
      await platform.until(2)
      if (!isFirst) await eventually(async () => (await row())['status'] === 'failing')
      await eventually(async () => platform.open() <= 1)
      await sql`
        update channels set credentials = ${seal(app.keyring, shop.id, channel, { token: 'new-token' })}, quiet_until = null where id = ${channel}`
      const inTime = platform.open() === 1
      await eventually(async () => (await statuses(ids)).join() === 'sent')
      assert.equal((await row())['status'], 'enabled')
      const told = await sql`select 1 from events where tenant_id = ${shop.id} and type = 'channel.failing'`
      if (inTime) assert.equal(told.length, Number(!isFirst))
    }
  })

  test('one conversation alone does not stop a channel while others have something to send', async t => {
    const { platform, talk, row, set } = await given(t)
    const [one, other] = (await several(2, talk)) as [Talk, Talk]
    platform.behave(asked => (asked.json.to.id === one.thread ? AWAY : { status: 200, take: true, afterMs: 150 }))
    await set({ quiet_until: new Date(Date.now() + 60_000) })
    await sayAll([other], 30)
    await one.say('Hello?')
    await set({ quiet_until: null })
    await eventually(async () => platform.messages().filter(each => each.json.to.id === one.thread).length >= 4)
    assert.ok(platform.book.length < 30)
    assert.equal((await row())['status'], 'enabled')
  })

  test('429 holds its conversation; a second one meanwhile holds the channel', async t => {
    const { platform, talk, row, statuses } = await given(t)
    const [a, b, c] = (await several(3, talk)) as [Talk, Talk, Talk]
    let refusing = true
    // The first one rests until the test ends that, so that the second comes meanwhile on a busy machine too.
    const rest = (seconds: number): Behaviour => ({ status: 429, headers: { 'Retry-After': `${seconds}` } })
    const refusal: Record<string, Behaviour> = { [a.thread]: rest(3_600), [b.thread]: rest(4) }
    platform.behave(asked => (refusing && refusal[asked.json.to.id]) || 'take')
    const first = await a.say('a')
    await platform.until(1)
    const free = await c.say('c')
    await eventually(async () => (await c.message(free)).status === 'sent')
    assert.equal((await row())['quiet_until'], null)
    const second = await b.say('b')
    await eventually(async () => (await row())['quiet_until'] !== null)
    refusing = false
    await sql`update channel_queues set due_at = clock_timestamp(), held_until = null where conversation_id = ${a.conversation}`
    const late = await c.say('c again')
    await eventually(async () => (await statuses([first, second, late])).join() === 'sent')
    const [refusedAt, lateAt] = ['b', 'c again'].map(text => platform.messages().find(each => each.json.text === text)?.at as number)
    assert.ok((lateAt as number) - (refusedAt as number) >= 1_900, 'the channel rested')
    assert.equal((await a.message(first)).attempts, 1, 'being held uses up no attempt')
  })

  test('the pace of a channel: never more in a second than it says, and not much less', async t => {
    const { platform, talk, statuses } = await given(t, 'api', { max_per_second: 20 })
    const talks = await several(20, talk)
    const ids = await sayAll(talks, 3)
    await eventually(async () => (await statuses(ids)).join() === 'sent')
    const most = (times: number[]) => Math.max(...times.map(from => times.filter(at => at >= from && at < from + 1000).length))
    const sent = await sql<{ at: Date }[]>`select started_at as at from channel_attempts where message_id = any(${ids})`
    // On a busy machine an answer may come too late, and its message is sent again: at the same pace.
    assert.ok(sent.length >= ids.length)
    assert.ok(most(sent.map(each => each.at.getTime())) <= 20, `${most(sent.map(each => each.at.getTime()))} sent in a second`)
    const times = platform.book.map(each => each.asked.at)
    // A request that is late on its way, as on a busy machine, comes together with those after it.
    assert.ok(most(times) <= 32, `${most(times)} came in a second`)
    // Three seconds, and many times that on a busy machine. Where each waited for a sweep, it would be a minute.
    assert.ok((times.at(-1) as number) - (times[0] as number) < 30_000, 'sixty messages at twenty a second')
  })

  test('the pace of a conversation: three at once on Telegram, then one a second', async t => {
    const { platform, talk, set, statuses } = await given(t, 'telegram')
    const talks = await several(4, talk)
    await set({ quiet_until: new Date(Date.now() + 3_600_000) })
    const ids = await Promise.all(talks.map(each => sayAll([each], 5)))
    await set({ quiet_until: null })
    await eventually(async () => (await statuses(ids.flat())).join() === 'sent')
    const thirds: number[] = []
    for (const said of ids) {
      // When they were sent: on a busy machine one may be late on its way.
      const sent = await sql<
        { at: Date }[]
      >`select started_at as at from channel_attempts where message_id = any(${said}) order by started_at`
      const since = (index: number) => Number(sent[index]?.at) - Number(sent[0]?.at)
      thirds.push(since(2))
      assert.ok(since(3) >= 950 && since(4) >= 1_950, `${since(3)}, ${since(4)} ms`)
    }
    // The quickest, for there a busy machine did not stand still meanwhile.
    assert.ok(Math.min(...thirds) < 1_900, `three after ${thirds} ms`)
    for (const { thread } of talks) inOrder(platform.book.filter(each => each.to === thread).map(each => each.text))
  })

  test('what has waited for a day is given up, and what is queued at a deleted channel at once', async t => {
    const { talk, set, channel } = await given(t)
    const [one, other] = (await several(2, talk)) as [Talk, Talk]
    await set({ quiet_until: new Date(Date.now() + 60_000) })
    const [old, young] = [await one.say('old'), await other.say('young')]
    await sql`update channel_sends set queued_at = now() - interval '25 hours' where message_id = ${old}`
    await eventually(async () => (await one.message(old)).status === 'failed')
    assert.equal((await one.message(old)).error?.code, 'expired')
    assert.equal((await other.message(young)).status, 'queued')
    await sql`update channels set status = 'deleted', credentials = null where id = ${channel}`
    await eventually(async () => (await other.message(young)).status === 'failed')
    assert.equal((await other.message(young)).error?.code, 'channel_deleted')
  })

  test('a channel whose wake-up was lost is found by the sweep', async t => {
    const { platform, talk, channel } = await given(t)
    const one = await talk()
    await sql`update channels set lease_until = now() + interval '1 minute', lease_token = gen_random_uuid() where id = ${channel}`
    const id = await one.say('Hello')
    await sweepChannels(sql)
    assert.equal(platform.messages().length, 0, 'another worker has the lease')
    await sql`update channels set lease_until = now() - interval '1 second' where id = ${channel}`
    await sweepChannels(sql)
    await eventuallyHolds(async () => assert.equal((await one.message(id)).status, 'sent'))
  })

  test('a channel whose job was lost goes on by the sweep', async t => {
    const { platform, talk, set } = await given(t)
    const one = await talk()
    await set({ lease_until: new Date(Date.now() + 500), lease_token: randomUUID(), queued_at: new Date() })
    await one.say('Hello')
    await platform.until(1)
  })

  test('the same reply a thousand times at once is sent once, by the book of the platform', async t => {
    const { platform, shop, talk, set, statuses } = await given(t, 'telegram')
    const { conversation, thread } = await talk()
    await set({ quiet_until: new Date(Date.now() + 60_000) })
    const caller = { tenant: shop.id, actor: { type: 'cli' } } as const
    const outcomes = await Promise.allSettled(
      Array.from({ length: 1_000 }, () => begin(sql, tx => reply(tx, caller, conversation, { text: 'Yes.' }))),
    )
    const ids = outcomes.flatMap(each => (each.status === 'fulfilled' ? [each.value.id] : []))
    const refused = outcomes.flatMap(each => (each.status === 'rejected' ? [(each.reason as Problem).members?.['code']] : []))
    assert.deepEqual([ids.length, new Set(refused)], [1, new Set(['duplicate_message'])])
    await set({ quiet_until: null })
    await eventually(async () => (await statuses(ids)).join() === 'sent')
    const waiting = await sql`select 1 from channel_sends where tenant_id = ${shop.id}`
    assert.equal(waiting.length, 0, 'nothing else is to be sent')
    assert.deepEqual(
      platform.book.map(each => [each.to, each.text]),
      [[thread, 'Yes.']],
    )
    assert.equal(platform.messages().length, 1)
  })
})
