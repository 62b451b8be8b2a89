// Every statement that writes contacts, or locks and finds them by their identifiers.

import { CONTACT_CHANNELS_SHOWN } from '../limits/contacts.ts'
import { combine } from '../postgres/combine.ts'
import { iso } from '../postgres/page.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Text, type Tx } from '../postgres/sql.ts'
import { addJob } from '../queue/jobs.ts'
import type { Moved } from './contact.ts'
import type { Identifier, Identifiers, Owner } from './identity.ts'
import { phoneKey } from './phone.ts'
import type { Contact } from './schema.ts'
import { shownSum } from './spent.ts'

const time = (column: Fragment): Fragment => part`coalesce('"' || ${iso(column)} || '"', 'null')`
const text = (column: Fragment): Fragment => part`coalesce(to_json(${column})::text, 'null')`

/** The fields that orders and conversations change. A time in JSON has its milliseconds. */
const moved = part`
  '"orders_count":' || t.orders_count || ',"total_spent_amount":' || ${shownSum(part`t`)}
  || ',"last_message_at":' || ${time(part`t.last_message_at`)}
  || ',"channels":[' || coalesce((
    select string_agg('{"platform":"' || k.platform || '","channel_id":"' || k.channel_id || '","handle":' || ${text(part`k.handle`)}
                      || ',"external_id":' || ${text(part`k.external_id`)} || ',"connected_at":' || ${time(part`k.connected_at`)}
                      || ',"unreachable_since":' || ${time(part`k.unreachable_since`)} || '}',
                      ',' order by k.connected_at, k.channel_id, k.external_id)
      from (
        select s.platform, s.channel_id, s.handle, s.external_id, s.connected_at, s.unreachable_since
          from contact_channels s
         where s.tenant_id = t.tenant_id and s.contact_id = t.id and s.alias_of is null
         order by s.connected_at, s.channel_id, s.external_id
         limit ${CONTACT_CHANNELS_SHOWN}
      ) k), '') || ']'`

/** The public JSON: the stored text with these fields spliced in. */
export const json = part`left(t.doc, -1) || ',"email_claimed":' || t.email_claimed || ',' || ${moved} || '}'`

/** The ids of the contacts that have any of these identifiers. */
export function withAny(tenant: string, asked: Identifiers[]): Fragment {
  const given = (values: (string | null | undefined)[]) => part`${arrayText(values.filter(value => value != null))}::text::text[]`
  return part`
  select id from contacts
   where tenant_id = ${tenant} and external_id is not null and external_id = any(${given(asked.map(each => each.external_id))})
  union all
  select id from contacts
   where tenant_id = ${tenant} and email is not null
     and lower(email) = any(array(select lower(asked) from unnest(${given(asked.map(each => each.email))}) asked))
  union all
  select id from contacts
   where tenant_id = ${tenant} and phone_key is not null and phone_key = any(${given(asked.map(each => each.phone && phoneKey(each.phone)))})`
}

export interface Stored {
  contact: Contact
  moved: Moved
  /** Whether a platform told the name. */
  nameTold: boolean
}

export interface StoredRow {
  doc: string
  moved: string
  name_told: boolean
  email_claimed: boolean
}

/** One row with `doc` and `moved`, as a part of a statement: of the contact that this one was merged into, where it was. */
export const stored = (tenant: Text, id: Text): Fragment => part`
  ${storedRow()}
   where t.tenant_id = ${tenant}
     and t.id = coalesce((select m.merged_into from contacts m where m.tenant_id = ${tenant} and m.id = ${id}), ${id})`

/** The rows of the contacts whose ids this selects, as a part of a statement. @param ids a query of one column */
export const storedAmong = (tenant: string, ids: Fragment): Fragment => part`
  ${storedRow()}
   where t.tenant_id = ${tenant} and t.id = any(array(${ids})) and t.merged_into is null`

/** The rows of these contacts, as a part of a statement. @param ids themselves, or a query of them */
export const storedWith = (tenant: string, ids: string[] | Fragment): Fragment =>
  storedAmong(tenant, Array.isArray(ids) ? part`select id from unnest(${arrayText(ids)}::text::text[]) id` : ids)

/** The rows of these contacts of any workspaces, as a part of a statement. @param refs a query of `tenant_id` and `contact_id` */
export const storedOfAny = (refs: Fragment): Fragment => part`
  select s.*
    from (${refs}) r
   cross join lateral (${storedRow()} where t.tenant_id = r.tenant_id and t.id = r.contact_id and t.merged_into is null offset 0) s`

/** What `asStored` reads of the row `t` of contacts. */
export const storedRow = (): Fragment => part`select t.doc, t.name_told, t.email_claimed, '{' || ${moved} || '}' as moved from contacts t`

/** Locks, in id order, the contacts with these ids and those that have any of these identifiers. */
export async function lock(tx: Tx, tenant: string, ids: string[], asked: Identifiers[]): Promise<Stored[]> {
  const wanted = part`select id from unnest(${arrayText(ids)}::text::text[]) id union ${withAny(tenant, asked)}`
  const rows = await tx<StoredRow[]>`${storedAmong(tenant, wanted)} order by t.id for no key update`
  return rows.map(asStored)
}

/** Parses a row of `stored`. */
export const asStored = ({ doc, moved, name_told, email_claimed }: StoredRow): Stored => ({
  contact: { ...(JSON.parse(doc) as Omit<Contact, 'email_claimed'>), email_claimed },
  moved: JSON.parse(moved) as Moved,
  nameTold: name_told,
})

