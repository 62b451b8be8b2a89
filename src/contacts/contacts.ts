// Contacts: created, changed, upserted. A verb takes a set and costs a few statements whatever its size; one contact is a set of one.
import type { Caller } from '../caller.ts'
import type { Precondition } from '../ingress/route.ts'
import { TAGS_MAX } from '../limits/fields.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { type Fragment, savepoint, type Text, type Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import { currencyOf } from '../tenants/tenants.ts'
import { changed, snapshot } from './contact.ts'
import * as drafts from './drafts.ts'
import { conflict, type Identifier, identifierIndex } from './identity.ts'
import { blockAll } from './keepers.ts'
import { missing } from './merge.ts'
import { mergedAmong } from './merge-store.ts'
import { messaged } from './messaged-store.ts'
import type { Contact, ContactChange, ContactSnapshot, NewContact } from './schema.ts'
import * as store from './store.ts'

/** A contact's public representation as it is now, as a part of a statement: one row, which is for `snapshotOf`, or none. */
export const snapshotPart = (tenant: Text, id: Text): Fragment => store.stored(tenant, id)
export type SnapshotRow = store.StoredRow

/** The same of many: a row for each of them. @param ids themselves, or a query of them */
export const snapshotsPart = (caller: Caller, ids: string[] | Fragment): Fragment => store.storedWith(caller.tenant, ids)

/** The same of any workspaces. @param refs a query of `tenant_id` and `contact_id` */
export const snapshotsOfAnyPart = (refs: Fragment): Fragment => store.storedOfAny(refs)

export function snapshotOf(row: store.StoredRow): ContactSnapshot {
  const { contact, moved } = store.asStored(row)
  return snapshot(contact, moved)
}

/**
 * Records that contacts and the workspace exchanged messages, as a part of a statement. Locks the contacts in the order of their ids:
 * conversations are locked before.
 * @param messages of any workspaces; several may be of one contact; `at` is ISO 8601
 */
export const messagedAllPart = (messages: { tenant: string; id: string; at: string }[]): Fragment => messaged(messages)

/** The outcome of one input of a set. */
export interface Written {
  outcome: 'created' | 'updated' | 'unchanged'
  id: string
  /** The public JSON. */
  json: string
}

/** @throws {Problem} 409 where another contact has its external_id, email or phone */
export async function create(tx: Tx, caller: Caller, input: NewContact): Promise<Written> {
  const [result] = await createAll(tx, caller, [input])
  if (result instanceof Problem) throw result
  return result as Written
}

/**
 * Creates contacts.
 * @returns for each input what was created; or a 409 where another contact, stored or earlier in the set, has one of its identifiers
 */
export async function createAll(tx: Tx, caller: Caller, inputs: NewContact[]): Promise<(Written | Problem)[]> {
  const currency = await currencyOf(tx, caller.tenant)
  const all = inputs.map(input => drafts.begun(input, currency))
  const made = await drafts.make(tx, caller, all)
  const refused = all.filter(each => !made.has(each)).map(each => each.contact)
  const index = identifierIndex(refused.length > 0 ? await store.owners(tx, caller.tenant, refused) : [])
  return all.map(draft => (made.has(draft) ? written(draft, 'created') : (index.conflictOf(draft.contact) ?? beingCreated())))
}

/** @returns the public JSON as changed. @throws {Problem} 404, 412, 409 */
export async function change(tx: Tx, caller: Caller, id: string, input: ContactChange, unchanged: Precondition): Promise<string> {
  if (input.blocked) await blockAll(tx, caller, id)
  const identified = input.email ?? input.phone ?? input.external_id
  if (identified == null) return changeOnce(tx, caller, id, input, unchanged)
  return savepoint(tx, inner => changeOnce(inner, caller, id, input, unchanged)).catch(error => {
    if (takenMeanwhile(error) === undefined) throw error
    // The transaction that took it has committed: the second read finds its contact and names it, or says that the contact only claimed it.
    return changeOnce(tx, caller, id, input, unchanged)
  })
}

async function changeOnce(tx: Tx, caller: Caller, id: string, input: ContactChange, unchanged: Precondition): Promise<string> {
  const found = await drafts.open(tx, caller, [id], [input])
  const draft = found.find(each => each.contact.id === id)
  if (!draft) throw await missing(tx, caller, id)
  unchanged({ body: drafts.jsonOf(draft), updatedAt: new Date(draft.contact.updated_at) })
  const problem = drafts.apply(identifierIndex(found), draft, input)
  if (problem) throw problem
  try {
    await drafts.save(tx, caller, found)
  } catch (error) {
    const field = takenMeanwhile(error)
    throw field ? conflict(field) : error
  }
  return drafts.jsonOf(draft)
}

/**
 * Adds a tag beside those that the contact has; one that is there is no change.
 * @throws {Problem} 404; 422 where there is room for none
 */
