import type { Command } from 'commander'
import { withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { requireTenant } from '../tenants/tenants.ts'
import { list } from './mail.ts'

const SHOWN = 50

export function commands(program: Command): void {
  program
    .command('mail')
    .description('mail to the people of a workspace')
    .command('list')
    .description(`the last ${SHOWN} mails, the latest first; without SMTP_URL they are kept here`)
    .requiredOption('--tenant <id>', 'the workspace')
    .addOption(jsonOption())
    .action(async ({ tenant, json }: { tenant: string; json?: boolean }) => {
      const mails = await withDatabase(async ({ sql }) => {
        await requireTenant(sql, tenant)
        return list(sql, tenant, SHOWN)
      })
      if (json) return console.log(JSON.stringify({ data: mails }))
      for (const mail of mails) console.log(describe(mail))
    })
}

type Mail = Awaited<ReturnType<typeof list>>[number]

function describe({ created_at, kind, recipient, subject, text, sent_at, attempts, error }: Mail): string {
  const tries = `${attempts} attempt${attempts === 1 ? '' : 's'}`
  const state = sent_at ? `sent ${sent_at.toISOString()}` : error ? `not sent after ${tries}: ${error}` : 'not sent'
  return `${created_at.toISOString()}  ${kind}  to ${recipient}  ${state}\n  ${subject}\n\n${text.replaceAll(/^(?=.)/gm, '  ')}\n`
}
