// Every statement that reads what a set of products touches before the set is written: the owners of its keys, and the products it changes, locked.
import { arrayText } from '../postgres/row-set.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { State } from './draft.ts'
import type { Product, Variant } from './schema.ts'

/** The products with these external ids, and the product and variant of each of these SKUs, as parts of a statement. */
export const owners = (tenant: string, keys: { skus: string[]; externalIds: string[] }) => ({
  skus:
    keys.skus.length > 0
      ? part`select sku, product_id, variant_id from product_skus where tenant_id = ${tenant} and sku = any(${arrayText(keys.skus)}::text::text[])`
      : undefined,
  externals:
    keys.externalIds.length > 0
      ? part`select id, external_id from products where tenant_id = ${tenant} and external_id = any(${arrayText(keys.externalIds)}::text::text[])`
      : undefined,
})

interface LockedRow {
  id: string
  doc: string
  stock: number | null
  reserved: number
  has_variants: boolean
}

/** Locks products in id order, as orders do. */
export async function lockAll(tx: Tx, tenant: string, ids: string[]): Promise<Map<string, State>> {
  const rows = await tx<LockedRow[]>`
    select id, doc, stock, reserved, has_variants
      from products
     where tenant_id = ${tenant} and id = any(${arrayText(ids)}::text::text[])
     order by id
       for no key update`
  // A statement of its own: after a wait for a lock, the locking statement would still see the variants of before the wait.
  const variants = await variantsOf(
    tx,
    tenant,
    rows.filter(row => row.has_variants).map(row => row.id),
  )
  return new Map(
    rows.map(({ id, doc, stock, reserved }) => [
      id,
      { product: JSON.parse(doc) as Product, doc, stock, reserved, variants: variants.get(id) ?? [] },
    ]),
  )
}

/** Products of any tenants, which the transaction has locked, by `<tenant> <id>`. */
export async function statesOf(tx: Tx, refs: { tenant: string; product_id: string }[]): Promise<Map<string, State>> {
  const found = new Map<string, State>()
  for (const [tenant, of] of Map.groupBy(refs, each => each.tenant)) {
    const states = await lockAll(
      tx,
      tenant,
      of.map(each => each.product_id),
    )
    for (const [id, state] of states) found.set(`${tenant} ${id}`, state)
  }
  return found
}

async function variantsOf(tx: Queryable, tenant: string, productIds: string[]): Promise<Map<string, State['variants']>> {
  const found = new Map<string, State['variants']>(productIds.map(id => [id, []]))
  if (productIds.length === 0) return found
  const rows = await tx<{ product_id: string; doc: string; stock: number | null; reserved: number }[]>`
    select product_id, doc, stock, reserved
      from product_variants
     where tenant_id = ${tenant} and product_id = any(${arrayText(productIds)}::text::text[])
     order by product_id, position`
  for (const { product_id, doc, stock, reserved } of rows)
    found.get(product_id)?.push({ ...(JSON.parse(doc) as Omit<Variant, 'stock'>), stock, reserved })
  return found
}
