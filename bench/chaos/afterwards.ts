// What a load must not leave behind, once its last delivery has been made.
import type { Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Finding, none } from './verdict.ts'

/** Autovacuum comes when it looks next, which takes up to a minute where an operator has not said otherwise. */
const LEFT_MAX_MS = 60_000
/** PostgreSQL would end it after half a minute (`idle_in_transaction_session_timeout`). */
const HELD_MAX_MS = 20_000
/** More than the largest threshold of a hot table (`autovacuum_vacuum_threshold`). The others have PostgreSQL's, a fifth of their rows. */
const VACUUMED_AT = 2_500

export async function afterwards(sql: Sql): Promise<Finding[]> {
  const [row] = await sql<{ now: Date }[]>`select clock_timestamp() as now`
  const end = row?.now as Date
  return [
    none(
      'every table has been vacuumed that has many dead rows, or what reading has left of them',
      await leftOf(
        () => sql`
          select relname as table, n_dead_tup as dead from pg_stat_user_tables where n_dead_tup > greatest(${VACUUMED_AT}, n_live_tup * 0.3)`,
      ),
    ),
    none(
      'no session of ours keeps a transaction open, and with it what is dead since',
      await leftOf(
        () => sql`
          select application_name as session, now() - xact_start as for, query
            from pg_stat_activity where application_name like 'shopdesk%' and xact_start < ${end}`,
        HELD_MAX_MS,
      ),
    ),
    none(
      'no delivery, job or lease of a webhook is left',
      await leftOf(
        () => sql`
          select 'delivery' as kind, endpoint_id as endpoint from webhook_deliveries where state = 'pending'
          union all select 'lease', id from webhook_endpoints where lease_token is not null
          union all select 'job', j.payload ->> 'endpointId'
                      from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
                     where t.identifier = 'webhooks/deliver'`,
      ),
    ),
  ]
}

/** What is left of them after a while, which is not waited for where nothing is. */
async function leftOf(rows: () => PromiseLike<Iterable<unknown>>, maxMs = LEFT_MAX_MS): Promise<unknown[]> {
  await eventually(async () => [...(await rows())].length === 0, maxMs).catch(() => {})
  return [...(await rows())]
}
