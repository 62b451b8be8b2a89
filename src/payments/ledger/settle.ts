// A payment that pays: its order is booked, with what was given back of it before it could be.
import * as books from '../../orders/books.ts'
import type { Payment } from './schema.ts'

/** @returns the payment, with the method that its order shows */
export function settle(book: books.Book, payment: Payment): Payment {
  const { id: payment_id, amount, method, provider, reference, refunded_amount } = payment
  const paid_at = payment.paid_at as string
  books.pay(book, { payment_id, amount, method, provider, reference, paid_at })
  if (refunded_amount > 0)
    books.giveBack(book, { amount: refunded_amount, reason: null, reference: null, payment_id, completed_at: payment.updated_at })
  return { ...payment, method: method ?? book.order.payment?.method ?? null }
}
