// Retention of runs: a month after they ended, with their log.
import { RETENTION_DAYS } from '../limits/retention.ts'
import { pruneExpired } from '../postgres/prune.ts'
import { part } from '../postgres/sql.ts'

export const pruneRuns = pruneExpired({
  table: 'flow_runs',
  key: ['tenant_id', 'id'],
  by: 'ended_at',
  expired: part`o.ended_at < now() - make_interval(days => ${RETENTION_DAYS})`,
})
