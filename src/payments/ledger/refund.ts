// What was given back, told by its provider: booked as it is told, whatever is told of first; and what of it came to nothing.
import { REFUND_AWAITED_MS } from '../../limits/payments.ts'
import * as books from '../../orders/books.ts'
import { kept } from '../../orders/money.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import type { Ledger } from './ledger.ts'
import { APPLIED, AWAITS_PAYMENT, hasCome, ignored, isForeign, KNOWN, type Of, type Taken, UNKNOWN, unmatched } from './outcome.ts'
import type { Entry } from './payment.ts'

const NOTHING = ignored('A refund of zero or less gives nothing back.')
const AWAITS_REFUND: Taken = { status: 'waits', forMs: REFUND_AWAITED_MS }

/**
 * What was given back in all: by how much it has grown over what is known is one refund. Where the event says what the sum was before it, the refund is
 * exact, whatever else is told of in between; it waits for an earlier one that is missing.
 */
export function refunded(ledger: Ledger, update: Of<'refunded'>, isOverdue: boolean): Taken {
  if (update.total <= 0) return NOTHING
  const entry = ledger.find(update)
  if (!hasCome(entry) && !isOverdue) return AWAITS_PAYMENT
  if (!entry) return orphan(ledger, update, update.total)
  if (isForeign(entry, update)) return foreignRefund(ledger, entry, update.total, update)
  const { total, before, at } = update
  const { told_refunded_amount: known, told_failed_amount: failed, told_sum_at } = entry
  const isExact = before !== null && before <= known + failed
  if (before !== null && told_sum_at !== null && at <= told_sum_at) return KNOWN
  if (before !== null && !isExact && !isOverdue) return AWAITS_REFUND
  const amount = total - (isExact ? before : known)
  if (amount <= 0) return KNOWN
  if (!isExact && (told_sum_at === null || told_sum_at < at)) entry.told_sum_at = at
  return bookRefund(ledger, entry, { amount, reference: null, reason: null, at }, isExact && !isOverdue)
}

export async function refund(ledger: Ledger, update: Of<'refund'>, isOverdue: boolean): Promise<Taken> {
  const { amount, refund_id: reference, reason, at } = update
  if (amount <= 0) return NOTHING
  const entry = ledger.find(update)
  if (!hasCome(entry) && !isOverdue) return AWAITS_PAYMENT
  if (!entry) return orphan(ledger, update, amount)
  if (isForeign(entry, update)) return foreignRefund(ledger, entry, amount, update)
  const book = ledger.bookOf(entry.payment)
  if (book && reference !== null && (await books.hasRefund(ledger.tx, book, entry.payment.id, reference))) return KNOWN
  return bookRefund(ledger, entry, { amount, reference, reason, at }, !isOverdue)
}

function foreignRefund(ledger: Ledger, entry: Entry, amount: number, { currency }: PaymentUpdate): Taken {
  ledger.notice({ kind: 'refund.currency', payment: ledger.set(entry, {}), detail: givenBack(`${amount} ${currency}`) })
  return ignored(`It is in ${currency}, the payment in ${entry.payment.currency}: it was not booked, and the admins were told.`)
}

export const givenBack = (amount: number | string): string => `Given back according to the provider: ${amount}`

/** Providers may tell of more than was ever paid: the sum stops at the largest number that is exact. */
const countable = (sum: number): number => Math.min(sum, Number.MAX_SAFE_INTEGER)

interface Refunding {
  amount: number
  reference: string | null
  reason: string | null
  /** ISO 8601. */
  at: string
}

/**
 * A refund of a payment that was never booked is noted on the payment alone: its order has got nothing of it.
 * @param mayWait where it is too much beside refunds told before it: one of these may have failed, and that not be told yet
 */
function bookRefund(ledger: Ledger, entry: Entry, { amount: told, reference, reason, at }: Refunding, mayWait: boolean): Taken {
  const { payment, told_refunded_amount: earlier } = entry
  const book = ledger.bookOf(payment)
  entry.told_refunded_amount = countable(earlier + told)
  const amount = Math.min(told, besideLosses(entry, book))
  if (amount === 0) {
    ledger.set(entry, {})
    return ignored('All of it was taken by a lost dispute before.')
  }
  // Of a payment that was never told of itself it is not known how much that was.
  const fits = payment.error?.code === UNKNOWN.code || amount <= payment.amount - payment.refunded_amount
  const isBooked = payment.status === 'paid' && book !== undefined
  const returned = { amount, reference, reason, payment_id: payment.id, completed_at: at }
  if (!fits || (isBooked && !books.giveBack(book, returned))) {
    if (mayWait && earlier > 0 && told <= payment.amount) {
      entry.told_refunded_amount = earlier
      return AWAITS_REFUND
    }
    ledger.notice({ kind: 'refund.too_large', payment: ledger.set(entry, {}), detail: givenBack(told) })
    return ignored('More would be given back than was paid: it was not booked, and the admins were told.')
  }
  ledger.set(entry, { refunded_amount: countable(payment.refunded_amount + amount) })
  return APPLIED
}

/**
 * The most that is booked of a refund whose payment lost disputes. A loss takes what refunds have left; where it was told of first, a refund does: so the
 * sums are the same in either order. Refunds that are too much by themselves are so beside a loss as well.
 */
function besideLosses({ payment, disputes, told_refunded_amount }: Entry, book: books.Book | undefined): number {
  const isLost = disputes.some(({ status, currency }) => status === 'lost' && currency === payment.currency)
  if (!isLost || !book || payment.status !== 'paid' || told_refunded_amount > payment.amount) return Number.POSITIVE_INFINITY
  return Math.max(0, Math.min(payment.amount - payment.refunded_amount, kept(book.order)))
}

export async function refundFailed(ledger: Ledger, update: Of<'refund_failed'>, isOverdue: boolean): Promise<Taken> {
  const { amount, refund_id: reference, reason } = update
  const entry = ledger.find(update)
  if (entry && hasCome(entry) && isForeign(entry, update))
    return ignored(`It is in ${update.currency}, the payment in ${entry.payment.currency}.`)
  const book = entry && ledger.bookOf(entry.payment)
  const found = book && (await books.findRefund(ledger.tx, book, entry.payment.id, { reference, amount }))
  if (!found) return isOverdue ? ignored('No such refund is known.') : AWAITS_PAYMENT
  if (amount <= 0 && found.reference !== reference) return NOTHING
  if (found.status === 'failed') return KNOWN
  const undone = books.failRefund(book, found, { reference, amount })
  entry.told_refunded_amount -= undone
  entry.told_failed_amount = countable(entry.told_failed_amount + undone)
  const payment = ledger.set(entry, { refunded_amount: Math.max(0, entry.payment.refunded_amount - undone) })
  ledger.notice({ kind: 'refund.failed', payment, detail: `Not given back: ${amount}${reason === null ? '' : ` (${reason})`}` })
  return APPLIED
}

function orphan(ledger: Ledger, update: Of<'refunded'> | Of<'refund'>, returned: number): Taken {
  const entry = ledger.add(update, 'unmatched')
  entry.told_refunded_amount = returned
  if (update.kind === 'refunded') entry.told_sum_at = update.at
  return unmatched(ledger, entry, { refunded_amount: returned, error: UNKNOWN })
}
