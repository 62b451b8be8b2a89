// How a message changes after it was written. Pure: no clock, no store.
import { newId } from '../ids.ts'
import type { Failure, Message } from './schema.ts'
import type { ReceiptStatus } from './update.ts'

/** What a message of either side says. */
export type Content = Partial<
  Pick<
    Message,
    'text' | 'attachments' | 'location' | 'choices' | 'choice_id' | 'template' | 'unsupported' | 'in_reply_to' | 'external_id' | 'sent_at'
  >
>

export type Draft = Content & Pick<Message, 'direction' | 'author' | 'status'> & Partial<Pick<Message, 'id' | 'private' | 'ai'>>

/** @param at its time, by which the messages of a conversation are ordered */
export const newMessage = (conversation: string, draft: Draft, at: string): Message => ({
  object: 'message',
  id: draft.id ?? newId('msg'),
  conversation_id: conversation,
  direction: draft.direction,
  author: draft.author,
  text: draft.text ?? null,
  attachments: draft.attachments ?? [],
  location: draft.location ?? null,
  choices: draft.choices ?? null,
  choice_id: draft.choice_id ?? null,
  template: draft.template ?? null,
  unsupported: draft.unsupported ?? null,
  private: draft.private ?? false,
  status: draft.status,
  error: null,
  attempts: 0,
  next_attempt_at: null,
  in_reply_to: draft.in_reply_to ?? null,
  external_id: draft.external_id ?? null,
  reactions: [],
  ai: draft.ai ?? null,
  sent_at: draft.sent_at ?? null,
  edited_at: null,
  deleted_at: null,
  created_at: at,
})

// A status goes to a higher one alone: receipts come in any order. A message may fail after it was sent, and not after it was delivered.
const HEIGHT: Record<Message['status'], number> = { received: 9, queued: 0, unknown: 1, sent: 2, failed: 3, delivered: 4, read: 5 }

/** What a person of the shop has found out of a message whose fate was unknown. What the platform says of it counts for more. */
export const SETTLED: Failure = { code: 'settled', message: 'A member of your staff found that it did not arrive.' }

/** Of a message that came to an end though an attempt may have been taken. @param end why it is not sent any more */
export const unconfirmed = ({ message }: Failure): Failure => ({
  code: 'unconfirmed',
  message: `It may have been taken, for an attempt was left without a clear answer. After that: ${message}`,
})

/** Whether nothing is known of a sent message by its platform. */
export const isInDoubt = ({ status, error }: Message): boolean =>
  status === 'unknown' || (status === 'failed' && error?.code === SETTLED.code)

const heightOf = (message: Message): number => (isInDoubt(message) ? HEIGHT.unknown : HEIGHT[message.status])

/** The very same message where the receipt is older than what is known. */
export function moved(message: Message, status: ReceiptStatus | 'unknown', error: Failure | null = null): Message {
  if (message.direction === 'inbound' || message.private || HEIGHT[status] <= heightOf(message)) return message
  return { ...message, status, error, next_attempt_at: null }
}

/** Whether this status is one that people have to look at. */
export const hasFailed = ({ status }: Pick<Message, 'status'>): boolean => status === 'failed' || status === 'unknown'

/** @param at when the text was changed, by the platform's clock. The very same message where it was changed later already, or deleted. */
export function edited(message: Message, text: string | null, at: string): Message {
  if (message.deleted_at !== null || (message.edited_at !== null && message.edited_at >= at)) return message
  return { ...message, text, edited_at: at }
}

export function deleted(message: Message, at: string): Message {
  if (message.deleted_at !== null) return message
  const nothing = { text: null, attachments: [], location: null, choices: null, choice_id: null, template: null, unsupported: null }
  return { ...message, ...nothing, reactions: [], deleted_at: at }
}

/** Each side has one reaction. @param emoji null: it is withdrawn. @param at by the platform's clock */
export function reacted(message: Message, by: 'customer' | 'operator', emoji: string | null, at: string): Message {
  const before = message.reactions.find(each => each.by === by)
  if (message.deleted_at !== null || (before?.emoji ?? null) === emoji || (before !== undefined && before.at > at)) return message
  const others = message.reactions.filter(each => each.by !== by)
  return { ...message, reactions: emoji === null ? others : [...others, { emoji, by, at }] }
}
