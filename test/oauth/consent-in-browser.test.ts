// Consent in a real browser: from the client's address through sign-in to the client again, which lies on another site.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { freePort } from '../../src/loopback.ts'
import { openBrowser } from '../support/browser.ts'
import { pressOn } from '../support/keyboard.ts'
import { aPersonWithPassword, PASSWORD } from '../support/password.ts'
import { sizesOr, takePicture } from '../support/screenshots.ts'
import { oauthApp } from './granted.ts'

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')
const port = await freePort()
const base = `http://127.0.0.1:${port}`
const { app, tenant, client, token } = await oauthApp({ PORT: `${port}`, BASE_URL: base })

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
const theirs = createServer((request, response) => {
  if (request.url?.startsWith('/document'))
    return response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ client_id: CLIENT, client_name: 'Editor', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }))
  const target = new URL(request.url ?? '', base).searchParams.get('target') ?? ''
  const shown = escaped(target)
  response.setHeader('content-type', 'text/html')
  if (request.url?.startsWith('/frame')) return response.end(`<iframe src="${shown}"></iframe>`)
  if (request.url?.startsWith('/form'))
    return response.end(
      `<form method="post" action="${shown}"><input name="email" value="eve@consent.example"><input name="password" value="${PASSWORD}">
       <input name="decision" value="allow"><input name="scope" value="write"><button>Win a prize</button></form>`,
    )
  return response.end(`<title>Back</title><p>Seen ${request.url?.length}</p>`)
})
theirs.listen(0, '127.0.0.1')
await once(theirs, 'listening')
after(() => theirs.close().closeAllConnections())
/** Another site than the service's, and one that a person would not take for it. */
const REDIRECT = `http://localhost:${(theirs.address() as AddressInfo).port}/callback`
/** A client that describes itself. */
const CLIENT = REDIRECT.replace('callback', 'document')
// Of the verifier that RFC 7636 has as its example.
const CHALLENGE = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }

suite('consent in a browser', () => {
  let browser: Browser
  const complaints: string[] = []
  const email = 'ada@consent.example'
  before(async () => {
    browser = await openBrowser()
    await aPersonWithPassword(app.sql, tenant, email)
  })
  after(() => browser.close())

  async function signIn(page: Page): Promise<void> {
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  async function asked(options: BrowserContextOptions = {}): Promise<{ page: Page; id: string; address: string }> {
    const made = await client('none', { client_name: '<img src=x onerror=alert(1)> Editor', redirect_uris: [REDIRECT] })
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })).newPage()
    page.on('console', message => /error|warning/.test(message.type()) && complaints.push(message.text()))
    page.on('pageerror', error => complaints.push(error.message))
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: made.client_id,
      redirect_uri: REDIRECT,
      state: 's',
      ...CHALLENGE,
    })
    const address = `${base}/oauth/authorize?${query}`
    await page.goto(address)
    await signIn(page)
    await page.getByRole('heading', { name: 'Allow access to your shop?' }).waitFor()
    return { page, id: made.client_id, address }
  }

  for (const javaScriptEnabled of [true, false])
    test(`leads back to the client with a code ${javaScriptEnabled ? '' : 'without scripts '}that is worth tokens`, async () => {
      const { page, id } = await asked({ javaScriptEnabled })
      await page.getByRole('checkbox').uncheck()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${REDIRECT}**`)
      const answer = new URL(page.url()).searchParams
      assert.deepEqual([answer.get('state'), answer.get('iss')], ['s', base])
      const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
      const fields = {
        grant_type: 'authorization_code',
        client_id: id,
        code: answer.get('code') ?? '',
        redirect_uri: REDIRECT,
        code_verifier,
      }
      assert.equal((await token(fields)).body.scope, 'read')
      await page.context().close()
    })

  test('leads from signing in to a client whose request is refused once its document is read', async () => {
    const page = await (await browser.newContext()).newPage()
    page.on('console', message => /error|warning/.test(message.type()) && complaints.push(message.text()))
    const query = { response_type: 'code', client_id: CLIENT, redirect_uri: REDIRECT, scope: 'nothing', state: 's', ...CHALLENGE }
    await page.goto(`${base}/oauth/authorize?${new URLSearchParams(query)}`)
    await signIn(page)
    await page.waitForURL(`${REDIRECT}**`)
    assert.equal(new URL(page.url()).searchParams.get('error'), 'invalid_scope')
    await page.context().close()
  })

  test('is denied by keyboard alone, from the loaded page on', async () => {
    const { page } = await asked()
    await pressOn(page, page.getByRole('button', { name: 'Deny' }))
    await page.waitForURL(`${REDIRECT}**`)
    assert.equal(new URL(page.url()).searchParams.get('error'), 'access_denied')
    await page.context().close()
  })

  test('a foreign page can neither frame it nor the sign-in, nor send either form for the person', async () => {
    const { page, address } = await asked()
    const site = new URL(REDIRECT).origin
    const grants = async () => (await app.sql`select count(*)::int as n from oauth_grants`)[0]?.['n']
    const before = await grants()
    await aPersonWithPassword(app.sql, tenant, 'eve@consent.example')
    // Its own context, for a refused frame is a complaint of the console, and rightly.
    const foreign = await page.context().newPage()
    const framed = async (target: string): Promise<string> => {
      await foreign.goto(`${site}/frame?target=${encodeURIComponent(target)}`, { waitUntil: 'load' })
      return (await foreign.frames()[1]?.locator('body').textContent()) ?? ''
    }
    assert.match(await framed(REDIRECT), /Seen/, 'a page that allows it is framed')
    for (const target of [address, `${base}/sign-in`, `${base}/dashboard`])
      assert.doesNotMatch(await framed(target), /Allow|Sign in|Shopdesk/, target)
    for (const target of [address, `${base}/sign-in`]) {
      await foreign.goto(`${site}/form?target=${encodeURIComponent(target)}`)
      const [answer] = await Promise.all([
        foreign.waitForResponse(each => each.url().startsWith(base)),
        foreign.getByRole('button').click(),
      ])
      assert.equal(answer.status(), 403, target)
      await foreign.getByText('This form cannot be taken').waitFor()
    }
    assert.equal(await grants(), before)
    await foreign.goto(`${base}/dashboard/account`)
    assert.equal(await foreign.getByLabel('E-mail').inputValue(), email, 'still signed in as who they were')
    await page.context().close()
  })

  for (const { colorScheme, width } of sizesOr([
    { colorScheme: 'light', width: 360 },
    { colorScheme: 'dark', width: 360 },
  ]))
    test(`axe finds nothing wrong at ${width} pixels in ${colorScheme}, and the client's name is text`, async () => {
      const { page } = await asked({ colorScheme, viewport: { width, height: 800 } })
      await takePicture(page, `consent-${width}-${colorScheme}`)
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width)
      assert.equal(await page.locator('main img').count(), 0)
      const session = await page.context().newCDPSession(page)
      const expression = `${AXE}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(node => node.html).join()))`
      const { result } = await session.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      assert.deepEqual(result.value, [])
      await page.context().close()
    })

  test('has nothing to complain of in the console', () =>
    assert.deepEqual(
      complaints.filter(each => !/favicon/.test(each)),
      [],
    ))
})
