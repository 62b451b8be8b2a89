// Joining a workspace by an invitation, in the ways in which a person can show that the invited address is theirs: signed in, with their password, or by
// the link alone, where the address has no account yet.
import { newId } from '../ids.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import { credentialsOf, makeAccount } from '../tenants/accounts.ts'
import { nameOf } from '../tenants/email.ts'
import { accept, type Invitation } from '../tenants/invitations.ts'
import { hashPassword } from './password.ts'
import { passwordFault } from './password-rules.ts'
import { beginSession, type Device, type Session, switchWorkspace } from './sessions.ts'
import { holdVerified, verified } from './sign-in.ts'

/** @throws {Problem} 409 `dead_link`, `other_address` */
export const joinSignedIn = (sql: Sql, token: string, session: Session): Promise<void> =>
  begin(sql, async tx => {
    const tenant = await accepted(tx, token, { id: session.user, email: session.email, name: session.name })
    await switchWorkspace(tx, session, tenant)
  })

/**
 * Signs in and joins.
 * @returns the session's token
 * @throws {Problem} 422, 429, 503; 409 `dead_link`
 */
export async function joinWithPassword(
  sql: Sql,
  token: string,
  { address }: Invitation,
  password: string,
  device: Device,
): Promise<string> {
  const account = await verified(sql, await credentialsOf(sql, address), { email: address, password, device })
  if (!account) throw invalid({ field: 'password', code: 'wrong_password', message: 'is not right.' })
  return begin(sql, async tx => {
    await holdVerified(tx, account)
    return beginSession(tx, account.id, await accepted(tx, token, account), device)
  })
}

/**
 * Makes the account, and joins.
 * @returns the session's token
 * @throws {Problem} 422 for `name` and `password`, 503; 409 `dead_link`, `has_account`
 */
export async function joinAnew(
  sql: Sql,
  token: string,
  { address, workspace }: Invitation,
  asked: { name: string; password: string },
  device: Device,
): Promise<string> {
  const name = nameOf(asked.name)
  if (name === undefined)
    throw invalid({ field: 'name', code: 'invalid', message: 'must be what you are called, in at most 100 characters.' })
  const fault = passwordFault(asked.password, { email: address, name, workspaces: [workspace] })
  if (fault !== undefined) throw invalid({ field: 'password', code: 'bad_password', message: `${fault}.` })
  const passwordHash = await hashPassword(asked.password)
  const account = { id: newId('usr'), email: address, name }
  return begin(sql, async tx => {
    await makeAccount(tx, { ...account, passwordHash })
    return beginSession(tx, account.id, await accepted(tx, token, account), device)
  }).catch(error => {
    if (violatedConstraint(error) !== 'users_email') throw error
    throw new Problem('conflict', `${address} has an account by now; open the link again, and sign in with it.`, { code: 'has_account' })
  })
}

async function accepted(tx: Tx, token: string, account: { id: string; email: string; name: string | null }): Promise<string> {
  const tenant = await accept(tx, token, account)
  if (tenant === undefined)
    throw new Problem('conflict', 'This invitation was used, withdrawn or replaced by a newer one in the meantime.', { code: 'dead_link' })
  return tenant
}
