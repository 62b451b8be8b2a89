// Products as agents find them: the lists of REST.
import { Type } from 'typebox'
import { listArguments, listed, listedOne, listResult, refuseBeside } from '../ingress/mcp/page.ts'
import { anything, countOrNull, flag, idOf, open, text, textOrNull, texts } from '../ingress/mcp/shapes.ts'
import { readTool } from '../ingress/mcp/tool.ts'
import { STOCK_MAX } from '../limits/products.ts'
import { notFound } from '../problems.ts'
import { strict } from '../schemas.ts'
import { type PublicProduct, STOCK_STATUSES } from './schema.ts'
import * as store from './store.ts'

const sorted = { idPrefix: 'prod', sorts: { created_at: 'time' } } as const

const input = strict({
  product_id: Type.Optional(idOf('prod', 'One product by its id, without other filters; an archived one is found only so.')),
  name: text('Only products with this in their name, in any case. Example: "shirt"'),
  category: text('Only products of this category: its path, or the beginning of it, in its own case. Example: "Clothes/Shirts"'),
  in_stock: flag('true: only what can be sold now; false: only what is sold out.'),
  stock_below: Type.Optional(
    Type.Integer({ minimum: 0, maximum: STOCK_MAX, description: 'Only products with fewer pieces available than this. Example: 5' }),
  ),
  ...listArguments('products'),
})

const Shown = open({
  id: Type.String(),
  name: Type.String(),
  sku: textOrNull,
  status: Type.String({ description: 'draft, active or archived.' }),
  price_amount: Type.Integer({ description: 'In minor units, such as cents.' }),
  currency: Type.String(),
  stock: { ...countOrNull, description: 'Pieces on hand; null where stock is not tracked.' },
  available: { ...countOrNull, description: 'Pieces that can be sold: on hand, less those that open orders hold.' },
  stock_status: Type.String({ description: STOCK_STATUSES.join(', ') }),
  category: textOrNull,
  description: Type.Optional(textOrNull),
  compare_at_amount: Type.Optional(countOrNull),
  reserved: Type.Optional(Type.Integer()),
  variants: Type.Optional(Type.Array(anything)),
  tags: Type.Optional(texts),
  external_id: Type.Optional(textOrNull),
})

function show(product: PublicProduct, isDetailed: boolean): object {
  const { id, name, sku, status, price_amount, currency, stock, reserved, stock_status, category } = product
  const available = stock === null ? null : stock - reserved
  const concise = { id, name, sku, status, price_amount, currency, stock, available, stock_status, category }
  if (!isDetailed) return concise
  const { description, compare_at_amount, variants, tags, external_id } = product
  return { ...concise, description, compare_at_amount, reserved, variants, tags, external_id }
}

const shownAs = { notice: false, show }

/** Sold out, and not: a product whose stock is not tracked can always be sold. */
const SOLD_OUT = ['out_of_stock'] as const
const SELLABLE = STOCK_STATUSES.filter(each => each !== 'out_of_stock')

export const getProducts = readTool({
  name: 'get_products',
  title: 'Find products',
  description:
    'Finds products of the catalogue, the newest first: all, or by a part of the name, a category or the stock; or one product by product_id. Use it to answer what is sold, at which price and whether it is in stock. For what was bought use get_orders. Returns id, name, sku, status, price in minor units, stock, available pieces and category; response_format "detailed" adds description, variants, tags and reserved pieces. It changes nothing: prices and stock are changed in the dashboard.',
  input,
  output: listResult(Shown, { notice: false }),
  example: { name: 'shirt', in_stock: true },
  finds: { argument: 'product_id', idPrefix: 'prod', noun: 'product' },
  nextSteps: { not_found: () => 'Call get_products without product_id, by name or category, to find the right id.' },
  async run({ caller, args, point, ...context }) {
    const { product_id, name, category, in_stock, stock_below } = args
    refuseBeside('product_id', args)
    if (product_id !== undefined) {
      const json = await store.findJson(point, caller.tenant, product_id)
      if (json === undefined) throw notFound('product')
      return listedOne(json, args, shownAs)
    }
    const filters: store.Filters = {
      status: ['draft', 'active'],
      ...(name !== undefined && { name }),
      ...(category !== undefined && { category }),
      ...(in_stock !== undefined && { stock_status: [...(in_stock ? SELLABLE : SOLD_OUT)] }),
      ...(stock_below !== undefined && { stock_below }),
    }
    return listed({ ...context, args }, { sorted, ...shownAs, find: (sql, page) => store.list(sql, caller.tenant, filters, page) })
  },
})
