// Every statement of the catalogue.
import { LOW_STOCK } from '../limits.ts'
import { keysetPage, type Page, type PageRequest, part, type Sort, type TimeFilters, timeConditions } from '../postgres/page.ts'
import type { Fragment, Queryable, Tx } from '../postgres/sql.ts'
import type { Product, Variant } from './schema.ts'

const stockStatus = part`
  case when t.stock is null then 'untracked' when t.stock - t.reserved <= 0 then 'out_of_stock'
       when t.stock - t.reserved <= ${LOW_STOCK} then 'low_stock' else 'in_stock' end`

/** The public JSON: the stored text with what orders move spliced in. */
const json = part`
  left(t.doc, -1) || ',"stock":' || coalesce(t.stock::text, 'null') || ',"reserved":' || t.reserved
  || ',"stock_status":"' || (${stockStatus}) || '","variants":' || case when not t.has_variants then '[]' else (
    select '[' || string_agg(left(v.doc, -1) || ',"stock":' || coalesce(v.stock::text, 'null') || '}', ',' order by v.position) || ']'
      from product_variants v
     where v.tenant_id = t.tenant_id and v.product_id = t.id) end || '}'`

const sorts: Record<string, Sort> = {
  created_at: { by: part`t.created_at`, type: 'time' },
  updated_at: { by: part`t.updated_at`, type: 'time' },
  name: { by: part`t.name`, type: 'text' },
  price_amount: { by: part`t.price_amount`, type: 'number' },
  // Untracked stock sorts below none.
  stock: { by: part`coalesce(t.stock, -1)`, type: 'number' },
}

export interface Filters extends TimeFilters {
  q?: string
  name?: string
  category?: string
  status?: string[]
  sku?: string
  external_id?: string
  stock_status?: string[]
  stock_below?: number
  min_price?: number
  max_price?: number
}

export function list(sql: Queryable, tenant: string, filters: Filters, page: PageRequest): Promise<Page> {
  return keysetPage(sql, part`products t`, json, [part`t.tenant_id = ${tenant}`, ...conditions(filters)], sorts, page)
}

function conditions(f: Filters): Fragment[] {
  const found = timeConditions(f)
  if (f.q !== undefined)
    found.push(part`(t.name ilike ${contains(f.q)} or t.sku ilike ${contains(f.q)} or t.category ilike ${contains(f.q)})`)
  if (f.name !== undefined) found.push(part`t.name ilike ${contains(f.name)}`)
  if (f.category !== undefined) found.push(part`t.category like ${`${literally(f.category)}%`}`)
  if (f.status !== undefined) found.push(part`t.status = any(${f.status}::text[])`)
  if (f.sku !== undefined)
    found.push(part`t.id in (select s.product_id from product_skus s where s.tenant_id = t.tenant_id and s.sku = ${f.sku})`)
  if (f.external_id !== undefined) found.push(part`t.external_id = ${f.external_id}`)
  if (f.stock_status !== undefined) found.push(part`(${stockStatus}) = any(${f.stock_status}::text[])`)
  if (f.stock_below !== undefined) found.push(part`t.stock - t.reserved < ${f.stock_below}`)
  if (f.min_price !== undefined) found.push(part`t.price_amount >= ${f.min_price}`)
  if (f.max_price !== undefined) found.push(part`t.price_amount <= ${f.max_price}`)
  return found
}

// In a pattern these three mean something; a searcher means the characters.
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
const contains = (text: string): string => `%${literally(text)}%`

/** The public JSON of one product. */
export async function json1(sql: Queryable, tenant: string, id: string): Promise<Buffer | undefined> {
  const rows = await sql`select ${json} from products t where t.tenant_id = ${tenant} and t.id = ${id}`.raw()
  return (rows[0] as unknown as Buffer[] | undefined)?.[0]
}

export interface Locked {
  product: Product
  json: string
  stock: number | null
  reserved: number
  hasVariants: boolean
}

export async function lock(tx: Tx, tenant: string, id: string): Promise<Locked | undefined> {
  const [row] = await tx`
    select t.doc, ${json} as json, t.stock, t.reserved, t.has_variants
      from products t
     where t.tenant_id = ${tenant} and t.id = ${id}
       for no key update of t`
  if (!row) return undefined
  return {
    product: JSON.parse(row['doc']) as Product,
    json: row['json'],
    stock: row['stock'],
    reserved: row['reserved'],
    hasVariants: row['has_variants'],
  }
}

export async function insert(tx: Tx, tenant: string, product: Product, stock: number | null, hasVariants: boolean): Promise<void> {
  const row = { tenant_id: tenant, id: product.id, ...columns(product), stock, has_variants: hasVariants }
  await tx`insert into products ${tx(row)}`
}

export async function save(tx: Tx, tenant: string, product: Product, stock: number | null, hasVariants: boolean): Promise<void> {
  // What is not tracked is not reserved: else the reservations of today would hold pieces for ever once it is tracked again.
  const row = { ...columns(product), stock, ...(stock === null && { reserved: 0 }), has_variants: hasVariants }
  await tx`update products set ${tx(row)} where tenant_id = ${tenant} and id = ${product.id}`
}

// The columns and the text come from one object, so they cannot part.
function columns(product: Product) {
  const { name, sku, external_id, category, status, price_amount, currency, version, created_at, updated_at } = product
  return { name, sku, external_id, category, status, price_amount, currency, version, created_at, updated_at, doc: JSON.stringify(product) }
}

export async function variants(tx: Queryable, tenant: string, productId: string): Promise<{ id: string; reserved: number }[]> {
  return tx<{ id: string; reserved: number }[]>`
    select id, reserved from product_variants where tenant_id = ${tenant} and product_id = ${productId} order by position for no key update`
}

