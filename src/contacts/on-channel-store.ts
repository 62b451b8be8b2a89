// Every statement about the ids by which channels know people.
import { combine } from '../postgres/combine.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { Identifiers } from './identity.ts'
import { asStored, type Stored, type StoredRow, storedAmong, withAny } from './store.ts'

/** One row a known id. */
export interface Known {
  channel_id: string
  external_id: string
  contact_id: string
  alias_of: string | null
  /** What the id that it is an alias of says, or itself. */
  handle: string | null
  unreachable: boolean
}

export interface Asked {
  channelId: string
  platform: string
  /** Ids on this channel. */
  ids: string[]
  /** Ids that name the same person on each channel of the platform. */
  elsewhere: string[]
  proven: Identifiers[]
  /** A query of the workspace's currency, answered beside the rest. */
  currency: Fragment
}

/** The ids that are known, those on the channel before those elsewhere, and the contacts that these ids and the identifiers name. Locks nothing. */
export async function find(tx: Tx, tenant: string, asked: Asked): Promise<{ known: Known[]; contacts: Stored[]; currency: string }> {
  const { channelId, platform, ids, elsewhere, proven, currency } = asked
  const among = (which: Fragment): Fragment => part`
  select i.channel_id, i.external_id, coalesce(c.merged_into, c.id) as contact_id, i.alias_of, m.handle, m.unreachable_since is not null as unreachable
    from contact_channels i
    join contact_channels m
      on m.tenant_id = ${tenant} and m.channel_id = i.channel_id and m.external_id = coalesce(i.alias_of, i.external_id)
    join contacts c on c.tenant_id = ${tenant} and c.id = i.contact_id
   where i.tenant_id = ${tenant} and ${which}`
  const known = part`
  ${among(part`i.channel_id = ${channelId} and i.external_id = any(${arrayText(ids)}::text::text[])`)}
  union all
  ${among(part`i.platform = ${platform} and i.external_id = any(${arrayText(elsewhere)}::text::text[]) and i.channel_id <> ${channelId}`)}`
  const found = await combine(tx, {
    before: { named: known },
    reads: {
      known: part`select * from named`,
      contacts: storedAmong(tenant, part`select contact_id from named union ${withAny(tenant, proven)}`),
      currencies: currency,
    },
  })
  return {
    known: found.known as Known[],
    contacts: (found.contacts as StoredRow[]).map(asStored),
    currency: (found.currencies as { currency: string }[])[0]?.currency as string,
  }
}

export async function contactOf(sql: Queryable, tenant: string, channel: string, id: string): Promise<Stored | undefined> {
  const [row] = await sql<StoredRow[]>`${storedAmong(
    tenant,
    part`
      select coalesce(c.merged_into, c.id)
        from contact_channels i
        join contacts c on c.tenant_id = ${tenant} and c.id = i.contact_id
       where i.tenant_id = ${tenant} and i.channel_id = ${channel} and i.external_id = ${id}`,
  )}`
  return row && asStored(row)
}

/** Those of these ids that the channel knows. */
export async function knownIds(sql: Queryable, tenant: string, channelId: string, ids: string[]): Promise<string[]> {
  const rows = await sql<{ external_id: string }[]>`
    select i.external_id
      from contact_channels i
     where i.tenant_id = ${tenant} and i.channel_id = ${channelId} and i.external_id = any (${ids}::text[])`
  return rows.map(each => each.external_id)
}

/** @param asked ids, each in every spelling by which the channel may know it */
export async function otherNames(
  sql: Queryable,
  tenant: string,
  channelId: string,
  asked: { id: string; spelling: string }[],
): Promise<{ id: string; name: string }[]> {
  return sql<{ id: string; name: string }[]>`
    select distinct r.id, o.external_id as name
      from ${ASKED.of(asked)}
      join contact_channels i on i.tenant_id = ${tenant} and i.channel_id = ${channelId} and i.external_id = r.spelling
      join contact_channels o
        on o.tenant_id = ${tenant} and o.channel_id = ${channelId} and o.contact_id = i.contact_id
       and coalesce(o.alias_of, o.external_id) = coalesce(i.alias_of, i.external_id)
     where o.external_id <> r.id`
}

