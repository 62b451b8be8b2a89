// What people record: payments and refunds that were made elsewhere, and payments that they accept as they are. No money moves here. The order's
// row is locked first, so what is decided is still so when it is written.
import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import * as books from '../../orders/books.ts'
import { kept, owed } from '../../orders/money.ts'
import type { Order } from '../../orders/schema.ts'
import { audit } from '../../postgres/audit.ts'
import { violatedConstraint } from '../../postgres/errors.ts'
import { savepoint, type Tx } from '../../postgres/sql.ts'
import { invalid, notFound, Problem } from '../../problems.ts'
import { type Entry, newPayment, UNTOLD } from './payment.ts'
import type { Acceptance, NewPayment, NewRefund, Payment } from './schema.ts'
import { settle } from './settle.ts'
import * as store from './store.ts'

/**
 * Records a payment that came elsewhere, in cash or by bank.
 * @returns its public JSON. @throws {Problem} 404; 409 where nothing is owed, or less than that, or another payment has its reference
 */
export async function record(tx: Tx, caller: Caller, order: string, input: NewPayment): Promise<{ id: string; json: string }> {
  const book = await opened(tx, caller, order)
  const at = new Date(now()).toISOString()
  const paid_at = input.paid_at === undefined ? at : new Date(input.paid_at).toISOString()
  const rest = owed(book.order)
  const amount = input.amount ?? rest
  const fits = rest > 0 && amount <= rest
  // A repeat is told that it is one, also where its first has paid all that was owed.
  const known = !fits && input.reference ? await store.withOwnReference(tx, caller.tenant, input.reference) : undefined
  if (known) throw duplicate(known)
  if (rest <= 0) throw new Problem('conflict', 'The order owes nothing more.', { code: 'already_paid', owed_amount: Math.max(0, rest) })
  if (amount > rest)
    throw new Problem('conflict', `The order owes ${rest}: record no more than that.`, { code: 'payment_too_large', owed_amount: rest })
  const origin = {
    provider: 'manual',
    provider_id: null,
    reference: input.reference ?? null,
    amount,
    currency: book.order.currency,
  } as const
  const method = (input.method ?? null) as Payment['method']
  const entry = { payment: { ...newPayment({ ...origin, order_id: order, method }, 'paid', at), paid_at }, ...UNTOLD }
  await settle(tx, book, entry)
  const paid = entry.payment
  await insert(tx, caller, entry)
  await audit(tx, caller, 'payment.record', paid.id, { order_id: order, amount })
  await books.close(tx, caller, [book])
  return { id: paid.id, json: JSON.stringify(paid) }
}

/**
 * Records what was given back elsewhere; it completes a refund that is pending.
 * @returns it. @throws {Problem} 404; 409 where less was paid, or another refund has its reference, or it has none and the provider told of as much
 */
export async function refund(tx: Tx, caller: Caller, order: string, input: NewRefund): Promise<{ id: string; json: string }> {
  const book = await opened(tx, caller, order)
  const rest = kept(book.order)
  const amount = input.amount ?? rest
  const [only, ...others] = await store.paidOf(tx, caller.tenant, order, 2)
  const payment = others.length === 0 ? only : undefined
  const at = new Date(now()).toISOString()
  const reference = input.reference ?? null
  if (reference !== null && (await books.hasRefund(tx, book, undefined, reference)))
    throw new Problem('conflict', 'Another refund of this order has this reference.', { code: 'duplicate_refund' })
  // What the provider has told of is booked: it may be the same one. A reference says that it is another.
  const told = reference === null && payment && amount <= rest ? await books.findTold(tx, book, payment.payment.id, amount) : undefined
  if (told)
    throw new Problem(
      'conflict',
      `The provider has told of a refund of ${amount}, which is booked. If as much was given back once more, record that with a reference.`,
      {
        code: 'already_told',
        refund_id: told,
      },
    )
  const made = books.giveBack(book, {
    amount,
    reason: input.reason ?? null,
    reference,
    payment_id: payment?.payment.id ?? null,
    completed_at: at,
  })
  if (!made)
    throw new Problem('conflict', `Of this order ${rest} can be given back, and no more.`, {
      code: 'refund_too_large',
      refundable_amount: rest,
    })
  if (payment) await tx`${store.saveAll(caller.tenant, [withReturned(payment, amount, at)])}`
  await books.close(tx, caller, [book])
  return { id: made.id, json: JSON.stringify(made) }
}

