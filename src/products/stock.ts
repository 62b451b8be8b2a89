// Stock is on hand; available is stock less reserved. An order reserves, shipping takes from both, cancelling releases.
import type { Caller } from '../caller.ts'
import type { EventDraft } from '../events/emit.ts'
import type { Fragment, Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import { falls, lowStock } from './low-stock.ts'
import { statesOf } from './read-store.ts'
import type { Sellable } from './stock-store.ts'
import * as store from './stock-store.ts'

/** An order's line that names a product. `field` names the line in a refusal, e.g. `items[0]`. */
export interface CatalogueLine {
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

export type { Sellable } from './stock-store.ts'

/** The product and variant that a line names; undefined for a sku that no product has. */
export type Identified = { tenant: string; product_id: string; variant_id: string | null } | undefined

/** The products and variants that the lines name. Only skus are looked up. */
export async function identify(tx: Tx, lines: CatalogueLine[]): Promise<Identified[]> {
  const skus = lines.flatMap(({ tenant, product_id, sku }) => (product_id === undefined && sku !== undefined ? [{ tenant, sku }] : []))
  const bySku = new Map((skus.length > 0 ? await store.resolveSkus(tx, skus) : []).map(each => [key(each.tenant, each.sku), each]))
  return lines.map(({ tenant, product_id, sku, variant_id = null }) => {
    if (product_id !== undefined) return { tenant, product_id, variant_id }
    const found = bySku.get(key(tenant, sku as string))
    return found && { tenant, product_id: found.product_id, variant_id: found.variant_id ?? variant_id }
  })
}

/** Locks the identified products, as a part of a statement. */
export function lockPart(identified: Identified[]): Fragment | undefined {
  const known = identified.filter(each => each !== undefined)
  return known.length > 0 ? store.lockSellable(known) : undefined
}

/** The locked products as a ledger: what one order reserves is no longer there for the next. */
export interface StockLedger {
  /**
   * @returns for each line what it sells; nothing is reserved yet
   * @throws {Problem} 422 for what is not on sale; 409 insufficient_stock
   */
  price(lines: CatalogueLine[], identified: Identified[]): Sellable[]
  reserve(caller: Caller, lines: CatalogueLine[], sellables: Sellable[]): void
  /** The events of what has fallen to the threshold. Costs a statement where something has, and none where nothing has. */
  fallen(tx: Tx): Promise<EventDraft[]>
  /** Writes the reservations, as parts of a statement. */
  parts(): Fragment[]
}

/** @param locked the rows of `lockPart` */
export async function stockLedger(tx: Tx, identified: Identified[], locked: Sellable[]): Promise<StockLedger> {
  const products = new Map(locked.map(each => [key(each.tenant, each.product_id), each]))
  const chosen = identified.flatMap(each =>
    typeof each?.variant_id === 'string' ? [{ tenant: each.tenant, variant_id: each.variant_id }] : [],
  )
  const found = chosen.length > 0 ? await store.sellableVariants(tx, chosen) : []
  const variants = new Map(found.map(each => [key(each.tenant, each.variant_id as string), each]))
  const moves: store.StockMove[] = []
  const fallen: { caller: Caller; sellable: Sellable }[] = []

  return {
    price(lines, refs) {
      const sellables = lines.map((line, index) => choose(line, refs[index], products, variants))
      refuseShort(lines, sellables)
      return sellables
    },
    reserve(caller, lines, sellables) {
      for (const [sellable, quantity] of sums(lines, sellables)) {
        if (sellable.stock === null) continue
        const before = sellable.stock - sellable.reserved
        sellable.reserved += quantity
        if (falls(before, before - quantity)) fallen.push({ caller, sellable })
        const { tenant, product_id, variant_id } = sellable
        moves.push({ tenant, product_id, variant_id, reserved: quantity, stock: 0 })
      }
    },
    async fallen(tx) {
      if (fallen.length === 0) return []
      const states = await statesOf(tx, [
        ...new Map(fallen.map(each => [key(each.sellable.tenant, each.sellable.product_id), each.sellable])).values(),
      ])
      return fallen.flatMap(({ caller, sellable: { tenant, product_id, variant_id, stock, reserved } }) => {
        const state = states.get(key(tenant, product_id))
        // The reservations are written later.
        const held = products.get(key(tenant, product_id))?.reserved ?? 0
        return state ? [lowStock(caller, { ...state, reserved: held }, variant_id, (stock as number) - reserved)] : []
      })
    },
    parts: () => store.moveStock(moves),
  }
}

const key = (tenant: string, name: string): string => `${tenant} ${name}`

function choose(line: CatalogueLine, identified: Identified, products: Map<string, Sellable>, variants: Map<string, Sellable>): Sellable {
  const field = `${line.field}.${line.product_id === undefined ? 'sku' : 'product_id'}`
  if (!identified) throw invalid({ field, code: 'unknown_product', message: 'is the sku of no product.' })
  if (line.variant_id !== undefined && identified.variant_id !== null && identified.variant_id !== line.variant_id)
    throw invalid({ field: `${line.field}.variant_id`, code: 'not_combinable', message: 'is another variant than the sku names.' })
  const product = products.get(key(line.tenant, identified.product_id))
  if (!product) throw invalid({ field, code: 'unknown_product', message: 'names no product.' })
  if (product.status !== 'active')
    throw invalid({ field, code: 'product_unavailable', message: `names a product that is ${product.status}.` })
  if (identified.variant_id === null) {
    if (!product.has_variants) return product
    throw invalid({ field: `${line.field}.variant_id`, code: 'required', message: 'is required: this product is sold in variants.' })
  }
  const variant = variants.get(key(line.tenant, identified.variant_id))
  if (variant?.product_id !== identified.product_id)
    throw invalid({ field: `${line.field}.variant_id`, code: 'unknown_variant', message: 'is not a variant of this product.' })
  return variant
}

// Two lines may name one product: their sum counts.
function sums(lines: CatalogueLine[], sellables: Sellable[]): Map<Sellable, number> {
  const found = new Map<Sellable, number>()
  for (const [index, line] of lines.entries()) {
    const sellable = sellables[index] as Sellable
    found.set(sellable, (found.get(sellable) ?? 0) + line.quantity)
  }
  return found
}

function refuseShort(lines: CatalogueLine[], sellables: Sellable[]): void {
  const wanted = sums(lines, sellables)
  for (const [index, line] of lines.entries()) {
    const sellable = sellables[index] as Sellable
    if (sellable.stock !== null && sellable.stock - sellable.reserved < (wanted.get(sellable) as number)) throw short(line.field, sellable)
  }
}

function short(field: string, sellable: Sellable): Problem {
  const available = Math.max(0, (sellable.stock as number) - sellable.reserved)
  const message = `Only ${available} of ${JSON.stringify(sellable.name)} are available.`
  return new Problem('conflict', message, {
    code: 'insufficient_stock',
    field,
    product_id: sellable.product_id,
    variant_id: sellable.variant_id,
    available,
  })
}

/** The order is SHIPPED: the goods leave the shop. */
export const ship = (tx: Tx, tenant: string, lines: StockLine[]): Promise<void> => move(tx, tenant, lines, { reserved: -1, stock: -1 })
/** The order is CANCELLED: the goods are free again. */
export const release = (tx: Tx, tenant: string, lines: StockLine[]): Promise<void> => move(tx, tenant, lines, { reserved: -1, stock: 0 })
/** The order is RETURNED with `restock`: the goods are back on the shelf. */
export const restock = (tx: Tx, tenant: string, lines: StockLine[]): Promise<void> => move(tx, tenant, lines, { reserved: 0, stock: 1 })

async function move(tx: Tx, tenant: string, lines: StockLine[], by: { reserved: number; stock: number }): Promise<void> {
  const moves = lines.flatMap(({ product_id, variant_id, quantity }) =>
    product_id === null ? [] : [{ tenant, product_id, variant_id, reserved: by.reserved * quantity, stock: by.stock * quantity }],
  )
  if (moves.length === 0) return
  await tx`${store.lockSellable(moves)}`
  for (const each of store.moveStock(moves)) await tx`${each}`
}
