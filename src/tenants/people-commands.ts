// `shopdesk user …`: the people of a workspace.
import { type Command, Option } from 'commander'
import { disableAccount, enableAccount } from '../access/disabling.ts'
import { passwordFault } from '../access/password-rules.ts'
import { makeReset } from '../access/reset.ts'
import { withDatabase } from '../cli/command.ts'
import { jsonOption } from '../cli/options.ts'
import { type Json, show, showRows } from '../cli/output.ts'
import { givenSecret, SECRET_FORMS } from '../cli/secret.ts'
import { OperatorError } from '../errors.ts'
import { violatedConstraint } from '../postgres/errors.ts'
import { begin, type Queryable } from '../postgres/sql.ts'
import { emailOf, nameOf } from './email.ts'
import { invite } from './invitations.ts'
import { addMember, changeRole, createUser, type Member, memberByEmail, peopleOf, removeMember } from './people.ts'
import { ROLES, type Role } from './roles.ts'
import { callerOf, inTenant, type TenantOptions, tenantCommand } from './tenant-command.ts'
import { nameOfTenant } from './tenants.ts'

interface PersonOptions extends TenantOptions {
  email: string
}
interface RoleOptions extends PersonOptions {
  role: Role
}
interface NewUserOptions extends RoleOptions {
  password: string
  name?: string
}

export function commands(program: Command): void {
  const user = program.command('user').description('people who work for a workspace')
  creation(user)
  links(user)
  disabling(user)
  membership(user)
}

const ofPerson = (parent: Command, name: string, description: string): Command =>
  tenantCommand(parent, name, description).requiredOption('--email <address>', 'what they sign in with')

const roleOption = (): Option => new Option('--role <role>', 'what they may do').choices(ROLES)

function creation(user: Command): void {
  ofPerson(user, 'create', 'make an account')
    .requiredOption('--password <password>', `at least 15 characters; ${SECRET_FORMS}`)
    .option('--name <name>', 'what they are called')
    .addOption(roleOption().default('operator'))
    .action(async ({ tenant, json, role, ...asked }: NewUserOptions) => {
      const [email, password, name] = [requireEmail(asked.email), givenSecret('password', asked.password), requireName(asked.name)]
      const made = await inTenant(tenant, async ({ sql }) => {
        const fault = passwordFault(password, { email, name: name ?? null, workspaces: [await nameOfTenant(sql, tenant)] })
        if (fault !== undefined) throw new OperatorError(`--password ${fault}.`)
        const input = { tenant, email, password, role, ...(name !== undefined && { name }) }
        return createUser(sql, input, callerOf(tenant).actor).catch(error => {
          throw violatedConstraint(error) === 'users_email' ? new OperatorError(hasAccount(email, tenant)) : error
        })
      })
      show(made, json)
    })

  ofPerson(user, 'add', 'let a person with an account into the workspace')
    .addOption(roleOption().default('operator'))
    .action(async ({ tenant, json, role, ...asked }: RoleOptions) => {
      const email = requireEmail(asked.email)
      const member = await inTenant(tenant, ({ sql }) => begin(sql, tx => addMember(tx, callerOf(tenant), { email, role })))
      if (!member) throw new OperatorError(`--email: ${email} has no account; make one with: bin/shopdesk user create`)
      show(shown(member), json)
    })
}

function links(user: Command): void {
  ofPerson(user, 'invite', 'mail a person a link to join the workspace; it is printed as well')
    .addOption(roleOption().default('operator'))
    .action(async ({ tenant, json, role, ...asked }: RoleOptions) => {
      const email = requireEmail(asked.email)
      const invited = await inTenant(tenant, ({ sql, config }) =>
        begin(sql, tx => invite(tx, callerOf(tenant), { email, role }, config.baseUrl)),
      )
      show(invited, json)
    })

  user
    .command('reset')
    .description('mail a person a link to set a new password; it is printed as well')
    .requiredOption('--email <address>', 'what they sign in with')
    .addOption(jsonOption())
    .action(async ({ email, json }: { email: string; json?: boolean }) => {
      const made = await withDatabase(({ sql, config }) => begin(sql, tx => makeReset(tx, requireEmail(email), config.baseUrl)))
      if (!made) throw new OperatorError(`--email: ${email} has no account.`)
      show(made, json)
    })
}

// What concerns the account itself, and so all workspaces of the person.
function disabling(user: Command): void {
  for (const [name, description, work] of [
    ['disable', 'keep a person from signing in, and end their sessions and AI clients', disableAccount],
    ['enable', 'let the person sign in again', enableAccount],
  ] as const)
    user
      .command(name)
      .description(`${description}; in all their workspaces`)
      .requiredOption('--email <address>', 'what they sign in with')
      .addOption(jsonOption())
      .action(async ({ email, json }: { email: string; json?: boolean }) => {
        const done = await withDatabase(({ sql }) => begin(sql, tx => work(tx, requireEmail(email), { type: 'cli' })))
        if (!done) throw new OperatorError(`--email: ${email} has no account.`)
        show({ ...done }, json)
      })
}

function membership(user: Command): void {
  tenantCommand(user, 'list', 'the people of a workspace').action(async ({ tenant, json }: TenantOptions) => {
    const people = (await inTenant(tenant, ({ sql }) => peopleOf(sql, tenant))).map(shown)
    if (json) console.log(JSON.stringify({ data: people }))
    else showRows(people, ['id', 'email', 'name', 'role'])
  })

  ofPerson(user, 'role', 'change what a member may do')
    .addOption(roleOption().makeOptionMandatory())
    .action(async ({ tenant, json, email, role }: RoleOptions) => {
      const changed = await inTenant(tenant, ({ sql }) =>
        begin(sql, async tx => changeRole(tx, callerOf(tenant), (await requireMember(tx, tenant, email)).id, role)),
      )
      show(shown(changed), json)
    })

  ofPerson(user, 'remove', 'end a membership; the account stays, for other workspaces').action(
    async ({ tenant, json, email }: PersonOptions) => {
      const { id } = await inTenant(tenant, ({ sql }) =>
        begin(sql, async tx => removeMember(tx, callerOf(tenant), (await requireMember(tx, tenant, email)).id)),
      )
      show({ id, removed: true }, json)
    },
  )
}

const shown = ({ id, email, name, role }: Member): Json => ({ id, email, name, role })

const hasAccount = (email: string, tenant: string): string =>
  `--email: ${email} has an account; let them into this workspace with: bin/shopdesk user add --tenant ${tenant} --email ${email}`

async function requireMember(sql: Queryable, tenant: string, email: string): Promise<Member> {
  const member = await memberByEmail(sql, tenant, email.trim())
  if (!member) throw new OperatorError(`--email is ${JSON.stringify(email)}; no member of this workspace has it: bin/shopdesk user list`)
  return member
}

function requireEmail(text: string): string {
  const email = emailOf(text)
  if (email === undefined) throw new OperatorError(`--email is ${JSON.stringify(text)}; it must be an e-mail address.`)
  return email
}

function requireName(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const name = nameOf(text)
  if (name === undefined)
    throw new OperatorError(`--name is ${JSON.stringify(text)}; it must be what they are called, in at most 100 characters.`)
  return name
}
