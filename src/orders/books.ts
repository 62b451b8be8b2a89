// The money of orders, booked under their locks: orders are opened together, changed in memory, and closed by the statements of one. Whatever moves
// money goes through here, so amounts, refunds, the contact's total, stock, audit rows and events are always of one transaction.
import { counted } from '../analytics/counting.ts'
import type { Caller } from '../caller.ts'
import { spentPart } from '../contacts/buyers.ts'
import { emitAll } from '../events/emit.ts'
import { auditPart } from '../postgres/audit.ts'
import type { Tx } from '../postgres/sql.ts'
import * as stock from '../products/stock.ts'
import { confirmsPaidOrders } from '../tenants/tenants.ts'
import { paidCounted, refundCounted } from './counted.ts'
import { OrderPaid, OrderRefunded } from './events.ts'
import { attempted, givenBack, isFreed, kept, keptAfterAll, type Receipt, received } from './money.ts'
import { newRefund, type OpenBook, openRefund, tell, tellMove, time, write } from './open-book.ts'
import type { Refund } from './refund-schema.ts'
import * as refunds from './refunds-store.ts'
import type { Order } from './schema.ts'
import * as store from './store.ts'

/** An order whose row is locked. */
export interface Book {
  /** As it is after what was booked so far. */
  readonly order: Order
  /** What is still to be given back of a cancelled order. */
  readonly pending: Refund | undefined
}

/** Locks orders, in the common order. @returns those that the workspace has */
export async function open(tx: Tx, caller: Caller, ids: string[]): Promise<Map<string, Book>> {
  const texts = await store.lockAll(tx, caller.tenant, [...new Set(ids)])
  if (texts.length === 0) return new Map()
  const orders = texts.map(text => JSON.parse(text) as Order)
  const pending = await refunds.pendingOf(
    tx,
    caller.tenant,
    orders.map(order => order.id),
  )
  const confirms = await confirmsPaidOrders(tx, caller.tenant)
  return new Map(orders.map(order => [order.id, opened(order, caller, confirms, pending)]))
}

const opened = (order: Order, caller: Caller, confirms: boolean, pending: Refund[]): OpenBook => ({
  order,
  pending: pending.find(each => each.order_id === order.id),
  caller,
  counted: [],
  confirms,
  changed: false,
  refunds: new Map(),
  told: new Set(),
  events: [],
  audits: [],
  spent: 0,
  freed: [],
})

/** Books a payment. It is the caller's to know that it is right. Of a cancelled order what was paid is to be given back. */
export function pay(book: Book, receipt: Receipt & { payment_id: string }): void {
  const own = book as OpenBook
  const before = own.order
  const at = time()
  write(own, received(before, receipt, at, own.confirms), 'order.pay', { payment_id: receipt.payment_id, amount: receipt.amount })
  own.spent += receipt.amount
  own.counted.push(paidCounted(own.caller.tenant, before, receipt.amount, receipt.paid_at))
  if (before.paid_at === null && own.order.paid_at !== null) {
    tell(own, { type: OrderPaid, data: { order_id: before.id, order: own.order, payment: own.order.payment } })
    tellMove(own, before, null)
  }
  if (own.order.status === 'CANCELLED') openRefund(own, receipt.amount, receipt.payment_id)
}

/** Notes that a payment was reserved, or failed. */
export function attempt(book: Book, outcome: 'authorized' | 'failed'): void {
  const own = book as OpenBook
  const order = attempted(own.order, outcome, time())
  if (order) write(own, order, 'order.payment_status', { payment_status: outcome })
}

/** What was given back. */
export interface Returned {
  amount: number
  reason: string | null
  reference: string | null
  payment_id: string | null
  /** ISO 8601. */
  completed_at: string
  /** Its payment's provider told of it. */
  isTold?: true
}

