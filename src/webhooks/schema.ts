import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { choice, nullable, strict, Time } from '../shapes.ts'

export const WebhookId = Type.String({ pattern: idPattern('whk') })

const Url = Type.String({ minLength: 1, maxLength: 2048, description: 'An https address. http is refused.' })
const Description = Type.String({ maxLength: 500 })
const MaxParallel = Type.Integer({
  minimum: 1,
  maximum: 64,
  description: 'Requests at once; 1 delivers strictly in order. 8 unless given.',
})

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
      status: choice(['enabled', 'disabled']),
      disabled_at: nullable(Time),
      disabled_reason: nullable(Type.String()),
      max_parallel: Type.Integer(),
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
  const NewWebhook = strict({
    url: Url,
    events: Events,
    description: Type.Optional(nullable(Description)),
    max_parallel: Type.Optional(MaxParallel),
  })
  const WebhookChange = strict(
    {
      url: Type.Optional(Url),
      events: Type.Optional(Events),
      description: Type.Optional(nullable(Description)),
      max_parallel: Type.Optional(MaxParallel),
    },
    { minProperties: 1 },
  )
  return { Webhook, CreatedWebhook, NewWebhook, WebhookChange }
}

export type NewWebhook = Static<ReturnType<typeof webhookShapes>['NewWebhook']>
export type WebhookChange = Static<ReturnType<typeof webhookShapes>['WebhookChange']>
