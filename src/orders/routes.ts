import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { ContactId } from '../contacts/schema.ts'
import { sparse } from '../ingress/fields.ts'
import { type Listing, listAnswer, listOf, listQuery, pageRequest } from '../ingress/list.ts'
import { type Route, read, write } from '../ingress/route.ts'
import { notFound } from '../problems.ts'
import { choices, Total } from '../shapes.ts'
import { STATUSES } from './lifecycle.ts'
import * as orders from './orders.ts'
import { FULFILLMENT_STATUSES, NewOrder, Order, OrderChange, PAYMENT_STATUSES, SOURCES } from './schema.ts'
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
const one = { idPrefix: 'ord', noun: 'order', tag: 'Orders', path: `${path}/{id}` }

export const routes = (config: Config): Route[] => [
  read({
    path,
    operationId: 'listOrders',
    tag: 'Orders',
    summary: 'List orders',
    query,
    response: listOf(Order),
    handler: async ({ sql, caller, query, project, url }) => {
      const asked = pageRequest(listing, query, config)
      return listAnswer(await store.list(sql, caller.tenant, query, asked), url, asked, project, config.docsUrl)
    },
  }),
  write({
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
    handler: async ({ tx, caller, body }) => {
      const { order, text } = await orders.place(tx, caller, body)
      return { body: text, location: `${path}/${order.id}` }
    },
  }),
  read({
    ...one,
    operationId: 'getOrder',
    summary: 'Read an order',
    query: Type.Object({ fields: query.properties.fields }),
    response: Order,
    handler: async ({ sql, caller, id, project }) => {
      const text = await store.doc(sql, { tenant: caller.tenant, id })
      if (!text) throw notFound('order')
      return { body: sparse(text, project) }
    },
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
    handler: async ({ tx, caller, id, body, unchanged }) => ({ body: await orders.change(tx, caller, id, body, unchanged) }),
  }),
]