/** The contacts that have any of these identifiers. */
export async function owners(tx: Tx, tenant: string, asked: Identifiers[]): Promise<Owner[]> {
  const rows = await tx<Owner['contact'][]>`
    select t.id, t.external_id, t.email, t.phone, t.email_claimed from contacts t
     where t.tenant_id = ${tenant} and t.id = any(array(${withAny(tenant, asked)}))`
  return rows.map(contact => ({ contact }))
}

export async function isBlocked(sql: Queryable, tenant: string, id: string): Promise<boolean> {
  const [row] = await sql<{ blocked: boolean }[]>`select blocked from contacts where tenant_id = ${tenant} and id = ${id}`
  return row?.blocked === true
}

/** Until what began while a contact was being blocked has committed, as a rule. */
const BLOCK_AFTER = part`interval '2 seconds'`

/** Queues the end of what is open with these contacts, as a part of a statement. */
export const endLater = (tenant: string, ids: string[]): Fragment => part`
  select ${addJob('contacts/block', { tenantId: part`${tenant}::text`, contactId: part`r.id` }, { after: BLOCK_AFTER, maxAttempts: BLOCK_ATTEMPTS })}
    from unnest(${arrayText(ids)}::text::text[]) as r (id)`

/** The last ones come after hours. */
const BLOCK_ATTEMPTS = 20

/** A new contact with its tenant: one statement may insert those that orders of several tenants create. */
export interface Insert {
  tenant: string
  contact: Contact
  /** Whether a platform told the name. */
  nameTold?: boolean
}

/** Inserts contacts and their tags, but for those of which another contact has an identifier. @returns the ids of the inserted ones */
export async function insertAll(tx: Tx, all: Insert[]): Promise<string[]> {
  if (all.length === 0) return []
  // Sorted, so that two transactions that insert the same contacts cannot deadlock.
  const sorted = all.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const insert = part`
    insert into contacts (${NEW_CONTACT.names})
    select ${NEW_CONTACT.names}
      from ${NEW_CONTACT.numbered(sorted.map(({ tenant, contact, nameTold = false }) => ({ tenant_id: tenant, name_told: nameTold, ...row(contact) })))}
     order by r.n
    on conflict do nothing
    returning tenant_id, id`
  const tags = tagRows(sorted.map(each => each.contact))
  if (tags.length === 0) return (await tx`${insert}`).map(row => row['id'])
  const tagged = part`
    insert into contact_tags (tenant_id, tag, created_at, contact_id)
    select inserted.tenant_id, r.tag, r.created_at, r.contact_id from ${TAG.of(tags)} join inserted on inserted.id = r.contact_id`
  const { inserted } = await combine(tx, { reads: { inserted: insert }, writes: [tagged] })
  return inserted.map(row => row.id)
}

const sortKey = ({ tenant, contact: { email, phone, external_id } }: Insert): string =>
  [tenant, email?.toLowerCase(), phone, external_id].join(' ')

/** The identifier that each unique index holds. */
export const IDENTIFIER_OF: Record<string, Identifier> = {
  contacts_external: 'external_id',
  contacts_email: 'email',
  contacts_phone: 'phone',
}

/** Updates contacts that are locked. @param retagged those of them whose tags changed */
export async function saveAll(tx: Tx, tenant: string, contacts: Contact[], retagged: Contact[]): Promise<void> {
  const update = part`
    update contacts t
       set name = r.name, name_told = t.name_told and t.name is not distinct from r.name, email = r.email,
           email_claimed = r.email_claimed, phone = r.phone,
           phone_key = case when t.phone is not distinct from r.phone then t.phone_key else r.phone_key end,
           external_id = r.external_id, blocked = r.blocked, version = r.version, updated_at = r.updated_at, doc = r.doc
      from ${CONTACT.of(contacts.map(row))}
     where t.tenant_id = ${tenant} and t.id = r.id`
  await combine(tx, { writes: [update, ...(retagged.length > 0 ? retag(tenant, retagged) : [])] })
}

// The rows deleted and the rows inserted are different ones, so one statement may do both.
function retag(tenant: string, contacts: Contact[]): Fragment[] {
  const wanted = TAG.of(tagRows(contacts))
  return [
    part`
    delete from contact_tags t
     where t.tenant_id = ${tenant} and t.contact_id = any(${arrayText(contacts.map(each => each.id))}::text::text[])
       and not exists (select 1 from ${wanted} where r.contact_id = t.contact_id and r.tag = t.tag)`,
    part`
    insert into contact_tags (tenant_id, tag, created_at, contact_id)
    select ${tenant}, r.tag, r.created_at, r.contact_id from ${wanted}
    on conflict do nothing`,
  ]
}

const tagRows = (contacts: Contact[]) =>
  contacts.flatMap(({ id, tags, created_at }) => tags.map(tag => ({ contact_id: id, tag, created_at })))

const TAG = columns({ contact_id: 'text', tag: 'text', created_at: 'timestamptz' })

const COLUMNS = {
  id: 'text',
  name: 'text',
  email: 'text',
  email_claimed: 'boolean',
  phone: 'text',
  phone_key: 'text',
  external_id: 'text',
  blocked: 'boolean',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  doc: 'json',
} as const
const CONTACT = columns(COLUMNS)
const NEW_CONTACT = columns({ tenant_id: 'text', name_told: 'boolean', ...COLUMNS })

// The columns and the text come from one object, so they cannot drift apart.
function row(contact: Contact) {
  const { email_claimed, ...doc } = contact
  const { id, name, email, phone, external_id, blocked, version, created_at, updated_at } = doc
  return {
    id,
    name,
    email,
    email_claimed,
    phone,
    phone_key: phone && phoneKey(phone),
    external_id,
    blocked,
    version,
    created_at,
    updated_at,
    doc: JSON.stringify(doc),
  }
}
