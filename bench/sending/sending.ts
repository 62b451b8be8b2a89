// Replies through `bin/shopdesk worker` to a platform that answers at once, against undici posting about the same bytes; and from a reply's answer to its
// first byte at the platform, beside a webhook's commit to first byte.
import { setTimeout as delay } from 'node:timers/promises'
import { createKey } from '../../src/access/keys.ts'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { wakeThrough } from '../../src/channels/sending/wake.ts'
import { apply } from '../../src/conversations/apply.ts'
import { reply } from '../../src/conversations/reply.ts'
import type { Update } from '../../src/conversations/update.ts'
import { setListeners } from '../../src/events/emit.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { deliveryListener, wakeThrough as wakeWebhooksThrough } from '../../src/webhooks/delivery/fan-out.ts'
import { aBacklog } from '../../test/support/backlog-of-messages.ts'
import { type Reporting, startScript, startShopdesk, stopAll } from '../../test/support/processes.ts'
import { openCounter } from '../../test/support/statement-counter.ts'
import { median, verdict } from '../compare.ts'
import { SECRET_KEY } from '../dataset.ts'
import { setEndpoints } from '../deliver/backlog.ts'
import type { Committed } from '../deliver/loader.ts'
import { type Receiver, startReceiver, startWorker } from '../deliver/processes.ts'
import { type Environment, openEnvironment } from '../environment.ts'
import { COUNTING, meter } from '../inbound/cost.ts'
import { webSettings } from '../inbound/shops.ts'
import { describeMachine } from '../machine.ts'
import type { Load, Talk as Written } from './loader.ts'

const CHANNELS = 50
const TENANTS = 10
const CONVERSATIONS = 100
const EACH = 4
const ROUNDS = 3
const BASELINE_MS = 2_000
const BASELINE_CONNECTIONS = 64
const LATENCY_MS = 10_000
const WARM_UP_MS = 2_000
/** A key may write 120 times a minute. */
const WRITES_OF_KEY = 100
/** Makes a request of about 1 KB, as the baseline's. */
const TEXT = 'x'.repeat(700)

const keyring = parseKeyring(SECRET_KEY) as Keyring

interface Talk {
  tenant: string
  channel: string
  conversation: string
}

/** @param only how soon replies are at the platform, at so many a second, and what they cost. Undefined: everything, and that at a tenth of the rate */
export async function sending(only?: number): Promise<void> {
  console.log(
    `\nsending: ${CHANNELS * CONVERSATIONS} conversations of ${CHANNELS} channels of ${TENANTS} tenants, a platform that answers at once, paces lifted`,
  )
  const environment = await openEnvironment('sending', only === undefined ? {} : COUNTING)
  const { sql } = environment.db
  console.log(await describeMachine(sql))
  try {
    setListeners([deliveryListener])
    const waking = wakeThrough(sql, report)
    const webhooks = wakeWebhooksThrough(environment.db, report)
    const platform = await startReceiver()
    const talks = await makeTalks(sql, platform.port)
    if (only === undefined) await backlogs(environment, platform, talks)
    else {
      const worker = await startWorker(environment.databaseUrl, 200)
      await round(environment, platform, talks)
      await latencies(environment, only, worker)
    }
    await Promise.all([waking.allAwake(), webhooks.allAwake()])
  } finally {
    await stopAll()
    await environment.close()
  }
}

/** A backlog, against undici alone; and how soon replies are at the platform at a tenth of that rate. */
async function backlogs(environment: Environment, platform: Receiver, talks: Talk[]): Promise<void> {
  const counter = await openCounter(environment.databaseUrl)
  await startWorker(counter.url, 200)
  const [baselines, ours, statements]: [number[], number[], number[]] = [[], [], []]
  await round(environment, platform, talks)
  for (let i = 0; i < ROUNDS; i++) {
    baselines.push(await baseline(platform))
    const before = counter.statements()
    ours.push(await round(environment, platform, talks))
    statements.push((counter.statements() - before) / (CHANNELS * CONVERSATIONS * EACH))
  }
  line('undici alone', baselines)
  line('bin/shopdesk worker', ours)
  const share = median(ours.map((rate, i) => rate / (baselines[i] as number)))
  console.log(`  ${'of the baseline'.padEnd(34)} ${(share * 100).toFixed(1).padStart(7)} %, required 5 %: ${verdict(share >= 0.05)}`)
  console.log(
    `  ${'statements for a message'.padEnd(34)} ${median(statements).toFixed(2).padStart(7)}, at most 1: ${verdict(median(statements) <= 1)}`,
  )
  await latencies(environment, median(ours) / 10)
  await stopAll()
  await counter.close()
}

