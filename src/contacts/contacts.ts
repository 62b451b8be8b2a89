// Contacts: made, changed, and brought in line with somebody's list. A verb takes a set and costs a few statements whatever its size;
// for one contact it is the set of one.
import type { Caller } from '../caller.ts'
import type { Precondition } from '../ingress/route.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { type Fragment, part, savepoint, type Tx } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import { currencyOf } from '../tenants/tenants.ts'
import { snapshot } from './contact.ts'
import * as drafts from './drafts.ts'
import { type Identifier, register, taken } from './identity.ts'
import * as lists from './list-store.ts'
import type { ContactChange, ContactSnapshot, NewContact } from './schema.ts'
import * as store from './store.ts'

/** A contact's public representation as it is now, as a part of a statement: one row, of which `snapshotOf` makes it, or none. */
export const snapshotPart = (caller: Caller, id: string): Fragment => store.stored(caller.tenant, id)

export function snapshotOf(row: { doc: string; moved: string }): ContactSnapshot {
  const { contact, moved } = store.asStored(row)
  return snapshot(contact, moved)
}

/** That a contact and the workspace exchanged a message, as a part of a statement. @param at ISO 8601 */
export const messagedPart = (caller: Caller, id: string, at: string): Fragment => store.messaged(caller.tenant, id, at)

/** Whom a search box means, as parts of a statement: their ids, and whether the row `c` of the table is one of them. */
export const searched = (caller: Caller, text: string): { ids: Fragment; meant: Fragment } => ({
  ids: lists.search(caller.tenant, text),
  meant: lists.meant(text, part`c`),
})

/** What became of one input of a set. */
export interface Written {
  outcome: 'created' | 'updated' | 'unchanged'
  id: string
  /** The public JSON. */
  json: string
}

/** @throws {Problem} 409 where its external_id, email or phone is another's */
export async function create(tx: Tx, caller: Caller, input: NewContact): Promise<Written> {
  const [result] = await createAll(tx, caller, [input])
  if (result instanceof Problem) throw result
  return result as Written
}

/**
 * Makes contacts.
 * @returns for each input what was made; or a 409 where an identifier is another's, be it one before it in the set
 */
export async function createAll(tx: Tx, caller: Caller, inputs: NewContact[]): Promise<(Written | Problem)[]> {
  const currency = await currencyOf(tx, caller.tenant)
  const all = inputs.map(input => drafts.begun(input, currency))
  const made = await drafts.make(tx, caller, all)
  const refused = all.filter(each => !made.has(each)).map(each => each.contact)
  const whose = register(refused.length > 0 ? await store.holders(tx, caller.tenant, refused) : [])
  return all.map(draft => (made.has(draft) ? written(draft, 'created') : (whose.refusal(draft.contact) ?? beingMade())))
}

/** @returns the public JSON as changed. @throws {Problem} 404, 412, 409 */
export async function change(tx: Tx, caller: Caller, id: string, input: ContactChange, unchanged: Precondition): Promise<string> {
  const found = await drafts.open(tx, caller, [id], [input])
  const draft = found.find(each => each.contact.id === id)
  if (!draft) throw notFound('contact')
  unchanged({ body: drafts.jsonOf(draft), updatedAt: new Date(draft.contact.updated_at) })
  const problem = drafts.apply(register(found), draft, input)
  if (problem) throw problem
  try {
    await drafts.save(tx, caller, [draft])
  } catch (error) {
    const field = lost(error)
    throw field ? taken(field) : error
  }
  return drafts.jsonOf(draft)
}

/** The identifier that somebody took between our look and our writing. */
const lost = (error: unknown): Identifier | undefined => store.IDENTIFIER_OF[violatedConstraint(error) ?? '']

/**
 * Makes the contacts that are not there yet and changes those that are: the one with the input's external_id, else with its e-mail
 * address, else with its phone number. What an input does not give stays, and what changes nothing is not written. Inputs count in
 * order: each sees what those before it did.
 * @returns for each input what became of it; or a 409 where an identifier is another's
 */
export async function upsertAll(tx: Tx, caller: Caller, inputs: NewContact[]): Promise<(Written | Problem)[]> {
  const results = await savepoint(tx, inner => upsert(inner, caller, inputs)).catch(error => {
    if (lost(error) === undefined) throw error
    return upsert(tx, caller, inputs)
  })
  // Somebody made the same contacts meanwhile. They are committed by now, so the second look finds them.
  const missed = inputs.filter((_, index) => results[index] === undefined)
  const again = missed.length > 0 ? await upsert(tx, caller, missed) : []
  return results.map(result => result ?? again.shift() ?? beingMade())
}

/** @returns undefined for those that somebody else made at this moment */
async function upsert(tx: Tx, caller: Caller, inputs: NewContact[]): Promise<(Written | Problem | undefined)[]> {
  const found = await drafts.open(tx, caller, [], inputs)
  const currency = await currencyOf(tx, caller.tenant)
  const whose = register(found)
  const fresh: drafts.Draft[] = []
  const steps = inputs.map(input => {
    const known = whose.meant(input)
    if (known) {
      const before = known.contact
      const problem = drafts.apply(whose, known, input)
      return problem ?? { draft: known, outcome: known.contact === before ? ('unchanged' as const) : ('updated' as const) }
    }
    const draft = drafts.begun(input, currency)
    const problem = whose.refusal(draft.contact)
    if (problem) return problem
    whose.enter(draft)
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

const beingMade = (): Problem => new Problem('conflict', 'Somebody else is making this contact.', { code: 'duplicate_contact' })
