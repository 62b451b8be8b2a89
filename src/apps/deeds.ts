// What an admin does with an installed app. Each deed is one transaction with its audit row.
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { audit } from '../postgres/audit.ts'
import type { Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import type { Keyring } from '../secrets.ts'
import { requireAdmin } from './callers.ts'
import { credentialFault } from './credential.ts'
import { type Installed, installedOf, manifestOf } from './installed.ts'
import type { Finding } from './manifest/finding.ts'
import type { Manifest } from './manifest/shape.ts'
import { save, stateBySettings } from './save.ts'
import type { Credential } from './schema.ts'
import { openSecrets, sealCredential, sealSecrets } from './sealed.ts'
import { withSettings } from './settings.ts'
import * as store from './store.ts'

/** A deed, or all that is wrong with what was given for it: then nothing was changed. */
export type Done = { ok: true; app: Installed } | { ok: false; errors: Finding[] }

/**
 * Sets values of settings, and takes away those given as null. An app that lacks nothing more is active at once.
 * @param app `app_…`, or the id of the manifest
 * @throws {Problem} 403 to all but an admin, the command line and the service; 404
 */
export async function configure(tx: Tx, caller: Caller, app: string, given: Record<string, unknown>, keyring: Keyring): Promise<Done> {
  const { row, manifest } = await held(tx, caller, app)
  const { config, secrets_set } = row
  const at = new Date(now())
  const settings = withSettings(manifest, { config, secrets_set, secrets: openSecrets(keyring, row) }, given, at.toISOString())
  if (!('config' in settings)) return { ok: false, errors: settings }
  const next = { ...row, ...settings, secrets: sealSecrets(keyring, row, settings.secrets), updated_at: at }
  if (row.state !== 'disabled') next.state = stateBySettings(manifest, next)
  await audit(tx, caller, 'app.configure', row.id, { keys: Object.keys(given) })
  return { ok: true, app: await save(tx, next, manifest) }
}

/** Replaces with what the app's service is called. @throws {Problem} as `configure` */
export async function setCredential(tx: Tx, caller: Caller, app: string, credential: Credential, keyring: Keyring): Promise<Done> {
  const { row, manifest } = await held(tx, caller, app)
  const errors = credentialFault(credential)
  if (errors.length > 0) return { ok: false, errors }
  const at = new Date(now())
  const sealed = sealCredential(keyring, row, credential)
  const next = {
    ...row,
    credential_mode: credential.mode,
    credential: sealed,
    credential_set_at: sealed === null ? null : at,
    updated_at: at,
  }
  await audit(tx, caller, 'app.credential', row.id, { mode: credential.mode })
  return { ok: true, app: await save(tx, next, manifest) }
}

/** No skill is called from the commit on, no run goes on, and nothing of the app is shown; its records can be read. @throws {Problem} as `configure` */
export async function disable(tx: Tx, caller: Caller, app: string): Promise<Installed> {
  const { row, manifest } = await held(tx, caller, app)
  if (row.state === 'disabled') return installedOf(row, manifest)
  await audit(tx, caller, 'app.disable', row.id)
  return save(tx, { ...row, state: 'disabled', updated_at: new Date(now()) }, manifest)
}

/** @throws {Problem} as `configure` */
export async function enable(tx: Tx, caller: Caller, app: string): Promise<Installed> {
  const { row, manifest } = await held(tx, caller, app)
  if (row.state !== 'disabled') return installedOf(row, manifest)
  await audit(tx, caller, 'app.enable', row.id)
  return save(tx, { ...row, state: stateBySettings(manifest, row), updated_at: new Date(now()) }, manifest)
}

/** Nothing of the app is there any more from the commit on; installing it again within a month brings back its records and its settings. */
export async function uninstall(tx: Tx, caller: Caller, app: string): Promise<Installed> {
  const { row, manifest } = await held(tx, caller, app)
  const at = new Date(now())
  await audit(tx, caller, 'app.uninstall', row.id, { app_id: row.app_id })
  return save(tx, { ...row, state: 'uninstalled', uninstalled_at: at, updated_at: at }, manifest)
}

async function held(tx: Tx, caller: Caller, app: string): Promise<{ row: store.Row; manifest: Manifest }> {
  await requireAdmin(tx, caller)
  const row = await store.lock(tx, caller.tenant, app)
  const manifest = row && (await manifestOf(tx, row.tenant, row.id, row.revision))
  if (!row || !manifest) throw notFound('app')
  return { row, manifest }
}
