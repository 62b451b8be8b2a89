// Channels whose platform hangs, more than a worker has slots. How long the replies of other channels and the webhooks of other workspaces take is
// compared with the same load without them, in alternation, for the machine may have other work meanwhile.
import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { aBacklog } from '../../test/support/backlog-of-messages.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Reporting, startScript } from '../../test/support/processes.ts'
import { APP_SECRET, question, tellAll } from './customers.ts'
import { createWebhook, type Shop } from './environment.ts'
import type { Arrived } from './hanging-platform.ts'
import { compared, measure as measureOrders } from './neighbours.ts'
import { startReceivers } from './receivers.ts'
import { type Shops, withShops } from './shops.ts'
import { type Finding, progress, quantile } from './verdict.ts'

export interface HangingPlan {
  ordersPerSecond: number
  repliesPerSecond: number
  /** Seconds of each phase. There are two in a round: without the channels that hang, and with them. */
  seconds: number
  /** Odd, so that one of them is the median. */
  rounds: number
  /** That hang. */
  channels: number
  /** In the worker: fewer than there are channels that hang. */
  places: number
  ways: (keyof typeof WAYS)[]
  /** A p99 may grow so many times, or be so long where that is more. */
  limits: { growth: number; p99Ms: number }
  /** How long a platform is waited for. */
  timeoutMs: number
  /** PostgreSQL's, for a test that has nothing to lose. */
  settings?: Record<string, string>
}

/** Whose the channels that hang are, and where. */
const WAYS = {
  'of one workspace': { workspaces: 1, origin: 'their own' },
  'of as many workspaces': { workspaces: Number.POSITIVE_INFINITY, origin: 'their own' },
  'of one workspace, at the others’ platform': { workspaces: 1, origin: 'the others’' },
} as const

export const WAY_NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[]

/** A workspace has this many keys; each writes 120 times a minute. */
const KEYS = 10
const OTHERS = 5
/** A channel has this many customers: so many that none of their conversations uses up its pace. */
const CUSTOMERS = 60
/** A channel that hangs has this many. Each message takes the whole time limit of an answer; messages of more conversations would wait for a place at the origin. */
const CONVERSATIONS = 1
const SECRET_KEY = createHmac('sha256', 'hanging').digest('hex')
/** Slices that wait for a platform last as long as their requests. */
const TURNS_END_MS = 120_000
const SETTLING_MS = 2_000
const ARRIVAL_MAX_MS = 60_000

export function runHanging(plan: HangingPlan): Promise<{ facts: Record<string, string | number>; findings: Finding[] }> {
  const shared = { SECRET_KEY, INBOUND_CHANNEL_LIMIT: '1000000' }
  const worker = { ...shared, WORKER_CONCURRENCY: String(plan.places), CHANNEL_TIMEOUT_MS: String(plan.timeoutMs) }
  return withShops({ keys: KEYS, settings: plan.settings, web: shared, worker }, async environment => {
    const { origin, shops } = environment
    const [platform, own] = await Promise.all([aPlatform(), aPlatform()])
    const others = shops.slice(0, OTHERS)
    const receivers = await startReceivers(others.map(() => 'healthy'))
    const webhooks = await Promise.all(others.map((shop, i) => createWebhook(origin, shop, receivers.urls[i] as string)))
    receivers.setSecrets(webhooks.map(({ secret }) => secret))
    const lines = await Promise.all(others.map((shop, n) => aLine(environment, shop, `other${n}`, platform, CUSTOMERS)))
    const load: Load = { ...plan, ...environment, others, receivers, phase: 0, lines, platform, said: 0 }
    await measure(load)
    const facts: Record<string, string> = {
      load: `${plan.ordersPerSecond} orders/s of ${OTHERS} workspaces, a webhook each, and ${plan.repliesPerSecond} replies/s over a channel each; ${plan.rounds} × ${plan.seconds.toFixed(1)} s without and with ${plan.channels} channels whose platform hangs; one worker with ${plan.places} slots`,
    }
    const findings: Finding[] = []
    for (const way of plan.ways) {
      const at = WAYS[way].origin === 'the others’' ? platform : own
      const owners = await Promise.all(Array.from({ length: Math.min(WAYS[way].workspaces, plan.channels) }, () => environment.shop(1)))
      const hanging = await Promise.all(
        Array.from({ length: plan.channels }, (_, n) =>
          aLine(environment, owners[n % owners.length] as Shop, `hang${n}${plan.ways.indexOf(way)}`, at, 1),
        ),
      )
      const messages = Math.ceil((plan.rounds * (plan.seconds * 1000 + SETTLING_MS + ARRIVAL_MAX_MS / 4)) / plan.timeoutMs)
      for (const line of hanging) await waits(load, line, messages)
      const rounds = await inTurns(load, way, hanging, at)
      const told = (what: 'replies' | 'webhooks', share: number) =>
        compared(
          rounds.map(each => each.without[what]),
          rounds.map(each => each.with[what]),
          share,
        )
      for (const what of ['replies', 'webhooks'] as const) {
        facts[`${way}: ${what}`] = `p50 ${told(what, 0.5)}; p99 ${told(what, 0.99)}`
        findings.push(grown(way, what, rounds, plan.limits))
      }
      facts[`${way}: being served, with requests without an answer`] = rounds
        .map(({ hanging: { served, requests } }) => `${served} with ${requests}`)
        .join(', ')
      const fewest = Math.min(...rounds.map(each => each.hanging.requests))
      findings.push({
        promise: `${way}: more requests hang than there are slots`,
        figure: `${fewest} at least`,
        holds: fewest > plan.places,
      })
    }
    receivers.close()
    return { facts, findings }
  })
}

