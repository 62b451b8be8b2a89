// Making, reading, changing and deleting webhooks from the command line.
import type { Command } from 'commander'
import { type Opened, print } from '../command.ts'
import { OperatorError } from '../errors.ts'
import { withMembers } from '../ingress/route.ts'
import { begin } from '../postgres/sql.ts'
import { checked, listAsked, listOptions } from './command-input.ts'
import { callerOf, example, found, inTenant, type Options, tenantCommand } from './command-line.ts'
import { type Column, type Json, show, showPage } from './command-output.ts'
import { webhookListing, webhookQuery } from './lists.ts'
import { webhookShapes } from './schema.ts'
import { gathered, settingOptions, settingsOf } from './setting-options.ts'
import * as store from './store.ts'
import * as webhooks from './webhooks.ts'

/** @param eventNames those that can be subscribed to */
export function settingCommands(webhook: Command, eventNames: string[]): void {
  const shapes = webhookShapes(eventNames)
  const events = `comma-separated: ${eventNames.join(', ')}`
  const url = 'an https address (http to loopback with OUTBOUND_ALLOW_PRIVATE=true)'

  const creating = tenantCommand(webhook, 'create', 'make a webhook; its secret is shown this once')
    .requiredOption('--url <url>', url)
    .requiredOption('--events <list>', events)
  example(
    settingOptions(creating),
    'create --url https://shop.example/hooks --events order.created,order.shipped',
    "create --url https://erp.example/in --events order.created --max-parallel 1 --header 'X-Shop: 7'",
  ).action(async ({ tenant, json, ...options }: Options) => {
    const input = checked(shapes.NewWebhook, settingsOf(options))
    const made = await inTenant(
      tenant,
      place => begin(place.sql, tx => webhooks.create(tx, callerOf(tenant), input, settingOf(place))),
      input,
    )
    print({ id: made.id, secret: made.secret }, json)
  })

  listOptions(tenantCommand(webhook, 'list', 'the webhooks of a workspace, the newest first'), webhookQuery).action(
    async ({ tenant, json, ...options }: Options) => {
      const { filters, page } = listAsked(webhookListing, webhookQuery, { tenant, ...options })
      showPage(await inTenant(tenant, ({ sql }) => store.list(sql, tenant, filters, page)), page, json, COLUMNS)
    },
  )

  tenantCommand(webhook, 'get <id>', 'one webhook, with its settings and status').action(async (id: string, { tenant, json }: Options) =>
    show(found('webhook', await inTenant(tenant, ({ sql }) => store.json1(sql, tenant, id))), json),
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
    'update whk_… --url https://shop.example/new --max-per-minute 600',
    "update whk_… --header 'X-Shop: 8' --remove-header X-Old",
  ).action(async (id: string, { tenant, json, ...options }: Options) => {
    const asked = settingsOf(options)
    const settings = updating.options.map(({ long }) => long).filter(long => long !== '--tenant' && long !== '--json')
    if (Object.keys(asked).length === 0) throw new OperatorError(`Nothing is to be changed; give at least one of ${settings.join(', ')}.`)
    const input = checked(shapes.WebhookChange, asked)
    const { json: changed, dropped } = await inTenant(
      tenant,
      place => begin(place.sql, tx => webhooks.change(tx, callerOf(tenant), id, input, () => {}, settingOf(place))),
      input,
    )
    show(dropped.length > 0 ? withMembers(changed, { headers_dropped: dropped }) : changed, json)
  })

  tenantCommand(webhook, 'delete <id>', 'delete a webhook for good, with what is pending for it and its log').action(
    async (id: string, { tenant, json }: Options) =>
      show(await inTenant(tenant, ({ sql }) => begin(sql, tx => webhooks.remove(tx, callerOf(tenant), id, () => {}))), json),
  )
}

const settingOf = ({ keyring, config }: Opened): webhooks.Setting => ({ keyring, outbound: config.outbound, quotas: config.quotas })

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
