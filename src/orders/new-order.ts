// An order as it is when it is placed: pure.
import type { Buyer } from '../contacts/buyers.ts'
import { fullAddress, type Item, type NewOrder, type Order } from './schema.ts'
import type { Totals } from './total.ts'

/** What is decided of an order before it has its number. */
export interface Decided {
  id: string
  currency: string
  items: Item[]
  sums: Totals
  buyer: Buyer
}

/** @param at ISO 8601 */
export function newOrder(input: NewOrder, { id, currency, items, sums, buyer }: Decided, number: number, at: string): Order {
  return {
    object: 'order',
    id,
    number,
    external_id: input.external_id ?? null,
    source: (input.source ?? 'api') as Order['source'],
    status: 'pending',
    payment_status: 'unpaid',
    fulfillment_status: 'unfulfilled',
    currency,
    ...sums,
    paid_amount: 0,
    refunded_amount: 0,
    customer: {
      contact_id: buyer.id,
      name: input.customer.name ?? buyer.name,
      email: input.customer.email ?? buyer.email,
      phone: input.customer.phone ?? buyer.phone,
    },
    items,
    shipping_address: input.shipping_address ? fullAddress(input.shipping_address) : null,
    payment: input.payment ? { method: input.payment.method as 'card', provider: null, reference: null, paid_at: null } : null,
    fulfillment: null,
    conversation_id: null,
    note: input.note ?? null,
    cancel_reason: null,
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
    version: 1,
    created_at: at,
    updated_at: at,
    confirmed_at: null,
    paid_at: null,
    shipped_at: null,
    delivered_at: null,
    cancelled_at: null,
    refunded_at: null,
  }
}
