// Conversations: a customer's message starts or continues one, and the replies are recorded. The conversation's row is locked first and the
// contact's written last, so messages of one conversation wait for each other and cannot deadlock.
import type { Caller } from '../caller.ts'
import * as contacts from '../contacts/contacts.ts'
import type { ContactSnapshot } from '../contacts/schema.ts'
import { type EventDraft, emitAll } from '../events/emit.ts'
import { auditPart } from '../postgres/audit.ts'
import { combine } from '../postgres/combine.ts'
import type { Tx } from '../postgres/sql.ts'
import { invalid, notFound, Problem } from '../problems.ts'
import { after, type Content, newConversation, newMessage, type Origin } from './conversation.ts'
import { AiPaused, ConversationStarted, MessageReceived } from './events.ts'
import type { Author, Conversation, Message } from './schema.ts'
import * as store from './store.ts'

/** A customer's message, as a channel passes it on. */
export interface Inbound extends Content, Omit<Origin, 'contact'> {
  contact_id: string
  /** Which conversation of the channel; the contact's unless given. */
  thread?: string
}

/** The message as it is recorded, and the conversation after it. */
export interface Result {
  conversation: Conversation
  message: Message
}

/**
 * Takes a customer's message: it continues their open conversation on the channel, or starts one. Emits conversation.started and
 * message.received. A repeated message, which its external_id tells, changes nothing.
 * @throws {Problem} 422 for a contact_id that names no contact
 */
export async function receive(tx: Tx, caller: Caller, input: Inbound): Promise<Result & { outcome: 'started' | 'continued' | 'repeated' }> {
  const known = await recorded(tx, caller, input)
  if (known) return { ...known, outcome: 'repeated' }
  const { conversation: before, contact, started } = await openFor(tx, caller, input)
  const author: Author = { type: 'customer', id: contact.id, name: contact.name, via: 'channel' }
  const message = newMessage(before, { ...input, author, direction: 'inbound', status: 'received' }, nextTime(before))
  if (!(await store.add(tx, caller.tenant, before.channel_id, message)))
    return { ...(await meanwhile(tx, caller, input, started)), outcome: 'repeated' }
  const conversation = after(before, message)
  const snapshots = { conversation, contact: { ...contact, last_message_at: message.created_at } }
  const events = [
    ...(started ? [{ caller, type: ConversationStarted, data: { ...snapshots, first_message: message } }] : []),
    { caller, type: MessageReceived, data: { message, ...snapshots } },
  ]
  await emitAll(tx, events as EventDraft[], written(caller, conversation, message, started ? 'conversation.start' : 'message.receive'))
  return { conversation, message, outcome: started ? 'started' : 'continued' }
}

/** A message to the customer, or a note among the staff. */
export interface Outbound extends Content {
  author: Author
  /** How far it has come; `sent` unless given. */
  status?: Message['status']
  private?: boolean
  ai?: Message['ai']
}

/**
 * Records a message to a customer. An operator's message pauses the assistant (ai.paused); a private note goes to no customer and changes
 * only the count.
 * @throws {Problem} 404; 409 for an external_id that the platform gave another message
 */
export async function record(tx: Tx, caller: Caller, id: string, input: Outbound): Promise<Result> {
  const { locked } = await combine(tx, { reads: { locked: store.lock(caller.tenant, id) } })
  if (!locked[0]) throw notFound('conversation')
  const before = JSON.parse(locked[0].json) as Conversation
  const message = newMessage(before, { status: 'sent', ...input, direction: 'outbound' }, nextTime(before))
  if (!(await store.add(tx, caller.tenant, before.channel_id, message)))
    throw new Problem('conflict', 'Another message has this external_id.', { code: 'duplicate_external_id' })
  const conversation = after(before, message)
  const paused = conversation.ai_status !== before.ai_status
  const { ai_paused_reason: reason, ai_paused_by: by } = conversation
  const events = paused ? [{ caller, type: AiPaused, data: { conversation_id: id, conversation, reason, by } }] : []
  await emitAll(tx, events as EventDraft[], written(caller, conversation, message, 'message.record'))
  return { conversation, message }
}

async function recorded(tx: Tx, { tenant }: Caller, { channel_id, external_id }: Inbound): Promise<Result | undefined> {
  if (external_id == null) return undefined
  const { found } = await combine(tx, { reads: { found: store.byExternalId(tenant, channel_id, external_id) } })
  if (!found[0]) return undefined
  return { message: JSON.parse(found[0].message) as Message, conversation: JSON.parse(found[0].conversation) as Conversation }
}

// The same message came twice at once, and the other request was first.
async function meanwhile(tx: Tx, caller: Caller, input: Inbound, started: boolean): Promise<Result> {
  const known = await recorded(tx, caller, input)
  // Rolling back undoes the conversation that was just started for the message; a repeated request will find it.
  if (!known || started)
    throw new Problem('conflict', 'This message is being taken elsewhere.', { code: 'request_in_progress' }, { 'Retry-After': '1' })
  return known
}

interface Opened {
  conversation: Conversation
  contact: ContactSnapshot
  started: boolean
}

/** Locks the customer's open conversation on the channel, or starts one. */
async function openFor(tx: Tx, caller: Caller, input: Inbound): Promise<Opened> {
  const { tenant } = caller
  const { thread = input.contact_id, channel_id } = input
  const { contact: found, open } = await combine(tx, {
    reads: { contact: contacts.snapshotPart(caller, input.contact_id), open: store.lockOpen(tenant, { channel_id, thread }) },
  })
  if (!found[0]) throw invalid({ field: 'contact_id', code: 'unknown_contact', message: 'names no contact.' })
  const contact = contacts.snapshotOf(found[0])
  if (open[0]) return { conversation: JSON.parse(open[0].json) as Conversation, contact, started: false }
  const { id, name, email } = contact
  const conversation = newConversation({ ...input, contact: { id, name, email } }, new Date().toISOString())
  if (await store.start(tx, tenant, thread, conversation)) return { conversation, contact, started: true }
  // Another message of the customer started it meanwhile and has committed, so the second look finds it, unless it was closed already.
  return openFor(tx, caller, input)
}

/** The message's time: now, but later than the conversation's last message, so that messages are ordered by time. */
function nextTime({ messages_count, updated_at }: Conversation): string {
  const now = Date.now()
  return new Date(messages_count === 0 ? now : Math.max(now, Date.parse(updated_at) + 1)).toISOString()
}

const written = (caller: Caller, conversation: Conversation, message: Message, action: string) => [
  store.save(caller.tenant, conversation),
  auditPart([{ caller, action, subject: conversation.id, details: { message_id: message.id } }]),
  ...(message.private ? [] : [contacts.messagedPart(caller, conversation.contact.id, message.created_at)]),
]
