// Mail to the people of a workspace: written with the change it tells of, sent by a task, kept for its owner to see.
import type { Logger } from 'pino'
import type { Mailer } from '../outbound/mail.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import type { Standing } from '../queue/standing.ts'
import * as store from './store.ts'

/** Queues one mail to one address. It is sent when the transaction has committed, and never when it has not. */
export const queueMail = (tx: Tx, mail: store.NewMail): Promise<void> => store.insert(tx, mail)

/** What sending needs of the process. */
export interface MailContext {
  sql: Queryable
  /** By whose tokens mails are claimed. */
  standing: Standing
  /** Undefined: no mail server is set. */
  mailer: Mailer | undefined
  log: Logger
}

/**
 * One attempt to send one mail. A mail that was sent is not sent again; one whose process died between the server's word and our record is.
 * @throws when the server did not take it, or another process is sending it: the queue tries again
 */
export async function send({ sql, standing, mailer, log }: MailContext, tenant: string, id: string, signal?: AbortSignal): Promise<void> {
  const mail = await store.one(sql, tenant, id)
  // Its workspace was deleted, or it waited until it was too old.
  if (!mail || mail.sent_at) return
  if (!mailer) return log.info({ mail: { tenant, ...mail } }, 'a mail is kept: SMTP_URL is not set')
  if (!(await store.claim(sql, tenant, id, standing.token()))) throw new Error(`mail ${id} is being sent by another process`)
  const { recipient: to, subject, text } = mail
  // Whoever takes this process for gone sends it: before that it is ended here.
  const ends = signal ? AbortSignal.any([signal, standing.lost()]) : standing.lost()
  const { error } = await mailer.send({ to, subject, text, id: `${tenant}.${id}` }, ends)
  await store.record(sql, tenant, id, error ?? null)
  if (error !== undefined) throw new Error(`mail ${id} could not be sent: ${error}`)
}

export const list = store.list
export const pruneMails = store.prune
