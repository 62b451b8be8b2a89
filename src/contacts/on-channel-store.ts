// Every statement about the ids by which channels know people.
import { combine } from '../postgres/combine.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { Identifiers } from './identity.ts'
import { phoneKey } from './phone.ts'
import { asStored, type Stored, type StoredRow, storedAmong, storedRow } from './store.ts'

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

/** One channel's, of several that are asked for together. */
export interface Asked {
  tenant: string
  channelId: string
  platform: string
  /** Ids on this channel. */
  ids: string[]
  /** Ids that name the same person on each channel of the platform. */
  elsewhere: string[]
  proven: Identifiers[]
}

export interface Found {
  known: Known[]
  contacts: Stored[]
  /** The workspace's. */
  currency: string
}

// Rows with the number of their question, from nought on.
const HERE = columns({ n: 'integer', tenant_id: 'text', channel_id: 'text', external_id: 'text' })
const ELSEWHERE = columns({ n: 'integer', tenant_id: 'text', channel_id: 'text', platform: 'text', external_id: 'text' })
const IDENTIFIER = columns({ n: 'integer', tenant_id: 'text', value: 'text' })

/** The row `i` of an id, with what it stands for: found by its whole key, for a join may read all people of the channel to find the one. */
const knownRow = part`
         select i.channel_id, i.external_id, coalesce(c.merged_into, c.id) as contact_id, i.alias_of, m.handle,
                m.unreachable_since is not null as unreachable
           from contact_channels i
          cross join lateral (
            select m.handle, m.unreachable_since
              from contact_channels m
             where m.tenant_id = i.tenant_id and m.channel_id = i.channel_id and m.external_id = coalesce(i.alias_of, i.external_id)
             limit 1) m
           join contacts c on c.tenant_id = i.tenant_id and c.id = i.contact_id`

/** The contacts that have these identifiers. */
function withIdentifiers(asked: Asked[]): Fragment {
  const given = (of: (each: Identifiers) => string | null | undefined) =>
    IDENTIFIER.of(
      asked.flatMap(({ tenant, proven }, n) =>
        proven.flatMap(each => {
          const value = of(each)
          return value == null ? [] : [{ n, tenant_id: tenant, value }]
        }),
      ),
    )
  const having = (rows: Fragment, which: Fragment): Fragment => part`
    select r.n, r.tenant_id, c.id
      from ${rows}
     cross join lateral (select c.id from contacts c where c.tenant_id = r.tenant_id and ${which} limit 1) c`
  return part`
    ${having(
      given(each => each.external_id),
      part`c.external_id is not null and c.external_id = r.value`,
    )}
     union
    ${having(
      given(each => each.email),
      part`c.email is not null and lower(c.email) = lower(r.value)`,
    )}
     union
    ${having(
      given(each => each.phone && phoneKey(each.phone)),
      part`c.phone_key is not null and c.phone_key = r.value`,
    )}`
}

/**
 * The ids that are known, those on the channel before those elsewhere, and the contacts that these ids and the identifiers name. Locks
 * nothing.
 * @param currencies a query of the workspaces'
 */
