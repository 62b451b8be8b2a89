// A service and a browser for a file of tests of web chat.
import { after } from 'node:test'
import { freePort } from '../../src/loopback.ts'
import { type TestApp, type TestTenant, testApp } from '../support/app.ts'
import { type FlakyProxy, flakyProxy } from '../support/flaky-proxy.ts'
import { startShopdesk } from '../support/processes.ts'
import { settingsOf } from '../support/shopdesk.ts'
import { type Browsing, browse, type ShopPages, servePages } from './visiting.ts'

/** Everything comes from one address here. */
const MANY_VISITORS = { INBOUND_CHANNEL_LIMIT: '100000' }

/** The service where browsers find it, with a worker. */
export async function browsedApp(): Promise<TestApp> {
  const port = await freePort()
  const app = await testApp({ PORT: `${port}`, BASE_URL: `http://127.0.0.1:${port}`, ...MANY_VISITORS })
  await app.startWorker()
  return app
}

/** The service in a process of its own behind a proxy, both of which can be cut or killed; REST goes to the one of `app`, which stays. */
export interface Fragile {
  app: TestApp
  url: string
  proxy: FlakyProxy
  /** kill -9, and started again. */
  killWeb(): Promise<void>
}

export async function fragileApp(): Promise<Fragile> {
  const app = await testApp(MANY_VISITORS)
  await app.startWorker()
  const port = await freePort()
  const proxy = await flakyProxy(`http://127.0.0.1:${port}`)
  const url = new URL(proxy.url).origin
  const start = () =>
    startShopdesk('web', { ...settingsOf(app), ...MANY_VISITORS, HOST: '127.0.0.1', PORT: `${port}`, BASE_URL: url }, 'kept')
  let web = await start()
  return {
    app,
    url,
    proxy,
    async killWeb() {
      await web.stop('SIGKILL')
      web = await start()
    },
  }
}

/** For a file of tests, after which they are closed. @param service where the chat's script is */
export async function shopPages(service: string): Promise<ShopPages> {
  const pages = await servePages(service)
  after(pages.close)
  return pages
}

/** One Chromium for a file of tests, after which it is closed. */
export async function browsing(): Promise<Browsing> {
  const open = await browse()
  after(() => open.browser.close())
  return open
}

export const answer = async (shop: TestTenant, conversation: string, message: object): Promise<{ id: string }> => {
  const { status, body, text } = await shop.post(`/api/v1/conversations/${conversation}/messages`, message)
  if (status !== 201) throw new Error(text)
  return body
}
