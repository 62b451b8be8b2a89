// People and the assistant write at once, and a worker sends what is queued: by the platform's own book no word of the assistant comes after a person's.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { beginTurn, speak, type Turn } from '../../src/conversations/speak.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { startPlatform } from '../support/platform.ts'
import { seeded } from '../support/random.ts'
import { aSendingChannel } from '../support/sending.ts'
import { type Talk, talksOn } from '../support/talks.ts'

const app = await testApp()
before(() => app.startWorker())

test('whoever is faster: what the assistant has not begun to send when a person answers never goes out', async t => {
  const random = seeded(20_261_124)
  const platform = await startPlatform()
  t.after(platform.close)
  platform.behave({ status: 200, take: true, afterMs: 5 })
  const shop = await app.tenant()
  const channel = await aSendingChannel(app, shop, 'api', platform.origin)
  const talks = await talksOn(app, shop, channel, 40)
  const caller = { tenant: shop.id, actor: { type: 'system' } } as const

  async function race(talk: Talk): Promise<void> {
    const turn = (await begin(app.sql, tx => beginTurn(tx, caller, talk.id))) as Turn
    const cut = Math.floor(random.between(0, 6))
    const words = async () => {
      for (const n of [0, 1, 2, 3, 4]) await begin(app.sql, tx => speak(tx, caller, turn, { text: `word ${n}` }))
    }
    const person = async () => {
      await eventually(async () => (await app.sql`select 1 from messages where conversation_id = ${talk.id}`).length > cut)
      await talk.replied({ text: 'I am on it.' })
    }
    await Promise.all([words(), person()])
  }
  await Promise.all(talks.map(race))
  await eventually(async () => (await app.sql`select 1 from channel_sends where tenant_id = ${shop.id}`).length === 0)

  let [out, withdrawn] = [0, 0]
  for (const talk of talks) {
    const taken = platform.book.filter(each => each.to === talk.thread).map(each => each.text)
    assert.equal(taken.at(-1), 'I am on it.', `${taken}`)
    assert.deepEqual(taken.slice(0, -1), taken.slice(0, -1).toSorted(), 'in the order written')
    const { messages } = await talk.read()
    for (const message of messages.filter((each: { author: { type: string } }) => each.author.type === 'ai')) {
      assert.equal(taken.includes(message.text), message.status === 'sent')
      if (message.status === 'sent') out++
      else {
        assert.deepEqual([message.status, message.error.code], ['failed', 'taken_over'])
        withdrawn++
      }
    }
  }
  t.diagnostic(`${out} words went out, ${withdrawn} were withdrawn`)
  assert.ok(out > 0 && withdrawn > 0)
})
