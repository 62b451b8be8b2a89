// The generic format, which any program with a secret of ours can write.
import { type Static, Type } from 'typebox'
import { Currency, choice, ExternalId, strict, Time } from '../../schemas.ts'

export const GENERIC_TYPES = [
  'payment.authorized',
  'payment.succeeded',
  'payment.failed',
  'refund.succeeded',
  'refund.failed',
  'dispute.opened',
  'dispute.won',
  'dispute.lost',
] as const

const Own = (description: string) => Type.String({ minLength: 1, maxLength: 255, description })

export const GenericEvent = strict(
  {
    id: Own('Of the event: a repeat with the same id is taken once.'),
    type: choice(GENERIC_TYPES),
    order_id: Type.Optional(Type.String({ minLength: 1, maxLength: 255, description: 'The order, by our id of it, ord_….' })),
    order_number: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: '… or by its number.' })),
    external_id: Type.Optional({ ...ExternalId, description: '… or by its external_id.' }),
    reference: Own('Your id of the payment: all events of one payment have the same.'),
    amount: Type.Integer({
      minimum: -Number.MAX_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'In minor units: of the payment, the refund or the dispute.',
    }),
    currency: Currency,
    refund_id: Type.Optional(Own('Your id of the refund: needed to tell later that it failed.')),
    reason: Type.Optional(Type.String({ maxLength: 500, description: 'Of a refund, a failure or a dispute.' })),
    occurred_at: Type.Optional({ ...Time, description: 'When it happened; when it came, unless given.' }),
  },
  { title: 'PaymentCallback' },
)
export type GenericEvent = Static<typeof GenericEvent>