/** Makes the list of a product's variants this one; reservations of those that stay are kept. */
export async function replaceVariants(tx: Tx, tenant: string, productId: string, list: Variant[]): Promise<void> {
  await tx`delete from product_variants where tenant_id = ${tenant} and product_id = ${productId} and not (id = any(${list.map(each => each.id)}::text[]))`
  for (const [position, { stock, ...doc }] of list.entries()) {
    const { id, sku, name, price_amount } = doc
    const row = { tenant_id: tenant, product_id: productId, id, position, sku, name, price_amount, stock, doc: JSON.stringify(doc) }
    await tx`
      insert into product_variants ${tx(row)}
      on conflict (tenant_id, product_id, id) do update
         set position = excluded.position, sku = excluded.sku, name = excluded.name, price_amount = excluded.price_amount,
             stock = excluded.stock, doc = excluded.doc, reserved = case when excluded.stock is null then 0 else product_variants.reserved end`
  }
}

/** Registers the SKUs of a product and its variants. A SKU taken by another raises the violation of product_skus_pkey. */
export async function replaceSkus(
  tx: Tx,
  tenant: string,
  productId: string,
  skus: { sku: string; variantId: string | null }[],
): Promise<void> {
  await tx`delete from product_skus where tenant_id = ${tenant} and product_id = ${productId}`
  if (skus.length === 0) return
  const rows = skus.map(({ sku, variantId }) => ({ tenant_id: tenant, sku, product_id: productId, variant_id: variantId }))
  await tx`insert into product_skus ${tx(rows)}`
}

export async function idByExternalId(sql: Queryable, tenant: string, externalId: string): Promise<string | undefined> {
  const [row] = await sql`select id from products where tenant_id = ${tenant} and external_id = ${externalId}`
  return row?.['id']
}

/** Another product that has one of these SKUs. */
export async function otherBySku(sql: Queryable, tenant: string, skus: string[], id: string): Promise<string | undefined> {
  const [row] = await sql`
    select product_id from product_skus where tenant_id = ${tenant} and sku = any(${skus}::text[]) and product_id <> ${id} limit 1`
  return row?.['product_id']
}

/** What a line of an order names: a product or one of its variants, with its price and stock. */
export interface Sellable {
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

/** Which product and variant each SKU names. */
export async function resolveSkus(
  sql: Queryable,
  tenant: string,
  skus: string[],
): Promise<{ sku: string; product_id: string; variant_id: string | null }[]> {
  return sql`select sku, product_id, variant_id from product_skus where tenant_id = ${tenant} and sku = any(${skus}::text[])`
}

/** Locks products in id order (so that two orders never wait for each other in a circle). */
export const lockSellable = (tenant: string, ids: string[]): Fragment => part`
  select id as product_id, null as variant_id, sku, name, status, price_amount, currency, stock, reserved, has_variants
    from products
   where tenant_id = ${tenant} and id = any(${ids}::text[])
   order by id
     for no key update`

/** Their variants, under the products' locks. */
export async function sellableVariants(tx: Queryable, tenant: string, ids: string[]): Promise<Sellable[]> {
  return tx<Sellable[]>`
    select v.product_id, v.id as variant_id, v.sku, p.name || ' – ' || v.name as name, p.status,
           coalesce(v.price_amount, p.price_amount) as price_amount, p.currency, v.stock, v.reserved, true as has_variants
      from product_variants v
      join products p on p.tenant_id = v.tenant_id and p.id = v.product_id
     where v.tenant_id = ${tenant} and v.id = any(${ids}::text[])`
}

export interface StockMove {
  product_id: string
  variant_id: string | null
  /** Added to what is reserved. */
  reserved: number
  /** Added to what is on hand. */
  stock: number
}

/** Moves tracked stock, as parts of a statement; untracked products are left alone. The products are locked by now. */
export function moveStock(tenant: string, moves: StockMove[]): Fragment[] {
  const of = (variants: boolean): StockMove[] => moves.filter(each => (each.variant_id !== null) === variants)
  const [products, variants] = [of(false), of(true)]
  return [
    ...(products.length > 0 ? [moveProducts(tenant, products)] : []),
    ...(variants.length > 0 ? [moveVariants(tenant, variants)] : []),
  ]
}

const moveProducts = (tenant: string, moves: StockMove[]): Fragment => part`
  update products t set reserved = greatest(t.reserved + m.reserved, 0), stock = greatest(t.stock + m.stock, 0)
    from ${asTable(moves)}
   where t.tenant_id = ${tenant} and t.id = m.product_id and t.stock is not null`

const moveVariants = (tenant: string, moves: StockMove[]): Fragment => part`
  update product_variants t set reserved = greatest(t.reserved + m.reserved, 0), stock = greatest(t.stock + m.stock, 0)
    from ${asTable(moves)}
   where t.tenant_id = ${tenant} and t.product_id = m.product_id and t.id = m.variant_id and t.stock is not null`

// One row for each product or variant: an update touches a row once, however many rows it is joined with.
const asTable = (moves: StockMove[]): Fragment => part`(
  select u.product_id, u.variant_id, sum(u.reserved)::integer as reserved, sum(u.stock)::integer as stock
    from unnest(${moves.map(each => each.product_id)}::text[], ${moves.map(each => each.variant_id ?? '')}::text[],
                ${moves.map(each => each.reserved)}::integer[], ${moves.map(each => each.stock)}::integer[]) as u (product_id, variant_id, reserved, stock)
   group by u.product_id, u.variant_id) m`
