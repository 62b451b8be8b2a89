// The assistant's seam: what it says goes out only as long as no person has stepped in.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sayAsApp } from '../../src/conversations/app-words.ts'
import { beginTurn, type Spoken, speak, type Turn } from '../../src/conversations/speak.ts'
import { newId } from '../../src/ids.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { aChannel } from '../support/channels.ts'
import { ok } from '../support/given.ts'
import { aTalk, type Talk, talkOn } from '../support/talks.ts'

const app = await testApp()

const callerOf = ({ shop }: Talk) => ({ tenant: shop.id, actor: { type: 'system' } }) as const
const turnOf = (talk: Talk) => begin(app.sql, tx => beginTurn(tx, callerOf(talk), talk.id)) as Promise<Turn>
const says = (talk: Talk, turn: Turn, text = 'Yes, in M.') => begin(app.sql, tx => speak(tx, callerOf(talk), turn, { text }))
const outcome = (spoken: Spoken) => ('said' in spoken ? spoken.said.status : spoken.silent)

suite('the assistant', () => {
  test('says something, several times in one turn, and stays on', async () => {
    const talk = await aTalk(app)
    const turn = await turnOf(talk)
    assert.deepEqual([outcome(await says(talk, turn, 'one')), outcome(await says(talk, turn, 'two'))], ['queued', 'queued'])
    const { ai_status, waiting_since, unread_count, messages } = await talk.read()
    assert.deepEqual([ai_status, waiting_since, unread_count, messages[0].author.type], ['on', null, 1, 'ai'])
  })

  test('is silent once a colleague has answered, and is told who and when; resuming answers nothing old', async () => {
    const talk = await aTalk(app)
    const turn = await turnOf(talk)
    const answer = await talk.replied({ text: 'I am on it.' })
    const expected = { silent: 'taken_over', by: answer.author, at: answer.created_at }
    assert.deepEqual(await says(talk, turn), expected)
    ok(await talk.shop.patch(talk.path, { ai_status: 'on' }))
    assert.deepEqual(await says(talk, turn), expected)
    assert.deepEqual(await talk.texts(), ['Hello?', 'I am on it.'])
  })

  test('is silent after a pause, and is told by whom', async () => {
    const talk = await aTalk(app)
    const turn = await turnOf(talk)
    const paused = ok(await talk.shop.patch(talk.path, { ai_status: 'paused' }))
    assert.deepEqual(await says(talk, turn), { silent: 'taken_over', by: { id: paused.ai_paused_by }, at: paused.ai_paused_at })
    assert.match(paused.ai_paused_by, /^key_/)
    assert.equal(await turnOf(talk), undefined)
  })

  for (const [what, step] of [
    ['closing and reopening', { status: 'closed' }],
    ['pausing and resuming', { ai_status: 'paused' }],
  ] as const)
    test(`does not go on after ${what}`, async () => {
      const talk = await aTalk(app)
      const turn = await turnOf(talk)
      ok(await talk.shop.patch(talk.path, step))
      ok(await talk.shop.patch(talk.path, 'status' in step ? { status: 'open' } : { ai_status: 'on' }))
      assert.equal(outcome(await says(talk, turn)), 'taken_over')
      assert.equal(outcome(await says(talk, await turnOf(talk))), 'queued')
    })

  test('leaves a newer message of the customer to the next turn; a note among the staff and an app’s words are none', async () => {
    const talk = await aTalk(app)
    const turn = await turnOf(talk)
    await talk.replied({ text: 'She is a friend.', private: true })
    assert.equal(outcome(await says(talk, turn)), 'queued')
    const words = { app: { id: newId('app'), name: 'Loyalty' }, text: 'You have 10 points.' }
    await begin(app.sql, tx => sayAsApp(tx, callerOf(talk), talk.id, words))
    assert.equal(outcome(await says(talk, turn)), 'queued', 'what an app says by itself answers nothing')
    await talk.says('And in L?')
    assert.equal(outcome(await says(talk, turn)), 'newer_message')
    assert.equal(outcome(await says(talk, await turnOf(talk))), 'queued')
  })

  test('has 24 hours where people have seven days', async () => {
    const shop = await app.tenant()
    const page = await aChannel(app, shop, { platform: 'facebook', account: { id: '1', name: null }, settings: { human_agent: true } })
    const talk = await talkOn(app, shop, page, new Date(Date.now() - 25 * 3_600_000).toISOString())
    assert.equal(outcome(await says(talk, await turnOf(talk))), 'refused')
    assert.equal((await talk.reply({ text: 'Hello again.' })).status, 201)
  })

  test('has its queued words withdrawn by a takeover, which is nothing to be looked at', async () => {
    const talk = await aTalk(app)
    const spoken = await says(talk, await turnOf(talk))
    assert.ok('said' in spoken)
    await talk.replied({ text: 'I am on it.' })
    const message = await talk.message(spoken.said.id)
    assert.deepEqual([message.status, message.error.code, (await talk.read()).failed_count], ['failed', 'taken_over', 0])
    assert.deepEqual(
      (await app.sql`select ai_epoch from channel_sends where tenant_id = ${talk.shop.id}`).map(row => row['ai_epoch']),
      [null],
    )
  })
})
