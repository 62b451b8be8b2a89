import { Type } from 'typebox'
import { defineEvent } from '../../events/emit.ts'
import { Time } from '../../schemas.ts'
import { WebhookId } from './schema.ts'

export const WebhookDisabled = defineEvent(
  'webhook.disabled',
  'A webhook was disabled after five consecutive failures, or because worker after worker ended while sending to it.',
  Type.Object({
    webhook_id: WebhookId,
    url: Type.String({ description: 'With the values of its query masked.' }),
    reason: Type.String(),
    disabled_at: Time,
  }),
  {
    webhook: false,
    example: {
      webhook_id: 'whk_01jz0000000000000000000000',
      url: 'https://shop.example/hooks',
      reason: '5 consecutive failures',
      disabled_at: '2026-05-28T20:26:40.000Z',
    },
  },
)

/** Sent on request alone, to try a receiver: it is no part of what happened. */
export const WebhookTest = defineEvent(
  'webhook.test',
  'A test that you asked for; nothing happened.',
  Type.Object({ message: Type.String() }),
  { webhook: false, example: { message: 'This is a test. Nothing happened; answer with a 2xx status.' } },
)

export const events = [WebhookDisabled]