export async function find(tx: Tx, asked: Asked[], currencies: Fragment): Promise<Found[]> {
  const here = asked.flatMap(({ tenant, channelId, ids }, n) =>
    ids.map(id => ({ n, tenant_id: tenant, channel_id: channelId, external_id: id })),
  )
  const elsewhere = asked.flatMap(({ tenant, channelId, platform, elsewhere }, n) =>
    elsewhere.map(id => ({ n, tenant_id: tenant, channel_id: channelId, platform, external_id: id })),
  )
  const known = part`
      select r.n, r.tenant_id, k.*
        from ${HERE.of(here)}
       cross join lateral (
         ${knownRow}
          where i.tenant_id = r.tenant_id and i.channel_id = r.channel_id and i.external_id = r.external_id
          limit 1) k
       union all
      select r.n, r.tenant_id, k.*
        from ${ELSEWHERE.of(elsewhere)}
       cross join lateral (
         ${knownRow}
          where i.tenant_id = r.tenant_id and i.platform = r.platform and i.external_id = r.external_id and i.channel_id <> r.channel_id
         offset 0) k`
  const contacts = part`
      select w.n, s.*
        from (select d.n, d.tenant_id, d.contact_id as id from named d union ${withIdentifiers(asked)}) w
       cross join lateral (${storedRow()} where t.tenant_id = w.tenant_id and t.id = w.id and t.merged_into is null limit 1) s`
  const found = await combine(tx, { before: { named: known }, reads: { known: part`select * from named`, contacts, currencies } })
  const currencyOf = new Map(found.currencies.map(({ tenant, currency }) => [tenant, currency]))
  const results: Found[] = asked.map(({ tenant }) => ({ known: [], contacts: [], currency: currencyOf.get(tenant) }))
  for (const { n, ...row } of found.known) results[n]?.known.push(row as Known)
  for (const { n, ...row } of found.contacts) results[n]?.contacts.push(asStored(row as StoredRow))
  return results
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

export async function handleOf(sql: Queryable, tenant: string, channel: string, id: string): Promise<string | null> {
  const [row] = await sql<{ handle: string | null }[]>`
    select i.handle from contact_channels i where i.tenant_id = ${tenant} and i.channel_id = ${channel} and i.external_id = ${id}`
  return row?.handle ?? null
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

/** The people of one channel. */
export interface Connecting {
  tenant: string
  channel: { id: string; platform: string }
  all: Connection[]
  /** ISO 8601. */
  at: string
}

/**
 * Connects people with contacts that are there.
 * @returns of each channel the ids that were new: where one is missing, another transaction knows that person already
 */
export async function connect(tx: Tx, channels: Connecting[]): Promise<string[][]> {
  const connections = channels.flatMap(({ tenant, channel, all, at }) =>
    all.map(each => ({ ...each, tenant_id: tenant, channel_id: channel.id, platform: channel.platform, connected_at: at })),
  )
  if (connections.length === 0) return channels.map(() => [])
  // Sorted, so that two transactions that insert the same people cannot deadlock.
  const sorted = connections.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  const rows = await tx<{ tenant_id: string; channel_id: string; external_id: string }[]>`
    insert into contact_channels (${CONNECTION.names})
    select ${CONNECTION.names}
      from ${CONNECTION.numbered(sorted)}
     where exists (select from contacts c where c.tenant_id = r.tenant_id and c.id = r.contact_id)
     order by r.n
    on conflict do nothing
    returning tenant_id, channel_id, external_id`
  return channels.map(({ tenant, channel }) =>
    rows.filter(row => row.tenant_id === tenant && row.channel_id === channel.id).map(row => row.external_id),
  )
}

/** Takes back what this transaction has just made. @param connected ids of people on the channel */
export async function undo(tx: Tx, tenant: string, channelId: string, contacts: string[], connected: string[]): Promise<void> {
  await tx`
    delete from contact_channels i
     where i.tenant_id = ${tenant} and i.channel_id = ${channelId} and i.external_id = any (${connected}::text[])`
  await tx`delete from contacts c where c.tenant_id = ${tenant} and c.id = any (${contacts}::text[])`
}

const keyOf = ({ tenant_id, person_key, external_id }: Connection & { tenant_id: string }): string =>
  `${tenant_id} ${person_key ?? external_id}`

const CONNECTION = columns({
  tenant_id: 'text',
  channel_id: 'text',
  platform: 'text',
  connected_at: 'timestamptz',
  external_id: 'text',
  contact_id: 'text',
  alias_of: 'text',
  handle: 'text',
  person_key: 'text',
})

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

/** An id on a channel of any workspace. */
export interface Place {
  tenant_id: string
  channel_id: string
  external_id: string
}

/**
 * Writes that these people cannot be written to, as a part of a statement: a platform refused what was sent to them. Not of those whose rows are locked: they
 * write just now.
 */
export const refused = (places: Place[], at: string): Fragment => part`
  update contact_channels i
     set unreachable_since = ${at}
    from (
      select o.tenant_id, o.channel_id, o.external_id
        from ${PLACE.of(places.map(each => ({ ...each })))}
        join contact_channels n on n.tenant_id = r.tenant_id and n.channel_id = r.channel_id and n.external_id = r.external_id
        join contact_channels o
          on o.tenant_id = n.tenant_id and o.channel_id = n.channel_id and o.external_id = coalesce(n.alias_of, n.external_id)
       where o.unreachable_since is null
         for no key update of o skip locked) u
   where i.tenant_id = u.tenant_id and i.channel_id = u.channel_id and i.external_id = u.external_id`

const PLACE = columns({ tenant_id: 'text', channel_id: 'text', external_id: 'text' })

/** Names that a platform told, of contacts that are locked. */
export const nameTold = (tenant: string, ids: string[]): Fragment => part`
  update contacts set name_told = true where tenant_id = ${tenant} and id = any(${arrayText(ids)}::text::text[])`
