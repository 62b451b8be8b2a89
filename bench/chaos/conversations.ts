// Conversations while web and worker are killed and PostgreSQL is restarted: customers write and are answered over a platform that repeats and reorders
// what it tells, and that times out, resets, refuses and fails. What it was told is compared with what it took, by its own book.
import { createHmac } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import * as accounts from '../../src/channels/accounts/accounts.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { type Keyring, parseKeyring } from '../../src/secrets.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Reporting, startScript } from '../../test/support/processes.ts'
import { type Random, seeded } from '../../test/support/random.ts'
import { type Environment, openEnvironment, type Shop } from './environment.ts'
import type { Told } from './platform-process.ts'
import { type Finding, none } from './verdict.ts'

export interface ConversationsPlan {
  seed: number
  customers: number
  /** Messages of customers; a tenth of them is told twice. */
  updates: number
  replies: number
  /** Of workers and of web, in turn. */
  kills: number
  restarts: number
  workers: number
  /** Between one fault and the next, at random. */
  pauseMs: [least: number, most: number]
  /** PostgreSQL's, for a test that has nothing to lose. */
  settings?: Record<string, string>
}

const ACCOUNT = '4711'
const APP_SECRET = 'the-app-secret'
const TIMEOUT_MS = 2_000
/** What is told at once. */
const TOLD_AT_ONCE = 16
const SAID_AT_ONCE = 8
/** A key may write 120 times a minute. */
const KEYS = 40
/** Leases lapse, and what is held or failing goes on. */
const DRAIN_LIMIT_MS = 240_000

export async function runConversations(plan: ConversationsPlan): Promise<{ facts: Record<string, string | number>; findings: Finding[] }> {
  const environment = await openEnvironment(plan.settings)
  const random = seeded(plan.seed)
  try {
    const platform = await startScript(new URL('./platform-process.ts', import.meta.url), [String(plan.seed)])
    const port = await freePort()
    const secretKey = createHmac('sha256', String(plan.seed)).digest('hex')
    const settings = {
      SECRET_KEY: secretKey,
      PORT: String(port),
      INBOUND_CHANNEL_LIMIT: '1000000',
      CHANNEL_TIMEOUT_MS: String(TIMEOUT_MS),
    }
    const keeping = [
      keep(environment, 'web', settings),
      ...Array.from({ length: plan.workers }, () => keep(environment, 'worker', settings)),
    ]
    await Promise.all(keeping.map(each => each.running()))
    const shop = await environment.shop(KEYS)
    const channel = await aChannel(environment.sql, shop, String(platform.ready), parseKeyring(secretKey) as Keyring)
    const at: Load = { origin: `http://127.0.0.1:${port}`, shop, channel, random, plan, sql: environment.sql }
    const customers = Array.from({ length: plan.customers }, (_, i) => `4915${100_000_000 + i}`)
    // Each is there before the faults begin: what is proven is what becomes of messages.
    await tellAll(
      at,
      customers.map((from, n) => inbound(from, n)),
    )
    await eventually(async () => (await conversationsOf(environment.sql, shop)).size === customers.length, 120_000)
    const load = Promise.all([tellAll(at, shuffledAndRepeated(at, customers)), sayAll(at, await conversationsOf(environment.sql, shop))])
    const inFlight = await injectFaults(environment, keeping, platform, random, plan)
    const [told, said] = await load
    await drained(environment.sql)
    // The platform reports on what it took; what is unknown and was taken is settled by that.
    const { book, unanswered } = await platform.ask<Told>('book')
    const unknownBefore = await countOf(environment.sql, shop, 'unknown')
    await tellAll(
      at,
      book.map(entry => status(entry.to, entry.id, entry.ours)),
    )
    await eventually(async () => (await waitingCallbacks(environment.sql, shop)) === 0, 120_000)
    const outcome = await read(environment.sql, shop)
    const expected = [...customers.map((_, n) => `wamid.in.${n}`), ...told]
    return {
      facts: {
        'updates acknowledged': told.length + customers.length,
        'replies written': said.length,
        'messages taken by the platform': book.length,
        'requests left without an answer': unanswered,
        'in flight at kills, at most': inFlight,
        'unknown before the platform reported': unknownBefore,
        'unknown in the end': outcome.replies.filter(each => each.status === 'unknown').length,
        failed: outcome.replies.filter(each => each.status === 'failed').length,
      },
      findings: [
        none('every acknowledged update is one message', missing(expected, outcome.inbound)),
        none('each message came once, with its event once', [
          ...repeated(outcome.inbound),
          ...outcome.eventsOf.filter(each => each.events !== 1).map(each => each.id),
        ]),
        none('each customer has one conversation', outcome.conversations === plan.customers ? [] : [`${outcome.conversations}`]),
        none('no reply was taken twice', repeated(book.map(entry => entry.text))),
        none('replies of a conversation were taken in the order written', outOfOrder(book, outcome.replies)),
        none('what is sent was taken, and what failed was not', wrong(book, outcome.replies)),
        none(
          'what the platform reported on is settled',
          outcome.replies.filter(each => each.status === 'unknown' && book.some(entry => entry.ours === each.id)).map(each => each.id),
        ),
        none(
          'unknown are no more than were without an answer or in flight at kills',
          unknownBefore <= unanswered + inFlight ? [] : [`${unknownBefore}`],
        ),
        none('nothing is left queued', [...outcome.replies.filter(each => each.status === 'queued').map(each => each.id), ...outcome.left]),
      ],
    }
  } finally {
    await environment.close()
  }
}

