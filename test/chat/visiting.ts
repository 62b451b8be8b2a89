// What visitors of a shop see and do in a real browser: the shop's pages on an origin of their own, under the policy that the guide prints.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { policyFor } from '../../src/chat/try-page.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { openBrowser } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'

export interface ShopPage {
  channel: string
  lang?: string
  dir?: 'rtl'
  /** More attributes of the script's tag, escaped. */
  attributes?: string
  /** The page's own style sheet. */
  css?: string
  body?: string
}

export interface ShopPages {
  origin: string
  /** @returns the address of a page */
  add(page: ShopPage): string
}

/** @param service where the chat's script is */
export async function servePages(service: string): Promise<ShopPages & { close(): void }> {
  const pages: ShopPage[] = []
  const server = createServer((request, response) => {
    const [, kind, index] = /^\/(page|style)\/(\d+)/.exec(request.url ?? '') ?? []
    const page = pages[Number(index)]
    if (!page) return response.writeHead(404).end()
    if (kind === 'style') return response.writeHead(200, { 'Content-Type': 'text/css' }).end(page.css)
    response
      .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policyFor(service) })
      .end(document(service, page, Number(index)))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { origin, add: page => `${origin}/page/${pages.push(page) - 1}`, close: () => void server.close() }
}

const document = (service: string, { channel, lang = 'en', dir, attributes = '', css, body = '' }: ShopPage, index: number): string =>
  `<!doctype html>
<html lang="${lang}"${dir ? ` dir="${dir}"` : ''}>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>A shop</title>
${css === undefined ? '' : `<link rel="stylesheet" href="/style/${index}">`}
<main><h1>A shop</h1>${body}</main>
<script src="${service}/chat.js" data-channel="${channel}" ${attributes} async></script>
`

export interface Browsing {
  browser: Browser
  /** What the pages have complained of: errors of scripts, and whatever the policy has kept out. */
  complaints: string[]
  context(options?: BrowserContextOptions): Promise<BrowserContext>
  /** Closes all pages, and forgets their complaints. */
  leave(): Promise<void>
  /** A page of a visitor of its own, unless a context is given. */
  visit(url: string, by?: BrowserContextOptions | BrowserContext): Promise<Page>
}

export async function browse(): Promise<Browsing> {
  const browser = await openBrowser()
  const complaints: string[] = []
  const context = async (options: BrowserContextOptions = {}) => {
    const made = await browser.newContext({ viewport: { width: 1000, height: 800 }, ...options })
    made.on('weberror', error => complaints.push(error.error().message))
    made.on('console', message => message.type() === 'error' && complaints.push(message.text()))
    return made
  }
  return {
    browser,
    complaints,
    context,
    async leave() {
      await Promise.all(browser.contexts().map(each => each.close()))
      complaints.length = 0
    },
    async visit(url, by = {}) {
      const page = await ('newPage' in by ? by : await context(by)).newPage()
      await page.goto(url)
      await launcher(page).waitFor()
      return page
    },
  }
}

export const launcher = (page: Page): Locator => page.locator('.launcher')
export const field = (page: Page): Locator => page.locator('.composer textarea')
/** What is said, in order, without names and times. */
export const said = (page: Page): Promise<string[]> => page.locator('.entry:not(:first-child) .bubble').allInnerTexts()

export async function open(page: Page): Promise<void> {
  await launcher(page).click()
  await field(page).waitFor()
}

export async function write(page: Page, text: string): Promise<void> {
  await field(page).fill(text)
  await field(page).press('Enter')
}

/** The conversation in which something was said. Asked of the database: many ask at once, and often. */
export const conversationWith = ({ sql }: { sql: Sql }, { id }: { id: string }, text: string, withinMs?: number): Promise<string> =>
  eventually(async () => {
    const [found] = await sql`select conversation_id from messages where tenant_id = ${id} and doc::json ->> 'text' = ${text}`
    return found?.['conversation_id']
  }, withinMs)
