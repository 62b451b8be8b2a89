// Installing an app, and upgrading it: a manifest is judged as a whole, compared with what is there, and written in one transaction.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { newId } from '../ids.ts'
import { APPS_MAX, UNINSTALLED_DAYS } from '../limits/apps.ts'
import { DAY_SECONDS } from '../limits/clock.ts'
import { RECORDS_COUNTED_MAX } from '../limits/records.ts'
import { audit } from '../postgres/audit.ts'
import type { Tx } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { countOf } from '../records/records.ts'
import { assignSlots } from '../records/slots.ts'
import { type Keyring, sha256 } from '../secrets.ts'
import { lockTenant } from '../tenants/tenants.ts'
import { breakingChanges } from './breaking.ts'
import { requireAdmin } from './callers.ts'
import { type Changes, changesOf, contentOf } from './changes.ts'
import { credentialFault } from './credential.ts'
import { type Installed, installedOf, manifestOf } from './installed.ts'
import { type CheckOptions, checkManifest } from './manifest/check.ts'
import type { Finding } from './manifest/finding.ts'
import type { Manifest } from './manifest/shape.ts'
import { save, stateBySettings } from './save.ts'
import type { Credential } from './schema.ts'
import { openSecrets, sealCredential, sealSecrets } from './sealed.ts'
import { keptSettings, missingSettings, type Settings, withSettings } from './settings.ts'
import * as store from './store.ts'
import { olderVersion } from './version.ts'

export interface AppContext extends CheckOptions {
  keyring: Keyring
}

export interface Wanted {
  /** JSON of any content. */
  manifest: unknown
  /** Values of settings by key: those that are not named stay. */
  config?: Record<string, unknown>
  credential?: Credential
  /** Scopes that an upgrade asks for are granted. */
  grant?: boolean
  /** Nothing is written. */
  dryRun?: boolean
  /** The revision that was looked at before; 0 where there was none. Another is refused: another upgrade was faster. */
  expected?: number
}

export interface Accepted {
  ok: true
  outcome: 'installed' | 'upgraded' | 'unchanged'
  app: Installed
  /** The revision that was there; 0 where there was none. */
  before: number
  /** It was uninstalled, and has its records, settings and credential again. */
  isBack: boolean
  changes: Changes
  warnings: Finding[]
}

export interface Refused {
  ok: false
  errors: Finding[]
  warnings: Finding[]
  /** Absent where the manifest itself is wrong. */
  compared?: { before: number; changes: Changes }
}

/**
 * Installs an app with exactly the scopes of its manifest, or upgrades the one that has its id.
 * @returns what came of it; where it is refused, nothing was written
 * @throws {Problem} 403 to all but an admin, the command line and the service; 409 `app_changed` where `expected` is not met
 */
export async function install(tx: Tx, caller: Caller, wanted: Wanted, context: AppContext): Promise<Accepted | Refused> {
  await requireAdmin(tx, caller)
  const { manifest, errors, warnings } = checkManifest(wanted.manifest, context)
  if (!manifest) return { ok: false, errors, warnings }
  await lockTenant(tx, caller.tenant)
  const before = await presentOf(tx, caller.tenant, manifest.id)
  const was = before?.live ? before.row.revision : 0
  if (wanted.expected !== undefined && wanted.expected !== was) throw changedMeanwhile(manifest)
  const changes = changesOf(before?.manifest, manifest, before?.live ? before.row.scopes : manifest.scopes)
  const row = before?.row ?? newRow(caller.tenant, manifest)
  const settings = settingsFor(before, row, manifest, wanted, context.keyring)
  const refusals = [
    ...(before?.live ? ungranted(manifest, changes, wanted) : await tooMany(tx, caller.tenant)),
    ...(before ? await unfit(tx, before, manifest) : []),
    ...('config' in settings ? [] : settings),
    ...(wanted.credential ? credentialFault(wanted.credential) : []),
  ]
  if (refusals.length > 0 || !('config' in settings)) return { ok: false, errors: refusals, warnings, compared: { before: was, changes } }
  const hash = sha256(contentOf(manifest))
  const isSame = before?.hash.equals(hash) ?? false
  const outcome = !before?.live ? 'installed' : isSame ? 'unchanged' : 'upgraded'
  const next = nextRow(row, manifest, settings, wanted.credential, context.keyring)
  next.revision = isSame || !before ? row.revision : row.revision + 1
  const missing = missingSettings(manifest, next)
  const told = [...warnings, ...olderVersion(before?.manifest.version, manifest.version), ...missing.map(unsetSetting(manifest))]
  const isIdle = outcome === 'unchanged' && !wanted.config && !wanted.credential
  if (!wanted.dryRun && !isIdle) {
    await save(tx, next, manifest)
    if (!isSame) await store.addRevision(tx, next, { hash, text: JSON.stringify(manifest) })
    await record(tx, caller, { outcome, row: next, manifest, changes, wanted })
  }
  const isBack = before !== undefined && !before.live
  return { ok: true, outcome, app: installedOf(next, manifest), before: was, isBack, changes, warnings: told }
}

interface Present {
  row: store.Row
  manifest: Manifest
  hash: Buffer
  /** Not uninstalled. */
  live: boolean
}

async function presentOf(tx: Tx, tenant: string, appId: string): Promise<Present | undefined> {
  const installed = await store.lock(tx, tenant, appId)
  const row = installed ?? (await store.lockUninstalled(tx, tenant, appId))
  if (!row) return undefined
  if (row.uninstalled_at && row.uninstalled_at <= endOfRetention()) throw beingCleared(appId)
  const [manifest, hash] = [await manifestOf(tx, tenant, row.id, row.revision), await store.hashOf(tx, row)]
  if (!manifest || !hash) throw new Error(`${row.id} has no revision ${row.revision}`)
  return { row, manifest, hash, live: installed !== undefined }
}

