// A talk as the customer sees it, where the service shows it to them itself: no notes, nothing that failed.
import type { Ref } from '../ids.ts'
import { MESSAGES_COMPARED } from '../limits/conversations.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import type { Message } from './schema.ts'
import type { Thread } from './thread-store.ts'
import * as store from './thread-store.ts'

export type { Thread } from './thread-store.ts'

export interface Said {
  /** The oldest first. */
  messages: Message[]
  /** There are others: later ones where what stands after a message was asked for, else earlier ones. */
  more: boolean
}

/** The newest messages of a thread; or, in their order, those after a message of it. After one that is not its own come the newest, and no more. */
export async function saidIn(sql: Queryable, tenant: string, thread: Thread, limit: number, after?: string): Promise<Said> {
  const last = after === undefined ? undefined : await messageOf(sql, tenant, thread, after)
  if (!last) {
    const newest = lastOf(await store.newest(sql, tenant, thread, limit + 1), limit)
    return after === undefined ? newest : { ...newest, more: false }
  }
  const found = await store.since(sql, tenant, thread, last, limit + 1)
  return { messages: found.slice(0, limit), more: found.length > limit }
}

/** The messages of a thread just before one of it; none before one that is not its own. */
export async function saidBefore(sql: Queryable, tenant: string, thread: Thread, limit: number, before: string): Promise<Said> {
  const first = await messageOf(sql, tenant, thread, before)
  return lastOf(first ? await store.newest(sql, tenant, thread, limit + 1, first) : [], limit)
}

/** @param found the newest first */
const lastOf = (found: Message[], limit: number): Said => ({ messages: found.slice(0, limit).reverse(), more: found.length > limit })

/** Answers that the customer has not read in the conversation of this message; undefined where it is none. Locks the conversation. */
export const unseenWith = (tx: Tx, message: Ref): Promise<store.Unseen | undefined> => store.lockUnseen(tx, message, MESSAGES_COMPARED)

/** Has an answer on web chat mailed if the visitor has not seen it by then: see src/chat/unread.ts. */
export const mailUnseenLater = store.mailLater

/** The ids of the thread's last conversations, the newest first. */
export const talksOf = store.talkIds

/** Those of these messages that were said in one of these threads. */
export const shownIn = store.inThreads
export type { Told } from './thread-store.ts'

/** @returns undefined of a message that is not the thread's, or not for the customer to see */
export const messageOf = async (sql: Queryable, tenant: string, thread: Thread, id: string): Promise<Message | undefined> =>
  (await store.among(sql, tenant, thread, [id]))[0]
