// A new conversation, as an example in the catalogue of event types. Its ids belong to no workspace.
import { contact } from '../contacts/example.ts'
import { after, newConversation, newMessage } from './conversation.ts'
import type { Conversation, Message } from './schema.ts'

const ID = '01jz0000000000000000000000'
const AT = '2026-05-28T20:26:40.000Z'

const { id, name, email } = contact
const origin = { platform: 'telegram', channel_id: `chn_${ID}`, contact: { id, name, email } } as const
const begun = { ...newConversation(origin, AT), id: `conv_${ID}` }

export const message: Message = {
  ...newMessage(
    begun,
    {
      direction: 'inbound',
      status: 'received',
      author: { type: 'customer', id, name, via: 'channel' },
      text: 'Do you have the linen shirt in M?',
      external_id: '4711',
    },
    AT,
  ),
  id: `msg_${ID}`,
}

export const conversation: Conversation = after(begun, message)
