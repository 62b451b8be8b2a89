// Every statement of channels as their owner sees them. The statements of sending are in ../sending/.
import { now } from '../../clock.ts'
import { unsettled } from '../../conversations/unsettled.ts'
import type { Ref } from '../../ids.ts'
import { SECRET_OVERLAP_HOURS } from '../../limits/secrets.ts'
import { listPage, timeFilters } from '../../postgres/list-page.ts'
import { iso, type Page, type PageRequest, type Sort, type TimeFilters } from '../../postgres/page.ts'
import { columns } from '../../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Text, type Tx } from '../../postgres/sql.ts'
import type { PlatformName } from '../platforms/names.ts'
import type { Settings } from './settings.ts'
import { DEFAULTS, limitsShown, type Shown } from './shown.ts'

export type Status = 'enabled' | 'disabled' | 'failing' | 'deleted'

export interface Row {
  id: string
  platform: PlatformName
  name: string
  status: Status
  account_id: string | null
  account_name: string | null
  /** The account it had before, until `moved_at`; null: it always had this one. */
  former_account_id: string | null
  moved_at: Date | null
  settings: Settings
}

const row = part`c.id, c.platform, c.name, c.status, c.account_id, c.account_name, c.former_account_id, c.moved_at, c.settings`

export const one = (tenant: Text, id: Text): Fragment => part`select ${row} from channels c where c.tenant_id = ${tenant} and c.id = ${id}`

const REF = columns({ tenant_id: 'text', id: 'text' })

/** Channels of any workspaces, in the order given; undefined where there is none. */
export async function findAll(sql: Queryable, refs: Ref[]): Promise<(Row | undefined)[]> {
  const rows = await sql<(Row | { id: null })[]>`
    select f.*
      from ${REF.numbered(refs.map(({ tenant, id }) => ({ tenant_id: tenant, id })))}
      left join lateral (
        select ${row} from channels c where c.tenant_id = r.tenant_id and c.id = r.id limit 1) f on true
     order by r.n`
  return rows.map(each => (each.id === null ? undefined : each))
}

function jsonOf(tenant: string, { baseUrl, attachmentBytes }: Shown): Fragment {
  const { queued, unknown } = unsettled(tenant, part`t.id`)
  return part`
    json_build_object(
      'object', 'channel', 'id', t.id, 'platform', t.platform, 'name', t.name, 'status', t.status,
      'account', json_build_object('id', t.account_id, 'name', t.account_name),
      'callback_url', case when t.platform <> 'web' then ${`${baseUrl}/api/channels/`}::text || t.id || '/callback' end,
      'settings', coalesce(${DEFAULTS}::text::jsonb -> t.platform, '{}') || t.settings,
      'limits', coalesce(${limitsShown(attachmentBytes)}::text::jsonb -> t.platform, ${limitsShown(attachmentBytes)}::text::jsonb -> 'api'),
      'queued_count', ${queued}, 'unknown_count', ${unknown},
      'last_inbound_at', ${iso(part`t.last_inbound_at`)}, 'last_sent_at', ${iso(part`t.last_sent_at`)}, 'last_error', t.last_error,
      'version', t.version, 'created_at', ${iso(part`t.created_at`)}, 'updated_at', ${iso(part`t.updated_at`)})::text`
}

const sorts: Record<string, Sort> = { created_at: { by: part`t.created_at`, type: 'time' } }

export const list = (sql: Queryable, tenant: string, filters: TimeFilters, page: PageRequest, shown: Shown): Promise<Page> =>
  listPage(
    sql,
    { from: part`channels t`, json: jsonOf(tenant, shown), scope: part`t.tenant_id = ${tenant} and t.status <> 'deleted'`, sorts },
    timeFilters(filters),
    page,
  )

export async function findJson(sql: Queryable, tenant: string, id: string, shown: Shown): Promise<string | undefined> {
  const [found] = await sql<{ json: string }[]>`
    select ${jsonOf(tenant, shown)} as json from channels t where t.tenant_id = ${tenant} and t.id = ${id} and t.status <> 'deleted'`
  return found?.json
}

