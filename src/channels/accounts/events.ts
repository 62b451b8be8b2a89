import { Type } from 'typebox'
import { defineEvent } from '../../events/emit.ts'
import { LIMITS } from '../platforms/limits.ts'
import { Channel } from './schema.ts'

const ID = 'chn_01jz0000000000000000000000'
const AT = '2026-05-28T20:26:40.000Z'

export const ChannelFailing = defineEvent(
  'channel.failing',
  'A channel stopped sending: its credentials are refused, or its platform is away. Its messages wait.',
  Type.Object({
    channel_id: Channel.properties.id,
    channel: Channel,
    reason: Type.String({ description: 'What the platform said, or why it could not be reached.' }),
  }),
  {
    webhook: false,
    example: {
      channel_id: ID,
      channel: {
        object: 'channel',
        id: ID,
        platform: 'telegram',
        name: 'Linen and Co',
        status: 'failing',
        account: { id: '4711', name: 'Linen and Co' },
        callback_url: `https://shop.example/api/channels/${ID}/callback`,
        settings: { reopen_hours: 24 },
        limits: { text_max: LIMITS.telegram.text_max, text_unit: 'characters', attachment_types: ['image'], attachment_bytes: 20_971_520 },
        queued_count: 3,
        unknown_count: 0,
        last_inbound_at: AT,
        last_sent_at: AT,
        last_error: 'Unauthorized',
        version: 4,
        created_at: AT,
        updated_at: AT,
      },
      reason: 'Unauthorized',
    },
  },
)

export const events = [ChannelFailing]
