// A person who is asked by a client: in a real browser, by the pages of the service, and sent back to where the client listens.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { openBrowser } from '../support/browser.ts'
import { PASSWORD } from '../support/password.ts'
import { EMAIL } from './shop.ts'

export interface Person {
  /** Signs in where they are asked to, allows all of it, and waits until the client is told. */
  allows(asked: URL | string): Promise<void>
}

/** With a browser of their own, which closes with the file's tests. */
export async function aPersonAtABrowser(): Promise<Person> {
  const browser = await openBrowser()
  after(() => browser.close())
  const context = await browser.newContext({ ignoreHTTPSErrors: true })
  return {
    async allows(asked) {
      const page = await context.newPage()
      await page.goto(String(asked))
      const allow = page.getByRole('button', { name: 'Allow' })
      const email = page.getByLabel('E-mail')
      await allow.or(email).waitFor()
      if (await email.isVisible()) {
        await email.fill(EMAIL)
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign in' }).click()
      }
      const back = new URL(String(asked)).searchParams.get('redirect_uri') ?? ''
      await allow.click()
      await page.waitForURL(url => url.href.startsWith(back))
      await page.close()
    },
  }
}

export interface Callback {
  /** For a client to register. */
  address: string
  /** What the last person who was sent here brought. */
  brought(): URLSearchParams
}

/** Where a client listens for the person's answer: on another site than the service's. */
export async function aCallback(): Promise<Callback> {
  let brought = new URLSearchParams()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/callback') brought = searchParams
    response.setHeader('content-type', 'text/html').end('<title>Back</title>')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  return { address: `http://localhost:${(server.address() as AddressInfo).port}/callback`, brought: () => brought }
}
