// Two contacts that are one person become one. The other's row stays, empty, to say which contact it is now.
//
// What the other has moves in portions: a contact with a hundred thousand orders must hold no lock for long. A minute later the rest moves that was
// being written at that moment for the contact that is gone.
import type { Caller } from '../caller.ts'
import { emitAll } from '../events/emit.ts'
import { MERGED_AT_ONCE } from '../limits/contacts.ts'
import { TAGS_MAX } from '../limits/fields.ts'
import { auditPart } from '../postgres/audit.ts'
import { begin, type Queryable, type Sql, type Tx } from '../postgres/sql.ts'
import { invalid, notFound, Problem } from '../problems.ts'
import * as blocking from './block.ts'
import { changed, snapshot } from './contact.ts'
import * as drafts from './drafts.ts'
import { ContactMerged } from './events.ts'
import { moveAll } from './keepers.ts'
import * as store from './merge-store.ts'
import type { Contact } from './schema.ts'
import { endLater } from './store.ts'

/** Until what was under way for the merged contact has committed. A transaction lasts half a minute at most. */
const STRAGGLERS_SECONDS = 60

/**
 * Makes `other` a part of contact `id`: its channels, conversations, orders, tags, attributes, counters, and what this one lacks. Emits
 * contact.merged.
 * @returns the public JSON of the contact that is kept
 * @throws {Problem} 404 with `merged_into`; 422 where `other` names no other contact
 */
export async function merge(tx: Tx, caller: Caller, id: string, other: string): Promise<string> {
  if (id === other) throw invalid({ field: 'contact_id', code: 'same_contact', message: 'is the contact itself: name another one.' })
  const [kept, merged] = [await store.find(tx, caller.tenant, id), await store.find(tx, caller.tenant, other)]
  if (!kept || kept.merged_into !== null) throw gone(kept?.merged_into)
  if (!merged) throw invalid({ field: 'contact_id', code: 'unknown_contact', message: 'names no contact.' })
  if (merged.merged_into !== null)
    throw invalid({ field: 'contact_id', code: 'unknown_contact', message: `was merged into ${merged.merged_into} already.` })
  const more = await moveAll(tx, caller, other, id, MERGED_AT_ONCE)
  const json = await unite(tx, caller, id, other)
  if (more) await store.queue(tx, caller.tenant, { kept: id, merged: other }, 0)
  await store.queue(tx, caller.tenant, { kept: id, merged: other }, STRAGGLERS_SECONDS)
  return json
}

const MERGED = 'contact_merged'

/** That there is no such contact; or not any more, and which one it is now. */
const gone = (into: string | null | undefined): Problem =>
  into == null
    ? notFound('contact')
    : new Problem('resource-not-found', `This contact was merged into ${into}.`, { code: MERGED, merged_into: into })

/** For verbs that found no contact with this id. @returns the 404 */
export const missing = async (sql: Queryable, caller: Caller, id: string): Promise<Problem> =>
  gone((await store.find(sql, caller.tenant, id))?.merged_into)

/** Whether a verb refused because the contact is another one now: see `currentId`. */
export const wasMerged = (error: unknown): boolean => error instanceof Problem && error.members['code'] === MERGED

/** Whether there is such a contact. @throws {Problem} 404; with `merged_into` where it was merged */
export async function requireContact(sql: Queryable, caller: Caller, id: string): Promise<void> {
  const found = await store.find(sql, caller.tenant, id)
  if (!found || found.merged_into !== null) throw gone(found?.merged_into)
}

/** The contact that this one is now. An id that names none is handed back. */
export const currentId = async (sql: Queryable, tenant: string, id: string): Promise<string> =>
  (await store.find(sql, tenant, id))?.merged_into ?? id

