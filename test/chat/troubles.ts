// Visitors and staff talk while the network is cut for a minute and web is killed. The minute is a real one in `npm run chaos web-chat`; in `npm test` the
// pages' clocks are moved.
import type { Page } from 'playwright-core'
import { type Finding, none } from '../../bench/chaos/verdict.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../support/eventually.ts'
import type { FlakyProxy } from '../support/flaky-proxy.ts'
import { conversationWith, launcher, open, said, write } from './visiting.ts'

export interface Troubled {
  sql: Sql
  shop: string
  /** Questions of each visitor, and answers. */
  each: number
  /** A page for each, which shows nothing so far. */
  visitors: Page[]
  /** Of the shop's page with the chat. */
  address: string
  /** The staff answers by a process that lives. */
  answer(conversation: string, text: string): Promise<unknown>
  /** Between the visitors and their web process. */
  proxy: FlakyProxy
  /** kill -9, and started again. */
  killWeb(): Promise<void>
  /** Lets so much time pass for the pages. */
  pass(ms: number): Promise<void>
}

const MINUTE_MS = 60_000
/** The longest that a page waits before it asks again. */
const PAUSE_MS = 30_000
/** Starts of web on a busy machine, and the time in which a page then asks again. */
const WITHIN_MS = 120_000

export async function talkThroughTroubles(at: Troubled): Promise<{ facts: Record<string, number>; findings: Finding[] }> {
  const { sql, shop, visitors, proxy } = at
  await Promise.all(
    visitors.map(async page => {
      await page.goto(at.address)
      await launcher(page).waitFor()
      await open(page)
    }),
  )
  const question = (visitor: number, n: number) => `visitor ${visitor}, question ${n}`
  const answerOf = (visitor: number, n: number) => `visitor ${visitor}, answer ${n}`
  const talks = await Promise.all(
    visitors.map(async (page, visitor) => {
      await write(page, question(visitor, 0))
      return conversationWith({ sql }, { id: shop }, question(visitor, 0), WITHIN_MS)
    }),
  )
  /** Both sides write what is between these two numbers, and wait for nothing. */
  const talk = (from: number, to: number): Promise<unknown> =>
    Promise.all(
      visitors.flatMap((page, visitor) => [
        inTurn(Math.max(from, 1), to, n => write(page, question(visitor, n))),
        inTurn(from, to, n => at.answer(talks[visitor] as string, answerOf(visitor, n))),
      ]),
    )
  /** Questions that have not arrived, and answers that are not shown. */
  const underWay = async (): Promise<{ up: number; down: number }> => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::integer as count from messages where tenant_id = ${shop} and doc::json ->> 'direction' = 'inbound'`
    const shown = (await Promise.all(visitors.map(said))).flat().filter(text => text.includes('answer')).length
    return { up: asked - Number(row?.count), down: answered - shown }
  }
  const third = Math.ceil(at.each / 3)
  let [asked, answered] = [0, 0]
  const saysBetween = async (from: number, to: number): Promise<void> => {
    ;[asked, answered] = [to * visitors.length, to * visitors.length]
    await talk(from, to)
  }

  await saysBetween(0, third)
  // Nothing tells either side. Bytes that were sent meanwhile arrive when it is over, as TCP repeats them, also those of requests that were given up.
  proxy.silence('both')
  await saysBetween(third, 2 * third)
  const atTheCut = await underWay()
  await at.pass(MINUTE_MS)
  const afterTheMinute = await underWay()
  proxy.mend()
  const saying = saysBetween(2 * third, at.each)
  await at.killWeb()
  const killed = await underWay()
  await saying
  // Every connection is refused for a moment, and those that there were end.
  proxy.block()
  proxy.mend()
  await at.pass(PAUSE_MS)

  const lost: string[] = []
  const disordered: string[][] = []
  const wronglyShown: string[][] = []
  await Promise.all(
    visitors.map(async (page, visitor) => {
      const whole = await eventually(async () => {
        const [shown, stored] = [await said(page), await storedIn(sql, talks[visitor] as string)]
        return stored.length >= 2 * at.each && shown.join() === stored.join() && { shown, stored }
      }, WITHIN_MS).catch(async () => ({ shown: await said(page), stored: await storedIn(sql, talks[visitor] as string) }))
      const all = (text: typeof question) => Array.from({ length: at.each }, (_, n) => text(visitor, n))
      for (const [word, texts] of [['question', all(question)] as const, ['answer', all(answerOf)] as const]) {
        const kept = whole.stored.filter(text => text.includes(word))
        lost.push(...texts.filter(text => !kept.includes(text)))
        if (kept.join() !== texts.join()) disordered.push(kept)
      }
      if (whole.shown.join() !== whole.stored.join()) wronglyShown.push(whole.shown)
    }),
  )
  return {
    facts: {
      messages: 2 * at.each * visitors.length,
      'questions not arrived when the network was cut': atTheCut.up,
      '… a minute later': afterTheMinute.up,
      'answers not shown then': afterTheMinute.down,
      'under way when web was killed': killed.up + killed.down,
    },
    findings: [
      none('no message is lost', lost),
      none('those of each side are there once, in the order written', disordered),
      none('each visitor is shown what is kept, in the same order', wronglyShown),
      {
        promise: 'both sides wrote while the network was cut, and nothing passed',
        figure: `${afterTheMinute.up} and ${afterTheMinute.down} waited`,
        holds: afterTheMinute.up >= third * visitors.length && afterTheMinute.down >= third * visitors.length,
      },
    ],
  }
}

async function inTurn(from: number, to: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let n = from; n < to; n++) await work(n)
}

/** What the service has of a talk, the oldest first. */
export async function storedIn(sql: Sql, conversation: string): Promise<string[]> {
  const rows = await sql`select doc::json ->> 'text' as text from messages where conversation_id = ${conversation} order by created_at, id`
  return rows.map(row => row['text'])
}

/** Of what pages have complained of, that which the policy has kept out. */
export const keptOut = (complaints: string[]): string[] => complaints.filter(each => /Content.Security.Policy|TrustedHTML/i.test(each))
