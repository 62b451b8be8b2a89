// `shopdesk tenant …`: workspaces.
import { type Command, Option } from 'commander'
import { withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { type Json, show } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { PLAN_NAMES, type Plan } from '../limits/rate.ts'
import { nameOf } from './email.ts'
import { callerOf, inTenant, type Options, tenantCommand } from './tenant-command.ts'
import { createTenant, updateTenant } from './tenants.ts'
import { isTimeZone } from './time-zone.ts'

interface NewTenantOptions {
  name: string
  plan: Plan
  currency: string
  timeZone: string
  json?: boolean
}

const TIME_ZONE = 'where its days begin and end, such as Europe/Kyiv'

export function commands(program: Command): void {
  const tenant = program.command('tenant').description('workspaces')
  tenant
    .command('create')
    .description('make a workspace')
    .requiredOption('--name <name>', 'what it is called')
    .addOption(new Option('--plan <plan>', 'its rate limits').choices(PLAN_NAMES).default('enterprise'))
    .option('--currency <code>', 'ISO 4217, for what is priced without one', 'USD')
    .option('--time-zone <zone>', TIME_ZONE, 'UTC')
    .addOption(jsonOption())
    .action(async ({ json, ...asked }: NewTenantOptions) => {
      const { currency } = asked
      if (!Intl.supportedValuesOf('currency').includes(currency))
        throw new OperatorError(`--currency is ${JSON.stringify(currency)}; it must be an ISO 4217 code such as EUR.`)
      const input = { ...asked, name: requireName(asked.name), timeZone: requireTimeZone(asked.timeZone) }
      show(await withDatabase(({ sql }) => createTenant(sql, input, { type: 'cli' })), json)
    })

  tenantCommand(tenant, 'update', 'change a workspace; what is not named stays')
    .option('--name <name>', 'what it is called')
    .option('--time-zone <zone>', TIME_ZONE)
    .addOption(
      new Option('--confirm-paid-orders <choice>', 'whether a pending order that is paid goes on to confirmed').choices(['true', 'false']),
    )
    .action(async ({ tenant, json, name, timeZone, confirmPaidOrders }: Options) => {
      if (name === undefined && timeZone === undefined && confirmPaidOrders === undefined)
        throw new OperatorError('Nothing is to be changed; give at least one of --name, --time-zone, --confirm-paid-orders.')
      const change = {
        ...(name !== undefined && { name: requireName(name) }),
        ...(timeZone !== undefined && { time_zone: requireTimeZone(timeZone) }),
        ...(confirmPaidOrders !== undefined && { confirm_paid_orders: confirmPaidOrders === 'true' }),
      }
      show((await inTenant(tenant, ({ sql }) => updateTenant(sql, callerOf(tenant), change))) as unknown as Json, json)
    })
}

function requireName(text: string): string {
  const name = nameOf(text)
  if (name === undefined)
    throw new OperatorError(`--name is ${JSON.stringify(text)}; it must be what the workspace is called, in at most 100 characters.`)
  return name
}

function requireTimeZone(text: string): string {
  if (!isTimeZone(text))
    throw new OperatorError(`--time-zone is ${JSON.stringify(text)}; it must be the name of a time zone, such as Europe/Kyiv or UTC.`)
  return text
}
