// A payment that pays: its order is booked, with what was given back or lost of it before it could be.
import * as books from '../../orders/books.ts'
import type { Tx } from '../../postgres/sql.ts'
import { bookLosses } from './losses.ts'
import type { Entry } from './payment.ts'

/** The payment gets the method that its order shows; nothing of it is given back where that was more than the payment. */
export async function settle(tx: Tx, book: books.Book, entry: Entry): Promise<void> {
  const { payment } = entry
  const { id: payment_id, amount, method, provider, reference, refunded_amount } = payment
  const paid_at = payment.paid_at as string
  books.pay(book, { payment_id, amount, method, provider, reference, paid_at })
  const at = payment.updated_at
  const returned = { amount: refunded_amount, reason: null, reference: null, payment_id, completed_at: at }
  const isGivenBack = refunded_amount <= amount && books.giveBack(book, returned) !== undefined
  entry.payment = {
    ...payment,
    refunded_amount: isGivenBack ? refunded_amount : 0,
    method: method ?? book.order.payment?.method ?? null,
  }
  await bookLosses(tx, book, entry)
}
