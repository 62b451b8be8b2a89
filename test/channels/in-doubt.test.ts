// A receiver that tells repeats gets a message again that it may have taken. Where no repeat tells that it was taken, it is unknown, whatever ends it: never failed.
import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import type { Message } from '../../src/conversations/schema.ts'
import { beginTurn, speak, type Turn } from '../../src/conversations/speak.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { type Behaviour, startPlatform, type TestPlatform } from '../support/platform.ts'
import { aSendingChannel, aTalk, type Talk } from '../support/sending.ts'

// Further attempts come when a test says so.
const app = await testApp({ MESSAGE_SCHEDULE: '0,3600,3700,3800,3900,4000' })
const { sql } = app
before(() => app.startWorker())

const PERHAPS: Behaviour = { status: 502, body: { message: 'Bad gateway' } }
const NOT_TAKEN: Behaviour = { status: 503, body: { message: 'Closed for today' } }

interface Given {
  platform: TestPlatform
  talk: Talk
  /** The assistant's words. */
  id: string
}

/** The assistant says something, to which the receiver answers `first`. */
async function given(t: { after(work: () => unknown): void }, first: Behaviour | Promise<Behaviour>): Promise<Given> {
  const platform = await startPlatform()
  t.after(platform.close)
  platform.behave(() => (platform.messages().length === 1 ? first : 'take'))
  const shop = await app.tenant()
  const talk = await aTalk(app, shop, await aSendingChannel(app, shop, 'api', platform.origin), 'api')
  const caller = { tenant: shop.id, actor: { type: 'system' } } as const
  const turn = (await begin(sql, tx => beginTurn(tx, caller, talk.conversation))) as Turn
  const spoken = await begin(sql, tx => speak(tx, caller, turn, { text: 'Hello' }))
  assert.ok('said' in spoken)
  return { platform, talk, id: spoken.said.id }
}

/** The same, once the answer is recorded. */
async function tried(t: { after(work: () => unknown): void }, first: Behaviour): Promise<Given> {
  const all = await given(t, first)
  await recorded(all)
  return all
}

const recorded = ({ id }: Given) =>
  eventually(async () => (await sql`select 1 from channel_sends where message_id = ${id} and attempts = 1 and begun_at is null`).length > 0)

const again = ({ talk }: Pick<Given, 'talk'>) => sql`update channel_queues set due_at = now() where conversation_id = ${talk.conversation}`

/** Answers the last attempt. */
async function last(all: Given, answer: Behaviour): Promise<void> {
  all.platform.next(answer)
  await sql`update channel_sends set attempts = 5 where message_id = ${all.id}`
  await again(all)
}

const ended = ({ talk, id }: Given): Promise<Message> =>
  eventually(async () => {
    const message = await talk.message(id)
    return message.status !== 'queued' && message
  })

const path = ({ conversation }: Talk): string => `/api/v1/conversations/${conversation}`
const failedCount = async ({ shop, ...talk }: Talk): Promise<number> => ok(await shop.get(path({ shop, ...talk }))).failed_count

