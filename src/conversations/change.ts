// What one transaction does to conversations and messages that it holds: gathered, and written in one statement with the audit rows and the events.
import { counted, type Difference } from '../analytics/counting.ts'
import type { Caller } from '../caller.ts'
import * as contacts from '../contacts/contacts.ts'
import type { ContactSnapshot } from '../contacts/schema.ts'
import { type EventDraft, emitAll } from '../events/emit.ts'
import { allChangedPart } from '../live/feed.ts'
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { gathered } from '../postgres/side-by-side.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { type Held, remembered } from './conversation.ts'
import { escalationCounted, messageCounted, takeoverCounted, tookOver } from './counted.ts'
import { type ConversationClosed, type ConversationReopened, MessageFailed, MessageSent } from './events.ts'
import { hasFailed } from './message.ts'
import type { Message } from './schema.ts'
import type { Stored } from './store.ts'
import * as store from './write-store.ts'

export interface Change {
  caller: Caller
  /** Conversations by their ids, as they are by now. */
  held: Map<string, Held>
  /** Messages by their ids, likewise: all that are looked at. */
  messages: Map<string, Stored>
  /** The ids of what is to be written. */
  written: { conversations: Set<string>; added: Set<string>; changed: Set<string> }
  contacts: Map<string, ContactSnapshot>
  events: EventDraft[]
  audit: AuditEntry[]
  /** By what the figures differ. */
  counted: Difference[]
  /** The times of messages that contacts and the workspace exchanged. */
  exchanged: { id: string; at: string }[]
  /** The closed conversations, whose failed messages count no more. */
  forgiven: string[]
}

export const newChange = (caller: Caller, held: Held[], messages: Stored[] = []): Change => ({
  caller,
  held: new Map(held.map(each => [each.conversation.id, each])),
  messages: new Map(messages.map(each => [each.message.id, each])),
  written: { conversations: new Set(), added: new Set(), changed: new Set() },
  contacts: new Map(),
  events: [],
  audit: [],
  counted: [],
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
  change.counted.push(...escalationCounted(change.caller.tenant, change.held.get(held.conversation.id), held))
  change.held.set(held.conversation.id, held)
  change.written.conversations.add(held.conversation.id)
}

/** Adds a message, and its conversation after it. */
export function addMessage(change: Change, message: Message, after: Held): void {
  const { tenant } = change.caller
  const took_over = tookOver(change.held.get(after.conversation.id), after)
  change.messages.set(message.id, { message, counts: false, took_over })
  change.counted.push(messageCounted(tenant, message), ...(took_over ? [takeoverCounted(tenant, message)] : []))
  change.written.added.add(message.id)
  setHeld(change, after)
}

/** Failures that need no look: a person cut the assistant short, or has looked already. */
const SEEN = ['taken_over', 'settled']

/** Sets what a message is by now; one that has failed, or failed no more, is counted in its conversation and told. */
export function setMessage(change: Change, message: Message): void {
  const { message: before, counts, ...kept } = change.messages.get(message.id) as Stored
  if (message === before) return
  const changedStatus = message.status !== before.status
  const counting = changedStatus ? hasFailed(message) && !SEEN.includes(message.error?.code ?? '') : counts
  change.messages.set(message.id, { ...kept, message, counts: counting })
  change.counted.push(messageCounted(change.caller.tenant, message, before))
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

/** Sets when each side withdrew its reaction. */
export function setWithdrawn(change: Change, id: string, withdrawn: NonNullable<Stored['withdrawn']>): void {
  change.messages.set(id, { ...(change.messages.get(id) as Stored), withdrawn })
  if (!change.written.added.has(id)) change.written.changed.add(id)
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
export const write = (tx: Tx, change: Change, also: Fragment[] = [], ending: { isLast?: boolean } = {}): Promise<void> =>
  writeAll(tx, [change], also, ending)

/** The same beside others that share the transaction: their changes are written together. */
export const writeBeside = gathered(async (tx: Tx, changes: Change[]) => {
  await writeAll(tx, changes)
  return changes.map(() => undefined)
})

/** Writes changes of any workspaces, as `write`. */
export async function writeAll(tx: Tx, changes: Change[], also: Fragment[] = [], { isLast = false } = {}): Promise<void> {
  const all = changes.map(writtenOf)
  const [held, added, changed] = [all.flatMap(each => each.held), all.flatMap(each => each.added), all.flatMap(each => each.changed)]
  const seen = all.filter(each => each.seen.length > 0).map(({ tenant, seen }) => ({ tenant, changes: seen }))
  const exchanged = changes.flatMap(({ caller, exchanged }) => exchanged.map(each => ({ tenant: caller.tenant, ...each })))
  const audit = changes.flatMap(each => each.audit)
  const events = changes.flatMap(each => each.events)
  const writes = [
    ...(seen.length > 0 ? [allChangedPart(tx, seen)] : []),
    ...(held.length > 0 ? [store.save(held)] : []),
    ...(added.length > 0 ? [store.add(added)] : []),
    ...(changed.length > 0 ? [store.change(changed)] : []),
    ...changes.flatMap(({ caller, forgiven }) => (forgiven.length > 0 ? [store.forgive(caller.tenant, forgiven)] : [])),
    ...(exchanged.length > 0 ? [contacts.messagedAllPart(exchanged)] : []),
    ...(audit.length > 0 ? [auditPart(audit)] : []),
    ...counted(changes.flatMap(each => each.counted)),
    ...also,
  ]
  if (writes.length + events.length > 0) await emitAll(tx, events, writes, { isLast })
}

/** What is written of one change, each with its workspace. */
function writtenOf({ caller: { tenant }, written, ...change }: Change) {
  const messages = (ids: Set<string>) => [...ids].map(id => change.messages.get(id) as Stored)
  const held = [...written.conversations].map(id => change.held.get(id) as Held)
  const channel = held[0]?.conversation.channel_id ?? ''
  const [added, changed] = [messages(written.added), messages(written.changed)]
  return {
    tenant,
    held: held.map(row => ({ tenant, row })),
    added: added.map(each => ({ tenant, row: { ...each, channel } })),
    changed: changed.map(row => ({ tenant, row })),
    seen: [
      ...held.map(each => ({ conversation: each.conversation.id })),
      ...[...added, ...changed].map(({ message }) => ({ conversation: message.conversation_id, message: message.id })),
    ],
  }
}
