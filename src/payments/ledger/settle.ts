// A payment that pays: its order is booked, with what was given back or lost of it before it could be.
import * as books from '../../orders/books.ts'
import { kept } from '../../orders/money.ts'
import type { KnownDispute } from './payment.ts'
import type { Payment } from './schema.ts'

/** @returns the payment, with the method that its order shows; nothing of it is given back where that was more than the payment */
export function settle(book: books.Book, payment: Payment, disputes: KnownDispute[]): Payment {
  const { id: payment_id, amount, method, provider, reference, refunded_amount } = payment
  const paid_at = payment.paid_at as string
  books.pay(book, { payment_id, amount, method, provider, reference, paid_at })
  const at = payment.updated_at
  const returned = { amount: refunded_amount, reason: null, reference: null, payment_id, completed_at: at }
  const isGivenBack = refunded_amount <= amount && books.giveBack(book, returned) !== undefined
  const settled = { ...payment, refunded_amount: isGivenBack ? refunded_amount : 0, method: method ?? book.order.payment?.method ?? null }
  return disputes
    .filter(each => each.status === 'lost')
    .reduce((rest, lost) => withLoss(book, rest, { ...lost, reference: lost.id, at }), settled)
}

/**
 * A dispute was lost: what there still is of its amount is a completed refund, for the bank has taken it. One in another currency is left to people.
 * @param loss its `reference` is one that no refund of the payment has; `at` is ISO 8601
 */
export function withLoss(
  book: books.Book,
  payment: Payment,
  loss: Pick<KnownDispute, 'amount' | 'currency' | 'at'> & { reference: string | null },
): Payment {
  const { id: payment_id, amount, currency, refunded_amount } = payment
  if (loss.currency !== currency) return payment
  const lost = Math.min(loss.amount, amount - refunded_amount, kept(book.order))
  const made = books.giveBack(book, { amount: lost, reason: 'dispute', reference: loss.reference, payment_id, completed_at: loss.at })
  return made ? { ...payment, refunded_amount: refunded_amount + lost } : payment
}
