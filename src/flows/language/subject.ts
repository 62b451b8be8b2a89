// What an event is about: whom a step tags and writes to, and what a record is linked to.
import { Problem } from '../../problems.ts'
import { lookup, type Surroundings } from './lookup.ts'

/** Where an event names each of these, the first that is there. */
const NAMED = {
  contact: ['event.contact_id', 'event.contact.id', 'event.order.customer.contact_id', 'event.conversation.contact.id'],
  order: ['event.order_id', 'event.order.id'],
  product: ['event.product_id', 'event.product.id'],
  conversation: ['event.conversation_id', 'event.conversation.id', 'event.message.conversation_id', 'event.order.conversation_id'],
} as const

export type Entity = keyof typeof NAMED

/** @returns its id; undefined where the event is about none */
export function subjectOf(around: Surroundings, entity: Entity): string | undefined {
  for (const path of NAMED[entity]) {
    const id = lookup(around, path)
    if (typeof id === 'string') return id
  }
  return undefined
}

const WITHOUT: Record<Entity, string> = {
  contact: 'The event is about no contact.',
  order: 'The event is about no order.',
  product: 'The event is about no product.',
  conversation: 'The event belongs to no conversation, so there is none to write in.',
}

/** @throws {Problem} 409 where the event is about none */
export function requireSubject(around: Surroundings, entity: Entity): string {
  const id = subjectOf(around, entity)
  if (id === undefined) throw new Problem('conflict', WITHOUT[entity], { code: `no_${entity}` })
  return id
}