async function unite(tx: Tx, caller: Caller, id: string, other: string): Promise<string> {
  const found = await drafts.open(tx, caller, [id, other], [])
  const [kept, merged] = [found.find(each => each.contact.id === id), found.find(each => each.contact.id === other)]
  // Another request merged one of them meanwhile.
  if (!kept || !merged) throw new Problem('conflict', 'One of these contacts is being merged: read both again.', { code: 'being_merged' })
  const contact = changed(kept.contact, both(kept.contact, merged.contact))
  // A merge is a change also where it brings nothing that is shown.
  kept.contact = contact === kept.contact ? { ...contact, version: contact.version + 1, updated_at: new Date().toISOString() } : contact
  await store.retire(tx, caller.tenant, other, id)
  await drafts.save(tx, caller, [kept])
  await store.handOver(tx, caller.tenant, other, id)
  // What the other had open ends also where the kept one was blocked before.
  if (contact.blocked) await tx`${endLater(caller.tenant, [id])}`
  const [after] = await drafts.open(tx, caller, [id], [])
  const { contact: stored, moved } = after as drafts.Draft
  const now = snapshot(stored, moved)
  const event = { caller, type: ContactMerged, data: { contact_id: id, contact: now, merged_contact_id: other } }
  await emitAll(tx, [event], [auditPart([{ caller, action: 'contact.merge', subject: id, details: { merged_contact_id: other } }])])
  return JSON.stringify(now)
}

/** What the kept contact is after the merge: its own, and what it lacks. A block is no less a block for a merge. */
function both(kept: Contact, merged: Contact) {
  const { name, email, phone, language, avatar_url, external_id, summary, summary_updated_at } = merged
  const lacked = Object.entries({ name, phone, language, avatar_url, external_id }).filter(
    ([field, value]) => value !== null && kept[field as keyof Contact] === null,
  )
  // A proof counts for more than a claim, whichever of the two has it.
  const isLacking = kept.email === null || (kept.email_claimed && !merged.email_claimed)
  return {
    ...Object.fromEntries(lacked),
    ...(email !== null && isLacking && { email, email_claimed: merged.email_claimed }),
    ...(kept.summary === null && { summary, summary_updated_at }),
    tags: [...new Set([...kept.tags, ...merged.tags])].slice(0, TAGS_MAX),
    attributes: Object.fromEntries(Object.entries({ ...merged.attributes, ...kept.attributes }).slice(-ATTRIBUTES_MAX)),
    blocked: kept.blocked || merged.blocked,
  }
}

/** As many as a contact may be given: see schema.ts. The kept one's come last, where the later ones are kept. */
const ATTRIBUTES_MAX = 100

/** Merges two contacts of whom a channel has proven that they are one person: later, for the channel's transaction holds other locks. */
export const mergeLater = (tx: Tx, { tenant }: Caller, found: { kept: string; merged: string }): Promise<void> =>
  store.queue(tx, tenant, found, 0)

/** Moves all that is left for a contact that was merged; and merges it first if that is still to be done. Repeats are harmless. */
export async function finish(sql: Sql, caller: Caller, keptId: string, mergedId: string): Promise<void> {
  const merged = await store.find(sql, caller.tenant, mergedId)
  if (!merged) return
  if (merged.merged_into === null) {
    // The one that was to be kept may be a part of a third by now, or of this one.
    const kept = await currentId(sql, caller.tenant, keptId)
    return kept === mergedId ? undefined : begin(sql, tx => merge(tx, caller, kept, mergedId)).then(() => {}, unlessRefused)
  }
  const into = merged.merged_into
  for (let more = true; more; ) more = await begin(sql, tx => portion(tx, caller, mergedId, into))
  await blocking.finish(sql, caller, into)
}

/** One of them is gone meanwhile, or merged elsewhere: then there is nothing to do. Where the kept one was merged just now, the next try finds what it became. */
function unlessRefused(error: unknown): void {
  if (!(error instanceof Problem) || error.status === 409 || error.members['code'] === MERGED) throw error
}

async function portion(tx: Tx, caller: Caller, from: string, to: string): Promise<boolean> {
  const more = await moveAll(tx, caller, from, to, MERGED_AT_ONCE)
  await tx`${store.lock(caller.tenant, [from, to])}`
  await store.handOver(tx, caller.tenant, from, to)
  return more
}
