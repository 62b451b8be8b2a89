// The app of the demo: the loyalty example, as its author would run it beside the shop. Its service is a process of its own, and its manifest is installed
// with the address of that in place of the author's.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { contentOf } from '../apps/changes.ts'
import { type Installed, installedApp } from '../apps/installed.ts'
import type { Manifest } from '../apps/manifest/shape.ts'
import { eventTypes } from '../catalog.ts'
import { freePort } from '../loopback.ts'
import type { Sql, Tx } from '../postgres/sql.ts'
import type { Keyring } from '../secrets.ts'
import type { Program } from '../supervise.ts'
import type { DemoApp } from './made.ts'
import { caller } from './workspace.ts'

const MANIFEST = new URL('../../examples/loyalty/loyalty.json', import.meta.url)
const SERVICE = fileURLToPath(new URL('./loyalty.ts', import.meta.url))
/** What the shop calls its programme, which the manifest asks for. */
const SETTINGS = { program: 'Loyalty' }

export const originOf = ({ port }: DemoApp): string => `http://127.0.0.1:${port}`

/**
 * Where its service is to listen this time: at the port of last time, where that is free, so that the manifest stays as it is.
 * @param before of the last run @returns undefined where the workspace has the example no more, or another one: an admin has decided so
 */
export async function appToRun(sql: Sql, tenant: string, before: DemoApp | undefined): Promise<DemoApp | undefined> {
  const installed = await installedApp(sql, tenant, (await exampleAt('')).id)
  if (before ? !isAt(installed, before) : installed) return undefined
  return { secret: before?.secret ?? randomBytes(24).toString('base64url'), port: await freePort(before?.port) }
}

const isAt = (installed: Installed | undefined, app: DemoApp): boolean =>
  installed?.manifest.skills?.every(({ endpoint }) => endpoint.startsWith(`${originOf(app)}/`)) ?? false

/** Installs it, or upgrades it to the manifest of this program and the address of this run. An upgrade that records do not allow is left. */
export async function installExample(tx: Tx, tenant: string, app: DemoApp, keyring: Keyring): Promise<void> {
  const manifest = await exampleAt(originOf(app))
  const before = await installedApp(tx, tenant, manifest.id)
  if (before && contentOf(before.manifest) === contentOf(manifest)) return
  // Checking a manifest takes modules that nothing else here needs.
  const { install } = await import('../apps/install.ts')
  const settings = { config: SETTINGS, credential: { mode: 'hmac', secret: app.secret } } as const
  const outbound = { allowPrivate: false, allowOrigins: [originOf(app)] }
  const wanted = { manifest, grant: true, ...(!before && settings) }
  const done = await install(tx, caller(tenant), wanted, { keyring, triggers: eventTypes, outbound })
  if (!done.ok) console.log(`The demo's app stays as it was: ${done.errors.map(({ path, message }) => `${path} ${message}`).join(' ')}`)
}

async function exampleAt(origin: string): Promise<Manifest> {
  const manifest = JSON.parse(await readFile(MANIFEST, 'utf8')) as Manifest
  const skills = manifest.skills?.map(skill => ({ ...skill, endpoint: `${origin}${new URL(skill.endpoint).pathname}` }))
  return { ...manifest, ...(skills && { skills }) }
}

/** Its service, which needs little memory. @param file of the demo workspace: it says where to listen, and with what secret */
export const exampleService = (file: string): Program => ({
  name: 'The loyalty example',
  run: [execPath, '--no-deprecation', '--max-semi-space-size=1', '--max-old-space-size=64', SERVICE, file],
})
