import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { ContactId } from '../contacts/schema.ts'
import { exportable } from '../exports/exportable.ts'
import { bulk } from '../ingress/bulk.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { type Route, sharedWrite, write } from '../ingress/route.ts'
import { Problem } from '../problems.ts'
import { InsufficientStock } from '../products/schema.ts'
import { choices, Total } from '../schemas.ts'
import { writeAll } from './bulk.ts'
import { STATUSES } from './lifecycle.ts'
import * as orders from './orders.ts'
import { placeAll } from './place.ts'
import {
  DuplicateOrder,
  FULFILLMENT_STATUSES,
  InvalidTransition,
  NewOrder,
  Order,
  OrderChange,
  OrderClosed,
  PAYMENT_STATUSES,
  SOURCES,
} from './schema.ts'
import * as store from './store.ts'

const path = '/api/v1/orders'
const listing: Listing = {
  path,
  idPrefix: 'ord',
  sorts: { created_at: 'time', updated_at: 'time', total_amount: 'number' },
  offers: { offset: true },
}
const any = (values: readonly string[]) => Type.Optional(choices(values, 'Any of these, comma-separated, in any case.'))

const query = listQuery(listing, {
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 300, description: 'An order’s number, its external_id, or the customer’s e-mail address.' }),
  ),
  status: any(STATUSES),
  payment_status: any(PAYMENT_STATUSES),
  fulfillment_status: any(FULFILLMENT_STATUSES),
  source: any(SOURCES),
  customer_email: Type.Optional(Type.String({ minLength: 1, maxLength: 254, description: 'Exactly, in any case.' })),
  contact_id: Type.Optional(ContactId),
  external_id: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
  number: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647 })),
  min_total: Type.Optional(Total),
  max_total: Type.Optional(Total),
})
export const exported = exportable({ resource: 'orders', item: Order, query, rows: store.rows })
const one = { idPrefix: 'ord' as const, noun: 'order', tag: 'Orders', path: `${path}/{id}` }

export const routes = (config: Config): Route[] => [
  listRoute(config, listing, {
    operationId: 'listOrders',
    tag: 'Orders',
    summary: 'List orders',
    query,
    item: Order,
    page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page),
  }),
  sharedWrite({
    method: 'POST',
    path,
    operationId: 'createOrder',
    tag: 'Orders',
    summary: 'Place an order',
    description:
      'Reserves stock, finds or makes the contact, totals on the server, and emits order.created. Short stock is a 409 with code insufficient_stock.',
    body: NewOrder,
    example: {
      items: [{ name: 'Gift card', unit_amount: 2500, quantity: 1 }],
      customer: { name: 'Ada Lovelace', email: 'ada@example.com' },
    },
    status: 201,
    response: Order,
    conflicts: [InsufficientStock, DuplicateOrder],
    handleAll: async (tx, asked) => {
      const outcomes = await placeAll(
        tx,
        asked.map(({ caller, body }) => ({ caller, input: body })),
      )
      return outcomes.map(each => (each instanceof Problem ? each : { body: each.text, location: `${path}/${each.order.id}` }))
    },
  }),
  bulk(config, {
    ...one,
    path,
    operationId: 'bulkOrders',
    description: `Up to ${config.bulkMaxItems} items, counted as one write. An item with an id moves or annotates that order, one without places an order; each succeeds or fails by itself. Changes are made first, so stock that one of them releases can be sold by a new order of the same request.`,
    create: NewOrder,
    change: OrderChange,
    resource: Order,
    example: {
      items: [
        { items: [{ name: 'Gift card', unit_amount: 2500, quantity: 1 }], customer: { email: 'ada@example.com' } },
        { items: [{ name: 'Gift wrap', unit_amount: 500, quantity: 2 }], customer: { email: 'ada@example.com' } },
      ],
    },
    conflicts: [InsufficientStock, DuplicateOrder, InvalidTransition, OrderClosed],
    writeAll,
  }),
  itemRoute({
    ...one,
    operationId: 'getOrder',
    summary: 'Read an order',
    response: Order,
    json: (sql, { caller, id }) => store.doc(sql, { tenant: caller.tenant, id }),
  }),
  write({
    ...one,
    method: 'PATCH',
    operationId: 'updateOrder',
    summary: 'Move or annotate an order',
    description: 'A status the lifecycle forbids is a 409 with valid_targets. The address can be changed while the order is open.',
    body: OrderChange,
    example: { status: 'SHIPPED', carrier: 'Nova Poshta', waybill_number: '20450000000000' },
    status: 200,
    response: Order,
    conditional: true,
    conflicts: [InvalidTransition, OrderClosed],
    handler: async ({ tx, caller, id, body, unchanged }) => ({ body: await orders.change(tx, caller, id, body, unchanged) }),
  }),
]
