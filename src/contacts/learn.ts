// What people's channels told of contacts that exist. Their conversations are locked by then, as everywhere (see conversations.ts).
import type { Caller } from '../caller.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { savepoint, type Tx } from '../postgres/sql.ts'
import type { Channel } from './channel-ids.ts'
import * as drafts from './drafts.ts'
import { identifierIndex } from './identity.ts'
import { mergeLater } from './merge.ts'
import type { Met } from './on-channel.ts'
import * as store from './on-channel-store.ts'
import { areOne } from './one-person.ts'
import { lacking, type Profile, profileOf } from './profile.ts'
import { IDENTIFIER_OF } from './store.ts'

/**
 * Writes what people's channels told of contacts that exist: a name while staff has written none, a language, identifiers that the contact lacks
 * and no other contact has. Another contact that has one by proof is the same person: the two are merged. Callers call it last, when the conversations
 * are locked. Where nothing is new, it runs no statement.
 */
export async function learn(tx: Tx, caller: Caller, channel: Channel, met: Met[]): Promise<void> {
  const rows = met.flatMap(each => each.told?.row ?? [])
  if (rows.length > 0) await tx`${store.tell(caller.tenant, channel.id, rows)}`
  const told = met.filter(each => each.told?.profile)
  if (told.length === 0) return
  const profiles = told.map(({ contact, person }) => ({ id: contact.id, profile: profileOf(person) }))
  for (const [index, fields] of TRIES.entries()) {
    try {
      return await savepoint(tx, inner => learnFields(inner, caller, profiles, fields))
    } catch (error) {
      if (IDENTIFIER_OF[violatedConstraint(error) ?? ''] === undefined || index === TRIES.length - 1) throw error
    }
  }
}

const UNSHARED = ['name', 'language', 'attributes']
const ALL = new Set([...UNSHARED, 'external_id', 'email', 'phone'])
/** Where another transaction took an identifier meanwhile, it has committed, and the second look finds its contact. A contact for which yet another takes one does without. */
const TRIES = [ALL, ALL, new Set(UNSHARED)]

async function learnFields(tx: Tx, caller: Caller, told: { id: string; profile: Profile }[], fields: Set<string>): Promise<void> {
  const identifiers = told.flatMap(({ profile: { proven, claimed } }) => [proven, { email: claimed.email ?? null }])
  const ids = told.map(each => each.id)
  const found = await drafts.open(tx, caller, ids, fields.has('email') ? identifiers : [])
  const index = identifierIndex(found)
  const renamed: string[] = []
  for (const { id, profile } of told) {
    const draft = found.find(each => each.contact.id === id)
    if (!draft) continue
    const owner = index.match(profile.proven)
    if (owner && owner !== draft && areOne(owner.contact, draft.contact))
      await mergeLater(tx, caller, { kept: owner.contact.id, merged: draft.contact.id })
    const { email_claimed = false, ...lacked } = lacking(draft.contact, draft.nameTold, profile)
    for (const [field, value] of Object.entries(lacked)) {
      if (!fields.has(field)) continue
      const taken = drafts.apply(index, draft, { [field]: value, ...(field === 'email' && { email_claimed }) })
      if (!taken && field === 'name' && profile.name === value) renamed.push(id)
    }
  }
  await drafts.save(tx, caller, found)
  if (renamed.length > 0) await tx`${store.nameTold(caller.tenant, renamed)}`
}
