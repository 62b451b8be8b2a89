// Every statement of notifications.
import { WARNING_MAILS_AN_HOUR } from '../limits/notifications.ts'
import { RETENTION_DAYS } from '../limits/retention.ts'
import { type List, listPage, timeFilters } from '../postgres/list-page.ts'
import type { Page, PageRequest, TimeFilters } from '../postgres/page.ts'
import { type Prune, pruneExpired } from '../postgres/prune.ts'
import { part, type Queryable, type Tx } from '../postgres/sql.ts'
import type { Notification } from './schema.ts'

export async function insert(tx: Tx, tenant: string, notification: Notification): Promise<void> {
  const { id, app, run_id, level, created_at } = notification
  await tx`
    insert into notifications (tenant_id, id, app_id, run_id, level, created_at, doc)
    values (${tenant}, ${id}, ${app.id}, ${run_id}, ${level}, ${created_at}::text::timestamptz, ${JSON.stringify(notification)})`
}

export const list = (sql: Queryable, tenant: string, filters: TimeFilters, request: PageRequest): Promise<Page> => {
  const rows: List = {
    from: part`notifications t`,
    json: part`t.doc`,
    scope: part`t.tenant_id = ${tenant}`,
    sorts: { created_at: { by: part`t.created_at`, type: 'time' } },
  }
  return listPage(sql, rows, timeFilters(filters), request)
}

const HOUR = part`interval '1 hour'`

/**
 * Counts a warning of an app, and begins a new hour where one is over.
 * @returns whether it is to be mailed; and of the hour before, how many were not and no mail told of
 */
export async function countWarning(
  tx: Tx,
  tenant: string,
  { id, name }: Notification['app'],
  at: Date,
): Promise<{ isMailed: boolean; more: number }> {
  const over = part`m.since <= ${at}::timestamptz - ${HOUR}`
  const room = part`m.mailed < ${WARNING_MAILS_AN_HOUR}`
  const [row] = await tx<{ more: number; held_back: number }[]>`
    insert into notification_mails as m (tenant_id, app_id, app_name, since, mailed, more)
    values (${tenant}, ${id}, ${name}, ${at}, 1, 0)
    on conflict (tenant_id, app_id) do update
       set app_name = excluded.app_name,
           since = case when ${over} then ${at}::timestamptz else m.since end,
           mailed = case when ${over} then 1 when ${room} then m.mailed + 1 else m.mailed end,
           more = case when ${over} then 0 when ${room} then m.more else m.more + 1 end
    returning new.more, case when old.since < new.since then old.more else 0 end as held_back`
  return { isMailed: row?.more === 0, more: row?.held_back ?? 0 }
}

/** Warnings of an app that were not mailed. */
export interface HeldBack {
  tenant: string
  app: Notification['app']
  more: number
}

/** Apps told of at one look; the next is soon. */
const APPS = 100

/** Takes the counts of hours that are over: no other process tells of them. */
export async function takeHeldBack(tx: Tx, at: Date): Promise<HeldBack[]> {
  const rows = await tx<{ tenant: string; id: string; name: string; more: number }[]>`
    update notification_mails m set more = 0
      from (
        select o.tenant_id, o.app_id
          from notification_mails o
         where o.more > 0 and o.since <= ${at}::timestamptz - ${HOUR}
         order by o.since
         limit ${APPS}
           for update skip locked) due
     where m.tenant_id = due.tenant_id and m.app_id = due.app_id
    returning m.tenant_id as tenant, m.app_id as id, m.app_name as name, old.more`
  return rows.map(({ tenant, id, name, more }) => ({ tenant, app: { id, name }, more }))
}

export const prune: Prune = pruneExpired({
  table: 'notifications',
  key: ['tenant_id', 'id'],
  by: 'created_at',
  expired: part`o.created_at < now() - make_interval(days => ${RETENTION_DAYS})`,
})