export async function tag(tx: Tx, caller: Caller, id: string, name: string): Promise<{ contact: Contact; added: boolean }> {
  const [draft] = await drafts.open(tx, caller, [id], [])
  if (!draft) throw await missing(tx, caller, id)
  const { tags } = draft.contact
  if (tags.includes(name)) return { contact: draft.contact, added: false }
  if (tags.length >= TAGS_MAX)
    throw invalid({
      field: 'tag',
      code: 'too_many',
      message: `cannot be added: the contact has ${tags.length} tags, and there can be ${TAGS_MAX}.`,
    })
  draft.contact = changed(draft.contact, { tags: [...tags, name] })
  await drafts.save(tx, caller, [draft])
  return { contact: draft.contact, added: true }
}

/** The identifier that another transaction took between our read and our write. */
const takenMeanwhile = (error: unknown): Identifier | undefined => store.IDENTIFIER_OF[violatedConstraint(error) ?? '']

/**
 * Creates the contacts that do not exist yet and changes those that do: the one with the input's id, else with its external_id, else with its
 * e-mail address, else with its phone number. Fields that an input does not give stay, and an input that changes nothing is not written. Inputs
 * are applied in order: each sees what those before it did.
 * @param ids of the inputs, by their place; one of no contact of this workspace counts for nothing
 * @returns for each input what became of it; or a 409 where another contact has one of its identifiers, or a 422 where its id is that of a merged one
 */
export async function upsertAll(
  tx: Tx,
  caller: Caller,
  inputs: NewContact[],
  ids: (string | undefined)[] = [],
): Promise<(Written | Problem)[]> {
  const all = inputs.map((input, index) => ({ input, id: ids[index] }))
  const results = await savepoint(tx, inner => upsert(inner, caller, all)).catch(error => {
    if (takenMeanwhile(error) === undefined) throw error
    return upsert(tx, caller, all)
  })
  // Another transaction created the same contacts meanwhile and has committed, so the second read finds them.
  const missed = all.filter((_, index) => results[index] === undefined)
  const again = missed.length > 0 ? await upsert(tx, caller, missed) : []
  return results.map(result => result ?? again.shift() ?? beingCreated())
}

interface Upsert {
  input: NewContact
  id: string | undefined
}

/** The input without an address that the contact has by a claim: to say it again, as a file does that was exported, proves nothing. */
function withoutClaim(input: NewContact, { email, email_claimed }: Contact): NewContact {
  if (!email_claimed || input.email?.toLowerCase() !== email?.toLowerCase()) return input
  const { email: _, ...others } = input
  return others
}

/** @returns undefined for inputs whose contact another transaction is creating at this moment */
async function upsert(tx: Tx, caller: Caller, all: Upsert[]): Promise<(Written | Problem | undefined)[]> {
  const inputs = all.map(({ input }) => input)
  const found = await drafts.open(
    tx,
    caller,
    all.flatMap(({ id }) => id ?? []),
    inputs,
  )
  const byId = new Map(found.map(each => [each.contact.id, each]))
  const merged = await mergedAmong(
    tx,
    caller.tenant,
    all.flatMap(({ id }) => (id === undefined || byId.has(id) ? [] : id)),
  )
  const currency = await currencyOf(tx, caller.tenant)
  const index = identifierIndex(found)
  const fresh: drafts.Draft[] = []
  const steps = all.map(({ input, id }) => {
    const into = id === undefined ? undefined : merged.get(id)
    // As an older export tells of it: the row would make a second contact of the person, or give the one that was kept the other's fields.
    if (into !== undefined) return invalid({ field: 'id', code: 'unknown_contact', message: `was merged into ${into}: give that one.` })
    const known = (id === undefined ? undefined : byId.get(id)) ?? index.match(input)
    if (known) {
      const before = known.contact
      const problem = drafts.apply(index, known, withoutClaim(input, before))
      return problem ?? { draft: known, outcome: known.contact === before ? ('unchanged' as const) : ('updated' as const) }
    }
    const draft = drafts.begun(input, currency)
    const problem = index.conflictOf(draft.contact)
    if (problem) return problem
    drafts.giveWay(index, draft.contact)
    index.add(draft)
    fresh.push(draft)
    return { draft, outcome: 'created' as const }
  })
  await drafts.save(tx, caller, found)
  const made = await drafts.make(tx, caller, fresh)
  return steps.map(step => {
    if (step instanceof Problem) return step
    return step.draft.before === undefined && !made.has(step.draft) ? undefined : written(step.draft, step.outcome)
  })
}

const written = (draft: drafts.Draft, outcome: Written['outcome']): Written => ({
  outcome,
  id: draft.contact.id,
  json: drafts.jsonOf(draft),
})

const beingCreated = (): Problem => new Problem('conflict', 'Another request is creating this contact.', { code: 'duplicate_contact' })
