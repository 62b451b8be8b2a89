// Web chat as visitors have it: on a shop's page, under the policy that the guide prints, with the keyboard, with a screen reader's eyes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { afterEach, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { hashOf } from '../../src/chat/links.ts'
import * as mails from '../../src/chat/mail-store.ts'
import { apply } from '../../src/conversations/apply.ts'
import { newId } from '../../src/ids.ts'
import { CHAT_PAGE } from '../../src/limits/chat.ts'
import { typing } from '../../src/live/feed.ts'
import { begin } from '../../src/postgres/sql.ts'
import type { TestTenant } from '../support/app.ts'
import { eventually, eventuallyHolds } from '../support/eventually.ts'
import { answer, browsedApp, browsing, shopPages } from './browsing.ts'
import { aChat, identity } from './chatting.ts'
import { conversationWith, field, launcher, open, said, write } from './visiting.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']

const app = await browsedApp()
const pages = await shopPages(app.url)
const { visit, complaints, context, leave } = await browsing()

suite('web chat on a page of a shop', () => {
  afterEach(leave)

  test('what a visitor writes is a conversation, and the answer appears, under the strictest policy', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await open(page)
    await write(page, 'Do you have it in M?')
    const talk = await conversationWith(app, shop, 'Do you have it in M?')
    await answer(shop, talk, { text: 'A note of ours', private: true })
    await answer(shop, talk, { text: 'We do: https://shop.example/p/1.' })
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Do you have it in M?', 'We do: https://shop.example/p/1.']))
    assert.equal(await page.locator('.bubble a').getAttribute('href'), 'https://shop.example/p/1')
    assert.deepEqual(complaints, [])
    // It was on an open panel, so it was seen.
    await eventually(async () => (await shop.get(`/api/v1/conversations/${talk}`)).body.messages[0].status === 'read')
  })

  test('the page to try it shows the chat under the same policy', async () => {
    const { shop, id } = await aChat(app, { origins: ['https://elsewhere.example'] })
    const page = await visit(`${app.url}/chat/try/${id}?lang=uk`)
    await open(page)
    assert.equal(await page.locator('h2').innerText(), 'Напишіть нам')
    await write(page, 'Добрий день')
    await conversationWith(app, shop, 'Добрий день')
    assert.deepEqual(complaints, [])
  })

  test('the keyboard alone opens, writes, presses a choice and closes', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    const focused = () => focusedOn(page)
    await page.keyboard.press('Tab')
    assert.equal(await focused(), 'Open chat')
    await page.keyboard.press('Enter')
    await eventuallyHolds(async () => assert.equal(await focused(), 'Message'))
    await page.keyboard.type('One line')
    await page.keyboard.press('Shift+Enter')
    await page.keyboard.type('and another')
    await page.keyboard.press('Enter')
    const talk = await conversationWith(app, shop, 'One line\nand another')
    await answer(shop, talk, {
      text: 'Which size?',
      choices: [
        { id: 's', title: 'Small' },
        { id: 'l', title: 'Large' },
      ],
    })
    await page.locator('.choices button').first().waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Shift+Tab')
    assert.equal(await focused(), 'Large')
    await page.keyboard.press('Enter')
    await conversationWith(app, shop, 'Large')
    const { body } = await shop.get(`/api/v1/conversations/${talk}`)
    assert.equal(body.messages[0].choice_id, 'l')
    await eventuallyHolds(async () => assert.equal(await page.locator('.choices').count(), 0))
    await eventuallyHolds(async () => assert.equal(await focused(), 'Messages', 'the keyboard goes on from the log'))
    await page.keyboard.press('Escape')
    await eventuallyHolds(async () => assert.equal(await focused(), 'Open chat'))
    await page.locator('.panel').waitFor({ state: 'hidden' })
  })

  test('a screen reader hears what comes once, and not what was there', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    const log = page.locator('[role=log]')
    await open(page)
    assert.equal(await page.locator('[role=dialog]').getAttribute('aria-labelledby'), 'title')
    await write(page, 'Hello')
    const talk = await conversationWith(app, shop, 'Hello')
    await eventuallyHolds(async () => assert.equal(await log.getAttribute('aria-live'), 'polite'))
    await page.evaluate(`{
      heard = []
      const log = document.querySelector('html > [role=region]').shadowRoot.querySelector('[role=log]')
      new MutationObserver(changes => changes.forEach(each => each.addedNodes.forEach(node => heard.push(node.textContent)))).observe(log, { childList: true })
    }`)
    await answer(shop, talk, { text: 'Good day' })
    await answer(shop, talk, { text: 'How can I help?' })
    await eventuallyHolds(async () => assert.equal((await page.evaluate<string[]>('heard')).length, 2))
    assert.match((await page.evaluate<string[]>('heard')).join(), /Good day.*How can I help/)
    await page.keyboard.press('Escape')
    await answer(shop, talk, { text: 'Are you there?' })
    await eventuallyHolds(async () => assert.equal(await launcher(page).getAttribute('aria-label'), 'Open chat: 1 new messages'))
    await eventuallyHolds(async () => assert.equal(await page.locator('p[role=status]').last().innerText(), '1 new messages'))
  })

  for (const [colorScheme, dir] of [
    ['light', undefined],
    ['dark', undefined],
    ['light', 'rtl'],
    ['dark', 'rtl'],
  ] as const)
    test(`axe finds nothing wrong, closed, open, away and in talk, in ${colorScheme}${dir ? ', from right to left' : ''}`, async () => {
      const { shop, id } = await aChat(app, {
        origins: [pages.origin],
        color: '#facc15',
        hours: `${DAYS[(new Date().getUTCDay() + 3) % 7]} 00:00-00:01`,
        time_zone: 'UTC',
      })
      // Without motion: half-way through it, colours are not what they will be.
      const page = await visit(pages.add({ channel: id, ...(dir && { dir, lang: 'he' }) }), { colorScheme, reducedMotion: 'reduce' })
      assert.deepEqual(await findings(page), [])
      await open(page)
      assert.deepEqual(await findings(page), [])
      await page.locator('.away input').fill('not an address')
      await page.keyboard.press('Enter')
      await write(page, 'Hello')
      const talk = await conversationWith(app, shop, 'Hello')
      await answer(shop, talk, { text: 'Yes?', choices: [{ id: 'a', title: 'Please call me' }] })
      await page.locator('.choices').waitFor()
      assert.deepEqual(await findings(page), [])
    })

  test('fits 320 pixels and a page zoomed to 200 %, and stands on the other side where text runs from right to left', async () => {
    const { id } = await aChat(app, { origins: [pages.origin], away_text: 'x'.repeat(400), title: 'A very long title '.repeat(3).trim() })
    const narrow = await visit(pages.add({ channel: id }), { viewport: { width: 320, height: 568 }, reducedMotion: 'reduce' })
    await open(narrow)
    await write(narrow, `https://shop.example/${'a'.repeat(300)}`)
    await assertFits(narrow)
    // A window of 1280 × 720 at 200 %.
    const zoomed = await visit(pages.add({ channel: id }), {
      viewport: { width: 640, height: 360 },
      deviceScaleFactor: 2,
      reducedMotion: 'reduce',
    })
    await open(zoomed)
    await assertFits(zoomed)
    const log = await zoomed.locator('.log').boundingBox()
    assert.ok((log?.height ?? 0) > 150, 'there is room to read')
    const rtl = await visit(pages.add({ channel: id, lang: 'he', dir: 'rtl' }), { reducedMotion: 'reduce' })
    assert.ok(((await launcher(rtl).boundingBox())?.x ?? 1000) < 100, 'the button is on the left')
    await open(rtl)
    await write(rtl, 'שלום')
    await eventuallyHolds(async () => {
      const own = await rtl.locator('.visitor .bubble').boundingBox()
      const panel = await rtl.locator('.panel').boundingBox()
      assert.ok(own && panel && own.x - panel.x < 40, 'what the visitor wrote is at the end of the line')
    })
    assert.equal(await rtl.locator('.visitor .bubble').getAttribute('dir'), 'auto')
  })

  test('keeps still for those who asked for less motion', async () => {
    const { id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }), { reducedMotion: 'reduce' })
    await open(page)
    assert.equal(await page.locator('.panel').evaluate(panel => panel.getAnimations().length), 0)
  })

  test('a page with hostile CSS changes nothing of it', async () => {
    const { id } = await aChat(app, { origins: [pages.origin] })
    const css = `* { all: unset !important; display: none !important; font-size: 1px !important; color: red !important; }
      html, body, main { display: block !important } html { font-size: 1px }
      div[role=region] { visibility: hidden !important; opacity: 0 !important; position: static !important; z-index: -1 !important; --accent: red !important; pointer-events: none !important }
      .panel, .launcher, button, textarea { display: none !important; height: 1px !important }`
    const plain = await visit(pages.add({ channel: id }), { reducedMotion: 'reduce' })
    const hostile = await visit(pages.add({ channel: id, css }), { reducedMotion: 'reduce' })
    for (const page of [plain, hostile]) await open(page)
    const looks = (page: Page) =>
      page.evaluate(`[...document.querySelector('html > [role=region]').shadowRoot.querySelectorAll('.panel, .launcher, .bubble, textarea')].map(element => {
        const { color, backgroundColor, fontSize, visibility, opacity, borderRadius, direction } = getComputedStyle(element)
        const { width, height } = element.getBoundingClientRect()
        return { color, backgroundColor, fontSize, visibility, opacity, borderRadius, direction, width: Math.round(width), height: Math.round(height) }
      })`)
    assert.deepEqual(await looks(hostile), await looks(plain))
  })

  test('markup is text, wherever it comes from', async () => {
    const markup = '<img src=x onerror="document.title=1"><b>bold</b>'
    const { shop, id } = await aChat(app, { origins: [pages.origin], title: markup.slice(0, 60), greeting: markup })
    const attributes = `data-texts='{"placeholder": "&lt;i&gt;", "shop": 5}'`
    const page = await visit(pages.add({ channel: id, attributes }))
    await open(page)
    assert.equal(await field(page).getAttribute('placeholder'), '<i>')
    await write(page, markup)
    const talk = await conversationWith(app, shop, markup)
    await answer(shop, talk, { text: markup.slice(1) })
    await eventuallyHolds(async () => assert.deepEqual(await said(page), [markup, markup.slice(1)]))
    assert.equal(await page.locator('.panel img, .panel b, .panel i').count(), 3, 'the three dots of typing alone')
    assert.equal(await page.title(), 'A shop')
  })

  test('what is edited or deleted is so on the page too, and who types is shown until they have written', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await open(page)
    await write(page, 'Hello')
    const talk = await conversationWith(app, shop, 'Hello')
    const { id: edited } = await answer(shop, talk, { text: 'It is red' })
    const { id: deleted } = await answer(shop, talk, { text: 'Wrong chat' })
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Hello', 'It is red', 'Wrong chat']))
    const channel = (await accounts.of(app.sql, shop.id, id)) as accounts.Account
    const { thread } = (await app.sql`select thread from conversations where tenant_id = ${shop.id}`)[0] as unknown as { thread: string }
    const about = { thread, at: null }
    const told = [
      { ...about, kind: 'edit', our_id: edited, text: 'It is blue' } as const,
      { ...about, kind: 'deletion', our_id: deleted } as const,
    ].map(update => ({ update, receivedAt: new Date() }))
    await begin(app.sql, tx => apply(tx, { tenant: shop.id, actor: { type: 'system' } }, channel, told))
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Hello', 'It is blue', 'This message was deleted']))
    typing(shop.id, { conversation_id: talk, by: 'operator', until: new Date(Date.now() + 5000).toISOString() })
    await page.locator('.typing').waitFor()
    await answer(shop, talk, { text: 'There' })
    await eventuallyHolds(async () => assert.equal((await said(page)).at(-1), 'There'))
    assert.equal(await page.locator('.typing').isVisible(), false, 'what was typed has come')
  })

  test('an identity that the shop signed joins its customer; a forged one is refused, says so, and the visitor writes as a stranger', async () => {
    const { shop, id, secret } = await aChat(app, { origins: [pages.origin] })
    const signed = identity(secret, { external_id: 'c-1', name: 'Ada Lovelace', email: 'ada@example.com' })
    const page = await visit(pages.add({ channel: id, attributes: `data-identity="${signed}"` }))
    await open(page)
    await write(page, 'It is me')
    const talk = await conversationWith(app, shop, 'It is me')
    assert.equal((await shop.get(`/api/v1/conversations/${talk}`)).body.contact.name, 'Ada Lovelace')
    const forged = await visit(pages.add({ channel: id, attributes: `data-identity="${signed.slice(0, -1)}x"` }))
    await open(forged)
    await write(forged, 'It is not me')
    const other = await conversationWith(app, shop, 'It is not me')
    assert.equal((await shop.get(`/api/v1/conversations/${other}`)).body.contact.name, null)
    assert.match(complaints.splice(0).join(), /identity.*secret/)
    // Who signs in without a new page goes on with the same talk.
    await forged.evaluate(`shopdeskChat.identify('${signed}')`)
    await write(forged, 'Now it is')
    await eventuallyHolds(async () => assert.equal((await shop.get(`/api/v1/conversations/${other}`)).body.contact.name, 'Ada Lovelace'))
  })

  test('outside the hours the away text stands there, an address is asked for once, and it fills the contact of that talk alone', async () => {
    const away = { hours: `${DAYS[(new Date().getUTCDay() + 3) % 7]} 00:00-00:01`, time_zone: 'UTC', away_text: 'Back on Monday.' }
    const { shop, id } = await aChat(app, { origins: [pages.origin], ...away })
    await shop.post('/api/v1/contacts', { name: 'Somebody else', email: 'taken@example.com' })
    const visitor = await context()
    const address = pages.add({ channel: id })
    const page = await visit(address, visitor)
    await open(page)
    assert.match(await page.locator('.away').innerText(), /Back on Monday/)
    await page.locator('.away input').fill('nobody')
    await page.locator('.away button').click()
    await eventuallyHolds(async () => assert.match(await page.locator('.away [role=alert]').innerText(), /check the address/))
    assert.equal(await page.locator('.away input').getAttribute('aria-invalid'), 'true')
    await page.locator('.away input').fill('me@example.com')
    await page.keyboard.press('Enter')
    await page.locator('.away [role=status]:not(:empty)').waitFor()
    assert.equal(await page.locator('.away input').isVisible(), false)
    // There was no talk yet, so nobody was told.
    assert.equal((await app.sql`select 1 from contacts where tenant_id = ${shop.id}`).length, 1)
    await write(page, 'Call me back')
    const talk = await conversationWith(app, shop, 'Call me back')
    await eventuallyHolds(async () => assert.equal((await shop.get(`/api/v1/conversations/${talk}`)).body.contact.email, 'me@example.com'))
    await page.reload()
    await page.locator('.away').waitFor()
    assert.equal(await page.locator('.away input').isVisible(), false)

    const stranger = await visit(address)
    await open(stranger)
    await write(stranger, 'I am somebody else')
    const other = await conversationWith(app, shop, 'I am somebody else')
    await stranger.locator('.away input').fill('taken@example.com')
    await stranger.keyboard.press('Enter')
    await eventually(async () => (await app.sql`select 1 from callbacks where tenant_id = ${shop.id} and status = 'applied'`).length === 3)
    const { contact } = (await shop.get(`/api/v1/conversations/${other}`)).body
    assert.deepEqual([contact.name, contact.email], [null, null])
  })

  test('files go both ways: pictures are shown, others are links, and what may not be sent says why', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await open(page)
    const files = page.locator('input[type=file]')
    await files.setInputFiles({ name: 'photo.png', mimeType: 'image/png', buffer: PNG })
    await page.locator('.visitor img').waitFor()
    const talk = await eventually(async () => (await shop.get('/api/v1/conversations')).body.data?.[0]?.id)
    const uploaded = await fetch(`${app.url}/api/v1/attachments?name=label.png`, {
      method: 'POST',
      body: new Uint8Array(PNG),
      headers: { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'image/png' },
    })
    await answer(shop, talk, { attachments: [{ id: ((await uploaded.json()) as { id: string }).id }] })
    const picture = page.locator('.shop img')
    await picture.waitFor()
    await eventuallyHolds(async () =>
      assert.ok(await picture.evaluate(img => (img as unknown as { naturalWidth: number }).naturalWidth > 0)),
    )
    assert.equal(await picture.getAttribute('alt'), 'label.png')
    await files.setInputFiles({ name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') })
    await page.locator('.visitor a.file').waitFor()
    assert.deepEqual(complaints, [])
    await files.setInputFiles({ name: 'x.zip', mimeType: 'application/zip', buffer: Buffer.from('PK') })
    await eventuallyHolds(async () => assert.match(await page.locator('.status').innerText(), /cannot be sent/))
    await files.setInputFiles({ name: 'big.png', mimeType: 'image/png', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) })
    await eventuallyHolds(async () => assert.match(await page.locator('.status').innerText(), /10 MB/))
    // It says that it is a picture: the service looks.
    await files.setInputFiles({
      name: 'evil.png',
      mimeType: 'image/png',
      buffer: Buffer.from('MZ\x90\0\x03\0\0\0\x04\0\0\0\xff\xff', 'latin1'),
    })
    await page.locator('.refused').waitFor()
    await page.locator('.refused button').last().click()
    assert.equal(await page.locator('.refused').count(), 0)
  })

  test('what is refused for good says so, and can be tried again or removed', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await open(page)
    await write(page, 'Hello')
    await conversationWith(app, shop, 'Hello')
    // As a firewall before the service does.
    await page.route(/messages$/, route => route.fulfill({ status: 403, headers: { 'Access-Control-Allow-Origin': '*' }, json: {} }))
    for (const text of ['Too late', 'Never mind']) await write(page, text)
    const refused = page.locator('.refused')
    await eventuallyHolds(async () => assert.equal(await refused.count(), 2))
    await refused.last().locator('button').last().click()
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Hello', 'Too late']))
    await page.unroute(/messages$/)
    await refused.locator('button').first().click()
    await conversationWith(app, shop, 'Too late')
    await eventuallyHolds(async () => assert.equal(await refused.count(), 0))
  })

  test('the link of a mail goes on with the talk in another browser, once, and is gone from the address', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const address = pages.add({ channel: id })
    const page = await visit(address)
    await open(page)
    await write(page, 'Write to me')
    const talk = await conversationWith(app, shop, 'Write to me')
    await answer(shop, talk, { text: 'Here you are' })
    const secret = 'a'.repeat(40)
    const thread = await linkMailed(shop, id, talk, secret)
    const link = `${address}#shopdesk-chat=${secret}.${thread.slice(-8)}`
    // A program that looks at mails opens it too, runs what is on the page, and presses nothing.
    const program = await visit(link)
    await goOn(program).waitFor()
    const elsewhere = await visit(link)
    await goOn(elsewhere).waitFor()
    await eventuallyHolds(async () => assert.equal(await focusedOn(elsewhere), 'Continue our conversation'))
    assert.equal(await field(elsewhere).isVisible(), false)
    assert.deepEqual(await findings(elsewhere), [])
    await elsewhere.keyboard.press('Enter')
    await eventuallyHolds(async () => assert.deepEqual(await said(elsewhere), ['Write to me', 'Here you are']))
    assert.equal(elsewhere.url(), address)
    await elsewhere.reload()
    await eventuallyHolds(async () => assert.deepEqual(await said(elsewhere), ['Write to me', 'Here you are']))
    await elsewhere.goto(link)
    await elsewhere.reload()
    await eventuallyHolds(async () => assert.deepEqual(await said(elsewhere), ['Write to me', 'Here you are']))
    assert.deepEqual([await goOn(elsewhere).isVisible(), elsewhere.url()], [false, address])
    const again = await visit(link)
    await goOn(again).click()
    await eventuallyHolds(async () => assert.match(await again.locator('.status').innerText(), /used before/))
    assert.deepEqual(await said(again), [])
  })

  test('the link of a mail in two tabs goes on in both by one press, also on a narrow page from right to left', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const texts = JSON.stringify({ goOn: 'متابعة محادثتنا' }).replaceAll('"', '&quot;')
    const address = pages.add({ channel: id, lang: 'ar', dir: 'rtl', attributes: `data-texts="${texts}"` })
    const first = await visit(pages.add({ channel: id }))
    await open(first)
    await write(first, 'Write to me')
    const talk = await conversationWith(app, shop, 'Write to me')
    const secret = 'c'.repeat(40)
    const thread = await linkMailed(shop, id, talk, secret)
    const phone = await context()
    const link = `${address}#shopdesk-chat=${secret}.${thread.slice(-8)}`
    const [one, two] = [await visit(link, phone), await visit(link, phone)]
    for (const page of [one, two]) {
      const button = page.getByRole('button', { name: 'متابعة محادثتنا' })
      await page.setViewportSize({ width: 320, height: 640 })
      await button.waitFor()
      const { x, width } = (await button.boundingBox()) ?? assert.fail('it has no place')
      assert.ok(x >= 0 && x + width <= 320, `${x} to ${x + width}`)
      assert.deepEqual(await findings(page), [])
    }
    await one.getByRole('button', { name: 'متابعة محادثتنا' }).click()
    for (const page of [one, two]) {
      await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Write to me']))
      assert.deepEqual([await page.getByRole('button', { name: 'متابعة محادثتنا' }).isVisible(), page.url()], [false, address])
    }
  })

  test('the link of a mail whose first answer is lost is used again, also by the page loaded anew', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const address = pages.add({ channel: id })
    const page = await visit(address)
    await open(page)
    await write(page, 'Write to me')
    const talk = await conversationWith(app, shop, 'Write to me')
    const secret = 'b'.repeat(40)
    await linkMailed(shop, id, talk, secret)
    const phone = await context()
    let lost = 0
    await phone.route(/visitors$/, async route => {
      if (!route.request().postData()?.includes(secret)) return route.continue()
      await route.fetch()
      lost++
      await route.abort()
    })
    const elsewhere = await visit(`${address}#shopdesk-chat=${secret}`, phone)
    await goOn(elsewhere).click()
    await eventually(async () => lost > 0)
    await phone.unroute(/visitors$/)
    await elsewhere.reload()
    await goOn(elsewhere).click()
    await eventuallyHolds(async () => assert.deepEqual(await said(elsewhere), ['Write to me']))
    assert.equal(elsewhere.url(), address)
  })

  test('what was seen is told until the service knows it', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    let lost = 0
    await page.route(/seen$/, route => {
      lost++
      return route.abort()
    })
    await open(page)
    await write(page, 'Hello?')
    const talk = await conversationWith(app, shop, 'Hello?')
    await answer(shop, talk, { text: 'Hi' })
    await eventually(async () => lost > 0)
    await page.unroute(/seen$/)
    await eventually(async () => (await shop.get(`/api/v1/conversations/${talk}`)).body.messages[0].status === 'read')
  })

  test('a page that replaces all that it is made of has the chat again', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await open(page)
    await write(page, 'Hello?')
    await answer(shop, await conversationWith(app, shop, 'Hello?'), { text: 'Hi' })
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Hello?', 'Hi']))
    await page.evaluate('document.documentElement.replaceChildren(document.createElement("body"))')
    await launcher(page).waitFor()
    await page.evaluate(`{
      const html = document.createElement('html')
      html.append(document.createElement('body'))
      document.replaceChild(html, document.documentElement)
    }`)
    await launcher(page).waitFor()
    await page.evaluate('document.documentElement.replaceChildren(document.createElement("body"))')
    await launcher(page).waitFor()
    assert.deepEqual(await said(page), ['Hello?', 'Hi'])
  })

  test('a text longer than a message goes as several, and nothing of it is lost', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await open(page)
    const lines = Array.from({ length: 90 }, (_, n) => `Line ${n} ${'of a letter '.repeat(8)}`.trim())
    const whole = `a${'🧵'.repeat(3_000)}`
    await write(page, lines.join('\n'))
    await write(page, whole)
    await eventuallyHolds(async () => {
      const rows = await app.sql`select doc::json ->> 'text' as text from messages where tenant_id = ${shop.id} order by created_at, id`
      const texts = rows.map(row => row['text'] as string)
      assert.deepEqual(
        texts.slice(0, -2).flatMap(text => text.split('\n')),
        lines,
      )
      assert.deepEqual(texts.slice(-2).join(''), whole)
      assert.equal(texts.length, 5)
    })
    assert.deepEqual(complaints, [])
  })

  test('what was said long ago is there for who scrolls up or asks for it, unspoken, and moves nothing that is being read', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }), { reducedMotion: 'reduce' })
    await open(page)
    await write(page, 'The first')
    const talk = await conversationWith(app, shop, 'The first')
    const texts = Array.from({ length: 2 * CHAT_PAGE }, (_, n) => `Answer ${n}`)
    for (const text of texts) await answer(shop, talk, { text })
    await page.reload()
    const shown = () => said(page)
    await eventuallyHolds(async () => assert.deepEqual(await shown(), texts.slice(-CHAT_PAGE)))
    // A stream that begins anew tells again what was said in the half minute before: all of it, here.
    for (const text of ['While it is read', 'When the stream has begun anew']) {
      texts.push(text)
      await answer(shop, talk, { text })
      await eventuallyHolds(async () => assert.deepEqual(await shown(), texts.slice(CHAT_PAGE)))
      if (text === 'While it is read') await page.evaluate("dispatchEvent(new Event('online'))")
    }
    const log = page.locator('.log')
    const spoken = await log.evaluateHandle(element => {
      const seen: (string | null)[] = []
      new MutationObserver(() => seen.push(element.getAttribute('aria-live'))).observe(element, { childList: true })
      return seen
    })
    const reading = page.locator('.bubble', { hasText: /^Answer 52$/ })
    const before = await reading.evaluate(bubble => {
      bubble.closest('.log')?.scrollTo(0, 0)
      return bubble.getBoundingClientRect().top
    })
    await eventuallyHolds(async () => assert.deepEqual(await shown(), texts))
    assert.deepEqual([...new Set(await spoken.jsonValue())], ['off'])
    assert.ok(Math.abs(((await reading.boundingBox())?.y ?? 0) - before) < 2, 'what is read stays where it is')
    await eventuallyHolds(async () => assert.equal(await log.getAttribute('aria-live'), 'polite'))
    await page.locator('.earlier').focus()
    await page.keyboard.press('Enter')
    await eventuallyHolds(async () => assert.deepEqual(await shown(), ['The first', ...texts]))
    assert.match(await page.locator('.entry').first().innerText(), /How can we help/, 'the talk begins with the greeting')
    assert.equal(await page.locator('.earlier').count(), 0)
    await answer(shop, talk, { text: 'One more' })
    await eventuallyHolds(async () => assert.equal((await shown()).at(-1), 'One more'))
  })

  test('a chat that is not there any more has no button, and the console says so once', async () => {
    const page = await (await context()).newPage()
    await page.goto(pages.add({ channel: newId('chn') }))
    await eventuallyHolds(async () => assert.match(complaints.join(), /Shopdesk chat: .*chat/))
    assert.doesNotMatch(complaints.join(), /CORS/)
    assert.equal(await launcher(page).count(), 0)
  })

  test('a page of a foreign origin has no chat, and says so', async () => {
    const { id } = await aChat(app, { origins: ['https://elsewhere.example'] })
    const page = await (await context()).newPage()
    await page.goto(pages.add({ channel: id }))
    await eventuallyHolds(async () => assert.match(complaints.join(), /CORS/))
    assert.equal(await launcher(page).count(), 0)
  })

  test('nothing is stored, and no connection held, for a visitor who only looks', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const visitor = await context()
    const asked: string[] = []
    visitor.on('request', request => asked.push(request.url().split('/').at(-1) as string))
    const address = pages.add({ channel: id })
    const page = await visit(address, visitor)
    await open(page)
    await page.reload()
    await field(page).waitFor()
    assert.deepEqual(
      asked.filter(each => !/^\d+$|^chat\.js$/.test(each)),
      ['visitors'],
      'what the shop has set is asked for once',
    )
    assert.deepEqual(await visitor.cookies(), [])
    for (const table of ['conversations', 'contacts', 'callbacks'])
      assert.equal((await app.sql`select 1 from ${app.sql(table)} where tenant_id = ${shop.id}`).length, 0, table)
  })

  test('signing out leaves nothing for the next one at that computer', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const shared = await context()
    const page = await visit(pages.add({ channel: id }), shared)
    await open(page)
    await write(page, 'A secret')
    await conversationWith(app, shop, 'A secret')
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['A secret']))
    await page.evaluate('shopdeskChat.forget()')
    await page.evaluate('shopdeskChat.open()')
    await eventuallyHolds(async () => assert.deepEqual(await said(page), []))
    await page.reload()
    await launcher(page).waitFor()
    await eventuallyHolds(async () => assert.deepEqual(await said(page), []))
  })

  test('what was not sent yet, and what was begun, is not the next visitor’s at that computer', async () => {
    const { shop, id, secret } = await aChat(app, { origins: [pages.origin] })
    const shared = await context()
    const signed = identity(secret, { external_id: 'c-7' })
    const page = await visit(pages.add({ channel: id, attributes: `data-identity="${signed}"` }), shared)
    await page.route(/messages$/, route => route.abort())
    await open(page)
    await write(page, 'A secret')
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['A secret']))
    await field(page).fill('And another')
    await page.reload()
    await eventuallyHolds(async () => assert.equal(await field(page).inputValue(), 'And another'))
    await page.goto(pages.add({ channel: id }))
    await field(page).waitFor()
    assert.equal(await field(page).inputValue(), '')
    await page.unroute(/messages$/)
    await write(page, 'Somebody else')
    await conversationWith(app, shop, 'Somebody else')
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Somebody else']))
    assert.equal((await app.sql`select 1 from messages where tenant_id = ${shop.id}`).length, 1)
  })

  test('what a stranger has written goes out also where their token counts no more', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await page.route(/messages$/, route => route.abort())
    await open(page)
    await write(page, 'Typed before')
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Typed before']))
    // As after a year, or with another SECRET_KEY.
    await page.evaluate(`{
      const name = 'shopdesk-chat:${id}:visitor'
      localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), token: 'of-old' }))
    }`)
    await page.unroute(/messages$/)
    await page.reload()
    await conversationWith(app, shop, 'Typed before')
  })

  test('where the browser keeps nothing of a site, each tab is a visitor of its own; where its storage is full, what is written is sent', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const address = pages.add({ channel: id })
    const forbidden = "() => { throw new DOMException('Denied', 'SecurityError') }"
    for (const denied of [`{ get: ${forbidden} }`, `{ get: ${forbidden} }); navigator.locks.request = async ${forbidden}; void ({}`]) {
      const visitor = await context()
      await visitor.addInitScript(`Object.defineProperty(window, 'localStorage', ${denied})`)
      const tabs = [await visit(address, visitor), await visit(address, visitor)]
      for (const [n, tab] of tabs.entries()) {
        await open(tab)
        const text = `${denied.length}, tab ${n}`
        await write(tab, text)
        await answer(shop, await conversationWith(app, shop, text), { text: `To ${text}` })
        await eventuallyHolds(async () => assert.deepEqual(await said(tab), [text, `To ${text}`]))
      }
    }
    const visitor = await context()
    const [one, two] = [await visit(address, visitor), await visit(address, visitor)]
    await open(one)
    await write(one, 'There is room')
    await conversationWith(app, shop, 'There is room')
    await open(two)
    await eventuallyHolds(async () => assert.deepEqual(await said(two), ['There is room']))
    await two.evaluate(`for (let piece = 'x'.repeat(2 ** 20), n = 0; piece; n++)
      try { localStorage.setItem('shop' + n, piece) } catch { piece = piece.slice(0, piece.length / 2) }`)
    await write(two, 'There is none')
    await conversationWith(app, shop, 'There is none')
    await eventuallyHolds(async () => assert.deepEqual(await said(one), ['There is room', 'There is none']))
  })

  test('the shop is there by its own clock, however wrong the visitor’s is', async () => {
    const clock = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)
    const hours = `${DAYS[new Date(Date.now() - 3_600_000).getUTCDay()]} ${clock(-1)}-${clock(2)}`
    const { id } = await aChat(app, { origins: [pages.origin], hours, time_zone: 'UTC' })
    for (const ahead of [6, -6]) {
      const visitor = await context()
      await visitor.addInitScript(`{ const now = Date.now; Date.now = () => now() + ${ahead} * 3_600_000 }`)
      const page = await visit(pages.add({ channel: id }), visitor)
      await page.reload()
      await launcher(page).waitFor()
      await open(page)
      assert.equal(await page.locator('.away').isVisible(), false, `${ahead} hours ahead`)
    }
  })

  test('what is still on its way when a visitor signs out is not shown to the next one', async () => {
    const { shop, id } = await aChat(app, { origins: [pages.origin] })
    const page = await visit(pages.add({ channel: id }))
    await open(page)
    await write(page, 'A secret')
    await conversationWith(app, shop, 'A secret')
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['A secret']))
    const [reading, released, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(/messages$/, async route => {
      if (route.request().method() !== 'GET') return route.continue()
      const response = await route.fetch()
      reading.resolve()
      await released.promise
      await route.fulfill({ response }).catch(() => {})
      told.resolve()
    })
    await page.reload()
    await reading.promise
    await page.evaluate('shopdeskChat.forget()')
    released.resolve()
    await told.promise
    await page.evaluate('shopdeskChat.open()')
    await write(page, 'Somebody else')
    await conversationWith(app, shop, 'Somebody else')
    await eventuallyHolds(async () => assert.deepEqual(await said(page), ['Somebody else']))
  })
})

