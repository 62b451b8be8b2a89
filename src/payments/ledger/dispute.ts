// A dispute, told by its provider: kept by its own id beside the others of its payment, and booked as a refund where it was lost.
import { DISPUTES_OF_A_PAYMENT_MAX } from '../../limits/payments.ts'
import { PaymentDisputed } from './events.ts'
import type { Ledger } from './ledger.ts'
import { bookLosses } from './losses.ts'
import { APPLIED, AWAITS_PAYMENT, hasCome, ignored, KNOWN, type Of, type Taken, UNKNOWN, unmatched } from './outcome.ts'
import type { Entry, KnownDispute } from './payment.ts'
import type { Dispute } from './schema.ts'

export async function dispute(ledger: Ledger, update: Of<'dispute'>, isOverdue: boolean): Promise<Taken> {
  const found = ledger.find(update)
  if (!hasCome(found) && !isOverdue) return AWAITS_PAYMENT
  const entry = found ?? ledger.add(update, 'unmatched')
  const before = entry.disputes.find(each => each.id === update.id)
  if (before && !says(before, update)) return KNOWN
  if (!before && entry.disputes.length >= DISPUTES_OF_A_PAYMENT_MAX)
    return ignored(`The payment has ${DISPUTES_OF_A_PAYMENT_MAX} other disputes, and no more are kept of one.`)
  const { id, status, reason, amount, due_by, currency, at, event_id } = update
  const told = { id, status, reason, amount, due_by, currency, at, event_id, booked: [] }
  entry.disputes = [...entry.disputes.filter(each => each !== before), told]
  ledger.set(entry, { dispute: shown(entry.disputes) })
  announce(ledger, entry, told, before === undefined)
  const book = ledger.bookOf(entry.payment)
  if (status === 'lost' && book && entry.payment.status === 'paid') await bookLosses(ledger.tx, book, entry)
  return found ? APPLIED : unmatched(ledger, entry, { error: UNKNOWN })
}

/** The decisions, after which nothing comes but a graver one. What is none of them is open. */
const DECISIONS = ['prevented', 'warning_closed', 'won', 'lost']
const gravity = ({ status }: { status: string }): number => DECISIONS.indexOf(status)
const isOpen = (dispute: { status: string }): boolean => gravity(dispute) < 0

/** Whether an update says something new of a dispute. Of two tellings the same one counts, whichever comes first. */
function says(before: KnownDispute, update: Of<'dispute'>): boolean {
  if (gravity(update) !== gravity(before)) return gravity(update) > gravity(before)
  return isOpen(update) && (update.at > before.at || (update.at === before.at && update.event_id > before.event_id))
}

/** The dispute that has to be answered first; where all are decided, the one that was decided last. */
function shown(disputes: KnownDispute[]): Dispute {
  const open = disputes.filter(isOpen)
  const [first] = open.length > 0 ? open.toSorted(by(urgency)) : disputes.toSorted(by(recency)).reverse()
  const { id, status, reason, amount, due_by } = first as KnownDispute
  return { id, status, reason, amount, due_by }
}

const by =
  (text: (dispute: KnownDispute) => string) =>
  (a: KnownDispute, b: KnownDispute): number =>
    Number(text(a) > text(b)) - Number(text(a) < text(b))
const urgency = ({ due_by, id }: KnownDispute): string => `${due_by ?? 'without a time: last'} ${id}`
const recency = ({ at, id }: KnownDispute): string => `${at} ${id}`

// The event of a dispute shows that dispute, whichever its payment shows.
function announce(ledger: Ledger, { payment }: Entry, told: KnownDispute, isNew: boolean): void {
  const { id, amount, currency, status, due_by } = told
  const disputed = { ...payment, dispute: shown([told]) }
  if (isNew) ledger.tell(PaymentDisputed, disputed)
  const detail = `Disputed as ${id}: ${amount} ${currency}, `
  if (!isOpen(told)) ledger.notice({ kind: 'payment.dispute_closed', payment: disputed, detail: `${detail}decided: ${status}` })
  else if (isNew)
    ledger.notice({
      kind: 'payment.disputed',
      payment: disputed,
      detail: `${detail}to be answered by ${due_by ?? 'a time that the provider says'}`,
    })
}
