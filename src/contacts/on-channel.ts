// The people who write on a channel. A person is known by their ids on it, else found by proof: a platform's id, a number that the platform vouches
// for, what the shop has signed. No contact is found by what a visitor typed (see identity.ts). Else a contact is made.
//
// Two steps, for locks: `onChannel` makes what is missing and locks no contact; `learn` (learn.ts) writes what was told of contacts that exist, after their
// conversations are locked, as everywhere (see conversations.ts).
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { gathered } from '../postgres/side-by-side.ts'
import { ahead, type Queryable, type Tx } from '../postgres/sql.ts'
import { currenciesPart } from '../tenants/tenants.ts'
import { type Channel, everywhere, spelled } from './channel-ids.ts'
import { newContact, snapshot, UNMOVED } from './contact.ts'
import * as drafts from './drafts.ts'
import { identifierIndex, type Owner } from './identity.ts'
import { type Asked, find as findKnown, type Known } from './known-store.ts'
import * as merging from './merge.ts'
import * as store from './on-channel-store.ts'
import { areOne } from './one-person.ts'
import type { Person } from './person.ts'
import { lacking, PAGE, type Profile, profileOf } from './profile.ts'
import type { Contact, ContactChannel, ContactSnapshot } from './schema.ts'
import type { Stored } from './store.ts'

/** A person, and the contact they are. */
export interface Met {
  contact: ContactSnapshot
  person: Person
  /** Whether the contact was made for them just now. */
  made: boolean
  /** Whether this is the first that the channel hears of them. */
  connected: boolean
  /** What `learn` is to look at again: the contact lacks something that was told, or the row of their id does. */
  told?: { profile: boolean; row: store.Told | undefined }
}

/**
 * The contacts of people who write on one channel, in the order given. A person may be given several times: each then is the same contact. Emits
 * contact.created for each that is made.
 */
export async function onChannel(tx: Tx, caller: Caller, channel: Channel, people: Person[]): Promise<Met[]> {
  if (people.length === 0) return []
  for (let attempt = 1; ; attempt++) {
    try {
      return await meet(tx, caller, channel, people)
    } catch (error) {
      if (!(error instanceof MetElsewhere) || attempt === MEETINGS) throw error
    }
  }
}

/** Another transaction has met one of them at the same moment, and has committed: it is found at the next attempt. */
class MetElsewhere extends Error {
  override name = 'MetElsewhere'
}
/** Each attempt fails only where yet another transaction meets one of the same people. */
const MEETINGS = 5

interface Meeting {
  people: { person: Person; profile: Profile; ids: string[] }[]
  /** By their ids on this channel. */
  here: Map<string, Known>
  elsewhere: Map<string, Known>
  contacts: Map<string, Stored>
  /** The workspace's. */
  currency: string
}

async function meet(tx: Tx, caller: Caller, channel: Channel, given: Person[]): Promise<Met[]> {
  const meeting = await lookUp(tx, caller, channel, given)
  const { currency } = meeting
  const index = identifierIndex<Owner & { stored: Stored }>(
    [...meeting.contacts.values()].map(stored => ({ contact: stored.contact, stored })),
  )
  const at = new Date(now()).toISOString()
  const fresh: drafts.Draft[] = []
  const connections: store.Connection[] = []
  const duplicates: { kept: string; merged: string }[] = []

  const met = meeting.people.map(({ person, profile, ids }): Met => {
    const known = ids.map(id => meeting.here.get(id)).find(each => each !== undefined)
    const proven = index.match(profile.proven)?.stored
    const elsewhere = proven ? undefined : contactElsewhere(meeting, channel, ids)
    const stored = (known && meeting.contacts.get(known.contact_id)) ?? proven ?? elsewhere
    // `learn` merges two contacts where one has what the other has proven.
    if (stored && elsewhere && stored !== elsewhere && areOne(stored.contact, elsewhere.contact))
      duplicates.push({ kept: elsewhere.contact.id, merged: stored.contact.id })
    const draft = stored ?? begun(profile, currency, index)
    // `learn` takes the address off the contact that claims it, when conversations are locked; until then the new one is without it.
    const isClaimed = !stored && index.claimantOf(profile.proven) !== undefined
    if (!stored) {
      fresh.push(draft as drafts.Draft)
      meeting.contacts.set(draft.contact.id, draft)
      index.add({ contact: { ...draft.contact, ...(isClaimed && { email: profile.proven.email ?? null }) }, stored: draft })
    }
    const contact_id = draft.contact.id
    const main = known ? (known.alias_of ?? known.external_id) : (ids[0] as string)
    for (const id of ids.filter(each => !meeting.here.has(each))) {
      const alias_of = id === main ? null : main
      const connection = { external_id: id, contact_id, alias_of, handle: alias_of === null ? (person.handle ?? null) : null }
      connections.push({ ...connection, person_key: firstMetAs(meeting, channel, id) })
      for (const each of spelled(channel, id)) meeting.here.set(each, { ...connection, channel_id: channel.id, unreachable: false })
    }
    if (!known) draft.moved = { ...draft.moved, channels: [...draft.moved.channels, shown(channel, person, main, at)] }
    const profileTold = stored ? Object.keys(lacking(stored.contact, stored.nameTold, profile)).length > 0 : isClaimed
    const row = known && rowTold(person, meeting.here.get(main) ?? known)
    return {
      contact: snapshot(draft.contact, draft.moved),
      person,
      made: !stored,
      connected: !known,
      ...((profileTold || row) && { told: { profile: profileTold, row } }),
    }
  })

  if (fresh.length + connections.length > 0) {
    // Sent together.
    const [made, connected] = await Promise.all([
      drafts.insertNew(tx, caller, fresh),
      connect(tx, { tenant: caller.tenant, channel, all: connections, at }),
    ])
    if (made.length < fresh.length || connected.length < connections.length) {
      await store.undo(
        tx,
        caller.tenant,
        channel.id,
        made.map(each => each.contact.id),
        connected,
      )
      throw new MetElsewhere()
    }
    if (made.length > 0) ahead(tx, drafts.tellMade(tx, caller, made))
  }
  for (const each of duplicates) await merging.mergeLater(tx, caller, each)
  return met
}

