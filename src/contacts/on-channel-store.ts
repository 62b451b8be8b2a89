// Every statement about the ids by which channels know people.
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Tx } from '../postgres/sql.ts'
import { asStored, type Stored, type StoredRow, storedAmong } from './store.ts'

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

/** All names of the same people, these among them. @param asked ids, each in every spelling by which the channel may know it */
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
       and coalesce(o.alias_of, o.external_id) = coalesce(i.alias_of, i.external_id)`
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

/** Names that a platform told, of contacts that are locked. */
export const nameTold = (tenant: string, ids: string[]): Fragment => part`
  update contacts set name_told = true where tenant_id = ${tenant} and id = any(${arrayText(ids)}::text::text[])`
