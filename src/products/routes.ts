import { Type } from 'typebox'
import type { Config } from '../config.ts'
import { exportable } from '../exports/exportable.ts'
import { bulk } from '../ingress/bulk.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { type Listing, listQuery, listRoute } from '../ingress/list.ts'
import { type Route, write } from '../ingress/route.ts'
import { Amount, choices } from '../schemas.ts'
import * as products from './products.ts'
import { NewProduct, Product, ProductChange, STATUSES, STOCK_STATUSES, StockReserved, TakenByProduct } from './schema.ts'
import * as store from './store.ts'
import { writeAll } from './write.ts'

const path = '/api/v1/products'
const listing: Listing = {
  path,
  idPrefix: 'prod',
  sorts: { created_at: 'time', updated_at: 'time', name: 'text', price_amount: 'number', stock: 'number' },
  offers: { offset: true },
}
const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 300, description }))

const query = listQuery(listing, {
  q: text('In the name, the sku or the category.'),
  name: text('In the name.'),
  category: text('The category, or the beginning of its path.'),
  status: Type.Optional(choices(STATUSES, 'Any of these, comma-separated.')),
  sku: text('The sku of the product or of a variant, exactly.'),
  external_id: text('Exactly.'),
  stock_status: Type.Optional(choices(STOCK_STATUSES, 'Any of these, comma-separated.')),
  stock_below: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Fewer pieces available than this.' })),
  min_price: Type.Optional(Amount),
  max_price: Type.Optional(Amount),
})
export const exported = exportable({ resource: 'products', item: Product, query, rows: store.rows })
const one = { idPrefix: 'prod' as const, noun: 'product', tag: 'Products', path: `${path}/{id}` }
const example = { name: 'Linen shirt', sku: 'SHIRT-M', price_amount: 4900, currency: 'EUR', stock: 25, category: 'Clothes/Shirts' }

export const routes = (config: Config): Route[] => [
  listRoute(config, listing, {
    operationId: 'listProducts',
    tag: 'Products',
    summary: 'List products',
    query,
    item: Product,
    page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page),
  }),
  write({
    method: 'POST',
    path,
    operationId: 'createProduct',
    tag: 'Products',
    summary: 'Create a product',
    description: 'The currency is the workspace’s unless given. A sku or external_id that another product has is a conflict.',
    body: NewProduct,
    example,
    status: 201,
    response: Product,
    conflicts: TakenByProduct,
    handler: async ({ tx, caller, body }) => {
      const { id, json } = await products.create(tx, caller, body)
      return { body: json, location: `${path}/${id}` }
    },
  }),
  bulk(config, {
    ...one,
    path,
    operationId: 'bulkProducts',
    description: `Up to ${config.bulkMaxItems} items, counted as one write. An item with an id changes that product, one without creates a product; each succeeds or fails by itself. A sku or external_id that one item gives up is not free for another of the same request.`,
    create: NewProduct,
    change: ProductChange,
    resource: Product,
    example: {
      items: [
        { name: 'Linen shirt', price_amount: 4900 },
        { name: 'Linen trousers', price_amount: 6900, stock: 12 },
      ],
    },
    conflicts: [StockReserved, ...TakenByProduct],
    writeAll,
  }),
  itemRoute({
    ...one,
    operationId: 'getProduct',
    summary: 'Read a product',
    response: Product,
    json: (sql, { caller, id }) => store.findJson(sql, caller.tenant, id),
  }),
  write({
    ...one,
    method: 'PATCH',
    operationId: 'updateProduct',
    summary: 'Change a product',
    description: 'Only the fields given are changed.',
    body: ProductChange,
    example: { price_amount: 4500, stock: 40 },
    status: 200,
    response: Product,
    conditional: true,
    conflicts: [StockReserved, ...TakenByProduct],
    handler: async ({ tx, caller, id, body, unchanged }) => ({ body: await products.change(tx, caller, id, body, unchanged) }),
  }),
  write({
    ...one,
    method: 'DELETE',
    operationId: 'archiveProduct',
    summary: 'Archive a product',
    description: 'Orders name it, so it is kept with the status archived and can no longer be ordered.',
    status: 200,
    response: Product,
    conditional: true,
    handler: async ({ tx, caller, id, unchanged }) => ({ body: await products.archive(tx, caller, id, unchanged) }),
  }),
]
