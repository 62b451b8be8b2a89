// Every statement about tokens that end by themselves: those of Instagram's own login live for 60 days.
import { TOKEN_RENEWED_DAYS } from '../../limits/channels.ts'
import { part, type Queryable } from '../../postgres/sql.ts'
import { addJob, hasFreeJob } from '../../queue/jobs.ts'

/** Renewed together: the sweep comes again soon. */
const AT_ONCE = 100

/** Queues the renewal of each token that is a week old, also of disabled channels: they are to be enabled again. */
export async function queueRenewals(sql: Queryable): Promise<number> {
  const rows = await sql`
    with due as materialized (
      select c.tenant_id, c.id
        from channels c
       where c.platform = 'instagram' and c.status <> 'deleted'
         and c.settings ->> 'api_url' like 'https://graph.instagram.com/%'
         and c.token_at < now() - make_interval(days => ${TOKEN_RENEWED_DAYS})
         and not ${hasFreeJob('channels/renew', 'channelId', part`c.id`)}
       limit ${AT_ONCE}
    )
    select ${addJob('channels/renew', { tenantId: part`d.tenant_id`, channelId: part`d.id` })} from due d`
  return rows.length
}
