// Every statement about what was said in one thread of a channel, as those who write there see it.
import type { Ref } from '../ids.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import { addJob } from '../queue/jobs.ts'
import type { Message } from './schema.ts'

export interface Thread {
  channel_id: string
  /** A chat, a number or an id of a person: whatever the channel tells its conversations apart by. */
  thread: string
}

/** Conversations of a thread that are looked at, the newest: what was closed long ago is no part of a talk any more. */
const TALKS = 5

// A note's text cannot look like the flag: its quotes are escaped.
const VISIBLE = part`m.status <> 'failed' and position('"private":true' in m.doc) = 0`

/** Conversations of a thread whose messages can be read again, the newest. */
const TALKS_READ = 100

const talks = (tenant: string, { channel_id, thread }: Thread, limit = TALKS): Fragment => part`
  select c.id from conversations c
   where c.tenant_id = ${tenant} and c.channel_id = ${channel_id} and c.thread = ${thread}
   order by c.created_at desc
   limit ${limit}`

interface Row {
  doc: string
}

/** A message, and so where it stands. */
type Position = Pick<Message, 'id' | 'created_at'>

const asMessage = ({ doc }: Row): Message => JSON.parse(doc) as Message

/** The newest messages, or those before one, the newest first. */
export async function newest(sql: Queryable, tenant: string, thread: Thread, limit: number, before?: Position): Promise<Message[]> {
  const older = before === undefined ? part`` : part`and (m.created_at, m.id) < (${before.created_at}::text::timestamptz, ${before.id})`
  const rows = await sql<Row[]>`
    select m.doc
      from (${talks(tenant, thread, TALKS_READ)}) c
     cross join lateral (
       select m.doc, m.created_at, m.id from messages m
        where m.tenant_id = ${tenant} and m.conversation_id = c.id and ${VISIBLE} ${older}
        order by m.created_at desc, m.id desc
        limit ${limit}) m
     order by m.created_at desc, m.id desc
     limit ${limit}`
  return rows.map(asMessage)
}

/** What was said after a time and the message of that time, the oldest first. */
export async function since(sql: Queryable, tenant: string, thread: Thread, after: Position, limit: number): Promise<Message[]> {
  const rows = await sql<Row[]>`
    select m.doc
      from (${talks(tenant, thread)}) c
     cross join lateral (
       select m.doc, m.created_at, m.id from messages m
        where m.tenant_id = ${tenant} and m.conversation_id = c.id and ${VISIBLE}
          and (m.created_at, m.id) > (${after.created_at}::text::timestamptz, ${after.id})
        order by m.created_at, m.id
        limit ${limit}) m
     order by m.created_at, m.id
     limit ${limit}`
  return rows.map(asMessage)
}

/** The ids of the thread's last conversations, the newest first. */
export const talkIds = async (sql: Queryable, tenant: string, thread: Thread): Promise<string[]> =>
  (await sql<{ id: string }[]>`${talks(tenant, thread)}`).map(each => each.id)

/** A message, and where it was said. */
export interface Told extends Thread {
  message: Message
}

/** Those of these messages that were said in one of these threads, in the order of their ids. */
export async function inThreads(sql: Queryable, tenant: string, threads: string[], ids: string[]): Promise<Told[]> {
  const rows = await sql<(Row & Thread)[]>`
    select c.channel_id, c.thread, m.doc
      from messages m
      join conversations c on c.tenant_id = ${tenant} and c.id = m.conversation_id and c.thread = any(${threads}::text[])
     where m.tenant_id = ${tenant} and m.id = any(${ids}::text[]) and ${VISIBLE}
     order by m.id`
  return rows.map(({ channel_id, thread, ...row }) => ({ channel_id, thread, message: asMessage(row) }))
}

/** Answers in a conversation that the customer has not read. */
export interface Unseen extends Thread {
  conversation: string
  /** The oldest first. */
  messages: Message[]
}

/** What is unseen in the conversation of a message. Locks it, so that the second of two that ask at once sees what the first has done. */
export async function lockUnseen(tx: Tx, { tenant, id }: Ref, limit: number): Promise<Unseen | undefined> {
  const [found] = await tx<(Thread & { conversation: string })[]>`
    select c.id as conversation, c.channel_id, c.thread
      from messages m
      join conversations c on c.tenant_id = ${tenant} and c.id = m.conversation_id
     where m.tenant_id = ${tenant} and m.id = ${id}
       for no key update of c`
  if (!found) return undefined
  // A statement of its own, for it has to see what was committed while it waited.
  const rows = await tx<Row[]>`
    select m.doc
      from messages m
     where m.tenant_id = ${tenant} and m.conversation_id = ${found.conversation}
       and m.status in ('sent', 'delivered') and ${VISIBLE}
     order by m.created_at desc, m.id desc
     limit ${limit}`
  const messages = rows.map(asMessage).filter(each => each.direction === 'outbound' && each.deleted_at === null)
  return { ...found, messages: messages.reverse() }
}

/** Has an answer mailed if it is not read within that time. */
export async function mailLater(tx: Tx, { tenant, id }: Ref, seconds: number): Promise<void> {
  const payload = { tenantId: part`${tenant}::text`, messageId: part`${id}::text` }
  await tx`select ${addJob('chat/mail-unread', payload, { maxAttempts: MAIL_TRIES, after: part`make_interval(secs => ${seconds})` })}`
}

/** The last ones come after hours. */
const MAIL_TRIES = 20

/** Those of these messages that belong to the thread. */
export async function among(sql: Queryable, tenant: string, thread: Thread, ids: string[]): Promise<Message[]> {
  const rows = await sql<Row[]>`
    select m.doc
      from messages m
      join conversations c on c.tenant_id = ${tenant} and c.id = m.conversation_id
     where m.tenant_id = ${tenant} and m.id = any(${ids}::text[]) and ${VISIBLE}
       and c.channel_id = ${thread.channel_id} and c.thread = ${thread.thread}`
  return rows.map(asMessage)
}
