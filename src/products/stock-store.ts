// Every statement of stock: the products that order lines name, locked, and their moves, for one tenant or several, in one order of locking.
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable } from '../postgres/sql.ts'
import type { Product } from './schema.ts'

/** A product or one of its variants, as an order's line sells it, with its price and stock. */
export interface Sellable {
  tenant: string
  product_id: string
  variant_id: string | null
  sku: string | null
  name: string
  status: Product['status']
  price_amount: number
  currency: string
  stock: number | null
  reserved: number
  has_variants: boolean
}

export interface ProductRef {
  tenant: string
  product_id: string
}

/** The product and variant of each SKU. */
export async function resolveSkus(
  sql: Queryable,
  skus: { tenant: string; sku: string }[],
): Promise<{ tenant: string; sku: string; product_id: string; variant_id: string | null }[]> {
  return sql`
    select s.tenant_id as tenant, s.sku, s.product_id, s.variant_id
      from (select distinct * from ${SKU.of(skus)}) u
      join product_skus s on s.tenant_id = u.tenant and s.sku = u.sku`
}

const SKU = columns({ tenant: 'text', sku: 'text' })

/** Locks products by tenant and id, so that two orders cannot deadlock; as a part of a statement. */
export const lockSellable = (products: ProductRef[]): Fragment => part`
  select p.tenant_id as tenant, p.id as product_id, null as variant_id, p.sku, p.name, p.status, p.price_amount, p.currency, p.stock, p.reserved,
         p.has_variants
    from (select distinct * from ${PRODUCT.of(products)}) u
    join products p on p.tenant_id = u.tenant and p.id = u.product_id
   order by p.tenant_id, p.id
     for no key update of p`

const PRODUCT = columns({ tenant: 'text', product_id: 'text' })

/** These variants, under their products' locks. */
export async function sellableVariants(tx: Queryable, variants: { tenant: string; variant_id: string }[]): Promise<Sellable[]> {
  return tx<Sellable[]>`
    select v.tenant_id as tenant, v.product_id, v.id as variant_id, v.sku, p.name || ' – ' || v.name as name, p.status,
           coalesce(v.price_amount, p.price_amount) as price_amount, p.currency, v.stock, v.reserved, true as has_variants
      from (select distinct * from ${VARIANT.of(variants)}) u
      join product_variants v on v.tenant_id = u.tenant and v.id = u.variant_id
      join products p on p.tenant_id = v.tenant_id and p.id = v.product_id`
}

const VARIANT = columns({ tenant: 'text', variant_id: 'text' })

export interface StockMove extends ProductRef {
  variant_id: string | null
  /** The change of reserved pieces. */
  reserved: number
  /** The change of pieces on hand. */
  stock: number
}

/** Moves tracked stock, as parts of a statement; untracked products are left alone. The products must be locked. */
export function moveStock(moves: StockMove[]): Fragment[] {
  const of = (variants: boolean): StockMove[] => moves.filter(each => (each.variant_id !== null) === variants)
  const [products, variants] = [of(false), of(true)]
  return [...(products.length > 0 ? [moveProducts(products)] : []), ...(variants.length > 0 ? [moveVariants(variants)] : [])]
}

const moveProducts = (moves: StockMove[]): Fragment => part`
  update products t set reserved = greatest(t.reserved + m.reserved, 0), stock = greatest(t.stock + m.stock, 0)
    from ${asTable(moves)}
   where t.tenant_id = m.tenant and t.id = m.product_id and t.stock is not null`

const moveVariants = (moves: StockMove[]): Fragment => part`
  update product_variants t set reserved = greatest(t.reserved + m.reserved, 0), stock = greatest(t.stock + m.stock, 0)
    from ${asTable(moves)}
   where t.tenant_id = m.tenant and t.product_id = m.product_id and t.id = m.variant_id and t.stock is not null`

// One row for each product or variant: an update touches a row once, however many rows it is joined with.
const asTable = (moves: StockMove[]): Fragment => part`(
  select r.tenant, r.product_id, r.variant_id, sum(r.reserved)::integer as reserved, sum(r.stock)::integer as stock
    from ${MOVE.few(moves)}
   group by r.tenant, r.product_id, r.variant_id) m`

const MOVE = columns({ tenant: 'text', product_id: 'text', variant_id: 'text', reserved: 'integer', stock: 'integer' })
