// `shopdesk app dev`: an app installed at every save of its manifest, and followed meanwhile. All on one machine: the service of the app needs no tunnel.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { watch } from '../cli/watch.ts'
import { loadConfig } from '../config.ts'
import { APP_FOLLOW_MS, APP_SAVE_LOOKS, APP_SAVE_MS } from '../limits/apps.ts'
import { checkAddress } from '../outbound/address.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { callerOf, inTenant } from '../tenants/tenant-command.ts'
import { following, toAllow } from './following.ts'
import { type Accepted, type AppContext, install, type Refused } from './install.ts'
import type { Installed } from './installed.ts'
import type { TriggerType } from './manifest/flow-shapes.ts'
import { readSource, type Source } from './manifest/source.ts'
import { readManifest, tell } from './manifest-file.ts'
import { linesOf } from './told.ts'

export interface DevOptions {
  tenant: string
  manifest: string
}

/** @param stopped ends it; else Ctrl-C does */
export const develop = ({ tenant, manifest }: DevOptions, triggers: readonly TriggerType[], stopped?: AbortSignal): Promise<void> =>
  inTenant(tenant, async ({ sql, config, keyring }) => {
    const context: AppContext = { keyring, triggers, outbound: config.outbound }
    const saves = savesOf(manifest)
    const news = following(sql, new Date())
    let app: Installed | undefined
    // A save that the database kept from being installed is one still.
    let isSaved = false
    console.log(`Watching ${manifest}. Ctrl-C ends it; the app stays installed.`)
    async function look(): Promise<boolean> {
      isSaved = (await saves.taken()) || isSaved
      if (isSaved) {
        const next = await installSaved(sql, tenant, manifest, context)
        isSaved = false
        if (app && next && next.id !== app.id) tellRenamed(app, next, tenant)
        app = next ?? app
      }
      if (app) for (const line of await news({ tenant, id: app.id })) console.log(line)
      return false
    }
    await watch(look, APP_FOLLOW_MS, stopped)
  })

/** Looked at rather than watched: editors put a new file in the old one's place, and a folder that comes anew with a branch is another one. */
function savesOf(file: string): { taken(): Promise<boolean> } {
  let seen = ''
  return {
    async taken() {
      let now = await stateOf(file)
      if (now === seen) return false
      // Once the editor has done with it, or after a second of saves.
      for (let looks = 0; now !== seen && looks < APP_SAVE_LOOKS; looks++) {
        seen = now
        await delay(APP_SAVE_MS)
        now = await stateOf(file)
      }
      return true
    },
  }
}

/** Another one after each save; also where there is no file. */
const stateOf = (file: string): Promise<string> =>
  stat(file, { bigint: true }).then(
    ({ ino, mtimeNs, size }) => `${ino} ${mtimeNs} ${size}`,
    (error: NodeJS.ErrnoException) => String(error.code),
  )

async function installSaved(sql: Sql, tenant: string, file: string, context: AppContext): Promise<Installed | undefined> {
  const source = await readManifest(file).then(readSource, (error: Error) => console.log(error.message))
  if (!source) return undefined
  if (source.errors.length > 0) return tellRefused(file, source, { ok: false, errors: source.errors, warnings: [] })
  // What the author asks for in a workspace of theirs is granted, and said.
  const done = await begin(sql, tx => install(tx, callerOf(tenant), { manifest: source.value, grant: true }, context))
  if (!done.ok) return tellRefused(file, source, done)
  tellInstalled(file, source, done)
  return done.app
}

/** An id names an app, so a manifest whose id was changed is another one. */
function tellRenamed(before: Installed, after: Installed, tenant: string): void {
  console.log(
    [
      `The id of the manifest has changed, so ${after.app_id} is an app beside ${before.app_id}, which stays installed and whose flows go on.`,
      `Unless you want both: bin/shopdesk app uninstall ${before.app_id} --tenant ${tenant}`,
    ].join('\n'),
  )
}

function tellRefused(file: string, source: Source, { errors, warnings }: Refused): undefined {
  tell(basename(file), source, { errors, warnings }, `${loadConfig().docsUrl}/apps/errors`)
  const { skills = [] } = (source.value ?? {}) as { skills?: { endpoint?: unknown }[] }
  const refused = errors.map(({ path }) => /^skills\[(\d+)\]\.endpoint$/.exec(path)?.[1]).filter(index => index !== undefined)
  const inside = refused.map(index => skills[Number(index)]?.endpoint).find(isInside)
  if (inside !== undefined) console.log(`To call a service on this machine, allow its address: ${toAllow(inside)}, and for this command.`)
}

function isInside(endpoint: unknown): endpoint is string {
  const host = (typeof endpoint === 'string' ? URL.parse(endpoint)?.hostname : undefined) ?? ''
  return host === 'localhost' || checkAddress(host.replaceAll(/[[\]]/g, '')) === 'loopback'
}

function tellInstalled(file: string, source: Source, { app, outcome, changes, warnings }: Accepted): void {
  if (warnings.length > 0) tell(basename(file), source, { errors: [], warnings }, `${loadConfig().docsUrl}/apps/errors`)
  const lines = outcome === 'upgraded' ? linesOf(changes) : []
  console.log(
    [`${app.app_id} is ${outcome === 'unchanged' ? 'as it was' : outcome}: revision ${app.revision}, ${app.state}.`, ...lines].join('\n'),
  )
}
