// Mail to the people of a workspace: written in the transaction of the change it reports, sent by a task, and kept for the operator to see.
import type { Logger } from 'pino'
import type { Mailer } from '../outbound/mail.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import type { Standing } from '../queue/standing.ts'
import * as store from './store.ts'

/** Queues one mail to one address. It is sent once the transaction has committed, and never if it rolls back. */
export const queueMail = (tx: Tx, mail: store.NewMail): Promise<void> => store.insert(tx, mail)

/** Stands in a mail's text for its link. */
export const LINK = '{link}'

/** The text as it is read. That of a mail without a link may hold such words of people's own. */
export const written = ({ text, linked, link }: Pick<store.MailRow, 'text' | 'linked' | 'link'>): string =>
  linked ? text.replaceAll(LINK, () => link ?? '(the link was taken out: this mail was sent, or the link does not work any more)') : text

/** For links that are dead: who reads the mails here cannot use them, nor take them for living ones. */
export const emptyLinks = (tx: Tx, tenants: string[], kind: string, to: string): Promise<void> => store.emptyLinks(tx, tenants, kind, to)

/** What sending needs of the process. */
export interface MailContext {
  sql: Queryable
  /** Gives the tokens that claim mails. */
  standing: Standing
  /** Undefined if no mail server is set. */
  mailer: Mailer | undefined
  log: Logger
}

/**
 * Makes one attempt to send a mail. A sent mail is not sent again, unless the process died between the server's answer and our record of it.
 * @throws when the server did not take the mail, or another process is sending it: the queue tries again
 */
export async function send({ sql, standing, mailer, log }: MailContext, tenant: string, id: string, signal?: AbortSignal): Promise<void> {
  const mail = await store.one(sql, tenant, id)
  // No row: the workspace was deleted, or the mail became too old.
  if (!mail || mail.sent_at) return
  // A link stays out of the log: who opens it is let in.
  const { linked: _, link, unsubscribe, ...shown } = mail
  if (!mailer) return log.info({ mail: { tenant, ...shown } }, 'a mail is kept: SMTP_URL is not set')
  if (!(await store.claim(sql, tenant, id, standing.token()))) throw new Error(`mail ${id} is being sent by another process`)
  const { recipient: to, subject } = mail
  const text = written(mail)
  // Aborted when the process loses its standing, before another process takes the mail over.
  const ends = signal ? AbortSignal.any([signal, standing.lost()]) : standing.lost()
  const { error } = await mailer.send({ to, subject, text, id: `${tenant}.${id}`, ...(unsubscribe !== null && { unsubscribe }) }, ends)
  await store.record(sql, tenant, id, error ?? null)
  if (error !== undefined) throw new Error(`mail ${id} could not be sent: ${error}`)
}

export const list = store.list
export const pruneMails = store.prune
export const emptyOldLinks = store.emptyOldLinks
