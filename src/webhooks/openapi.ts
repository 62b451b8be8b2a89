// The requests that a receiver gets, for the OpenAPI document: one for each type of event that a webhook may subscribe to.
import { Type } from 'typebox'
import type { EventType } from '../events/emit.ts'
import { exampleOf } from '../events/type-route.ts'
import { idPattern } from '../ids.ts'
import type { Call } from '../ingress/openapi/document.ts'
import { Time } from '../schemas.ts'

const text = (description: string, schema: object = {}) => ({ description, schema: { type: 'string', ...schema } })
/** docs/webhooks.md explains them. */
const HEADERS = {
  'X-Service-Signature': text(
    'The time in unix seconds, and HMAC-SHA256 of `<t>.<raw body>`, keyed with the secret; two while a secret is rotated.',
    {
      pattern: '^t=[0-9]+(,v1=[0-9a-f]{64}){1,2}$',
    },
  ),
  'X-Service-Event': text('The type of the event.'),
  'X-Service-Delivery-Id': text('Unique for each attempt: `<webhookId>:<attempt>:<unix_ts>`.'),
  'X-Service-Test': { ...text('On a test event alone.', { const: 'true' }), required: false },
}

export const described = (types: EventType[]): Call[] =>
  types.map(type => ({
    name: type.name,
    summary: type.summary,
    headers: HEADERS,
    body: Type.Object(
      {
        id: Type.String({ pattern: idPattern('evt'), description: 'The same in every attempt.' }),
        type: Type.Literal(type.name),
        created_at: Time,
        data: type.data,
      },
      { title: `${type.name.replaceAll(/(?:^|[._])(\w)/g, (_all, letter: string) => letter.toUpperCase())}Event` },
    ),
    example: exampleOf(type),
  }))
