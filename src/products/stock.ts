// Stock is on hand; available is stock less reserved. An order reserves, shipping takes from both, cancelling releases.
import type { Fragment, Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import * as store from './store.ts'

/** A line of an order as far as stock is concerned. `field` names it in a refusal, e.g. `items[0]`. */
export interface Wanted {
  field: string
  product_id?: string | undefined
  sku?: string | undefined
  variant_id?: string | undefined
  quantity: number
}

export interface StockLine {
  product_id: string | null
  variant_id: string | null
  quantity: number
}

/** What a line sells, locked: name, price, currency, stock. */
export type Sold = store.Sellable

export interface Named {
  product_id: string
  variant_id: string | null
}

/** Which products and variants the lines name. @throws {Problem} 422 for a sku of none */
export async function identify(tx: Tx, tenant: string, lines: Wanted[]): Promise<Named[]> {
  const skus = lines.flatMap(line => (line.product_id === undefined && line.sku !== undefined ? [line.sku] : []))
  const bySku = new Map((skus.length > 0 ? await store.resolveSkus(tx, tenant, skus) : []).map(each => [each.sku, each]))
  return lines.map(line => {
    if (line.product_id !== undefined) return { product_id: line.product_id, variant_id: line.variant_id ?? null }
    const found = bySku.get(line.sku as string)
    if (!found) throw invalid({ field: `${line.field}.sku`, code: 'unknown_product', message: 'is the sku of no product.' })
    if (line.variant_id !== undefined && found.variant_id !== null && found.variant_id !== line.variant_id)
      throw invalid({ field: `${line.field}.variant_id`, code: 'not_combinable', message: 'is another variant than the sku names.' })
    return { product_id: found.product_id, variant_id: found.variant_id ?? line.variant_id ?? null }
  })
}

/** Locks what was named, as a part of a statement. */
export const lockPart = (tenant: string, named: Named[]): Fragment | undefined =>
  named.length > 0 ? store.lockSellable(tenant, [...new Set(named.map(each => each.product_id))]) : undefined

/**
 * @param locked the rows of `lockPart`
 * @returns for each line what it sells
 * @throws {Problem} 422 for what is not to be had; 409 insufficient_stock
 */
export async function sell(tx: Tx, tenant: string, lines: Wanted[], named: Named[], locked: Sold[]): Promise<Sold[]> {
  const variantIds = named.flatMap(each => (each.variant_id === null ? [] : [each.variant_id]))
  const products = new Map(locked.map(each => [each.product_id, each]))
  const variants = new Map(
    (variantIds.length > 0 ? await store.sellableVariants(tx, tenant, variantIds) : []).map(each => [each.variant_id, each]),
  )
  const sold = lines.map((line, index) => choose(line, named[index] as Named, products, variants))
  refuseShort(lines, sold)
  return sold
}

/** Reserves what `sell` found to be available, as parts of a statement. */
export function reserveParts(tenant: string, lines: Wanted[], sold: Sold[]): Fragment[] {
  const moves = [...sums(lines, sold)]
    .filter(([what]) => what.stock !== null)
    .map(([what, quantity]) => ({ ...what, reserved: quantity, stock: 0 }))
  return store.moveStock(tenant, moves)
}

function choose(
  line: Wanted,
  named: Named,
  products: Map<string, store.Sellable>,
  variants: Map<string | null, store.Sellable>,
): store.Sellable {
  const field = `${line.field}.${line.product_id === undefined ? 'sku' : 'product_id'}`
  const product = products.get(named.product_id)
  if (!product) throw invalid({ field, code: 'unknown_product', message: 'names no product.' })
  if (product.status !== 'active')
    throw invalid({ field, code: 'product_unavailable', message: `names a product that is ${product.status}.` })
  if (named.variant_id === null) {
    if (!product.has_variants) return product
    throw invalid({ field: `${line.field}.variant_id`, code: 'required', message: 'is required: this product is sold in variants.' })
  }
  const variant = variants.get(named.variant_id)
  if (variant?.product_id !== named.product_id)
    throw invalid({ field: `${line.field}.variant_id`, code: 'unknown_variant', message: 'is not a variant of this product.' })
  return variant
}

// Two lines may name one product: what counts is their sum.
function sums(lines: Wanted[], sold: Sold[]): Map<Sold, number> {
  const found = new Map<Sold, number>()
  for (const [index, line] of lines.entries()) {
    const what = sold[index] as Sold
    found.set(what, (found.get(what) ?? 0) + line.quantity)
  }
  return found
}

function refuseShort(lines: Wanted[], sold: Sold[]): void {
  const wanted = sums(lines, sold)
  for (const [index, line] of lines.entries()) {
    const what = sold[index] as Sold
    if (what.stock !== null && what.stock - what.reserved < (wanted.get(what) as number)) throw short(line.field, what)
  }
}

function short(field: string, what: store.Sellable): Problem {
  const available = Math.max(0, (what.stock as number) - what.reserved)
  const message = `Only ${available} of ${JSON.stringify(what.name)} are available.`
  return new Problem('conflict', message, {
    code: 'insufficient_stock',
    field,
    product_id: what.product_id,
    variant_id: what.variant_id,
    available,
  })
}

/** SHIPPED: the goods leave the shop. */
export const ship = (tx: Tx, tenant: string, lines: StockLine[]): Promise<void> => move(tx, tenant, lines, { reserved: -1, stock: -1 })
/** CANCELLED: they are free again. */
export const release = (tx: Tx, tenant: string, lines: StockLine[]): Promise<void> => move(tx, tenant, lines, { reserved: -1, stock: 0 })
/** RETURNED, when told to: they are back on the shelf. */
export const restock = (tx: Tx, tenant: string, lines: StockLine[]): Promise<void> => move(tx, tenant, lines, { reserved: 0, stock: 1 })

async function move(tx: Tx, tenant: string, lines: StockLine[], by: { reserved: number; stock: number }): Promise<void> {
  const moves = lines.flatMap(({ product_id, variant_id, quantity }) =>
    product_id === null ? [] : [{ product_id, variant_id, reserved: by.reserved * quantity, stock: by.stock * quantity }],
  )
  if (moves.length === 0) return
  await tx`${store.lockSellable(tenant, [...new Set(moves.map(each => each.product_id))])}`
  for (const each of store.moveStock(tenant, moves)) await tx`${each}`
}
