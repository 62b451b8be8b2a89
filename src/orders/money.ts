// What money does to an order: pure rules. Each returns the order as it is after it, with a version more; the one given stays as it was.
import { isOpen } from './lifecycle.ts'
import type { Order } from './schema.ts'

/** What is still to be paid. Negative where more was paid than was asked for. */
export const owed = ({ total_amount, paid_amount }: Order): number => total_amount - paid_amount

/** What was paid and not given back. */
export const kept = ({ paid_amount, refunded_amount }: Order): number => paid_amount - refunded_amount

/** Money that has come, as the order shows it. */
export interface Receipt {
  amount: number
  /** As the order was placed, else by card, where it is not known. */
  method: NonNullable<Order['payment']>['method'] | null
  provider: string
  reference: string | null
  /** ISO 8601, of the provider's clock. */
  paid_at: string
}

/** @param confirms pending orders that are paid are confirmed */
export function received(order: Order, { amount, method, provider, reference, paid_at }: Receipt, at: string, confirms: boolean): Order {
  const paid_amount = order.paid_amount + amount
  const isPaid = paid_amount >= order.total_amount
  const becomesPaid = isPaid && order.paid_at === null
  const isLatest = !order.payment?.paid_at || order.payment.paid_at <= paid_at
  const isConfirmed = becomesPaid && confirms && order.status === 'pending'
  return {
    ...next(order, at),
    paid_amount,
    ...(isLatest && { payment: { method: method ?? order.payment?.method ?? 'card', provider, reference, paid_at } }),
    payment_status: isPaid || order.refunded_amount > 0 ? settled(order, order.refunded_amount, paid_amount) : order.payment_status,
    ...(becomesPaid && { paid_at }),
    ...(isConfirmed && { status: 'confirmed', confirmed_at: at }),
  }
}

/** Money that went back: all of it closes the order, unless it is cancelled, which it stays. */
export function givenBack(order: Order, amount: number, at: string): Order {
  const refunded_amount = order.refunded_amount + amount
  const isFull = refunded_amount >= order.paid_amount
  return {
    ...next(order, at),
    refunded_amount,
    payment_status: settled(order, refunded_amount, order.paid_amount),
    ...(isFull && { refunded_at: at }),
    ...(isFull && order.status !== 'CANCELLED' && { status: 'REFUNDED' }),
  }
}

/** A refund that was taken for completed and came to nothing: the amounts are right again, the status is left to people. */
export function keptAfterAll(order: Order, amount: number, at: string): Order {
  const refunded_amount = order.refunded_amount - amount
  return { ...next(order, at), refunded_amount, payment_status: settled(order, refunded_amount, order.paid_amount) }
}

/** A payment that was reserved, or failed, says something only of an order for which no better is known. */
export function attempted(order: Order, outcome: 'authorized' | 'failed', at: string): Order | undefined {
  const tells = outcome === 'authorized' ? ['unpaid', 'failed'] : ['unpaid']
  return tells.includes(order.payment_status) ? { ...next(order, at), payment_status: outcome } : undefined
}

/** Whether the goods of an order that became REFUNDED are free again: they never left the shop. */
export const isFreed = (before: Order, after: Order): boolean => after.status === 'REFUNDED' && isOpen(before.status)

const next = (order: Order, at: string): Order => ({ ...order, version: order.version + 1, updated_at: at })

function settled({ total_amount }: Order, refunded: number, paid: number): Order['payment_status'] {
  if (refunded === 0) return paid >= total_amount ? 'paid' : 'unpaid'
  return refunded >= paid ? 'refunded' : 'partially_refunded'
}
