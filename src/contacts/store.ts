// Every statement that writes contacts, or locks and finds them by their identifiers.
import { combine } from '../postgres/combine.ts'
import { iso } from '../postgres/page.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Moved } from './contact.ts'
import type { Identifier, Identifiers, Owner } from './identity.ts'
import type { Contact } from './schema.ts'

/** The fields that orders and conversations change. A time in JSON has its milliseconds. */
const moved = part`
  '"orders_count":' || t.orders_count || ',"total_spent_amount":' || t.total_spent_amount
  || ',"last_message_at":' || coalesce('"' || ${iso(part`t.last_message_at`)} || '"', 'null')`

/** The public JSON: the stored text with these fields spliced in. */
export const json = part`left(t.doc, -1) || ',' || ${moved} || '}'`

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
   where tenant_id = ${tenant} and phone is not null and phone = any(${given(asked.map(each => each.phone))})`
}

export interface Stored {
  contact: Contact
  moved: Moved
}

/** One row with `doc` and `moved`, as a part of a statement. */
export const stored = (tenant: string, id: string): Fragment => part`
  select t.doc, '{' || ${moved} || '}' as moved from contacts t where t.tenant_id = ${tenant} and t.id = ${id}`

/** Locks, in id order, the contacts with these ids and those that have any of these identifiers. */
export async function lock(tx: Tx, tenant: string, ids: string[], asked: Identifiers[]): Promise<Stored[]> {
  const rows = await tx<{ doc: string; moved: string }[]>`
    select t.doc, '{' || ${moved} || '}' as moved
      from contacts t
     where t.tenant_id = ${tenant}
       and t.id = any(array(select id from unnest(${arrayText(ids)}::text::text[]) id union ${withAny(tenant, asked)}))
     order by t.id
       for no key update`
  return rows.map(asStored)
}

/** Parses a row of `stored`. */
export const asStored = ({ doc, moved }: { doc: string; moved: string }): Stored => ({
  contact: JSON.parse(doc) as Contact,
  moved: JSON.parse(moved) as Moved,
})

/** The contacts that have any of these identifiers. */
export async function owners(tx: Tx, tenant: string, asked: Identifiers[]): Promise<Owner[]> {
  const rows = await tx<Owner['contact'][]>`
    select t.id, t.external_id, t.email, t.phone from contacts t
     where t.tenant_id = ${tenant} and t.id = any(array(${withAny(tenant, asked)}))`
  return rows.map(contact => ({ contact }))
}

/** A new contact with its tenant: one statement may insert those that orders of several tenants create. */
export interface Insert {
  tenant: string
  contact: Contact
}

/** Inserts contacts and their tags, but for those of which another contact has an identifier. @returns the ids of the inserted ones */
export async function insertAll(tx: Tx, all: Insert[]): Promise<string[]> {
  if (all.length === 0) return []
  // Sorted, so that two transactions that insert the same contacts cannot deadlock.
  const sorted = all.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
  const insert = part`
    insert into contacts (${NEW_CONTACT.names})
    select ${NEW_CONTACT.names}
      from ${NEW_CONTACT.numbered(sorted.map(({ tenant, contact }) => ({ tenant_id: tenant, ...row(contact) })))}
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
       set name = r.name, email = r.email, phone = r.phone, external_id = r.external_id, blocked = r.blocked, version = r.version,
           updated_at = r.updated_at, doc = r.doc
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
  phone: 'text',
  external_id: 'text',
  blocked: 'boolean',
  version: 'integer',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
  doc: 'json',
} as const
const CONTACT = columns(COLUMNS)
const NEW_CONTACT = columns({ tenant_id: 'text', ...COLUMNS })

// The columns and the text come from one object, so they cannot drift apart.
function row(contact: Contact) {
  const { id, name, email, phone, external_id, blocked, version, created_at, updated_at } = contact
  return { id, name, email, phone, external_id, blocked, version, created_at, updated_at, doc: JSON.stringify(contact) }
}

/** Records the time of a message, as a part of a statement. A message older than the last changes nothing. */
export const messaged = (tenant: string, id: string, at: string): Fragment => part`
  update contacts set last_message_at = greatest(last_message_at, ${at}::text::timestamptz) where tenant_id = ${tenant} and id = ${id}`
