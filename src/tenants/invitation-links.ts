// The links of an invitation: what ends one also empties the mails that hold its link.
import { emptyLinks } from '../mail/mail.ts'
import type { Tx } from '../postgres/sql.ts'
import { withdraw } from './invitation-store.ts'

export const INVITATION_MAIL = 'user.invite'

/** Empties the mails to an address of the workspace's invitations. */
export const emptyInvitations = (tx: Tx, tenant: string, address: string): Promise<void> =>
  emptyLinks(tx, [tenant], INVITATION_MAIL, address.toLowerCase())

/** Ends the invitation of an address. @returns whether there was one */
export async function dropInvitation(tx: Tx, tenant: string, address: string): Promise<boolean> {
  const dropped = await withdraw(tx, tenant, address)
  if (dropped) await emptyInvitations(tx, tenant, address)
  return dropped
}
