// What an event is about: the contact that a step tags, the conversation that it writes in, and what a record is linked to.
import { shapeOfEvent, type TriggerType } from './flow-shapes.ts'
import { follow } from './paths.ts'
import type { Breach } from './rules.ts'
import type { Manifest, Step } from './shape.ts'

/** Where an event names each of these, the first that is there. */
export const NAMED = {
  contact: ['event.contact_id', 'event.contact.id', 'event.order.customer.contact_id', 'event.conversation.contact.id'],
  order: ['event.order_id', 'event.order.id'],
  product: ['event.product_id', 'event.product.id'],
  conversation: ['event.conversation_id', 'event.conversation.id', 'event.message.conversation_id', 'event.order.conversation_id'],
} as const

export type Entity = keyof typeof NAMED

/** What a step fails without. */
const NEEDED: Partial<Record<Step['type'], Entity>> = { tag_contact: 'contact', send_message: 'conversation' }

/** Steps that fail each time, for an event of this type is about nothing that they could act on. */
export function* withoutSubject({ flows = [] }: Manifest, triggers: readonly TriggerType[]): Generator<Breach> {
  for (const [index, { trigger, steps }] of flows.entries()) {
    const type = triggers.find(({ name }) => name === trigger)
    if (!type) continue
    for (const [place, { type: kind }] of steps.entries()) {
      const entity = NEEDED[kind]
      if (entity && !NAMED[entity].some(path => 'shape' in follow(shapeOfEvent(type), path)))
        yield {
          at: ['flows', index, 'steps', place, 'type'],
          message: `is ${kind}, which fails each time: an event of type ${trigger} is about no ${entity}. Begin the flow with another event, or leave the step out.`,
        }
    }
  }
}
