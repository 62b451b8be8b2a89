// The links of an invitation: what ends one also empties the mails that hold its link.
import type { Caller } from '../caller.ts'
import { emptyLinks } from '../mail/mail.ts'
import { auditAll } from '../postgres/audit.ts'
import type { Tx } from '../postgres/sql.ts'
import { withdraw, withdrawBy } from './invitation-store.ts'

export const INVITATION_MAIL = 'user.invite'

/** Empties the mails to an address of the workspace's invitations. */
export const emptyInvitations = (tx: Tx, tenant: string, address: string): Promise<void> =>
  emptyLinks(tx, [tenant], INVITATION_MAIL, address.toLowerCase())

/** Ends the invitation of an address. @returns whether there was one */
export async function dropInvitation(tx: Tx, caller: Caller, address: string): Promise<boolean> {
  const dropped = await withdraw(tx, caller.tenant, address)
  if (dropped) await endLinks(tx, caller, [address], {})
  return dropped
}

/** Ends the invitations of a person who may no longer invite: one could be to an address of their own. */
export async function dropInvitationsBy(tx: Tx, caller: Caller, user: string): Promise<void> {
  await endLinks(tx, caller, await withdrawBy(tx, caller.tenant, user), { invited_by: user })
}

async function endLinks(tx: Tx, caller: Caller, addresses: string[], details: object): Promise<void> {
  for (const address of addresses) await emptyInvitations(tx, caller.tenant, address)
  const ended = (email: string) => ({ email, withdrawn: true, ...details })
  const { tenant } = caller
  await auditAll(
    tx,
    addresses.map(each => ({ caller, action: 'user.invite', subject: tenant, details: ended(each) })),
  )
}
