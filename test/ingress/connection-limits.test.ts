// How many connections there may be, and how the ones above the limit are refused.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { subscriber } from '../../src/ingress/connections/caller-address.ts'
import { trusting } from '../../src/ingress/connections/proxies.ts'
import { seldom } from '../../src/ingress/connections/seldom.ts'
import { REFUSED_AT_ONCE } from '../../src/limits/connections.ts'
import { startWeb, type Web } from '../../src/web.ts'
import { testApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { type Raw, rawClient, statusesOf } from '../support/raw.ts'
import { settingsOf, shopdesk } from '../support/shopdesk.ts'

const app = await testApp()
const shop = await app.tenant()
const KEY = `Authorization: Bearer ${shop.key}`

const another = (inAll: number, perAddress: number, trustProxy: false | number | string[] = false): Promise<Web> =>
  startWeb({ ...app, config: { ...app.config, connections: { inAll, perAddress }, trustProxy } })

const ask = (path: string, ...headers: string[]): string => `${[`GET ${path} HTTP/1.1`, 'Host: a', ...headers].join('\r\n')}\r\n\r\n`

/** A connection that is served. */
async function connected(web: Web, ...headers: string[]): Promise<Raw> {
  const client = await rawClient(web.address)
  await client.say(ask(headers.length > 0 ? '/api/v1/orders?limit=1' : '/healthz', ...headers))
  await client.hears(/ 200 OK/)
  return client
}

async function assertRefused(web: Web, detail: RegExp): Promise<void> {
  const client = await rawClient(web.address)
  await client.say(ask('/healthz'))
  const { heard, error } = await client.ended
  assert.equal(error, undefined)
  assert.deepEqual(statusesOf(heard), [503])
  assert.match(heard, /\r\nRetry-After: 5\r\n/)
  assert.match(heard, /\r\nConnection: close\r\n/)
  const { type, status, detail: told } = JSON.parse(heard.slice(heard.indexOf('{')))
  assert.deepEqual([type, status], ['https://shop.example/docs/errors/service-unavailable', 503])
  assert.match(told, detail)
  client.socket.destroy()
}

test('connections without a key are limited per address; one that closes makes room', async () => {
  const web = await another(100, 2)
  const clients = [await connected(web), await connected(web)]
  await assertRefused(web, /^Your address has as many connections open as may be without a valid key/)
  clients[0]?.socket.destroy()
  await eventually(async () => (await fetch(`${web.address}/healthz`).catch(() => undefined))?.ok)
  await web.close()
})

test('connections over which a valid key came do not count against that limit; those with an invalid key do', async () => {
  const web = await another(100, 2)
  for (let count = 0; count < 5; count++) await connected(web, KEY)
  for (let count = 0; count < 2; count++) {
    const client = await rawClient(web.address)
    await client.say(ask('/api/v1/orders', 'Authorization: Bearer sk_wrong'))
    await client.hears(/ 403 /)
  }
  await assertRefused(web, /without a valid key/)
  await web.close()
})

test('however many are refused at one address, others are served', async () => {
  const web = await another(400, 1)
  await connected(web)
  const refused = await Promise.all(Array.from({ length: 500 }, () => rawClient(web.address)))
  const answers = await Promise.all(refused.map(each => each.ended))
  const told = answers.filter(({ heard }) => heard.startsWith('HTTP/1.1 503 '))
  assert.equal(told.length, REFUSED_AT_ONCE)
  assert.ok(answers.every(answer => told.includes(answer) || answer.heard === ''))
  const other = await rawClient(web.address, '127.0.0.2')
  await other.say(ask('/healthz'))
  await other.hears(/ 200 OK/)
  await web.close()
})

test('connections are limited in all, with keys or without', async () => {
  const web = await another(3, 100)
  const clients = [await connected(web, KEY), await connected(web, KEY), await connected(web)]
  await assertRefused(web, /^The service has as many connections open as it takes/)
  // A refused connection takes no place.
  await assertRefused(web, /as many connections/)
  clients[0]?.socket.destroy()
  await eventually(async () => (await fetch(`${web.address}/healthz`).catch(() => undefined))?.ok)
  await web.close()
})

test('connections of a trusted proxy carry many callers, and are not counted by address', async () => {
  for (const trustProxy of [1, ['loopback'], ['127.0.0.1']]) {
    const web = await another(100, 2, trustProxy)
    for (let count = 0; count < 5; count++) await connected(web)
    await web.close()
  }
  const web = await another(100, 2, ['10.0.0.0/8'])
  for (let count = 0; count < 2; count++) await connected(web)
  await assertRefused(web, /without a valid key/)
  await web.close()
})

suite('as an operator sees it', () => {
  test('refusals are one line of the log, a proxy that no setting names is another, and doctor reports it', async () => {
    assert.match(await doctor(), /^ok {4}proxy +no request came by a proxy$/m)
    const settings = { ...settingsOf(app), PORT: '0', HOST: '127.0.0.1', CONNECTIONS_PER_ADDRESS: '1' }
    const web = shopdesk(['web'], settings)
    await web.says(/listening on http:\/\/127\.0\.0\.1:\d+/)
    const address = String(/http:[\d./:]+/.exec(web.stdout()))
    const client = await rawClient(address)
    for (let count = 0; count < 3; count++) {
      await client.say(ask('/healthz', 'X-Forwarded-For: 192.0.2.7'))
      await client.hears(new RegExp(`( 200 OK[^]*){${count + 1}}`))
      await (await rawClient(address)).ended
    }
    client.socket.destroy()
    const told = await eventually(async () => {
      const text = await doctor()
      return !text.includes('no request came') && text
    })
    assert.match(told, /^ok {4}proxy +requests come with X-Forwarded-For from 127\.0\.0\.1 \(noted 20\S+\), and TRUST_PROXY is not set: /m)
    web.child.kill('SIGTERM')
    assert.equal(await web.ended, 0)
    const lines = web.stdout().trim().split('\n').slice(1)
    assert.deepEqual(
      lines.map(line => JSON.parse(line).msg),
      [
        'requests come by a proxy, and TRUST_PROXY is not set: all callers behind it share one address and its limits',
        'connections were refused: CONNECTIONS_MAX or CONNECTIONS_PER_ADDRESS is reached',
      ],
    )
    assert.match(await doctor({ TRUST_PROXY: '1' }), /^ok {4}proxy +TRUST_PROXY is 1$/m)
  })

  async function doctor(env: Record<string, string> = {}): Promise<string> {
    const run = shopdesk(['doctor'], { ...settingsOf(app), ...env })
    assert.equal(await run.ended, 0)
    return run.stdout()
  }
})

test('a repeated event is logged seldom, with its count', () => {
  const said: [string, number][] = []
  const often = seldom<string>(0, (latest, times) => said.push([latest, times]))
  often('a')
  const rarely = seldom<string>(60_000, (latest, times) => said.push([latest, times]))
  for (const each of ['b', 'c', 'd']) rarely(each)
  assert.deepEqual(said, [
    ['a', 1],
    ['b', 1],
  ])
})

test('a subscriber is an address of IPv4, and a /64 of IPv6', () => {
  for (const [one, other] of [
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8::1', '2001:db8:0:0:ffff::2'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
  ] as const)
    assert.equal(subscriber(one), subscriber(other))
  for (const [one, other] of [
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8::1', '2001:db8:0:1::1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.2'],
  ] as const)
    assert.notEqual(subscriber(one), subscriber(other))
})

test('TRUST_PROXY: hops, addresses, ranges and names', () => {
  const trusted = (trustProxy: false | number | string[], address: string, hop = 0) => trusting(trustProxy)(address, hop)
  assert.equal(trusted(false, '127.0.0.1'), false)
  assert.deepEqual([trusted(2, '192.0.2.1', 1), trusted(2, '192.0.2.1', 2)], [true, false])
  const list = ['loopback', 'uniquelocal', '203.0.113.7', '2001:db8::/32']
  for (const address of ['127.0.0.1', '::1', '10.1.2.3', '::ffff:10.1.2.3', 'fd00::1', '203.0.113.7', '2001:db8:1::1'])
    assert.equal(trusted(list, address), true, address)
  for (const address of ['203.0.113.8', '169.254.0.1', '2001:db9::1', '::ffff:203.0.113.8', 'unknown', '', '10.1.2.3:80'])
    assert.equal(trusted(list, address), false, address)
})
