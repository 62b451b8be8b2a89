// The statement that moves the time until which people may reply.
import { changedAmongPart } from '../live/feed.ts'
import { part, type Tx } from '../postgres/sql.ts'

/** @param hours after the customer's last message; null: for ever. No platform has more than a week, so older conversations stay as they are. */
export async function moveWindow(tx: Tx, tenant: string, channel: string, hours: number | null): Promise<void> {
  const until = part`c.customer_at + make_interval(hours => ${hours}::integer)`
  await tx`
    with moved as (
      update conversations t
         set reply_until = n.until
        from (select c.id, ${until} as until
                from conversations c
               where c.tenant_id = ${tenant} and c.channel_id = ${channel} and c.updated_at > now() - interval '8 days'
                 and c.customer_at is not null
                 and c.reply_until is distinct from ${until}
               order by c.id
                 for no key update) n
       where t.tenant_id = ${tenant} and t.id = n.id
      returning t.id
    )
    ${changedAmongPart(tx, tenant, part`select id from moved`)}`
}
