// Whom ids and identifiers name: one question for several channels, which locks nothing.
import { combine } from '../postgres/combine.ts'
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'
import type { Identifiers } from './identity.ts'
import { phoneKey } from './phone.ts'
import { asStored, type Stored, type StoredRow, storedRow } from './store.ts'

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
