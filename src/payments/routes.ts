import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { type Route, write } from '../ingress/route.ts'
import * as orders from '../orders/orders.ts'
import { Refund } from '../orders/refund-schema.ts'
import { OrderId } from '../orders/schema.ts'
import { notFound } from '../problems.ts'
import { choices } from '../schemas.ts'
import * as byHand from './ledger/by-hand.ts'
import {
  Acceptance,
  AlreadyPaid,
  AlreadyTold,
  DuplicateReference,
  DuplicateRefund,
  NewPayment,
  NewRefund,
  NotAcceptable,
  PAYMENT_STATUSES,
  Payment,
  PaymentTooLarge,
  PROVIDERS,
  RefundTooLarge,
} from './ledger/schema.ts'
import * as store from './ledger/store.ts'

const path = '/api/v1/payments'
const ofOrder = { idPrefix: 'ord', noun: 'order', tag: 'Payments' }
const sorted = { sorts: { created_at: 'time' }, offers: { offset: false } } as const

export const listing: Listing = { path, idPrefix: 'pmt', ...sorted }
const ofOrderListing: Listing = { path: '/api/v1/orders/{id}/payments', idPrefix: 'pmt', ...sorted }
const refundListing: Listing = { path: '/api/v1/orders/{id}/refunds', idPrefix: 'ref', ...sorted }

const states = {
  status: Type.Optional(choices(PAYMENT_STATUSES, 'Any of these, comma-separated, in any case.')),
  provider: Type.Optional(choices(PROVIDERS, 'Any of these, comma-separated, in any case.')),
}
export const query = listQuery(listing, { ...states, order_id: Type.Optional(OrderId) })
const refundQuery = Type.Omit(listQuery(refundListing, {}), ['updated_after', 'updated_before'])

export const routes = (config: Config): Route[] => [
  listRoute(config, listing, {
    operationId: 'listPayments',
    tag: 'Payments',
    summary: 'List payments',
    description: 'With status=mismatched,unmatched: those that pay no order before a person has decided.',
    query,
    item: Payment,
    page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page),
  }),
  itemRoute({
    idPrefix: 'pmt',
    noun: 'payment',
    tag: 'Payments',
    path: `${path}/{id}`,
    operationId: 'getPayment',
    summary: 'Read a payment',
    response: Payment,
    json: (sql, { caller, id }) => store.findJson(sql, caller.tenant, id),
  }),
  write({
    idPrefix: 'pmt',
    noun: 'payment',
    tag: 'Payments',
    method: 'POST',
    path: `${path}/{id}/accept`,
    operationId: 'acceptPayment',
    summary: 'Accept a payment',
    description:
      'Books a payment that is mismatched or unmatched as it is, whatever the order owes; the order is paid when the sum is reached. One that is unmatched needs order_id.',
    body: Acceptance,
    bodyOptional: true,
    example: {},
    status: 200,
    response: Payment,
    conflicts: NotAcceptable,
    handler: async ({ tx, caller, id, body }) => ({ body: await byHand.accept(tx, caller, id, body) }),
  }),
  listRoute(config, ofOrderListing, {
    ...ofOrder,
    operationId: 'listOrderPayments',
    summary: 'List an order’s payments',
    query: listQuery(ofOrderListing, states),
    item: Payment,
    page: async ({ sql, caller, id, query }, asked) => {
      const filters = { ...query, order_id: id }
      const [page, exists] = await Promise.all([store.list(sql, caller.tenant, filters, asked), orders.exists(sql, caller.tenant, id)])
      if (!exists) throw notFound('order')
      return page
    },
  }),
  write({
    ...ofOrder,
    method: 'POST',
    path: ofOrderListing.path,
    operationId: 'recordPayment',
    summary: 'Record a payment',
    description: 'Of money that came elsewhere, in cash or by bank: no money moves here. The order is paid when the sum is reached.',
    body: NewPayment,
    bodyOptional: true,
    example: { method: 'bank_transfer', reference: 'statement 2026-05-28 no. 7' },
    status: 201,
    response: Payment,
    conflicts: [AlreadyPaid, PaymentTooLarge, DuplicateReference],
    handler: async ({ tx, caller, id, body }) => {
      const made = await byHand.record(tx, caller, id, body)
      return { body: made.json, location: `${path}/${made.id}` }
    },
  }),
  listRoute(config, refundListing, {
    ...ofOrder,
    operationId: 'listOrderRefunds',
    summary: 'List an order’s refunds',
    query: refundQuery,
    item: Refund,
    page: async ({ sql, caller, id, query }, asked) => {
      const [page, exists] = await Promise.all([
        orders.refunds(sql, caller.tenant, id, query, asked),
        orders.exists(sql, caller.tenant, id),
      ])
      if (!exists) throw notFound('order')
      return page
    },
  }),
  write({
    ...ofOrder,
    method: 'POST',
    path: refundListing.path,
    operationId: 'recordRefund',
    summary: 'Record a refund',
    description:
      'Of money that was given back elsewhere: no money moves here. It completes a pending refund. All that was paid given back makes the order REFUNDED, unless it is cancelled.',
    body: NewRefund,
    bodyOptional: true,
    example: { amount: 500, reason: 'One cup arrived broken' },
    status: 201,
    response: Refund,
    conflicts: [RefundTooLarge, DuplicateRefund, AlreadyTold],
    handler: async ({ tx, caller, id, body }) => {
      const made = await byHand.refund(tx, caller, id, body)
      return { body: made.json, location: `/api/v1/orders/${id}/refunds/${made.id}` }
    },
  }),
  itemRoute({
    ...ofOrder,
    path: `${refundListing.path}/{refund_id}`,
    inner: { name: 'refund_id', idPrefix: 'ref', noun: 'refund' },
    operationId: 'getOrderRefund',
    summary: 'Read a refund',
    response: Refund,
    json: (sql, { caller, id, innerId }) => orders.refund(sql, caller.tenant, id, innerId),
  }),
]
