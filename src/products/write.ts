// Writing products, always as a set: read what they touch, decide each, write the accepted ones in one statement. A refused product is a value
// and leaves no trace.
import type { Caller } from '../caller.ts'
import { type EventDraft, emitAll } from '../events/emit.ts'
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
import { fallenBy } from './low-stock.ts'
import * as reads from './read-store.ts'
import type { NewProduct, ProductChange } from './schema.ts'
import * as store from './write-store.ts'

type Upsert = { upsert: NewProduct; known?: string | undefined }
/** One of a set. An upsert changes the product with the id that is known, else the one with its external_id, else with its sku, or creates one. */
export type Write = { create: NewProduct } | { change: ProductChange; id: string; unchanged?: Precondition } | Upsert

export interface Written {
  id: string
  /** Its public JSON. */
  json: string
  outcome: 'created' | 'updated' | 'unchanged'
}

/** A key that another transaction took between our read and our write is seen by the next read, so one more attempt is usually enough. */
const ATTEMPTS = 5

/**
 * Writes a set of products of one tenant, each with its audit row and its event, in a handful of statements. Each is checked against what
 * was stored before the set and against those before it in the set: a key that one of them gives up is free for the next set, not for this.
 * If it throws, its changes are undone.
 * @returns for each, in the order given, what it became or why it was refused: 404, 412, 422, 409
 */
export async function writeAll(tx: Tx, caller: Caller, writes: Write[]): Promise<(Written | Problem)[]> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await savepoint(tx, inner => writeOnce(inner, caller, writes))
    } catch (error) {
      if (!takenMeanwhile(error) || attempt === ATTEMPTS) throw error
    }
  }
}

/** A set of one, without its savepoint: a refusal ends the transaction. @throws {Problem} the refusal */
export async function writeOne(tx: Tx, caller: Caller, write: Write): Promise<Written> {
  const [result] = await writeOnce(tx, caller, [write]).catch(error => {
    const field = takenMeanwhile(error)
    throw field ? conflict(field) : error
  })
  if (result instanceof Problem) throw result
  return result as Written
}

async function writeOnce(tx: Tx, caller: Caller, writes: Write[]): Promise<(Written | Problem)[]> {
  const othersFirst = yielding()
  const decided = await decide(writes, await readKnown(tx, caller, writes), othersFirst)
  const [results, accepted]: [(Written | Problem)[], Accepted[]] = [[], []]
  for (const each of decided) {
    if (each instanceof Problem) results.push(each)
    else {
      const text = rendered(each.after)
      results.push({ id: each.after.product.id, json: text, outcome: each.outcome })
      if (each.outcome !== 'unchanged') accepted.push({ ...each, text })
      await othersFirst()
    }
  }
  if (accepted.length > 0) await writeAccepted(tx, caller, accepted)
  return results
}

const KEYS: Record<string, 'sku' | 'external_id'> = { product_skus_pkey: 'sku', products_external: 'external_id' }

/** The key that another transaction took between our read and our write, where that is the error. */
const takenMeanwhile = (error: unknown): 'sku' | 'external_id' | undefined => KEYS[violatedConstraint(error) ?? '']

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

async function readKnown(tx: Tx, { tenant }: Caller, writes: Write[]): Promise<Known> {
  const inputs = writes.map(inputOf)
  const rows = await combine(tx, {
    reads: {
      currency: writes.some(each => !('change' in each) && inputOf(each).currency === undefined) ? currenciesPart([tenant]) : undefined,
      ...reads.owners(tenant, {
        skus: inputs.flatMap(each => [each.sku, ...(each.variants ?? []).map(variant => variant.sku)]).filter(each => each != null),
        externalIds: inputs.map(each => each.external_id).filter(each => each != null),
      }),
    },
  })
  const known: Known = {
    currency: rows.currency[0]?.currency,
    products: new Map(),
    skus: new Map(rows.skus.map(each => [each.sku, each])),
    externals: new Map(rows.externals.map(each => [each.external_id, each.id])),
  }
  const ids = writes.flatMap(each =>
    'change' in each ? each.id : 'upsert' in each ? [each.known ?? [], matchOf(each, known)?.id ?? []].flat() : [],
  )
  if (ids.length > 0) known.products = await reads.lockAll(tx, tenant, ids)
  return known
}

const inputOf = (write: Write): NewProduct | ProductChange =>
  'create' in write ? write.create : 'change' in write ? write.change : write.upsert

