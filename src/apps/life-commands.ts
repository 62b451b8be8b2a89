// What the commands about installed apps do.
import { type Column, type Json, show, showLines, showRows } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { APPS_MAX } from '../limits/apps.ts'
import { begin } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { callerOf, found, inTenant } from '../tenants/tenant-command.ts'
import { configure, type Done, disable, enable, setCredential, uninstall } from './deeds.ts'
import { givenCredential, givenSettings } from './given.ts'
import { healthJson } from './health.ts'
import { installedApp } from './installed.ts'
import type { CredentialMode } from './schema.ts'
import * as store from './store.ts'

type AsJson = true | undefined

export async function showAll(tenant: string, json: AsJson): Promise<void> {
  const page = { sort: 'created_at', dir: 'desc', limit: APPS_MAX } as const
  const { data } = await inTenant(tenant, ({ sql }) => store.list(sql, tenant, {}, page))
  if (json) return console.log(`{"data":[${data}]}`)
  const rows = JSON.parse(`[${data}]`) as Json[]
  if (rows.length === 0) console.log('None.')
  else showRows(rows, COLUMNS)
}

const COLUMNS: Column[] = [
  'id',
  'full_id',
  'name',
  'version',
  'revision',
  'status',
  ['lacks', row => (row['missing_config'] as string[]).join(', ')],
]

export async function showOne(tenant: string, name: string, json: AsJson): Promise<void> {
  const [app, health] = await inTenant(tenant, ({ sql }) => Promise.all([store.findJson(sql, tenant, name), healthJson(sql, tenant, name)]))
  show({ ...(JSON.parse(found('app', app)) as Json), health: JSON.parse(found('app', health)) }, json, people)
}

/** Lists of parts by their names alone: all of each is in --json. */
function people(app: Json): void {
  const { object: _object, app_id: _id, full_id: _full, status: _status, hours: _hours, ...health } = app['health'] as Json
  const named = Object.fromEntries(
    Object.entries(app).map(([name, value]) => [name, Array.isArray(value) ? value.map(nameOf).join(', ') : value]),
  )
  showLines({ ...named, health })
}

function nameOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return String(part)
  const { id, key, value, set } = part as Json
  if (key === undefined) return String(id)
  return `${key}=${set === undefined ? JSON.stringify(value) : set ? '(set)' : 'null'}`
}

const DEEDS = { disable, enable, uninstall }

export async function carryOut(deed: keyof typeof DEEDS, tenant: string, name: string, json: AsJson): Promise<void> {
  const { id, app_id, state } = await inTenant(tenant, ({ sql }) => begin(sql, tx => DEEDS[deed](tx, callerOf(tenant), name)))
  show({ id, full_id: app_id, status: state }, json)
}

export async function configureBy(tenant: string, name: string, settings: string[], json: AsJson): Promise<void> {
  const done = await inTenant(tenant, async ({ sql, keyring }) => {
    const app = await installedApp(sql, tenant, name)
    if (!app) throw notFound('app')
    const given = givenSettings(settings, app.manifest.config ?? [])
    return begin(sql, tx => configure(tx, callerOf(tenant), name, given, keyring))
  })
  tell(done, json)
}

export async function replaceCredential(
  tenant: string,
  name: string,
  given: { auth?: CredentialMode; secret?: string },
  json: AsJson,
): Promise<void> {
  const credential = givenCredential(given)
  if (!credential) throw new OperatorError('--auth is required.')
  tell(await inTenant(tenant, ({ sql, keyring }) => begin(sql, tx => setCredential(tx, callerOf(tenant), name, credential, keyring))), json)
}

/** @throws {OperatorError} with all that is wrong */
function tell(done: Done, json: AsJson): void {
  if (!done.ok)
    throw new OperatorError(done.errors.map(({ path, message }) => `${path.replace(/^(config|credential)\./, '')} ${message}`).join(' '))
  const { id, app_id, state, missing } = done.app
  show({ id, full_id: app_id, status: state, missing_config: missing }, json)
}
