// The evidence after conversations were shaken, and the promises that it must keep.
import type { Sql } from '../../src/postgres/sql.ts'
import type { Callback } from './customers.ts'
import type { Told } from './platform-process.ts'
import { type Finding, none } from './verdict.ts'

/** What may have been under way when a worker was killed or PostgreSQL restarted. */
export interface Shaken {
  /** Messages with an intent and no result, right before or after. */
  begun: Set<string>
  /** From the fault until it was over, in milliseconds since 1970: what was sent then may have lost its result. */
  spells: [from: number, until: number][]
}

interface Inbound {
  id: string
  external_id: string
  thread: string
  /** What was written in one transaction has the same. */
  transaction: string
  /** Its event's place in the order of commits. */
  place: number
}

interface Reply {
  id: string
  text: string
  status: string
}

export interface Written {
  /** In the order shown. */
  inbound: Inbound[]
  /** In the order shown. */
  replies: Reply[]
  threads: Map<string, string>
  /** By type: of what each event of it tells, a conversation or a message. */
  events: Map<string, string[]>
}

export interface Evidence {
  /** In the order in which they were. */
  acknowledged: Callback[]
  platform: Told
  shaken: Shaken
  /** Messages that were unknown before the platform reported on any. */
  unknownBefore: string[]
  written: Written
  left: string[]
  bugs: string[]
}

/** @returns conversations by thread; none while the database is away */
export async function threads(sql: Sql, tenant: string): Promise<Map<string, string>> {
  const rows = await sql<{ thread: string; id: string }[]>`select thread, id from conversations where tenant_id = ${tenant}`.catch(() => [])
  return new Map(rows.map(row => [row.thread, row.id]))
}

/** @returns messages whose intent is durable and whose result is not */
export const sent = async (sql: Sql): Promise<string[]> =>
  (await sql<{ message_id: string }[]>`select message_id from channel_sends where begun_at is not null`).map(each => each.message_id)

export const unknown = async (sql: Sql, tenant: string): Promise<string[]> =>
  (await sql<{ id: string }[]>`select id from messages where tenant_id = ${tenant} and status = 'unknown'`).map(each => each.id)

/** @returns what waits to be sent or applied, and the jobs for it */
export async function left(sql: Sql, tenant: string): Promise<string[]> {
  const rows = await sql<{ what: string }[]>`
    select 'message ' || message_id as what from channel_sends where tenant_id = ${tenant}
    union all
    select 'message ' || id from messages where tenant_id = ${tenant} and status = 'queued'
    union all
    select 'callback ' || id from callbacks where tenant_id = ${tenant} and status = 'waiting'
    union all
    select 'channel ' || id from channels where tenant_id = ${tenant} and (queued_at is not null or status <> 'enabled')
    union all
    select 'job ' || t.identifier
      from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
     where t.identifier ~ '^(channels|callbacks)/'`
  return rows.map(each => each.what)
}

export async function readWritten(sql: Sql, tenant: string): Promise<Written> {
  const messages = await sql<{ id: string; external_id: string; status: string; doc: string; thread: string }[]>`
    select m.id, m.external_id, m.status, m.doc, c.thread
      from messages m join conversations c on c.tenant_id = m.tenant_id and c.id = m.conversation_id
     where m.tenant_id = ${tenant} order by m.created_at, m.id`
  const events = await sql<{ type: string; of: string; transaction: string }[]>`
    select e.type, e.epoch || ':' || e.xid as transaction,
           coalesce(e.body::json #>> '{data,message,id}', e.body::json #>> '{data,conversation,id}') as of
      from events e where e.tenant_id = ${tenant} order by e.epoch, e.xid, e.seq`
  const received = new Map(events.map((each, place) => [`${each.type} ${each.of}`, { place, transaction: each.transaction }]))
  const inbound = messages.filter(each => each.status === 'received')
  return {
    inbound: inbound.map(each => ({ ...each, ...(received.get(`message.received ${each.id}`) ?? { place: -1, transaction: '' }) })),
    replies: messages.filter(each => each.status !== 'received').map(each => ({ ...each, text: JSON.parse(each.doc).text })),
    threads: await threads(sql, tenant),
    events: new Map([...Map.groupBy(events, each => each.type)].map(([type, each]) => [type, each.map(({ of }) => of)])),
  }
}

export const findings = (evidence: Evidence): Finding[] => [
  ...ofUpdates(evidence),
  ofOrder(evidence),
  ...ofTheBook(evidence),
  ...ofUnknown(evidence),
  none('nothing is left queued', evidence.left),
  none('no request met a bug (500)', evidence.bugs),
]

