// The tenant's tools on the command line: the same verbs as over REST, for people in tables, for programs as the same JSON.
import { type Command, Option } from 'commander'
import { commaList, jsonOption, type Opened, print, printTable } from '../command.ts'
import { SettingError } from '../config.ts'
import type { EventType } from '../events/emit.ts'
import { entry } from '../events/type-route.ts'
import { PAGE_DEFAULT, PAGE_MAX } from '../limits.ts'
import type { Caller } from '../postgres/audit.ts'
import { begin, type Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import {
  callerOf,
  checked,
  flat,
  found,
  inTenant,
  type Json,
  numeric,
  type Options,
  show,
  showPage,
  tenantCommand,
} from './command-line.ts'
import * as log from './log-store.ts'
import { recoveryCommands } from './recovery-commands.ts'
import { DELIVERY_STATES, Enabling, webhookShapes } from './schema.ts'
import * as status from './status.ts'
import * as store from './store.ts'
import * as webhooks from './webhooks.ts'

/** @param eventTypes all there are */
export function toolCommands(webhook: Command, eventTypes: EventType[]): void {
  const subscribable = eventTypes.filter(type => type.webhook)
  const eventNames = subscribable.map(type => type.name)
  const command = (name: string, description: string): Command => tenantCommand(webhook, name, description)
  /** A command that changes one webhook, in one transaction, and shows what it answers. */
  const change = (name: string, description: string, work: (tx: Tx, caller: Caller, id: string, place: Opened) => Promise<string>) =>
    command(`${name} <id>`, description).action(async (id: string, { tenant, json }: Options) =>
      show(await inTenant(tenant, place => begin(place.sql, tx => work(tx, callerOf(tenant), id, place))), json),
    )

  command('list', 'the webhooks of a workspace').action(async ({ tenant, json }: Options) => {
    const page = await inTenant(tenant, ({ sql }) => store.list(sql, tenant, {}, { sort: 'created_at', dir: 'desc', limit: PAGE_MAX }))
    showPage(page, json, ['id', 'status', 'url', 'events', 'consecutive_failures', 'last_success_at'])
  })

  command('get <id>', 'one webhook').action(async (id: string, { tenant, json }: Options) =>
    show(found('webhook', await inTenant(tenant, ({ sql }) => store.json1(sql, tenant, id))), json),
  )

  command('update <id>', 'change a webhook')
    .option('--url <url>', 'an https address')
    .option('--events <list>', `comma-separated: ${eventNames.join(', ')}`)
    .option('--description <text>', 'what it is for')
    .option('--max-parallel <n>', 'requests at once; 1 delivers strictly in order')
    .option('--max-per-minute <n>', 'requests a minute, or none')
    .option('--header <name: value...>', 'send a header of your own')
    .option('--remove-header <name...>', 'send it no more')
    .action(async (id: string, { tenant, json, ...options }: Options) => {
      const input = checked(webhookShapes(eventNames).WebhookChange, changeOf(options))
      const changed = await inTenant(tenant, place =>
        begin(place.sql, tx => webhooks.change(tx, callerOf(tenant), id, input, () => {}, settingOf(place))),
      )
      show(changed, json)
    })

  change('pause', 'let deliveries wait', status.pause)
  change('resume', 'send what has waited', status.resume)
  change('disable', 'make no deliveries; what is pending is kept', status.disable)
  command('enable <id>', 'enable a webhook whose receiver was mended')
    .addOption(new Option('--pending <fate>', 'what was waiting when it was disabled').choices(['send', 'drop']).default('send'))
    .addOption(new Option('--missed <fate>', 'what happened meanwhile').choices(['send', 'drop']).default('drop'))
    .action(async (id: string, { tenant, json, pending, missed }: Options) => {
      const input = checked(Enabling, { pending, missed })
      show(await inTenant(tenant, ({ sql }) => begin(sql, tx => status.enable(tx, callerOf(tenant), id, input))), json)
    })

  change('delete', 'what is pending for it and its log go with it', (tx, caller, id) => webhooks.remove(tx, caller, id, () => {}))

  change('rotate-secret', 'make a new secret, shown this once; the old one signs too for 24 hours', (tx, caller, id, { keyring }) =>
    webhooks.rotateSecret(tx, caller, id, { keyring }),
  )
  change('confirm-secret', 'let the old secret sign no more', webhooks.confirmSecret)

  command('deliveries <id>', 'the delivery log, the newest event first')
    .option('--state <list>', `comma-separated: ${DELIVERY_STATES.join(', ')}`)
    .option('--type <list>', 'comma-separated event types')
    .option('--limit <n>', 'how many', String(PAGE_DEFAULT))
    .option('--event <id>', 'one delivery, with every attempt')
    .action(async (id: string, { tenant, json, state, type, limit = '', event }: Options) => {
      if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > PAGE_MAX)
        throw new SettingError(`--limit must be a number from 1 to ${PAGE_MAX}.`)
      if (event !== undefined) {
        const delivery = await inTenant(tenant, ({ sql }) => log.delivery1(sql, tenant, id, event))
        return show(found('delivery', delivery), json, showDelivery)
      }
      const filters = { ...(state && { state: commaList(state) }), ...(type && { type: commaList(type) }) }
      const page = await inTenant(tenant, async ({ sql }) => {
        if (!(await store.exists(sql, tenant, id))) throw notFound('webhook')
        return log.listDeliveries(sql, tenant, id, filters, { sort: 'event_id', dir: 'desc', limit: Number(limit) })
      })
      showPage(page, json, ['created_at', 'event_id', 'type', 'state', 'attempts', 'last_attempt', 'waiting'])
    })

  command('health <id>', 'how the receiver has been doing in the last 24 hours').action(async (id: string, { tenant, json }: Options) =>
    show(found('webhook', await inTenant(tenant, ({ sql }) => log.health(sql, tenant, id))), json),
  )

  recoveryCommands(webhook, subscribable)

  webhook
    .command('event-types')
    .description('what can happen, with the shape of its data and an example')
    .addOption(jsonOption())
    .action(({ json }: { json?: boolean }) => {
      const entries = eventTypes.map(entry)
      if (json) {
        console.log(`{"data":[${entries}]}`)
        return
      }
      printTable(
        ['name', 'webhooks', 'description'],
        eventTypes.map(({ name, webhook, summary }) => [name, webhook ? 'yes' : 'flows only', summary]),
      )
    })
}