const find = gathered((tx: Tx, asked: Asked[]) => findKnown(tx, asked, currenciesPart(asked.map(({ tenant }) => tenant))))

const connect = gathered(store.connect)

async function lookUp(tx: Tx, { tenant }: Caller, channel: Channel, given: Person[]): Promise<Meeting> {
  const people = given.map(person => ({ person, profile: profileOf(person), ids: [...new Set(person.ids)] }))
  const ids = [...new Set(people.flatMap(each => each.ids))]
  const asked = {
    tenant,
    channelId: channel.id,
    platform: channel.platform,
    ids: ids.flatMap(id => spelled(channel, id)),
    elsewhere: ids.flatMap(id => everywhere(channel, id)),
    // Claims are looked up to see which contacts have them already, and find no person.
    proven: people.flatMap(({ profile: { proven, claimed } }) => [proven, { email: claimed.email ?? null }]),
  }
  const found = await find(tx, asked)
  const contacts = new Map(found.contacts.map(each => [each.contact.id, each]))
  const here = new Map<string, Known>()
  const elsewhere = new Map<string, Known>()
  for (const known of found.known) (known.channel_id === channel.id ? here : elsewhere).set(known.external_id, known)
  for (const id of ids) {
    const other = spelled(channel, id).find(each => here.has(each))
    if (other !== undefined) here.set(id, here.get(other) as Known)
  }
  return { people, here, elsewhere, contacts, currency: found.currency }
}

/**
 * What names the person on each channel of the platform, however it is spelled, where no other knows them yet; else null. Of two channels that hear of
 * them for the first time at the same moment one has to look again, for a key is written once.
 */
function firstMetAs({ elsewhere }: Meeting, channel: Channel, id: string): string | null {
  const names = everywhere(channel, id)
  return names.some(each => elsewhere.has(each)) ? null : (names.toSorted()[0] ?? null)
}

function contactElsewhere({ elsewhere, contacts }: Meeting, channel: Channel, ids: string[]): Stored | undefined {
  const known = ids.flatMap(id => everywhere(channel, id)).map(id => elsewhere.get(id))
  return known.map(each => each && contacts.get(each.contact_id)).find(each => each !== undefined)
}

/** A new contact, with those of the identifiers told that no other contact has. */
function begun(profile: Profile, currency: string, index: ReturnType<typeof identifierIndex<Owner & { stored: Stored }>>): drafts.Draft {
  const { name, language, page } = profile
  const free = [profile.claimed, profile.proven].map(given =>
    Object.fromEntries(Object.entries(given).filter(([field, value]) => field === 'name' || !index.isTaken({ [field]: value }))),
  )
  const told = {
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language }),
    ...(page !== undefined && { attributes: { [PAGE]: page } }),
  }
  const [claimed = {}, proven = {}] = free
  const contact = newContact({ ...claimed, ...proven, ...told }, currency)
  contact.email_claimed = contact.email !== null && !('email' in proven)
  return { contact, moved: UNMOVED, before: undefined, nameTold: name !== undefined }
}

const shown = ({ id, platform }: Channel, { handle }: Person, external_id: string, at: string): ContactChannel => ({
  platform,
  channel_id: id,
  handle: handle ?? null,
  external_id,
  connected_at: at,
  unreachable_since: null,
})

/** What is new about the row of an id: a person who writes can be written to. */
function rowTold({ handle }: Person, known: Known): store.Told | undefined {
  if (!known.unreachable && (handle === undefined || handle === known.handle)) return undefined
  return { external_id: known.alias_of ?? known.external_id, handle: handle ?? null, unreachable_since: null }
}

/** Those of these ids of people that the channel has never told of. */
export async function strangers(sql: Queryable, tenant: string, channel: string, ids: string[]): Promise<string[]> {
  const known = new Set(ids.length > 0 ? await store.knownIds(sql, tenant, channel, ids) : [])
  return ids.filter(each => !known.has(each))
}

/** What else the channel calls the same people, by these ids; of ids without another name nothing. Only WhatsApp has several names for a person. */
export async function otherNames(sql: Queryable, tenant: string, channel: Channel, ids: string[]): Promise<Map<string, string[]>> {
  const asked = channel.platform === 'whatsapp' ? ids.flatMap(id => spelled(channel, id).map(spelling => ({ id, spelling }))) : []
  const rows = asked.length > 0 ? await store.otherNames(sql, tenant, channel.id, asked) : []
  const names = Map.groupBy(rows, each => each.id)
  // A talk may go by a spelling that is no row: it is the same number.
  return new Map([...names].map(([id, each]) => [id, each.flatMap(row => spelled(channel, row.name)).filter(name => name !== id)]))
}

/** The contact that has this id on the channel, if any. */
export async function contactOn(sql: Queryable, tenant: string, channel: string, id: string): Promise<Contact | undefined> {
  return (await store.contactOf(sql, tenant, channel, id))?.contact
}

/** What an id of a channel goes by there: on web chat the address that the visitor typed. */
export const handleOn = store.handleOf
