// What the demo says in the terminal: how to begin, and what arrives.
import { resolve } from 'node:path'
import { linesOf, type Taken } from '../channels/bridge.ts'
import { isLoopbackHost } from '../outbound/address.ts'
import { describe } from '../webhooks/commands.ts'
import type { Received } from '../webhooks/listen.ts'
import { originOf } from './app.ts'
import type { DemoApp, Made } from './made.ts'
import { ADMIN } from './workspace.ts'

interface Shown {
  baseUrl: string
  dataDir: string
  /** Undefined: the workspace has it no more. */
  app: DemoApp | undefined
  /** The id of an order that can be paid, where there is one. */
  unpaid: string | undefined
}

export function invitation(made: Made, { baseUrl, dataDir, app, unpaid }: Shown): string[] {
  const body = JSON.stringify({ items: [{ sku: 'SHIRT-M', quantity: 1 }], customer: { name: 'Ada Lovelace', email: 'ada@example.com' } })
  return [
    '',
    `  API reference   ${baseUrl}/docs`,
    `  Dashboard       ${baseUrl}/dashboard`,
    ...(made.password === undefined ? [] : [`  Sign in         ${ADMIN}   ${made.password}`]),
    `  API key         ${made.key}   (demo workspace ${made.tenant})`,
    ...(made.agentKey === undefined ? [] : [`  Agent key       ${made.agentKey}`]),
    `  Agent server    ${baseUrl}/api/mcp`,
    '',
    '  Place an order in another terminal; its signed event arrives here a moment later:',
    '',
    `  curl -s ${baseUrl}/api/v1/orders -H 'Authorization: Bearer ${made.key}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
    ...(app ? paying(made, app, baseUrl, unpaid) : []),
    ...(made.channel ? talking(made, made.channel.id, baseUrl, dataDir) : []),
  ]
}

function paying({ key }: Made, app: DemoApp, baseUrl: string, unpaid = 'ord_…'): string[] {
  return [
    `  Pay an order, and the loyalty app gives points for it. Its service runs beside the shop, at ${originOf(app)}:`,
    '',
    `  curl -s -X POST ${baseUrl}/api/v1/orders/${unpaid}/payments -H 'Authorization: Bearer ${key}'`,
    `  curl -s ${baseUrl}/api/platform/resources/acme:loyalty:points -H 'Authorization: Bearer ${key}'`,
    '',
  ]
}

/** Where the service and its data are without settings. */
const DEFAULT_URL = 'http://127.0.0.1:3000'
const DEFAULT_DATA = '.data'
const quoted = (path: string): string => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`)

function talking({ tenant, chat }: Made, channel: string, baseUrl: string, dataDir: string): string[] {
  // Commands find the database and the service as the service itself does: by settings, which the other terminal may not have.
  const data = dataDir === resolve(DEFAULT_DATA) ? '' : `DATA_DIR=${quoted(dataDir)} `
  const url = baseUrl === DEFAULT_URL ? '' : `BASE_URL=${baseUrl} `
  return [
    '  Write to the shop as a customer, in a browser or in one terminal, and answer in another:',
    '',
    ...(chat === undefined ? [] : [`  ${baseUrl}/chat/try/${chat}`]),
    `  ${data}${url}bin/shopdesk channel talk ${channel} --tenant ${tenant}`,
    `  ${data}bin/shopdesk conversation follow --tenant ${tenant}`,
    '',
  ]
}

/** A message to a customer, as the demo's own messenger has taken it. */
export const outgoing = ({ to, ...message }: Taken): string =>
  [`\n  ⇒ to ${to.name ?? to.id}:`, ...linesOf(message).map(line => `    ${line}`)].join('\n')

export function warning(host: string): string[] {
  if (isLoopbackHost(host)) return []
  return [
    `  WARNING: HOST is ${host}, so the network reaches the demo workspace, and its sign-in and keys above open it on plan enterprise. They lie in`,
    '  DATA_DIR and are printed at every start. Unset HOST, or serve a database of your own with DATABASE_URL, where there is no demo.',
    '',
  ]
}

// The body of an unsigned request may be anything, so it is not parsed.
export function arrival(event: Received): string {
  const what = event.verified ? summary(event.body) : 'a request without our signature'
  return `\n  ⇐ ${what}\n${describe(event).split('\n')[0]}`
}

function summary(body: string): string {
  const { type, data } = JSON.parse(body) as {
    type: string
    data: { order?: { number: number; status: string; total_amount: number; currency: string } }
  }
  const { order } = data
  return order ? `${type}: order #${order.number}, ${order.status}, ${(order.total_amount / 100).toFixed(2)} ${order.currency}` : type
}
