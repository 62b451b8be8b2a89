// The work of applying one set of updates: what is held, what is known, what begins.
import type { Account } from '../channels/accounts/accounts.ts'
import type { Met } from '../contacts/on-channel.ts'
import type { Person } from '../contacts/person.ts'
import type { ContactSnapshot } from '../contacts/schema.ts'
import { isId } from '../ids.ts'
import { type Change, setHeld } from './change.ts'
import { type Held, newConversation } from './conversation.ts'
import { begunCounted } from './counted.ts'
import type { Stored } from './store.ts'
import type { Media, Update } from './update.ts'

/** An update, and when it was told: it waits for its message no longer than a minute after that. */
export interface Told {
  update: Update
  receivedAt: Date
  /** What the platform numbers messages by, where it does: of two of one time the smaller came first. */
  order?: number | undefined
}

export type Outcome = { status: 'applied' } | { status: 'ignored'; reason: string } | { status: 'later'; until: Date; reason: string }
export const APPLIED: Outcome = { status: 'applied' }

export interface Applying {
  channel: Account
  change: Change
  /** How long after a customer's message people may reply, in hours; null: for ever. */
  replyHours: number | null
  /** The last conversation of each thread, by its id; the open one where there is one. */
  lastOf: Map<string, string>
  /** Our ids of messages, by the platform's. */
  external: Map<string, string>
  /** The people of the set; of two who have one name, one after the other, each is a contact of their own. */
  people: Map<Person, Met>
  /** The same, by each of their ids. */
  met: Map<string, Met>
  /** What else the channel calls the people of threads without an open conversation, by the threads. */
  aliases: Map<string, string[]>
  /** The files of new messages, by the messages' ids. */
  media: Map<string, { media: Media[]; blocked: boolean }>
  /** The ids of messages with files that are deleted. */
  removed: string[]
  /** The ids of conversations in which a person has answered. */
  takenOver: Set<string>
  /** The ids of messages of ours that were queued and are known to have arrived. */
  arrived: Set<string>
  /** The ids of conversations that begin here. */
  begun: Set<string>
  /** Milliseconds since 1970. */
  now: number
}

/** The platform's time of an update, else ours. */
export const timeOf = (work: Applying, { at }: { at: string | null }): string => at ?? new Date(work.now).toISOString()

/** The message that is meant; a generic channel may name ours by our own id in either place. */
export function target({ change, external }: Applying, named: { external_id?: string; our_id?: string }): Stored | undefined {
  const { external_id = '', our_id = external_id } = named
  const id = external.get(external_id) ?? (isId('msg', our_id) ? our_id : undefined)
  return id === undefined ? undefined : change.messages.get(id)
}

export function lastHeld({ change, lastOf }: Applying, thread: string): Held | undefined {
  const id = lastOf.get(thread)
  return id === undefined ? undefined : change.held.get(id)
}

/** The last conversation of a person by any of these names. */
export const lastHeldByAnyName = (work: Applying, names: string[]): Held | undefined => lastOfAll(heldByAnyName(work, names))

export const heldByAnyName = (work: Applying, names: string[]): Held[] =>
  names.map(each => lastHeld(work, each)).filter(each => each !== undefined)

/** The open one where there is one, the first of several; else the one that was closed last. */
export function lastOfAll(all: Held[]): Held | undefined {
  return all.find(each => each.conversation.status === 'open') ?? all.toSorted((a, b) => closedAt(b) - closedAt(a))[0]
}

const closedAt = ({ conversation: { closed_at } }: Held): number => Date.parse(closed_at ?? '')

/** What a thread may go by, where the update tells no other name of the person. */
export const namesOfThread = ({ aliases }: Applying, thread: string): string[] => [thread, ...(aliases.get(thread) ?? [])]

/**
 * What else the channel may have called the thread of a person: WhatsApp knows people by a number, by an id, or by both, and tells either. An account of
 * theirs is another thread, so a contact with several accounts on the channel is left alone.
 */
export function otherThreads(channel: Account, { contact, person }: Met): string[] {
  const mains = contact.channels.filter(each => each.channel_id === channel.id).map(each => each.external_id)
  return person.ids.length === 1 && mains.length !== 1 ? [] : [...person.ids, ...(mains.length === 1 ? mains : [])]
}

/** Begins a conversation of a thread. @param at its time, ISO 8601 */
export function begin(work: Applying, thread: string, contact: ContactSnapshot, at: string): Held {
  const { id: channel_id, platform } = work.channel
  const { id, name, email, email_claimed, blocked } = contact
  const fresh = newConversation({ platform, channel_id, contact: { id, name, email, email_claimed } }, at)
  // Until the customer writes, nothing may be answered where a window limits it.
  const conversation = { ...fresh, reply_until: work.replyHours === null ? null : at }
  // Nothing is open of a blocked contact.
  const held = { conversation: { ...conversation, ...(blocked && CLOSED(at)) }, thread, epoch: 0, customerAt: null, blocked }
  work.lastOf.set(thread, conversation.id)
  work.begun.add(conversation.id)
  setHeld(work.change, held)
  work.change.counted.push(begunCounted(work.change.caller.tenant, held))
  return held
}

const CLOSED = (at: string) => ({ status: 'closed', closed_at: at }) as const
