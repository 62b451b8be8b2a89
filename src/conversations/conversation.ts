// How a conversation changes: by what is said in it, and by what people do with it. Pure: no clock, no store.
import { newId } from '../ids.ts'
import { MESSAGE_PREVIEW_CHARS } from '../limits/conversations.ts'
import type { Conversation, Message } from './schema.ts'

/** A conversation whose row is locked, with what of it is not shown. */
export interface Held {
  conversation: Conversation
  /** Which conversation of its channel it is: a chat, a number, an id of a person. */
  thread: string
  /** What people did about the assistant, counted: its words count in the epoch in which its turn began. */
  epoch: number
  /** When the customer last wrote, by the platform's clock; ISO 8601. */
  customerAt: string | null
  /** Whether its contact is blocked. */
  blocked: boolean
}

/** The channel and the contact of a conversation. */
export type Origin = Pick<Conversation, 'platform' | 'channel_id' | 'contact'>

export const newConversation = ({ platform, channel_id, contact }: Origin, at: string): Conversation => ({
  object: 'conversation',
  id: newId('conv'),
  platform,
  channel_id,
  status: 'open',
  ai_status: 'on',
  ai_paused_at: null,
  ai_paused_reason: null,
  ai_paused_by: null,
  assigned_to: null,
  escalation: null,
  closed_at: null,
  tags: [],
  version: 1,
  created_at: at,
  updated_at: at,
  contact,
  unread_count: 0,
  failed_count: 0,
  messages_count: 0,
  waiting_since: null,
  last_message: null,
  reply_until: null,
})

/** Whether nothing has been said in it yet. */
export const isNew = ({ conversation }: Held): boolean => conversation.messages_count === 0

/** The time of the next message: now, but later than the last one's, so that messages are ordered by time. */
export function nextTime({ messages_count, updated_at }: Conversation, now: number): string {
  return new Date(messages_count === 0 ? now : Math.max(now, Date.parse(updated_at) + 1)).toISOString()
}

/**
 * After a message of the customer.
 * @param replyHours how long the platform takes replies after it; null: for ever
 */
export function heard(held: Held, message: Message, replyHours: number | null): Held {
  const after = shown(held.conversation, message)
  const waiting_since = after.waiting_since ?? message.created_at
  return windowed({ ...held, conversation: { ...after, unread_count: after.unread_count + 1, waiting_since } }, message, replyHours)
}

/** After a message of a blocked customer: nothing of it is shown, but the platform takes replies since then, as will be asked once they are unblocked. */
export const ignored = (held: Held, message: Message, replyHours: number | null): Held =>
  windowed(counted(held, message), message, replyHours)

function windowed({ conversation, ...held }: Held, { sent_at, created_at }: Message, replyHours: number | null): Held {
  const customerAt = later(held.customerAt, sent_at ?? created_at)
  const reply_until = replyHours === null ? null : new Date(Date.parse(customerAt) + replyHours * HOUR_MS).toISOString()
  return { ...held, customerAt, conversation: { ...conversation, reply_until } }
}

const HOUR_MS = 3_600_000
const later = (one: string | null, other: string): string => (one !== null && one > other ? one : other)

/** After a message to the customer: people's words take over, the assistant's leave unread what no human has seen, an app's answer nothing. */
export function answered(held: Held, message: Message): Held {
  if (message.author.type === 'app') return { ...held, conversation: shown(held.conversation, message) }
  const after = { ...held, conversation: { ...shown(held.conversation, message), waiting_since: null } }
  if (message.author.type !== 'operator') return after
  return paused(
    { ...after, conversation: { ...after.conversation, unread_count: 0 } },
    message.author.id,
    message.created_at,
    'human_reply',
  )
}

/** The conversation after a message that needs no answer: a note among the staff, or what is typed to a blocked contact. */
export const counted = (held: Held, message: Message): Held => ({
  ...held,
  conversation: { ...held.conversation, messages_count: held.conversation.messages_count + 1, updated_at: message.created_at },
})

// A message as such makes no new version of the conversation.
const shown = (conversation: Conversation, message: Message): Conversation => ({
  ...conversation,
  messages_count: conversation.messages_count + 1,
  updated_at: message.created_at,
  last_message: preview(message),
})

/** After a message that was there has changed. */
export function remembered(held: Held, message: Message): Held {
  if (held.conversation.last_message?.id !== message.id) return held
  return { ...held, conversation: { ...held.conversation, last_message: preview(message) } }
}

/** The assistant does not answer here any more, and what it began to say counts no more. One that is paused already keeps its reason. */
export function paused(held: Held, by: string | null, at: string, reason: 'human_reply' | 'manual'): Held {
  const { conversation, epoch } = held
  if (conversation.ai_status === 'paused') return { ...held, epoch: epoch + 1 }
  const why = { ai_status: 'paused', ai_paused_at: at, ai_paused_reason: reason, ai_paused_by: by } as const
  return { ...held, epoch: epoch + 1, conversation: { ...conversation, ...why, version: conversation.version + 1 } }
}

/** The assistant answers again: what comes from now on, never what was said before. */
export function resumed(held: Held): Held {
  const { conversation, epoch } = held
  const why = { ai_status: 'on', ai_paused_at: null, ai_paused_reason: null, ai_paused_by: null } as const
  return { ...held, epoch: epoch + 1, conversation: { ...conversation, ...why, version: conversation.version + 1 } }
}

/** Nothing waits in a closed conversation. */
export function closed(held: Held, at: string): Held {
  const { conversation, epoch } = held
  const nothing = { waiting_since: null, unread_count: 0, failed_count: 0 }
  return {
    ...held,
    epoch: epoch + 1,
    conversation: { ...conversation, ...nothing, status: 'closed', closed_at: at, version: conversation.version + 1 },
  }
}

/** The assistant stays as it was. */
export function reopened(held: Held): Held {
  const { conversation, epoch } = held
  return {
    ...held,
    epoch: epoch + 1,
    conversation: { ...conversation, status: 'open', closed_at: null, version: conversation.version + 1 },
  }
}

/** Whether a message of the customer at this time goes on with the closed conversation. @param at ISO 8601 */
export const reopens = ({ closed_at }: Conversation, at: string, hours: number): boolean =>
  closed_at !== null && Date.parse(at) - Date.parse(closed_at) < hours * HOUR_MS

const preview = ({ id, direction, author, text, created_at }: Message): NonNullable<Conversation['last_message']> => ({
  id,
  direction,
  author,
  // By characters, so that no surrogate pair is cut in two.
  text: text && [...text.slice(0, MESSAGE_PREVIEW_CHARS * 2)].slice(0, MESSAGE_PREVIEW_CHARS).join(''),
  created_at,
})
