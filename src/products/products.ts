// The catalogue: create, change, archive.
import { newId } from '../ids.ts'
import type { Precondition } from '../ingress/route.ts'
import { audit, type Caller } from '../postgres/audit.ts'
import { type Tx, violatedConstraint } from '../postgres/sql.ts'
import { invalid, notFound, Problem } from '../problems.ts'
import { currencyOf } from '../tenants/tenants.ts'
import type { NewProduct, Product, ProductChange, Variant } from './schema.ts'
import * as store from './store.ts'

type VariantInput = NonNullable<ProductChange['variants']>[number]

/** @returns the public JSON of the new product. @throws {Problem} 409 where the sku or the external_id is taken */
export async function create(tx: Tx, caller: Caller, input: NewProduct): Promise<{ id: string; json: Buffer }> {
  const id = newId('prod')
  const at = new Date().toISOString()
  const { stock = null, variants = [], images = [], ...rest } = input
  const product: Product = {
    object: 'product',
    id,
    name: rest.name,
    description: rest.description ?? null,
    sku: rest.sku ?? null,
    external_id: rest.external_id ?? null,
    category: rest.category ?? null,
    status: (rest.status ?? 'active') as Product['status'],
    price_amount: rest.price_amount,
    compare_at_amount: rest.compare_at_amount ?? null,
    currency: rest.currency ?? (await currencyOf(tx, caller.tenant)),
    images: images.map(withAlt),
    attributes: rest.attributes ?? {},
    tags: rest.tags ?? [],
    metadata: rest.metadata ?? {},
    version: 1,
    created_at: at,
    updated_at: at,
  }
  const list = variants.map(each => asVariant(each))
  await refuseTaken(tx, caller, product, list)
  await unlessTaken(() => store.insert(tx, caller.tenant, product, stock, list.length > 0))
  await keepVariants(tx, caller, product, list)
  await audit(tx, caller, 'product.create', id)
  return { id, json: (await store.json1(tx, caller.tenant, id)) as Buffer }
}

/** @returns the public JSON as changed. @throws {Problem} 404, 412, 409 */
export async function change(tx: Tx, caller: Caller, id: string, input: ProductChange, unchanged: Precondition): Promise<Buffer> {
  const current = await store.lock(tx, caller.tenant, id)
  if (!current) throw notFound('product')
  unchanged({ body: current.json, updatedAt: new Date(current.product.updated_at) })
  const { stock = current.stock, variants, images, ...fields } = input
  const product: Product = {
    ...current.product,
    ...(fields as Partial<Product>),
    ...(images && { images: images.map(withAlt) }),
    version: current.product.version + 1,
    updated_at: new Date().toISOString(),
  }
  if (stock !== null && stock < current.reserved)
    throw new Problem('conflict', `Open orders hold ${current.reserved} pieces; the stock cannot be set below that.`, {
      code: 'stock_reserved',
      reserved: current.reserved,
    })
  const list = variants && (await mergeVariants(tx, caller, id, variants, currentVariants(current.json)))
  await refuseTaken(tx, caller, product, list ?? [])
  await unlessTaken(() => store.save(tx, caller.tenant, product, stock, list ? list.length > 0 : current.hasVariants))
  if (list || fields.sku !== undefined) await keepVariants(tx, caller, product, list ?? currentVariants(current.json))
  await audit(tx, caller, 'product.update', id, { fields: Object.keys(input) })
  return (await store.json1(tx, caller.tenant, id)) as Buffer
}

/** Archives rather than deletes: orders name it. */
export async function archive(tx: Tx, caller: Caller, id: string, unchanged: Precondition): Promise<Buffer> {
  return change(tx, caller, id, { status: 'archived' }, unchanged)
}

const withAlt = ({ url, alt }: { url: string; alt?: string | null }) => ({ url, alt: alt ?? null })

const currentVariants = (json: string): Variant[] => (JSON.parse(json) as { variants: Variant[] }).variants

function asVariant(input: VariantInput, before?: Variant): Variant {
  const { sku = null, options = {}, price_amount = null, stock = null } = { ...before, ...input }
  return { id: before?.id ?? newId('var'), sku, name: input.name, options, price_amount, stock }
}

async function mergeVariants(tx: Tx, caller: Caller, productId: string, inputs: VariantInput[], current: Variant[]): Promise<Variant[]> {
  const byId = new Map(current.map(each => [each.id, each]))
  const reserved = new Map((await store.variants(tx, caller.tenant, productId)).map(each => [each.id, each.reserved]))
  for (const [index, { id, stock }] of inputs.entries()) {
    if (id === undefined) continue
    if (!byId.has(id))
      throw invalid({ field: `variants[${index}].id`, code: 'unknown_variant', message: 'is not a variant of this product.' })
    if (inputs.findIndex(each => each.id === id) < index)
      throw invalid({ field: `variants[${index}].id`, code: 'duplicate', message: 'is given twice.' })
    if (typeof stock === 'number' && stock < (reserved.get(id) ?? 0))
      throw new Problem(
        'conflict',
        `Open orders hold ${reserved.get(id)} pieces of variants[${index}]; its stock cannot be set below that.`,
        { code: 'stock_reserved' },
      )
  }
  const kept = new Set(inputs.map(each => each.id))
  const held = [...reserved].find(([id, pieces]) => pieces > 0 && !kept.has(id))
  if (held)
    throw new Problem('conflict', `Open orders hold pieces of the variant ${held[0]}; it cannot be removed.`, {
      code: 'stock_reserved',
      variant_id: held[0],
    })
  return inputs.map(each => asVariant(each, each.id === undefined ? undefined : byId.get(each.id)))
}

async function keepVariants(tx: Tx, caller: Caller, product: Product, list: Variant[]): Promise<void> {
  const own = product.sku === null ? [] : [{ sku: product.sku, variantId: null }]
  const skus = [...own, ...list.flatMap(each => (each.sku === null ? [] : [{ sku: each.sku, variantId: each.id }]))]
  const twice = skus.find((each, index) => skus.findIndex(other => other.sku === each.sku) !== index)
  if (twice) throw invalid({ field: 'variants', code: 'duplicate', message: `The sku ${JSON.stringify(twice.sku)} is given twice.` })
  if (list.length > 0 || product.version > 1) await store.replaceVariants(tx, caller.tenant, product.id, list)
  if (skus.length > 0 || product.version > 1) await unlessTaken(() => store.replaceSkus(tx, caller.tenant, product.id, skus))
}

// Asked first, so that the refusal can name the product that has it; the constraint decides between two at once.
async function refuseTaken(tx: Tx, caller: Caller, product: Product, variants: Variant[]): Promise<void> {
  const skus = [product.sku, ...variants.map(each => each.sku)].filter(sku => sku !== null)
  const bySku = skus.length > 0 ? await store.otherBySku(tx, caller.tenant, skus, product.id) : undefined
  if (bySku !== undefined) throw taken('sku', bySku)
  const byExternal = product.external_id === null ? undefined : await store.idByExternalId(tx, caller.tenant, product.external_id)
  if (byExternal !== undefined && byExternal !== product.id) throw taken('external_id', byExternal)
}

async function unlessTaken(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'product_skus_pkey') throw taken('sku')
    if (constraint === 'products_external') throw taken('external_id')
    throw error
  }
}

function taken(field: 'sku' | 'external_id', id?: string): Problem {
  const location: Record<string, string> = id === undefined ? {} : { Location: `/api/v1/products/${id}` }
  return new Problem(
    'conflict',
    `Another product has this ${field}.`,
    { code: `duplicate_${field}`, ...(id !== undefined && { product_id: id }) },
    location,
  )
}
