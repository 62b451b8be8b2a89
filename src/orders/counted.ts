// What an order, and its money, counts in the workspace's figures. Pure.
import type { Difference, Line } from '../analytics/counting.ts'
import { columnOf } from '../analytics/measures.ts'
import type { Refund } from './refund-schema.ts'
import type { Order } from './schema.ts'

/** By what the figures differ when an order is placed, or changed from what it was before. It counts when it was created, in its status now. */
export function orderCounted(tenant: string, order: Order, before?: Order): Difference {
  const { created_at: at, currency, status } = order
  if (status === before?.status) return { tenant, at, currency, counts: {} }
  const sold = Number(isSold(order)) - Number(before !== undefined && isSold(before))
  return {
    tenant,
    at,
    currency,
    counts: { ...(before && { [columnOf(before.status)]: -1 }), [columnOf(status)]: 1, total: sold * order.total_amount },
    lines: sold === 0 ? [] : order.items.flatMap(item => lineOf(item, sold)),
  }
}

const isSold = ({ status }: Order): boolean => status !== 'CANCELLED'

const lineOf = ({ product_id, quantity, total_amount }: Order['items'][number], sold: number): Line[] =>
  product_id === null ? [] : [{ product_id, pieces: sold * quantity, amount: sold * total_amount }]

/** Money that has come. @param at ISO 8601 */
export const paidCounted = (tenant: string, { currency }: Order, amount: number, at: string): Difference => ({
  tenant,
  at,
  currency,
  counts: { paid: amount },
})

/** A refund that is completed; or is not any more, or not in full, as one that was completed before. */
export const refundCounted = (tenant: string, after: Refund | undefined, before?: Refund): Difference[] => [
  ...returned(tenant, before, -1),
  ...returned(tenant, after, 1),
]

function returned(tenant: string, refund: Refund | undefined, factor: 1 | -1): Difference[] {
  if (refund?.status !== 'completed' || refund.completed_at === null) return []
  const { completed_at: at, currency, amount } = refund
  return [{ tenant, at, currency, counts: { given_back: factor * amount } }]
}
