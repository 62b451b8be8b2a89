// An account that is disabled, for a while or for good: its person cannot sign in. It stays a member of its workspaces, and what it wrote stays.
import type { Actor } from '../caller.ts'
import { endGrantsEverywhere } from '../oauth/grants.ts'
import type { Tx } from '../postgres/sql.ts'
import { accountOf, disable, enable } from '../tenants/accounts.ts'
import { dropInvitationsBy } from '../tenants/invitation-links.ts'
import { requireOtherAdmins, workspacesOf } from '../tenants/people.ts'
import { dropResets } from './reset.ts'
import { endSessions } from './sessions.ts'

export interface Switched {
  id: string
  email: string
  disabled: boolean
}

/**
 * Ends every session, AI client and link of the account with it. One that is disabled stays so.
 * @returns undefined where there is no such account
 * @throws {Problem} 409 `last_admin` where a workspace would have no admin left who could let them in again
 */
export async function disableAccount(tx: Tx, email: string, by: Actor): Promise<Switched | undefined> {
  const account = await accountOf(tx, email)
  if (!account) return undefined
  await requireOtherAdmins(tx, account)
  if (await disable(tx, account.id, by)) {
    const workspaces = (await workspacesOf(tx, account.id)).map(each => each.id)
    await endSessions(tx, account.id, by)
    await endGrantsEverywhere(tx, workspaces, account.id, by)
    await dropResets(tx, account)
    for (const tenant of workspaces) await dropInvitationsBy(tx, { tenant, actor: by }, account.id)
  }
  return { id: account.id, email: account.email, disabled: true }
}

/** @returns undefined where there is no such account */
export async function enableAccount(tx: Tx, email: string, by: Actor): Promise<Switched | undefined> {
  const account = await accountOf(tx, email)
  if (!account) return undefined
  await enable(tx, account.id, by)
  return { id: account.id, email: account.email, disabled: false }
}
