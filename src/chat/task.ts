// What tasks/chat/mail-unread.ts calls.
import { begin } from '../postgres/sql.ts'
import { provided } from '../queue/provided.ts'
import { type MailingContext, tellOf } from './unread.ts'

const context = provided<MailingContext>('mails of web chat')

export const provideChatMails = context.provide
export const mailUnread = (tenant: string, message: string): Promise<void> => {
  const { sql, ...mailing } = context.get()
  return begin(sql, tx => tellOf(tx, mailing, { tenant, id: message }))
}
