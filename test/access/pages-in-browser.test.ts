// The pages of people in a real browser: each one's main job, by the mouse, by keyboard alone and without scripts, and on a phone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { createKey } from '../../src/access/keys.ts'
import { approve } from '../../src/oauth/grants.ts'
import { begin } from '../../src/postgres/sql.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { testApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { pressOn, tabTo } from '../support/keyboard.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { aPerson } from '../support/people.ts'
import { sizesOr, takePicture } from '../support/screenshots.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const app = await testApp({ BASE_URL: 'http://127.0.0.1' })
const { sql, url } = app
const { id: tenant } = await createTenant(sql, { name: 'Linen & More', plan: 'free', currency: 'EUR' })
const admin = await aPersonWithPassword(sql, tenant, 'ada@shop.example')
const olga = await aPersonWithPassword(sql, tenant, 'olga@shop.example', 'operator')
await aPerson(sql, (await createTenant(sql, { name: 'Second shop', plan: 'free', currency: 'EUR' })).id, 'ada@shop.example')

const TEAM = '/dashboard/settings/team'
const DEVELOPER = '/dashboard/settings/developer'
const INTEGRATIONS = '/dashboard/settings/integrations'
const HOSTILE = '<img src=x onerror=alert(1)>'

const { id: hostileKey } = await createKey(sql, { tenant, kind: 'rest', scopes: ['read'], name: HOSTILE }, { type: 'user', id: admin })
const metadata = { client_name: HOSTILE, redirect_uris: ['https://client.example/back'] }
await sql`insert into oauth_clients (id, metadata) values ('cli_hostile', ${JSON.stringify(metadata)}::text::jsonb)`
const { id: hostileGrant } = await begin(sql, tx =>
  approve(
    tx,
    { tenant, actor: { type: 'user', id: admin } },
    { client: 'cli_hostile', redirectUri: 'https://client.example/back', challenge: 'x'.repeat(43), scopes: ['read'] },
  ),
)