/**
 * Books a mismatched or unmatched payment as it is; the order is paid when the sum is reached. What the provider gave back of it meanwhile is booked
 * with it.
 * @returns its public JSON. @throws {Problem} 404; 422 where its order is not known; 409 where it cannot be booked
 */
export async function accept(tx: Tx, caller: Caller, id: string, { order_id }: Acceptance): Promise<string> {
  const seen = await store.find(tx, caller.tenant, id)
  if (!seen) throw notFound('payment')
  const book = await opened(tx, caller, orderOf(seen.payment, order_id), 'order_id')
  const entry = await store.lock(tx, caller.tenant, id)
  refuseUnacceptable(entry.payment, book.order)
  const at = new Date(now()).toISOString()
  const { payment } = entry
  const order = book.order.id
  entry.payment = { ...payment, order_id: order, status: 'paid', error: null, paid_at: payment.paid_at ?? at, updated_at: at }
  await settle(tx, book, entry)
  await tx`${store.saveAll(caller.tenant, [entry])}`
  await audit(tx, caller, 'payment.accept', id, { order_id: order, status: payment.status })
  await books.close(tx, caller, [book])
  return JSON.stringify(entry.payment)
}

const withReturned = (entry: Entry, amount: number, at: string): Entry => ({
  ...entry,
  payment: { ...entry.payment, refunded_amount: entry.payment.refunded_amount + amount, updated_at: at },
})

async function opened(tx: Tx, caller: Caller, order: string, field?: string): Promise<books.Book> {
  const book = (await books.open(tx, caller, [order])).get(order)
  if (book) return book
  throw field === undefined ? notFound('order') : invalid({ field, code: 'unknown_order', message: 'names no order.' })
}

function orderOf({ order_id: own }: Payment, given: string | undefined): string {
  if (own !== null && given !== undefined && given !== own)
    throw invalid({ field: 'order_id', code: 'not_combinable', message: `is not the order of this payment, which is ${own}.` })
  const order = own ?? given
  if (order === undefined) throw invalid({ field: 'order_id', code: 'required', message: 'is required: the payment names no order.' })
  return order
}

function refuseUnacceptable({ status, amount, currency, refunded_amount }: Payment, order: Order): void {
  if (status !== 'mismatched' && status !== 'unmatched')
    throw new Problem('conflict', `This payment is ${status}: only one that is mismatched or unmatched can be accepted.`, {
      code: 'payment_settled',
      payment_status: status,
    })
  if (amount <= 0) throw new Problem('conflict', 'A payment of zero or less pays nothing.', { code: 'amount_not_positive' })
  if (currency !== order.currency)
    throw new Problem(
      'conflict',
      `The order is in ${order.currency}: give this payment back, or record what it was worth with POST /orders/{id}/payments.`,
      {
        code: 'currency_mismatch',
        currency: order.currency,
      },
    )
  if (refunded_amount >= amount) throw new Problem('conflict', 'All of this payment was given back.', { code: 'payment_refunded' })
  if (order.paid_amount + amount > Number.MAX_SAFE_INTEGER)
    throw new Problem('conflict', 'With this payment the order would be paid more than can be counted: give it back.', {
      code: 'sum_too_large',
    })
}

// In a savepoint: the answer to a taken reference names its payment, which has to be read.
async function insert(tx: Tx, { tenant }: Caller, entry: Entry): Promise<void> {
  try {
    await savepoint(tx, inner => inner`${store.saveAll(tenant, [entry])}`)
  } catch (error) {
    if (violatedConstraint(error) !== 'payments_reference') throw error
    throw duplicate((await store.withOwnReference(tx, tenant, entry.payment.reference as string)) as string)
  }
}

const duplicate = (payment_id: string): Problem =>
  new Problem(
    'conflict',
    'Another payment that was recorded by hand has this reference.',
    { code: 'duplicate_reference', payment_id },
    { Location: `/api/v1/payments/${payment_id}` },
  )
