// What commands about one workspace share: the option that names it, and the workspace itself, which must be there.
import type { Command } from 'commander'
import type { Caller } from '../caller.ts'
import { type Connect, type Opened, withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { inOptions, type Wording } from '../cli/refusal.ts'
import type { Sql } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { requireTenant } from './tenants.ts'

export interface TenantOptions {
  tenant: string
  json?: boolean
}
export type Options = Record<string, string | undefined> & TenantOptions

export const tenantCommand = (parent: Command, name: string, description: string): Command =>
  tenantOption(parent.command(name).description(description)).addOption(jsonOption())

export const tenantOption = (command: Command): Command => command.requiredOption('--tenant <id>', 'the workspace, ten_…')

/** Shown below a command's help: each line is what stands behind its name. The workspace is added. */
export const example = (command: Command, ...lines: string[]): Command =>
  command.addHelpText('after', `\n${['For example:', ...lines.map(line => `  bin/${pathOf(command)} ${line} --tenant ten_…`)].join('\n')}`)

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name())

export const callerOf = (tenant: string): Caller => ({ tenant, actor: { type: 'cli' } })

interface Needs {
  /** What was asked for, in the fields of REST. */
  input?: object
  wording?: Wording
  connect?: Connect
}

/** What the verbs refuse is told in terms of the command line. */
export const inTenant = <T>(
  tenant: string,
  work: (place: Opened & { sql: Sql }) => Promise<T>,
  { input, wording, connect }: Needs = {},
): Promise<T> =>
  withDatabase(async place => {
    await requireTenant(place.sql, tenant)
    return work(place)
  }, connect).catch(error => {
    throw inOptions(error, input, wording)
  })

export function found(noun: string, json: string | undefined): string {
  if (json === undefined) throw notFound(noun)
  return json
}
