// Every statement that reads the catalogue.
import { LOW_STOCK } from '../limits/products.ts'
import { type Filter, type List, listPage, range, timeFilters } from '../postgres/list-page.ts'
import type { Page, PageRequest, Sort, TimeFilters } from '../postgres/page.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import { type Source, sourceOf } from '../postgres/walk.ts'

const stockStatus = part`
  case when t.stock is null then 'untracked' when t.stock - t.reserved <= 0 then 'out_of_stock'
       when t.stock - t.reserved <= ${LOW_STOCK} then 'low_stock' else 'in_stock' end`

/** The public JSON: the stored text with the fields that orders change spliced in. */
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
  stock: { by: part`t.on_hand`, type: 'number' },
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

// Untracked stock sorts below a stock of 0.
const from = part`(select p.*, coalesce(p.stock, -1) as on_hand from products p) t`
const ofTenant = (tenant: string): List => ({ from, json, scope: part`t.tenant_id = ${tenant}`, sorts })

export const list = (sql: Queryable, tenant: string, filters: Filters, page: PageRequest): Promise<Page> =>
  listPage(sql, ofTenant(tenant), conditions(tenant, filters), page)

/** All products that match the filters, to walk through. */
export const rows = (tenant: string, filters: Filters): Source => sourceOf(ofTenant(tenant), conditions(tenant, filters))

function conditions(tenant: string, f: Filters): Filter[] {
  const found: Filter[] = []
  if (f.external_id !== undefined) found.push({ kind: 'unique', where: part`t.external_id = ${f.external_id}` })
  if (f.sku !== undefined)
    found.push({ kind: 'unique', where: part`t.id = (select product_id from product_skus where tenant_id = ${tenant} and sku = ${f.sku})` })
  if (f.status !== undefined) found.push(inStatus([...new Set(f.status)]))
  if (f.category !== undefined) found.push(beginningWith(f.category))
  if (f.q !== undefined)
    found.push({
      kind: 'residual',
      where: part`(t.name ilike ${contains(f.q)} or t.sku ilike ${contains(f.q)} or t.category ilike ${contains(f.q)})`,
    })
  if (f.name !== undefined) found.push({ kind: 'residual', where: part`t.name ilike ${contains(f.name)}` })
  // Availability changes with every order, so it is in no index, which each order would have to write.
  if (f.stock_status !== undefined) found.push({ kind: 'residual', where: part`(${stockStatus}) = any(${f.stock_status}::text[])` })
  if (f.stock_below !== undefined) found.push({ kind: 'residual', where: part`t.stock - t.reserved < ${f.stock_below}` })
  const from = f.min_price === undefined ? undefined : part`t.price_amount >= ${f.min_price}`
  const to = f.max_price === undefined ? undefined : part`t.price_amount <= ${f.max_price}`
  return [...found, ...range('price_amount', { from, to }), ...timeFilters(f)]
}

// The index holds products that are not active, hence the condition written out. Most products are active, and found in any walk.
function inStatus(statuses: string[]): Filter {
  const where = part`t.status = any(${statuses}::text[])`
  if (statuses.includes('active')) return { kind: 'residual', where }
  const values = part`(select * from unnest(${statuses}::text[]) as u (status)) a`
  return { kind: 'values', where, sort: 'created_at', values, each: [part`t.status = a.status and t.status <> 'active'`] }
}

// By bytes, as the index is, whatever the database's collation; and as bounds, for a generic plan cannot know the pattern.
const beginningWith = (category: string): Filter => ({
  kind: 'indexed',
  where: part`t.category ~>=~ ${category} and t.category ~<~ ${`${category}\u{10ffff}`}`,
  order: part`t.category using ~<~`,
})

// These three characters have a meaning in a pattern; a search means the characters themselves.
const literally = (text: string): string => text.replaceAll(/[\\%_]/g, '\\$&')
const contains = (text: string): string => `%${literally(text)}%`

/** The public JSON of one product. */
export async function findJson(sql: Queryable, tenant: string, id: string): Promise<Buffer | undefined> {
  const rows = await sql`select ${json} from products t where t.tenant_id = ${tenant} and t.id = ${id}`.raw()
  return (rows[0] as unknown as Buffer[] | undefined)?.[0]
}
