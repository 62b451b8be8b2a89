// Accounts of people, beyond what they are in a workspace: what they sign in with, and what they are called.
import type { Actor } from '../caller.ts'
import { queueMail } from '../mail/mail.ts'
import type { AuditEntry } from '../postgres/audit.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { inviting } from './invitation-store.ts'
import * as store from './people-store.ts'

export type { Credentials } from './people-store.ts'

/** What an e-mail signs in with, in any case. @returns undefined also for a disabled account */
export const credentialsOf = (sql: Queryable, email: string): Promise<store.Credentials | undefined> => store.credentials(sql, email)

export const credentialsById = (sql: Queryable, user: string): Promise<store.Credentials | undefined> => store.credentialsById(sql, user)

/**
 * Holds an account until the transaction ends.
 * @param verified as its password was verified: that takes a moment, in which the password may have been replaced
 * @returns whether it still has that password, and is not disabled
 */
export const holdCredentials = (tx: Tx, verified: store.Credentials): Promise<boolean> => store.holdCredentials(tx, verified)

/** An account, and its name and e-mail. */
export const accountById = (sql: Queryable, user: string): Promise<store.Account | undefined> => store.accountById(sql, user)

export const accountOf = (sql: Queryable, email: string): Promise<store.Account | undefined> => store.accountOf(sql, email)

/** Makes an account that belongs to no workspace yet. @throws an error of the constraint `users_email` */
export const makeAccount = (tx: Tx, account: store.Account & { passwordHash: string }): Promise<void> => store.insertAccount(tx, account)

/** Keeps another hash of the same password. */
export const rehash = (sql: Queryable, user: string, passwordHash: string): Promise<void> => store.setPassword(sql, user, passwordHash, [])

export const setPassword = async (tx: Tx, user: string, passwordHash: string, by: Actor): Promise<void> =>
  store.setPassword(tx, user, passwordHash, await entriesOf(tx, user, by, 'user.password'))

/** @throws an error of the constraint `users_email` where the address has an account */
export const setProfile = async (tx: Tx, user: string, change: { email: string; name: string | null }, by: Actor): Promise<void> =>
  store.setProfile(tx, user, change, await entriesOf(tx, user, by, 'user.update', { email: change.email, name: change.name }))

/** Disables the account: its person cannot sign in until it is enabled. @returns false where it is disabled already */
export const disable = async (tx: Tx, user: string, by: Actor): Promise<boolean> =>
  store.disable(tx, user, await entriesOf(tx, user, by, 'user.disable'))

/** @returns false where it is not disabled */
export const enable = async (tx: Tx, user: string, by: Actor): Promise<boolean> =>
  store.enable(tx, user, await entriesOf(tx, user, by, 'user.enable'))

/** An audit row for each workspace of a person: what concerns an account concerns all of them. */
export async function entriesOf(
  sql: Queryable,
  user: string,
  actor: Actor,
  action: string,
  details: Record<string, unknown> = {},
): Promise<AuditEntry[]> {
  return (await store.workspacesOf(sql, user)).map(({ id }) => ({ caller: { tenant: id, actor }, action, subject: user, details }))
}

/** The workspaces on whose behalf a person is mailed: their own, or for one who belongs to none, those that have invited them. */
export async function mailingWorkspaces(sql: Queryable, { id, email }: { id: string; email: string }): Promise<string[]> {
  const own = await store.workspacesOf(sql, id)
  return own.length > 0 ? own.map(each => each.id) : inviting(sql, email)
}

/** Mails a person about their account, on behalf of the first of their workspaces. Who belongs to none and is invited to none has nothing to be told of. */
export async function tellPerson(
  tx: Tx,
  person: { id: string; email: string },
  { kind, subject, lines, link }: { kind: string; subject: string; lines: string[]; link?: { url: string; minutes: number } },
): Promise<void> {
  const [tenant] = await mailingWorkspaces(tx, person)
  if (tenant === undefined) return
  await queueMail(tx, { tenant, kind, to: person.email, subject, text: `${lines.join('\n')}\n`, ...(link && { link }) })
}