const report = (error: unknown): void => {
  throw error
}

const line = (name: string, rates: number[]): void =>
  console.log(
    `  ${name.padEnd(34)} ${Math.round(median(rates)).toLocaleString('en').padStart(7)}/s  (${rates.map(rate => Math.round(rate).toLocaleString('en')).join(', ')})`,
  )

/** A conversation of each channel. */
async function makeTalks(sql: Sql, port: number): Promise<Talk[]> {
  const tenants = await Promise.all(
    Array.from({ length: TENANTS }, () => createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })),
  )
  const talks: Talk[] = []
  for (let i = 0; i < CHANNELS; i++) {
    const { id: tenant } = tenants[i % TENANTS] as { id: string }
    const caller = { tenant, actor: { type: 'system' } } as const
    const settings = { send_url: `http://127.1.0.${i + 1}:${port}/send`, max_per_second: 1_000_000 }
    const input = { platform: 'api', name: 'A channel', settings, credentials: { secret: accounts.newSecret() } } as const
    const channel = await begin(sql, tx => accounts.add(tx, caller, input, keyring))
    const update: Update = {
      kind: 'message',
      thread: 'customer',
      at: null,
      from: { ids: ['customer'], name: 'Ann' },
      external_id: 'first',
      said: { text: 'Hello?', media: [] },
    }
    await begin(sql, async tx =>
      apply(tx, caller, (await accounts.of(tx, tenant, channel)) as accounts.Account, [{ update, receivedAt: new Date() }]),
    )
    const [row] = await sql<{ id: string }[]>`select id from conversations where tenant_id = ${tenant} and channel_id = ${channel}`
    talks.push({ tenant, channel, conversation: row?.id as string })
  }
  return talks
}

const say = ({ tenant, conversation }: Talk, sql: Sql, text: string): Promise<string> =>
  begin(sql, async tx => (await reply(tx, { tenant, actor: { type: 'cli' } }, conversation, { text })).id)

/** Drains a backlog. @returns messages a second, from the first to the last at the platform */
async function round({ db: { sql } }: Environment, platform: Receiver, talks: Talk[]): Promise<number> {
  await sql`update channels set quiet_until = now() + interval '1 hour'`
  for (const [n, talk] of talks.entries()) {
    const message = await say(talk, sql, `${TEXT}${n} ${Math.random()}`)
    await aBacklog(sql, { shop: { id: talk.tenant }, ...talk }, message, CONVERSATIONS, EACH)
  }
  await sql`vacuum analyze messages, conversations, channel_queues, channel_sends`
  await platform.ask('reset')
  await sql`update channels set quiet_until = null`
  while ((await sql`select 1 from channel_sends limit 1`).length > 0) await delay(50)
  const { count, firstAt, lastAt } = await platform.ask('count')
  const expected = talks.length * (CONVERSATIONS * EACH + 1)
  if (count !== expected) throw new Error(`${count} requests arrived for ${expected} messages`)
  return (count / (lastAt - firstAt)) * 1000
}

async function baseline(platform: Receiver): Promise<number> {
  const client = await startScript(new URL('../deliver/baseline.ts', import.meta.url), [
    String(platform.port),
    String(BASELINE_CONNECTIONS),
  ])
  await client.ask({ ms: BASELINE_MS })
  await platform.ask('reset')
  await client.ask({ ms: BASELINE_MS })
  const { count, firstAt, lastAt } = await platform.ask('count')
  await client.stop()
  return (count / (lastAt - firstAt)) * 1000
}

