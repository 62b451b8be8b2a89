import { type Command, Option } from 'commander'
import { withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { show } from '../cli/output.ts'
import { OperatorError } from '../errors.ts'
import { PLAN_NAMES, type Plan } from '../limits.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { createTenant, createUser, requireTenant } from './tenants.ts'

export function commands(program: Command): void {
  program
    .command('tenant')
    .description('workspaces')
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

  program
    .command('user')
    .description('people who work for a workspace')
    .command('create')
    .description('make an account')
    .requiredOption('--tenant <id>', 'the workspace')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--password <password>', 'at least 8 characters')
    .addOption(new Option('--role <role>', 'what they may do').choices(['admin', 'operator']).default('operator'))
    .addOption(jsonOption())
    .action(async ({ json, ...user }: { tenant: string; email: string; password: string; role: 'admin' | 'operator'; json?: boolean }) => {
      if (!/^\S+@\S+\.\S+$/.test(user.email))
        throw new OperatorError(`--email is ${JSON.stringify(user.email)}; it must be an e-mail address.`)
      if (user.password.length < 8) throw new OperatorError('--password must have at least 8 characters.')
      const made = await withDatabase(async ({ sql }) => {
        await requireTenant(sql, user.tenant)
        return createUser(sql, user, { type: 'cli' })
      }).catch(error => {
        throw violatedConstraint(error) === 'users_email'
          ? new OperatorError(`--email: ${user.email} has an account in this workspace.`)
          : error
      })
      show(made, json)
    })
}
