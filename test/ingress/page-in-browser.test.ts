// The frame of pages in a real browser: with the mouse, by keyboard alone, without scripts, on a phone, in light and dark.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { freePort } from '../../src/loopback.ts'
import { openBrowser } from '../support/browser.ts'
import { paged } from './paged.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const { start } = await paged()

suite('pages in a browser', () => {
  let browser: Browser
  let url = ''
  let evil = ''
  const complaints: string[] = []

  before(async () => {
    const port = await freePort()
    ;({ url } = await start(`http://127.0.0.1:${port}`, port))
    browser = await openBrowser()
    const server = createServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<form method="post" action="${url}/dashboard/keys"><input name="_form" value="revoke"><button>Win</button></form>`),
    ).listen(0, '127.0.0.1')
    server.unref()
    evil = `http://localhost:${await new Promise(done => server.once('listening', () => done((server.address() as { port: number }).port)))}`
  })
  after(() => browser.close())

  async function open(path: string, who?: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    if (who) await context.addCookies([{ name: 'who', value: who, url, sameSite: 'Lax' }])
    const page = await context.newPage()
    page.on(
      'console',
      message => /error|warning/.test(message.type()) && !/status of 4\d\d/.test(message.text()) && complaints.push(message.text()),
    )
    page.on('pageerror', error => complaints.push(error.message))
    await page.goto(url + path)
    return page
  }

  for (const { colorScheme, width } of [
    { colorScheme: 'light', width: 360 },
    { colorScheme: 'dark', width: 1280 },
  ] as const)
    test(`axe finds nothing wrong at ${width} pixels in ${colorScheme}, and nothing has to be scrolled sideways`, async () => {
      for (const path of ['/dashboard?none', '/dashboard/keys', '/dashboard/nothing']) {
        const page = await open(path, 'admin', { colorScheme, viewport: { width, height: 800 } })
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path)
        const session = await page.context().newCDPSession(page)
        // By the debugger, which the page's policy does not hold.
        const { result } = await session.send('Runtime.evaluate', {
          expression: `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(node => node.html).join()))`,
          awaitPromise: true,
          returnByValue: true,
        })
        assert.deepEqual(result.value, [], path)
        await page.context().close()
      }
    })

  test('what was typed comes back after a session that ended meanwhile, and nothing was done without one', async () => {
    const { made } = await import('./sample-pages.tsx')
    const page = await open('/dashboard/keys', 'admin')
    await page.getByLabel('Name').fill('long thought of')
    await page.getByLabel('Note').fill('two\nlines')
    await page.getByLabel('Write').check()
    await page.context().clearCookies({ name: 'who' })
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor()
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.getByRole('link', { name: 'Sign in' }).click()])
    await tab.waitForURL(`${url}/sign-in?next=%2Fdashboard%2Fkeys`)
    await page.context().addCookies([{ name: 'who', value: 'admin.anew', url, sameSite: 'Lax' }])
    await page.reload()
    await page.getByText('You have signed in or out since this form was opened').waitFor()
    assert.equal(await page.getByLabel('Note').inputValue(), 'two\nlines')
    assert.ok(!made.some(each => each.includes('long thought of')))
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('sk_long thought of').waitFor()
    assert.ok(made.includes('ten_a long thought of rest read,write'))
    await page.context().close()
  })

  test('a person makes a key with the mouse, and a second click sends nothing', async () => {
    const page = await open('/dashboard/keys', 'admin')
    await page.getByLabel('Name').fill('the mouse')
    await page.getByLabel('Write').check()
    await page.getByRole('button', { name: 'Create the key' }).dblclick()
    await page.getByText('sk_the mouse').waitFor()
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await page.context().close()
  })

  test('a person signs in by keyboard alone, past the link that skips the header, and is led to the mistake', async () => {
    const page = await open('/sign-in')
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab')
    assert.equal(await page.evaluate('document.activeElement.textContent.trim()'), 'Skip to the content')
    await press('Enter', 'Tab')
    await page.keyboard.type('ada@shop.example')
    await press('Tab')
    await page.keyboard.type('wrong')
    await press('Enter')
    await page.getByRole('alert').waitFor()
    await page.locator('[name=password]:focus').waitFor()
    await page.keyboard.type('right')
    await Promise.all([page.waitForURL(/next=/), press('Enter')])
    await page.context().close()
  })

  test('all of it works without scripts', async () => {
    const page = await open('/dashboard/keys', 'admin', { javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await page.getByRole('table', { name: 'Things, the newest first' }).waitFor()
    assert.equal(await page.getByRole('columnheader').count(), 2)
    await page.goto(`${url}/dashboard/keys`)
    await page.getByLabel('Name').fill('taken')
    await page.getByRole('button', { name: 'Create the key' }).click()
    await page.getByText('There is a key of that name.').waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'taken')
    await page.getByRole('button', { name: 'Revoke all' }).click()
    await page.getByText('All keys are revoked.').waitFor()
    await page.context().close()
  })

  test('a foreign page’s form is refused, and pages are shown in no frame', async () => {
    const page = await open('/dashboard', 'admin')
    await page.goto(evil)
    const [answer] = await Promise.all([page.waitForResponse(response => response.url().startsWith(url)), page.click('button')])
    assert.equal(answer.status(), 403)
    await page.getByText('This form cannot be taken').waitFor()
    await page.context().close()
  })

  test('has nothing to complain of in the console', () => assert.deepEqual(complaints, []))
})
