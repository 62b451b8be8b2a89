// The reference page in a real browser: a person types a key, fills in a form, and sees what the service answers.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { testApp } from '../support/app.ts'
import { FONTS_CONF, openBrowser } from '../support/browser.ts'
import { aProduct } from '../support/given.ts'

const app = await testApp()

suite('the reference', () => {
  let browser: Browser
  let page: Page
  const complaints: string[] = []

  before(async () => {
    browser = await openBrowser()
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    page.on('console', message => message.type() === 'error' && !/status of 4\d\d/.test(message.text()) && complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(`${app.url}/docs`)
  })
  after(() => browser.close())

  /** The families that the browser found for an element's text. */
  async function fontsOf(selector: string): Promise<string[]> {
    const session = await page.context().newCDPSession(page)
    for (const domain of ['DOM', 'CSS'] as const) await session.send(`${domain}.enable`)
    const { root } = await session.send('DOM.getDocument')
    const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
    const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
    return [...new Set(fonts.map(font => font.familyName))]
  }

  /** Sends an operation's form, and gives what is shown: status line, headers, body. */
  async function trying(operation: string, fields: Record<string, string>): Promise<[string, string, string]> {
    const form = page.locator(`#${operation} .try`)
    if (!(await form.locator('form').isVisible())) await form.locator('summary').click()
    for (const [name, value] of Object.entries(fields)) {
      const field = form.locator(`[name="${name}"]`)
      await ((await field.evaluate(element => element.tagName)) === 'SELECT' ? field.selectOption(value) : field.fill(value))
    }
    await form.locator('button[type=submit]').click()
    await form.locator('.answer .status').waitFor()
    return [await form.locator('.answer p').innerText(), ...((await form.locator('.answer pre').allInnerTexts()) as [string, string])]
  }

  test('is set in the fonts that came with the browser, and code in the monospaced one', async () => {
    assert.deepEqual(await fontsOf('h1'), ['Open Sans'])
    assert.deepEqual(await fontsOf('main code'), ['Cousine'])
    assert.doesNotMatch(readFileSync(FONTS_CONF, 'utf8'), />\s*[/~]/, 'the configuration names a folder of the machine')
    const widthOf = (text: string) =>
      page.locator('body').evaluate((body, text) => {
        const line = body.appendChild(body.ownerDocument.createElement('span'))
        line.style.fontFamily = 'monospace'
        line.textContent = text
        const { width } = line.getBoundingClientRect()
        line.remove()
        return width
      }, text)
    assert.equal(await widthOf('iiii'), await widthOf('MMMM'))
  })

  test('asks for a key before it sends', async () => {
    const form = page.locator('#listProducts .try')
    await form.locator('summary').click()
    await form.locator('button[type=submit]').click()
    assert.match(await form.locator('.answer').innerText(), /Enter an API key/)
    assert.ok(await page.locator('#api-key').evaluate(input => input === input.ownerDocument.activeElement))
  })

  test('shows status, headers and body of a GET', async () => {
    const shop = await app.tenant()
    await shop.post('/api/v1/products', aProduct())
    await page.locator('#api-key').fill(shop.key)
    const [line, headers, body] = await trying('listProducts', { limit: '1', fields: 'id,name', dir: 'asc' })
    assert.match(line, /^200 OK in \d+ ms · \/api\/v1\/products\?limit=1&fields=id%2Cname&dir=asc$/)
    assert.match(headers, /^etag: "/m)
    assert.match(headers, /^x-ratelimit-remaining: 599$/m)
    assert.equal(JSON.parse(body).data[0].name, 'Linen shirt')
  })

  test('sends the body of a POST, and shows where it led', async () => {
    const [line, headers, body] = await trying('createProduct', { 'Idempotency-Key': 'from-the-page' })
    assert.match(line, /^201 Created/)
    assert.match(headers, new RegExp(`^location: /api/v1/products/${JSON.parse(body).id}$`, 'm'))
    const [again, , problem] = await trying('createProduct', {})
    assert.match(again, /^409 Conflict/)
    assert.equal(JSON.parse(problem).code, 'duplicate_idempotency_key')
  })

  test('shows a refusal as it came, and keeps the key in this tab alone', async () => {
    const [line, , body] = await trying('getProduct', { id: 'prod_x' })
    assert.match(line, /^404 Not Found/)
    assert.match(JSON.parse(body).type, /resource-not-found$/)
    assert.deepEqual(await page.context().cookies(), [])
    assert.equal(await page.evaluate('localStorage.length'), 0)
  })

  test('sends a file as a file', async () => {
    const [line, , body] = await trying('createImport', { resource: 'products' })
    assert.match(line, /^202 Accepted/)
    assert.equal(JSON.parse(body).format, 'ndjson')
  })

  test('shows a download as it comes', async () => {
    const [, headers, body] = await trying('downloadProducts', {})
    assert.match(headers, /^content-disposition: attachment/m)
    assert.equal(body.trim().split('\n').length, 2)
  })

  test('narrows down to what the filter names', async () => {
    await page.locator('#filter').fill('patch orders')
    assert.equal(await page.locator('section.operation:visible').count(), 1)
    await page.locator('#filter').fill('')
  })

  for (const width of [390, 768, 1440])
    test(`fits a window of ${width} pixels, with everything unfolded`, async () => {
      await page.setViewportSize({ width, height: 800 })
      await page.evaluate('document.querySelectorAll("details").forEach(each => { each.open = true })')
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
    })

  test('has nothing to complain of in the console', () => assert.deepEqual(complaints, []))
})