interface Load {
  origin: string
  shop: Shop
  channel: string
  random: Random
  plan: ConversationsPlan
  sql: Sql
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

const aChannel = (sql: Sql, { tenant }: Shop, origin: string, keyring: Keyring): Promise<string> =>
  begin(sql, tx =>
    accounts.add(
      tx,
      { tenant, actor: { type: 'system' } },
      {
        platform: 'whatsapp',
        name: 'WhatsApp',
        account: { id: ACCOUNT, name: null },
        settings: { api_url: origin },
        credentials: { token: 'the-token', app_secret: APP_SECRET },
      },
      keyring,
    ),
  )

interface Kept {
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
  const running = () => eventually(async () => current, 120_000)
  return { running, kill: async () => void (await (await running()).stop('SIGKILL')) }
}

/** @returns how many requests at most waited for the platform's answer when a worker was killed, all kills together */
async function injectFaults(
  environment: Environment,
  kept: Kept[],
  platform: Reporting,
  random: Random,
  plan: ConversationsPlan,
): Promise<number> {
  let inFlight = 0
  const kinds = random.shuffled<'kill' | 'restart'>([...Array(plan.kills).fill('kill'), ...Array(plan.restarts).fill('restart')])
  for (const [n, kind] of kinds.entries()) {
    // Not for anything to happen: a random moment is what is tested.
    await delay(random.between(...plan.pauseMs))
    const { open } = await platform.ask<Told>('book')
    // What was claimed and had not begun to be sent counts as well: sixteen of a channel at most.
    inFlight += Math.max(open, 16)
    await (kind === 'kill' ? (kept[n % kept.length] as Kept).kill() : environment.restartPostgres())
  }
  return inFlight
}

interface Callback {
  id: string
  body: string
}

const call = (value: object): string =>
  JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '1',
        changes: [{ field: 'messages', value: { messaging_product: 'whatsapp', metadata: { phone_number_id: ACCOUNT }, ...value } }],
      },
    ],
  })

const timestamp = (): string => String(Math.floor(Date.now() / 1000))

function inbound(from: string, n: number): Callback {
  const id = `wamid.in.${n}`
  const contacts = [{ profile: { name: `Customer ${from}` }, wa_id: from }]
  return { id, body: call({ contacts, messages: [{ from, id, timestamp: timestamp(), type: 'text', text: { body: `Question ${n}` } }] }) }
}

const status = (to: string, id: string, ours: string): Callback => ({
  id: `status ${id}`,
  body: call({ statuses: [{ id, status: 'delivered', timestamp: timestamp(), recipient_id: to, biz_opaque_callback_data: ours }] }),
})

