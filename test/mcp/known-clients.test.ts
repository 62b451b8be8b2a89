// The clients that people connect: what is given to each is what that client takes.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { isReachable, knownClients, type Step } from '../../src/ingress/mcp/known-clients.ts'
import { connectingPage } from './connecting-page.ts'

const ADDRESS = 'https://shop.example/api/mcp'
const texts = (steps: Step[] = []): string[] => steps.flatMap(step => (typeof step === 'string' ? [] : [step.copy]))
const jsonOf = (steps: Step[] | undefined) => JSON.parse(texts(steps).find(text => text.startsWith('{')) as string)

test('each client has steps with the address, and those that take a key have them with the key', () => {
  const clients = knownClients(ADDRESS, 'mcp_secret')
  assert.deepEqual(
    clients.map(({ id, key }) => [id, key !== undefined]),
    [
      ['claude', false],
      ['claude-code', true],
      ['chatgpt', false],
      ['cursor', true],
      ['vs-code', true],
      ['others', true],
    ],
  )
  for (const { id, oauth, key } of clients) {
    assert.ok(texts(oauth).join().includes(ADDRESS), id)
    assert.ok(!texts(oauth).join().includes('mcp_secret'), `${id}: no key stands where none is needed`)
    if (key) assert.match(texts(key).join(), /mcp_secret/, id)
  }
})

test('Cursor and VS Code have the file that they read, and a link that holds the same entry', () => {
  const [, , , cursor, vsCode] = knownClients(ADDRESS, 'mcp_secret')
  assert.deepEqual(jsonOf(cursor?.oauth), { mcpServers: { shopdesk: { url: ADDRESS } } })
  assert.deepEqual(jsonOf(cursor?.key).mcpServers.shopdesk, { url: ADDRESS, headers: { Authorization: 'Bearer mcp_secret' } })
  assert.deepEqual(jsonOf(vsCode?.oauth), { servers: { shopdesk: { type: 'http', url: ADDRESS } } })
  const withKey = jsonOf(vsCode?.key)
  assert.equal(withKey.servers.shopdesk.headers.Authorization, `Bearer \${input:${withKey.inputs[0].id}}`)
  assert.equal(withKey.inputs[0].password, true)
  const link = new URL(cursor?.install as string)
  assert.deepEqual([link.href.split('?')[0], link.searchParams.get('name')], ['cursor://anysphere.cursor-deeplink/mcp/install', 'shopdesk'])
  assert.deepEqual(JSON.parse(atob(link.searchParams.get('config') as string)), { url: ADDRESS })
  const [start, entry] = String(vsCode?.install).split('?')
  assert.deepEqual(
    [start, JSON.parse(decodeURIComponent(entry as string))],
    ['vscode:mcp/install', { name: 'shopdesk', type: 'http', url: ADDRESS }],
  )
})

test('mcp-remote is told to go by http where it would not', () => {
  const told = (address: string) =>
    [knownClients(address).at(-1)].flatMap(each =>
      [each?.oauth, each?.key].map(steps => jsonOf(steps).mcpServers.shopdesk.args.includes('--allow-http')),
    )
  for (const address of [ADDRESS, 'http://localhost:3000/api/mcp', 'http://127.0.0.1/api/mcp'])
    assert.deepEqual(told(address), [false, false], address)
  for (const address of ['http://10.1.2.3:3000/api/mcp', 'http://[::1]:3000/api/mcp', 'http://localhost.lan/api/mcp'])
    assert.deepEqual(told(address), [true, true], address)
})

test('a service that the internet cannot reach is told from one that it can', () => {
  for (const url of ['https://shop.example', 'https://shop.example:8443']) assert.ok(isReachable(url), url)
  const hidden = [
    'http://shop.example',
    'https://localhost:3000',
    'https://127.0.0.1',
    'https://10.1.2.3',
    'https://shop.internal',
    'https://shop',
  ]
  for (const url of hidden) assert.ok(!isReachable(url), url)
})

test('the documentation says what the table says; after a change: node test/mcp/write-golden.ts', () => {
  const page = new URL('../../docs/agent/connecting.md', import.meta.url)
  assert.equal(readFileSync(page, 'utf8'), connectingPage())
})
