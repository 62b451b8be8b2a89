// Mail to the people of a workspace: written with the change it tells of, sent by a task, kept for its owner to see.
import type { Logger } from 'pino'
import type { Mailer } from '../outbound/mail.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import * as store from './store.ts'

/** Queues one mail to one address. It is sent when the transaction has committed, and never when it has not. */
export const queueMail = (tx: Tx, mail: store.NewMail): Promise<void> => store.insert(tx, mail)

export interface Post {
  sql: Queryable
  /** Undefined: no mail server is set. */
  mailer: Mailer | undefined
  log: Logger
}

/**
 * One attempt to send one mail. A mail that was sent is not sent again; one whose process died between the server's word and our record is.
 * @throws when the server did not take it, or another process is sending it: the queue tries again
 */
export async function send({ sql, mailer, log }: Post, tenant: string, id: string, signal?: AbortSignal): Promise<void> {
  const mail = await store.one(sql, tenant, id)
  // Its workspace was deleted, or it waited until it was too old.
  if (!mail || mail.sent_at) return
  if (!mailer) return log.info({ mail: { tenant, ...mail } }, 'a mail is kept: SMTP_URL is not set')
  if (!(await store.claim(sql, tenant, id))) throw new Error(`mail ${id} is being sent by another process`)
  const { recipient: to, subject, text } = mail
  const { error } = await mailer.send({ to, subject, text, id: `${tenant}.${id}` }, signal)
  await store.record(sql, tenant, id, error ?? null)
  if (error !== undefined) throw new Error(`mail ${id} could not be sent: ${error}`)
}

export const list = store.list
export const pruneMails = store.prune
