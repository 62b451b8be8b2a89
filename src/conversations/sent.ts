// What became of messages that were sent through channels: recorded in sets, under the locks of their conversations.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { type Change, newChange, readContacts, setMessage, write } from './change.ts'
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
  /** How often it was sent to the platform. */
  attempts: number
  /** ISO 8601 */
  next_attempt_at: string | null
}

/**
 * Records what became of messages. What is known better stays: a receipt or an echo may have come before the answer to our own request. Emits message.sent
 * and message.failed, and counts what people have to look at.
 * @param also parts of the statement that writes them
 */
export async function recordSends(tx: Tx, caller: Caller, fates: Fate[], also: Fragment[] = []): Promise<void> {
  const { held, messages } = await store.holdMessages(
    tx,
    caller.tenant,
    fates.map(each => each.message_id),
  )
  const change = newChange(caller, held, messages)
  if (fates.some(each => each.status !== 'queued')) await readContacts(tx, change)
  const others = await takenByOthers(tx, change, fates)
  const at = new Date(now()).toISOString()
  for (const fate of fates) {
    const known = change.messages.get(fate.message_id)
    const external_id = others.has(`${fate.message_id} ${fate.external_id}`) ? null : fate.external_id
    if (known) setMessage(change, after(known.message, { ...fate, external_id }, at))
  }
  await write(tx, change, also, { isLast: true })
}

// An echo that came long before the record was taken for a human's words, and has the id.
async function takenByOthers(tx: Tx, { caller, held }: Change, fates: Fate[]): Promise<Set<string>> {
  const external = fates.flatMap(({ external_id }) => external_id ?? [])
  if (external.length === 0) return new Set()
  const channels = new Set([...held.values()].map(each => each.conversation.channel_id))
  const rows = await tx<{ id: string; external_id: string }[]>`${store.taken(caller.tenant, [...channels], external)}`
  const owners = new Map(rows.map(row => [row.external_id, row.id]))
  return new Set(
    fates
      .filter(each => (owners.get(each.external_id ?? '') ?? each.message_id) !== each.message_id)
      .map(each => `${each.message_id} ${each.external_id}`),
  )
}

function after(message: Message, fate: Fate, at: string): Message {
  const { status, error, attempts } = fate
  const tried = { ...message, attempts, external_id: message.external_id ?? fate.external_id }
  if (status === 'queued') return message.status === 'queued' ? { ...tried, error, next_attempt_at: fate.next_attempt_at } : tried
  const ended = moved(tried, status, status === 'sent' ? null : error)
  return status === 'sent' && ended.sent_at === null ? { ...ended, sent_at: at } : ended
}
