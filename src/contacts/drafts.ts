// Contacts before they are stored: locked or new, changed in memory, written as a set with their audit rows and events.
import type { Caller } from '../caller.ts'
import { type EventDraft, emitAll } from '../events/emit.ts'
import { auditPart } from '../postgres/audit.ts'
import { gathered } from '../postgres/side-by-side.ts'
import type { Tx } from '../postgres/sql.ts'
import type { Problem } from '../problems.ts'
import { addedTags, changed, changedFields, type Moved, newContact, snapshot, UNMOVED } from './contact.ts'
import { ContactCreated, ContactTagged } from './events.ts'
import { type IdentifierIndex, type Identifiers, identifierIndex } from './identity.ts'
import type { Contact, Learnt, NewContact } from './schema.ts'
import * as store from './store.ts'

export interface Draft {
  contact: Contact
  moved: Moved
  /** The stored contact; a new one has none. */
  before: Contact | undefined
  /** Whether a platform told the name. */
  nameTold: boolean
}

/** Its public JSON. */
export const jsonOf = ({ contact, moved }: Draft): string => JSON.stringify(snapshot(contact, moved))

/** Locks the contacts with these ids, and those that the inputs may match or conflict with. */
export async function open(tx: Tx, caller: Caller, ids: string[], inputs: Identifiers[]): Promise<Draft[]> {
  const found = await store.lock(tx, caller.tenant, ids, inputs)
  return found.map(each => ({ ...each, before: each.contact }))
}

export const begun = (input: NewContact, currency: string): Draft => ({
  contact: newContact(input, currency),
  moved: UNMOVED,
  before: undefined,
  nameTold: false,
})

/**
 * Changes the draft. A contact that only claimed the address which this one has now is without it.
 * @returns the conflict where another contact has an identifier: the draft is then as it was
 */
export function apply(index: IdentifierIndex<Draft>, draft: Draft, input: Learnt): Problem | undefined {
  const contact = changed(draft.contact, input)
  const problem = index.conflictOf(contact, draft)
  if (problem) return problem
  giveWay(index, contact, draft)
  draft.contact = contact
  index.add(draft)
  return undefined
}

/** Takes an address off the contact that only claims it, for one that has it by proof. */
export function giveWay(index: IdentifierIndex<Draft>, contact: Contact, self?: Draft): void {
  const claimant = index.claimantOf(contact, self)
  if (claimant) claimant.contact = changed(claimant.contact, { email: null })
}

/** Inserts the new contacts whose identifiers no other contact has by proof, and tells of them. @returns them */
export async function make(tx: Tx, caller: Caller, drafts: Draft[]): Promise<Set<Draft>> {
  const made = await insertNew(tx, caller, drafts)
  for (let refused = drafts; refused.length > 0; ) {
    refused = refused.filter(each => !made.includes(each))
    const isFree = await freed(
      tx,
      caller.tenant,
      refused.map(each => each.contact),
    )
    if (!isFree) break
    made.push(...(await insertNew(tx, caller, refused)))
  }
  if (made.length > 0) await tellMade(tx, caller, made)
  return new Set(made)
}

/**
 * Takes the addresses of new contacts off the contacts that only claim them. Of new ones that would be refused all the same nothing is taken off.
 * @param refused those that could not be inserted
 * @returns whether some may be inserted now
 */
export async function freed(tx: Tx, tenant: string, refused: Contact[]): Promise<boolean> {
  const proven = refused.filter(each => each.email !== null && !each.email_claimed)
  if (proven.length === 0) return false
  const owners = identifierIndex(await store.owners(tx, tenant, proven))
  const barred = proven.filter(each => owners.claimantOf(each) && !owners.conflictOf(each))
  if (barred.length === 0) return false
  const caller: Caller = { tenant, actor: { type: 'system' } }
  const found = await open(
    tx,
    caller,
    [],
    barred.map(({ email }) => ({ email })),
  )
  const claimants = found.filter(each => each.contact.email_claimed)
  for (const each of claimants) each.contact = changed(each.contact, { email: null })
  await save(tx, caller, claimants)
  return true
}

