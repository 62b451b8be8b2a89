// Stock is on hand; available is stock less reserved. An order reserves, shipping takes from both, cancelling releases.
import type { Fragment, Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import * as store from './stock-store.ts'

/** A line of an order as far as stock is concerned. `field` names it in a refusal, e.g. `items[0]`. */
export interface Wanted {
  tenant: string
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

/** Which product and variant a line names; undefined for a sku of none. */
export type Named = { tenant: string; product_id: string; variant_id: string | null } | undefined

/** What the lines name, which only skus have to be looked up for. */
export async function identify(tx: Tx, lines: Wanted[]): Promise<Named[]> {
  const skus = lines.flatMap(({ tenant, product_id, sku }) => (product_id === undefined && sku !== undefined ? [{ tenant, sku }] : []))
  const bySku = new Map((skus.length > 0 ? await store.resolveSkus(tx, skus) : []).map(each => [key(each.tenant, each.sku), each]))
  return lines.map(({ tenant, product_id, sku, variant_id = null }) => {
    if (product_id !== undefined) return { tenant, product_id, variant_id }
    const found = bySku.get(key(tenant, sku as string))
    return found && { tenant, product_id: found.product_id, variant_id: found.variant_id ?? variant_id }
  })
}

/** Locks what was named, as a part of a statement. */
export function lockPart(named: Named[]): Fragment | undefined {
  const known = named.filter(each => each !== undefined)
  return known.length > 0 ? store.lockSellable(known) : undefined
}

/** The locked products as a ledger: what one order reserves is no longer there for the next. */
export interface Shelf {
  /**
   * @returns for each line what it sells; nothing is reserved yet
   * @throws {Problem} 422 for what is not to be had; 409 insufficient_stock
   */
  sell(lines: Wanted[], named: Named[]): Sold[]
  reserve(lines: Wanted[], sold: Sold[]): void
  /** Writes what was reserved, as parts of a statement. */
  parts(): Fragment[]
}

/** @param locked the rows of `lockPart` */
export async function shelf(tx: Tx, named: Named[], locked: Sold[]): Promise<Shelf> {
  const products = new Map(locked.map(each => [key(each.tenant, each.product_id), each]))
  const ids = named.flatMap(each => (typeof each?.variant_id === 'string' ? [{ tenant: each.tenant, variant_id: each.variant_id }] : []))
  const found = ids.length > 0 ? await store.sellableVariants(tx, ids) : []
  const variants = new Map(found.map(each => [key(each.tenant, each.variant_id as string), each]))
  const moves: store.StockMove[] = []

  return {
    sell(lines, names) {
      const sold = lines.map((line, index) => choose(line, names[index], products, variants))
      refuseShort(lines, sold)
      return sold
    },
    reserve(lines, sold) {
      for (const [what, quantity] of sums(lines, sold)) {
        if (what.stock === null) continue
        what.reserved += quantity
        const { tenant, product_id, variant_id } = what
        moves.push({ tenant, product_id, variant_id, reserved: quantity, stock: 0 })
      }
    },
    parts: () => store.moveStock(moves),
  }
}

const key = (tenant: string, name: string): string => `${tenant} ${name}`

function choose(line: Wanted, named: Named, products: Map<string, Sold>, variants: Map<string, Sold>): Sold {
  const field = `${line.field}.${line.product_id === undefined ? 'sku' : 'product_id'}`
  if (!named) throw invalid({ field, code: 'unknown_product', message: 'is the sku of no product.' })
  if (line.variant_id !== undefined && named.variant_id !== null && named.variant_id !== line.variant_id)
    throw invalid({ field: `${line.field}.variant_id`, code: 'not_combinable', message: 'is another variant than the sku names.' })
  const product = products.get(key(line.tenant, named.product_id))
  if (!product) throw invalid({ field, code: 'unknown_product', message: 'names no product.' })
  if (product.status !== 'active')
    throw invalid({ field, code: 'product_unavailable', message: `names a product that is ${product.status}.` })
  if (named.variant_id === null) {
    if (!product.has_variants) return product
    throw invalid({ field: `${line.field}.variant_id`, code: 'required', message: 'is required: this product is sold in variants.' })
  }
  const variant = variants.get(key(line.tenant, named.variant_id))
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

function short(field: string, what: Sold): Problem {
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
    product_id === null ? [] : [{ tenant, product_id, variant_id, reserved: by.reserved * quantity, stock: by.stock * quantity }],
  )
  if (moves.length === 0) return
  await tx`${store.lockSellable(moves)}`
  for (const each of store.moveStock(moves)) await tx`${each}`
}
