// A person with a password, made of a hash that costs one hashing for a file of tests.
import { hashPassword } from '../../src/access/password.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import type { Role } from '../../src/tenants/roles.ts'
import { aPerson } from './people.ts'

export const PASSWORD = 'correct horse battery'
let hash: Promise<string> | undefined

/** Somebody who can sign in with PASSWORD. @returns their id */
export async function aPersonWithPassword(sql: Sql, tenant: string, email: string, role?: Role): Promise<string> {
  hash ??= hashPassword(PASSWORD)
  const id = await aPerson(sql, tenant, email, role)
  await sql`update users set password_hash = ${await hash} where id = ${id}`
  return id
}