/** With what is encrypted. */
export interface Sealed extends Row {
  credentials: string
  updated_at: Date
}

/** Without those that are deleted. */
export async function findSealed(sql: Queryable, tenant: string, id: string): Promise<Sealed | undefined> {
  const [found] = await sql<Sealed[]>`
    select ${row}, c.credentials, c.updated_at from channels c where c.tenant_id = ${tenant} and c.id = ${id} and c.status <> 'deleted'`
  return found
}

export async function lock(tx: Tx, tenant: string, id: string): Promise<Sealed | undefined> {
  const [found] = await tx<Sealed[]>`
    select ${row}, c.credentials, c.updated_at
      from channels c
     where c.tenant_id = ${tenant} and c.id = ${id} and c.status <> 'deleted'
       for no key update`
  return found
}

export interface NewRow extends Omit<Row, 'status' | 'former_account_id' | 'moved_at'> {
  /** Encrypted. */
  credentials: string
}

export async function insert(tx: Tx, tenant: string, { settings, ...columns }: NewRow): Promise<void> {
  const at = new Date(now())
  const inserted = { tenant_id: tenant, ...columns, settings: settings as never, token_at: at, created_at: at, updated_at: at }
  await tx`insert into channels ${tx(inserted)}`
}

export type Change = Partial<
  Pick<NewRow, 'name' | 'account_id' | 'account_name' | 'settings' | 'credentials'> & Pick<Row, 'former_account_id' | 'moved_at'>
> & { token_at?: Date }

export async function update(tx: Tx, tenant: string, id: string, { settings, ...columns }: Change): Promise<void> {
  const changed = { ...columns, ...(settings && { settings: settings as never }), updated_at: new Date(now()) }
  await tx`update channels set ${tx(changed)}, version = version + 1 where tenant_id = ${tenant} and id = ${id}`
}

export async function sendTo(tx: Tx, tenant: string, id: string, url: string): Promise<void> {
  await tx`
    update channels c
       set settings = c.settings || jsonb_build_object('send_url', ${url}::text)
     where c.tenant_id = ${tenant} and c.id = ${id}`
}

export async function disable(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx`
    update channels set status = 'disabled', version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}`
}

/** A channel that was failing when it was disabled is probed first, at once. */
export async function enable(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx`
    update channels
       set status = case when failing_since is null then 'enabled' else 'failing' end, quiet_until = null, version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}`
}

/** The channel itself has not changed: its version stays. */
export async function replaceToken(tx: Tx, tenant: string, id: string, credentials: string, at: Date): Promise<void> {
  await tx`update channels set credentials = ${credentials}, token_at = ${at} where tenant_id = ${tenant} and id = ${id}`
}

export async function noteError(sql: Queryable, tenant: string, id: string, error: string): Promise<void> {
  await sql`update channels set last_error = ${error} where tenant_id = ${tenant} and id = ${id} and status <> 'deleted'`
}

/** Has a failing channel probed at once. */
export async function probeNow(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx`update channels set quiet_until = null where tenant_id = ${tenant} and id = ${id} and status = 'failing'`
}

/** Leaves a tombstone, which keeps no credentials. */
export async function bury(tx: Tx, tenant: string, id: string): Promise<void> {
  await tx`
    update channels
       set status = 'deleted', credentials = null, previous_secret = null, previous_secret_until = null, version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}`
}

/** Both secrets verify for a while; one that was replaced before that while was over verifies no more. */
export async function rotate(tx: Tx, tenant: string, id: string, sealed: { credentials: string; previous: string }): Promise<void> {
  await tx`
    update channels
       set credentials = ${sealed.credentials}, previous_secret = ${sealed.previous},
           previous_secret_until = now() + make_interval(hours => ${SECRET_OVERLAP_HOURS}),
           version = version + 1, updated_at = now()
     where tenant_id = ${tenant} and id = ${id}`
}

export async function countOf(tx: Tx, tenant: string): Promise<number> {
  const [counted] = await tx<{ channels: number }[]>`
    select count(*)::integer as channels from channels c where c.tenant_id = ${tenant} and c.status <> 'deleted'`
  return counted?.channels ?? 0
}
