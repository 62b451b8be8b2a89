// One update of a provider, taken: what it changes of its payment and its order. Each is taken once, in any order; what was known before changes nothing.
import * as books from '../../orders/books.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import { dispute } from './dispute.ts'
import { PaymentMismatched } from './events.ts'
import type { Ledger } from './ledger.ts'
import { APPLIED, ignored, KNOWN, type Of, type Taken, unmatched } from './outcome.ts'
import { type Entry, mismatch } from './payment.ts'
import { givenBack, refund, refunded, refundFailed } from './refund.ts'
import type { Payment } from './schema.ts'
import { settle } from './settle.ts'

type Takes = { [K in PaymentUpdate['kind']]: (ledger: Ledger, update: Of<K>, isOverdue: boolean) => Taken | Promise<Taken> }

const TAKES: Takes = { paid, authorized, failed, refunded, refund, refund_failed: refundFailed, dispute }

/** @param isOverdue it has waited for long enough, and is taken as things are */
export async function take(ledger: Ledger, update: PaymentUpdate, isOverdue: boolean): Promise<Taken> {
  const entry = ledger.find(update)
  if (entry) learn(ledger, entry, update)
  return TAKES[update.kind](ledger, update as never, isOverdue)
}

// A later event may tell the charge, or the intent, that an earlier one did not have.
function learn(ledger: Ledger, entry: Entry, { reference, charge }: PaymentUpdate): void {
  if (entry.charge === null && charge !== null) {
    entry.charge = charge
    ledger.set(entry, {})
  }
  if (entry.payment.reference === null && reference !== null) ledger.set(entry, { reference })
}

const SETTLED: Payment['status'][] = ['paid', 'mismatched']

async function paid(ledger: Ledger, update: Of<'paid'>): Promise<Taken> {
  const known = ledger.find(update)
  const book = orderFor(ledger, update, known)
  if (known && (SETTLED.includes(known.payment.status) || (known.payment.status === 'unmatched' && !book))) return KNOWN
  const entry = known ?? ledger.add(update, 'paid')
  const { amount, currency, at: paid_at } = update
  if (!book) return unmatched(ledger, entry, { amount, currency, paid_at, error: noOrder(update) })
  const fault = mismatch(book.order, { amount, currency })
  const payment = ledger.set(entry, {
    amount,
    currency,
    paid_at,
    order_id: book.order.id,
    error: fault ?? null,
    status: fault ? 'mismatched' : 'paid',
  })
  if (fault) {
    ledger.tell(PaymentMismatched, payment)
    ledger.notice({ kind: 'payment.mismatched', payment, detail: fault.message })
    return APPLIED
  }
  await settle(ledger.tx, book, entry)
  const [settled, returned] = [entry.payment, payment.refunded_amount]
  if (settled.refunded_amount < returned) ledger.notice({ kind: 'refund.too_large', payment: settled, detail: givenBack(returned) })
  return APPLIED
}

const noOrder = ({ order }: PaymentUpdate): NonNullable<Payment['error']> =>
  order === null
    ? { code: 'no_order', message: 'It names no order.' }
    : { code: 'unknown_order', message: 'It names an order that this workspace does not have.' }

// A payment that is known stays with its order; what an update names counts where it has none yet.
function orderFor(ledger: Ledger, update: PaymentUpdate, known: Entry | undefined): books.Book | null | undefined {
  return (known && ledger.bookOf(known.payment)) ?? ledger.named(update)
}

function authorized(ledger: Ledger, update: Of<'authorized'>): Taken {
  const known = ledger.find(update)
  if (known && known.payment.status !== 'failed') return KNOWN
  const book = orderFor(ledger, update, known)
  if (!book) return ignored('It names no order, and nothing was paid.')
  const { amount, currency } = update
  ledger.set(known ?? ledger.add(update, 'authorized'), { amount, currency, order_id: book.order.id, status: 'authorized', error: null })
  if (!mismatch(book.order, update)) books.attempt(book, 'authorized')
  return APPLIED
}

function failed(ledger: Ledger, update: Of<'failed'>): Taken {
  const known = ledger.find(update)
  if (known) return ignored(`The payment is ${known.payment.status} already.`)
  const book = orderFor(ledger, update, known)
  if (!book) return ignored('It names no order, and nothing was paid.')
  ledger.set(ledger.add(update, 'failed'), { order_id: book.order.id, error: update.error })
  books.attempt(book, 'failed')
  return APPLIED
}
