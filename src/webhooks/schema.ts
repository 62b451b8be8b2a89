import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { conflict } from '../ingress/problem-shapes.ts'
import {
  CUSTOM_HEADERS_MAX,
  HEADER_NAME_CHARS,
  HEADER_VALUE_CHARS,
  PARALLEL_MAX,
  PER_MINUTE_MAX,
  RECOVERY_PER_SECOND,
  RECOVERY_PER_SECOND_MAX,
} from '../limits.ts'
import { choice, nullable, strict, Time } from '../shapes.ts'

export const WebhookId = Type.String({ pattern: idPattern('whk') })

const Url = Type.String({ minLength: 1, maxLength: 2048, description: 'An https address. http is refused.' })
const Description = Type.String({ maxLength: 500 })
const MaxParallel = Type.Integer({
  minimum: 1,
  maximum: PARALLEL_MAX,
  description: 'Requests at once; 1 delivers strictly in order. 8 unless given.',
})

const MaxPerMinute = Type.Integer({
  minimum: 1,
  maximum: PER_MINUTE_MAX,
  description: 'Requests a minute, never more; null for no limit.',
})
// RFC 9110 §5.6.2: a token. The value is visible ASCII with spaces and tabs inside, because what else a receiver makes of it differs.
const HeaderName = {
  pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$",
  maxLength: HEADER_NAME_CHARS,
  description: `letters, digits and hyphens, at most ${HEADER_NAME_CHARS}.`,
}
const HeaderValue = {
  pattern: '^([!-~]([ \t!-~]*[!-~])?)?$',
  minLength: 1,
  maxLength: HEADER_VALUE_CHARS,
  description: 'visible ASCII, with spaces only inside it.',
}
const headers = <V extends string | null>(type: string | string[], maxProperties: number, description: string) =>
  Type.Unsafe<Record<string, V>>({
    type: 'object',
    propertyNames: HeaderName,
    additionalProperties: { type, ...HeaderValue },
    maxProperties,
    description,
  })
const NewHeaders = headers<string>(
  'string',
  CUSTOM_HEADERS_MAX,
  'Headers of your own, sent with every delivery. Their values are never shown again.',
)
const ChangedHeaders = headers<string | null>(
  ['string', 'null'],
  // As many as there may be taken away, and as many added.
  CUSTOM_HEADERS_MAX * 2,
  'Adds and replaces headers by name; null takes one away. Those not named stay.',
)

/** The shapes, given the names of the events that can be subscribed to. */
export function webhookShapes(eventNames: string[]) {
  const Events = Type.Array(choice(eventNames), { minItems: 1, uniqueItems: true })
  const Webhook = Type.Object(
    {
      object: Type.Literal('webhook'),
      id: WebhookId,
      url: Type.String(),
      events: Type.Array(Type.String()),
      description: nullable(Type.String()),
      status: choice(['enabled', 'paused', 'disabled'], {
        description: 'paused: deliveries are kept and wait. disabled: none are made.',
      }),
      catching_up: Type.Boolean({
        description: 'Paused for the moment: what was held is being dropped, or what was missed is being owed; then it is enabled.',
      }),
      disabled_at: nullable(Time),
      disabled_reason: nullable(Type.String()),
      max_parallel: Type.Integer(),
      max_per_minute: nullable(Type.Integer()),
      headers: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'The names of your own headers; the values are masked.',
      }),
      previous_secret_until: nullable(Time, { description: 'During a rotation: until when the old secret signs as well.' }),
      consecutive_failures: Type.Integer({ description: 'The fifth in a row disables the webhook.' }),
      last_success_at: nullable(Time),
      last_failure_at: nullable(Time),
      version: Type.Integer(),
      created_at: Time,
      updated_at: Time,
    },
    { title: 'Webhook' },
  )
  const CreatedWebhook = Type.Object(
    { ...Webhook.properties, secret: Type.String({ description: 'Signs every delivery. Shown this once.' }) },
    { title: 'CreatedWebhook' },
  )
  const NewWebhook = strict(
    {
      url: Url,
      events: Events,
      description: Type.Optional(nullable(Description)),
      max_parallel: Type.Optional(MaxParallel),
      max_per_minute: Type.Optional(nullable(MaxPerMinute)),
      headers: Type.Optional(NewHeaders),
    },
    { title: 'NewWebhook' },
  )
  const WebhookChange = strict(
    {
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      description: Type.Optional(nullable(Description)),
      max_parallel: Type.Optional(MaxParallel),
      max_per_minute: Type.Optional(nullable(MaxPerMinute)),
      headers: Type.Optional(ChangedHeaders),
    },
    { minProperties: 1, title: 'WebhookChange' },
  )
  return { Webhook, CreatedWebhook, NewWebhook, WebhookChange }
}

/** What becomes of what was held, when a webhook is enabled. */
export const Enabling = strict({
  pending: Type.Optional(choice(['send', 'drop'], { default: 'send', description: 'What was already waiting when it was disabled.' })),
  missed: Type.Optional(choice(['send', 'drop'], { default: 'drop', description: 'What happened while it was disabled.' })),
})
export type Enabling = Static<typeof Enabling>

export type NewWebhook = Static<ReturnType<typeof webhookShapes>['NewWebhook']>
export type WebhookChange = Static<ReturnType<typeof webhookShapes>['WebhookChange']>

const COUNTED = 'Events to send, as far as they could be counted within four seconds of the request: of millions more may follow.'
export const RECOVERY_SCOPES = ['failed', 'undelivered', 'all'] as const
export const DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'dropped'] as const
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

const EventId = Type.String({ pattern: idPattern('evt') })
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
        request: Type.Object({ method: Type.Literal('POST'), url: nullable(Type.String()), headers: anyHeaders }),
        response: nullable(
          Type.Object({
            headers: anyHeaders,
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
    pending: Type.Integer(),
    oldest_pending_at: nullable(Time),
    oldest_pending_seconds: nullable(Type.Integer()),
  },
  { title: 'WebhookHealth' },
)

/** It can be neither paused nor resumed. */
export const WebhookDisabled = conflict('webhook_disabled')

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
