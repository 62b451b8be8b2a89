// A webhook as its owner makes, sees, lists and changes it. Its deliveries are in ../log/schema.ts, its recoveries in ../recovery/schema.ts.
import { type Static, Type } from 'typebox'
import { idPattern } from '../../ids.ts'
import { type Listing, listQuery } from '../../ingress/list.ts'
import { conflict } from '../../ingress/problem-schemas.ts'
import { CUSTOM_HEADERS_MAX, HEADER_NAME_CHARS, HEADER_VALUE_CHARS, PARALLEL_MAX, PER_MINUTE_MAX } from '../../limits/webhooks.ts'
import { choice, nullable, strict, Time } from '../../schemas.ts'

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
  // As many headers may be removed as there can be, and as many added.
  CUSTOM_HEADERS_MAX * 2,
  'Adds and replaces headers by name; null takes one away. Those not named stay, unless the url moves to another origin.',
)

/** The shapes, given the names of the events that can be subscribed to. */
export function webhookShapes(eventNames: string[]) {
  const Events = Type.Array(choice(eventNames), { minItems: 1, maxItems: eventNames.length, uniqueItems: true })
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
      held_back_since: nullable(Time, {
        description:
          'Catching up waits since then for a transaction of the database that began before the webhook was enabled, and may hold an event it missed. null as a rule.',
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
  const ChangedWebhook = Type.Object(
    {
      ...Webhook.properties,
      headers_dropped: Type.Optional(
        Type.Array(Type.String(), {
          minItems: 1,
          description:
            'The names of your own headers that the webhook lost as it moved to another origin; present where there are any. Give them again if the new receiver shall have them.',
        }),
      ),
    },
    { title: 'ChangedWebhook' },
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
  return { Webhook, CreatedWebhook, ChangedWebhook, NewWebhook, WebhookChange }
}

/** What becomes of held deliveries when a webhook is enabled. */
export const Enabling = strict({
  pending: Type.Optional(choice(['send', 'drop'], { default: 'send', description: 'What was already waiting when it was disabled.' })),
  missed: Type.Optional(choice(['send', 'drop'], { default: 'drop', description: 'What happened while it was disabled.' })),
})
export type Enabling = Static<typeof Enabling>

export type NewWebhook = Static<ReturnType<typeof webhookShapes>['NewWebhook']>
export type WebhookChange = Static<ReturnType<typeof webhookShapes>['WebhookChange']>

/** A disabled webhook can be neither paused nor resumed. */
export const WebhookDisabled = conflict('webhook_disabled')

/** The filters of the list, the same over REST and on the command line. */
export const webhookListing: Listing = {
  path: '/api/v1/webhooks',
  idPrefix: 'whk',
  sorts: { created_at: 'time' },
  offers: { offset: false },
}
export const webhookQuery = listQuery(webhookListing, {})
