// `shopdesk channel …`: the accounts of platforms over which customers write.
import { type Command, Option } from 'commander'
import { Type } from 'typebox'
import { sourceCommands } from '../callbacks/commands.ts'
import type { CommandContext } from '../cli/command.ts'
import { checked, listAsked, listOptions } from '../cli/options.ts'
import { type Column, type Json, show, showPage } from '../cli/output.ts'
import { openTerminal } from '../cli/terminal.ts'
import { OperatorError } from '../errors.ts'
import type { Sql } from '../postgres/sql.ts'
import { Name } from '../schemas.ts'
import { callerOf, example, found, inTenant, type Options, tenantCommand, tenantOption } from '../tenants/tenant-command.ts'
import { ChannelChange, channelListing, channelQuery, NewChannel } from './accounts/schema.ts'
import { shownBy } from './accounts/shown.ts'
import * as store from './accounts/store.ts'
import * as channels from './channels.ts'
import * as connection from './connection.ts'
import type { ChannelContext } from './joining.ts'
import { channelOptions, inputOf, wording } from './options.ts'
import { ID_MAX } from './platforms/bounds.ts'
import { PLATFORM_NAMES } from './platforms/names.ts'
import { snippetOf } from './snippet.ts'
import * as status from './status.ts'

export function commands(program: Command): void {
  const channel = program.command('channel').description('the accounts of platforms over which customers write and are answered')
  createCommand(channel)
  readCommands(channel)
  updateCommand(channel)
  connectionCommands(channel)
  talkCommand(channel)
  statusCommands(channel)
  sourceCommands(channel, { prefix: 'chn', noun: 'channel' })
}

const noCheck = () => new Option('--no-check', 'do not ask the platform whose the credentials are')

function createCommand(channel: Command): void {
  const creating = tenantCommand(channel, 'create', 'connect an account; what is made here is shown this once')
    .addOption(new Option('--platform <name>', 'what it is an account of').choices(PLATFORM_NAMES).makeOptionMandatory())
    .addOption(noCheck())
  example(
    channelOptions(creating),
    '--platform telegram --token @bot-token.txt',
    '--platform whatsapp --account 1065… --token @token.txt --app-secret @app-secret.txt --waba 1022…',
    '--platform api --send-url https://bridge.example/messages',
    '--platform web --origins https://shop.example',
  ).action(async ({ tenant, json, check, ...options }: Options) => {
    const input = checked(NewChannel, inputOf(options), wording)
    await inContext(tenant, input, async (sql, context) => {
      const made = await channels.create(sql, callerOf(tenant), input, howOf(check), context)
      const { id, callback_url } = made
      const { platform } = input
      if (platform === 'web') show({ id, platform, ...made.made, snippet: snippetOf(context.shown.baseUrl, id) }, json)
      else show({ id, platform, callback_url, ...made.made }, json)
      tell(made.steps)
    })
  })
}

function readCommands(channel: Command): void {
  listOptions(tenantCommand(channel, 'list', 'the channels of a workspace, the newest first'), channelQuery).action(
    async ({ tenant, json, ...options }: Options) => {
      const { filters, page } = listAsked(channelListing, channelQuery, { tenant, ...options })
      showPage(await inTenant(tenant, ({ sql, config }) => store.list(sql, tenant, filters, page, shownBy(config))), page, json, COLUMNS)
    },
  )

  tenantCommand(channel, 'get <id>', 'one channel, with its settings, limits and counts').action(
    async (id: string, { tenant, json }: Options) =>
      show(found('channel', await inTenant(tenant, ({ sql, config }) => store.findJson(sql, tenant, id, shownBy(config)))), json),
  )
}

const COLUMNS: Column[] = [
  'id',
  'platform',
  'name',
  'status',
  ['account', ({ account }: Json) => (account as Json)['name'] ?? (account as Json)['id']],
  ['queued', row => row['queued_count']],
  ['unknown', row => row['unknown_count']],
  'last_inbound_at',
  'last_sent_at',
  'last_error',
]

function updateCommand(channel: Command): void {
  const updating = tenantCommand(channel, 'update <id>', 'change a channel; what is not named stays').addOption(noCheck())
  example(channelOptions(updating), 'chn_… --token @new-token.txt', 'chn_… --reopen-hours 72').action(
    async (id: string, { tenant, json, check, ...options }: Options) => {
      const asked = inputOf(options)
      if (Object.keys(asked).length === 0) throw new OperatorError('Nothing is to be changed; give at least one option (see --help).')
      const input = checked(ChannelChange, asked, wording)
      await inContext(tenant, input, async (sql, context) =>
        show(await channels.change(sql, callerOf(tenant), id, input, howOf(check), context), json),
      )
    },
  )
}

