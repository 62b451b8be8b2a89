import type { Command } from 'commander'
import { printable } from '../cli/printable.ts'
import { inTenant, type TenantOptions, tenantCommand } from '../tenants/tenant-command.ts'
import { list, written } from './mail.ts'

const SHOWN = 50

export function commands(program: Command): void {
  const mail = program.command('mail').description('mail to the people of a workspace')
  const listing = `the last ${SHOWN} mails, the latest first; without SMTP_URL they are kept here`
  tenantCommand(mail, 'list', listing).action(async ({ tenant, json }: TenantOptions) => {
    const mails = (await inTenant(tenant, ({ sql }) => list(sql, tenant, SHOWN))).map(({ linked, link, ...mail }) => ({
      ...mail,
      text: written({ text: mail.text, linked, link }),
    }))
    if (json) return console.log(JSON.stringify({ data: mails }))
    for (const mail of mails) console.log(printable(describe(mail)))
  })
}

type Mail = Omit<Awaited<ReturnType<typeof list>>[number], 'linked' | 'link'>

function describe({ created_at, kind, recipient, subject, text, sent_at, attempts, error }: Mail): string {
  const tries = `${attempts} attempt${attempts === 1 ? '' : 's'}`
  const state = sent_at ? `sent ${sent_at.toISOString()}` : error ? `not sent after ${tries}: ${error}` : 'not sent'
  return `${created_at.toISOString()}  ${kind}  to ${recipient}  ${state}\n  ${subject}\n\n${text.replaceAll(/^(?=.)/gm, '  ')}\n`
}
