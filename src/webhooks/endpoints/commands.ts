// Making, reading, changing, pausing, disabling and deleting webhooks, and rotating their secrets, from the command line.
import { type Command, Option } from 'commander'
import type { Caller } from '../../caller.ts'
import type { CommandContext } from '../../cli/command.ts'
import { checked, listAsked, listOptions } from '../../cli/options.ts'
import { type Column, type Json, show, showPage } from '../../cli/output.ts'
import { OperatorError } from '../../errors.ts'
import { withMembers } from '../../ingress/route.ts'
import { begin, type Tx } from '../../postgres/sql.ts'
import { callerOf, example, found, inTenant, type Options, tenantCommand } from '../../tenants/tenant-command.ts'
import * as endpoints from './endpoints.ts'
import { gathered, settingOptions, settingsOf, wording } from './options.ts'
import { Enabling, webhookListing, webhookQuery, webhookShapes } from './schema.ts'
import * as status from './status.ts'
import * as store from './store.ts'

/** @param eventNames those that can be subscribed to */
export function endpointCommands(webhook: Command, eventNames: string[]): void {
  settingCommands(webhook, eventNames)
  statusCommands(webhook)
}

function settingCommands(webhook: Command, eventNames: string[]): void {
  const shapes = webhookShapes(eventNames)
  const events = `comma-separated: ${eventNames.join(', ')}`
  const url = 'an https address (http to loopback with OUTBOUND_ALLOW_PRIVATE=true)'

  const creating = tenantCommand(webhook, 'create', 'make a webhook; its secret is shown this once')
    .requiredOption('--url <url>', url)
    .requiredOption('--events <list>', events)
  example(
    settingOptions(creating),
    '--url https://shop.example/hooks --events order.created,order.shipped',
    "--url https://erp.example/in --events order.created --max-parallel 1 --header 'X-Shop: 7'",
  ).action(async ({ tenant, json, ...options }: Options) => {
    const input = checked(shapes.NewWebhook, settingsOf(options), wording)
    const made = await inTenant(tenant, place => begin(place.sql, tx => endpoints.create(tx, callerOf(tenant), input, contextOf(place))), {
      input,
      wording,
    })
    show({ id: made.id, secret: made.secret }, json)
  })

  listOptions(tenantCommand(webhook, 'list', 'the webhooks of a workspace, the newest first'), webhookQuery).action(
    async ({ tenant, json, ...options }: Options) => {
      const { filters, page } = listAsked(webhookListing, webhookQuery, { tenant, ...options })
      showPage(await inTenant(tenant, ({ sql }) => store.list(sql, tenant, filters, page)), page, json, COLUMNS)
    },
  )

  tenantCommand(webhook, 'get <id>', 'one webhook, with its settings and status').action(async (id: string, { tenant, json }: Options) =>
    show(found('webhook', await inTenant(tenant, ({ sql }) => store.findJson(sql, tenant, id))), json),
  )

  const updating = tenantCommand(
    webhook,
    'update <id>',
    'change a webhook; what is not named stays, but for headers where --url is of another origin',
  ).option('--url <url>', url)
  example(
    settingOptions(updating.option('--events <list>', events)).option(
      '--remove-header <name>',
      'send it no more; repeat it for more',
      gathered,
    ),
    'whk_… --url https://shop.example/new --max-per-minute 600',
    "whk_… --header 'X-Shop: 8' --remove-header X-Old",
  ).action(async (id: string, { tenant, json, ...options }: Options) => {
    const asked = settingsOf(options)
    const settings = updating.options.map(({ long }) => long).filter(long => long !== '--tenant' && long !== '--json')
    if (Object.keys(asked).length === 0) throw new OperatorError(`Nothing is to be changed; give at least one of ${settings.join(', ')}.`)
    const input = checked(shapes.WebhookChange, asked, wording)
    const { json: changed, dropped } = await inTenant(
      tenant,
      place => begin(place.sql, tx => endpoints.change(tx, callerOf(tenant), id, input, () => {}, contextOf(place))),
      { input, wording },
    )
    show(dropped.length > 0 ? withMembers(changed, { headers_dropped: dropped }) : changed, json)
  })

  tenantCommand(webhook, 'delete <id>', 'delete a webhook for good, with what is pending for it and its log').action(
    async (id: string, { tenant, json }: Options) =>
      show(await inTenant(tenant, ({ sql }) => begin(sql, tx => endpoints.remove(tx, callerOf(tenant), id, () => {}))), json),
  )
}

function statusCommands(webhook: Command): void {
  /** A command that changes one webhook, in one transaction, and shows what it answers. */
  const change = (
    name: string,
    description: string,
    work: (tx: Tx, caller: Caller, id: string, place: CommandContext) => Promise<string>,
  ) =>
    tenantCommand(webhook, `${name} <id>`, description).action(async (id: string, { tenant, json }: Options) =>
      show(await inTenant(tenant, place => begin(place.sql, tx => work(tx, callerOf(tenant), id, place))), json),
    )

  change('pause', 'let deliveries wait until it is resumed', status.pause)
  change('resume', 'send what has waited while it was paused', status.resume)
  change('disable', 'make no deliveries until it is enabled; what is pending is kept', status.disable)
  const enabling = tenantCommand(webhook, 'enable <id>', 'enable a webhook whose receiver was mended; its failures are forgotten')
    .addOption(new Option('--pending <fate>', 'what was waiting when it was disabled').choices(['send', 'drop']).default('send'))
    .addOption(new Option('--missed <fate>', 'what happened while it was disabled').choices(['send', 'drop']).default('drop'))
  example(enabling, 'whk_… --missed send').action(async (id: string, { tenant, json, pending, missed }: Options) => {
    const input = checked(Enabling, { pending, missed })
    show(await inTenant(tenant, ({ sql }) => begin(sql, tx => status.enable(tx, callerOf(tenant), id, input))), json)
  })

  change('rotate-secret', 'make a new secret, shown this once; the old one signs too for 24 hours', async (tx, caller, id, { keyring }) => {
    const { secret, json } = await endpoints.rotateSecret(tx, caller, id, { keyring })
    return withMembers(json, { secret })
  })
  change('confirm-secret', 'your receivers have the new secret: let the old one sign no more', endpoints.confirmSecret)
}

const contextOf = ({ keyring, config }: CommandContext): endpoints.EndpointContext => ({
  keyring,
  outbound: config.outbound,
  quotas: config.quotas,
})

const COLUMNS: Column[] = [
  'id',
  ['status', ({ status, catching_up }: Json) => (catching_up ? 'catching up' : status)],
  'url',
  ['events', ({ events }: Json) => briefly(events as string[])],
  ['failures in a row', row => row['consecutive_failures']],
  'last_success_at',
  'description',
]

// All of them would push the other columns out of sight.
const briefly = ([first, second, ...more]: string[]): string =>
  more.length > 0 ? `${first}, ${second} and ${more.length} more` : [first, second].filter(Boolean).join(', ')
