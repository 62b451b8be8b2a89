// Every statement of installed apps.
import { now } from '../clock.ts'
import type { Ref } from '../ids.ts'
import { REVISION_DAYS } from '../limits/apps.ts'
import { DAY_SECONDS } from '../limits/clock.ts'
import { batchedOn } from '../postgres/batch.ts'
import { listPage, timeFilters } from '../postgres/list-page.ts'
import type { Page, PageRequest, Sort, TimeFilters } from '../postgres/page.ts'
import { type Prune, pruneExpired } from '../postgres/prune.ts'
import { arrayText, columns } from '../postgres/row-set.ts'
import { type Fragment, part, type Queryable, type Text, type Tx } from '../postgres/sql.ts'
import type { Slots } from '../records/slots.ts'
import type { CredentialMode, PlainValue, State } from './schema.ts'

/** An app of a workspace, without its manifest. */
export interface Row {
  tenant: string
  id: string
  /** The manifest's id. */
  app_id: string
  state: State
  revision: number
  scopes: string[]
  config: Record<string, PlainValue>
  /** When each secret was set: ISO 8601. */
  secrets_set: Record<string, string>
  /** Encrypted. */
  secrets: string | null
  credential_mode: CredentialMode
  /** Encrypted. */
  credential: string | null
  credential_set_at: Date | null
  slots: Slots
  created_at: Date
  updated_at: Date
  uninstalled_at: Date | null
}

const fields: Fragment = part`
  a.tenant_id as tenant, a.id, a.app_id, a.state, a.revision, a.scopes, a.config, a.secrets_set, a.secrets, a.credential_mode, a.credential,
  a.credential_set_at, a.slots, a.created_at, a.updated_at, a.uninstalled_at`

/** @param app `app_…`, or the id of the manifest, which alone holds a colon */
const named = (app: string): Fragment => (app.includes(':') ? part`a.app_id = ${app}` : part`a.id = ${app}`)

/** As it was read: whatever changes the row gives it another version. */
export type Found = Row & { version: string }

const version = part`a.xmin::text as version`

export async function find(sql: Queryable, tenant: string, app: string): Promise<Found | undefined> {
  const [row] = await sql<Found[]>`
    select ${fields}, ${version}
      from apps a
     where a.tenant_id = ${tenant} and ${named(app)} and a.state <> 'uninstalled'`
  return row
}

const REF = columns({ tenant: 'text', id: 'text' })
/** Apps that one statement finds. */
const FOUND_MAX = 100

/** As `find`, by `app_…`. What is asked together shares a statement. */
export const findTogether = batchedOn(async (sql: Queryable, asked: Ref[]): Promise<(Found | undefined)[]> => {
  const rows = await sql<(Found | { id: null })[]>`
    select ${fields}, ${version}
      from ${REF.numbered(asked)}
      left join apps a on a.tenant_id = r.tenant and a.id = r.id and a.state <> 'uninstalled'
     order by r.n`
  return rows.map(row => (row.id === null ? undefined : row))
}, FOUND_MAX)

/** @param app `app_…`, or the id of the manifest */
export async function findJson(sql: Queryable, tenant: string, app: string): Promise<string | undefined> {
  const [row] = await sql<{ doc: string }[]>`
    select a.doc from apps a where a.tenant_id = ${tenant} and ${named(app)} and a.state <> 'uninstalled'`
  return row?.doc
}

const sorts: Record<string, Sort> = {
  created_at: { by: part`t.created_at`, type: 'time' },
  updated_at: { by: part`t.updated_at`, type: 'time' },
}

export const list = (sql: Queryable, tenant: string, filters: TimeFilters, page: PageRequest): Promise<Page> =>
  listPage(
    sql,
    { from: part`apps t`, json: part`t.doc`, scope: part`t.tenant_id = ${tenant} and t.state <> 'uninstalled'`, sorts },
    timeFilters(filters),
    page,
  )

/** Whether any workspace has an app. */
export async function hasAny(sql: Queryable): Promise<boolean> {
  const [row] = await sql<{ has_any: boolean }[]>`select exists (select from apps a where a.state <> 'uninstalled') as has_any`
  return row?.has_any === true
}

