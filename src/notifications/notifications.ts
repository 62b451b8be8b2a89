// What apps tell the team: written in the transaction of the step that tells it. A warning is mailed to the admins as well, but not without end.
import { isBlank } from '../blank.ts'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { NOTIFICATION_BODY_CHARS, NOTIFICATION_TITLE_CHARS, WARNING_MAILS_AN_HOUR } from '../limits/notifications.ts'
import { queueMail } from '../mail/mail.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { invalid } from '../problems.ts'
import { admins } from '../tenants/people.ts'
import type { Notification } from './schema.ts'
import * as store from './store.ts'

export type { Notification } from './schema.ts'
export { prune as pruneNotifications } from './store.ts'

/** An app, as its notifications name it. */
type App = Notification['app']

export interface Told extends Pick<Notification, 'level' | 'title' | 'body'> {
  app: App
}

/**
 * Tells the team. Of an app's warnings, the first WARNING_MAILS_AN_HOUR of an hour are mailed to the admins.
 * @throws {Problem} 422 for a blank title, or one or a body that is too long
 */
export async function notify(tx: Tx, caller: Caller, told: Told): Promise<Notification> {
  refuseUnfit('title', told.title, NOTIFICATION_TITLE_CHARS)
  refuseUnfit('body', told.body, NOTIFICATION_BODY_CHARS)
  const { app, level, title, body } = told
  const created_at = new Date(now()).toISOString()
  const run_id = caller.cause?.run ?? null
  const notification: Notification = { object: 'notification', id: newId('ntf'), app, run_id, level, title, body, created_at }
  await store.insert(tx, caller.tenant, notification)
  if (level === 'warning') await mailWarning(tx, caller.tenant, notification)
  return notification
}

function refuseUnfit(field: string, text: string, most: number): void {
  if (isBlank(text)) throw invalid({ field, code: 'blank', message: 'holds nothing that can be seen.' })
  if (text.length > most) throw invalid({ field, code: 'too_long', message: `has ${text.length} characters; there can be ${most}.` })
}

async function mailWarning(tx: Tx, tenant: string, { app, title, body }: Notification): Promise<void> {
  const { isMailed, more } = await store.countWarning(tx, tenant, app, new Date(now()))
  if (more > 0) await mailMore(tx, { tenant, app, more })
  if (isMailed) await mail(tx, tenant, app, `${app.name}: ${title}`, [body])
}

/** Tells the admins of warnings that were not mailed, when their hour is over. */
export async function mailHeldBack(sql: Sql): Promise<void> {
  await begin(sql, async tx => {
    for (const each of await store.takeHeldBack(tx, new Date(now()))) await mailMore(tx, each)
  })
}

const mailMore = (tx: Tx, { tenant, app, more }: store.HeldBack): Promise<void> =>
  mail(tx, tenant, app, `${app.name}: ${more} more ${more === 1 ? 'warning' : 'warnings'}`, [
    `The app told ${more} more within an hour. After ${WARNING_MAILS_AN_HOUR} in an hour its warnings are not mailed; all are kept:`,
    '',
    '    GET /api/platform/notifications',
  ])

async function mail(tx: Tx, tenant: string, app: App, subject: string, lines: string[]): Promise<void> {
  for (const { email, workspace } of await admins(tx, tenant))
    await queueMail(tx, {
      tenant,
      kind: 'app.warning',
      to: email,
      subject: subject.replaceAll(/\s+/g, ' '),
      text: `${[`Workspace: ${workspace}`, `App: ${app.name} (${app.id})`, '', ...lines].join('\n')}\n`,
    })
}
