// Payments that wait for a person, in all workspaces.
import type { Queryable } from '../postgres/sql.ts'
import * as store from './ledger/diagnosis-store.ts'

/** The most workspaces that are named. */
const NAMED = 5

/** They are no fault of the service: it is always in order. */
export async function diagnose(sql: Queryable): Promise<{ ok: true; text: string }> {
  const found = await store.undecided(sql, NAMED + 1)
  if (found.length === 0) return { ok: true, text: 'none waits for a person' }
  const each = found.slice(0, NAMED).map(({ tenant, payments }) => `${payments} of ${tenant}`)
  const others = found.length > NAMED ? ' and others' : ''
  return {
    ok: true,
    text: `some pay nothing before a person decides: ${each.join(', ')}${others}; bin/shopdesk payment ledger --status mismatched,unmatched --tenant ten_… shows them`,
  }
}
