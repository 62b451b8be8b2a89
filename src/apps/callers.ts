// The callers that may change the apps of a workspace. An app acts in the workspace's name, so a key of a program never adds one, nor gives it anything.
import type { Caller } from '../caller.ts'
import type { Queryable } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { memberOf } from '../tenants/people.ts'

/** @throws {Problem} 403 unless an admin, the command line or the service itself asks */
export async function requireAdmin(sql: Queryable, { tenant, actor, grant }: Caller): Promise<void> {
  if (actor.type === 'cli' || actor.type === 'system') return
  // A person may, but not what they allowed an AI client.
  if (actor.type === 'user' && grant === undefined && actor.id !== undefined) {
    const member = await memberOf(sql, tenant, actor.id)
    if (member?.role === 'admin') return
  }
  throw new Problem('insufficient-scope', 'An admin of the workspace does this, in the dashboard or on the command line.', {
    code: 'insufficient_role',
  })
}
