// What others ask of the apps of a workspace: which there are, what their manifests say, their settings and their credential. Never from an earlier
// moment, but for manifests: a revision never changes.
import type { Ref } from '../ids.ts'
import { MANIFESTS_KEPT_CHARS } from '../limits/apps.ts'
import type { Queryable, Sql, Tx } from '../postgres/sql.ts'
import type { Slots } from '../records/slots.ts'
import type { Keyring } from '../secrets.ts'
import type { Manifest } from './manifest/shape.ts'
import type { Credential, PlainValue, State } from './schema.ts'
import { openCredential, openSecrets } from './sealed.ts'
import { missingSettings } from './settings.ts'
import * as store from './store.ts'

/** An app that a workspace has; one that was uninstalled is none. */
export interface Installed {
  tenant: string
  /** `app_…` */
  id: string
  /** The manifest's id: `<vendor>:<slug>`. */
  app_id: string
  name: string
  state: State
  revision: number
  manifest: Manifest
  /** Those that were granted. */
  scopes: string[]
  /** The keys of required settings without a value: some where `state` is `needs_config`. */
  missing: string[]
  /** The fields of each resource, with the columns of their values. */
  slots: Slots
}

/** @param app `app_…`, or the id of the manifest */
export async function installedApp(sql: Queryable, tenant: string, app: string): Promise<Installed | undefined> {
  const row = await store.find(sql, tenant, app)
  return row && withManifest(sql, row)
}

/** The same for a change that only fits the app as it is: until the transaction ends, it is neither upgraded, disabled nor uninstalled. */
export async function heldApp(tx: Tx, tenant: string, app: string): Promise<Installed | undefined> {
  const row = await store.hold(tx, tenant, app)
  return row && withManifest(tx, row)
}

/** What an app was found to be. */
export interface AppAt extends Ref {
  revision: number
}

/** Whether all of these apps are still active, and of these revisions. Until the transaction ends, they stay so. */
export async function areActiveAt(tx: Tx, apps: AppAt[]): Promise<boolean> {
  const held = new Map((await store.holdAll(tx, [...new Map(apps.map(each => [each.id, each])).values()])).map(each => [each.id, each]))
  return apps.every(({ id, revision }) => held.get(id)?.state === 'active' && held.get(id)?.revision === revision)
}

/** @param app `app_…`, or the id of the manifest @returns `app_…` */
export const idOfApp = async (sql: Queryable, tenant: string, app: string): Promise<string | undefined> =>
  (await store.find(sql, tenant, app))?.id

/** Whether any workspace has an app. */
export const hasApps = store.hasAny

/** Those of which skills are called, flows begin, and knowledge and views are shown. */
export async function activeApps(sql: Queryable, tenant: string): Promise<Installed[]> {
  const rows = await store.active(sql, tenant)
  return Promise.all(rows.map(row => withManifest(sql, row)))
}

/** Those whose views are shown: they may lack settings, but are not disabled. */
export async function shownApps(sql: Queryable, tenant: string): Promise<Installed[]> {
  const rows = await store.shown(sql, tenant)
  return Promise.all(rows.map(row => withManifest(sql, row)))
}

/** The manifest of a revision, also of one that was superseded, for a month and longer. */
export async function manifestOf(sql: Queryable, tenant: string, id: string, revision: number): Promise<Manifest | undefined> {
  const key = `${tenant} ${id} ${revision}`
  const before = manifests.get(key)
  if (before) return before.manifest
  const text = await store.manifestText(sql, tenant, id, revision)
  if (text === undefined) return undefined
  const manifest = JSON.parse(text) as Manifest
  keep(key, { manifest, chars: text.length })
  return manifest
}

/** The values of an app's settings by key. */
export interface SettingValues {
  plain: Record<string, PlainValue>
  /** Never to be logged. */
  secret: Record<string, string>
}

/** Those that are no secrets, which need not be opened. */
export const plainSettingsOf = async (sql: Queryable, tenant: string, id: string): Promise<SettingValues['plain']> =>
  (await store.find(sql, tenant, id))?.config ?? {}

/** Which of them are secret is as it was set: an earlier revision may call a setting a text that is a secret now. */
export async function settingsOf(sql: Queryable, keyring: Keyring, tenant: string, id: string): Promise<SettingValues> {
  const row = await store.find(sql, tenant, id)
  return row ? { plain: row.config, secret: openSecrets(keyring, row) } : { plain: {}, secret: {} }
}

