import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { Currency, dictionary, Email, nullable, Phone, Tags, Time, Total } from '../shapes.ts'

export const ContactId = Type.String({ pattern: idPattern('con') })

export const Contact = Type.Object({
  object: Type.Literal('contact'),
  id: ContactId,
  name: nullable(Type.String()),
  email: nullable(Email),
  phone: nullable(Phone),
  language: nullable(Type.String()),
  avatar_url: nullable(Type.String()),
  channels: Type.Array(
    Type.Object({ platform: Type.String(), handle: nullable(Type.String()), external_id: Type.String(), connected_at: Time }),
  ),
  tags: Tags,
  summary: nullable(Type.String()),
  summary_updated_at: nullable(Time),
  currency: Currency,
  last_message_at: nullable(Time),
  blocked: Type.Boolean(),
  external_id: nullable(Type.String()),
  attributes: dictionary({ entries: 100, name: 64, value: 500 }),
  version: Type.Integer(),
  created_at: Time,
  updated_at: Time,
  orders_count: Type.Integer(),
  total_spent_amount: Total,
})
/** The representation that is stored: the counters, which orders move, are spliced in when read. */
export type Contact = Omit<Static<typeof Contact>, 'orders_count' | 'total_spent_amount'>
