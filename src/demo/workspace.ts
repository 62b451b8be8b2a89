// The demo workspace: a small shop with customers who have written and ordered, its keys, and where all of that is remembered.
import { randomBytes } from 'node:crypto'
import { createKey } from '../access/keys.ts'
import { hashPassword } from '../access/password.ts'
import { replacePassword } from '../access/reset.ts'
import type { Caller } from '../caller.ts'
import { webhookEventNames } from '../catalog.ts'
import * as channels from '../channels/accounts/accounts.ts'
import type { Config } from '../config.ts'
import { apply } from '../conversations/apply.ts'
import { ofThread } from '../conversations/conversations.ts'
import { record } from '../conversations/reply.ts'
import type { Update } from '../conversations/update.ts'
import { place } from '../orders/place.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import * as products from '../products/products.ts'
import type { Keyring } from '../secrets.ts'
import { createUser, memberByEmail } from '../tenants/people.ts'
import { createTenant } from '../tenants/tenants.ts'
import { create } from '../webhooks/endpoints/endpoints.ts'
import { keep, type Made, readMade } from './made.ts'

export interface DemoContext {
  config: Config
  databaseUrl: string
  keyring: Keyring
}

const CATALOGUE = [
  { name: 'Linen shirt', sku: 'SHIRT-M', price_amount: 4900, stock: 25, category: 'Clothes/Shirts', tags: ['summer'] },
  { name: 'Canvas sneakers', sku: 'SNEAKER-42', price_amount: 7900, stock: 12, category: 'Shoes/Sneakers' },
  { name: 'Straw hat', sku: 'HAT-1', price_amount: 2900, stock: 3, category: 'Clothes/Hats' },
  { name: 'Gift card', sku: 'GIFT-25', price_amount: 2500, category: 'Gifts' },
]
export const CUSTOMERS = [
  { name: 'Ada Lovelace', email: 'ada@example.com' },
  { name: 'Grace Hopper', email: 'grace@example.com' },
  { name: 'Alan Turing', email: 'alan@example.com' },
] as const
/** The conversation of each customer, and the channel that it runs over. */
const TALKS = [
  {
    platform: 'api',
    lines: [
      ['customer', 'Do you have the linen shirt in M?'],
      ['ai', 'Yes: the linen shirt in M is in stock, for 49.00 EUR.'],
      ['customer', 'Great! And does it shrink?'],
    ],
  },
  {
    platform: 'api',
    lines: [
      ['customer', 'My sneakers are half a size too small. May I change them?'],
      ['operator', 'Of course: send them back within 30 days and tell us the size you need.'],
    ],
  },
  { platform: 'web', lines: [['customer', 'Hello, when do you open?']] },
] as const

/** The workspace of `file`, made on the first run, with all that this program's has. */
export async function demoWorkspace(sql: Sql, context: DemoContext, receiverUrl: string, file: string): Promise<Made> {
  return complete(sql, (await readMade(file)) ?? (await makeWorkspace(sql, context, receiverUrl, file)), file)
}

export const caller = (tenant: string): Caller => ({ tenant, actor: { type: 'system' } })

/** Makes what the workspace of an older program lacks: a password that is known, and an agent key. */
async function complete(sql: Sql, before: Made, file: string): Promise<Made> {
  if (before.password !== undefined && before.agentKey !== undefined) return before
  const { tenant } = before
  const password = before.password ?? newPassword()
  const hash = await hashPassword(password)
  const made = await begin(sql, async tx => {
    const admin = await memberByEmail(tx, tenant, ADMIN)
    if (admin && before.password === undefined) await replacePassword(tx, admin, hash, { type: 'system' })
    const agentKey = before.agentKey ?? (await createKey(tx, { tenant, kind: 'mcp', scopes: ['read', 'write'], name: 'demo' })).key
    return { ...before, ...(admin && { password }), agentKey }
  })
  await keep(file, made)
  return made
}

export const ADMIN = 'admin@demo.example'
const newPassword = (): string => randomBytes(12).toString('base64url')

async function makeWorkspace(sql: Sql, { config: { quotas }, keyring }: DemoContext, receiverUrl: string, file: string): Promise<Made> {
  const made = await begin(sql, async tx => {
    const tenant = (await createTenant(tx, { name: 'Demo shop', plan: 'enterprise', currency: 'EUR' })).id
    const password = newPassword()
    const admin = await createUser(tx, { tenant, email: ADMIN, name: 'Demo admin', password, role: 'admin' })
    const { key: agentKey } = await createKey(tx, { tenant, kind: 'mcp', scopes: ['read', 'write'], name: 'demo' })
    const { key } = await createKey(tx, { tenant, kind: 'rest', scopes: ['read', 'write'], name: 'demo' })
    const who = caller(tenant)
    const messengerSecret = channels.newSecret()
    const channel = {
      api: await channels.add(tx, who, { platform: 'api', name: 'Demo messenger', credentials: { secret: messengerSecret } }, keyring),
      web: await channels.add(tx, who, { platform: 'web', name: 'Demo web chat', credentials: { secret: channels.newSecret() } }, keyring),
    }
    for (const product of CATALOGUE) await products.create(tx, who, product)
    for (const [index, customer] of CUSTOMERS.entries()) {
      const sku = CATALOGUE[index]?.sku as string
      await place(tx, who, { customer, items: [{ sku, quantity: index + 1 }], source: 'dashboard' })
      const said = TALKS[index] as (typeof TALKS)[number]
      const account = (await channels.of(tx, tenant, channel[said.platform])) as channels.Account
      await talk(tx, who, said.lines, { account, customer, admin: admin.id })
    }
    const outbound = { allowPrivate: false, allowOrigins: [new URL(receiverUrl).origin] }
    const webhook = await create(
      tx,
      who,
      { url: receiverUrl, events: webhookEventNames, description: 'The demo’s own receiver' },
      { keyring, outbound, quotas },
    )
    return {
      tenant,
      key,
      webhook: webhook.id,
      secret: webhook.secret,
      channel: { id: channel.api, secret: messengerSecret },
      chat: channel.web,
      password,
      agentKey,
    }
  })
  await keep(file, made)
  return made
}

interface Parties {
  account: channels.Account
  customer: (typeof CUSTOMERS)[number]
  admin: string
}

type Lines = (typeof TALKS)[number]['lines']

async function talk(tx: Tx, who: Caller, lines: Lines, { account, customer, admin }: Parties): Promise<void> {
  const authors = {
    ai: { type: 'ai', id: null, name: null, via: 'channel' },
    operator: { type: 'operator', id: admin, name: 'Demo admin', via: 'dashboard' },
  } as const
  const { email, name } = customer
  const from = { ids: [email], name, proven: { email } }
  for (const [index, [speaker, text]] of lines.entries()) {
    if (speaker === 'customer') {
      const said = { text, media: [] }
      const update: Update = { kind: 'message', thread: email, at: null, from, external_id: `${email} ${index}`, said }
      await apply(tx, who, account, [{ update, receivedAt: new Date() }])
    } else await record(tx, who, (await ofThread(tx, who.tenant, account.id, email)) as string, { text, author: authors[speaker] })
  }
}
