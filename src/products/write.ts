// Writing products, always as a set: read what they touch, decide each, write all that may be in one statement. A refused one is a value and
// leaves no trace.
import type { Caller } from '../caller.ts'
import { emitAll, type EventDraft } from '../events/emit.ts'
import type { Precondition } from '../ingress/route.ts'
import { type OthersFirst, yielding } from '../ingress/yielding.ts'
import { type AuditEntry, auditPart } from '../postgres/audit.ts'
import { combine, statements } from '../postgres/combine.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { savepoint, type Tx } from '../postgres/sql.ts'
import { attempt, invalid, notFound, Problem } from '../problems.ts'
import { currenciesPart } from '../tenants/tenants.ts'
import { changedFields, drafted, rendered, revised, type State, skusOf, withKnownIds } from './draft.ts'
import { ProductCreated, ProductUpdated } from './events.ts'
import * as reads from './read-store.ts'
import type { NewProduct, ProductChange } from './schema.ts'
import * as store from './write-store.ts'

/** One of a set. An upsert means the product with its external_id, else the one with its sku, else a new one. */
export type Write = { create: NewProduct } | { change: ProductChange; id: string; unchanged?: Precondition } | { upsert: NewProduct }

export interface Written {
  id: string
  /** Its public JSON. */
  json: string
  outcome: 'created' | 'updated' | 'unchanged'
}

/** A key that somebody took between our look and our writing is seen by the next look, so one is most often enough. */
const ATTEMPTS = 5

/**
 * Writes a set of products of one tenant, each with its audit row and its event, in a handful of statements. Each is judged by what was
 * there before the set and by those before it in the set: a key that one of them gives up is free for the next set.
 * Where it throws, it has undone what it did.
 * @returns for each, in the order given, what it became or why it was refused: 404, 412, 422, 409
 */
export async function writeAll(tx: Tx, caller: Caller, writes: Write[]): Promise<(Written | Problem)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await savepoint(tx, inner => writeOnce(inner, caller, writes))
    } catch (error) {
      if (!lostTo(error) || attempt === ATTEMPTS) throw error
    }
  }
}

/** A set of one, without its savepoint: the transaction of who is refused is over. @throws {Problem} why it was refused */
export async function writeOne(tx: Tx, caller: Caller, write: Write): Promise<Written> {
  const [result] = await writeOnce(tx, caller, [write]).catch(error => {
    const field = lostTo(error)
    throw field ? taken(field) : error
  })
  if (result instanceof Problem) throw result
  return result as Written
}

async function writeOnce(tx: Tx, caller: Caller, writes: Write[]): Promise<(Written | Problem)[]> {
  const othersFirst = yielding()
  const judged = await judge(writes, await look(tx, caller, writes), othersFirst)
  const [results, kept]: [(Written | Problem)[], Kept[]] = [[], []]
  for (const each of judged) {
    if (each instanceof Problem) results.push(each)
    else {
      const text = rendered(each.after)
      results.push({ id: each.after.product.id, json: text, outcome: each.outcome })
      if (each.outcome !== 'unchanged') kept.push({ ...each, text })
      await othersFirst()
    }
  }
  if (kept.length > 0) await keep(tx, caller, kept)
  return results
}

const KEYS: Record<string, 'sku' | 'external_id'> = { product_skus_pkey: 'sku', products_external: 'external_id' }

/** The key that somebody else took at the same time, where that is what went wrong. */
const lostTo = (error: unknown): 'sku' | 'external_id' | undefined => KEYS[violatedConstraint(error) ?? '']

interface Draft extends store.Change {
  outcome: Written['outcome']
  /** For the audit. */
  fields: string[]
  changed: string[]
}

interface Known {
  currency: string
  products: Map<string, State>
  skus: Map<string, { product_id: string; variant_id: string | null }>
  externals: Map<string, string>
}

async function look(tx: Tx, { tenant }: Caller, writes: Write[]): Promise<Known> {
  const inputs = writes.map(inputOf)
  const read = await combine(tx, {
    reads: {
      currency: writes.some(each => !('change' in each) && inputOf(each).currency === undefined) ? currenciesPart([tenant]) : undefined,
      ...reads.holders(tenant, {
        skus: inputs.flatMap(each => [each.sku, ...(each.variants ?? []).map(variant => variant.sku)]).filter(each => each != null),
        externalIds: inputs.map(each => each.external_id).filter(each => each != null),
      }),
    },
  })
  const known: Known = {
    currency: read.currency[0]?.currency,
    products: new Map(),
    skus: new Map(read.skus.map(each => [each.sku, each])),
    externals: new Map(read.externals.map(each => [each.external_id, each.id])),
  }
  const ids = writes.flatMap(each => ('change' in each ? [each.id] : 'upsert' in each ? (meant(each.upsert, known)?.id ?? []) : []))
  if (ids.length > 0) known.products = await reads.lockAll(tx, tenant, ids)
  return known
}

const inputOf = (write: Write): NewProduct | ProductChange =>
  'create' in write ? write.create : 'change' in write ? write.change : write.upsert