suite('pages of people in a browser', () => {
  let browser: Browser
  const complaints: string[] = []

  before(async () => {
    browser = await openBrowser()
  })
  after(() => browser.close())

  async function aContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
    context.on('console', message => {
      if (/error|warning/.test(message.type()) && !/status of 4\d\d/.test(message.text())) complaints.push(message.text())
    })
    context.on('weberror', error => complaints.push(error.error().message))
    return context
  }

  async function signIn(context: BrowserContext, email = 'ada@shop.example'): Promise<Page> {
    const page = await context.newPage()
    await page.goto(`${url}/sign-in`)
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Linen & More' }).waitFor()
    return page
  }

  test('a person is invited, makes an account without scripts, gets another role and is removed', async () => {
    const [mine, theirs] = [await aContext(), await aContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })]
    const page = await signIn(mine)
    await page.goto(url + TEAM)
    await page.getByLabel('E-mail').fill('new@shop.example')
    await page.getByLabel('Role').selectOption('operator')
    await page.getByRole('button', { name: 'Invite' }).click()
    const link = /\/invite\/inv_\w{40}/.exec((await page.getByLabel('The link').textContent()) ?? '')?.[0] as string
    const guest = await theirs.newPage()
    await guest.goto(url + link)
    await guest.getByLabel('Your name').fill('New Person')
    await guest.getByLabel('Password').fill('too short')
    await guest.getByRole('button', { name: 'Make the account and join' }).click()
    assert.equal(await guest.getByLabel('Your name').inputValue(), 'New Person')
    await guest.getByLabel('Password').fill(PASSWORD)
    await guest.getByRole('button', { name: 'Make the account and join' }).click()
    await guest.getByText('Signed in as New Person, an operator').waitFor()
    await page.goto(url + TEAM)
    await page.getByRole('link', { name: 'Change new@shop.example' }).click()
    await page.getByLabel('Role').selectOption('admin')
    await page.getByRole('button', { name: 'Save the role' }).click()
    await page.getByText('new@shop.example is an admin now.').waitFor()
    await guest.reload()
    await guest.getByText('New Person, an admin').waitFor()
    await page.getByRole('link', { name: 'Change new@shop.example' }).click()
    await page.getByRole('button', { name: 'Remove new@shop.example' }).click()
    await page.getByText('new@shop.example is no longer in this workspace.').waitFor()
    await guest.reload()
    await guest.getByRole('heading', { name: 'Sign in' }).waitFor()
    await Promise.all([mine.close(), theirs.close()])
  })

  test('a person signs in, and out, by keyboard alone', async () => {
    const context = await aContext()
    const page = await context.newPage()
    await page.goto(`${url}/sign-in`)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('Tab', 'Enter', 'Tab')
    await page.keyboard.type('olga@shop.example')
    await press('Tab')
    await page.keyboard.type(PASSWORD)
    await press('Enter')
    await page.getByText('an operator of this workspace').waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Sign out' }))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await context.close()
  })

  test('a key is made with the mouse, copied, and revoked on a page that names it', async () => {
    const context = await aContext()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await signIn(context)
    await page
      .getByRole('link', { name: 'Make a REST key' })
      .or(page.getByRole('link', { name: 'Developer' }))
      .first()
      .click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Night report')
    await page.getByRole('checkbox', { name: 'Write' }).check()
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('heading', { name: 'The key “Night report” is made' }).waitFor()
    const key = page.getByLabel('The key')
    const text = (await key.locator('pre').textContent()) as string
    assert.match(text, /^sk_\w{40}$/)
    await key.getByRole('button', { name: 'Copy' }).click()
    await key.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), text)
    await page.getByRole('link', { name: 'Back to the keys' }).click()
    const row = page.getByRole('row', { name: /Night report/ })
    await row.getByText('read, write').waitFor()
    await row.getByRole('link', { name: 'Revoke' }).click()
    await page.getByRole('button', { name: 'Revoke “Night report”' }).click()
    await page.getByText('The key “Night report” is revoked.').waitFor()
    assert.equal(await row.count(), 0)
    await context.close()
  })

  test('a client is looked up, and an agent key made and revoked, by keyboard alone', async () => {
    const context = await aContext()
    const page = await signIn(context)
    await page.goto(url + INTEGRATIONS)
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await pressOn(page, page.locator('summary', { hasText: 'Cursor' }))
    await page.getByRole('link', { name: 'Add to Cursor' }).waitFor()
    await tabTo(page, page.getByRole('textbox', { name: 'Name' }))
    await page.keyboard.type('Editor')
    await press('Tab', 'Tab', 'Space', 'Enter')
    await page.getByRole('heading', { name: 'The key “Editor” is made' }).waitFor()
    await page.goto(url + INTEGRATIONS)
    await pressOn(page, page.getByRole('link', { name: /^Revoke Editor/ }))
    await page.getByRole('heading', { name: /Revoke/ }).waitFor()
    await pressOn(page, page.getByRole('button', { name: 'Revoke “Editor”' }))
    await page.getByText('The key “Editor” is revoked.').waitFor()
    await context.close()
  })

  test('an agent key is made without scripts, after a mistake, and hostile names are text', async () => {
    const context = await aContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    const page = await signIn(context)
    await page.goto(url + INTEGRATIONS)
    await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE)
    await page.getByRole('checkbox', { name: 'Read' }).uncheck()
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText('Scopes must be read, write or both.').waitFor()
    assert.equal(await page.getByRole('textbox', { name: 'Name' }).inputValue(), HOSTILE)
    await page.getByRole('checkbox', { name: 'Read' }).check()
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText(HOSTILE).first().waitFor()
    await page.locator('summary', { hasText: 'Claude Code' }).click()
    await page.getByText('claude mcp add --transport http shopdesk http://127.0.0.1/api/mcp').waitFor()
    for (const path of [INTEGRATIONS, `${INTEGRATIONS}/clients/${hostileGrant}`, DEVELOPER, `${DEVELOPER}/keys/${hostileKey}`]) {
      await page.goto(url + path)
      await page.getByText(HOSTILE).first().waitFor()
      assert.equal(await page.locator('main img').count(), 0, path)
    }
    await context.close()
  })

  test('two browsers are two sessions: one ends the other, and a stale one asks for the password once more', async () => {
    const [first, second] = [await aContext(), await aContext()]
    const [mine, other] = [await signIn(first, 'olga@shop.example'), await signIn(second, 'olga@shop.example')]
    await mine.goto(`${url}/dashboard/account`)
    await mine.getByRole('button', { name: 'End all others' }).click()
    await mine.getByText('Ended: 1 other session.').waitFor()
    await other.reload()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await sql`update sessions set password_at = now() - interval '61 minutes' where user_id = ${olga}`
    await mine.getByLabel('E-mail').fill('olga2@shop.example')
    await mine.getByRole('button', { name: 'Save' }).click()
    await mine.getByLabel('Password').fill(PASSWORD)
    await mine.getByRole('button', { name: 'Go on' }).click()
    await mine.getByText('Your name and e-mail are saved.').waitFor()
    assert.equal(await mine.getByLabel('E-mail').inputValue(), 'olga2@shop.example')
    await Promise.all([first.close(), second.close()])
  })

  for (const { width, colorScheme } of sizesOr([
    { width: 360, colorScheme: 'dark' },
    { width: 1280, colorScheme: 'light' },
  ]))
    test(`axe finds nothing wrong at ${width} pixels in ${colorScheme}, and nothing has to be scrolled sideways`, async () => {
      const context = await aContext({ colorScheme, viewport: { width, height: 800 } })
      const page = await signIn(context)
      const settings = [TEAM, `${TEAM}/${admin}`, DEVELOPER, `${DEVELOPER}/keys/${hostileKey}`, INTEGRATIONS, '/dashboard/settings/audit']
      for (const path of ['/dashboard', '/dashboard/account', ...settings, `${INTEGRATIONS}/clients/${hostileGrant}`])
        await look(page, path)
      await context.clearCookies()
      for (const path of ['/sign-in', '/forgot', '/reset/none', '/invite/none']) await look(page, path)
      await context.close()

      async function look(at: Page, path: string): Promise<void> {
        await at.goto(url + path)
        await takePicture(at, `${path.replace(/_[a-z0-9]{26}/, '')}-${width}-${colorScheme}`)
        // What is closed is looked at too.
        await at.evaluate('for (const each of document.querySelectorAll("details")) each.removeAttribute("name"), each.open = true')
        assert.equal(await at.evaluate('document.documentElement.scrollWidth'), width, path)
        const session = await context.newCDPSession(at)
        // By the debugger, which the page's policy does not hold.
        const { result } = await session.send('Runtime.evaluate', {
          expression: `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(node => node.html).join()))`,
          awaitPromise: true,
          returnByValue: true,
        })
        assert.deepEqual(result.value, [], path)
        await session.detach()
      }
    })

  test('has nothing to complain of in the console', () => assert.deepEqual(complaints, []))
})