/** Books a completed refund; it completes what is pending. @returns the refund; undefined where less than that was paid and not given back */
export function giveBack(book: Book, { isTold, ...returned }: Returned): Refund | undefined {
  const own = book as OpenBook
  const { amount } = returned
  if (amount < 1 || amount > kept(own.order)) return undefined
  const before = own.order
  const at = time()
  const { pending } = own
  write(own, givenBack(before, amount, at), 'order.refund', { amount, payment_id: returned.payment_id })
  own.spent -= amount
  const refund: Refund = {
    ...(pending && pending.amount <= amount ? pending : newRefund(before, at)),
    ...returned,
    reason: returned.reason ?? pending?.reason ?? null,
    full: own.order.refunded_amount >= own.order.paid_amount,
    status: 'completed',
  }
  own.refunds.set(refund.id, refund)
  if (isTold) own.told.add(refund.id)
  own.counted.push(...refundCounted(own.caller.tenant, refund))
  own.pending = pending && pending.amount > amount ? { ...pending, amount: pending.amount - amount } : undefined
  if (own.pending) own.refunds.set(own.pending.id, own.pending)
  if (isFreed(before, own.order)) own.freed.push(...before.items)
  const { id, currency, reason, full, completed_at } = refund
  tell(own, {
    type: OrderRefunded,
    data: { order_id: before.id, order: own.order, refund: { id, amount, currency, reason, full, completed_at: completed_at as string } },
  })
  tellMove(own, before, reason)
  return refund
}

/**
 * The refund that a provider names by its own id for it, also one by hand that is of none of its order's payments; else a completed one of this payment and of
 * exactly this amount, told of without an id.
 * @param named `except`: ids of refunds that are not looked at
 * @returns undefined where none is known (yet)
 */
export async function findRefund(
  tx: Tx,
  book: Book,
  payment: string,
  { except, ...named }: { reference: string; amount: number; except: string[] },
): Promise<Refund | undefined> {
  const { caller, order } = book as OpenBook
  const changed = changedOf(book, payment, except)
  const own = changed.find(each => each.reference === named.reference) ?? ofNone(book, named.reference)
  const stored = own ?? (await refunds.named(tx, caller.tenant, order.id, payment, { ...named, except: unread(book, except) }))
  return stored ?? changed.find(each => isUnnamed(each) && each.amount === named.amount)
}

/** Completed refunds of a payment that were told of without an id, the smallest first. @param except ids of refunds that are not looked at */
export async function unnamedRefunds(tx: Tx, book: Book, payment: string, except: string[]): Promise<Refund[]> {
  const { caller, order } = book as OpenBook
  const stored = await refunds.unnamed(tx, caller.tenant, order.id, payment, unread(book, except), UNNAMED_MAX)
  return [...stored, ...changedOf(book, payment, except).filter(isUnnamed)].sort((a, b) => a.amount - b.amount)
}

/** Of one payment: no provider makes as many. */
const UNNAMED_MAX = 1_000

const isUnnamed = ({ reference, status }: Refund): boolean => reference === null && status === 'completed'

/** The latest first. */
const changedOf = (book: Book, payment: string, except: string[]): Refund[] =>
  [...(book as OpenBook).refunds.values()].filter(each => each.payment_id === payment && !except.includes(each.id)).reverse()

/** A changed refund with this reference that is of none of its order's payments. */
const ofNone = (book: Book, reference: string): Refund | undefined =>
  (book as OpenBook).refunds.values().find(each => each.payment_id === null && each.reference === reference)

/** The table still has the old state of refunds that were changed since they were read. */
const unread = (book: Book, except: string[]): string[] => [...(book as OpenBook).refunds.keys(), ...except]

/**
 * Whether a refund with this reference is known: of a payment, or one by hand that is of none of its order's payments.
 * @param payment undefined: of any payment of the order, or of none
 */
export async function hasRefund(tx: Tx, book: Book, payment: string | undefined, reference: string): Promise<boolean> {
  const { refunds: fresh, caller, order } = book as OpenBook
  const isOf = ({ payment_id }: Refund) => payment === undefined || payment_id === payment || payment_id === null
  const isFresh = [...fresh.values()].some(each => isOf(each) && each.reference === reference)
  return isFresh || refunds.has(tx, caller.tenant, order.id, payment, reference)
}

