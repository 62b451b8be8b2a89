// `shopdesk app …`: apps, for their authors and for the admins who install them. What a command does is imported when it runs: checking a manifest needs no
// database.
import { basename } from 'node:path'
import { type Command, Option } from 'commander'
import { loadConfig } from '../config.ts'
import { checkManifest } from './manifest/check.ts'
import { checkEditorSchema, writeEditorSchema } from './manifest/editor-schema.ts'
import type { TriggerType } from './manifest/flow-shapes.ts'
import { readSource } from './manifest/source.ts'
import { asJson, readManifest, tell } from './manifest-file.ts'
import { CREDENTIAL_MODES } from './schema.ts'

export function commands(program: Command, triggers: readonly TriggerType[]): void {
  const app = program.command('app').description('apps that add skills, records, views, knowledge and flows')
  manifestCommands(app, triggers)
  installCommand(app, triggers)
  devCommand(app, triggers)
  readCommands(app)
  deedCommands(app)
  settingCommands(app)
}

function manifestCommands(app: Command, triggers: readonly TriggerType[]): void {
  app
    .command('validate')
    .description('check a manifest, and say where what is wrong and how to mend it; needs no database')
    .argument('<file>', 'the manifest, a JSON file')
    .option('--json', 'print errors and warnings as JSON, with line and column')
    .addHelpText('after', '\nExample: shopdesk app validate loyalty.json')
    .action(async (file: string, { json }: { json?: true }) => {
      const { docsUrl, outbound } = loadConfig()
      const source = readSource(await readManifest(file))
      const findings =
        source.errors.length > 0 ? { errors: source.errors, warnings: [] } : checkManifest(source.value, { triggers, outbound })
      if (json) console.log(JSON.stringify(asJson(source, findings)))
      else tell(basename(file), source, findings, `${docsUrl}/apps/errors`)
      if (findings.errors.length > 0) process.exitCode = 1
    })
  app
    .command('schema')
    .description('write docs/apps/manifest.schema.json, the shape of a manifest for editors (for developers)')
    .option('--check', 'only compare, and fail on a difference')
    .action(({ check }: { check?: boolean }) => (check ? checkEditorSchema(triggers) : writeEditorSchema(triggers)))
}

const SECRET = '@file reads it from a file, - from stdin'

function installCommand(app: Command, triggers: readonly TriggerType[]): void {
  ofTenant(app, 'install', 'install an app, or upgrade the one that is there: what changes is shown first')
    .requiredOption('--manifest <file>', 'the manifest, a JSON file')
    .addOption(authOption())
    .option('--secret <secret>', `of bearer and hmac; ${SECRET}`)
    .option('--config <settings...>', `values of its settings, key=value; of a value, ${SECRET}`)
    .option('--grant', 'grant the scopes that an upgrade asks for')
    .option('--dry-run', 'show what would change, and write nothing')
    .addHelpText(
      'after',
      `
An app is granted exactly the scopes of its manifest when it is installed. An upgrade that asks for more asks on a terminal, and elsewhere wants --grant.

For example:
  bin/shopdesk app install --manifest loyalty.json --auth hmac --secret @secret.txt --config rate=2 api_key=@key.txt --tenant ten_…
  bin/shopdesk app install --manifest loyalty.json --dry-run --tenant ten_…`,
    )
    .action(async options => (await import('./install-command.ts')).installFile(options, triggers))
}

function devCommand(app: Command, triggers: readonly TriggerType[]): void {
  app
    .command('dev')
    .description('install an app at every save of its manifest, and follow its calls and runs; for authors')
    .requiredOption('--tenant <id>', 'the workspace, ten_…: one to try things in')
    .requiredOption('--manifest <file>', 'the manifest, a JSON file')
    .addHelpText(
      'after',
      '\nScopes that a saved manifest asks for are granted. Its service may run on this machine, without a tunnel: OUTBOUND_ALLOW_ORIGINS allows its address.',
    )
    .action(async options => (await import('./dev.ts')).develop(options, triggers))
}

function readCommands(app: Command): void {
  ofTenant(app, 'list', 'the apps of a workspace, the newest first').action(async ({ tenant, json }) =>
    (await import('./life-commands.ts')).showAll(tenant, json),
  )
  ofTenant(app, 'show', 'one app: its state, what it lacks, what it may do and what it adds')
    .argument('<app>', NAMED)
    .action(async (name: string, { tenant, json }) => (await import('./life-commands.ts')).showOne(tenant, name, json))
}

function deedCommands(app: Command): void {
  const deeds = {
    disable: 'stop an app at once: no skill is called, no run goes on; its records can be read',
    enable: 'let a disabled app go on',
    uninstall: 'take an app away; installing it again within 30 days brings back its records and settings',
  } as const
  for (const [name, description] of Object.entries(deeds))
    ofTenant(app, name, description)
      .argument('<app>', NAMED)
      .action(async (named: string, { tenant, json }) =>
        (await import('./life-commands.ts')).carryOut(name as keyof typeof deeds, tenant, named, json),
      )
}

function settingCommands(app: Command): void {
  ofTenant(app, 'config', 'set values of an app’s settings; what it lacked makes it active')
    .argument('<app>', NAMED)
    .argument('<settings...>', `key=value; key= takes a value away; of a value, ${SECRET}`)
    .addHelpText('after', '\nFor example:\n  bin/shopdesk app config acme:loyalty rate=2 api_key=@key.txt --tenant ten_…')
    .action(async (name: string, settings: string[], { tenant, json }) =>
      (await import('./life-commands.ts')).configureBy(tenant, name, settings, json),
    )
  ofTenant(app, 'credential', 'replace with what an app’s service is called')
    .argument('<app>', NAMED)
    .addOption(authOption().makeOptionMandatory())
    .option('--secret <secret>', `of bearer and hmac; ${SECRET}`)
    .addHelpText('after', '\nFor example:\n  bin/shopdesk app credential acme:loyalty --auth hmac --secret @secret.txt --tenant ten_…')
    .action(async (name: string, { tenant, json, ...given }) =>
      (await import('./life-commands.ts')).replaceCredential(tenant, name, given, json),
    )
}

const NAMED = 'app_…, or the id of its manifest, such as acme:loyalty'

const authOption = (): Option => new Option('--auth <mode>', 'how its service knows that we call').choices(CREDENTIAL_MODES)

const ofTenant = (parent: Command, name: string, description: string): Command =>
  parent
    .command(name)
    .description(description)
    .requiredOption('--tenant <id>', 'the workspace, ten_…')
    .option('--json', 'print the result as one line of JSON, and nothing else')
