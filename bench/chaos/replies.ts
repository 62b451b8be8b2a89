// Channels with customers who have written, and the shop's replies to them.
import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { begin } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { aBacklog } from '../../test/support/backlog-of-messages.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { APP_SECRET, question, tellAll } from './customers.ts'
import type { Shop } from './environment.ts'
import type { Arrived } from './hanging-platform.ts'
import type { Shops } from './shops.ts'

/** A channel that hangs has this many. Each message takes the whole time limit of an answer; messages of more conversations would wait for a place at the origin. */
const CONVERSATIONS = 1
export const SECRET_KEY = createHmac('sha256', 'hanging').digest('hex')
export const ARRIVAL_MAX_MS = 60_000

/** A channel, and those who have written on it. */
export interface Line {
  shop: Shop
  channel: string
  conversations: string[]
}

export async function aLine({ sql, origin }: Shops, shop: Shop, account: string, platform: Reporting, customers: number): Promise<Line> {
  const given: accounts.NewAccount = {
    platform: 'whatsapp',
    name: account,
    account: { id: account, name: null },
    settings: { api_url: String(platform.ready) },
    credentials: { token: 'the-token', app_secret: APP_SECRET },
  }
  const { tenant } = shop
  const keyring = parseKeyring(SECRET_KEY) as Keyring
  const channel = await begin(sql, tx => accounts.add(tx, { tenant, actor: { type: 'system' } }, given, keyring))
  const from = (n: number) => `4915${100_000_000 + n}`
  const now = Math.floor(Date.now() / 1000)
  const first = Array.from({ length: customers }, (_, n) => question(from(n), n, now, account))
  await tellAll({ origin, shop, channel, bugs: [] }, first)
  const conversations = await eventually(async () => {
    const found = await sql<{ id: string }[]>`select id from conversations where tenant_id = ${tenant} and channel_id = ${channel}`
    return found.length === customers && found.map(({ id }) => id)
  }, ARRIVAL_MAX_MS)
  return { shop, channel, conversations }
}

/** Messages wait on it until it is switched on. */
export async function waits(
  { sql, origin }: Pick<Shops, 'sql' | 'origin'>,
  { shop, channel, conversations }: Line,
  messages: number,
): Promise<void> {
  await sql`update channels set quiet_until = now() + interval '1 hour' where tenant_id = ${shop.tenant} and id = ${channel}`
  const [conversation] = conversations as [string]
  const { id } = await reply(origin, shop, conversation, 'Hello?')
  await aBacklog(sql, { shop: { id: shop.tenant }, channel, conversation }, id, CONVERSATIONS, messages)
  await sql`update channels set status = 'disabled', quiet_until = null where tenant_id = ${shop.tenant} and id = ${channel}`
}

/** Replies that are measured. */
export interface Replies {
  /** The web process's address. */
  origin: string
  repliesPerSecond: number
  /** Seconds of each phase. */
  seconds: number
  lines: Line[]
  platform: Reporting
  /** Replies so far: each has a text of its own. */
  said: number
}

export async function measureReplies(load: Replies): Promise<number[]> {
  const { repliesPerSecond, seconds, lines, origin, platform } = load
  const since = Date.now()
  const written = new Map<string, number>()
  const writing: Promise<void>[] = []
  for (let n = 0; n < repliesPerSecond * seconds; n++) {
    await delay(Math.max(0, since + (n * 1000) / repliesPerSecond - Date.now()))
    const number = load.said++
    const { shop, conversations } = lines[number % lines.length] as Line
    const conversation = conversations[Math.floor(number / lines.length) % conversations.length] as string
    const text = `Answer ${number}`
    writing.push(
      reply(origin, shop, conversation, text, Math.floor(number / lines.length)).then(
        ({ created_at }) => void written.set(text, Date.parse(created_at)),
      ),
    )
  }
  await Promise.all(writing)
  const taken = await eventually(async () => {
    const arrived = (await platform.ask<Arrived>(since)).taken.filter(({ text }) => written.has(text))
    return arrived.length === written.size && arrived
  }, ARRIVAL_MAX_MS)
  return taken.map(({ text, at }) => at - (written.get(text) as number))
}

async function reply(
  origin: string,
  { keys }: Shop,
  conversation: string,
  text: string,
  key = 0,
): Promise<{ id: string; created_at: string }> {
  const response = await fetch(`${origin}/api/v1/conversations/${conversation}/messages`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${keys[key % keys.length]}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: string; created_at: string }
}