/** What ends the sending of words that wait for their second attempt, why they are told to be in doubt, and as how many failures they count. */
const WAYS: Record<string, { end(given: Given): Promise<unknown>; words: RegExp; counts: 0 | 1; requests?: 2 }> = {
  'a reply of a person': { end: ({ talk }) => talk.say('I am on it.'), words: /took over/, counts: 1 },
  'a pause of the assistant': {
    end: async ({ talk }) => ok(await talk.shop.patch(path(talk), { ai_status: 'paused' })),
    words: /took over/,
    counts: 1,
  },
  'the end of the conversation, which clears what has failed': {
    end: async ({ talk }) => assert.equal(ok(await talk.shop.patch(path(talk), { status: 'closed' })).failed_count, 0),
    words: /took over/,
    counts: 0,
  },
  'a block of the contact, which closes the conversation': {
    async end({ talk }) {
      const { contact } = ok(await talk.shop.get(path(talk)))
      ok(await talk.shop.patch(`/api/v1/contacts/${contact.id}`, { blocked: true }))
    },
    words: /took over/,
    counts: 0,
  },
  'the deletion of the channel': {
    end: ({ talk }) => sql`update channels set status = 'deleted', credentials = null where id = ${talk.channel}`,
    words: /channel was deleted/,
    counts: 1,
  },
  'a day of waiting': {
    end: ({ id }) => sql`update channel_sends set queued_at = now() - interval '25 hours' where message_id = ${id}`,
    words: /24 hours/,
    counts: 1,
  },
  'a refusal of the repeat': {
    end(all) {
      all.platform.next({ status: 409, body: { message: 'The first is under way' } })
      return again(all)
    },
    words: /The first is under way/,
    counts: 1,
    requests: 2,
  },
  'a last attempt that was not taken': {
    end: all => last(all, NOT_TAKEN),
    words: /Closed for today/,
    counts: 1,
    requests: 2,
  },
  'a last attempt that may have been taken as well': {
    end: all => last(all, PERHAPS),
    words: /Bad gateway/,
    counts: 1,
    requests: 2,
  },
  'a takeover while a worker sent it that has died': {
    async end({ talk, id }) {
      await sql`update channel_sends set in_doubt = false, begun_at = now(), taken = gen_random_uuid() where message_id = ${id}`
      await sql`update channel_queues set taken = gen_random_uuid() where conversation_id = ${talk.conversation}`
      ok(await talk.shop.patch(path(talk), { ai_status: 'paused' }))
      assert.equal((await talk.message(id)).status, 'queued', 'what is under way goes on')
      await again({ talk })
    },
    words: /took over/,
    counts: 1,
  },
}

suite('words that may have been taken', { concurrency: 4 }, () => {
  for (const [name, { end, words, counts, requests = 1 }] of Object.entries(WAYS))
    test(`are unknown after ${name}`, async t => {
      const all = await tried(t, PERHAPS)
      await end(all)
      const { status, error } = await ended(all)
      assert.deepEqual([status, error?.code], ['unknown', 'unconfirmed'])
      assert.match(error?.message ?? '', words)
      assert.equal(await failedCount(all.talk), counts)
      const told = await sql`select body from events where tenant_id = ${all.talk.shop.id} and type = 'message.failed'`
      assert.deepEqual(
        told.map(each => JSON.parse(each['body']).data.message.status),
        ['unknown'],
      )
      assert.equal(all.platform.messages().filter(each => each.json.text === 'Hello').length, requests)
      assert.equal((await sql`select 1 from channel_sends where message_id = ${all.id}`).length, 0)
    })

  test('are unknown where a person stepped in before their answer came', async t => {
    const answer = Promise.withResolvers<Behaviour>()
    const all = await given(t, answer.promise)
    await all.platform.until(1)
    await all.talk.say('I am on it.')
    answer.resolve(PERHAPS)
    await recorded(all)
    await again(all)
    assert.equal((await ended(all)).status, 'unknown')
    await all.platform.until(2)
    assert.deepEqual(
      all.platform.messages().map(each => each.json.text),
      ['Hello', 'I am on it.'],
    )
  })

  test('are sent where the repeat is taken, and sent once where a person sends unknown ones again', async t => {
    const [one, other] = [await tried(t, PERHAPS), await tried(t, PERHAPS)]
    await again(one)
    assert.equal((await ended(one)).status, 'sent')
    await other.talk.say('I am on it.')
    assert.equal((await ended(other)).status, 'unknown')
    ok(await other.talk.shop.post(`${path(other.talk)}/messages/${other.id}/resend`))
    await eventually(async () => (await other.talk.message(other.id)).status === 'sent')
    assert.equal(await failedCount(other.talk), 0)
    const keys = other.platform.messages().map(each => each.headers['idempotency-key'])
    assert.equal(keys.filter(each => each === other.id).length, 2)
  })

  test('and words that were certainly not taken have failed', async t => {
    const all = await tried(t, NOT_TAKEN)
    await all.talk.say('I am on it.')
    const { status, error } = await ended(all)
    assert.deepEqual([status, error?.code, await failedCount(all.talk)], ['failed', 'taken_over', 0])
  })
})
