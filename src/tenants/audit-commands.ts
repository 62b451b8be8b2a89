// `shopdesk audit …`: who did what in a workspace.
import type { Command } from 'commander'
import { numeric, TIME } from '../cli/options.ts'
import { showRows } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { AUDIT_PAGE_DEFAULT, AUDIT_PAGE_MAX } from '../limits/tenants.ts'
import { auditOf } from '../postgres/audit-list.ts'
import { inTenant, type Options, tenantCommand } from './tenant-command.ts'

export function commands(program: Command): void {
  const audit = program.command('audit').description('what was done in a workspace, and who did it')
  tenantCommand(audit, 'list', 'what was done, the latest first')
    .option('--subject <id>', 'only what was done to it')
    .option('--action <prefix>', 'only such actions: user.role, or user. for all that begin so')
    .option('--since <time>', `only what was done from then on; ${TIME}`)
    .option('--limit <n>', `how many at most, 1 to ${AUDIT_PAGE_MAX}`, String(AUDIT_PAGE_DEFAULT))
    .action(async ({ tenant, json, subject, action, since, limit }: Options) => {
      const filters = {
        limit: requireLimit(String(limit)),
        ...(subject !== undefined && { subject }),
        ...(action !== undefined && { action }),
        ...(since !== undefined && { since: requireTime(since) }),
      }
      const rows = await inTenant(tenant, ({ sql }) => auditOf(sql, tenant, filters))
      if (json) return console.log(JSON.stringify({ data: rows }))
      showRows(
        rows.map(row => ({ ...row, at: row.at.toISOString() })),
        [
          'at',
          ['by', row => [row['actor_type'], row['actor_id']].filter(Boolean).join(' ')],
          'action',
          ['subject', row => row['subject_id']],
          ['details', row => JSON.stringify(row['details'])],
        ],
      )
    })
}

function requireLimit(text: string): number {
  const limit = numeric(text)
  if (typeof limit === 'string' || limit < 1 || limit > AUDIT_PAGE_MAX)
    throw new OperatorError(`--limit is ${JSON.stringify(text)}; it must be a whole number from 1 to ${AUDIT_PAGE_MAX}.`)
  return limit
}

function requireTime(text: string): Date {
  const time = new Date(text)
  if (!/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(text) || Number.isNaN(time.getTime()))
    throw new OperatorError(`--since is ${JSON.stringify(text)}; it must be a time in ${TIME}.`)
  return time
}
