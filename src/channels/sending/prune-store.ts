// Retention of what sending leaves: the log of attempts, and the queues of conversations to which nothing is sent any more.
import { now } from '../../clock.ts'
import { lowestId } from '../../ids.ts'
import { QUEUES_IDLE_HOURS } from '../../limits/channels.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../../limits/retention.ts'
import { oldestFirst, type Prune } from '../../postgres/prune.ts'
import { type Fragment, part, type Queryable } from '../../postgres/sql.ts'

const DAY_MS = 86_400_000

/**
 * Attempts are kept for 30 days. The messages that were tried then are as old or older, and ids are in the order of time: of each workspace the range of
 * the primary key is read that ends there. A message that was sent again long after it was written keeps its attempts until those are old themselves.
 */
export const pruneAttempts: Prune = async function* (sql: Queryable) {
  const before = lowestId('msg', now() - RETENTION_DAYS * DAY_MS)
  for (const tenant of await tenants(sql, part`channel_attempts`)) {
    yield* oldestFirst(async () => {
      const { count } = await sql`
        delete from channel_attempts a
         where a.tenant_id = ${tenant} and (a.message_id, a.started_at) in (
           select o.message_id, o.started_at from channel_attempts o
            where o.tenant_id = ${tenant} and o.message_id < ${before} and o.started_at < clock_timestamp() - make_interval(days => ${RETENTION_DAYS})
            order by o.message_id
            limit ${PRUNE_BATCH})`
      return count
    })
  }
}

/** A queue keeps the pace of its conversation, which is saved up again after a minute. */
export const pruneQueues: Prune = async function* (sql: Queryable) {
  for (const tenant of await tenants(sql, part`channel_queues`)) {
    yield* oldestFirst(async () => {
      const { count } = await sql`
        delete from channel_queues q
         where q.tenant_id = ${tenant} and q.conversation_id in (
           select o.conversation_id from channel_queues o
            where o.tenant_id = ${tenant} and o.due_at is null and o.idle_since < clock_timestamp() - make_interval(hours => ${QUEUES_IDLE_HOURS})
            order by o.idle_since
            limit ${PRUNE_BATCH}
              for no key update skip locked)`
      return count
    })
  }
}

/** The workspaces that have rows of a table: a loose index scan, one descent for each. */
async function tenants(sql: Queryable, table: Fragment): Promise<string[]> {
  const rows = await sql<{ tenant_id: string }[]>`
    with recursive walk as (
      (select t.tenant_id from ${table} t order by t.tenant_id limit 1)
      union all
      select n.* from walk w, lateral (select t.tenant_id from ${table} t where t.tenant_id > w.tenant_id order by t.tenant_id limit 1) n
    )
    select w.tenant_id from walk w`
  return rows.map(row => row.tenant_id)
}
