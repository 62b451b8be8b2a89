// `shopdesk app install`: what changes is shown before it is made, and a terminal is asked whether to grant what an upgrade wants.
import { basename } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { loadConfig } from '../config.ts'
import { begin, type Sql } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { callerOf, inTenant } from '../tenants/tenant-command.ts'
import { givenCredential, givenSettings } from './given.ts'
import { type Accepted, type AppContext, install, type Refused, type Wanted } from './install.ts'
import type { Finding } from './manifest/finding.ts'
import type { TriggerType } from './manifest/flow-shapes.ts'
import type { Config } from './manifest/shape.ts'
import { readSource, type Source } from './manifest/source.ts'
import { asJson, readManifest, tell } from './manifest-file.ts'
import type { CredentialMode } from './schema.ts'
import { linesOf } from './told.ts'

export interface InstallOptions {
  tenant: string
  manifest: string
  auth?: CredentialMode
  secret?: string
  config?: string[]
  grant?: true
  dryRun?: true
  json?: true
}

export async function installFile(options: InstallOptions, triggers: readonly TriggerType[]): Promise<void> {
  const source = readSource(await readManifest(options.manifest))
  if (source.errors.length > 0) return refuse(source, { ok: false, errors: source.errors, warnings: [] }, options)
  const credential = givenCredential(options)
  const wanted: Wanted = {
    manifest: source.value,
    ...(credential && { credential }),
    ...(options.config && { config: givenSettings(options.config, declaredIn(source.value)) }),
    ...(options.grant && { grant: true }),
  }
  const done = await inTenant(options.tenant, ({ sql, config, keyring }) =>
    carryOut(sql, options, wanted, { keyring, triggers, outbound: config.outbound }),
  )
  if (!done.ok) return refuse(source, done, options)
  if (options.json) console.log(JSON.stringify(programsAnswer(done)))
  else tellPeople(source, done, options)
}

/** Looks first, so that what is asked and shown is what is made: an upgrade that was faster is told of. */
async function carryOut(sql: Sql, options: InstallOptions, wanted: Wanted, context: AppContext): Promise<Accepted | Refused> {
  const attempt = (over: Partial<Wanted>) =>
    begin(sql, tx => install(tx, callerOf(options.tenant), { ...wanted, ...over }, context)).catch(asRefusal)
  const planned = await attempt({ dryRun: true })
  if (planned.ok) return options.dryRun ? planned : attempt({ expected: planned.before })
  const { compared } = planned
  if (!compared || planned.errors.some(({ code }) => code !== 'scope_not_granted')) return planned
  if (options.dryRun || options.json || !(await grants(linesOf(compared.changes)))) return planned
  return attempt({ grant: true, expected: compared.before })
}

function asRefusal(error: unknown): Refused {
  if (!(error instanceof Problem) || error.type !== 'conflict') throw error
  return { ok: false, errors: [{ path: '', code: String(error.members['code']), message: error.message }], warnings: [] }
}

async function grants(lines: string[]): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  console.log(['The upgrade changes:', ...lines].join('\n'))
  const answer = await asking.question('Grant the scopes that it asks for? (y/N) ').finally(() => asking.close())
  return /^y(es)?$/i.test(answer.trim())
}

/** The settings that the file declares, whatever else is wrong with it. */
function declaredIn(value: unknown): Config[] {
  const { config } = (value ?? {}) as { config?: unknown }
  return (Array.isArray(config) ? config : []).filter(each => typeof each === 'object' && each !== null)
}

const programsAnswer = ({ app, outcome, warnings }: Accepted) => ({
  id: app.id,
  full_id: app.app_id,
  version: app.manifest.version,
  revision: app.revision,
  outcome,
  status: app.state,
  scopes: app.scopes,
  warnings,
})

function refuse(source: Source, { errors, warnings, compared }: Refused, { json, manifest }: InstallOptions): void {
  process.exitCode = 1
  if (json) {
    console.log(JSON.stringify(asJson(source, { errors, warnings })))
    return
  }
  if (compared) tellChanges('The upgrade would change:', linesOf(compared.changes))
  for (const { path, message } of errors.filter(isOfOptions)) console.log(`${optionOf(path)} ${message}`)
  const ofFile = errors.filter(each => !isOfOptions(each))
  if (ofFile.length > 0) tell(basename(manifest), source, { errors: ofFile, warnings }, pageOf())
  if (errors.some(({ code }) => code === 'scope_not_granted')) console.log('To grant what it asks for, add --grant.')
}

// What was given beside the manifest has its place on the command line.
const isOfOptions = ({ path }: Finding): boolean => /^(config|credential)\./.test(path)
const optionOf = (path: string): string => path.replace(/^config\./, '--config ').replace(/^credential\./, '--')

const WORDS = { installed: 'is installed', upgraded: 'is upgraded', unchanged: 'is there already, with the same content' }
const WOULD = { installed: 'would be installed', upgraded: 'would be upgraded', unchanged: 'is there already, with the same content' }

function tellPeople(
  source: Source,
  { app, outcome, before, isBack, changes, warnings }: Accepted,
  { manifest, dryRun, tenant }: InstallOptions,
): void {
  if (warnings.length > 0) tell(basename(manifest), source, { errors: [], warnings }, pageOf())
  if (before > 0) tellChanges(dryRun ? 'What would change:' : 'What changes:', linesOf(changes))
  console.log(
    `${app.name} (${app.app_id}) ${(dryRun ? WOULD : WORDS)[outcome]}: ${dryRun ? '' : `${app.id}, `}revision ${app.revision}, ${app.state}.`,
  )
  if (isBack) console.log('It was uninstalled before: its records, settings and credential of then are its own again.')
  if (before === 0) console.log(`It may: ${app.scopes.length > 0 ? app.scopes.join(', ') : 'nothing beyond what it brings'}.`)
  if (app.missing.length > 0)
    console.log(
      `It lacks ${app.missing.join(', ')}: no skill is called and no flow begins until this is set, by\n  bin/shopdesk app config ${app.app_id} ${app.missing.map(key => `${key}=…`).join(' ')} --tenant ${tenant}`,
    )
}

function tellChanges(title: string, lines: string[]): void {
  if (lines.length > 0) console.log([title, ...lines].join('\n'))
}

const pageOf = (): string => `${loadConfig().docsUrl}/apps/errors`
