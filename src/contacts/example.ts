// A contact, as an example in the catalogue of event types. Its id belongs to no workspace.
import type { ContactSnapshot } from './schema.ts'

export const contact: ContactSnapshot = {
  object: 'contact',
  id: 'con_01jz0000000000000000000000',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  phone: '+380441234567',
  language: 'en',
  avatar_url: null,
  tags: ['vip'],
  summary: null,
  summary_updated_at: null,
  currency: 'EUR',
  blocked: false,
  external_id: 'crm-1815',
  attributes: { birthday: '1815-12-10' },
  version: 2,
  created_at: '2026-05-20T08:00:00.000Z',
  updated_at: '2026-05-28T20:26:40.000Z',
  orders_count: 3,
  total_spent_amount: 10_300,
  last_message_at: '2026-05-28T20:26:40.000Z',
  channels: [
    {
      platform: 'telegram',
      channel_id: 'chn_01jz0000000000000000000000',
      handle: '@ada',
      external_id: '123456789',
      connected_at: '2026-05-20T08:00:00.000Z',
      unreachable_since: null,
    },
  ],
  email_claimed: false,
}
