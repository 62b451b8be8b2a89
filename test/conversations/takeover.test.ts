// A seeded simulation of the assistant's seam: a thousand turns, and in each a person who cuts in, by REST, by an echo or by a pause. The worker is real, and
// so is its platform, which holds the assistant's words for as long as a turn wants them on their way. By the platform's own book no late word gets out.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { beginTurn, speak, type Turn } from '../../src/conversations/speak.ts'
import { begin } from '../../src/postgres/sql.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { ok } from '../support/given.ts'
import { type Asked, type Behaviour, startPlatform } from '../support/platform.ts'
import { type Random, seeded } from '../support/random.ts'
import { aSendingChannel } from '../support/sending.ts'
import { type Talk, talksOn } from '../support/talks.ts'

const TURNS = 1000
/** A key may write 120 times a minute. */
const SHOPS = 25
/** Turns at once. */
const AT_ONCE = 24
const ANSWER = 'I am on it.'

/** How a person steps in. */
const WAYS: Record<string, (talk: Talk) => Promise<unknown>> = {
  REST: talk => talk.replied({ text: ANSWER }),
  echo: talk => talk.echo(ANSWER),
  pause: async talk => ok(await talk.shop.patch(talk.path, { ai_status: 'paused' })),
}
/** Before which step of a turn; `any`: while its steps go on, at random. */
const POINTS = [0, 1, 2, 3, 4, 5, 'any'] as const

interface Case {
  talk: Talk
  way: string
  point: (typeof POINTS)[number]
}

/** A word of the assistant at the platform. */
interface Word {
  arrived: PromiseWithResolvers<void>
  /** The platform answers then. */
  released: PromiseWithResolvers<Behaviour>
}

// The platform holds words back for as long as their turns take: on a busy machine longer than a platform usually may.
const app = await testApp({ CHANNEL_TIMEOUT_MS: '60000' })
before(() => app.startWorker())

test('a thousand conversations in which people cut in at every point of a turn, by REST, by echo and by pause: no late word gets out', async t => {
  const random = seeded(20_261_124)
  const platform = await startPlatform()
  t.after(platform.close)
  const words = new Map<string, Word[]>()
  /** Conversations in which a person has stepped in, beyond doubt, with the words that had begun to go out before. */
  const over = new Map<string, string[]>()
  const late: string[] = []
  platform.behave(({ json }: Asked) => {
    const word = words.get(json.to.id)?.[Number(/^word (\d)$/.exec(json.text)?.[1])]
    if (!word) return 'take'
    if (over.get(json.to.id)?.includes(json.text) === false) late.push(json.text)
    word.arrived.resolve()
    return word.released.promise
  })

  const shops = await Promise.all(Array.from({ length: SHOPS }, () => app.tenant()))
  const talks = await Promise.all(
    shops.map(async shop => {
      const channel = await aSendingChannel(app, shop, 'api', platform.origin, { settings: { max_per_second: 1000 } })
      return talksOn(app, shop, channel, TURNS / SHOPS)
    }),
  )
  const ways = Object.keys(WAYS)
  const cases: Case[] = random
    .shuffled(talks.flat())
    .map((talk, n) => ({ talk, way: ways[n % ways.length] as string, point: POINTS[Math.floor(n / ways.length) % POINTS.length] as 0 }))

  async function begun({ id }: Talk): Promise<string[]> {
    const rows = await app.sql<{ text: string }[]>`
      select m.doc::json ->> 'text' as text from channel_sends s join messages m on m.tenant_id = s.tenant_id and m.id = s.message_id
       where s.conversation_id = ${id} and s.begun_at is not null`
    return rows.map(({ text }) => text)
  }

  async function play({ talk, way, point }: Case, chance: Random): Promise<void> {
    const caller = { tenant: talk.shop.id, actor: { type: 'system' } } as const
    const turn = (await begin(app.sql, tx => beginTurn(tx, caller, talk.id))) as Turn
    const own = Array.from({ length: 2 }, () => ({ arrived: Promise.withResolvers<void>(), released: Promise.withResolvers<Behaviour>() }))
    words.set(talk.thread, own)
    const cut = Promise.withResolvers<void>()
    const cutsIn = async (): Promise<void> => {
      await WAYS[way]?.(talk)
      if (point !== 'any') over.set(talk.thread, await begun(talk))
      cut.resolve()
    }
    let silent = false
    const says = (n: number) => async (): Promise<void> => {
      // Once it is told so, a turn is over.
      if (silent) return
      const spoken = await begin(app.sql, tx => speak(tx, caller, turn, { text: `word ${n}` }))
      silent = 'silent' in spoken
      if (over.has(talk.thread)) assert.equal('silent' in spoken && spoken.silent, 'taken_over')
      else if (point !== 'any') assert.ok(!silent)
    }
    const arrives = (n: number) => () => Promise.race([own[n]?.arrived.promise, cut.promise])
    const goesOn = async (): Promise<void> => {
      own[0]?.released.resolve('take')
      await arrives(1)()
    }
    const settled = async (): Promise<void> => {
      own[1]?.released.resolve('take')
      if (over.has(talk.thread) || point === 'any') return
      await eventually(async () => (await app.sql`select 1 from channel_sends where conversation_id = ${talk.id}`).length === 0)
    }
    // The first word is on its way, the second waits behind it; then that one is on its way; then both have been taken.
    const steps = [says(0), arrives(0), says(1), goesOn, settled, says(2)]
    const at = point === 'any' ? Math.floor(chance.between(0, steps.length)) : point
    for (const [n, step] of steps.entries()) {
      if (n !== at) await step()
      else if (point === 'any') await Promise.all([step(), cutsIn()])
      else await cutsIn().then(step)
    }
    for (const { released } of own) released.resolve('take')
  }

  const waiting = cases.map(each => ({ each, chance: seeded(random.between(0, 2 ** 32)) }))
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await play(next.each, next.chance)
    }),
  )
  await eventually(async () => (await app.sql`select 1 from channel_sends limit 1`).length === 0)
  assert.deepEqual(late, [])

  const taken = Map.groupBy(platform.book, ({ to }) => to)
  const said = await app.sql<{ conversation_id: string; doc: string }[]>`
    select conversation_id, doc from messages where doc::json -> 'author' ->> 'type' = 'ai' order by created_at, id`
  const saidIn = Map.groupBy(said, row => row.conversation_id)
  const counts = { 'taken by the platform': 0, withdrawn: 0 }
  for (const { talk, way, point } of cases) {
    const book = (taken.get(talk.thread) ?? []).map(({ text }) => text)
    const messages = (saidIn.get(talk.id) ?? []).map(({ doc }) => JSON.parse(doc))
    const out = messages.filter(({ status }) => status === 'sent').map(({ text }) => text)
    const where = `${way} before step ${point}: ${book}`
    assert.deepEqual(book, way === 'REST' ? [...out, ANSWER] : out, where)
    for (const { status, error } of messages)
      if (status !== 'sent') assert.deepEqual([status, error?.code], ['failed', 'taken_over'], where)
    counts['taken by the platform'] += out.length
    counts.withdrawn += messages.length - out.length
  }
  t.diagnostic(JSON.stringify(counts))
  assert.ok(counts['taken by the platform'] > 500 && counts.withdrawn > 100, JSON.stringify(counts))
})
