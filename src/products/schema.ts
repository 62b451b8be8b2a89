import { type Static, Type } from 'typebox'
import { idPattern } from '../ids.ts'
import { conflict } from '../ingress/problem-schemas.ts'
import { STOCK_MAX } from '../limits/products.ts'
import {
  Amount,
  anyCase,
  Currency,
  choice,
  dictionary,
  ExternalId,
  GivenTags,
  Metadata,
  Name,
  nullable,
  Sku,
  strict,
  Tags,
  Time,
  Url,
} from '../schemas.ts'

export const STATUSES = ['draft', 'active', 'archived'] as const
export const STOCK_STATUSES = ['in_stock', 'low_stock', 'out_of_stock', 'untracked'] as const

export const ProductId = Type.String({ pattern: idPattern('prod') })
export const VariantId = Type.String({ pattern: idPattern('var') })

const Stock = Type.Integer({ minimum: 0, maximum: STOCK_MAX, description: 'Pieces on hand; null when stock is not tracked.' })
const Category = Type.String({ minLength: 1, maxLength: 300, description: 'A path, such as Shoes/Sneakers.' })
const Description = Type.String({ maxLength: 20_000 })
const Image = strict({ url: Url, alt: Type.Optional(nullable(Type.String({ maxLength: 500 }))) })
const Attributes = dictionary({ entries: 100, name: 64, value: 500 })
const Options = dictionary({ entries: 10, name: 64, value: 200 })

export const Variant = Type.Object({
  id: VariantId,
  sku: nullable(Sku),
  name: Name,
  options: Options,
  price_amount: nullable(Amount),
  stock: nullable(Stock),
})
export type Variant = Static<typeof Variant>

export const Product = Type.Object(
  {
    object: Type.Literal('product'),
    id: ProductId,
    name: Name,
    description: nullable(Description),
    sku: nullable(Sku),
    external_id: nullable(ExternalId),
    category: nullable(Category),
    status: choice(STATUSES),
    price_amount: Amount,
    compare_at_amount: nullable(Amount),
    currency: Currency,
    images: Type.Array(Type.Object({ url: Url, alt: nullable(Type.String()) })),
    attributes: Attributes,
    tags: Tags,
    metadata: Metadata,
    version: Type.Integer(),
    created_at: Time,
    updated_at: Time,
    stock: nullable(Stock),
    reserved: Type.Integer({ description: 'Pieces that open orders hold; available is stock less this.' }),
    stock_status: choice(STOCK_STATUSES),
    variants: Type.Array(Variant),
  },
  { title: 'Product' },
)
/** The representation that readers get. */
export type PublicProduct = Static<typeof Product>
/** The representation that is stored: what orders change (stock and variants) is spliced in when it is read. */
export type Product = Omit<PublicProduct, 'stock' | 'reserved' | 'stock_status' | 'variants'>

const writable = {
  description: Type.Optional(nullable(Description)),
  sku: Type.Optional(nullable(Sku)),
  external_id: Type.Optional(nullable(ExternalId)),
  category: Type.Optional(nullable(Category)),
  status: Type.Optional(anyCase(STATUSES)),
  compare_at_amount: Type.Optional(nullable(Amount)),
  currency: Type.Optional(Currency),
  stock: Type.Optional(nullable(Stock)),
  images: Type.Optional(Type.Array(Image, { maxItems: 20 })),
  attributes: Type.Optional(Attributes),
  tags: Type.Optional(GivenTags),
  metadata: Type.Optional(Metadata),
}
const variantFields = {
  sku: Type.Optional(nullable(Sku)),
  name: Name,
  options: Type.Optional(Options),
  price_amount: Type.Optional(nullable(Amount)),
  stock: Type.Optional(nullable(Stock)),
}

/** The conflict of an order: `field` is the line. */
export const InsufficientStock = conflict('insufficient_stock', {
  field: Type.String(),
  product_id: ProductId,
  variant_id: nullable(VariantId),
  available: Type.Integer({ minimum: 0 }),
})
/** Open orders hold more than the stock that was set, or a variant that was left out. */
export const StockReserved = conflict('stock_reserved', {
  reserved: Type.Optional(Type.Integer()),
  variant_id: Type.Optional(VariantId),
})
const owner = { product_id: Type.Optional(ProductId) }
/** The Location header names the other product too. */
export const TakenByProduct = [conflict('duplicate_sku', owner), conflict('duplicate_external_id', owner, 'duplicate_product')]

const VARIANTS_MAX = 100

export const NewProduct = strict(
  {
    name: Name,
    price_amount: Amount,
    ...writable,
    variants: Type.Optional(Type.Array(strict(variantFields), { maxItems: VARIANTS_MAX })),
  },
  { title: 'NewProduct' },
)
export type NewProduct = Static<typeof NewProduct>

export const ProductChange = strict(
  {
    name: Type.Optional(Name),
    price_amount: Type.Optional(Amount),
    ...writable,
    variants: Type.Optional(
      Type.Array(strict({ id: Type.Optional(VariantId), ...variantFields }), {
        maxItems: VARIANTS_MAX,
        description: 'The whole list: a variant with its id keeps what is not given, one without is added, one left out is removed.',
      }),
    ),
  },
  { minProperties: 1, title: 'ProductChange' },
)
export type ProductChange = Static<typeof ProductChange>
