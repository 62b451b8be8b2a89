// What commands about one workspace share: the option that names it, and the check that the workspace exists.
import type { Command } from 'commander'
import type { Caller } from '../caller.ts'
import { type CommandContext, type Connect, withDatabase } from '../cli/command.ts'
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

/** Adds examples to a command's help: each line is what follows the command's name. The workspace is added. */
export const example = (command: Command, ...lines: string[]): Command =>
  command.addHelpText(
    'after',
    `\n${['For example:', ...lines.map(line => `  bin/${[pathOf(command), line].join(' ').trim()} --tenant ten_…`)].join('\n')}`,
  )

const pathOf = (command: Command): string => (command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name())

export const callerOf = (tenant: string): Caller => ({ tenant, actor: { type: 'cli' } })

interface InTenantOptions {
  /** The input in the fields of REST, for refusals. */
  input?: object
  wording?: Wording
  connect?: Connect
}

/** Runs `work` on the database, for a workspace that exists. A refusal of a verb is told in the words of the command line. */
export const inTenant = <T>(
  tenant: string,
  work: (opened: CommandContext & { sql: Sql }) => Promise<T>,
  { input, wording, connect }: InTenantOptions = {},
): Promise<T> =>
  withDatabase(async opened => {
    await requireTenant(opened.sql, tenant)
    return work(opened)
  }, connect).catch(error => {
    throw inOptions(error, input, wording)
  })

export function found(noun: string, json: string | undefined): string {
  if (json === undefined) throw notFound(noun)
  return json
}
