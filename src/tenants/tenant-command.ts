// What commands about one workspace share: the option that names it, and the workspace itself, which must be there.
import type { Command } from 'commander'
import type { Caller } from '../caller.ts'
import { type Opened, withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { inOptions, type Wording } from '../cli/refusal.ts'
import type { Sql } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { requireTenant } from './tenants.ts'

export type Options = Record<string, string | undefined> & { tenant: string; json?: boolean }

export const tenantCommand = (webhook: Command, name: string, description: string): Command =>
  webhook.command(name).description(description).requiredOption('--tenant <id>', 'the workspace, ten_…').addOption(jsonOption())

/** Shown below a command's help. The name of the program and the workspace are added. */
export const example = (command: Command, ...lines: string[]): Command =>
  command.addHelpText('after', `\n${['For example:', ...lines.map(line => `  bin/shopdesk webhook ${line} --tenant ten_…`)].join('\n')}`)

export const callerOf = (tenant: string): Caller => ({ tenant, actor: { type: 'cli' } })

interface Asked {
  /** In the fields of REST. */
  input?: object
  wording?: Wording
}

/** What the verbs refuse is told in terms of the command line. */
export const inTenant = <T>(
  tenant: string,
  work: (place: Opened & { sql: Sql }) => Promise<T>,
  { input, wording }: Asked = {},
): Promise<T> =>
  withDatabase(async place => {
    await requireTenant(place.sql, tenant)
    return work(place)
  }).catch(error => {
    throw inOptions(error, input, wording)
  })

export function found(noun: string, json: string | undefined): string {
  if (json === undefined) throw notFound(noun)
  return json
}