/** The same without telling of them. */
export async function insertNew(tx: Tx, caller: Caller, drafts: Draft[]): Promise<Draft[]> {
  if (drafts.length === 0) return []
  // Drafts that repeat an identifier come after the first that has it, and are inserted if the first was refused.
  const seen = identifierIndex<Draft>([])
  const [firsts, repeats]: [Draft[], Draft[]] = [[], []]
  for (const draft of drafts) {
    if (seen.conflictOf(draft.contact)) repeats.push(draft)
    else {
      firsts.push(draft)
      seen.add(draft)
    }
  }
  const ids = new Set([...(await insert(tx, caller, firsts)), ...(await insert(tx, caller, repeats))])
  return drafts.filter(each => ids.has(each.contact.id))
}

/** Writes the audit rows and events of contacts that were made. */
export const tellMade = (tx: Tx, caller: Caller, made: Draft[]): Promise<void> => tell(tx, { caller, made })

const tell = gathered(async (tx: Tx, all: { caller: Caller; made: Draft[] }[]) => {
  const each = all.flatMap(({ caller, made }) => made.map(draft => ({ caller, ...draft })))
  const entries = each.map(({ caller, contact }) => ({ caller, action: 'contact.create', subject: contact.id }))
  const events = each.map(({ caller, contact, moved }) => ({
    caller,
    type: ContactCreated,
    data: { contact_id: contact.id, contact: snapshot(contact, moved) },
  }))
  await emitAll(tx, events, [auditPart(entries)])
  return all.map(() => undefined)
})

/** @returns the ids of those that were inserted */
async function insert(tx: Tx, { tenant }: Caller, drafts: Draft[]): Promise<string[]> {
  if (drafts.length === 0) return []
  return insertBeside(
    tx,
    drafts.map(({ contact, nameTold }) => ({ tenant, contact, nameTold })),
  )
}

const insertBeside = gathered(async (tx: Tx, all: store.Insert[][]) => {
  const inserted = new Set(await store.insertAll(tx, all.flat()))
  return all.map(each => each.map(({ contact }) => contact.id).filter(id => inserted.has(id)))
})

/** Updates the locked contacts that changed. @throws the violation, where another transaction took an identifier meanwhile: see `takenMeanwhile` */
export async function save(tx: Tx, caller: Caller, drafts: Draft[]): Promise<void> {
  const written = drafts.filter((each): each is Draft & { before: Contact } => each.before !== undefined && each.contact !== each.before)
  if (written.length === 0) return
  const contacts = written.map(each => each.contact)
  const fieldsOf = written.map(({ before, contact }) => changedFields(before, contact))
  const retagged = contacts.filter((_, index) => fieldsOf[index]?.includes('tags'))
  // An address is let go of before another contact takes it, for a unique index looks at each row as it is written.
  const [without, others] = split(written)
  for (const part of [without, others])
    if (part.length > 0)
      await store.saveAll(
        tx,
        caller.tenant,
        part,
        part.filter(each => retagged.includes(each)),
      )
  const entries = contacts.map(({ id }, index) => ({ caller, action: 'contact.update', subject: id, details: { fields: fieldsOf[index] } }))
  const events = written
    .map(({ before, contact, moved }) => ({ contact, moved, added: addedTags(before, contact) }))
    .filter(({ added }) => added.length > 0)
    .map(({ contact, moved, added }) => ({
      caller,
      type: ContactTagged,
      data: { contact_id: contact.id, contact: snapshot(contact, moved), added },
    }))
  const blocked = written.filter(({ before, contact }) => contact.blocked && !before.blocked).map(each => each.contact.id)
  await emitAll(tx, events as EventDraft[], [auditPart(entries)])
  if (blocked.length > 0) await tx`${store.endLater(caller.tenant, blocked)}`
}

/** Contacts that have no address any more, and the others. */
function split(written: (Draft & { before: Contact })[]): [Contact[], Contact[]] {
  const [without, others]: [Contact[], Contact[]] = [[], []]
  for (const { before, contact } of written) (contact.email === null && before.email !== null ? without : others).push(contact)
  return [without, others]
}
