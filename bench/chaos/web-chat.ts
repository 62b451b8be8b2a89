// Web chat in Chromium through a network that is cut for a real minute and a web process that is killed. The staff answers by another web process.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { add, newSecret } from '../../src/channels/accounts/accounts.ts'
import { freePort } from '../../src/loopback.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { keptOut, talkThroughTroubles } from '../../test/chat/troubles.ts'
import { browse, servePages } from '../../test/chat/visiting.ts'
import { openFlakyProxy } from '../../test/support/flaky-proxy.ts'
import { openEnvironment } from './environment.ts'
import { none, type Outcome } from './verdict.ts'

export interface WebChatPlan {
  visitors: number
  /** Messages of each, and answers. */
  each: number
}

/** A key may write 120 times a minute. */
const KEYS = 4

export async function runWebChat({ visitors, each }: WebChatPlan): Promise<Outcome> {
  const environment = await openEnvironment()
  const { sql } = environment
  const closers: (() => unknown)[] = []
  try {
    const SECRET_KEY = randomBytes(32).toString('hex')
    const port = await freePort()
    const proxy = await openFlakyProxy(`http://127.0.0.1:${port}`)
    const url = new URL(proxy.url).origin
    const settings = { SECRET_KEY, INBOUND_CHANNEL_LIMIT: '1000000' }
    const start = () => environment.start('web', { ...settings, PORT: String(port), BASE_URL: url })
    let [web, staff] = await Promise.all([start(), environment.start('web', settings), environment.start('worker', settings)])
    const shop = await environment.shop(KEYS)
    const pages = await servePages(url)
    const channel = await begin(sql, tx =>
      add(
        tx,
        { tenant: shop.tenant, actor: { type: 'system' } },
        { platform: 'web', name: 'Web chat', settings: { origins: [pages.origin] }, credentials: { secret: newSecret() } },
        parseKeyring(SECRET_KEY) as Keyring,
      ),
    )
    const browsing = await browse()
    closers.push(() => browsing.browser.close(), pages.close, proxy.close)
    let answers = 0
    const { facts, findings } = await talkThroughTroubles({
      sql,
      shop: shop.tenant,
      each,
      visitors: await Promise.all(Array.from({ length: visitors }, async () => (await browsing.context()).newPage())),
      address: pages.add({ channel }),
      async answer(conversation, text) {
        const response = await fetch(`${staff.ready}/api/v1/conversations/${conversation}/messages`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${shop.keys[answers++ % KEYS]}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ text }),
        })
        if (response.status !== 201) throw new Error(await response.text())
      },
      proxy,
      async killWeb() {
        await web.stop('SIGKILL')
        web = await start()
      },
      pass: ms => delay(ms),
    })
    return { facts, findings: [...findings, none('nothing is kept out by the policy that the guide prints', keptOut(browsing.complaints))] }
  } finally {
    for (const close of closers) await close()
    await environment.close()
  }
}
