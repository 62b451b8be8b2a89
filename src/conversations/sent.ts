// What became of messages that were sent through channels: recorded in sets, under the locks of their conversations.
import { now } from '../clock.ts'
import * as contacts from '../contacts/contacts.ts'
import { type Place, refusedPart } from '../contacts/reachable.ts'
import type { ContactSnapshot } from '../contacts/schema.ts'
import { combine } from '../postgres/combine.ts'
import { type Fragment, limitLockWaits, type Tx } from '../postgres/sql.ts'
import { type Change, newChange, setMessage, writeAll } from './change.ts'
import type { Held } from './conversation.ts'
import { isInDoubt, moved } from './message.ts'
import type { Failure, Message } from './schema.ts'
import * as store from './store.ts'

export { unconfirmed } from './message.ts'
export { TAKEN_OVER } from './takeover.ts'

/** What became of one message. A `queued` one is sent again at `next_attempt_at`. */
export interface Fate {
  tenant: string
  conversation_id: string
  message_id: string
  status: 'sent' | 'failed' | 'unknown' | 'queued'
  /** The platform's id, where it gave one. */
  external_id: string | null
  error: Failure | null
  /** The customer wants nothing from the shop, by what the platform says. */
  isBlock?: true
  /** When a sent one went out, ISO 8601: now unless given. */
  sent_at?: string
  /** How often it was sent to the platform, unless that is as before. */
  attempts?: number
  /** ISO 8601 */
  next_attempt_at: string | null
}

export interface Recording {
  /** Parts of the statement that writes them. */
  also?: Fragment[]
  /** How long the transaction waits for locks, unless as long as any does. */
  lockMs?: number | undefined
  /**
   * A part that finds messages whose fate comes late, as rows of `id`: it is that of another sending than the one that waits or is under way now, if any is. Such a
   * fate counts where nothing better is known, and not where the message was sent again since.
   */
  late?: Fragment
}

/**
 * Records what became of messages, of any workspaces. What is known better stays: a receipt or an echo may have come before the answer to our own request.
 * Emits message.sent and message.failed, and counts what people have to look at. Two statements, whatever the number of messages.
 * @throws a violation of `messages_external` where an echo of the same moment took a message's id: recorded again, the message goes without
 */
export async function recordSends(tx: Tx, fates: Fate[], { also = [], lockMs, late }: Recording = {}): Promise<void> {
  const told = fates.filter(each => each.status !== 'queued')
  const named = fates.flatMap(each => (each.external_id === null ? [] : { ...each, external_id: each.external_id }))
  const { rows, people, others, passed } = await combine(tx, {
    reads: {
      // First: the statement's own locks wait no longer either.
      limited: lockMs === undefined ? undefined : limitLockWaits(lockMs),
      rows: store.holdMessages(fates),
      people: told.length > 0 ? contacts.snapshotsOfAnyPart(store.contactsOf(told)) : undefined,
      others: named.length > 0 ? store.taken(named) : undefined,
      passed: late,
    },
  })
  const known = new Map(people.map(contacts.snapshotOf).map(each => [each.id, each]))
  // An echo that came long before the record was taken for a human's words, and has the id.
  const nameless = idsOf(others)
  const lateOnes = idsOf(passed)
  const changes = [...Map.groupBy(rows as Row[], row => row.tenant_id)].map(([tenant, of]) => begun(tenant, of, known))
  const messages = new Map(changes.flatMap(change => [...change.messages.keys()].map(id => [id, change])))
  const at = new Date(now()).toISOString()
  const unreachable: Place[] = []
  for (const fate of fates) {
    const change = messages.get(fate.message_id)
    const message = change?.messages.get(fate.message_id)?.message
    if (!change || !message || (lateOnes.has(fate.message_id) && !isInDoubt(message))) continue
    const ended = after(message, nameless.has(fate.message_id) ? { ...fate, external_id: null } : fate, at)
    setMessage(change, ended)
    if (fate.isBlock && ended.status === 'failed') unreachable.push(placeOf(fate, change))
  }
  await writeAll(tx, changes, unreachable.length > 0 ? [...also, refusedPart(unreachable, at)] : also, { isLast: true })
}

const idsOf = (rows: { id: string }[]): Set<string> => new Set(rows.map(({ id }) => id))

function placeOf({ tenant, conversation_id }: Fate, { held }: Change): Place {
  const { conversation, thread } = held.get(conversation_id) as Held
  return { tenant_id: tenant, channel_id: conversation.channel_id, external_id: thread }
}

type Row = store.HeldRow & store.StoredRow & { tenant_id: string }

/** The change of one workspace. */
function begun(tenant: string, rows: Row[], known: Map<string, ContactSnapshot>): Change {
  const held = new Map(rows.map(store.asHeld).map(each => [each.conversation.id, each]))
  const change = newChange({ tenant, actor: { type: 'system' } }, [...held.values()], rows.map(store.asMessage))
  for (const { conversation } of held.values()) {
    const contact = known.get(conversation.contact.id)
    if (contact) change.contacts.set(contact.id, contact)
  }
  return change
}

function after(message: Message, fate: Fate, at: string): Message {
  const { status, error, attempts = message.attempts } = fate
  // One that was sent again goes by the platform's id of the last sending, whatever a late receipt of the one before has told.
  const tried = { ...message, attempts, external_id: fate.external_id ?? message.external_id }
  if (status === 'queued') return message.status === 'queued' ? { ...tried, error, next_attempt_at: fate.next_attempt_at } : tried
  const ended = moved(tried, status, status === 'sent' ? null : error)
  return status === 'sent' && ended.sent_at === null ? { ...ended, sent_at: fate.sent_at ?? at } : ended
}
