// A payment as the catalogue of event types shows it. Its ids belong to no workspace.
import type { Payment } from './schema.ts'

const ID = '01jz0000000000000000000000'

const paid: Payment = {
  object: 'payment',
  id: `pmt_${ID}`,
  order_id: `ord_${ID}`,
  provider: 'stripe',
  provider_id: `pay_${ID}`,
  reference: 'pi_3RTxExample',
  method: 'card',
  amount: 10_300,
  currency: 'EUR',
  status: 'paid',
  refunded_amount: 0,
  dispute: null,
  error: null,
  paid_at: '2026-05-28T20:31:05.000Z',
  created_at: '2026-05-28T20:31:05.000Z',
  updated_at: '2026-05-28T20:31:05.000Z',
}

export const mismatched: Payment = {
  ...paid,
  method: null,
  amount: 9800,
  status: 'mismatched',
  error: { code: 'amount_mismatch', message: 'The order owes 10300, the payment is of 9800.' },
}

export const disputed: Payment = {
  ...paid,
  dispute: {
    id: 'dp_1RTxExample',
    status: 'needs_response',
    reason: 'product_not_received',
    amount: 10_300,
    due_by: '2026-06-11T23:59:59.000Z',
  },
}
