// A new conversation, as an example in the catalogue of event types. Its ids belong to no workspace.
import { contact } from '../contacts/example.ts'
import { answered, closed, heard, newConversation, paused } from './conversation.ts'
import { newMessage } from './message.ts'
import type { Conversation, Message } from './schema.ts'

const ID = '01jz0000000000000000000000'
const AT = '2026-05-28T20:26:40.000Z'
const ANSWERED = '2026-05-28T20:28:05.000Z'
const CLOSED = '2026-05-28T20:40:00.000Z'
const OPERATOR = `usr_${ID}`

const { id, name, email, email_claimed } = contact
const origin = { platform: 'telegram', channel_id: `chn_${ID}`, contact: { id, name, email, email_claimed } } as const
const begun = {
  conversation: { ...newConversation(origin, AT), id: `conv_${ID}` },
  thread: '123456789',
  epoch: 0,
  customerAt: null,
  blocked: false,
}

export const message: Message = newMessage(
  begun.conversation.id,
  {
    id: `msg_${ID}`,
    direction: 'inbound',
    status: 'received',
    author: { type: 'customer', id, name, via: 'channel' },
    text: 'Do you have the linen shirt in M?',
    external_id: '123456789:4711',
    sent_at: AT,
  },
  AT,
)
const asked = heard(begun, message, null)
export const conversation: Conversation = asked.conversation

export const answer: Message = newMessage(
  begun.conversation.id,
  {
    id: `msg_${ID.slice(0, -1)}1`,
    direction: 'outbound',
    status: 'sent',
    author: { type: 'operator', id: OPERATOR, name: 'Olga', via: 'dashboard' },
    text: 'Yes, shall I put one aside for you?',
    external_id: '123456789:4712',
    sent_at: ANSWERED,
  },
  ANSWERED,
)
const replied = answered(asked, answer)
export const answeredConversation: Conversation = replied.conversation
export const failure: Message = {
  ...answer,
  status: 'failed',
  error: { code: 'recipient_unreachable', message: 'The customer has blocked the bot.' },
  external_id: null,
  sent_at: null,
  attempts: 1,
}
export const failedConversation: Conversation = { ...replied.conversation, failed_count: 1 }
export const pausedConversation: Conversation = paused(asked, OPERATOR, ANSWERED, 'manual').conversation
export const closedConversation: Conversation = { ...closed(replied, CLOSED).conversation, updated_at: CLOSED }
export const operator: string = OPERATOR