const goOn = (page: Page) => page.locator('.go-on')

const focusedOn = (page: Page): Promise<unknown> =>
  page.evaluate(
    '(e => e?.shadowRoot?.activeElement?.getAttribute("aria-label") ?? e?.shadowRoot?.activeElement?.innerText)(document.activeElement)',
  )

/** Keeps the secret of a mail's link that goes on with the workspace's one conversation. @returns the visitor's thread */
async function linkMailed(shop: TestTenant, channel: string, conversation: string, secret: string): Promise<string> {
  const { thread } = (await app.sql`select thread from conversations where tenant_id = ${shop.id}`)[0] as unknown as { thread: string }
  const mail = { hash: hashOf(secret), conversation, visitor: thread, to: 'eve@example.com', told: new Date().toISOString() }
  await begin(app.sql, tx => mails.insert(tx, { tenant: shop.id, id: channel }, mail))
  return thread
}

// In a world of the test's own: the page's policy lets no script in, nor the test's.
async function findings(page: Page): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>(
    'axe.run()',
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join(' | ')}`)
}

async function assertFits(page: Page): Promise<void> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
  assert.ok(wide <= 0, `the page is ${wide} px too wide`)
  const { width, height } = page.viewportSize() as { width: number; height: number }
  for (const part of ['.panel', '.log', '.composer', '.send', '.head .round']) {
    const box = await page.locator(part).boundingBox()
    assert.ok(
      box && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height,
      `${part} ${JSON.stringify(box)}`,
    )
  }
  assert.ok(await page.locator('.log').evaluate(log => log.scrollWidth <= log.clientWidth), 'the log does not scroll sideways')
}