const inStates = (sql: Queryable, tenant: string, states: Fragment): Promise<Row[]> => sql<Row[]>`
  select ${fields}
    from apps a
   where a.tenant_id = ${tenant} and a.state in (${states})
   order by a.created_at, a.id`

export const active = (sql: Queryable, tenant: string): Promise<Row[]> => inStates(sql, tenant, part`'active'`)
export const shown = (sql: Queryable, tenant: string): Promise<Row[]> => inStates(sql, tenant, part`'active', 'needs_config'`)

/** As `find`; until the transaction ends, `lock` waits. What holds an app does not wait for others that do. */
export async function hold(tx: Tx, tenant: string, app: string): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select ${fields}
      from apps a
     where a.tenant_id = ${tenant} and ${named(app)} and a.state <> 'uninstalled'
       for key share of a`
  return row
}

/** The same for several, those that were uninstalled too. */
export const holdAll = (tx: Tx, apps: Ref[]): Promise<Pick<Row, 'id' | 'state' | 'revision'>[]> => tx<
  Pick<Row, 'id' | 'state' | 'revision'>[]
>`
  select a.id, a.state, a.revision
    from ${REF.of(apps)}
    join apps a on a.tenant_id = r.tenant and a.id = r.id
   order by a.tenant_id, a.id
     for key share of a`

/** As `find`, with the row locked. */
export async function lock(tx: Tx, tenant: string, app: string): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select ${fields}
      from apps a
     where a.tenant_id = ${tenant} and ${named(app)} and a.state <> 'uninstalled'
       for update of a`
  return row
}

