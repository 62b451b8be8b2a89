// Conversations while web and worker are killed and PostgreSQL is restarted: customers write and are answered over a platform that repeats and reorders
// what it tells, and that times out, resets, refuses and fails. What it was told is compared with what it took, by its own book: talk-evidence.ts.
import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { freePort } from '../../src/loopback.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Reporting, runShopdesk, startScript } from '../../test/support/processes.ts'
import { type Random, seeded } from '../../test/support/random.ts'
import {
  ACCOUNT,
  APP_SECRET,
  delivered,
  type Gate,
  gate,
  question,
  sayAll,
  shuffledAndRepeated,
  type Talking,
  tellAll,
} from './customers.ts'
import { type Environment, openEnvironment, type Shop } from './environment.ts'
import type { Told } from './platform-process.ts'
import { type Evidence, findings, left, readWritten, type Shaken, sent, threads, unknown } from './talk-evidence.ts'
import type { Outcome } from './verdict.ts'

export interface ConversationsPlan {
  seed: number
  customers: number
  /** Messages of customers; a tenth of them is told twice. */
  updates: number
  replies: number
  /** Workers and web are killed in turn, this many times in all. */
  kills: number
  restarts: number
  workers: number
  /** Between one fault and the next, at random. */
  pauseMs: [least: number, most: number]
  /** PostgreSQL's, for a test that has nothing to lose. */
  settings?: Record<string, string>
}

const TIMEOUT_MS = 2_000
/** A key may write 120 times a minute. */
const KEYS = 40
/** How long before a fault its portion of the load is let out, at most. */
const LEAD_MS = 800
/** Customers who write while the channel is disabled, and messages of each: together one set. */
const BACKLOG = { customers: 10, messages: 10 }
/** Leases lapse, and what is held or failing goes on. */
const DRAIN_LIMIT_MS = 240_000
const START_LIMIT_MS = 120_000

export async function runConversations(plan: ConversationsPlan): Promise<Outcome> {
  const environment = await openEnvironment(plan.settings)
  const random = seeded(plan.seed)
  const { sql } = environment
  try {
    const platform = await startScript(new URL('./platform-process.ts', import.meta.url), [String(plan.seed)])
    const port = await freePort()
    const SECRET_KEY = createHmac('sha256', String(plan.seed)).digest('hex')
    const settings = { SECRET_KEY, PORT: String(port), INBOUND_CHANNEL_LIMIT: '1000000', CHANNEL_TIMEOUT_MS: String(TIMEOUT_MS) }
    const web = keep(environment, 'web', settings)
    const workers = Array.from({ length: plan.workers }, () => keep(environment, 'worker', settings))
    await Promise.all([web, ...workers].map(each => each.running()))
    const shop = await environment.shop(KEYS)
    const channel = await aChannel(sql, shop, String(platform.ready), parseKeyring(SECRET_KEY) as Keyring)
    const at: Talking = { origin: `http://127.0.0.1:${port}`, shop, channel, bugs: [] }

    const customers = Array.from({ length: plan.customers }, (_, i) => `4915${100_000_000 + i}`)
    const since = Math.floor(Date.now() / 1000) - 3600
    const questions = (rounds: [first: number, count: number], of = customers.length) =>
      Array.from({ length: rounds[1] }, (_, i) => {
        const n = rounds[0] + i
        return question(customers[i % of] as string, n, since + 1 + Math.floor(n / of))
      })
    // Each is there before the faults begin: what is proven is what becomes of messages.
    const first = await tellAll(at, questions([0, plan.customers]))
    const ids = await eventually(async () => all(await threads(sql, shop.tenant), customers.length), START_LIMIT_MS)

    const load = gate()
    const loading = Promise.all([
      tellAll(at, shuffledAndRepeated(questions([plan.customers, plan.updates]), random), load),
      sayAll(at, ids, plan.replies, load),
    ])
    const faults = injectFaults(environment, [web, ...workers], random, plan, load)
    const [shaken, [told, said]] = await Promise.all([faults, loading])
    const backlog = await tellWhileDisabled(environment, at, SECRET_KEY, () => {
      const behind = plan.customers + plan.updates
      const later = { first: Math.ceil(behind / BACKLOG.customers) * BACKLOG.customers, count: BACKLOG.customers * BACKLOG.messages }
      return random.shuffled(questions([later.first, later.count], BACKLOG.customers))
    })
    await drained(sql, shop)
    const platformTold = await platform.ask<Told>('book')
    // The platform reports on what it took; what is unknown and was taken is settled by that.
    const unknownBefore = await unknown(sql, shop.tenant)
    await tellAll(
      at,
      platformTold.book.map(entry => delivered(entry.to, entry.id, entry.ours, Math.floor(Date.now() / 1000))),
    )
    await drained(sql, shop)
    const written = await readWritten(sql, shop.tenant)
    const evidence: Evidence = {
      acknowledged: [...first.values(), ...told.values(), ...backlog.values()],
      platform: platformTold,
      shaken,
      unknownBefore,
      written,
      left: await left(sql, shop.tenant),
      bugs: at.bugs,
    }
    return { facts: factsOf(evidence, said, plan), findings: findings(evidence) }
  } finally {
    await environment.close()
  }
}

