import { Type } from 'typebox'
import { defineEvent } from '../events/emit.ts'
import { nullable } from '../schemas.ts'
import * as example from './example.ts'
import { Product, ProductId, VariantId } from './schema.ts'

const snapshot = { product_id: ProductId, product: Product }

export const ProductCreated = defineEvent('product.created', 'A product was added to the catalogue.', Type.Object(snapshot), {
  example: { product_id: example.created.id, product: example.created },
})

export const ProductUpdated = defineEvent(
  'product.updated',
  'A product was changed or archived. Stock that orders move is not told of.',
  Type.Object({ ...snapshot, changed: Type.Array(Type.String(), { description: 'The names of the fields that differ from before.' }) }),
  { example: { product_id: example.updated.id, product: example.updated, changed: ['price_amount', 'stock'] } },
)

export const ProductLowStock = defineEvent(
  'product.low_stock',
  'What is available of a product, or of one of its variants, has fallen to the threshold or below it.',
  Type.Object({
    ...snapshot,
    variant_id: nullable(VariantId, { description: 'The variant’s; null where the product has none.' }),
    available: Type.Integer({ description: 'Stock that is not reserved.' }),
  }),
  {
    webhook: false,
    example: { product_id: example.updated.id, product: example.updated, variant_id: null, available: 3 },
  },
)

export const events = [ProductCreated, ProductUpdated, ProductLowStock]
