// The assistant's words. A turn begins with what it reads; whatever it says later counts only if no person has stepped in since and the customer has
// written nothing more.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { Tx } from '../postgres/sql.ts'
import { attempt, notFound, Problem } from '../problems.ts'
import { heldOf } from './change.ts'
import type { Held } from './conversation.ts'
import { type Opened, open } from './open.ts'
import { refuseEmpty, refuseUnfit } from './outgoing.ts'
import * as refusals from './refusals.ts'
import { say } from './reply.ts'
import type { Author, Message, NewMessage } from './schema.ts'
import * as store from './store.ts'

/** What a turn of the assistant begins with. */
export interface Turn {
  conversation_id: string
  epoch: number
  /** The id of the newest message that it reads. */
  seen: string
}

/** @returns undefined where the assistant has nothing to say: it is paused, the conversation is closed, or the customer has not written @throws {Problem} 404 */
export async function beginTurn(tx: Tx, { tenant }: Caller, id: string): Promise<Turn | undefined> {
  const held = await store.hold(tx, { tenant, id })
  if (!held) throw notFound('conversation')
  const { ai_status, status, last_message } = held.conversation
  if (ai_status !== 'on' || status !== 'open' || held.blocked || !last_message) return undefined
  return { conversation_id: id, epoch: held.epoch, seen: last_message.id }
}

export type Words = Pick<NewMessage, 'text' | 'choices'> & Pick<Partial<Message>, 'ai'>

export type Spoken =
  | { said: Message }
  /** A person stepped in: who, as far as that is known, and when. */
  | { silent: 'taken_over'; by: Author | { id: string | null } | null; at: string | null }
  /** The customer wrote again: the next turn answers. */
  | { silent: 'newer_message'; message: Message }
  /** Nothing can be sent now: reply_window_closed, channel_disabled, channel_deleted, contact_blocked. */
  | { silent: 'refused'; problem: Problem }

/**
 * Says something to the customer as the assistant, if it is on, the epoch is the one its turn began with and nothing newer was written. What is queued and
 * has not begun to go out when a person steps in is withdrawn.
 * @returns the message; else why the assistant is silent
 * @throws {Problem} 404; 422 for words that the channel does not take
 */
export async function speak(tx: Tx, caller: Caller, turn: Turn, words: Words): Promise<Spoken> {
  refuseEmpty(words)
  const id = turn.conversation_id
  const opened = await open(tx, caller, id, [turn.seen])
  const { change, channel } = opened
  const held = heldOf(change, id)
  const newer = await newerThan(tx, caller, opened, turn)
  const { conversation, epoch } = held
  if (conversation.ai_status !== 'on' || epoch !== turn.epoch || conversation.status !== 'open') return takenOver(held, newer)
  // What an app writes by itself answers nothing.
  const [message] = newer.filter(({ author }) => author.type !== 'ai' && author.type !== 'app')
  if (message) return { silent: 'newer_message', message }
  const refused = attempt(() => {
    refusals.ofChannel(channel)
    refusals.ofContact(held)
    refusals.ofAssistantsWindow(channel, held, now())
  })
  if (refused instanceof Problem) return { silent: 'refused', problem: refused }
  refuseUnfit(channel, words, [])
  const { text = null, choices = null, ai = null } = words
  const author: Author = { type: 'ai', id: null, name: null, via: null }
  const status = channel.platform === 'web' ? 'sent' : 'queued'
  return { said: await say(tx, change, held, { direction: 'outbound', author, status, text, choices, ai }, epoch) }
}

/** What was written after the message that the turn has read, notes among the staff left out. */
async function newerThan(tx: Tx, { tenant }: Caller, { seen }: Opened, turn: Turn): Promise<Message[]> {
  const since = seen.get(turn.seen)?.created_at ?? new Date(0).toISOString()
  const rows = await tx<store.StoredRow[]>`${store.saidSince(tenant, turn.conversation_id, since, NEWER)}`
  return rows.map(row => store.asMessage(row).message).filter(each => !each.private)
}

/** One is enough to be silent; the others are the assistant's own of this turn. */
const NEWER = 50

function takenOver({ conversation }: Held, newer: Message[]): Spoken {
  const words = newer.find(each => each.author.type === 'operator')
  if (words) return { silent: 'taken_over', by: words.author, at: words.created_at }
  const { ai_paused_by, ai_paused_at } = conversation
  return { silent: 'taken_over', by: ai_paused_at === null ? null : { id: ai_paused_by }, at: ai_paused_at }
}
