// What was given back, told by its provider: booked as it is told, whatever is told of first; and what of it came to nothing.
import { FAILURES_OF_A_PAYMENT_MAX, REFUND_AWAITED_MS } from '../../limits/payments.ts'
import * as books from '../../orders/books.ts'
import { kept } from '../../orders/money.ts'
import type { Refund } from '../../orders/refund-schema.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import type { Ledger } from './ledger.ts'
import { bookLosses, lost, makeRoom, refundsOfLosses } from './losses.ts'
import { APPLIED, AWAITS_PAYMENT, hasCome, ignored, isForeign, KNOWN, type Of, type Taken, UNKNOWN, unmatched } from './outcome.ts'
import type { Entry } from './payment.ts'

const NOTHING = ignored('A refund of zero or less gives nothing back.')
const AWAITS_REFUND: Taken = { status: 'waits', forMs: REFUND_AWAITED_MS }
/** Its payment is there, and has nothing left for it. */
export const AWAITS_ROOM: Taken = { ...AWAITS_PAYMENT }

/**
 * What was given back in all: by how much it has grown over what is known is one refund. Where the event says what the sum was before it, the refund is
 * exact, whatever else is told of in between; it waits for an earlier one that is missing. Awaited in vain, the sum is what counts.
 */
export async function refunded(ledger: Ledger, update: Of<'refunded'>, isOverdue: boolean): Promise<Taken> {
  if (update.total <= 0) return NOTHING
  const entry = ledger.find(update)
  if (!hasCome(entry) && !isOverdue) return AWAITS_PAYMENT
  if (!entry) return orphan(ledger, update, update.total)
  if (isForeign(entry, update)) return foreignRefund(ledger, entry, update.total, update)
  const { total, before, at } = update
  const { told_refunded_amount: known, told_sum_at } = entry
  if (before !== null && isInSum(entry, at)) return KNOWN
  const isExact = before !== null && before <= known + failedAfter(entry, '')
  if (before !== null && !isExact && !isOverdue) return AWAITS_REFUND
  // What has failed since then was still given back at that time, and is in the sum.
  const amount = total - (isExact ? before : known + failedAfter(entry, at))
  if (amount <= 0) return KNOWN
  if (!isExact && (told_sum_at === null || told_sum_at < at)) entry.told_sum_at = at
  return bookRefund(ledger, entry, { amount, reference: null, reason: null, at }, isExact && !isOverdue)
}

/** @param time ISO 8601; empty: at any time */
const failedAfter = ({ told_failures }: Entry, time: string): number =>
  told_failures.reduce((sum, { at, amount }) => (at > time ? countable(sum + amount) : sum), 0)

/** What is older than a sum that counts is in it already. */
const isInSum = ({ told_sum_at }: Entry, at: string): boolean => told_sum_at !== null && at <= told_sum_at

export async function refund(ledger: Ledger, update: Of<'refund'>, isOverdue: boolean): Promise<Taken> {
  const { amount, refund_id: reference, reason, at } = update
  if (amount <= 0) return NOTHING
  const entry = ledger.find(update)
  if (!hasCome(entry) && !isOverdue) return AWAITS_PAYMENT
  if (!entry) return orphan(ledger, update, amount)
  if (isForeign(entry, update)) return foreignRefund(ledger, entry, amount, update)
  const book = bookOf(ledger, entry)
  if (book && reference !== null) {
    const found = await books.findRefund(ledger.tx, book, entry.payment.id, { reference, amount, except: [] })
    if (found?.reference === reference) return nowTold(ledger, entry, found)
  }
  return bookRefund(ledger, entry, { amount, reference, reason, at }, !isOverdue)
}

