// Every statement that writes products. Each takes a set, so a product costs a row and not a round trip.
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part } from '../postgres/sql.ts'
import { type State, skusOf } from './draft.ts'

/** A product before a write, if it existed, and after it. */
export interface Change {
  before: State | undefined
  after: State
}

/** Products are written in the order of their unique key, so two writers of the same keys cannot deadlock. */
export const inOrder = <C extends Change>(changes: C[]): C[] =>
  changes.toSorted((one, other) => compare(one.after.product.external_id, other.after.product.external_id))

/**
 * Writes products and their variants, as parts of one statement. A key that another transaction took meanwhile raises its violation.
 * @param sorted by the caller, with `inOrder`: it sorts the whole set, which may be cut into several statements
 */
export function productParts(tenant: string, sorted: Change[]): Fragment[] {
  const made = sorted.filter(each => !each.before)
  const changed = sorted.filter(each => each.before)
  const listed = sorted.filter(each => each.after.variants !== each.before?.variants && (each.before || each.after.variants.length > 0))
  return [
    ...unlessEmpty(
      made.map(each => productRow(each.after)),
      rows => insertProducts(tenant, rows),
    ),
    ...unlessEmpty(
      changed.map(each => productRow(each.after)),
      rows => updateProducts(tenant, rows),
    ),
    ...unlessEmpty(goneVariants(listed), gone => dropVariants(tenant, gone)),
    ...unlessEmpty(
      listed.flatMap(each => variantRows(each.after)),
      rows => putVariants(tenant, rows),
    ),
  ]
}

/**
 * Writes the products' SKUs likewise, all of the set together, for one product may give up a SKU that another takes.
 * @param sorted as for `productParts`. New SKUs are sorted here, by SKU
 */
export function skuParts(tenant: string, sorted: Change[]): Fragment[] {
  const skus = skuRows(sorted)
  return [
    ...unlessEmpty(skus.gone, gone => dropSkus(tenant, gone)),
    ...unlessEmpty(skus.moved, moved => moveSkus(tenant, moved)),
    ...unlessEmpty(
      skus.fresh.sort((one, other) => compare(one.sku, other.sku)),
      fresh => insertSkus(tenant, fresh),
    ),
  ]
}

const unlessEmpty = <T>(rows: T[], write: (rows: T[]) => Fragment): Fragment[] => (rows.length > 0 ? [write(rows)] : [])

const compare = (one: string | null, other: string | null): number => {
  const [a, b] = [one ?? '', other ?? '']
  return a < b ? -1 : Number(a > b)
}

// The columns and the text come from one object, so they cannot drift apart.
function productRow({ product, doc, stock, reserved, variants }: State) {
  const { id, name, sku, external_id, category, status, price_amount, currency, version, created_at, updated_at } = product
  const kept = { id, name, sku, external_id, category, status, price_amount, currency, version, created_at, updated_at }
  return { ...kept, stock, reserved, has_variants: variants.length > 0, doc }
}
type ProductRow = ReturnType<typeof productRow>

const PRODUCT = columns({
  id: 'text',
  name: 'text',
  sku: 'text',
  external_id: 'text',
  category: 'text',
  status: 'text',
  price_amount: 'bigint',
  currency: 'text',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  stock: 'integer',
  reserved: 'integer',
  has_variants: 'boolean',
  doc: 'json',
})

const insertProducts = (tenant: string, rows: ProductRow[]): Fragment => part`
  insert into products (${PRODUCT.names}, tenant_id)
  select r.*, ${tenant} from ${PRODUCT.of(rows)}`

const updateProducts = (tenant: string, rows: ProductRow[]): Fragment => part`
  update products t
     set name = r.name, sku = r.sku, external_id = r.external_id, category = r.category, status = r.status, price_amount = r.price_amount,
         currency = r.currency, version = r.version, updated_at = r.updated_at, stock = r.stock, reserved = r.reserved,
         has_variants = r.has_variants, doc = r.doc
    from ${PRODUCT.of(rows)}
   where t.tenant_id = ${tenant} and t.id = r.id`

const goneVariants = (changes: Change[]): { product_id: string; id: string }[] =>
  changes.flatMap(({ before, after }) =>
    (before?.variants ?? [])
      .filter(({ id }) => !after.variants.some(each => each.id === id))
      .map(({ id }) => ({ product_id: after.product.id, id })),
  )

const dropVariants = (tenant: string, gone: { product_id: string; id: string }[]): Fragment => part`
  delete from product_variants
   where tenant_id = ${tenant} and product_id = any(${arrayText(gone.map(each => each.product_id))}::text::text[])
     and id = any(${arrayText(gone.map(each => each.id))}::text::text[])`

const variantRows = ({ product, variants }: State) =>
  variants.map(({ stock, reserved, ...doc }, position) => {
    const { id, sku, name, price_amount } = doc
    return { product_id: product.id, id, position, sku, name, price_amount, stock, reserved, doc: JSON.stringify(doc) }
  })

const VARIANT = columns({
  product_id: 'text',
  id: 'text',
  position: 'integer',
  sku: 'text',
  name: 'text',
  price_amount: 'bigint',
  stock: 'integer',
  reserved: 'integer',
  doc: 'json',
})

const putVariants = (tenant: string, rows: ReturnType<typeof variantRows>): Fragment => part`
  insert into product_variants (${VARIANT.names}, tenant_id)
  select r.*, ${tenant} from ${VARIANT.of(rows)}
  on conflict (tenant_id, product_id, id) do update
     set position = excluded.position, sku = excluded.sku, name = excluded.name, price_amount = excluded.price_amount,
         stock = excluded.stock, reserved = excluded.reserved, doc = excluded.doc`

const SKU = columns({ sku: 'text', product_id: 'text', variant_id: 'text' })

interface SkuRow {
  sku: string
  product_id: string
  variant_id: string | null
}

// Told apart here, for two parts of one statement must not touch the same row.
function skuRows(changes: Change[]): { gone: string[]; moved: SkuRow[]; fresh: SkuRow[] } {
  const found: ReturnType<typeof skuRows> = { gone: [], moved: [], fresh: [] }
  for (const { before, after } of changes) {
    const [was, is] = [before ? skusOf(before) : new Map<string, string | null>(), skusOf(after)]
    for (const sku of was.keys()) if (!is.has(sku)) found.gone.push(sku)
    for (const [sku, variant_id] of is) {
      const row = { sku, product_id: after.product.id, variant_id }
      if (!was.has(sku)) found.fresh.push(row)
      else if (was.get(sku) !== variant_id) found.moved.push(row)
    }
  }
  return found
}

const dropSkus = (tenant: string, gone: string[]): Fragment => part`
  delete from product_skus where tenant_id = ${tenant} and sku = any(${arrayText(gone)}::text::text[])`

const moveSkus = (tenant: string, rows: SkuRow[]): Fragment => part`
  update product_skus t set variant_id = r.variant_id
    from ${SKU.of(rows)}
   where t.tenant_id = ${tenant} and t.sku = r.sku`

const insertSkus = (tenant: string, rows: SkuRow[]): Fragment => part`
  insert into product_skus (${SKU.names}, tenant_id)
  select r.*, ${tenant} from ${SKU.of(rows)}`
