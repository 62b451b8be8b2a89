// A shop as its clients find it: the service at a loopback address that it knows as its own, a customer who writes, a key, and a call of each tool.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { freePort } from '../../src/loopback.ts'
import { anAgent } from '../support/agent.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { ok } from '../support/given.ts'
import { aPersonWithPassword } from '../support/password.ts'
import { testCertificate, testKey } from '../support/receiver.ts'
import { aTalk, type Talk } from '../support/talks.ts'

export const EMAIL = 'ada@clients.example'

/** What the clients meet: the version of the protocol that is spoken here, and later ones where the operator allows them. */
export const SETTINGS: [string, Record<string, string>][] = [
  ['as it comes', {}],
  ['with later versions allowed', { MCP_PROTOCOL_VERSIONS: '2025-11-25,2025-06-18,2025-03-26' }],
]

export interface Shop {
  app: TestApp
  /** Its BASE_URL. */
  base: string
  /** The agent server's address: all that a client is given. */
  url: URL
  key: string
  talk: Talk
  /** A call of each tool that there is, each of which succeeds once. */
  calls(): Promise<Record<string, Record<string, unknown>>>
}

/** @param over https, by a certificate that NODE_EXTRA_CA_CERTS has clients trust, as behind a proxy */
export async function aShop(env: Record<string, string> = {}, over: 'http' | 'https' = 'http'): Promise<Shop> {
  const port = await freePort()
  const behind = `http://127.0.0.1:${port}`
  const base = over === 'http' ? behind : await forwarder(behind, { scheme: 'https' })
  const app = await testApp({ PORT: String(port), BASE_URL: base, OAUTH_REGISTRATIONS_PER_HOUR: '1000', ...env })
  const talk = await aTalk(app)
  const { key } = await anAgent(app, talk.shop.id)
  await aPersonWithPassword(app.sql, talk.shop.id, EMAIL)
  return { app, base, url: new URL(`${base}/api/mcp`), key, talk, calls: () => callsIn(talk) }
}

let made = 0

async function callsIn({ shop, id }: Talk): Promise<Record<string, Record<string, unknown>>> {
  const items = [{ name: 'Card', unit_amount: 100, quantity: 1 }]
  const order = ok(await shop.post('/api/v1/orders', { items, customer: { email: 'a@b.example', name: 'Ann' } }))
  const contact_id = order.customer.contact_id
  return {
    get_orders: { response_format: 'detailed' },
    get_conversations: { response_format: 'detailed' },
    get_products: {},
    get_contacts: { response_format: 'detailed' },
    get_analytics: { period: '7d' },
    get_ai_config: {},
    get_messages: { conversation_id: id, response_format: 'detailed' },
    reply_to_conversation: { conversation_id: id, message: `Hello, for the ${++made}. time` },
    update_order_status: { order_id: order.id, status: 'confirmed' },
    tag_contact: { contact_id, tag: 'vip' },
    update_ai_persona: { tone: 'friendly' },
    pause_ai_for_contact: { conversation_id: id, action: 'resume' },
  }
}

/**
 * Hands on what it gets as it is, and closes with the file's tests.
 * @param headers that it adds, for clients that can be given none
 * @returns its address
 */
export async function forwarder(to: string, { scheme = 'http', headers = {} }: { scheme?: 'http' | 'https'; headers?: object } = {}) {
  const handle = (from: IncomingMessage, answer: ServerResponse) => {
    const handed = request(
      new URL(from.url ?? '/', to),
      { method: from.method ?? 'GET', headers: { ...from.headers, ...headers } },
      got => {
        answer.writeHead(got.statusCode ?? 502, got.headers)
        got.pipe(answer)
      },
    )
    handed.on('error', () => answer.destroy())
    from.pipe(handed)
  }
  const tls = { cert: testCertificate, key: testKey }
  const server: Server = scheme === 'https' ? (createTlsServer(tls, handle) as unknown as Server) : createServer(handle)
  after(() => {
    server.close()
    server.closeAllConnections()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}
