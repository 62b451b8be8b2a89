import { type Command, Option } from 'commander'
import { withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { type Json, show } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { PLAN_NAMES, type Plan } from '../limits.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { callerOf, inTenant, type Options, type TenantOptions, tenantCommand } from './tenant-command.ts'
import { createTenant, createUser, type NewUser, updateTenant } from './tenants.ts'

export function commands(program: Command): void {
  const tenant = program.command('tenant').description('workspaces')
  tenant
    .command('create')
    .description('make a workspace')
    .requiredOption('--name <name>', 'what it is called')
    .addOption(new Option('--plan <plan>', 'its rate limits').choices(PLAN_NAMES).default('enterprise'))
    .option('--currency <code>', 'ISO 4217, for what is priced without one', 'USD')
    .addOption(jsonOption())
    .action(async ({ name, plan, currency, json }: { name: string; plan: Plan; currency: string; json?: boolean }) => {
      if (!Intl.supportedValuesOf('currency').includes(currency))
        throw new OperatorError(`--currency is ${JSON.stringify(currency)}; it must be an ISO 4217 code such as EUR.`)
      show(await withDatabase(({ sql }) => createTenant(sql, { name, plan, currency }, { type: 'cli' })), json)
    })

  tenantCommand(tenant, 'update', 'change a workspace; what is not named stays')
    .option('--name <name>', 'what it is called')
    .addOption(
      new Option('--confirm-paid-orders <choice>', 'whether a pending order that is paid goes on to confirmed').choices(['true', 'false']),
    )
    .action(async ({ tenant, json, name, confirmPaidOrders }: Options) => {
      if (name === undefined && confirmPaidOrders === undefined)
        throw new OperatorError('Nothing is to be changed; give at least one of --name, --confirm-paid-orders.')
      if (name?.trim() === '') throw new OperatorError('--name is empty; it must be what the workspace is called.')
      const change = {
        ...(name !== undefined && { name }),
        ...(confirmPaidOrders !== undefined && { confirm_paid_orders: confirmPaidOrders === 'true' }),
      }
      show((await inTenant(tenant, ({ sql }) => updateTenant(sql, tenant, change, callerOf(tenant).actor))) as Json, json)
    })

  tenantCommand(program.command('user').description('people who work for a workspace'), 'create', 'make an account')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--password <password>', 'at least 8 characters')
    .addOption(new Option('--role <role>', 'what they may do').choices(['admin', 'operator']).default('operator'))
    .action(async ({ json, ...user }: NewUser & TenantOptions) => {
      const { tenant, email, password } = user
      if (!/^\S+@\S+\.\S+$/.test(email)) throw new OperatorError(`--email is ${JSON.stringify(email)}; it must be an e-mail address.`)
      if (password.length < 8) throw new OperatorError('--password must have at least 8 characters.')
      const made = await inTenant(tenant, ({ sql }) => createUser(sql, user, callerOf(tenant).actor)).catch(error => {
        throw violatedConstraint(error) === 'users_email' ? new OperatorError(`--email: ${email} has an account in this workspace.`) : error
      })
      show(made, json)
    })
}