/** Neighbours change places, and every tenth comes twice. */
function shuffledAndRepeated({ plan, random }: Load, customers: string[]): Callback[] {
  const all = Array.from({ length: plan.updates }, (_, i) => inbound(customers[i % customers.length] as string, customers.length + i))
  const withRepeats = all.flatMap(each => (random.next() < 0.1 ? [each, each] : [each]))
  return withRepeats
    .map((each, i) => ({ each, place: i + random.between(0, 20) }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each)
}

/** Delivers each until it has a 2xx. @returns the ids of what was acknowledged */
async function tellAll({ origin, channel }: Load, callbacks: Callback[]): Promise<string[]> {
  const next = callbacks.values()
  const told = new Set<string>()
  const one = async (): Promise<void> => {
    for (const { id, body } of next) {
      const signature = `sha256=${createHmac('sha256', APP_SECRET).update(body).digest('hex')}`
      const headers = { 'Content-Type': 'application/json', 'X-Hub-Signature-256': signature }
      await untilTaken(() => fetch(`${origin}/api/channels/${channel}/callback`, { method: 'POST', headers, body }))
      told.add(id)
    }
  }
  await Promise.all(Array.from({ length: TOLD_AT_ONCE }, one))
  return [...told]
}

/** Writes replies over REST, each under a key of its own until it is taken. @returns their texts */
async function sayAll({ origin, shop, plan }: Load, conversations: Map<string, string>): Promise<string[]> {
  const ids = [...conversations.values()]
  const texts: string[] = []
  let n = 0
  const one = async (lane: number): Promise<void> => {
    while (n < plan.replies) {
      const number = n++
      // A conversation's replies are written by one lane, so that their order is known.
      const mine = ids.filter((_, i) => i % SAID_AT_ONCE === lane)
      const id = mine[Math.floor(number / SAID_AT_ONCE) % mine.length]
      const text = `Answer ${number}`
      const headers = {
        Authorization: `Bearer ${shop.keys[number % shop.keys.length]}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `answer-${number}`,
      }
      const body = JSON.stringify({ text })
      await untilTaken(() => fetch(`${origin}/api/v1/conversations/${id}/messages`, { method: 'POST', headers, body }))
      texts.push(text)
    }
  }
  await Promise.all(Array.from({ length: SAID_AT_ONCE }, (_, lane) => one(lane)))
  return texts
}

/** A duplicate of what was taken is answered with 409; while the first is under way it says so, and is asked again. */
async function untilTaken(ask: () => Promise<Response>): Promise<void> {
  for (;;) {
    const response = await ask().catch(() => undefined)
    const text = await response?.text().catch(() => undefined)
    if (response?.ok && text !== undefined) return
    if (response?.status === 409 && text?.includes('duplicate_idempotency_key')) return
    if (response && response.status < 500 && response.status !== 429 && response.status !== 409)
      throw new Error(`${response.status}: ${text}`)
    await delay(200)
  }
}

async function conversationsOf(sql: Sql, { tenant }: Shop): Promise<Map<string, string>> {
  const rows = await sql<{ thread: string; id: string }[]>`select thread, id from conversations where tenant_id = ${tenant}`.catch(() => [])
  return new Map(rows.map(row => [row.thread, row.id]))
}

const waitingCallbacks = async (sql: Sql, { tenant }: Shop): Promise<number> =>
  (await sql<{ n: number }[]>`select count(*)::integer as n from callbacks where tenant_id = ${tenant} and status = 'waiting'`)[0]
    ?.n as number

const countOf = async (sql: Sql, { tenant }: Shop, state: string): Promise<number> =>
  (await sql<{ n: number }[]>`select count(*)::integer as n from messages where tenant_id = ${tenant} and status = ${state}`)[0]
    ?.n as number

/** Nothing waits to be sent or applied. What does by then is a finding. */
async function drained(sql: Sql): Promise<void> {
  await eventually(async () => {
    const [left] = await sql<{ n: number }[]>`
      select (select count(*) from channel_sends) + (select count(*) from callbacks where status = 'waiting') as n`.catch(() => [])
    return left?.n === 0
  }, DRAIN_LIMIT_MS).catch(() => {})
}

interface Reply {
  id: string
  text: string
  status: string
  thread: string
  at: number
}

async function read(sql: Sql, { tenant }: Shop) {
  const messages = await sql<{ id: string; external_id: string | null; status: string; doc: string; thread: string; created_at: Date }[]>`
    select m.id, m.external_id, m.status, m.doc, c.thread, m.created_at
      from messages m join conversations c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
     where m.tenant_id = ${tenant} order by m.created_at, m.id`
  const events = await sql<{ id: string; events: number }[]>`
    select m.id, count(e.id)::integer as events
      from messages m
      left join events e on e.tenant_id = m.tenant_id and e.type = 'message.received' and e.body::json -> 'data' -> 'message' ->> 'id' = m.id
     where m.tenant_id = ${tenant} and m.status = 'received'
     group by m.id`
  const left = await sql<{ message_id: string }[]>`select message_id from channel_sends where tenant_id = ${tenant}`
  return {
    inbound: messages.filter(each => each.status === 'received').map(each => each.external_id as string),
    replies: messages
      .filter(each => each.status !== 'received')
      .map(
        ({ id, doc, status: state, thread, created_at }): Reply => ({
          id,
          text: JSON.parse(doc).text,
          status: state,
          thread,
          at: created_at.getTime(),
        }),
      ),
    eventsOf: events,
    conversations: (await conversationsOf(sql, { tenant, keys: [] })).size,
    left: left.map(each => each.message_id),
  }
}

const missing = (expected: string[], found: string[]): string[] => {
  const there = new Set(found)
  return expected.filter(each => !there.has(each))
}

const repeated = (all: string[]): string[] => {
  const seen = new Set<string>()
  return all.filter(each => seen.size === seen.add(each).size)
}

function outOfOrder(book: Told['book'], replies: Reply[]): string[] {
  const written = new Map(replies.map(each => [each.id, each.at]))
  const last = new Map<string, number>()
  return book.flatMap(({ to, ours, text }) => {
    const at = written.get(ours) ?? 0
    const before = last.get(to) ?? 0
    last.set(to, Math.max(at, before))
    return at < before ? [text] : []
  })
}

function wrong(book: Told['book'], replies: Reply[]): string[] {
  const taken = new Set(book.map(each => each.ours))
  return replies
    .filter(({ id, status: state }) =>
      ['sent', 'delivered', 'read'].includes(state) ? !taken.has(id) : state === 'failed' && taken.has(id),
    )
    .map(each => `${each.id} ${each.status}`)
}
