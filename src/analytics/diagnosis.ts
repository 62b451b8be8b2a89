// Whether what happens is folded into the figures in time.
import { FOLD_LATE_SECONDS } from '../limits/analytics.ts'
import type { Queryable } from '../postgres/sql.ts'
import { oldest } from './fold-store.ts'
import { dueRecounts } from './recount-store.ts'

export async function diagnose(sql: Queryable): Promise<{ ok: boolean; text: string }> {
  const waiting = await oldest(sql)
  const due = await dueRecounts(sql)
  const waits = due === 1 ? 'one workspace is yet to be counted from its' : `${due} workspaces are yet to be counted from their`
  const recounts = due === 0 ? '' : `; ${waits} tables, which a worker does`
  if (!waiting || waiting.seconds < FOLD_LATE_SECONDS) return { ok: true, text: `folded in time${recounts}` }
  const { tenant, seconds } = waiting
  return {
    ok: false,
    text: `what was counted waits to be folded for ${seconds} s (${tenant}): the figures are right, and slower to read${recounts}; is a worker running? start one with: bin/shopdesk worker`,
  }
}
