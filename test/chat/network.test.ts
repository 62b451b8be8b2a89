// Web chat when the network or the service fails: what was typed arrives, once and in order, and so does what is answered.
import assert from 'node:assert/strict'
import { afterEach, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventuallyHolds } from '../support/eventually.ts'
import { answer, browsing, conversationWith, fragileApp, open, said, shopPages, write } from './browsing.ts'
import { aChat } from './chatting.ts'

const VISITORS = 10
const EACH = 10
/** Two starts of web on a busy machine, and the time in which a page then asks again. */
const THROUGH_TROUBLES_MS = 60_000

const { app, url, proxy, killWeb } = await fragileApp()
const pages = await shopPages(url)
const { visit, context, leave } = await browsing()

const shows = (page: Page, texts: string[], withinMs?: number): Promise<void> =>
  eventuallyHolds(async () => assert.deepEqual(await said(page), texts), withinMs)

/** What the service has of a talk, the oldest first. */
async function kept(conversation: string): Promise<string[]> {
  const rows =
    await app.sql`select doc::json ->> 'text' as text from messages where conversation_id = ${conversation} order by created_at, id`
  return rows.map(row => row['text'])
}

suite('web chat with a poor network', () => {
  afterEach(async () => {
    proxy.mend()
    await leave()
  })

  test('two tabs share one talk and one stream, and when the one that holds it is closed, the other goes on', async () => {
    const chat = await aChat(app, { origins: [pages.origin] })
    const address = pages.add({ channel: chat.id })
    const visitor = await context()
    const streams: Page[] = []
    visitor.on('request', request => /\/live$/.test(request.url()) && request.method() === 'GET' && streams.push(request.frame().page()))
    const [one, two] = [await visit(address, visitor), await visit(address, visitor)]
    await open(one)
    await write(one, 'From the first')
    const talk = await conversationWith(app, chat.shop, 'From the first')
    await open(two)
    await write(two, 'From the second')
    await conversationWith(app, chat.shop, 'From the second')
    await answer(chat.shop, talk, { text: 'To both' })
    const all = ['From the first', 'From the second', 'To both']
    for (const page of [one, two]) await shows(page, all)
    assert.deepEqual(new Set(streams).size, 1)
    await (streams[0] as Page).close()
    const left = streams[0] === one ? two : one
    await write(left, 'Still there')
    await conversationWith(app, chat.shop, 'Still there')
    await answer(chat.shop, talk, { text: 'So are we' })
    await shows(left, [...all, 'Still there', 'So are we'])
    assert.deepEqual(await kept(talk), [...all, 'Still there', 'So are we'])
  })

  test('what is typed without a network survives a reload and a closed tab, is shown as waiting, and arrives once and in order', async () => {
    const chat = await aChat(app, { origins: [pages.origin] })
    const address = pages.add({ channel: chat.id })
    const visitor = await context()
    const page = await visit(address, visitor)
    await open(page)
    await write(page, 'Hello')
    const talk = await conversationWith(app, chat.shop, 'Hello')
    await page.locator('.visitor time').waitFor({ state: 'attached' })
    proxy.block()
    await write(page, 'One')
    await page.locator('.status:not(:empty)').waitFor()
    await page.reload()
    await eventuallyHolds(async () => assert.equal(await page.locator('.panel').isVisible(), true))
    await write(page, 'Two')
    await page.locator('.composer textarea').fill('Not sent yet')
    await shows(page, ['One', 'Two'])
    await eventuallyHolds(async () =>
      assert.match(await page.locator('.entry').last().innerText(), /as soon as there is a connection|Sending/),
    )
    await page.close()
    const later = await visit(address, visitor)
    proxy.mend()
    await conversationWith(app, chat.shop, 'Two')
    await answer(chat.shop, talk, { text: 'All read' })
    await open(later)
    await shows(later, ['Hello', 'One', 'Two', 'All read'])
    assert.deepEqual(await kept(talk), ['Hello', 'One', 'Two', 'All read'])
  })

  test('an answer written while the network was dead for a minute appears when it is back', async () => {
    const chat = await aChat(app, { origins: [pages.origin] })
    const page = await (await context()).newPage()
    await page.clock.install()
    await page.goto(pages.add({ channel: chat.id }))
    await open(page)
    await write(page, 'Hello')
    const talk = await conversationWith(app, chat.shop, 'Hello')
    await shows(page, ['Hello'])
    proxy.silence('both')
    await answer(chat.shop, talk, { text: 'Good day' })
    await write(page, 'Are you there?')
    // Nothing tells either side: the stream is given up for its silence.
    await page.clock.fastForward(60_000)
    await page.locator('.status:not(:empty)').waitFor()
    proxy.cut()
    proxy.mend()
    await page.clock.fastForward(30_000)
    await conversationWith(app, chat.shop, 'Are you there?')
    await eventuallyHolds(async () => assert.deepEqual((await said(page)).sort(), ['Are you there?', 'Good day', 'Hello']))
    assert.equal((await kept(talk)).length, 3)
  })

  test('200 messages of ten visitors both ways, with the network cut and web killed in mid-talk: none lost, doubled or out of order', async () => {
    const chat = await aChat(app, { origins: [pages.origin] })
    const address = pages.add({ channel: chat.id })
    const visitors = await Promise.all(Array.from({ length: VISITORS }, () => visit(address)))
    await Promise.all(visitors.map(open))
    const questions = (visitor: number) => Array.from({ length: EACH }, (_, n) => `visitor ${visitor}, question ${n}`)
    const answers = (visitor: number) => Array.from({ length: EACH }, (_, n) => `visitor ${visitor}, answer ${n}`)
    const talks = Promise.all(
      visitors.map(async (page, visitor) => {
        const [first = '', ...others] = questions(visitor)
        await write(page, first)
        const talk = await conversationWith(app, chat.shop, first, THROUGH_TROUBLES_MS)
        const writing = (async () => {
          for (const text of others) await write(page, text)
        })()
        for (const text of answers(visitor)) await answer(chat.shop, talk, { text })
        await writing
        return talk
      }),
    )
    const troubles = (async () => {
      await shows(visitors[0] as Page, ['visitor 0, question 0']).catch(() => {})
      proxy.cut('resetAndDestroy')
      await killWeb()
      proxy.block()
      await Promise.resolve()
      proxy.mend()
      proxy.cut()
      await killWeb()
    })()
    const [ids] = await Promise.all([talks, troubles])
    await Promise.all(
      visitors.map(async (page, visitor) => {
        // What waits is shown too, at the end: so both are asked until they agree.
        const whole = await eventuallyHolds(async () => {
          const [shown, stored] = [await said(page), await kept(ids[visitor] as string)]
          assert.equal(stored.length, 2 * EACH)
          assert.deepEqual(shown, stored)
          return stored
        }, THROUGH_TROUBLES_MS)
        const of = (word: string) => whole.filter(text => text.includes(word))
        assert.deepEqual(of('question'), questions(visitor))
        assert.deepEqual(of('answer'), answers(visitor))
      }),
    )
  })
})
