// Orders: placed, moved through their lifecycle, annotated. Each verb is one transaction with its audit row and its events.
import * as contacts from '../contacts/contacts.ts'
import { emit } from '../events/emit.ts'
import { newId } from '../ids.ts'
import type { Precondition } from '../ingress/route.ts'
import { audit, auditPart, type Caller } from '../postgres/audit.ts'
import type { Tx } from '../postgres/sql.ts'
import { together } from '../postgres/together.ts'
import { invalid, notFound, Problem } from '../problems.ts'
import * as stock from '../products/stock.ts'
import { currencyPart } from '../tenants/tenants.ts'
import { OrderCancelled, OrderCreated, OrderShipped, OrderStatusChanged } from './events.ts'
import { canMove, isOpen, MOVES, type Status } from './lifecycle.ts'
import { fullAddress, type Item, type NewItem, type NewOrder, type Order, type OrderChange } from './schema.ts'
import * as store from './store.ts'
import { lineTotal, totals } from './total.ts'

/**
 * Reserves stock, finds or makes the contact, totals, and emits order.created.
 * @returns the new order and its public JSON
 * @throws {Problem} 422 for a line that names nothing; 409 for short stock or a taken external_id
 */
export async function place(tx: Tx, caller: Caller, input: NewOrder): Promise<{ order: Order; text: string }> {
  refuseMixed(input.items)
  const wanted = fromCatalogue(input.items)
  const { tenant } = caller
  const named = await stock.identify(tx, tenant, wanted)
  // What several nouns have to say shares a statement, so an order costs three round trips and a commit.
  const read = await together(tx, {
    currency: input.currency === undefined ? currencyPart(tenant) : undefined,
    locked: stock.lockPart(tenant, named),
    contact: contacts.findPart(caller, input.customer),
    taken: takenPart(caller, input.external_id),
  })
  refuseTaken(read.taken)
  const currency: string = input.currency ?? read.currency[0].currency
  const sold = await stock.sell(tx, tenant, wanted, named, read.locked)
  const items = priced(input.items, new Map(wanted.map((line, index) => [line.field, sold[index] as stock.Sold])), currency)
  const sums = totals(items, input.discount_amount ?? 0, input.shipping_amount ?? 0)
  // Making a contact may have to wait for another order's, which must not hold the counter we wait for next: else a deadlock.
  const buyer = contacts.found(input.customer, read.contact) ?? (await contacts.findOrMake(tx, caller, input.customer))
  const { number } = await together(tx, { number: store.nextNumber(tenant) }, [
    contacts.countPart(caller, buyer),
    ...stock.reserveParts(tenant, wanted, sold),
  ])
  // Once more, now that the counter is ours: whoever took the external_id meanwhile held it, so has committed.
  if (input.external_id != null) refuseTaken((await together(tx, { taken: takenPart(caller, input.external_id) })).taken)
  const at = new Date().toISOString()
  const order: Order = {
    object: 'order',
    id: newId('ord'),
    number: number[0].last_number,
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
  const text = JSON.stringify(order)
  const beside = [store.insert(tenant, order, text), auditPart(caller, 'order.place', order.id)]
  await emit(tx, caller, OrderCreated, { order_id: order.id, order }, beside)
  return { order, text }
}

/**
 * Moves the order, annotates it, or both.
 * @returns its public JSON as changed
 * @throws {Problem} 404, 412; 409 with valid_targets for a move the lifecycle forbids
 */
export async function change(tx: Tx, caller: Caller, id: string, input: OrderChange, unchanged: Precondition): Promise<string> {
  refuseStray(input)
  const current = await store.lock(tx, caller.tenant, id)
  if (current === undefined) throw notFound('order')
  const before = JSON.parse(current) as Order
  unchanged({ body: current, updatedAt: new Date(before.updated_at) })
  const at = new Date().toISOString()
  const order = annotated(before, input, at)
  if (input.status !== undefined) moved(order, input, input.status as Status, at)
  const text = JSON.stringify(order)
  await store.save(tx, caller.tenant, order, text)
  await audit(
    tx,
    caller,
    'order.update',
    id,
    input.status === undefined ? { fields: Object.keys(input) } : { from: before.status, to: order.status },
  )
  if (order.status !== before.status) await settle(tx, caller, before, order, input)
  return text
}

const takenPart = (caller: Caller, externalId: string | null | undefined) =>
  externalId == null ? undefined : store.withExternalId(caller.tenant, externalId)

function refuseTaken([taken]: { id: string }[]): void {
  const id = taken?.id
  if (id !== undefined)
    throw new Problem(
      'conflict',
      'An order with this external_id exists.',
      { code: 'duplicate_external_id', order_id: id },
      { Location: `/api/v1/orders/${id}` },
    )
}

const fromCatalogue = (lines: NewItem[]) =>
  lines
    .map((line, index) => ({ ...line, field: `items[${index}]` }))
    .filter(line => line.product_id !== undefined || line.sku !== undefined)

function priced(lines: NewItem[], sold: Map<string, stock.Sold>, currency: string): Item[] {
  return lines.map((line, index) => {
    const field = `items[${index}]`
    const what = sold.get(field)
    if (what && what.currency !== currency)
      throw invalid({
        field: `${field}.${line.product_id === undefined ? 'sku' : 'product_id'}`,
        code: 'currency_mismatch',
        message: `is priced in ${what.currency}, the order in ${currency}.`,
      })
    const unit = what ? what.price_amount : (line.unit_amount as number)
    const discount = line.discount_amount ?? 0
    return {
      id: newId('itm'),
      product_id: what?.product_id ?? null,
      variant_id: what?.variant_id ?? null,
      sku: what?.sku ?? null,
      name: what?.name ?? (line.name as string),
      quantity: line.quantity,
      unit_amount: unit,
      discount_amount: discount,
      total_amount: lineTotal(field, line.quantity, unit, discount),
      metadata: line.metadata ?? {},
    }
  })
}

// A line is either the catalogue's or free: prices come from the catalogue, never from the caller.
function refuseMixed(lines: NewItem[]): void {
  for (const [index, line] of lines.entries()) {
    const field = `items[${index}]`
    const named = line.product_id !== undefined || line.sku !== undefined
    const stray = named
      ? (['name', 'unit_amount'] as const).find(name => line[name] !== undefined)
      : line.variant_id !== undefined
        ? 'variant_id'
        : undefined
    if (stray)
      throw invalid({
        field: `${field}.${stray}`,
        code: 'not_combinable',
        message: named ? 'comes from the catalogue on a line with product_id or sku.' : 'needs product_id or sku.',
      })
    if (line.product_id !== undefined && line.sku !== undefined)
      throw invalid({ field: `${field}.sku`, code: 'not_combinable', message: 'cannot be given together with product_id.' })
  }
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

// Writes into `order` what a move changes on the order itself.
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

// What a move changes elsewhere, and who hears of it.
async function settle(tx: Tx, caller: Caller, before: Order, order: Order, input: OrderChange): Promise<void> {
  const snapshot = { order_id: order.id, order }
  if (order.status === 'SHIPPED') {
    await stock.ship(tx, caller.tenant, order.items)
    await emit(tx, caller, OrderShipped, { ...snapshot, fulfillment: order.fulfillment, previous_status: before.status })
  }
  if (order.status === 'CANCELLED') {
    await stock.release(tx, caller.tenant, order.items)
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
