// Whether what platforms and payment providers told could be applied.
import type { Queryable } from '../postgres/sql.ts'
import * as store from './diagnosis-store.ts'

/** The most sources that are named. */
const NAMED = 5

export async function diagnose(sql: Queryable): Promise<{ ok: boolean; text: string }> {
  const found = await store.failed(sql, NAMED + 1)
  if (found.length === 0) return { ok: true, text: 'all could be applied' }
  const each = found.slice(0, NAMED).map(({ tenant, source, callbacks }) => {
    const command = `bin/shopdesk ${source.startsWith('pay_') ? 'payment' : 'channel'}`
    return `${callbacks} of ${source}: ${command} log ${source} --status failed --tenant ${tenant} says why; after a fix, ${command} reapply ${source} --tenant ${tenant}`
  })
  return { ok: false, text: ['some could not be applied', ...each, ...(found.length > NAMED ? ['and others'] : [])].join('; ') }
}