/** @param counted the worker, where what replies cost is printed */
async function latencies(environment: Environment, rate: number, counted?: Reporting): Promise<void> {
  const { sql } = environment.db
  const platform = await startReceiver(0, '{"type":"message","id":"')
  await sql`update channels set settings = jsonb_set(settings, '{send_url}', to_jsonb(regexp_replace(settings ->> 'send_url', ':[0-9]+/', ${`:${platform.port}/`})))`
  const receiver = await startReceiver()
  const endpoints = await setEndpoints(environment, CHANNELS, TENANTS, receiver.port)
  const loader = await startScript(new URL('../deliver/loader.ts', import.meta.url), [environment.databaseUrl])
  const web = await startShopdesk('web', webSettings(environment.databaseUrl), 'passed on')
  const writer = await startScript(new URL('./loader.ts', import.meta.url), [])
  const tenants = endpoints.map(each => each.tenant)
  const talks = await spread(environment)
  const load = { address: String(web.ready), talks, keys: await keysOf(sql, talks, rate), text: TEXT, rate }
  const measured: [name: string, p50: number, p99: number][] = []
  for (const ms of [WARM_UP_MS, LATENCY_MS]) {
    await receiver.ask('name')
    const events = await loader.ask<Committed>({ tenants, rate, ms })
    await delay(1_000)
    measured.push(['a webhook, from its commit', ...quantiles(events, (await receiver.ask('reset')).events)])
    await platform.ask('name')
    const used = counted && ms === LATENCY_MS ? await meter(environment, { web, worker: counted, load: writer, platform }) : undefined
    const replies = await writer.ask<Committed>({ ...load, ms } satisfies Load)
    await used?.print(replies.length)
    while ((await sql`select 1 from channel_sends limit 1`).length > 0) await delay(50)
    measured.push(['a reply, from its answer', ...quantiles(replies, (await platform.ask('reset')).events)])
  }
  const [webhook, message] = measured.slice(-2) as [(typeof measured)[0], (typeof measured)[0]]
  for (const [name, p50, p99] of [webhook, message])
    console.log(`  ${`${name}, ${Math.round(rate)}/s`.padEnd(34)} p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`)
  const [times50, times99] = [message[1] / webhook[1], message[2] / webhook[2]]
  console.log(
    `  ${'ratio'.padEnd(34)} p50 ${times50.toFixed(1)} ×, p99 ${times99.toFixed(1)} ×, at most 3 ×: ${verdict(times50 <= 3 && times99 <= 3)}`,
  )
}

/** As many keys as so many replies a second need. */
async function keysOf(sql: Sql, talks: Written[], rate: number): Promise<Record<string, string[]>> {
  const tenants = [...new Set(talks.map(each => each.tenant))]
  const count = Math.ceil((rate * (WARM_UP_MS + LATENCY_MS)) / 1000 / tenants.length / WRITES_OF_KEY)
  const keys: Record<string, string[]> = {}
  for (const tenant of tenants) {
    const made = Array.from({ length: count }, () => createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] }))
    keys[tenant] = (await Promise.all(made)).map(({ key }) => key)
  }
  return keys
}

/** CONVERSATIONS of each channel, in an order in which every channel has one before the first has another. */
const spread = ({ db: { sql } }: Environment): Promise<Written[]> => sql<Written[]>`
  select t.tenant_id as tenant, t.id as conversation
    from (select c.tenant_id, c.id, row_number() over (partition by c.channel_id order by c.id) as n from conversations c) t
   where t.n <= ${CONVERSATIONS}
   order by t.n, t.id`

function quantiles(began: Committed, arrived: [string, number][]): [p50: number, p99: number] {
  const at = new Map(arrived)
  const sorted = Float64Array.from(began, ([id, since]) => Math.max(0, (at.get(id) ?? Number.NaN) - since)).sort()
  return [sorted[Math.floor(sorted.length * 0.5)] as number, sorted[Math.floor(sorted.length * 0.99)] as number]
}
