// Every statement of links to set a new password.
import { RESET_MINUTES } from '../limits/access.ts'
import { pruneExpired } from '../postgres/prune.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'

export async function insert(tx: Tx, user: string, hash: Buffer): Promise<void> {
  await tx`
    insert into password_resets (token_hash, user_id, expires_at)
    values (${hash}, ${user}, now() + make_interval(mins => ${RESET_MINUTES}))`
}

/** Whose a link is, while it works. */
export async function userOf(sql: Queryable, hash: Buffer): Promise<string | undefined> {
  const [row] = await sql<{ user: string }[]>`
    select r.user_id as user
      from password_resets r
      join users u on u.id = r.user_id and u.disabled_at is null
     where r.token_hash = ${hash} and r.expires_at > now()`
  return row?.user
}

/** Uses a link up, and with it all others of its person. @returns whether it still worked */
export async function take(tx: Tx, user: string, hash: Buffer): Promise<boolean> {
  const rows = await tx`delete from password_resets where token_hash = ${hash} and user_id = ${user} and expires_at > now() returning 1`
  if (rows.length > 0) await removeAll(tx, user)
  return rows.length > 0
}

export async function removeAll(tx: Tx, user: string): Promise<void> {
  await tx`delete from password_resets where user_id = ${user}`
}

export const pruneResets = pruneExpired({
  table: 'password_resets',
  key: ['token_hash'],
  by: 'expires_at',
  expired: part`o.expires_at < now()`,
})
