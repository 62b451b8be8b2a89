// Mails a tenant's admins about a failing webhook: once in a streak of failures as a warning, and when it is disabled.

import type { Ref } from '../../ids.ts'
import { FAILURES_TO_DISABLE, FAILURES_TO_WARN } from '../../limits/webhooks.ts'
import { queueMail } from '../../mail/mail.ts'
import { begin, type Sql, type Tx } from '../../postgres/sql.ts'
import { admins } from '../../tenants/people.ts'
import { withoutQuery } from '../endpoints/redact.ts'
import type { Health } from './health.ts'
import * as store from './notify-store.ts'

/** Warns between the third failure and the fifth, once in a streak of failures: the endpoint's first slice that gets there does it. */
export async function warnOfFailures(sql: Sql, endpoint: Ref, { failures }: Health): Promise<void> {
  if (failures < FAILURES_TO_WARN || failures >= FAILURES_TO_DISABLE) return
  await begin(sql, async tx => {
    const streak = await store.markWarned(tx, endpoint)
    if (!streak) return
    const address = withoutQuery(streak.url)
    await mailAdmins(tx, endpoint, 'webhook.failing', `A webhook is failing: ${address}`, [
      `Your webhook ${endpoint.id} has failed ${failures} times in a row.`,
      '',
      `Address: ${address}`,
      `Failing since: ${streak.since.toISOString()}`,
      `Last error: ${await store.lastError(tx, endpoint)}`,
      '',
      `It is tried again ${streak.silent_until ? `at ${streak.silent_until.toISOString()}` : 'soon'}, with one event at a time. Nothing is lost: what is due waits.`,
      `Once the receiver is mended it need not wait: POST /api/v1/webhooks/${endpoint.id}/enable has what is due sent now.`,
      `After ${FAILURES_TO_DISABLE} failures in a row it is disabled, and you get another mail. One success ends the count.`,
    ])
  })
}

/** Runs in the transaction that disables the endpoint. */
export async function tellDisabled(tx: Tx, endpoint: Ref, { url, reason }: { url: string; reason: string }): Promise<void> {
  const address = withoutQuery(url)
  await mailAdmins(tx, endpoint, 'webhook.disabled', `A webhook was disabled: ${address}`, [
    `Your webhook ${endpoint.id} was disabled after ${reason}.`,
    '',
    `Address: ${address}`,
    `Last error: ${await store.lastError(tx, endpoint)}`,
    '',
    'Nothing more is sent to it. What was pending is kept; for events from now on no deliveries are made until it is enabled.',
    '',
    'When the receiver is mended, enable it again, with a key of the scope write:',
    '',
    `    POST /api/v1/webhooks/${endpoint.id}/enable`,
    '    {"missed": "send"}',
    '',
    'With that body it is sent what happened meanwhile too, of the last 30 days; without it only what was pending.',
    'To look first at what it missed: GET /api/v1/events.',
  ])
}

async function mailAdmins(tx: Tx, { tenant }: Ref, kind: string, subject: string, lines: string[]): Promise<void> {
  for (const { email, workspace } of await admins(tx, tenant))
    await queueMail(tx, { tenant, kind, to: email, subject, text: `${[`Workspace: ${workspace}`, '', ...lines].join('\n')}\n` })
}
