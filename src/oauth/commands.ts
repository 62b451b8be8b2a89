import type { Command } from 'commander'
import { show, showRows } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { callerOf, inTenant, type TenantOptions, tenantCommand } from '../tenants/tenant-command.ts'
import { listGrants, revokeGrant } from './grants.ts'

const COLUMNS = ['id', 'client', 'user', 'scopes', 'created_at', 'last_used_at']

export function commands(program: Command): void {
  const grant = program.command('grant').description('AI clients that people have connected')

  tenantCommand(grant, 'list', 'the connected clients of a workspace, the last used first').action(
    async ({ tenant, json }: TenantOptions) => {
      const data = (await inTenant(tenant, ({ sql }) => listGrants(sql, tenant))).map(
        ({ hosts: _hosts, client_id: _client, ...grant }) => grant,
      )
      show({ data }, json, () =>
        showRows(
          data.map(each => ({ ...each })),
          COLUMNS,
        ),
      )
    },
  )

  tenantCommand(grant, 'revoke', 'disconnect a client: its tokens are refused from the next request on')
    .argument('<id>', 'gra_…')
    .action(async (id: string, { tenant, json }: TenantOptions) => {
      if (!(await inTenant(tenant, ({ sql }) => revokeGrant(sql, callerOf(tenant), id))))
        throw new OperatorError(`${id} is no connected client of this workspace, or is disconnected already.`)
      show({ id, revoked: true }, json)
    })
}
