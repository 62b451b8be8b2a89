// A dispute, told by its provider: shown on its payment, and booked as a refund where it was lost.
import * as books from '../../orders/books.ts'
import { PaymentDisputed } from './events.ts'
import type { Ledger } from './ledger.ts'
import { APPLIED, AWAITS_PAYMENT, hasCome, isForeign, KNOWN, type Of, type Taken, UNKNOWN, unmatched } from './outcome.ts'
import type { Entry } from './payment.ts'
import { withLoss } from './settle.ts'

/** Nothing comes after these. */
const FINAL = ['won', 'lost', 'warning_closed']

export async function dispute(ledger: Ledger, update: Of<'dispute'>, isOverdue: boolean): Promise<Taken> {
  const found = ledger.find(update)
  if (!hasCome(found) && !isOverdue) return AWAITS_PAYMENT
  const { id, status, reason, amount, due_by } = update
  const isFinal = FINAL.includes(status)
  const isReferenceTaken = found !== undefined && (await hasReference(ledger, found, id))
  // Lost already, and another dispute of the payment has been told of since.
  if (isReferenceTaken && id !== update.reference) return KNOWN
  const entry = found ?? ledger.add(update, 'unmatched')
  const before = entry.payment.dispute
  const isOld = before?.id === id && (FINAL.includes(before.status) || (!isFinal && update.at <= String(entry.dispute_at)))
  if (isOld) return KNOWN
  entry.dispute_at = update.at
  const payment = ledger.set(entry, { dispute: { id, status, reason, amount, due_by } })
  if (before?.id !== id) ledger.tell(PaymentDisputed, payment)
  if (before?.id !== id && !isFinal)
    ledger.notice({
      kind: 'payment.disputed',
      payment,
      detail: `Disputed: ${amount} ${update.currency}, to be answered by ${due_by ?? 'a time that the provider says'}`,
    })
  if (isFinal)
    ledger.notice({ kind: 'payment.dispute_closed', payment, detail: `Disputed: ${amount} ${update.currency}, decided: ${status}` })
  const book = ledger.bookOf(payment)
  if (status === 'lost' && payment.status === 'paid' && book && !isForeign(entry, update))
    ledger.set(entry, withLoss(book, payment, { reference: isReferenceTaken ? null : id, at: update.at }))
  if (!found) return unmatched(ledger, entry, { error: UNKNOWN })
  return APPLIED
}

// In the generic format a dispute goes by the reference of its payment, and a program may name a refund so as well.
const hasReference = async (ledger: Ledger, { payment }: Entry, reference: string): Promise<boolean> => {
  const book = ledger.bookOf(payment)
  return book !== undefined && books.hasRefund(ledger.tx, book, payment.id, reference)
}