function connectionCommands(channel: Command): void {
  tenantCommand(channel, 'check <id>', 'ask the platform who the account is, and where its callbacks go').action(
    async (id: string, { tenant, json }: Options) =>
      inContext(tenant, {}, async (sql, context) => {
        const { account, problems } = await connection.check(sql, callerOf(tenant), id, context)
        show({ id, ok: problems.length === 0, account, problems }, json)
        if (problems.length > 0) process.exitCode = 1
      }),
  )

  tenantCommand(channel, 'connect <id>', 'have the platform send callbacks here, and say what is to be clicked').action(
    async (id: string, { tenant, json }: Options) =>
      inContext(tenant, {}, async (sql, context) => {
        const { callback_url, registered, steps } = await connection.connect(sql, callerOf(tenant), id, context)
        show({ id, callback_url, registered }, json)
        tell(steps)
      }),
  )

  tenantCommand(channel, 'rotate-secret <id>', 'api, web: make a new secret, shown this once; the old one counts for 24 hours more').action(
    async (id: string, { tenant, json }: Options) =>
      inContext(tenant, {}, async (sql, context) =>
        show({ id, secret: await channels.rotateSecret(sql, callerOf(tenant), id, context) }, json),
      ),
  )
}

const Talker = Type.Object({ as: Type.String({ minLength: 1, maxLength: ID_MAX }), name: Name })

function talkCommand(channel: Command): void {
  const talking = tenantOption(
    channel.command('talk <id>').description('play the customer of an api channel: type what they write, see what they are answered'),
  )
    .option('--as <id>', 'who they are in that messenger', 'terminal')
    .option('--name <name>', 'what they are called', 'A customer')
  example(talking, 'chn_…', 'chn_… --as c-7 --name "Ada Lovelace"').action(async (id: string, options: Options) => {
    const { tenant } = options
    const { as, name } = checked(Talker, { as: options['as'], name: options['name'] })
    const { talk } = await import('./talk.ts')
    await inTenant(tenant, ({ sql, keyring, config }) =>
      talk({
        sql,
        keyring,
        outbound: config.outbound,
        baseUrl: config.baseUrl,
        tenant,
        channel: id,
        customer: { id: as, name },
        sitDown: onLine => openTerminal({ indent: 4, onLine }),
      }),
    )
  })
}

function statusCommands(channel: Command): void {
  tenantCommand(channel, 'enable <id>', 'apply and send what has waited; a failing channel is tried at once').action(
    async (id: string, { tenant, json }: Options) =>
      inContext(tenant, {}, async (sql, context) => show(await status.enable(sql, callerOf(tenant), id, context), json)),
  )
  tenantCommand(channel, 'disable <id>', 'send nothing, and keep what comes until it is enabled').action(
    async (id: string, { tenant, json }: Options) =>
      inContext(tenant, {}, async (sql, context) => show(await status.disable(sql, callerOf(tenant), id, context), json)),
  )
  tenantCommand(channel, 'delete <id>', 'for good: its conversations stay readable, what is queued fails').action(
    async (id: string, { tenant, json }: Options) =>
      inContext(tenant, {}, async (sql, context) => {
        const { json: deleted, steps } = await status.remove(sql, callerOf(tenant), id, context)
        show(deleted, json)
        tell(steps)
      }),
  )
}

const howOf = (check: unknown): 'ask' | 'trust' => (check === false ? 'trust' : 'ask')

/** What is left to a person goes to stderr: stdout is the result. */
function tell(steps: string[]): void {
  for (const step of steps) console.error(step)
}

/** Runs `work` with what channels need, and closes the connections to platforms after it. */
const inContext = (tenant: string, input: object, work: (sql: Sql, context: ChannelContext) => Promise<void>): Promise<void> =>
  inTenant(
    tenant,
    async ({ sql, keyring, config }: CommandContext & { sql: Sql }) => {
      // Most commands have no need of it.
      const client = (await import('../outbound/client.ts')).createClient(config.outbound)
      try {
        await work(sql, { keyring, outbound: config.outbound, client, shown: shownBy(config) })
      } finally {
        await client.close()
      }
    },
    { input, wording },
  )
