// How many answers are mailed. Anyone may type any address, as many visitors as they like, and the assistant answers each of them: without these limits a stranger
// could have a mailbox filled, or thousands of strangers mailed to, in the shop's name.
import { takeWindow } from '../access/windows.ts'
import { CHAT_MAILS_TO_ADDRESS } from '../limits/chat.ts'
import { DAY_SECONDS } from '../limits/clock.ts'
import { queueMail } from '../mail/mail.ts'
import type { Tx } from '../postgres/sql.ts'
import { admins } from '../tenants/people.ts'
import type { Addressed } from './address.ts'
import { mailboxOf } from './mailbox.ts'

/**
 * Counts a mail, where there is room for it; the admins hear of it once a day where the workspace has no more.
 * @param most mails of the workspace in a day to addresses that nothing has proven
 */
export async function takeMail(
  tx: Tx,
  tenant: string,
  address: string,
  { isTyped }: Pick<Addressed, 'isTyped'>,
  most: number,
): Promise<boolean> {
  const take = async (kind: string, subject: string, most: number): Promise<boolean> =>
    (await takeWindow(tx, { kind, subject, most, seconds: DAY_SECONDS })).retryAfter === undefined
  if (!(await take('chat.unread', `${tenant} ${mailboxOf(address)}`, CHAT_MAILS_TO_ADDRESS))) return false
  if (!isTyped || (await take('chat.unread of workspace', tenant, most))) return true
  if (await take('chat.unread is full', tenant, 1)) await tellAdmins(tx, tenant, most)
  return false
}

async function tellAdmins(tx: Tx, tenant: string, most: number): Promise<void> {
  for (const { email, workspace } of await admins(tx, tenant))
    await queueMail(tx, {
      tenant,
      kind: 'chat.unread_full',
      to: email,
      subject: `Web chat: ${most} answers were mailed in a day, and further ones are not`,
      text: `${[
        `Workspace: ${workspace}`,
        '',
        `Visitors of web chat have typed addresses to which ${most} answers were mailed within a day. That is as many as there may be (CHAT_MAILS_PER_WORKSPACE).`,
        'Answers beyond that stand in their conversations, where visitors see them when they come back, and are not mailed.',
        '',
        'If a stranger has typed the addresses of others, block the contact, or disable the channel for a time.',
        'Addresses that your own server has signed are not counted: see the guide of web chat, "Who the visitor is".',
      ].join('\n')}\n`,
    })
}
