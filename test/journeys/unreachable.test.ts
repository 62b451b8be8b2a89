// No address, name or redirect of a tenant makes the service call into its own network: through REST, the engine and the resolver.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { anOrder, aWebhook } from '../support/given.ts'
import { startNameServer } from '../support/name-server.ts'
import { startReceiver } from '../support/receiver.ts'

// Requests that get through are counted here.
const forbidden = await Promise.all([startReceiver(undefined, { tls: true }), startReceiver(), startReceiver(undefined, { host: '::1' })])
const [secure, plain, six] = forbidden
// The one origin that the operator has exempted: it redirects elsewhere.
const redirecting = await startReceiver((response, { path }) => response.writeHead(302, { Location: atob(path.slice(1)) }).end())
const connections = () => forbidden.map(receiver => receiver.connections)

// A name server of the tenant's own: the answers for each name, one after the other.
// Public addresses stand last: were the guard broken, the test would not call them.
const NAMES: Record<string, string[][]> = {
  'loopback.example': [['127.0.0.1']],
  'rebinding.example': [['127.0.0.1'], ['::1'], ['127.0.0.1']],
  'mixed.example': [['127.0.0.1', '8.8.8.8']],
  'mixed-six.example': [['::1', '2606:4700::1111']],
  'mapped.example': [['::ffff:7f00:1']],
  'nat64.example': [['64:ff9b::7f00:1']],
  'unspecified.example': [['0.0.0.0']],
  'metadata.example': [['169.254.169.254']],
  'private.example': [['10.0.0.1']],
}
const names = await startNameServer((name, type) => {
  const answers = NAMES[name] ?? []
  const before = names.asked.filter(each => each === `${name} ${type}`).length
  return { addresses: answers[Math.min(before, answers.length) - 1] ?? [], ttl: 0 }
})

const app = await testApp({ OUTBOUND_ALLOW_PRIVATE: 'false', OUTBOUND_ALLOW_ORIGINS: redirecting.origin })
await app.startWorker(names.files)
after(() => Promise.all([...forbidden, redirecting, names].map(server => server.close())))

/** Hosts that lead to the forbidden receivers, or elsewhere into our own network. */
const HOSTS = [
  ...['127.0.0.1', '127.1', '127.0.0.1.', '2130706433', '0x7f000001', '0x7f.1', '0177.0.0.1', '017700000001', '127.0.0.2', '0', '0.0.0.0'],
  ...['１２７.0.0.1', '①②⑦.0.0.1', '127。0。0。1', '%31%32%37.0.0.1'],
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ],
  ...['localhost', 'LOCALHOST', 'localhost.', 'shop.localhost', 'vm', 'printer.local', 'db.internal', 'metadata.google.internal'],
  ...['router.lan', 'erp.corp', 'api.default.svc'],
  ...['169.254.169.254', '2852039166', '100.100.100.200', '168.63.129.16', '[fd00:ec2::254]', '[::ffff:169.254.169.254]'],
  ...['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', '[fc00::1]', '[fe80::1]', '224.0.0.1', '255.255.255.255'],
]
const LITERAL = [
  ...HOSTS.map(host => `https://${host}:${secure.port}/`),
  ...[`http://127.0.0.1:${plain.port}/`, `http://localhost:${plain.port}/`, `http://[::1]:${six.port}/`],
  // Servers of other protocols, wherever they are.
  ...['https://shop.example:25/', 'https://8.8.8.8:22/'],
  // The exempted origin's host, at other ports.
  ...[`http://127.0.0.1:${redirecting.port - 1}/`, `https://127.0.0.1:${redirecting.port}/`],
  ...[`https://shop.example@127.0.0.1:${secure.port}/`, `https://user:password@shop.example:${secure.port}/`, 'https://shop.example:0/'],
  `https://127.0.0.1:${secure.port}#@shop.example/`,
  `https:\\\\127.0.0.1:${secure.port}\\`,
  `https:127.0.0.1:${secure.port}`,
]
const NAMED = Object.keys(NAMES).map(name => `https://${name}:${secure.port}/`)
const REDIRECTED = [
  ...[
    'http://169.254.169.254/latest/meta-data/',
    secure.origin,
    plain.origin,
    six.origin,
    `//127.0.0.1:${plain.port}/`,
    'file:///etc/passwd',
  ],
].map(location => `${redirecting.origin}/${btoa(location)}`)

describe('URLs into our own network', { concurrency: false }, () => {
  test(`${LITERAL.length} URLs are refused when a webhook is created and when it is changed`, async () => {
    const [shop, other] = [await app.tenant(), await app.tenant()]
    const webhook = await other.post('/api/v1/webhooks', aWebhook())
    for (const url of LITERAL) {
      const created = await shop.post('/api/v1/webhooks', aWebhook({ url }))
      assert.equal(created.status, 422, `${url} was answered ${created.status}`)
      assert.equal(created.body.errors[0].field, 'url', url)
      const changed = await other.patch(`/api/v1/webhooks/${webhook.body.id}`, { url })
      assert.equal(changed.status, 422, `${url} was answered ${changed.status}`)
    }
    assert.deepEqual(connections(), [0, 0, 0])
  })

  test('each of them, and each name and redirect, is refused again when an event is to be sent there', async () => {
    const shop = await app.tenant()
    const urls = [...LITERAL, ...NAMED, ...REDIRECTED]
    for (const url of urls) {
      // Names and redirects pass the check; the other URLs are written past it, as if they had been stored before there was one.
      const visible = LITERAL.includes(url)
      const webhook = await shop.post('/api/v1/webhooks', aWebhook(visible ? {} : { url }))
      assert.equal(webhook.status, 201, `${url}: ${webhook.text}`)
      if (visible) await app.sql`update webhook_endpoints set url = ${url} where id = ${webhook.body.id}`
    }
    assert.equal((await shop.post('/api/v1/orders', anOrder())).status, 201)
    const attempts = () => app.sql<{ url: string; status: number | null; error: string }[]>`
      select url, status, error from webhook_attempts where tenant_id = ${shop.id}`
    const log = await eventually(async () => {
      const rows = await attempts()
      return new Set(rows.map(({ url }) => url)).size === urls.length && rows
    })

    assert.deepEqual(connections(), [0, 0, 0])
    for (const { url, status, error } of log) {
      if (REDIRECTED.includes(url)) assert.equal(status, 302, url)
      else assert.match(error, /^(private-address|invalid-url): /, url)
      // A tenant must not learn the address of an inner name.
      if (NAMED.includes(url)) assert.equal(error, `private-address: ${new URL(url).hostname} does not lead to a public address.`)
    }
    for (const name of Object.keys(NAMES)) assert.ok(names.asked.includes(`${name} A`), `${name} was never asked for`)
    assert.equal(redirecting.received.length, log.filter(({ status }) => status === 302).length)
  })

  test('the forbidden receivers can be reached: the service is what refuses', async () => {
    assert.equal((await fetch(plain.origin, { method: 'POST' })).status, 204)
    assert.equal((await fetch(six.origin, { method: 'POST' })).status, 204)
    assert.deepEqual(connections(), [0, 1, 1])
  })
})
