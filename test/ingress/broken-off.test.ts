// Whose connection broke? A client that leaves in the middle of its body is no outage; the database's silence is one, and the log says so.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { anOrder } from '../support/given.ts'
import { rawClient } from '../support/raw.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const shop = await app.tenant()
const proxy = await flakyProxy(app.databaseUrl)
const web = shopdesk(['web'], { ...settingsOf({ ...app, databaseUrl: proxy.url }), PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'debug' })
await web.says(/listening on http:\/\/127\.0\.0\.1:\d+/)
const [address = ''] = /http:[\d./:]+/.exec(web.stdout()) ?? []
after(() => web.child.kill('SIGTERM'))

const headers = { Authorization: `Bearer ${shop.key}`, 'Content-Type': 'application/json' }
const ask = (path: string, init: RequestInit = {}) => fetch(address + path, { headers, ...init })
const logged = (message: string) =>
  web
    .stdout()
    .split('\n')
    .filter(line => line.includes(`"msg":"${message}"`))

test('a client that breaks off its body is not taken for a database that is away', async () => {
  for (const [round, leave] of (['resetAndDestroy', 'destroy', 'end'] as const).entries()) {
    const client = await rawClient(address)
    await client.say(
      `POST /api/v1/orders HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${shop.key}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n`,
    )
    await client.hears(/100 Continue/)
    // This request was admitted after the POST, so the body of the POST is being read by now.
    assert.equal((await ask('/api/v1/orders')).status, 200)
    await client.say('{"items":[')
    client.socket[leave]()
    await eventually(async () => logged('the client broke off').length > round)
  }
  assert.deepEqual(logged('the database did not answer'), [])
  assert.doesNotMatch(web.stdout(), /"level":[456]0/)
})

test('the database’s silence is logged as such', async () => {
  proxy.block()
  assert.equal((await ask('/api/v1/orders', { method: 'POST', body: JSON.stringify(anOrder()) })).status, 503)
  await eventually(async () => logged('the database did not answer').length > 0)
})