type Sealed = Pick<store.Row, 'tenant' | 'id' | 'credential_mode' | 'credential' | 'secrets'>

/** An app whose skills may be called. */
export interface Callable {
  app: Installed
  sealed: Sealed
  /** What `app` and `sealed` are of: whatever changes the app gives it another. */
  version: string
  /** It was read for an earlier call: nothing may come of it before the version was compared. */
  isKept: boolean
  /** When it was read, or is to be compared, by performance.now(). */
  readAt: number
}

/**
 * As `installedApp`, for calls, of which many are made: they share a statement, and need none where the app was read before.
 * @param app `app_…`, or the id of the manifest @param anew what is kept is not used
 */
export async function callableApp(sql: Sql, tenant: string, app: string, anew = false): Promise<Callable | undefined> {
  const readAt = performance.now()
  const key = `${tenant} ${app}`
  const kept = anew ? undefined : rows.get(key)
  const row = kept ?? (await (app.includes(':') ? store.find(sql, tenant, app) : store.findTogether(sql, { tenant, id: app })))
  if (!row) return undefined
  if (!kept) keepRow(key, row)
  const { id, credential_mode, credential, secrets, version } = row
  const sealed = { tenant, id, credential_mode, credential, secrets }
  return { app: await withManifest(sql, row), sealed, version, isKept: kept !== undefined, readAt }
}

/** Apps as they were read last, by workspace and name, without their manifests; what is secret of them is encrypted. */
const rows = new Map<string, store.Found>()
const ROWS_KEPT = 1_000
/** A row with more is not kept. */
const ROW_CHARS_MAX = 8 * 1024

function keepRow(key: string, row: store.Found): void {
  rows.delete(key)
  if (JSON.stringify(row).length > ROW_CHARS_MAX) return
  const [oldest] = rows.size >= ROWS_KEPT ? rows.keys() : []
  if (oldest !== undefined) rows.delete(oldest)
  rows.set(key, row)
}

/** A call that had to wait reads the app again, for its credential may have been replaced. */
const CREDENTIAL_FRESH_MS = 500

/** What an app's service is called with, and all that it may know of ours and might repeat: never to be logged. */
export interface Confided {
  credential: Credential
  secrets: string[]
}

/** @returns its state, where it was disabled, uninstalled or lost a setting while the call waited: then it is not called */
export async function confidedTo(
  sql: Sql,
  keyring: Keyring,
  { app: { tenant, id }, sealed, readAt }: Callable,
): Promise<Confided | Exclude<State, 'active'>> {
  const isFresh = performance.now() - readAt < CREDENTIAL_FRESH_MS
  const found = isFresh ? undefined : await store.findTogether(sql, { tenant, id })
  if (!isFresh && found?.state !== 'active') return found?.state ?? 'uninstalled'
  const row: Sealed = found ?? sealed
  const credential = openCredential(keyring, row)
  const settings = Object.values(openSecrets(keyring, row))
  return { credential, secrets: credential.mode === 'none' ? settings : [credential.secret, ...settings] }
}

async function withManifest(sql: Queryable, row: store.Row): Promise<Installed> {
  const manifest = await manifestOf(sql, row.tenant, row.id, row.revision)
  if (!manifest) throw new Error(`${row.id} has no revision ${row.revision}`)
  return installedOf(row, manifest)
}

export const installedOf = (row: store.Row, manifest: Manifest): Installed => {
  const { tenant, id, app_id, state, revision, scopes, slots } = row
  return { tenant, id, app_id, name: manifest.name, state, revision, manifest, scopes, missing: missingSettings(manifest, row), slots }
}

interface Kept {
  manifest: Manifest
  chars: number
}
const manifests = new Map<string, Kept>()
let keptChars = 0

function keep(key: string, kept: Kept): void {
  for (const [oldest, { chars }] of manifests) {
    if (keptChars + kept.chars <= MANIFESTS_KEPT_CHARS) break
    manifests.delete(oldest)
    keptChars -= chars
  }
  // Another may have read it meanwhile.
  keptChars += kept.chars - (manifests.get(key)?.chars ?? 0)
  manifests.set(key, kept)
}
