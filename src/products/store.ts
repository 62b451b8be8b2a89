// Every statement of the catalogue.
import { LOW_STOCK } from '../limits.ts'
import { keysetPage, type Page, type PageRequest, part, type Sort, type TimeFilters, timeConditions } from '../postgres/page.ts'
import type { Fragment, Queryable } from '../postgres/sql.ts'

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