const aPlatform = (): Promise<Reporting> => startScript(new URL('./hanging-platform.ts', import.meta.url), [])

interface Load extends HangingPlan, Omit<Shops, 'settings'> {
  others: Shop[]
  receivers: Awaited<ReturnType<typeof startReceivers>>
  phase: number
  lines: Line[]
  platform: Reporting
  /** Replies so far: each has a text of its own. */
  said: number
}

/** A channel, and those who have written on it. */
interface Line {
  shop: Shop
  channel: string
  conversations: string[]
}

async function aLine({ sql, origin }: Shops, shop: Shop, account: string, platform: Reporting, customers: number): Promise<Line> {
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
async function waits({ sql, origin }: Load, { shop, channel, conversations }: Line, messages: number): Promise<void> {
  await sql`update channels set quiet_until = now() + interval '1 hour' where tenant_id = ${shop.tenant} and id = ${channel}`
  const [conversation] = conversations as [string]
  const { id } = await reply(origin, shop, conversation, 'Hello?')
  await aBacklog(sql, { shop: { id: shop.tenant }, channel, conversation }, id, CONVERSATIONS, messages)
  await sql`update channels set status = 'disabled', quiet_until = null where tenant_id = ${shop.tenant} and id = ${channel}`
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

interface Phase {
  /** Milliseconds from a reply's time, which is before its commit, to its arrival at the platform. */
  replies: number[]
  /** … and from an event's to its arrival. */
  webhooks: number[]
}

interface Round {
  without: Phase
  with: Phase
  hanging: Hanging
}

/** While the others were measured. */
interface Hanging {
  /** Channels that hold a lease. */
  served: number
  /** Requests that wait for an answer. */
  requests: number
}

async function inTurns(load: Load, way: string, hanging: Line[], at: Reporting): Promise<Round[]> {
  const ids = hanging.map(({ channel }) => channel)
  const rounds: Round[] = []
  for (let round = 1; round <= load.rounds; round++) {
    const without = await measure(load)
    await load.sql`update channels set status = 'enabled' where id = any(${ids})`
    await delay(SETTLING_MS)
    // On a busy machine they begin later. Where they never do, the finding says so.
    await eventually(async () => (await at.ask<Arrived>(0)).open > load.places).catch(() => {})
    const beside = await measure(load)
    const hanging = { served: await served(load.sql, ids), requests: (await at.ask<Arrived>(0)).open }
    await switchOff(load.sql, ids)
    rounds.push({ without, with: beside, hanging })
    progress(`${way}, round ${round} of ${load.rounds}: ${tellRound(rounds.at(-1) as Round)}`)
  }
  return rounds
}

const p99 = (values: number[]): number => quantile(values, 0.99)
const tellRound = ({ without, with: beside, hanging }: Round): string =>
  `p99 of replies ${p99(without.replies)} → ${p99(beside.replies)} ms, of webhooks ${p99(without.webhooks)} → ${p99(beside.webhooks)} ms, ${hanging.served} channels hang with ${hanging.requests} requests`

/** Resolves when no request of theirs is under way. */
const served = async (sql: Sql, ids: string[]): Promise<number> =>
  (await sql`select 1 from channels where id = any(${ids}) and lease_token is not null`).length

async function switchOff(sql: Sql, ids: string[]): Promise<void> {
  await sql`update channels set status = 'disabled' where id = any(${ids})`
  await eventually(async () => (await served(sql, ids)) === 0, TURNS_END_MS)
}

async function measure(load: Load): Promise<Phase> {
  const [webhooks, replies] = await Promise.all([measureOrders(load), measureReplies(load)])
  return { webhooks, replies }
}

async function measureReplies(load: Load): Promise<number[]> {
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

function grown(way: string, what: 'replies' | 'webhooks', rounds: Round[], limits: HangingPlan['limits']): Finding {
  const of = (phase: 'without' | 'with') =>
    quantile(
      rounds.map(each => p99(each[phase][what])),
      0.5,
    )
  const [without, beside] = [of('without'), of('with')]
  const growth = beside / without
  return {
    promise: `${way}: p99 of others’ ${what} grows by less than ${limits.growth} × (medians)`,
    figure: `${growth.toFixed(2)} ×, ${without} → ${beside} ms`,
    holds: growth < limits.growth || beside < limits.p99Ms,
  }
}
