// The statement that moves the time until which people may reply.
import type { Tx } from '../postgres/sql.ts'

/** @param hours after the customer's last message; null: for ever. No platform has more than a week, so older conversations stay as they are. */
export async function moveWindow(tx: Tx, tenant: string, channel: string, hours: number | null): Promise<void> {
  await tx`
    update conversations t
       set reply_until = t.customer_at + make_interval(hours => ${hours}::integer)
     where t.tenant_id = ${tenant}
       and t.id = any(array(
         select c.id
           from conversations c
          where c.tenant_id = ${tenant} and c.channel_id = ${channel} and c.updated_at > now() - interval '8 days'
          order by c.id
            for no key update))`
}
