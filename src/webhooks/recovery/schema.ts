// Sending again: many events, one event, or a test.
import { type Static, Type } from 'typebox'
import { idPattern } from '../../ids.ts'
import { type Listing, listQuery } from '../../ingress/list.ts'
import { conflict } from '../../ingress/problem-schemas.ts'
import { COUNT_MAX, RECOVERY_PER_SECOND, RECOVERY_PER_SECOND_MAX } from '../../limits/webhooks.ts'
import { choice, nullable, strict, Time } from '../../schemas.ts'
import { WebhookId, webhookListing } from '../endpoints/schema.ts'
import { EventId } from '../log/schema.ts'

export const RECOVERY_SCOPES = ['failed', 'undelivered', 'all'] as const
const COUNTED = `Events to send, as far as they were counted at the request; see total_at_least.`
const AT_LEAST = `Counting ended at ${COUNT_MAX} events to send, or where it would have taken long: there may be more.`
const RecoveryId = Type.String({ pattern: idPattern('rcv') })
export const RecoveryRunning = conflict('recovery_running', { recovery_id: Type.Optional(RecoveryId) })
const perSecond = { minimum: 1, maximum: RECOVERY_PER_SECOND_MAX }

export const Recovery = Type.Object(
  {
    object: Type.Literal('webhook_recovery'),
    id: RecoveryId,
    webhook_id: WebhookId,
    scope: choice([...RECOVERY_SCOPES, 'event', 'test']),
    event_id: nullable(EventId, { description: 'Of a redelivery or a test.' }),
    types: nullable(Type.Array(Type.String()), { description: 'Null: of every type.' }),
    state: choice(['running', 'completed', 'failed', 'cancelled']),
    reason: nullable(Type.String()),
    total: Type.Integer({ description: COUNTED }),
    total_at_least: Type.Boolean({ description: AT_LEAST }),
    done: Type.Integer(),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    max_per_second: Type.Integer(perSecond),
    per_second: Type.Number({ description: 'On average so far.' }),
    created_at: Time,
    finished_at: nullable(Time),
  },
  { title: 'WebhookRecovery' },
)

export const RecoveryPreview = Type.Object(
  {
    object: Type.Literal('webhook_recovery_preview'),
    webhook_id: WebhookId,
    scope: choice(RECOVERY_SCOPES),
    types: nullable(Type.Array(Type.String())),
    since: nullable(Time),
    until: Time,
    total: Type.Integer({ description: COUNTED }),
    total_at_least: Type.Boolean({ description: AT_LEAST }),
  },
  { title: 'WebhookRecoveryPreview' },
)

export const newRecovery = (eventNames: readonly string[]) =>
  strict({
    scope: choice(RECOVERY_SCOPES, {
      description:
        'failed: deliveries that used up their attempts. undelivered: those, the dropped ones, and what happened while the webhook was disabled. all: everything, also what was delivered.',
    }),
    since: Type.Optional(
      Type.String({ format: 'date-time', description: 'Of events from this time on, not one in the future. Required with all.' }),
    ),
    until: Type.Optional(Type.String({ format: 'date-time', description: 'Of events before this time; now unless given.' })),
    types: Type.Optional(
      Type.Array(choice(eventNames), {
        minItems: 1,
        maxItems: eventNames.length,
        uniqueItems: true,
        description: 'Unless given: those the webhook subscribes to; with failed, any.',
      }),
    ),
    dry_run: Type.Optional(Type.Boolean({ description: 'Only count; the answer is a 200.' })),
    max_per_second: Type.Optional(Type.Integer({ ...perSecond, default: RECOVERY_PER_SECOND })),
  })
export type NewRecovery = Static<ReturnType<typeof newRecovery>>

export const newTest = (eventNames: readonly string[]) =>
  strict({ type: Type.Optional(choice(['webhook.test', ...eventNames], { default: 'webhook.test' })) })

/** What the list of recoveries may be asked for: the same over REST and on the command line. */
export const recoveryListing: Listing = {
  path: `${webhookListing.path}/{id}/recoveries`,
  idPrefix: 'rcv',
  sorts: { created_at: 'time' },
  offers: { offset: false },
}
export const recoveryQuery = Type.Pick(listQuery(recoveryListing, {}), ['cursor', 'limit', 'fields', 'sort', 'dir', 'offset'])
