// Web chat when the network or the service fails: what was typed arrives, once and in order, and so does what is answered.
import assert from 'node:assert/strict'
import { afterEach, suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { none } from '../../bench/chaos/verdict.ts'
import { eventuallyHolds } from '../support/eventually.ts'
import { assertAllHold } from '../support/findings.ts'
import { answer, browsing, fragileApp, shopPages } from './browsing.ts'
import { aChat } from './chatting.ts'
import { keptOut, storedIn, talkThroughTroubles } from './troubles.ts'
import { conversationWith, open, said, write } from './visiting.ts'

const VISITORS = 10
const EACH = 10

const { app, url, proxy, killWeb } = await fragileApp()
const pages = await shopPages(url)
const { visit, context, leave, complaints } = await browsing()

const shows = (page: Page, texts: string[], withinMs?: number): Promise<void> =>
  eventuallyHolds(async () => assert.deepEqual(await said(page), texts), withinMs)

const kept = (conversation: string): Promise<string[]> => storedIn(app.sql, conversation)

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

  test('while the service has no place for one more stream, answers are read by asking', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const visitor = await context()
    await visitor.route(/live$/, route =>
      route.fulfill({ status: 409, headers: { 'Access-Control-Allow-Origin': '*' }, json: { code: 'too_many_live_streams' } }),
    )
    const page = await visit(pages.add({ channel: id }), visitor)
    await open(page)
    await write(page, 'Hello?')
    await answer(shop, await conversationWith(app, shop, 'Hello?'), { text: 'Hi' })
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Hello?', 'Hi']))
    assert.equal(await page.locator('.status').innerText(), '')
  })

  test('where a proxy keeps the stream back until it is whole, which it never is, answers are read by asking, and nothing says that there is no connection', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const visitor = await context()
    await visitor.route(/live$/, () => {})
    const page = await visitor.newPage()
    await page.clock.install()
    await page.goto(pages.add({ channel: id }))
    await open(page)
    await write(page, 'Hello?')
    await answer(shop, await conversationWith(app, shop, 'Hello?'), { text: 'Hi' })
    await eventuallyHolds(async () => {
      await page.clock.runFor(1_000)
      assert.deepEqual(await said(page), ['Hello?', 'Hi'])
    })
    await answer(shop, await conversationWith(app, shop, 'Hello?'), { text: 'Still there?' })
    await eventuallyHolds(async () => {
      await page.clock.runFor(1_000)
      assert.deepEqual(await said(page), ['Hello?', 'Hi', 'Still there?'])
    })
    assert.equal(await page.locator('.status').innerText(), '')
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

  test('200 messages of ten visitors both ways, the network cut for a minute and web killed in mid-talk: none lost, doubled or out of order', async () => {
    const chat = await aChat(app, { origins: [pages.origin] })
    const visitors = await Promise.all(Array.from({ length: VISITORS }, async () => (await context()).newPage()))
    await Promise.all(visitors.map(page => page.clock.install()))
    const { findings, facts } = await talkThroughTroubles({
      sql: app.sql,
      shop: chat.shop.id,
      each: EACH,
      visitors,
      address: pages.add({ channel: chat.id }),
      answer: (talk, text) => answer(chat.shop, talk, { text }),
      proxy,
      killWeb,
      pass: async ms => void (await Promise.all(visitors.map(page => page.clock.runFor(ms)))),
    })
    assertAllHold({ facts, findings: [...findings, none('nothing is kept out by the policy that the guide prints', keptOut(complaints))] })
  })
})
