// Retention of calls: the log for 30 days, long outputs for a day.
import { RESPONSE_LOG_BYTES } from '../limits/outbound.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../limits/retention.ts'
import { SKILL_OUTPUT_HOURS } from '../limits/skills.ts'
import { oldestFirst, type Prune, pruneExpired } from '../postgres/prune.ts'
import { part } from '../postgres/sql.ts'

export const pruneCalls = pruneExpired({
  table: 'skill_calls',
  key: ['tenant_id', 'id'],
  by: 'created_at',
  expired: part`o.created_at < now() - make_interval(days => ${RETENTION_DAYS})`,
})

/** An output is read by a call that is repeated in its turn or by its run's step. After a day the log's part of the answer is enough. */
export const pruneOutputs: Prune = sql =>
  oldestFirst(async () => {
    const { count } = await sql`
      update skill_calls c set output = null, truncated = true
       where (c.tenant_id, c.id) in (
         select o.tenant_id, o.id
           from skill_calls o
          where length(o.output) > ${part.unsafe(String(RESPONSE_LOG_BYTES))} and o.created_at < now() - make_interval(hours => ${SKILL_OUTPUT_HOURS})
          order by o.created_at
          limit ${PRUNE_BATCH}
            for update skip locked)`
    return count
  })