/** The app of a manifest's id that was uninstalled, locked. */
export async function lockUninstalled(tx: Tx, tenant: string, appId: string): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select ${fields}
      from apps a
     where a.tenant_id = ${tenant} and a.app_id = ${appId} and a.state = 'uninstalled'
     order by a.uninstalled_at desc
     limit 1
       for update of a`
  return row
}

export async function count(sql: Queryable, tenant: string): Promise<number> {
  const [row] = await sql`select count(*)::integer as count from apps where tenant_id = ${tenant} and state <> 'uninstalled'`
  return row?.['count'] ?? 0
}

/** The workspace's apps have another number from then on: see `versionOf`. */
export async function save(tx: Tx, row: Row, doc: string): Promise<void> {
  await tx`
    with version as (
      insert into app_versions as v (tenant_id, version) values (${row.tenant}, 1)
      on conflict (tenant_id) do update set version = v.version + 1)
    insert into apps (tenant_id, id, app_id, state, revision, scopes, config, secrets_set, secrets, credential_mode, credential, credential_set_at,
                      slots, created_at, updated_at, uninstalled_at, doc)
    values (${row.tenant}, ${row.id}, ${row.app_id}, ${row.state}, ${row.revision}, ${arrayText(row.scopes)}::text::text[],
            ${JSON.stringify(row.config)}::text::jsonb, ${JSON.stringify(row.secrets_set)}::text::jsonb, ${row.secrets}, ${row.credential_mode},
            ${row.credential}, ${row.credential_set_at}, ${JSON.stringify(row.slots)}::text::jsonb, ${row.created_at}, ${row.updated_at},
            ${row.uninstalled_at}, ${doc})
    on conflict (tenant_id, id) do update
       set state = excluded.state, revision = excluded.revision, scopes = excluded.scopes, config = excluded.config,
           secrets_set = excluded.secrets_set, secrets = excluded.secrets, credential_mode = excluded.credential_mode,
           credential = excluded.credential, credential_set_at = excluded.credential_set_at, slots = excluded.slots,
           updated_at = excluded.updated_at, uninstalled_at = excluded.uninstalled_at, doc = excluded.doc`
}

export async function manifestText(sql: Queryable, tenant: string, id: string, revision: number): Promise<string | undefined> {
  const [row] = await sql`
    select manifest from app_revisions where tenant_id = ${tenant} and app = ${id} and revision = ${revision}`
  return row?.['manifest']
}

export async function hashOf(tx: Tx, { tenant, id, revision }: Row): Promise<Buffer | undefined> {
  const [row] = await tx`select hash from app_revisions where tenant_id = ${tenant} and app = ${id} and revision = ${revision}`
  return row?.['hash']
}

/** The one before stays for the runs that began with it. */
export async function addRevision(tx: Tx, { tenant, id, revision }: Row, { hash, text }: { hash: Buffer; text: string }): Promise<void> {
  const at = new Date(now())
  await tx`
    with before as (
      update app_revisions set superseded_at = ${at} where tenant_id = ${tenant} and app = ${id} and superseded_at is null)
    insert into app_revisions (tenant_id, app, revision, hash, manifest, created_at)
    values (${tenant}, ${id}, ${revision}, ${hash}, ${text}, ${at})`
}

/** @param types of events; none where nothing of the app may begin */
export async function setTriggers(tx: Tx, { tenant, id }: Row, types: string[]): Promise<void> {
  await tx`
    delete from app_triggers where tenant_id = ${tenant} and app = ${id} and event_type <> all (${arrayText(types)}::text::text[])`
  await tx`
    insert into app_triggers (tenant_id, event_type, app)
    select ${tenant}, t.type, ${id} from unnest(${arrayText(types)}::text::text[]) as t (type)
    on conflict (tenant_id, event_type, app) do nothing`
}

/** Apps whose records and settings are kept no longer, of all workspaces. */
export const expired = (sql: Queryable, days: number, most: number): Promise<{ tenant: string; id: string; app_id: string }[]> => sql<
  { tenant: string; id: string; app_id: string }[]
>`
  select a.tenant_id as tenant, a.id, a.app_id
    from apps a
   where a.state = 'uninstalled' and a.uninstalled_at <= ${new Date(now() - days * DAY_SECONDS * 1000)}
   order by a.uninstalled_at
   limit ${most}`

export async function remove(sql: Queryable, tenant: string, id: string): Promise<void> {
  await sql`delete from apps where tenant_id = ${tenant} and id = ${id} and state = 'uninstalled'`
}

/** Deletes revisions that were superseded so long ago that no run is under way on them. */
export const pruneRevisions: Prune = pruneExpired({
  table: 'app_revisions',
  key: ['tenant_id', 'app', 'revision'],
  by: 'superseded_at',
  expired: part`o.superseded_at < now() - make_interval(days => ${REVISION_DAYS})`,
})
export const hasTrigger = (tenant: Text, type: Text): Fragment =>
  part`exists (select from app_triggers g where g.tenant_id = ${tenant} and g.event_type = ${type})`

export const withTrigger = (tenant: Text, type: Text): Fragment => part`
  select string_agg(g.app || ' ' || a.revision, ' ' order by g.app)
    from app_triggers g
    join apps a on a.tenant_id = g.tenant_id and a.id = g.app
   where g.tenant_id = ${tenant} and g.event_type = ${type}`

export const manifestBytes = (tenant: Text, type: Text): Fragment => part`
  select coalesce(sum(octet_length(r.manifest)), 0)::integer
    from app_triggers g
    join apps a on a.tenant_id = g.tenant_id and a.id = g.app
    join app_revisions r on r.tenant_id = a.tenant_id and r.app = a.id and r.revision = a.revision
   where g.tenant_id = ${tenant} and g.event_type = ${type}`

/** The number of the workspace's apps as they are now, as text: any change of one gives them another. */
export const versionOf = (tenant: Text): Fragment =>
  part`coalesce((select v.version from app_versions v where v.tenant_id = ${tenant}), 0)::text`

export const lacksConfig = (tenant: Text, app: Text): Fragment =>
  part`exists (select from apps a where a.tenant_id = ${tenant} and a.id = ${app} and a.state = 'needs_config')`

export const isActive = (tenant: Text, app: Text): Fragment =>
  part`exists (select from apps a where a.tenant_id = ${tenant} and a.id = ${app} and a.state = 'active')`
