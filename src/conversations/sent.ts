// What became of messages that were sent through channels: recorded in sets, under the locks of their conversations.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import * as contacts from '../contacts/contacts.ts'
import { combine } from '../postgres/combine.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { newChange, setMessage, write } from './change.ts'
import { moved } from './message.ts'
import type { Failure, Message } from './schema.ts'
import * as store from './store.ts'

export { TAKEN_OVER } from './takeover.ts'

/** What became of one message. A `queued` one is sent again at `next_attempt_at`. */
export interface Fate {
  conversation_id: string
  message_id: string
  status: 'sent' | 'failed' | 'unknown' | 'queued'
  /** The platform's id, where it gave one. */
  external_id: string | null
  error: Failure | null
  /** When a sent one went out, ISO 8601: now unless given. */
  sent_at?: string
  /** How often it was sent to the platform, unless that is as before. */
  attempts?: number
  /** ISO 8601 */
  next_attempt_at: string | null
}

/**
 * Records what became of messages. What is known better stays: a receipt or an echo may have come before the answer to our own request. Emits message.sent
 * and message.failed, and counts what people have to look at. Two statements, for most messages go one at a time.
 * @param also parts of the statement that writes them
 * @throws a violation of `messages_external` where an echo of the same moment took a message's id: recorded again, the message goes without
 */
export async function recordSends(tx: Tx, caller: Caller, fates: Fate[], also: Fragment[] = []): Promise<void> {
  const { tenant } = caller
  const ids = fates.map(each => each.message_id)
  const named = fates.flatMap(({ message_id: id, external_id }) => (external_id === null ? [] : { id, external_id }))
  const { rows, people, others } = await combine(tx, {
    reads: {
      rows: store.holdMessages(tenant, ids),
      people: fates.some(each => each.status !== 'queued') ? contacts.snapshotsPart(caller, store.contactsOf(tenant, ids)) : undefined,
      others: named.length > 0 ? store.taken(tenant, named) : undefined,
    },
  })
  const held = new Map((rows as store.HeldRow[]).map(store.asHeld).map(each => [each.conversation.id, each]))
  const change = newChange(caller, [...held.values()], (rows as store.StoredRow[]).map(store.asMessage))
  for (const contact of people.map(contacts.snapshotOf)) change.contacts.set(contact.id, contact)
  // An echo that came long before the record was taken for a human's words, and has the id.
  const nameless = new Set((others as { id: string }[]).map(({ id }) => id))
  const at = new Date(now()).toISOString()
  for (const fate of fates) {
    const known = change.messages.get(fate.message_id)
    if (known) setMessage(change, after(known.message, nameless.has(fate.message_id) ? { ...fate, external_id: null } : fate, at))
  }
  await write(tx, change, also, { isLast: true })
}

function after(message: Message, fate: Fate, at: string): Message {
  const { status, error, attempts = message.attempts } = fate
  const tried = { ...message, attempts, external_id: message.external_id ?? fate.external_id }
  if (status === 'queued') return message.status === 'queued' ? { ...tried, error, next_attempt_at: fate.next_attempt_at } : tried
  const ended = moved(tried, status, status === 'sent' ? null : error)
  return status === 'sent' && ended.sent_at === null ? { ...ended, sent_at: fate.sent_at ?? at } : ended
}
