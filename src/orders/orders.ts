// Orders after they are placed: moved through the lifecycle, annotated. A change commits with its audit row and its events.
import { counted } from '../analytics/counting.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { emit } from '../events/emit.ts'
import type { Precondition } from '../ingress/route.ts'
import { auditPart } from '../postgres/audit.ts'
import { combine } from '../postgres/combine.ts'
import type { Tx } from '../postgres/sql.ts'
import { invalid, notFound, Problem } from '../problems.ts'
import * as stock from '../products/stock.ts'
import { pendingPart } from './books.ts'
import { orderCounted } from './counted.ts'
import { OrderCancelled, OrderShipped, OrderStatusChanged } from './events.ts'
import { canMove, isOpen, MOVES, type Status } from './lifecycle.ts'
import * as refundStore from './refunds-store.ts'
import { fullAddress, type Order, type OrderChange } from './schema.ts'
import * as store from './store.ts'

/**
 * Moves the order, annotates it, or both.
 * @returns its public JSON as changed
 * @throws {Problem} 404, 412; 409 with valid_targets for a move the lifecycle forbids
 */
export async function change(tx: Tx, caller: Caller, id: string, input: OrderChange, unchanged: Precondition): Promise<string> {
  return (await changed(tx, caller, id, input, unchanged)).text
}

/** The same. @returns the order before and after, with its public JSON */
export async function changed(
  tx: Tx,
  caller: Caller,
  id: string,
  input: OrderChange,
  unchanged: Precondition,
): Promise<{ before: Order; order: Order; text: string }> {
  refuseStray(input)
  const current = await store.lock(tx, caller.tenant, id)
  if (current === undefined) throw notFound('order')
  const before = JSON.parse(current) as Order
  unchanged({ body: current, updatedAt: new Date(before.updated_at) })
  const at = new Date(now()).toISOString()
  const order = annotated(before, input, at)
  if (input.status !== undefined) moved(order, input, input.status as Status, at)
  const text = JSON.stringify(order)
  const details = input.status === undefined ? { fields: Object.keys(input) } : { from: before.status, to: order.status }
  await combine(tx, {
    writes: [
      store.saveAll([{ tenant: caller.tenant, order, text }]),
      auditPart([{ caller, action: 'order.update', subject: id, details }]),
      ...counted([orderCounted(caller.tenant, order, before)]),
    ],
  })
  if (order.status !== before.status) await settle(tx, caller, before, order, input)
  return { before, order, text }
}

const BELONGS_TO = {
  waybill_number: 'SHIPPED',
  carrier: 'SHIPPED',
  tracking_url: 'SHIPPED',
  cancel_reason: 'CANCELLED',
  restock: 'RETURNED',
} as const

// A cancel_reason on an order that is not being cancelled would be dropped silently.
function refuseStray(input: OrderChange): void {
  for (const [field, status] of Object.entries(BELONGS_TO)) {
    if (input[field as keyof OrderChange] !== undefined && input.status !== status)
      throw invalid({ field, code: 'not_combinable', message: `goes with status ${status} alone.` })
  }
}

function annotated(before: Order, input: OrderChange, at: string): Order {
  if (input.shipping_address !== undefined && !isOpen(before.status))
    throw new Problem('conflict', `The address of an order that is ${before.status} can no longer be changed.`, { code: 'order_closed' })
  return {
    ...before,
    ...(input.note !== undefined && { note: input.note }),
    ...(input.tags !== undefined && { tags: input.tags }),
    ...(input.metadata !== undefined && { metadata: input.metadata }),
    ...(input.shipping_address !== undefined && { shipping_address: input.shipping_address && fullAddress(input.shipping_address) }),
    version: before.version + 1,
    updated_at: at,
  }
}

// Writes the move's changes into `order`.
function moved(order: Order, input: OrderChange, to: Status, at: string): void {
  if (!canMove(order.status, to))
    throw new Problem('conflict', `An order cannot go from ${order.status} to ${to}.`, {
      code: 'invalid_transition',
      from: order.status,
      to,
      valid_targets: MOVES[order.status],
    })
  order.status = to
  if (to === 'confirmed') order.confirmed_at = at
  if (to === 'SHIPPED') {
    const waybill = input.waybill_number ?? `MAN-${order.number}`
    order.fulfillment = {
      carrier: input.carrier ?? null,
      waybill_number: waybill,
      tracking_url: input.tracking_url ?? null,
      label_url: null,
      shipped_at: at,
      delivered_at: null,
    }
    order.fulfillment_status = 'shipped'
    order.shipped_at = at
  }
  if (to === 'DELIVERED') {
    if (order.fulfillment) order.fulfillment.delivered_at = at
    order.fulfillment_status = 'delivered'
    order.delivered_at = at
  }
  if (to === 'RETURNED') order.fulfillment_status = 'returned'
  if (to === 'CANCELLED') {
    order.cancel_reason = (input.cancel_reason ?? 'other') as Order['cancel_reason']
    order.cancelled_at = at
  }
}

// Changes stock as the move demands, and emits its events.
async function settle(tx: Tx, caller: Caller, before: Order, order: Order, input: OrderChange): Promise<void> {
  const snapshot = { order_id: order.id, order }
  if (order.status === 'SHIPPED') {
    await stock.ship(tx, caller.tenant, order.items)
    await emit(tx, caller, OrderShipped, { ...snapshot, fulfillment: order.fulfillment, previous_status: before.status })
  }
  if (order.status === 'CANCELLED') {
    await stock.release(tx, caller.tenant, order.items)
    const toReturn = pendingPart(caller.tenant, order, order.updated_at)
    if (toReturn) await tx`${toReturn}`
    await emit(tx, caller, OrderCancelled, {
      ...snapshot,
      reason: order.cancel_reason ?? 'other',
      previous_status: before.status,
      refund_pending: order.paid_amount > order.refunded_amount,
    })
  }
  if (order.status === 'RETURNED' && input.restock) await stock.restock(tx, caller.tenant, order.items)
  await emit(tx, caller, OrderStatusChanged, {
    ...snapshot,
    from: before.status,
    to: order.status,
    actor: { type: caller.actor.type, id: caller.actor.id ?? null },
    reason: order.status === 'CANCELLED' ? order.cancel_reason : null,
  })
}

/** Whether the workspace has this order. */
export const exists = store.exists
/** A page of an order's refunds. */
export const refunds = refundStore.list
/** The public JSON of one refund of an order. */
export const refund = refundStore.findJson
/** How others name an order, and the ids that they name. */
export const idsOf = store.idsOf
export type Naming = store.Naming
