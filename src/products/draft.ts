// Products before they are stored: an input as a whole product, a change applied to one, its text, and what differs. Pure but for new ids.
import { isDeepStrictEqual } from 'node:util'
import { newId } from '../ids.ts'
import { LOW_STOCK } from '../limits/products.ts'
import { invalid, Problem } from '../problems.ts'
import type { NewProduct, Product, ProductChange, PublicProduct, Variant } from './schema.ts'

type VariantInput = NonNullable<ProductChange['variants']>[number]
type HeldVariant = Variant & { reserved: number }

/** A whole product: what is stored as text, and what orders change. */
export interface State {
  product: Product
  /** Its stored text. */
  doc: string
  stock: number | null
  reserved: number
  variants: HeldVariant[]
}

/** @param currency the workspace's, for a product without one */
export function drafted(input: NewProduct, currency: string, at: string): State {
  const product: Product = {
    object: 'product',
    id: newId('prod'),
    name: input.name,
    description: input.description ?? null,
    sku: input.sku ?? null,
    external_id: input.external_id ?? null,
    category: input.category ?? null,
    status: (input.status ?? 'active') as Product['status'],
    price_amount: input.price_amount,
    compare_at_amount: input.compare_at_amount ?? null,
    currency: input.currency ?? currency,
    images: (input.images ?? []).map(withAlt),
    attributes: input.attributes ?? {},
    tags: input.tags ?? [],
    metadata: input.metadata ?? {},
    version: 1,
    created_at: at,
    updated_at: at,
  }
  const variants = (input.variants ?? []).map(each => asVariant(each))
  return { product, doc: JSON.stringify(product), stock: input.stock ?? null, reserved: 0, variants }
}

/** @throws {Problem} 409 where open orders hold more than the change leaves; 422 for a variant of another product, or one given twice */
export function revised(current: State, input: ProductChange, at: string): State {
  const { stock = current.stock, variants, images, ...fields } = input
  if (stock !== null && stock < current.reserved)
    throw held(`Open orders hold ${current.reserved} pieces; the stock cannot be set below that.`, { reserved: current.reserved })
  const product: Product = {
    ...current.product,
    ...(fields as Partial<Product>),
    ...(images && { images: images.map(withAlt) }),
    version: current.product.version + 1,
    updated_at: at,
  }
  return {
    product,
    doc: JSON.stringify(product),
    stock,
    // Untracked stock has no reservations: else those of today would hold pieces for ever once the stock is tracked again.
    reserved: stock === null ? 0 : current.reserved,
    variants: variants ? merged(current.variants, variants) : current.variants,
  }
}

/** The same list with the ids of the variants it matches: by sku, or by name where neither has a sku. */
export function withKnownIds(current: State, variants: NewProduct['variants']): VariantInput[] | undefined {
  const same = (one: { sku?: string | null; name: string }, other: Variant): boolean =>
    (one.sku ?? null) === other.sku && (other.sku !== null || one.name === other.name)
  return variants?.map(each => {
    const id = current.variants.find(other => same(each, other))?.id
    return id === undefined ? each : { id, ...each }
  })
}

/** The fields in which two states of a product differ, as the public JSON names them. */
export function changedFields(before: State, after: State): string[] {
  const [was, is] = [shown(before), shown(after)]
  return (Object.keys(is) as (keyof PublicProduct)[]).filter(
    name => !OF_EVERY_WRITE.has(name) && was[name] !== is[name] && !isDeepStrictEqual(was[name], is[name]),
  )
}

// These follow from the write itself and from other fields.
const OF_EVERY_WRITE = new Set(['version', 'updated_at', 'reserved', 'stock_status'])

/** The public JSON: the same text as the store makes when it reads the product. */
export function rendered({ doc, stock, reserved, variants }: State): string {
  const moved = `"stock":${stock},"reserved":${reserved},"stock_status":"${stockStatus(stock, reserved)}"`
  return `${doc.slice(0, -1)},${moved},"variants":${JSON.stringify(variants.map(shownVariant))}}`
}

function shown({ product, stock, reserved, variants }: State): PublicProduct {
  return { ...product, stock, reserved, stock_status: stockStatus(stock, reserved), variants: variants.map(shownVariant) }
}

/** The SKUs of the product (null) and of its variants (their ids). @throws {Problem} 422 for one given twice */
export function skusOf({ product, variants }: State): Map<string, string | null> {
  const found = new Map<string, string | null>()
  for (const [sku, variantId] of [[product.sku, null] as const, ...variants.map(each => [each.sku, each.id] as const)]) {
    if (sku === null) continue
    if (found.has(sku)) throw invalid({ field: 'variants', code: 'duplicate', message: `The sku ${JSON.stringify(sku)} is given twice.` })
    found.set(sku, variantId)
  }
  return found
}

function stockStatus(stock: number | null, reserved: number): PublicProduct['stock_status'] {
  if (stock === null) return 'untracked'
  if (stock - reserved <= 0) return 'out_of_stock'
  return stock - reserved <= LOW_STOCK ? 'low_stock' : 'in_stock'
}

const shownVariant = ({ reserved, ...variant }: HeldVariant): Variant => variant

const withAlt = ({ url, alt }: { url: string; alt?: string | null }) => ({ url, alt: alt ?? null })

function asVariant(input: VariantInput, before?: HeldVariant): HeldVariant {
  const { sku = null, options = {}, price_amount = null, stock = null } = { ...before, ...input }
  const reserved = stock === null ? 0 : (before?.reserved ?? 0)
  return { id: before?.id ?? newId('var'), sku, name: input.name, options, price_amount, stock, reserved }
}

function merged(current: HeldVariant[], inputs: VariantInput[]): HeldVariant[] {
  const byId = new Map(current.map(each => [each.id, each]))
  const kept = new Set<string>()
  for (const [index, { id, stock }] of inputs.entries()) {
    if (id === undefined) continue
    const before = byId.get(id)
    if (!before) throw invalid({ field: `variants[${index}].id`, code: 'unknown_variant', message: 'is not a variant of this product.' })
    if (kept.has(id)) throw invalid({ field: `variants[${index}].id`, code: 'duplicate', message: 'is given twice.' })
    kept.add(id)
    if (typeof stock === 'number' && stock < before.reserved)
      throw held(`Open orders hold ${before.reserved} pieces of variants[${index}]; its stock cannot be set below that.`, {})
  }
  const gone = current.find(each => each.reserved > 0 && !kept.has(each.id))
  if (gone) throw held(`Open orders hold pieces of the variant ${gone.id}; it cannot be removed.`, { variant_id: gone.id })
  return inputs.map(each => asVariant(each, each.id === undefined ? undefined : byId.get(each.id)))
}

const held = (message: string, members: object): Problem => new Problem('conflict', message, { code: 'stock_reserved', ...members })
