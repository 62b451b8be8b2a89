// People of a workspace, without a password of their own: to make one takes a moment.
import { newId } from '../../src/ids.ts'
import type { Queryable } from '../../src/postgres/sql.ts'
import type { Role } from '../../src/tenants/roles.ts'

/** Somebody in the workspace, by an account that may belong to others. @returns their id */
export async function aPerson(sql: Queryable, tenant: string, email: string, role: Role = 'admin'): Promise<string> {
  const [user] = await sql<{ id: string }[]>`
    insert into users (id, email, password_hash) values (${newId('usr')}, ${email}, 'none')
    on conflict (lower(email)) do update set email = excluded.email
    returning id`
  const { id } = user as { id: string }
  await sql`insert into memberships (tenant_id, user_id, role) values (${tenant}, ${id}, ${role})`
  return id
}
