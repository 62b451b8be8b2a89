import { Type } from 'typebox'
import { defineEvent } from '../events/emit.ts'
import { Time } from '../shapes.ts'
import { WebhookId } from './schema.ts'

export const WebhookDisabled = defineEvent(
  'webhook.disabled',
  'A webhook was disabled after five consecutive failures.',
  Type.Object({ webhook_id: WebhookId, url: Type.String(), reason: Type.String(), disabled_at: Time }),
  false,
)

export const events = [WebhookDisabled]
