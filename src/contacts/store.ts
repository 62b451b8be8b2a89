// What writes contacts, and what locks and finds them by what identifies them.
import { combine } from '../postgres/combine.ts'
import { iso } from '../postgres/page.ts'
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
  const given = (values: (string | null | undefined)[]) => values.filter(value => value != null)
  return part`
  select id from contacts
   where tenant_id = ${tenant} and external_id is not null and external_id = any(${given(asked.map(each => each.external_id))}::text[])
  union all
  select id from contacts
   where tenant_id = ${tenant} and email is not null
     and lower(email) = any(array(select lower(asked) from unnest(${given(asked.map(each => each.email))}::text[]) asked))
  union all
  select id from contacts
   where tenant_id = ${tenant} and phone is not null and phone = any(${given(asked.map(each => each.phone))}::text[])`
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
       and t.id = any(array(select id from unnest(${ids}::text[]) id union ${named(tenant, asked)}))
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
  const contacts = made.map(each => each.contact)
  const insert = part`
    insert into contacts (tenant_id, id, name, email, phone, external_id, blocked, version, created_at, updated_at, doc)
    select u.tenant_id, c.id, c.name, c.email, c.phone, c.external_id, (c.blocked = 1), c.version, c.created_at, c.updated_at, c.doc
      from ${columns(contacts)}
      join unnest(${made.map(each => each.tenant)}::text[]) with ordinality as u (tenant_id, n) on u.n = c.n
     order by c.n
    on conflict do nothing
    returning tenant_id, id`
  const tags = tagRows(contacts)
  if (tags.length === 0) return (await tx`${insert}`).map(row => row['id'])
  const { inserted } = await combine(tx, { inserted: insert }, [
    part`
    insert into contact_tags (tenant_id, tag, created_at, contact_id)
    select inserted.tenant_id, g.tag, g.created_at, g.contact_id from ${asTags(tags)} join inserted on inserted.id = g.contact_id`,
  ])
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
       set name = c.name, email = c.email, phone = c.phone, external_id = c.external_id, blocked = (c.blocked = 1), version = c.version,
           updated_at = c.updated_at, doc = c.doc
      from ${columns(contacts)}
     where t.tenant_id = ${tenant} and t.id = c.id`
  await combine(tx, {}, [update, ...(retagged.length > 0 ? retag(tenant, retagged) : [])])
}

// What goes and what comes are different rows, so that one statement may do both.
function retag(tenant: string, contacts: Contact[]): Fragment[] {
  const wanted = asTags(tagRows(contacts))
  return [
    part`
    delete from contact_tags t
     where t.tenant_id = ${tenant} and t.contact_id = any(${contacts.map(each => each.id)}::text[])
       and not exists (select 1 from ${wanted} where g.contact_id = t.contact_id and g.tag = t.tag)`,
    part`
    insert into contact_tags (tenant_id, tag, created_at, contact_id)
    select ${tenant}, g.tag, g.created_at, g.contact_id from ${wanted}
    on conflict do nothing`,
  ]
}

const tagRows = (contacts: Contact[]) =>
  contacts.flatMap(({ id, tags, created_at }) => tags.map(tag => ({ contact_id: id, tag, created_at })))

const asTags = (rows: ReturnType<typeof tagRows>): Fragment => part`
  unnest(${rows.map(each => each.contact_id)}::text[], ${rows.map(each => each.tag)}::text[],
         ${rows.map(each => each.created_at)}::text[]::timestamptz[]) as g (contact_id, tag, created_at)`

// The columns and the text come from one object, so they cannot part. `n` is its place in the list.
const columns = (contacts: Contact[]): Fragment => part`
  unnest(${contacts.map(each => each.id)}::text[], ${contacts.map(each => each.name)}::text[],
         ${contacts.map(each => each.email)}::text[], ${contacts.map(each => each.phone)}::text[],
         ${contacts.map(each => each.external_id)}::text[], ${contacts.map(each => Number(each.blocked))}::integer[],
         ${contacts.map(each => each.version)}::integer[], ${contacts.map(each => each.created_at)}::text[]::timestamptz[],
         ${contacts.map(each => each.updated_at)}::text[]::timestamptz[], ${contacts.map(each => JSON.stringify(each))}::text[])
    with ordinality as c (id, name, email, phone, external_id, blocked, version, created_at, updated_at, doc, n)`

/** That a message was written at this time, as a part of a statement. Earlier ones than the last change nothing. */
export const messaged = (tenant: string, id: string, at: string): Fragment => part`
  update contacts set last_message_at = greatest(last_message_at, ${at}::text::timestamptz) where tenant_id = ${tenant} and id = ${id}`
