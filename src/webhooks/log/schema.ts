// What became of deliveries: each of them, every attempt of one, and the health that they come to.
import { Type } from 'typebox'
import { idPattern } from '../../ids.ts'
import { type Listing, listQuery } from '../../ingress/list.ts'
import { COUNT_MAX } from '../../limits/webhooks.ts'
import { choice, choices, nullable, Time } from '../../schemas.ts'
import { WebhookId, webhookListing } from '../endpoints/schema.ts'

export const EventId = Type.String({ pattern: idPattern('evt') })
const DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'dropped'] as const
const WAITING_REASONS = [
  'turn',
  'in_flight',
  'backlog',
  'retry',
  'order',
  'endpoint_failing',
  'rate_limit',
  'catching_up',
  'paused',
  'disabled',
] as const

const LastAttempt = Type.Object({ at: Time, status: nullable(Type.Integer()), error: nullable(Type.String()), duration_ms: Type.Integer() })

const delivery = {
  object: Type.Literal('webhook_delivery'),
  event_id: EventId,
  webhook_id: WebhookId,
  type: Type.String(),
  test: Type.Boolean({ description: 'Sent on request to try the receiver.' }),
  state: choice(DELIVERY_STATES),
  attempts: Type.Integer(),
  created_at: Time,
  first_attempt_at: nullable(Time),
  finished_at: nullable(Time),
  next_attempt_at: nullable(Time, { description: 'Of a pending one, while its webhook is enabled: not before this.' }),
  last_attempt: nullable(LastAttempt),
  waiting: nullable(
    Type.Object({
      reason: choice(WAITING_REASONS, {
        description:
          'turn: due, and next when there is room. in_flight: it is being sent. backlog: as many others of its webhook as may be under way at once are, and go first. retry: its own schedule. order: the one before it is tried again first. endpoint_failing: nothing is sent after several failures in a row. rate_limit: max_per_minute. catching_up: its webhook was enabled again and catches up first.',
      }),
      until: nullable(Time),
    }),
    { description: 'Why a pending one has not been sent.' },
  ),
}

export const Delivery = Type.Object(delivery, { title: 'WebhookDelivery' })
const anyHeaders = Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true })
const Millis = nullable(Type.Number())
export const DeliveryDetail = Type.Object(
  {
    ...delivery,
    event: Type.Object({}, { additionalProperties: true, description: 'The envelope: the body of every request.' }),
    log: Type.Array(
      Type.Object({
        attempt: Type.Integer(),
        started_at: Time,
        duration_ms: Type.Integer(),
        status: nullable(Type.Integer()),
        error: nullable(Type.String()),
        recovery_id: nullable(Type.String(), { description: 'The recovery that made it; such attempts say nothing of the health.' }),
        timings: Type.Object({ dns_ms: Millis, connect_ms: Millis, tls_ms: Millis, first_byte_ms: Millis, total_ms: Millis }),
        request: Type.Object({
          method: Type.Literal('POST'),
          url: nullable(Type.String(), { description: 'With the values of its query masked.' }),
          headers: anyHeaders,
        }),
        response: nullable(
          Type.Object({
            headers: { ...anyHeaders, description: 'Cookies, tokens and the like are masked.' },
            body: Type.String({ description: 'Its first 16 KB, or what came of it.' }),
            truncated: nullable(Type.String(), {
              description:
                'Why the body is not whole. size: there was more. timeout: it had not come to its end within 12 seconds. connection-reset and the like: it broke off.',
            }),
          }),
        ),
      }),
      { description: 'The latest 100 attempts, the last first.' },
    ),
  },
  { title: 'WebhookDeliveryDetail' },
)

export const Health = Type.Object(
  {
    object: Type.Literal('webhook_health'),
    webhook_id: WebhookId,
    status: choice(['enabled', 'paused', 'disabled']),
    hours: Type.Integer({ description: 'How far the counts reach back at most; see since.' }),
    since: {
      ...Time,
      description:
        'From when on attempts are counted: 24 hours ago, or later where there were too many. The latest 10 000 are counted, out of 20 000 with those of recoveries.',
    },
    attempts: Type.Integer({ description: 'Since then, retries included; those of recoveries and tests are not counted.' }),
    succeeded: Type.Integer(),
    failed: Type.Integer(),
    success_rate: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    duration_ms: Type.Object(
      { p50: nullable(Type.Integer()), p95: nullable(Type.Integer()) },
      { description: 'Of the attempts counted, failed ones included: from the start of the request to the end of the answer.' },
    ),
    last_success_at: nullable(Time),
    last_failure_at: nullable(Time),
    last_error: nullable(Type.Object({ at: Time, status: nullable(Type.Integer()), error: Type.String() })),
    consecutive_failures: Type.Integer(),
    silent_until: nullable(Time, { description: 'Nothing is sent before this; then one delivery tries.' }),
    pending: Type.Integer({ maximum: COUNT_MAX }),
    pending_at_least: Type.Boolean({ description: `${COUNT_MAX} were counted, and there are more.` }),
    oldest_pending_at: nullable(Time),
    oldest_pending_seconds: nullable(Type.Integer()),
  },
  { title: 'WebhookHealth' },
)

/** The filters of the list of deliveries, the same over REST and on the command line. Ids of events are made in the order of time. */
export const deliveryListing: Listing = {
  path: `${webhookListing.path}/{id}/deliveries`,
  idPrefix: 'evt',
  sorts: { event_id: 'text' },
  offers: { offset: false },
}
export const deliveryQuery = (eventNames: string[]) =>
  Type.Omit(
    listQuery(deliveryListing, {
      state: Type.Optional(choices(DELIVERY_STATES, 'Only these, comma-separated.')),
      type: Type.Optional(choices([...eventNames, 'webhook.test'], 'Only these, comma-separated.')),
      event_id: Type.Optional(Type.String({ pattern: idPattern('evt'), description: 'Only of this event.' })),
    }),
    ['updated_after', 'updated_before'],
  )
