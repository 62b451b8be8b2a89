// An order under its lock with what was booked of it so far: the order as it is now, its refunds, its audit rows and its events.
import type { Difference } from '../analytics/counting.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import type { EventDraft } from '../events/emit.ts'
import { newId } from '../ids.ts'
import type { AuditEntry } from '../postgres/audit.ts'
import { orderCounted } from './counted.ts'
import { OrderStatusChanged } from './events.ts'
import type { Refund } from './refund-schema.ts'
import type { Item, Order } from './schema.ts'

export interface OpenBook {
  order: Order
  pending: Refund | undefined
  caller: Caller
  /** By what the figures differ. */
  counted: Difference[]
  confirms: boolean
  changed: boolean
  refunds: Map<string, Refund>
  /** The ids of those that a provider told of here. */
  told: Set<string>
  events: EventDraft[]
  audits: AuditEntry[]
  /** What the customer has spent more, or less. */
  spent: number
  freed: Item[]
}

/** Books a change of the order, with its audit row and what figures differ by it. */
export function write(book: OpenBook, order: Order, action: string, details: Record<string, unknown>): void {
  book.counted.push(orderCounted(book.caller.tenant, order, book.order))
  book.order = order
  book.changed = true
  book.audits.push({ caller: book.caller, action, subject: order.id, details })
}

/** Tells of it by an event when the book is closed. */
export const tell = (book: OpenBook, event: Pick<EventDraft, 'type'> & { data: unknown }): void => {
  book.events.push({ caller: book.caller, ...event } as EventDraft)
}

/** Tells that the order's status is another one now, where it is. */
export function tellMove({ order, caller, events }: OpenBook, before: Order, reason: string | null): void {
  if (order.status === before.status) return
  const actor = { type: caller.actor.type, id: caller.actor.id ?? null }
  events.push({
    caller,
    type: OrderStatusChanged,
    data: { order_id: order.id, order, from: before.status, to: order.status, actor, reason },
  } as EventDraft)
}

/** More is to be given back of a cancelled order. */
export function openRefund(book: OpenBook, amount: number, payment_id: string | null): void {
  const { order, pending } = book
  const fresh = { ...newRefund(order, order.updated_at), amount: 0, payment_id, reason: order.cancel_reason, full: true }
  const opened = { ...(pending ?? fresh), amount: (pending?.amount ?? 0) + amount }
  book.pending = opened
  book.refunds.set(opened.id, opened)
}

export const time = (): string => new Date(now()).toISOString()

export const newRefund = (order: Order, at: string): Refund => ({
  object: 'refund',
  id: newId('ref'),
  order_id: order.id,
  payment_id: null,
  reference: null,
  amount: 0,
  currency: order.currency,
  reason: null,
  full: false,
  status: 'pending',
  completed_at: null,
  created_at: at,
})
