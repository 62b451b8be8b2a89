// What a payment has lost by disputes: what refunds leave of it, for the bank has taken it. It is a function of what was told, and not of its order:
// a refund that is told of later takes its part from a loss, and one that fails leaves it to a loss.
import * as books from '../../orders/books.ts'
import { kept } from '../../orders/money.ts'
import type { Refund } from '../../orders/refund-schema.ts'
import type { Tx } from '../../postgres/sql.ts'
import type { Entry, KnownDispute } from './payment.ts'

/** Books what there still is of lost disputes. One in another currency is left to people. */
export async function bookLosses(tx: Tx, book: books.Book, entry: Entry): Promise<void> {
  for (const loss of lossesOf(entry)) {
    const { id: payment_id, amount, refunded_amount } = entry.payment
    const booked = await bookedOf(tx, book, entry, loss)
    const more = Math.min(loss.amount - sumOf(booked), amount - refunded_amount, kept(book.order))
    if (more <= 0) continue
    // In the generic format a dispute goes by the reference of its payment, and a program may name a refund so as well.
    const isNamed = booked.length === 0 && !(await books.hasRefund(tx, book, payment_id, loss.id))
    const reference = isNamed ? loss.id : null
    const made = books.giveBack(book, { amount: more, reason: 'dispute', reference, payment_id, completed_at: loss.at })
    if (!made) continue
    note(entry, loss, [...booked, { id: made.id, amount: more }])
    entry.payment = { ...entry.payment, refunded_amount: refunded_amount + more }
  }
}

/** Takes back of lost disputes what a refund of this amount needs. */
export async function makeRoom(tx: Tx, book: books.Book, entry: Entry, amount: number): Promise<void> {
  const { payment } = entry
  let missing = amount - Math.min(payment.amount - payment.refunded_amount, kept(book.order))
  for (const loss of lossesOf(entry).reverse()) {
    const booked = (await bookedOf(tx, book, entry, loss)).map(each => ({ ...each }))
    for (const each of booked.toReversed()) {
      const part = Math.min(missing, each.amount)
      if (part <= 0) break
      await books.shorten(tx, book, each.id, part)
      each.amount -= part
      missing -= part
      entry.payment = { ...entry.payment, refunded_amount: entry.payment.refunded_amount - part }
    }
    note(
      entry,
      loss,
      booked.filter(each => each.amount > 0),
    )
  }
}

/** How much is booked of lost disputes. */
export async function lost(tx: Tx, book: books.Book, entry: Entry): Promise<number> {
  let sum = 0
  for (const loss of lossesOf(entry)) sum += sumOf(await bookedOf(tx, book, entry, loss))
  return sum
}

/** The ids of refunds that are booked for lost disputes. */
export const refundsOfLosses = (entry: Entry): string[] => lossesOf(entry).flatMap(({ booked }) => (booked ?? []).map(({ id }) => id))

/** In one order, whichever was told of first. */
const lossesOf = ({ disputes, payment }: Entry): KnownDispute[] =>
  disputes
    .filter(({ status, currency }) => status === 'lost' && currency === payment.currency)
    .sort((a, b) => Number(a.id > b.id) - Number(a.id < b.id))

type Booked = NonNullable<KnownDispute['booked']>

const sumOf = (booked: Booked): number => booked.reduce((sum, { amount }) => sum + amount, 0)

// What was booked before it was noted which refunds it is has the dispute's id, or none where a refund was named so before.
async function bookedOf(tx: Tx, book: books.Book, entry: Entry, { id, booked, amount }: KnownDispute): Promise<Booked> {
  if (booked) return booked
  const payment = entry.payment.id
  const named = await books.findRefund(tx, book, payment, { reference: id, amount, except: [] })
  if (named?.reference !== id) return []
  const isLoss = (each: Refund) => each.reason === 'dispute' && each.status === 'completed'
  const found = named.reason === 'dispute' ? [named] : await books.unnamedRefunds(tx, book, payment, refundsOfLosses(entry))
  return found
    .filter(isLoss)
    .slice(0, 1)
    .map(each => ({ id: each.id, amount: each.amount }))
}

function note(entry: Entry, loss: KnownDispute, booked: Booked): void {
  entry.disputes = entry.disputes.map(each => (each.id === loss.id ? { ...each, booked } : each))
}
