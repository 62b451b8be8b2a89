// What a channel tells of a message that is there: an edit, a deletion, a reaction, how far it has come.
import { MESSAGE_AWAITED_MS } from '../limits/conversations.ts'
import { APPLIED, type Applying, type Outcome, target, timeOf } from './applying.ts'
import { setMessage, setWithdrawn } from './change.ts'
import { deleted, edited, moved, reacted } from './message.ts'
import type { Message } from './schema.ts'
import type { Stored } from './store.ts'
import type { Update } from './update.ts'

type About = Extract<Update, { kind: 'edit' | 'deletion' | 'reaction' | 'receipt' }>
type Receipt = Extract<About, { kind: 'receipt' }>

/** @param receivedAt milliseconds since 1970 */
export function changeMessage(work: Applying, update: About, receivedAt: number): Outcome {
  if (update.kind === 'receipt' && update.until !== undefined) {
    for (const message of sentUntil(work, update.thread, update.until, isSent)) receive(work, message, update)
    const awaited = sentUntil(work, update.thread, update.until, isUnderWay).length > 0
    const until = receivedAt + MESSAGE_AWAITED_MS
    return awaited && work.now < until ? { status: 'later', until: new Date(until), reason: UNDER_WAY } : APPLIED
  }
  const later = (reason: string): Outcome => ({ status: 'later', until: new Date(receivedAt + MESSAGE_AWAITED_MS), reason })
  const found = target(work, update)
  if (!found) return later(AWAITED[update.kind])
  const { message } = found
  if (isFailure(update)) {
    // What has not gone out cannot have failed: it is of a sending before, or the answer to our request is not recorded yet and will say of which.
    if (message.status === 'queued') return later(NOT_SENT)
    if (isOfAnother(message, update)) return { status: 'ignored', reason: SENT_AGAIN }
  }
  if (update.kind === 'receipt') receive(work, message, update)
  else
    for (const each of [message, ...furtherParts(work, update)]) setMessage(work.change, CHANGES[update.kind](work, each, update as never))
  return APPLIED
}

const isFailure = (update: About): update is Receipt => update.kind === 'receipt' && update.status === 'failed'
const NOT_SENT = 'The message that it is a receipt for waits to be sent.'
const SENT_AGAIN = 'The message that it is a receipt for was sent again since.'

/** Whether it names our message by our id, and another sending of it by the platform's. */
const isOfAnother = ({ external_id }: Message, receipt: Receipt): boolean =>
  external_id !== null && receipt.external_id !== undefined && receipt.external_id !== external_id

/** The ids of what else goes with the message that is meant. */
export const partsOf = (update: Update): string[] => (update.kind === 'deletion' ? (update.parts ?? []) : [])

const furtherParts = (work: Applying, update: Update): Message[] =>
  partsOf(update).flatMap(external_id => target(work, { external_id })?.message ?? [])

const AWAITED: Record<About['kind'], string> = {
  edit: 'The message that was edited is not here.',
  deletion: 'The message that was deleted is not here.',
  reaction: 'The message that it is a reaction to is not here.',
  receipt: 'The message that it is a receipt for is not here.',
}

const CHANGES = {
  edit(work: Applying, message: Message, update: Extract<About, { kind: 'edit' }>): Message {
    const after = edited(message, update.text, timeOf(work, update))
    if (after !== message) audit(work, 'message.edit', message, { text: message.text })
    return after
  },
  deletion(work: Applying, message: Message, update: Extract<About, { kind: 'deletion' }>): Message {
    const after = deleted(message, timeOf(work, update))
    if (after !== message) audit(work, 'message.delete', message)
    work.media.delete(message.id)
    if (after !== message && message.attachments.length > 0) work.removed.push(message.id)
    return after
  },
  reaction(work: Applying, message: Message, update: Extract<About, { kind: 'reaction' }>): Message {
    const { by, emoji } = update
    const at = timeOf(work, update)
    const { withdrawn } = work.change.messages.get(message.id) as Stored
    if ((withdrawn?.[by] ?? '') > at) return message
    if (emoji === null && withdrawn?.[by] !== at) setWithdrawn(work.change, message.id, { ...withdrawn, [by]: at })
    return reacted(message, by, emoji, at)
  },
}

function receive(work: Applying, message: Message, { status, error, external_id, at }: Receipt): void {
  const after = moved(message, status, status === 'failed' ? (error ?? { code: 'rejected', message: 'The platform says no more.' }) : null)
  if (after === message) return
  // A receipt that names our id may come before the answer to our own request, with the platform's.
  const named = after.external_id === null && external_id !== undefined && external_id !== message.id
  if (named) work.external.set(external_id, message.id)
  if (message.status === 'queued') work.arrived.add(message.id)
  const sent_at = after.sent_at ?? (status === 'failed' ? null : at)
  setMessage(work.change, { ...after, sent_at, ...(named && { external_id }) })
}

/** Messages of ours in a thread that were sent up to a time, or written where they are not sent yet. */
const sentUntil = (
  { change, lastOf }: Applying,
  thread: string,
  until: string,
  isMeant: (status: Message['status']) => boolean,
): Message[] =>
  [...change.messages.values()]
    .map(each => each.message)
    .filter(
      message =>
        message.conversation_id === lastOf.get(thread) &&
        message.direction === 'outbound' &&
        isMeant(message.status) &&
        (message.sent_at ?? message.created_at) <= until,
    )

const isSent = (status: Message['status']): boolean => status === 'sent' || status === 'delivered'

// It may have been read before the answer to our own request is recorded: who has the chat open reads at once.
const isUnderWay = (status: Message['status']): boolean => status === 'queued'
const UNDER_WAY = 'A message that it may be a receipt for is under way.'

const audit = ({ change }: Applying, action: string, { id, conversation_id }: Message, details: object = {}): void => {
  change.audit.push({ caller: change.caller, action, subject: conversation_id, details: { message_id: id, ...details } })
}
