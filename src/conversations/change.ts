// What one transaction does to conversations and messages that it holds: gathered, and written in one statement with the audit rows and the events.
import type { Caller } from '../caller.ts'
import * as contacts from '../contacts/contacts.ts'
import type { ContactSnapshot } from '../contacts/schema.ts'
import { type EventDraft, emitAll } from '../events/emit.ts'
import { changedPart } from '../live/feed.ts'
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { type Held, remembered } from './conversation.ts'
import { type ConversationClosed, type ConversationReopened, MessageFailed, MessageSent } from './events.ts'
import { hasFailed } from './message.ts'
import type { Message } from './schema.ts'
import * as store from './store.ts'

export interface Change {
  caller: Caller
  /** Conversations by their ids, as they are by now. */
  held: Map<string, Held>
  /** Messages by their ids, likewise: all that are looked at. */
  messages: Map<string, store.Stored>
  /** The ids of what is to be written. */
  written: { conversations: Set<string>; added: Set<string>; changed: Set<string> }
  contacts: Map<string, ContactSnapshot>
  events: EventDraft[]
  audit: AuditEntry[]
  /** The times of messages that contacts and the workspace exchanged. */
  exchanged: { id: string; at: string }[]
  /** The closed conversations, whose failed messages count no more. */
  forgiven: string[]
}

export const newChange = (caller: Caller, held: Held[], messages: store.Stored[] = []): Change => ({
  caller,
  held: new Map(held.map(each => [each.conversation.id, each])),
  messages: new Map(messages.map(each => [each.message.id, each])),
  written: { conversations: new Set(), added: new Set(), changed: new Set() },
  contacts: new Map(),
  events: [],
  audit: [],
  exchanged: [],
  forgiven: [],
})

/** Reads the contacts of the conversations that are held, as far as they are not known: events show them. */
export async function readContacts(tx: Tx, { caller, held, contacts: known }: Change): Promise<void> {
  const ids = new Set([...held.values()].map(each => each.conversation.contact.id).filter(id => !known.has(id)))
  if (ids.size === 0) return
  for (const row of await tx<ContactRow[]>`${contacts.snapshotsPart(caller, [...ids])}`) {
    const contact = contacts.snapshotOf(row)
    known.set(contact.id, contact)
  }
}
type ContactRow = Parameters<typeof contacts.snapshotOf>[0]

export const heldOf = (change: Change, id: string): Held => change.held.get(id) as Held

/** Sets what a conversation is by now. */
export function setHeld(change: Change, held: Held): void {
  change.held.set(held.conversation.id, held)
  change.written.conversations.add(held.conversation.id)
}

/** Adds a message, and its conversation after it. */
export function addMessage(change: Change, message: Message, after: Held): void {
  change.messages.set(message.id, { message, counts: false })
  change.written.added.add(message.id)
  setHeld(change, after)
}

/** Failures that need no look: a person cut the assistant short, or has looked already. */
const SEEN = ['taken_over', 'settled']

/** Sets what a message is by now; one that has failed, or failed no more, is counted in its conversation and told. */
export function setMessage(change: Change, message: Message): void {
  const { message: before, counts } = change.messages.get(message.id) as store.Stored
  if (message === before) return
  const changedStatus = message.status !== before.status
  const counting = changedStatus ? hasFailed(message) && !SEEN.includes(message.error?.code ?? '') : counts
  change.messages.set(message.id, { message, counts: counting })
  if (!change.written.added.has(message.id)) change.written.changed.add(message.id)
  const held = remembered(heldOf(change, message.conversation_id), message)
  const failed_count = Math.max(0, held.conversation.failed_count + Number(counting) - Number(counts))
  if (held !== change.held.get(message.conversation_id) || failed_count !== held.conversation.failed_count)
    setHeld(change, { ...held, conversation: { ...held.conversation, failed_count } })
  if (!changedStatus || message.status === 'queued') return
  const data = { message, ...snapshots(change, message.conversation_id) }
  if (hasFailed(message)) change.events.push({ caller: change.caller, type: MessageFailed, data } as EventDraft)
  else if (before.status === 'queued' || hasFailed(before))
    change.events.push({ caller: change.caller, type: MessageSent, data } as EventDraft)
}

/** A conversation and its contact as they are by now, as events show them. */
export function snapshots(change: Change, id: string) {
  const { conversation } = heldOf(change, id)
  return { conversation, contact: change.contacts.get(conversation.contact.id) as ContactSnapshot }
}

export const tell = (change: Change, type: typeof ConversationClosed | typeof ConversationReopened, id: string): void => {
  change.events.push({ caller: change.caller, type, data: { conversation_id: id, ...snapshots(change, id) } } as EventDraft)
}

/** Records that the contact and the workspace exchanged a message: later snapshots show its time. */
export function exchange(change: Change, id: string, at: string): void {
  const contact = change.contacts.get(id)
  if (contact) change.contacts.set(id, { ...contact, last_message_at: at })
  change.exchanged.push({ id, at })
}

/** Writes the change. @param also parts of the same statement @param isLast it is the transaction's last: see `commitBehind` */
export async function write(tx: Tx, { caller, ...change }: Change, also: Fragment[] = [], { isLast = false } = {}): Promise<void> {
  const { conversations, added, changed } = change.written
  const messages = (ids: Set<string>) => [...ids].map(id => change.messages.get(id) as store.Stored)
  const held = [...conversations].map(id => change.held.get(id) as Held)
  const channel = held[0]?.conversation.channel_id ?? ''
  const seen = [
    ...held.map(each => ({ conversation: each.conversation.id })),
    ...[...messages(added), ...messages(changed)].map(({ message }) => ({ conversation: message.conversation_id, message: message.id })),
  ]
  const writes = [
    ...(seen.length > 0 ? [changedPart(tx, caller.tenant, seen)] : []),
    ...(held.length > 0 ? [store.save(caller.tenant, held)] : []),
    ...(added.size > 0 ? [store.add(caller.tenant, channel, messages(added))] : []),
    ...(changed.size > 0 ? [store.change(caller.tenant, messages(changed))] : []),
    ...(change.forgiven.length > 0 ? [store.forgive(caller.tenant, change.forgiven)] : []),
    ...(change.exchanged.length > 0 ? [contacts.messagedAllPart(caller, change.exchanged)] : []),
    ...(change.audit.length > 0 ? [auditPart(change.audit)] : []),
    ...also,
  ]
  if (writes.length + change.events.length > 0) await emitAll(tx, change.events, writes, { isLast })
}