const ASKED = columns({ id: 'text', spelling: 'text' })

export interface Connection {
  external_id: string
  contact_id: string
  alias_of: string | null
  handle: string | null
  /** What names the person on every channel of the platform, where this is the first of them that knows the person. */
  person_key: string | null
}

/** Connects people with contacts that are there. @returns the ids that were new: where one is missing, another transaction knows that person already */
export async function connect(
  tx: Tx,
  tenant: string,
  { id, platform }: { id: string; platform: string },
  all: Connection[],
  at: string,
): Promise<string[]> {
  if (all.length === 0) return []
  // Sorted, so that two transactions that insert the same people cannot deadlock.
  const sorted = all.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const rows = await tx<{ external_id: string }[]>`
    insert into contact_channels (tenant_id, channel_id, platform, connected_at, external_id, contact_id, alias_of, handle, person_key)
    select ${tenant}, ${id}, ${platform}, ${at}::text::timestamptz, r.external_id, r.contact_id, r.alias_of, r.handle, r.person_key
      from ${CONNECTION.numbered(sorted.map(each => ({ ...each })))}
     where exists (select from contacts c where c.tenant_id = ${tenant} and c.id = r.contact_id)
     order by r.n
    on conflict do nothing
    returning external_id`
  return rows.map(each => each.external_id)
}

/** Takes back what this transaction has just made. @param connected ids of people on the channel */
export async function undo(tx: Tx, tenant: string, channelId: string, contacts: string[], connected: string[]): Promise<void> {
  await tx`
    delete from contact_channels i
     where i.tenant_id = ${tenant} and i.channel_id = ${channelId} and i.external_id = any (${connected}::text[])`
  await tx`delete from contacts c where c.tenant_id = ${tenant} and c.id = any (${contacts}::text[])`
}

const keyOf = ({ person_key, external_id }: Connection): string => person_key ?? external_id

const CONNECTION = columns({ external_id: 'text', contact_id: 'text', alias_of: 'text', handle: 'text', person_key: 'text' })

export interface Told {
  external_id: string
  handle: string | null
  /** ISO 8601; null: they can be written to. */
  unreachable_since: string | null
}

/** Writes what a channel tells of ids, as a part of a statement. */
export const tell = (tenant: string, channelId: string, all: Told[]): Fragment => part`
  update contact_channels i
     set handle = coalesce(r.handle, i.handle), unreachable_since = r.unreachable_since
    from ${TOLD.of(all.map(each => ({ ...each })))}
   where i.tenant_id = ${tenant} and i.channel_id = ${channelId} and i.external_id = r.external_id`

const TOLD = columns({ external_id: 'text', handle: 'text', unreachable_since: 'timestamptz' })

/** Writes that these people cannot be written to, or can again. An alias stands for the id that it is another name of. */
export async function setUnreachable(tx: Tx, tenant: string, channelId: string, all: Omit<Told, 'handle'>[]): Promise<void> {
  await tx`
    with named as (
      select coalesce(i.alias_of, i.external_id) as external_id, max(r.unreachable_since) as unreachable_since
        from ${UNREACHABLE.of(all.map(each => ({ ...each })))}
        join contact_channels i on i.tenant_id = ${tenant} and i.channel_id = ${channelId} and i.external_id = r.external_id
       group by 1
    )
    update contact_channels i
       set unreachable_since = named.unreachable_since
      from named
     where i.tenant_id = ${tenant} and i.channel_id = ${channelId} and i.external_id = named.external_id`
}

const UNREACHABLE = columns({ external_id: 'text', unreachable_since: 'timestamptz' })

/** Names that a platform told, of contacts that are locked. */
export const nameTold = (tenant: string, ids: string[]): Fragment => part`
  update contacts set name_told = true where tenant_id = ${tenant} and id = any(${arrayText(ids)}::text::text[])`