/** A completed refund of a payment, of exactly this amount, that its provider told of before. @returns its id */
export const findTold = (tx: Tx, book: Book, payment: string, amount: number): Promise<string | undefined> => {
  const { caller, order } = book as OpenBook
  return refunds.findTold(tx, caller.tenant, order.id, payment, amount)
}

/**
 * A completed refund, or a part of one that several were told of as, came to nothing. Of a cancelled order it is to be given back still.
 * @param named the provider's own id of what failed, where it is not given to another, and how much of the refund it is
 */
export function failRefund(book: Book, refund: Refund, { reference, amount }: { reference: string | null; amount: number }): void {
  const own = book as OpenBook
  const at = time()
  const rest = lessen(own, refund, amount, at)
  const failed = rest ? { ...newRefund(own.order, at), payment_id: refund.payment_id, reason: refund.reason } : refund
  own.refunds.set(failed.id, { ...failed, amount, reference, status: 'failed', full: false, completed_at: null })
  if (own.order.status === 'CANCELLED') openRefund(own, amount, refund.payment_id)
}

/** Notes a refund that came to nothing before it could be booked. */
export function noteFailed(book: Book, failed: Pick<Refund, 'amount' | 'reference' | 'reason' | 'payment_id'>): void {
  const own = book as OpenBook
  const refund: Refund = { ...newRefund(own.order, time()), ...failed, status: 'failed' }
  own.refunds.set(refund.id, refund)
  own.changed = true
}

/** What is booked as a refund is less by this amount, for another refund has it: nothing is to be given back of it. */
export async function shorten(tx: Tx, book: Book, id: string, amount: number): Promise<void> {
  const own = book as OpenBook
  const text = own.refunds.has(id) ? undefined : await refunds.findJson(tx, own.caller.tenant, own.order.id, id)
  const refund = own.refunds.get(id) ?? (JSON.parse(text as string) as Refund)
  if (!lessen(own, refund, amount, time())) own.refunds.set(id, { ...refund, status: 'failed', full: false, completed_at: null })
}

/** @returns what is left of the refund; undefined where nothing is */
function lessen(own: OpenBook, refund: Refund, amount: number, at: string): Refund | undefined {
  write(own, keptAfterAll(own.order, amount, at), 'order.refund_fail', { amount, refund_id: refund.id })
  own.spent += amount
  const rest = refund.amount > amount ? { ...refund, amount: refund.amount - amount, full: false } : undefined
  if (rest) own.refunds.set(rest.id, rest)
  own.counted.push(...refundCounted(own.caller.tenant, rest, refund))
  return rest
}

/** What is to be given back of an order that is being cancelled, as a part of a statement; undefined where nothing is. */
export function pendingPart(tenant: string, order: Order, at: string) {
  const amount = kept(order)
  if (amount <= 0) return undefined
  return refunds.saveAll(tenant, [{ ...newRefund(order, at), amount, reason: order.cancel_reason, full: true }])
}

/** Writes what was booked. Products are locked before contacts, as everywhere. */
export async function close(tx: Tx, caller: Caller, books: Iterable<Book>): Promise<void> {
  const changed = ([...books] as OpenBook[]).filter(each => each.changed)
  if (changed.length === 0) return
  const { tenant } = caller
  const freed = changed.flatMap(each => each.freed)
  if (freed.length > 0) await stock.release(tx, tenant, freed)
  const orders = changed.map(({ order }) => ({ tenant, order, text: JSON.stringify(order) }))
  const written = changed.flatMap(each => [...each.refunds.values()])
  const told = changed.flatMap(each => [...each.told])
  await emitAll(
    tx,
    changed.flatMap(each => each.events),
    [
      store.saveAll(orders),
      ...(written.length > 0 ? [refunds.saveAll(tenant, written, told)] : []),
      spentPart(changed.flatMap(({ spent, order }) => spendings(tenant, order, spent))),
      auditPart(changed.flatMap(each => each.audits)),
      ...counted(changed.flatMap(each => each.counted)),
    ],
  )
}

const spendings = (tenant: string, { customer, currency }: Order, amount: number) =>
  customer.contact_id === null ? [] : [{ tenant, id: customer.contact_id, currency, amount }]