// The product that an upsert matches, and the key by which it does.
function matchOf(
  { upsert: input, known }: Upsert,
  { products, externals, skus }: Known,
): { id: string; by: 'id' | 'external_id' | 'sku' } | undefined {
  if (known !== undefined && products.has(known)) return { id: known, by: 'id' }
  const byExternalId = input.external_id == null ? undefined : externals.get(input.external_id)
  if (byExternalId !== undefined) return { id: byExternalId, by: 'external_id' }
  const bySku = input.sku == null ? undefined : skus.get(input.sku)
  return bySku && { id: bySku.product_id, by: 'sku' }
}

async function decide(writes: Write[], known: Known, othersFirst: OthersFirst): Promise<(Draft | Problem)[]> {
  const at = new Date().toISOString()
  const claim = claimer(known)
  const decided: (Draft | Problem)[] = []
  for (const write of writes) {
    decided.push(
      attempt(() => {
        const draft = drawUp(write, known, at)
        claim(draft, 'upsert' in write ? matchOf(write, known)?.by : 'id')
        return draft
      }),
    )
    await othersFirst()
  }
  return decided
}

function drawUp(write: Write, known: Known, at: string): Draft {
  if ('create' in write) return created(write.create, known, at)
  if ('upsert' in write) return upserted(write, known, at)
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

function upserted(write: Upsert, known: Known, at: string): Draft {
  const input = write.upsert
  const found = matchOf(write, known)
  const before = found && known.products.get(found.id)
  if (!found || !before) return created(input, known, at)
  // A variant's sku names no product of its own, and a product with another external_id is another product.
  const isAnother =
    found.by === 'sku' && (before.product.sku !== input.sku || (input.external_id != null && before.product.external_id !== null))
  if (isAnother) throw conflict('sku', found.id)
  const variants = withKnownIds(before, input.variants)
  const draft = updated(before, { ...input, ...(variants && { variants }) }, at)
  return draft.changed.length > 0 ? draft : { ...draft, after: before, outcome: 'unchanged' }
}

// Refuses a key that another product has, stored or earlier in the set.
function claimer(known: Known): (draft: Draft, by?: 'id' | 'sku' | 'external_id') => void {
  const skus = new Map([...known.skus].map(([sku, owner]) => [sku, owner.product_id]))
  const externals = new Map(known.externals)
  const written = new Set<string>()
  return ({ after }, by) => {
    const { id, external_id } = after.product
    if (written.has(id))
      throw by && by !== 'id'
        ? conflict(by, id)
        : invalid({ field: 'id', code: 'duplicate', message: 'is given by an item before this one.' })
    const own = [...skusOf(after).keys()]
    for (const sku of own) if ((skus.get(sku) ?? id) !== id) throw conflict('sku', skus.get(sku) as string)
    if (external_id !== null && (externals.get(external_id) ?? id) !== id)
      throw conflict('external_id', externals.get(external_id) as string)
    for (const sku of own) skus.set(sku, id)
    if (external_id !== null) externals.set(external_id, id)
    written.add(id)
  }
}

/** A draft to be written, with its public JSON. */
type Accepted = Draft & { text: string }

async function writeAccepted(tx: Tx, caller: Caller, all: Accepted[]): Promise<void> {
  // Products are written in key order, so two writers of the same keys cannot deadlock. Events keep the order given.
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
      some.flatMap(each => [eventDraftOf(caller, each), ...(each.before ? fallenBy(caller, each.before, each.after) : [])]),
      [...parts, auditPart(some.map(each => auditEntryOf(caller, each)))],
    )
}

const auditEntryOf = (caller: Caller, { before, after, fields }: Accepted): AuditEntry => ({
  caller,
  action: before ? 'product.update' : 'product.create',
  subject: after.product.id,
  ...(before && { details: { fields } }),
})

function eventDraftOf(caller: Caller, { before, after, changed, text }: Accepted): EventDraft {
  const snapshot = `"product_id":"${after.product.id}","product":${text}`
  return before
    ? { caller, type: ProductUpdated, text: `{${snapshot},"changed":${JSON.stringify(changed)}}` }
    : { caller, type: ProductCreated, text: `{${snapshot}}` }
}

function conflict(field: 'sku' | 'external_id', id?: string): Problem {
  const [members, headers] = id === undefined ? [{}, {}] : [{ product_id: id }, { Location: `/api/v1/products/${id}` }]
  return new Problem('conflict', `Another product has this ${field}.`, { code: `duplicate_${field}`, ...members }, headers)
}
