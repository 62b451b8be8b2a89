// Every statement about people who cannot be written to on a channel.
import { columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Tx } from '../postgres/sql.ts'

/** An id, and since when what is sent there does not arrive: ISO 8601, null where it does. */
export interface Reachable {
  external_id: string
  unreachable_since: string | null
}

/** Writes that these people cannot be written to, or can again. An alias stands for the id that it is another name of. */
export async function setUnreachable(tx: Tx, tenant: string, channelId: string, all: Reachable[]): Promise<void> {
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