// Which product an upsert means, and what says so.
function meant(input: NewProduct, { externals, skus }: Known): { id: string; by: 'external_id' | 'sku' } | undefined {
  const byExternalId = input.external_id == null ? undefined : externals.get(input.external_id)
  if (byExternalId !== undefined) return { id: byExternalId, by: 'external_id' }
  const bySku = input.sku == null ? undefined : skus.get(input.sku)
  return bySku && { id: bySku.product_id, by: 'sku' }
}

async function judge(writes: Write[], known: Known, othersFirst: OthersFirst): Promise<(Draft | Problem)[]> {
  const at = new Date().toISOString()
  const claim = claimer(known)
  const judged: (Draft | Problem)[] = []
  for (const write of writes) {
    judged.push(
      attempt(() => {
        const draft = drawUp(write, known, at)
        claim(draft, 'upsert' in write ? meant(write.upsert, known)?.by : undefined)
        return draft
      }),
    )
    await othersFirst()
  }
  return judged
}

function drawUp(write: Write, known: Known, at: string): Draft {
  if ('create' in write) return created(write.create, known, at)
  if ('upsert' in write) return upserted(write.upsert, known, at)
  const before = known.products.get(write.id)
  if (!before) throw notFound('product')
  write.unchanged?.({ body: rendered(before), updatedAt: new Date(before.product.updated_at) })
  return updated(before, write.change, at)
}

const created = (input: NewProduct, { currency }: Known, at: string): Draft => ({
  before: undefined,
  after: drafted(input, currency, at),
  outcome: 'created',
  fields: [],
  changed: [],
})

function updated(before: State, input: ProductChange, at: string): Draft {
  const after = revised(before, input, at)
  return { before, after, outcome: 'updated', fields: Object.keys(input), changed: changedFields(before, after) }
}

function upserted(input: NewProduct, known: Known, at: string): Draft {
  const found = meant(input, known)
  const before = found && known.products.get(found.id)
  if (!found || !before) return created(input, known, at)
  // A variant's sku names no product of its own, and a product with another external_id is another product.
  const another =
    found.by === 'sku' && (before.product.sku !== input.sku || (input.external_id != null && before.product.external_id !== null))
  if (another) throw taken('sku', found.id)
  const variants = withKnownIds(before, input.variants)
  const draft = updated(before, { ...input, ...(variants && { variants }) }, at)
  return draft.changed.length > 0 ? draft : { ...draft, after: before, outcome: 'unchanged' }
}

// Refuses what another product has, there or earlier in the set.
function claimer(known: Known): (draft: Draft, by?: 'sku' | 'external_id') => void {
  const skus = new Map([...known.skus].map(([sku, holder]) => [sku, holder.product_id]))
  const externals = new Map(known.externals)
  const written = new Set<string>()
  return ({ after }, by) => {
    const { id, external_id } = after.product
    if (written.has(id))
      throw by ? taken(by, id) : invalid({ field: 'id', code: 'duplicate', message: 'is given by an item before this one.' })
    const own = [...skusOf(after).keys()]
    for (const sku of own) if ((skus.get(sku) ?? id) !== id) throw taken('sku', skus.get(sku) as string)
    if (external_id !== null && (externals.get(external_id) ?? id) !== id) throw taken('external_id', externals.get(external_id) as string)
    for (const sku of own) skus.set(sku, id)
    if (external_id !== null) externals.set(external_id, id)
    written.add(id)
  }
}

/** To be written, with its public JSON. */
type Kept = Draft & { text: string }

async function keep(tx: Tx, caller: Caller, all: Kept[]): Promise<void> {
  // All keys in everybody's order: two writers of the same keys wait for each other in no circle. Events keep the order given.
  const sorted = store.inOrder(all)
  const slices = statements(all)
  const inOne = slices.length === 1
  if (!inOne) {
    for (const some of statements(sorted)) await combine(tx, { writes: store.productParts(caller.tenant, some) })
    await combine(tx, { writes: store.skuParts(caller.tenant, sorted) })
  }
  const parts = inOne ? [...store.productParts(caller.tenant, sorted), ...store.skuParts(caller.tenant, sorted)] : []
  for (const some of slices)
    await emitAll(
      tx,
      some.map(each => eventDraftOf(caller, each)),
      [...parts, auditPart(some.map(each => auditEntryOf(caller, each)))],
    )
}

const auditEntryOf = (caller: Caller, { before, after, fields }: Kept): AuditEntry => ({
  caller,
  action: before ? 'product.update' : 'product.create',
  subject: after.product.id,
  ...(before && { details: { fields } }),
})

function eventDraftOf(caller: Caller, { before, after, changed, text }: Kept): EventDraft {
  const snapshot = `"product_id":"${after.product.id}","product":${text}`
  return before
    ? { caller, type: ProductUpdated, text: `{${snapshot},"changed":${JSON.stringify(changed)}}` }
    : { caller, type: ProductCreated, text: `{${snapshot}}` }
}

function taken(field: 'sku' | 'external_id', id?: string): Problem {
  const [members, headers] = id === undefined ? [{}, {}] : [{ product_id: id }, { Location: `/api/v1/products/${id}` }]
  return new Problem('conflict', `Another product has this ${field}.`, { code: `duplicate_${field}`, ...members }, headers)
}