const all = (found: Map<string, string>, count: number): string[] | undefined => (found.size === count ? [...found.values()] : undefined)

function aChannel(sql: Sql, { tenant }: Shop, origin: string, keyring: Keyring): Promise<string> {
  const channel: accounts.NewAccount = {
    platform: 'whatsapp',
    name: 'WhatsApp',
    account: { id: ACCOUNT, name: null },
    settings: { api_url: origin },
    credentials: { token: 'the-token', app_secret: APP_SECRET },
  }
  return begin(sql, tx => accounts.add(tx, { tenant, actor: { type: 'system' } }, channel, keyring))
}

interface Kept {
  command: 'web' | 'worker'
  running(): Promise<Reporting>
  kill(): Promise<void>
}

/** A process that is started again whenever it ends. */
function keep(environment: Environment, command: 'web' | 'worker', settings: Record<string, string>): Kept {
  let current: Reporting | undefined
  void (async () => {
    while (!environment.closing.aborted) {
      // While the database is away it refuses to start, as it should.
      const started = await environment.start(command, settings).catch(() => delay(300))
      if (!started) continue
      current = started
      await started.ended
      current = undefined
    }
  })()
  const running = () => eventually(async () => current, START_LIMIT_MS)
  return { command, running, kill: async () => void (await (await running()).stop('SIGKILL')) }
}

/** The load goes out in portions, one before each fault. @returns what was being sent when a worker was killed or PostgreSQL restarted */
async function injectFaults(environment: Environment, kept: Kept[], random: Random, plan: ConversationsPlan, load: Gate): Promise<Shaken> {
  const shaken: Shaken = { begun: new Set(), spells: [] }
  const kinds = random.shuffled<'kill' | 'restart'>([...Array(plan.kills).fill('kill'), ...Array(plan.restarts).fill('restart')])
  let kills = 0
  for (const [n, kind] of kinds.entries()) {
    // Not for anything to happen: random moments are what is tested.
    await delay(random.between(...plan.pauseMs))
    load.open((n + 1) / kinds.length)
    await delay(random.between(0, LEAD_MS))
    const victim = kept[kills % kept.length] as Kept
    if (kind === 'kill') kills++
    const sends = kind === 'restart' || victim.command === 'worker'
    if (sends) await noteBegun(environment.sql, shaken)
    const from = Date.now()
    await (kind === 'kill' ? victim.kill() : environment.restartPostgres())
    if (sends) shaken.spells.push([from, Date.now()])
    if (sends) await noteBegun(environment.sql, shaken)
  }
  return shaken
}

async function noteBegun(sql: Sql, { begun }: Shaken): Promise<void> {
  for (const id of await eventually(() => sent(sql).catch(() => undefined), START_LIMIT_MS)) begun.add(id)
}

/** Customers write while the channel is disabled: all of it waits together. */
async function tellWhileDisabled(environment: Environment, at: Talking, SECRET_KEY: string, backlog: () => Parameters<typeof tellAll>[1]) {
  await channelCommand(environment, 'disable', at, SECRET_KEY)
  const told = await tellAll(at, backlog())
  await channelCommand(environment, 'enable', at, SECRET_KEY)
  return told
}

async function channelCommand({ databaseUrl }: Environment, verb: string, { channel, shop }: Talking, SECRET_KEY: string): Promise<void> {
  const command = runShopdesk(['channel', verb, channel, '--tenant', shop.tenant], { DATABASE_URL: databaseUrl, SECRET_KEY })
  if ((await command.ended) !== 0) throw new Error(command.output())
}

/** Nothing waits to be sent or applied. What does by then is a finding. */
async function drained(sql: Sql, { tenant }: Shop): Promise<void> {
  await eventually(async () => (await left(sql, tenant).catch(() => ['?'])).length === 0, DRAIN_LIMIT_MS).catch(() => {})
}

function factsOf({ acknowledged, platform, shaken, unknownBefore, written }: Evidence, said: number, plan: ConversationsPlan) {
  const ended = (status: string) => written.replies.filter(each => each.status === status).length
  return {
    seed: plan.seed,
    'kill -9 of web and worker in turn': plan.kills,
    'immediate restarts of PostgreSQL': plan.restarts,
    'updates acknowledged': acknowledged.length,
    'replies written': said,
    'requests to send a message': platform.asked.length,
    'messages taken by the platform': platform.book.length,
    'requests left without an answer': platform.unanswered.length,
    'messages being sent when a worker was killed or PostgreSQL restarted': shaken.begun.size,
    'unknown before the platform reported': unknownBefore.length,
    'unknown in the end': ended('unknown'),
    failed: ended('failed'),
  }
}
