// The pages of people in a real browser: each one's main job, by the mouse, by keyboard alone and without scripts, and on a phone.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { createKey } from '../../src/access/keys.ts'
import { makeReset } from '../../src/access/reset.ts'
import { approve } from '../../src/oauth/grants.ts'
import { begin } from '../../src/postgres/sql.ts'
import { invite } from '../../src/tenants/invitations.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { testApp } from '../support/app.ts'
import { openBrowser } from '../support/browser.ts'
import { byKeyboard, type Hands, withTheMouse } from '../support/keyboard.ts'
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
/** That client, connected by a person. */
async function aGrant(tenant: string, id: string): Promise<string> {
  const approval = {
    client: 'cli_hostile',
    redirectUri: 'https://client.example/back',
    challenge: 'x'.repeat(43),
    scopes: ['read' as const],
  }
  return (await begin(sql, tx => approve(tx, { tenant, actor: { type: 'user', id } }, approval))).id
}
const hostileGrant = await aGrant(tenant, admin)

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

  const ways: [string, Hands, BrowserContextOptions][] = [
    ['with the mouse', withTheMouse, {}],
    ['by keyboard alone', byKeyboard, {}],
    ['without scripts, on a phone', withTheMouse, { javaScriptEnabled: false, viewport: { width: 390, height: 800 } }],
  ]
  for (const [index, [way, hands, options]] of ways.entries())
    test(`every page does what it is for ${way}`, async () => {
      const { press, tick, type, choose } = hands
      const [email, guestEmail] = [`ada${index}@shop.example`, `new${index}@shop.example`]
      const shop = (await createTenant(sql, { name: 'Mugs', plan: 'free', currency: 'EUR' })).id
      const ada = await aPersonWithPassword(sql, shop, email)
      await aGrant(shop, ada)
      const [mine, theirs] = [await aContext(options), await aContext(options)]
      const page = await mine.newPage()
      const on = {
        button: (name: string, at = page) => at.getByRole('button', { name, exact: true }),
        link: (name: string | RegExp) => page.getByRole('link', { name }),
        field: (name: string, at = page) => at.getByRole('textbox', { name, exact: true }),
        password: (label: string, at = page) => at.getByLabel(label, { exact: true }),
      }
      const isThere = (text: string | RegExp, at = page) => at.getByText(text).first().waitFor()

      await page.goto(`${url}/sign-in`)
      await type(on.field('E-mail'), email)
      await type(on.password('Password'), PASSWORD)
      await press(on.button('Sign in'))
      await page.getByRole('heading', { name: 'Mugs' }).waitFor()
      await press(on.link('Make a REST key'))
      await page.getByRole('heading', { name: 'Developer' }).waitFor()

      for (const [path, name] of [
        [DEVELOPER, 'Night report'],
        [INTEGRATIONS, 'Editor'],
      ] as const) {
        await page.goto(url + path)
        if (path === INTEGRATIONS) {
          await press(page.locator('summary', { hasText: 'Cursor' }))
          await on.link('Add to Cursor').waitFor()
        }
        await type(on.field('Name'), name)
        await tick(page.getByRole('checkbox', { name: 'Write' }))
        await press(on.button('Make the key'))
        await page.getByRole('heading', { name: `The key “${name}” is made` }).waitFor()
        assert.match((await page.getByLabel('The key', { exact: true }).locator('pre').textContent()) ?? '', /^(sk|mcp)_\w{40}$/)
        await press(on.link(/^Back to the/))
        const row = page.getByRole('row', { name: new RegExp(name) })
        await row.getByText('read, write').waitFor()
        await press(on.link(new RegExp(`^Revoke ${name}`)))
        await press(on.button(`Revoke “${name}”`))
        await isThere(`The key “${name}” is revoked.`)
        assert.equal(await row.count(), 0)
      }
      await press(on.link(/^Disconnect /))
      await press(page.getByRole('button', { name: /^Disconnect / }))
      await isThere(/is disconnected\./)

      await page.goto(`${url}/dashboard/account`)
      await type(on.field('Name'), 'Ada Lovelace')
      await press(on.button('Save'))
      await isThere('Your name and e-mail are saved.')
      await page.reload()
      await type(on.password('Current password'), PASSWORD)
      await type(on.password('New password'), 'another horse, and a cart')
      await press(on.button('Change the password'))
      await isThere('Your password is changed.')

      await page.goto(url + TEAM)
      await type(on.field('E-mail'), guestEmail)
      await choose(page.getByLabel('Role'), 'Operator')
      await press(on.button('Invite'))
      const link = /\/invite\/inv_\w{40}/.exec((await page.getByLabel('The link', { exact: true }).textContent()) ?? '')?.[0] as string
      const guest = await theirs.newPage()
      await guest.goto(url + link)
      await type(on.field('Your name', guest), 'New Person')
      await type(on.password('Password', guest), 'too short')
      await press(on.button('Make the account and join', guest))
      await isThere(/at least 15 characters/, guest)
      assert.equal(await on.field('Your name', guest).inputValue(), 'New Person')
      await type(on.password('Password', guest), PASSWORD)
      await press(on.button('Make the account and join', guest))
      await isThere('Signed in as New Person, an operator', guest)
      await press(on.link('Back to the team'))
      await press(on.link(`Change ${guestEmail}`))
      await page.getByRole('heading', { name: 'New Person' }).waitFor()
      await choose(page.getByLabel('Role'), 'Admin')
      await press(on.button('Save the role'))
      await isThere(`${guestEmail} is an admin now.`)
      await guest.reload()
      await isThere('New Person, an admin', guest)
      await press(on.link(`Change ${guestEmail}`))
      await press(on.button(`Remove ${guestEmail}`))
      await isThere(`${guestEmail} is no longer in this workspace.`)
      await guest.reload()
      await guest.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.goto(`${url}/dashboard/settings/audit`)
      await page.getByRole('row', { name: new RegExp(`user\\.remove.*${guestEmail}`) }).waitFor()

      await press(on.button('Sign out'))
      await press(on.link('Forgot your password?'))
      await type(on.field('E-mail'), email)
      await press(on.button('Send the link'))
      await page.getByRole('heading', { name: 'Ask for your link' }).waitFor()
      const reset = (await begin(sql, tx => makeReset(tx, email, url))) as { url: string }
      await page.goto(reset.url)
      await type(on.password('New password'), PASSWORD)
      await press(on.button('Set the password'))
      await isThere('Your new password is set. Sign in with it.')
      await Promise.all([mine.close(), theirs.close()])
    })

  test('a key that was made is copied by a button', async () => {
    const context = await aContext()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const page = await signIn(context)
    await page.goto(url + DEVELOPER)
    await page.getByRole('textbox', { name: 'Name' }).fill('Night report')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const key = page.getByLabel('The key')
    await key.getByRole('button', { name: 'Copy' }).click()
    await key.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), await key.locator('pre').textContent())
    await context.close()
  })

  test('an agent key is made without scripts, after a mistake, and hostile names are text', async () => {
    const context = await aContext({ javaScriptEnabled: false, viewport: { width: 390, height: 800 } })
    const page = await signIn(context)
    await page.goto(url + INTEGRATIONS)
    await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE)
    await page.getByRole('checkbox', { name: 'Read' }).uncheck()
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByText('Scopes must be read, write or both.').first().waitFor()
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
      // In the second colour scheme only colours can be wrong that were right in the first.
      const rules = colorScheme === 'dark' ? "{ runOnly: ['color-contrast'] }" : ''
      const page = await signIn(context)
      const settings = [TEAM, `${TEAM}/${admin}`, DEVELOPER, `${DEVELOPER}/keys/${hostileKey}`, INTEGRATIONS, '/dashboard/settings/audit']
      for (const path of ['/dashboard', '/dashboard/account', ...settings, `${INTEGRATIONS}/clients/${hostileGrant}`]) await lookAt(path)
      const make = async (answer: string) => {
        await page.getByRole('button', { name: 'Make the key' }).click()
        await page.getByText(answer).first().waitFor()
      }
      await page.goto(url + DEVELOPER)
      await page.getByRole('textbox', { name: 'Name' }).fill('Night report')
      await page.getByRole('checkbox', { name: 'Read' }).uncheck()
      await make('Scopes must be read, write or both.')
      await look('a mistake')
      await page.getByRole('checkbox', { name: 'Read' }).check()
      await make('is made')
      await look('a key')
      await sql`update sessions set password_at = now() - interval '61 minutes' where user_id = ${admin}`
      await page.goto(url + DEVELOPER)
      await page.getByRole('textbox', { name: 'Name' }).fill('Night report')
      await make('Your password, once more')
      await look('the password again')
      await context.clearCookies()
      const links = await begin(sql, async tx => [
        await invite(tx, { tenant, actor: { type: 'user', id: admin } }, { email: 'guest@shop.example', role: 'operator' }, ''),
        await makeReset(tx, 'ada@shop.example', ''),
      ])
      const paths = ['/sign-in', '/forgot', '/reset/none', '/invite/none', ...links.map(link => link?.url ?? ''), '/docs/agent/connecting']
      for (const path of paths) await lookAt(path)
      await context.close()

      async function lookAt(path: string): Promise<void> {
        await page.goto(url + path)
        await look(path.replace(/_[a-z0-9]{26,40}/i, ''))
      }

      async function look(name: string): Promise<void> {
        await takePicture(page, `${name}-${width}-${colorScheme}`)
        // What is closed is looked at too, and titles hold names, which may be of one long word.
        await page.evaluate('for (const each of document.querySelectorAll("details")) each.removeAttribute("name"), each.open = true')
        await page.evaluate('document.querySelector("h1").append("W".repeat(100))')
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name)
        const session = await context.newCDPSession(page)
        // By the debugger, which the page's policy does not hold.
        const { result } = await session.send('Runtime.evaluate', {
          expression: `${AXE}; axe.run(${rules}).then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(node => node.html).join()))`,
          awaitPromise: true,
          returnByValue: true,
        })
        assert.deepEqual(result.value, [], name)
        await session.detach()
      }
    })

  test('has nothing to complain of in the console', () => assert.deepEqual(complaints, []))
})