function ofUpdates({ acknowledged, written }: Evidence): Finding[] {
  const { inbound, events } = written
  const from = new Map(acknowledged.map(each => [each.id, each.from]))
  const found = new Set(inbound.map(each => each.external_id))
  return [
    none('every acknowledged update is one message', [
      ...[...from.keys()].filter(id => !found.has(id)),
      ...repeated(inbound.map(each => each.external_id)),
    ]),
    none('each is in its customer’s conversation, and each customer has one', [
      ...inbound.filter(each => from.get(each.external_id) !== each.thread).map(each => each.external_id),
      ...(written.threads.size === new Set(from.values()).size ? [] : [`${written.threads.size} conversations`]),
      ...notOnce([...written.threads.values()], events.get('conversation.started')),
    ]),
    none(
      'each has its event once',
      notOnce(
        inbound.map(each => each.id),
        events.get('message.received'),
      ),
    ),
  ]
}

/** What was applied together is in the platform's order; what came later was appended. Some must have come in another order, or nothing is proven. */
function ofOrder({ acknowledged, written }: Evidence): Finding {
  const known = new Map(acknowledged.map((each, came) => [each.id, { at: each.at, came }]))
  const astray: string[] = []
  let [together, overtaken] = [0, 0]
  for (const talk of Map.groupBy(written.inbound, each => each.thread).values())
    for (const [i, message] of talk.entries()) {
      const before = talk[i - 1]
      const [a, b] = [known.get(before?.external_id ?? ''), known.get(message.external_id)]
      if (!before || !a || !b) continue
      const isTogether = before.transaction === message.transaction
      if (isTogether) together++
      if (isTogether && a.came > b.came) overtaken++
      if (isTogether ? a.at > b.at : before.place > message.place) astray.push(`${before.external_id} before ${message.external_id}`)
    }
  const promise = `what waited together is in the platform’s order, what came later is appended (${together} followed one of the same set, ${overtaken} of them had come before it)`
  return none(promise, overtaken === 0 ? ['nothing was put in order', ...astray] : astray)
}

function ofTheBook({ platform: { book }, written }: Evidence): Finding[] {
  const taken = new Set(book.map(each => each.ours))
  const went = (status: string) => ['sent', 'delivered', 'read'].includes(status)
  const conversations = [...Map.groupBy(book, each => each.to).values()]
  return [
    none('no reply was taken twice', repeated(book.map(each => each.text))),
    none(
      'replies of a conversation were taken in the order written',
      conversations.flatMap(each => each.filter(({ text }, i) => i > 0 && numberOf(text) < numberOf(each[i - 1]?.text as string))),
    ),
    none(
      'what is sent was taken, and what failed was not',
      written.replies.filter(({ id, status }) => (went(status) ? !taken.has(id) : status === 'failed' && taken.has(id))),
    ),
    none(
      'each reply that was taken has message.sent once, and no other',
      notOnce(
        written.replies.filter(each => went(each.status)).map(each => each.id),
        written.events.get('message.sent'),
      ),
    ),
  ]
}

const numberOf = (text: string): number => Number(text.split(' ')[1])

function ofUnknown({ platform, shaken, unknownBefore, written }: Evidence): Finding[] {
  const taken = new Set(platform.book.map(each => each.ours))
  const shakenLater = platform.asked.filter(({ at }) => shaken.spells.some(([from, until]) => at >= from && at <= until))
  const excused = new Set([...platform.unanswered, ...shaken.begun, ...shakenLater.map(each => each.ours)])
  return [
    none(
      'unknown are those alone that were left without an answer, or in flight at a kill of their worker or a restart',
      unknownBefore.filter(id => !excused.has(id)),
    ),
    none('each of them told it once (message.failed)', notOnce(unknownBefore, written.events.get('message.failed'))),
    none(
      'what the platform reported on is settled',
      written.replies.filter(({ id, status }) => status === 'unknown' && taken.has(id)).map(each => each.id),
    ),
  ]
}

function repeated(all: string[]): string[] {
  const seen = new Set<string>()
  return all.filter(each => seen.size === seen.add(each).size)
}

/** What is expected and missing, or there and not expected, or there twice. */
function notOnce(expected: string[], found: string[] = []): string[] {
  const [wanted, there] = [new Set(expected), new Set(found)]
  return [...expected.filter(each => !there.has(each)), ...found.filter(each => !wanted.has(each)), ...repeated(found)]
}