/** One that was recorded by hand, with the provider's id. Its failure takes it off what was told, before this or after it, so it counts as told. */
function nowTold(ledger: Ledger, entry: Entry, { payment_id, amount }: Refund): Taken {
  if (payment_id === null) return KNOWN
  entry.told_refunded_amount = countable(entry.told_refunded_amount + amount)
  ledger.set(entry, {})
  return KNOWN
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

/** The order of a payment that paid it. */
const bookOf = (ledger: Ledger, { payment }: Entry): books.Book | undefined =>
  payment.status === 'paid' ? ledger.bookOf(payment) : undefined

/** How much can be given back: what was, of refunds, is not there any more, and what a lost dispute has taken is, for refunds count before it. */
async function room(ledger: Ledger, entry: Entry): Promise<number> {
  const { payment } = entry
  // Of a payment that was never told of itself it is not known how much that was.
  if (payment.error?.code === UNKNOWN.code) return Number.POSITIVE_INFINITY
  const left = payment.amount - payment.refunded_amount
  const book = bookOf(ledger, entry)
  return book ? Math.min(left, kept(book.order)) + (await lost(ledger.tx, book, entry)) : left
}

/**
 * A refund of a payment that was never booked is noted on the payment alone: its order has got nothing of it.
 * @param mayWait where it is too much beside refunds told before it: one of these may have failed, or it has itself, and that not be told yet
 */
async function bookRefund(ledger: Ledger, entry: Entry, { amount, reference, reason, at }: Refunding, mayWait: boolean): Promise<Taken> {
  const { payment, told_refunded_amount: earlier } = entry
  if (amount > (await room(ledger, entry))) {
    if (mayWait && earlier > 0 && amount <= payment.amount) return AWAITS_ROOM
    entry.told_refunded_amount = countable(earlier + amount)
    const noted = bookOf(ledger, entry) ? {} : { refunded_amount: unbooked(entry) }
    ledger.notice({ kind: 'refund.too_large', payment: ledger.set(entry, noted), detail: givenBack(amount) })
    return ignored('More would be given back than was paid: it was not booked, and the admins were told.')
  }
  entry.told_refunded_amount = countable(earlier + amount)
  const book = bookOf(ledger, entry)
  if (book) {
    await makeRoom(ledger.tx, book, entry, amount)
    books.giveBack(book, { amount, reference, reason, payment_id: payment.id, completed_at: at, isTold: true })
  }
  ledger.set(entry, { refunded_amount: countable(entry.payment.refunded_amount + amount) })
  return APPLIED
}

/** What is noted as given back of a payment that was never booked: what was told, and no more than the payment was. */
const unbooked = ({ payment, told_refunded_amount: told }: Entry): number =>
  Math.max(0, payment.error?.code === UNKNOWN.code ? told : Math.min(told, payment.amount))

/** A refund that came to nothing: the one with its id, else one of its amount that was told of without an id. It waits for that. */
export async function refundFailed(ledger: Ledger, update: Of<'refund_failed'>, isOverdue: boolean): Promise<Taken> {
  const { amount, refund_id: reference } = update
  const entry = ledger.find(update)
  if (entry && hasCome(entry) && isForeign(entry, update))
    return ignored(`It is in ${update.currency}, the payment in ${entry.payment.currency}.`)
  const awaits = isOverdue ? ignored('No such refund is known.') : AWAITS_PAYMENT
  if (!entry) return awaits
  const book = bookOf(ledger, entry)
  const found = book && (await books.findRefund(ledger.tx, book, entry.payment.id, { reference, amount, except: refundsOfLosses(entry) }))
  if (found?.status === 'failed') return KNOWN
  if (found?.reference === reference)
    return found.payment_id === null ? undoByHand(ledger, entry, update, found) : undo(ledger, entry, update, [found], found.amount)
  if (amount <= 0) return NOTHING
  if (isInSum(entry, update.at)) return undo(ledger, entry, update, [], 0)
  // What the provider has not told of was given back by hand, and stands.
  if (entry.told_refunded_amount < amount) return awaits
  if (!book) return undo(ledger, entry, update, [], amount)
  const failing = found ? [found] : isOverdue || entry.told_sum_at !== null ? await partsOf(ledger, book, entry, amount) : []
  return failing.length === 0 ? awaits : undo(ledger, entry, update, failing, amount)
}

/** Whether this failure is that of this refund, which has not been booked. */
export const isFailureOf = (failure: PaymentUpdate, refund: PaymentUpdate): boolean => {
  if (failure.kind !== 'refund_failed') return false
  if (refund.kind === 'refund') return refund.refund_id === failure.refund_id
  return refund.kind === 'refunded' && refund.before !== null && refund.total - refund.before === failure.amount
}

/** A refund for which there is no room beside others, and which itself came to nothing: neither is booked. */
export function annul(ledger: Ledger, failure: Of<'refund_failed'>): void {
  const entry = ledger.find(failure)
  if (!entry) return
  const book = bookOf(ledger, entry)
  const { amount, refund_id: reference, reason, at } = failure
  if (book) books.noteFailed(book, { amount, reference, reason: null, payment_id: entry.payment.id })
  noteFailure(entry, { at, amount })
  ledger.notice({ kind: 'refund.failed', payment: ledger.set(entry, {}), detail: notGivenBack(amount, reason) })
}

function noteFailure(entry: Entry, failure: Entry['told_failures'][number]): void {
  const all = [...entry.told_failures, failure].sort((a, b) => Number(a.at > b.at) - Number(a.at < b.at))
  entry.told_failures = all.slice(-FAILURES_OF_A_PAYMENT_MAX)
}

const notGivenBack = (amount: number, reason: string | null): string => `Not given back: ${amount}${reason === null ? '' : ` (${reason})`}`

/** Refunds of which a part may be what failed, for each was told of as a sum of several: the smallest that is large enough, else several. */
async function partsOf({ tx }: Ledger, book: books.Book, entry: Entry, amount: number): Promise<Refund[]> {
  const all = await books.unnamedRefunds(tx, book, entry.payment.id, refundsOfLosses(entry))
  const one = all.find(each => each.amount >= amount)
  if (one) return [one]
  return all.reduce((sum, each) => sum + each.amount, 0) >= amount ? all.reverse() : []
}

/** @param amount of what was told of refunds so much came to nothing, of these, the first of which gets its id */
async function undo(ledger: Ledger, entry: Entry, told: Of<'refund_failed'>, of: Refund[], amount: number): Promise<Taken> {
  const book = bookOf(ledger, entry)
  let rest = amount
  for (const [index, refund] of of.entries()) {
    if (!book || rest <= 0) break
    const part = Math.min(rest, refund.amount)
    books.failRefund(book, refund, { reference: index === 0 ? told.refund_id : null, amount: part })
    rest -= part
  }
  entry.told_refunded_amount -= amount
  if (amount > 0) noteFailure(entry, { at: told.at, amount })
  const payment = ledger.set(entry, { refunded_amount: book ? Math.max(0, entry.payment.refunded_amount - amount) : unbooked(entry) })
  if (book) await bookLosses(ledger.tx, book, entry)
  ledger.notice({ kind: 'refund.failed', payment, detail: notGivenBack(told.amount, told.reason) })
  return APPLIED
}

/** One that was recorded by hand as of none of its order's payments is no part of what is known of this one. */
function undoByHand(ledger: Ledger, entry: Entry, told: Of<'refund_failed'>, refund: Refund): Taken {
  const book = bookOf(ledger, entry)
  if (book) books.failRefund(book, refund, { reference: refund.reference, amount: refund.amount })
  ledger.notice({ kind: 'refund.failed', payment: ledger.set(entry, {}), detail: notGivenBack(told.amount, told.reason) })
  return APPLIED
}

function orphan(ledger: Ledger, update: Of<'refunded'> | Of<'refund'>, returned: number): Taken {
  const entry = ledger.add(update, 'unmatched')
  entry.told_refunded_amount = returned
  if (update.kind === 'refunded') entry.told_sum_at = update.at
  return unmatched(ledger, entry, { refunded_amount: returned, error: UNKNOWN })
}
