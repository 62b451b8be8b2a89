// Retention of calls: the log for 30 days, long outputs for a day.
import { RETENTION_DAYS } from '../limits/retention.ts'
import { SKILL_OUTPUT_HOURS } from '../limits/skills.ts'
import { pruneExpired } from '../postgres/prune.ts'
import { part } from '../postgres/sql.ts'

export const pruneCalls = pruneExpired({
  table: 'skill_calls',
  key: ['tenant_id', 'id'],
  by: 'created_at',
  expired: part`o.created_at < now() - make_interval(days => ${RETENTION_DAYS})`,
})

/** An output is read by a call that is repeated in its turn or by its run's step. After a day the log's part of the answer is enough. */
export const pruneOutputs = pruneExpired({
  table: 'skill_outputs',
  key: ['tenant_id', 'call_id'],
  by: 'created_at',
  expired: part`o.created_at < now() - make_interval(hours => ${SKILL_OUTPUT_HOURS})`,
})
