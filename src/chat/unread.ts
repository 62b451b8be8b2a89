// Answers that a visitor has not seen are mailed to the address that they gave, or that the shop has signed: all in one mail, some minutes after the first, and
// only so many a day (mail-limit.ts). The mail's link goes on with the talk on the shop's page.
import * as accounts from '../channels/accounts/accounts.ts'
import { now } from '../clock.ts'
import type { Message } from '../conversations/schema.ts'
import { mailUnseenLater, unseenWith } from '../conversations/thread.ts'
import type { Ref } from '../ids.ts'
import { CHAT_MAILS_A_DAY } from '../limits/chat.ts'
import { DAY_SECONDS } from '../limits/clock.ts'
import { queueMail } from '../mail/mail.ts'
import type { Sql, Tx } from '../postgres/sql.ts'
import { addressed } from './address.ts'
import { hashOf, newSecret, RESUME } from './links.ts'
import { takeMail } from './mail-limit.ts'
import * as store from './mail-store.ts'
import { mailOf } from './mail-text.ts'

export interface MailingContext {
  sql: Sql
  /** An origin. */
  baseUrl: string
  /** Mails of a workspace in a day to addresses that nothing has proven. */
  mailsOfWorkspace: number
}

/** @param message the answer that may not have been seen */
export async function tellOf(tx: Tx, { baseUrl, mailsOfWorkspace }: Omit<MailingContext, 'sql'>, message: Ref): Promise<void> {
  const { tenant } = message
  const unseen = await unseenWith(tx, message)
  if (!unseen) return
  const { channel_id, thread: visitor, conversation, messages } = unseen
  const [channel, known] = [await accounts.of(tx, tenant, channel_id), await addressed(tx, tenant, channel_id, visitor)]
  if (!channel || channel.status === 'deleted' || !known || known.address === null || known.contact.blocked) return
  const { contact, address: to } = known
  const ref = { tenant, id: channel_id }
  const { ended, lately, first, told_until } = await store.history(tx, ref, { conversation, visitor, to })
  const untold = messages.filter(each => told_until === null || each.created_at > told_until.toISOString())
  if (ended || !untold.some(each => each.id === message.id)) return
  // What is one too many today is told tomorrow, with what has come meanwhile.
  if (lately >= CHAT_MAILS_A_DAY) return mailUnseenLater(tx, message, DAY_SECONDS - Math.floor((now() - (first?.getTime() ?? 0)) / 1000))
  // What is one too many for an address, or for the workspace, is not mailed at all.
  if (!(await takeMail(tx, tenant, to, known, mailsOfWorkspace))) return
  const secret = newSecret()
  const told = (untold.at(-1) as Message).created_at
  await store.insert(tx, ref, { hash: hashOf(secret), conversation, visitor, to, told })
  const links = {
    resume: `${pageOf(channel.settings.origins ?? [], contact.attributes['last_page'], baseUrl, channel_id)}#${RESUME}${secret}.${visitor.slice(-VISITOR_CHARS)}`,
    stop: `${baseUrl}/chat/stop/${channel_id}/${secret}`,
  }
  const name = channel.settings.title ?? channel.name
  await queueMail(tx, { tenant, kind: 'chat.unread', to, ...mailOf(contact.language, name, untold, links), unsubscribe: links.stop })
}

/** The end of the visitor's id, by which a browser knows a link to the talk that it has already: it asks nothing, and uses nothing up. */
const VISITOR_CHARS = 8

/** Where the talk goes on: the page that the visitor was on last, if it is the shop's. */
function pageOf(origins: string[], lastPage: string | undefined, baseUrl: string, channel: string): string {
  const last = lastPage === undefined ? null : URL.parse(lastPage)
  if (last && last.origin === baseUrl) return `${baseUrl}/chat/try/${channel}`
  if (last && origins.includes(last.origin)) return last.origin + last.pathname
  return `${origins[0] ?? baseUrl}/`
}
