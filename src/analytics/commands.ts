import type { Command } from 'commander'
import { inTenant, type TenantOptions, tenantCommand } from '../tenants/tenant-command.ts'
import { recount } from './recount.ts'

export function commands(program: Command): void {
  const analytics = program.command('analytics').description('the figures of a workspace')
  tenantCommand(analytics, 'rebuild', 'counts anew from the tables, while everything goes on').action(
    async ({ tenant, json }: TenantOptions) => {
      const since = performance.now()
      const rows = await inTenant(tenant, ({ sql }) => recount(sql, tenant))
      const seconds = Math.round(performance.now() - since) / 1000
      if (json) return console.log(JSON.stringify({ tenant, seconds }))
      const found = rows === 0 ? 'all was counted right' : `${rows} counts were put right`
      console.log(`Counted anew in ${seconds} s: ${found}.`)
    },
  )
}
