import { type Command, Option } from 'commander'
import { withDatabase } from '../cli/command.ts'
import { commaList, jsonOption } from '../cli/options.ts'
import { show } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { requireTenant } from '../tenants/tenants.ts'
import { KINDS, type Kind } from './key.ts'
import { createKey, revokeKey } from './keys.ts'

const SCOPES = ['read', 'write']

export function commands(program: Command): void {
  const key = program.command('key').description('API keys')

  key
    .command('create')
    .description('make a key; it is shown this once')
    .requiredOption('--tenant <id>', 'the workspace')
    .addOption(new Option('--kind <kind>', 'the surface it opens').choices(Object.keys(KINDS)).default('rest'))
    .option('--scopes <list>', 'read, write, or both', 'read,write')
    .option('--name <name>', 'to tell it from others')
    .addOption(jsonOption())
    .action(async ({ tenant, kind, scopes, name, json }: { tenant: string; kind: Kind; scopes: string; name?: string; json?: boolean }) => {
      const list = [...new Set(commaList(scopes))]
      if (list.length === 0 || list.some(scope => !SCOPES.includes(scope)))
        throw new OperatorError(`--scopes is ${JSON.stringify(scopes)}; it must be read, write, or read,write.`)
      const made = await withDatabase(async ({ sql }) => {
        await requireTenant(sql, tenant)
        return createKey(sql, { tenant, kind, scopes: list, ...(name !== undefined && { name }) }, { type: 'cli' })
      })
      show(made, json)
    })

  key
    .command('revoke')
    .description('revoke a key: it is refused from the next request on')
    .argument('<id>', 'key_…')
    .requiredOption('--tenant <id>', 'the workspace')
    .addOption(jsonOption())
    .action(async (id: string, { tenant, json }: { tenant: string; json?: boolean }) => {
      if (!(await withDatabase(({ sql }) => revokeKey(sql, tenant, id, { type: 'cli' }))))
        throw new OperatorError(`${id} is no key of this workspace, or is revoked already.`)
      show({ id, revoked: true }, json)
    })
}
