import { type Command, Option } from 'commander'
import { commaList } from '../cli/options.ts'
import { show, showRows } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { PERSON_NAME_CHARS } from '../limits/tenants.ts'
import { begin } from '../postgres/sql.ts'
import { nameOf } from '../tenants/email.ts'
import { callerOf, inTenant, type TenantOptions, tenantCommand } from '../tenants/tenant-command.ts'
import { issueKey } from './issue.ts'
import { KINDS, type Kind } from './key.ts'
import { listKeys, revokeKey } from './keys.ts'

const SCOPES = ['read', 'write']
const COLUMNS = ['id', 'kind', 'name', 'last_four', 'scopes', 'created_at', 'last_used_at', 'revoked_at']

interface NewKeyOptions extends TenantOptions {
  kind: Kind
  scopes: string
  name?: string
}

export function commands(program: Command): void {
  const key = program.command('key').description('API keys')

  tenantCommand(key, 'create', 'make a key; it is shown this once')
    .addOption(new Option('--kind <kind>', 'the surface it opens').choices(Object.keys(KINDS)).default('rest'))
    .option('--scopes <list>', 'read, write, or both', 'read,write')
    .option('--name <name>', 'to tell it from others')
    .action(async ({ tenant, kind, scopes, name, json }: NewKeyOptions) => {
      const list = [...new Set(commaList(scopes))]
      if (list.length === 0 || list.some(scope => !SCOPES.includes(scope)))
        throw new OperatorError(`--scopes is ${JSON.stringify(scopes)}; it must be read, write, or read,write.`)
      const known = name === undefined ? undefined : nameOf(name)
      if (name !== undefined && known === undefined)
        throw new OperatorError(
          `--name is ${JSON.stringify(name)}; it must be what the key is for, in at most ${PERSON_NAME_CHARS} characters that can be seen.`,
        )
      const input = { tenant, kind, scopes: list, ...(known !== undefined && { name: known }) }
      show(await inTenant(tenant, ({ sql }) => begin(sql, tx => issueKey(tx, input, callerOf(tenant).actor))), json)
    })

  tenantCommand(key, 'list', 'the keys of a workspace, the newest first; a last use is kept to the minute').action(
    async ({ tenant, json }: TenantOptions) => {
      const data = await inTenant(tenant, ({ sql }) => listKeys(sql, tenant))
      show({ data }, json, () =>
        showRows(
          data.map(key => ({ ...key })),
          COLUMNS,
        ),
      )
    },
  )

  tenantCommand(key, 'revoke', 'revoke a key: it is refused from the next request on')
    .argument('<id>', 'key_…')
    .action(async (id: string, { tenant, json }: TenantOptions) => {
      if (!(await inTenant(tenant, ({ sql }) => revokeKey(sql, tenant, id, callerOf(tenant).actor))))
        throw new OperatorError(`${id} is no key of this workspace, or is revoked already.`)
      show({ id, revoked: true }, json)
    })
}