function newRow(tenant: string, manifest: Manifest): store.Row {
  const at = new Date(now())
  return {
    tenant,
    id: newId('app'),
    app_id: manifest.id,
    state: 'active',
    revision: 1,
    scopes: manifest.scopes,
    config: {},
    secrets_set: {},
    secrets: null,
    credential_mode: 'none',
    credential: null,
    credential_set_at: null,
    slots: {},
    created_at: at,
    updated_at: at,
    uninstalled_at: null,
  }
}

function settingsFor(
  before: Present | undefined,
  row: store.Row,
  manifest: Manifest,
  { config = {} }: Wanted,
  keyring: Keyring,
): Settings | Finding[] {
  const present: Settings = { config: row.config, secrets_set: row.secrets_set, secrets: openSecrets(keyring, row) }
  const kept = before ? keptSettings(before.manifest, manifest, present) : present
  return withSettings(manifest, kept, config, new Date(now()).toISOString())
}

function nextRow(row: store.Row, manifest: Manifest, settings: Settings, credential: Credential | undefined, keyring: Keyring): store.Row {
  const at = new Date(now())
  const next: store.Row = {
    ...row,
    scopes: manifest.scopes,
    slots: assignSlots(row.slots, manifest),
    config: settings.config,
    secrets_set: settings.secrets_set,
    secrets: sealSecrets(keyring, row, settings.secrets),
    updated_at: at,
    uninstalled_at: null,
    ...(credential && {
      credential_mode: credential.mode,
      credential: sealCredential(keyring, row, credential),
      credential_set_at: credential.mode === 'none' ? null : at,
    }),
  }
  return { ...next, state: row.state === 'disabled' ? 'disabled' : stateBySettings(manifest, next) }
}

const ungranted = ({ scopes }: Manifest, { scopes: { added } }: Changes, { grant = false }: Wanted): Finding[] =>
  grant
    ? []
    : added.map(scope => ({
        path: `scopes[${scopes.indexOf(scope)}]`,
        code: 'scope_not_granted',
        message: `asks for ${scope}, which the app was not granted; grant it with the upgrade.`,
      }))

/** Records that are there would not fit. */
async function unfit(tx: Tx, before: Present, manifest: Manifest): Promise<Finding[]> {
  const { tenant, app_id } = before.row
  const breaking = breakingChanges(before.manifest, manifest)
  const counts = new Map<string, number>()
  for (const { resource } of breaking)
    if (!counts.has(resource)) counts.set(resource, await countOf(tx, tenant, `${app_id}:${resource}`, RECORDS_COUNTED_MAX))
  return breaking.flatMap(({ resource, path, what }) => {
    const count = counts.get(resource) ?? 0
    if (count === 0) return []
    const many = count < RECORDS_COUNTED_MAX ? String(count) : `${count} or more`
    const message = `cannot be as it is now: ${resource} has ${many} ${count === 1 ? 'record' : 'records'}, the upgrade ${what}, and nothing migrates; leave it as it was and add a field, or delete the records first.`
    return [{ path, code: 'schema_change', message }]
  })
}

async function tooMany(tx: Tx, tenant: string): Promise<Finding[]> {
  if ((await store.count(tx, tenant)) < APPS_MAX) return []
  return [{ path: '', code: 'too_many_apps', message: `would be one app too many: a workspace has ${APPS_MAX} at most; uninstall one.` }]
}

const unsetSetting =
  ({ config = [] }: Manifest) =>
  (key: string): Finding => ({
    path: `config[${config.findIndex(each => each.key === key)}]`,
    code: 'config_required',
    message: `is ${key}, which has no value yet: until it is set, no skill is called and no flow begins.`,
  })

/** What was uninstalled before this is kept no longer. */
const endOfRetention = (): Date => new Date(now() - UNINSTALLED_DAYS * DAY_SECONDS * 1000)

// Its records are half gone, perhaps.
const beingCleared = (appId: string): Problem =>
  new Problem('conflict', `What ${appId} left when it was uninstalled is being deleted; try again in a minute.`, { code: 'app_clearing' })

const changedMeanwhile = ({ id }: Manifest): Problem =>
  new Problem('conflict', `${id} was installed or upgraded meanwhile; look at it again.`, { code: 'app_changed' })

interface Deed {
  outcome: Accepted['outcome']
  row: store.Row
  manifest: Manifest
  changes: Changes
  wanted: Wanted
}

async function record(tx: Tx, caller: Caller, { outcome, row, manifest, changes, wanted }: Deed): Promise<void> {
  const { id: app_id, version, scopes } = manifest
  const { revision } = row
  if (outcome === 'installed') await audit(tx, caller, 'app.install', row.id, { app_id, version, revision, scopes })
  if (outcome === 'upgraded')
    await audit(tx, caller, 'app.upgrade', row.id, { app_id, version, revision, dropped_scopes: changes.scopes.removed })
  if (outcome === 'upgraded' && changes.scopes.added.length > 0)
    await audit(tx, caller, 'app.grant', row.id, { scopes: changes.scopes.added })
  const keys = Object.keys(wanted.config ?? {})
  if (keys.length > 0) await audit(tx, caller, 'app.configure', row.id, { keys })
  if (wanted.credential) await audit(tx, caller, 'app.credential', row.id, { mode: wanted.credential.mode })
}