const settingOf = ({ keyring, config }: Opened): webhooks.Setting => ({ keyring, outbound: config.outbound })

function changeOf(options: Record<string, unknown>): object {
  const { url, events, description, maxParallel, maxPerMinute, header, removeHeader } = options as Record<string, string> & {
    header?: string[]
    removeHeader?: string[]
  }
  const headers = Object.fromEntries([
    ...(header ?? []).map(text => [text.split(':', 1)[0], text.slice(text.indexOf(':') + 1).trim()]),
    ...(removeHeader ?? []).map(name => [name, null]),
  ])
  return {
    ...(url !== undefined && { url }),
    ...(events !== undefined && { events: commaList(events) }),
    ...(description !== undefined && { description }),
    ...(maxParallel !== undefined && { max_parallel: numeric(maxParallel) }),
    ...(maxPerMinute !== undefined && { max_per_minute: maxPerMinute === 'none' ? null : numeric(maxPerMinute) }),
    ...(Object.keys(headers).length > 0 && { headers }),
  }
}

function showDelivery({ log, event, ...delivery }: Json): void {
  print(flat(delivery), false)
  for (const each of log as Json[]) console.log(`\n${JSON.stringify(each, null, 2)}`)
  console.log(`\n${JSON.stringify(event, null, 2)}`)
}
