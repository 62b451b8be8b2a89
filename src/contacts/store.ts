// What writes contacts, and what locks and finds them by what identifies them.
import { combine } from '../postgres/combine.ts'
import { iso } from '../postgres/page.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Moved } from './contact.ts'
import type { Holder, Identified, Identifier } from './identity.ts'
import type { Contact } from './schema.ts'

/** What orders and conversations move. A time in JSON has its milliseconds. */
const moved = part`
  '"orders_count":' || t.orders_count || ',"total_spent_amount":' || t.total_spent_amount
  || ',"last_message_at":' || coalesce('"' || ${iso(part`t.last_message_at`)} || '"', 'null')`

/** The public JSON: the stored text with those spliced in. */
export const json = part`left(t.doc, -1) || ',' || ${moved} || '}'`

/** The ids of those who have any of these identifiers. */
export function named(tenant: string, asked: Identified[]): Fragment {
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

/** Locks, in id order, the contacts with these ids and those who have any of these identifiers. */
export async function lock(tx: Tx, tenant: string, ids: string[], asked: Identified[]): Promise<Stored[]> {
  const rows = await tx<{ doc: string; moved: string }[]>`
    select t.doc, '{' || ${moved} || '}' as moved
      from contacts t
     where t.tenant_id = ${tenant}
       and t.id = any(array(select id from unnest(${arrayText(ids)}::text::text[]) id union ${named(tenant, asked)}))
     order by t.id
       for no key update`
  return rows.map(asStored)
}

/** Of a row of `stored`. */
export const asStored = ({ doc, moved }: { doc: string; moved: string }): Stored => ({
  contact: JSON.parse(doc) as Contact,
  moved: JSON.parse(moved) as Moved,
})

/** Who has any of these identifiers. */
export async function holders(tx: Tx, tenant: string, asked: Identified[]): Promise<Holder[]> {
  const rows = await tx<Holder['contact'][]>`
    select t.id, t.external_id, t.email, t.phone from contacts t
     where t.tenant_id = ${tenant} and t.id = any(array(${named(tenant, asked)}))`
  return rows.map(contact => ({ contact }))
}

/** A contact of a tenant: an order of each of several may make one. */
export interface Made {
  tenant: string
  contact: Contact
}

/** @returns the ids of those written, with their tags: not of those of which another contact has an identifier */
export async function insertAll(tx: Tx, all: Made[]): Promise<string[]> {
  if (all.length === 0) return []
  // In one order, so that two who make the same contacts never wait for each other in a circle.
  const made = all.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
  const insert = part`
    insert into contacts (${NEW_CONTACT.names})
    select ${NEW_CONTACT.names}
      from ${NEW_CONTACT.numbered(made.map(({ tenant, contact }) => ({ tenant_id: tenant, ...row(contact) })))}
     order by r.n
    on conflict do nothing
    returning tenant_id, id`
  const tags = tagRows(made.map(each => each.contact))
  if (tags.length === 0) return (await tx`${insert}`).map(row => row['id'])
  const tagged = part`
    insert into contact_tags (tenant_id, tag, created_at, contact_id)
    select inserted.tenant_id, r.tag, r.created_at, r.contact_id from ${TAG.of(tags)} join inserted on inserted.id = r.contact_id`
  const { inserted } = await combine(tx, { reads: { inserted: insert }, writes: [tagged] })
  return inserted.map(row => row.id)
}

const place = ({ tenant, contact: { email, phone, external_id } }: Made): string =>
  [tenant, email?.toLowerCase(), phone, external_id].join(' ')

/** What each unique index holds. */
export const IDENTIFIER_OF: Record<string, Identifier> = {
  contacts_external: 'external_id',
  contacts_email: 'email',
  contacts_phone: 'phone',
}

/** Of contacts that are locked. @param retagged those whose tags are others now */
export async function saveAll(tx: Tx, tenant: string, contacts: Contact[], retagged: Contact[]): Promise<void> {
  const update = part`
    update contacts t
       set name = r.name, email = r.email, phone = r.phone, external_id = r.external_id, blocked = r.blocked, version = r.version,
           updated_at = r.updated_at, doc = r.doc
      from ${CONTACT.of(contacts.map(row))}
     where t.tenant_id = ${tenant} and t.id = r.id`
  await combine(tx, { writes: [update, ...(retagged.length > 0 ? retag(tenant, retagged) : [])] })
}

// What goes and what comes are different rows, so that one statement may do both.
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

// The columns and the text come from one object, so they cannot part.
function row(contact: Contact) {
  const { id, name, email, phone, external_id, blocked, version, created_at, updated_at } = contact
  return { id, name, email, phone, external_id, blocked, version, created_at, updated_at, doc: JSON.stringify(contact) }
}

/** That a message was written at this time, as a part of a statement. Earlier ones than the last change nothing. */
export const messaged = (tenant: string, id: string, at: string): Fragment => part`
  update contacts set last_message_at = greatest(last_message_at, ${at}::text::timestamptz) where tenant_id = ${tenant} and id = ${id}`
