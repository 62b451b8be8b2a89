// What becomes of an update, and what all kinds of updates ask of the payment that they are about.
import { PAYMENT_AWAITED_MS } from '../../limits/payments.ts'
import type { PaymentUpdate } from '../reading/update.ts'
import type { Ledger } from './ledger.ts'
import type { Entry } from './payment.ts'
import type { Payment } from './schema.ts'

export type Of<K extends PaymentUpdate['kind']> = Extract<PaymentUpdate, { kind: K }>

export type Taken =
  | { status: 'applied' }
  | { status: 'ignored'; reason: string }
  /** For another update, so long. */
  | { status: 'waits'; forMs: number }

export const APPLIED: Taken = { status: 'applied' }
export const ignored = (reason: string): Taken => ({ status: 'ignored', reason })
export const KNOWN = ignored('It is known already.')
export const AWAITS_PAYMENT: Taken = { status: 'waits', forMs: PAYMENT_AWAITED_MS }

export const UNKNOWN = { code: 'unknown_payment', message: 'It was given back or disputed, and the payment itself was never told of.' }

/** Money is there to be given back or disputed: before that, either is told of before its time. */
export const hasCome = (entry: Entry | undefined): boolean =>
  entry !== undefined && !['failed', 'authorized'].includes(entry.payment.status)

/** Amounts of two currencies cannot be compared, and nothing is booked by a guess at a rate. */
export const isForeign = ({ payment }: Entry, { currency }: PaymentUpdate): boolean => payment.currency !== currency

export function unmatched(ledger: Ledger, entry: Entry, change: Partial<Payment> & { error: NonNullable<Payment['error']> }): Taken {
  const payment = ledger.set(entry, { ...change, status: 'unmatched' })
  ledger.notice({ kind: 'payment.unmatched', payment, detail: change.error.message })
  return APPLIED
}
