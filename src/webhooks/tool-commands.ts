// The tenant's tools on the command line: the same verbs as over REST, for people in tables, for programs as the same JSON.
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import type { Static, TSchema } from 'typebox'
import { commaList, jsonOption, type Opened, print, printTable, withDatabase } from '../command.ts'
import { SettingError } from '../config.ts'
import type { EventType } from '../events/emit.ts'
import { entry } from '../events/type-route.ts'
import { check } from '../ingress/validate.ts'
import { PAGE_DEFAULT, PAGE_MAX } from '../limits.ts'
import type { Caller } from '../postgres/audit.ts'
import type { Page } from '../postgres/page.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { requireTenant } from '../tenants/tenants.ts'
import * as log from './log-store.ts'
import * as recovery from './recovery.ts'
import * as recoveries from './recovery-store.ts'
import { DELIVERY_STATES, Enabling, newRecovery, RECOVERY_SCOPES, webhookShapes } from './schema.ts'
import * as status from './status.ts'
import * as store from './store.ts'
import * as webhooks from './webhooks.ts'

type Options = Record<string, string | undefined> & { tenant: string; json?: boolean }
type Json = Record<string, unknown>

/** @param eventTypes all there are */
export function toolCommands(webhook: Command, eventTypes: EventType[]): void {
  const subscribable = eventTypes.filter(type => type.webhook)
  const eventNames = subscribable.map(type => type.name)
  const command = (name: string, description: string): Command =>
    webhook.command(name).description(description).requiredOption('--tenant <id>', 'the workspace').addOption(jsonOption())
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

  command('redeliver <id> <event>', 'send one event again').action(async (id: string, event: string, { tenant, json }: Options) =>
    inTenant(tenant, ({ sql }) => follow(sql, tenant, id, tx => recovery.redeliver(tx, callerOf(tenant), id, event), json)),
  )

  command('test <id>', 'send a test event')
    .option('--type <type>', 'the example of this event type; webhook.test unless given')
    .action(async (id: string, { tenant, json, type }: Options) => {
      if (type !== undefined && !eventNames.includes(type)) throw new SettingError(`--type must be one of ${eventNames.join(', ')}.`)
      await inTenant(tenant, ({ sql }) =>
        follow(sql, tenant, id, tx => recovery.sendTest(tx, callerOf(tenant), id, type, subscribable), json),
      )
    })

  command('recover <id>', 'send many events again, beside live deliveries')
    .addOption(new Option('--scope <scope>', 'which').choices(RECOVERY_SCOPES).default('failed'))
    .option('--since <time>', 'of events from this time on; required with all')
    .option('--until <time>', 'of events before this time')
    .option('--types <list>', 'comma-separated event types')
    .option('--rate <n>', 'a second')
    .option('--dry-run', 'only count')
    .action(async (id: string, { tenant, json, scope, since, until, types, rate, dryRun }: Options) => {
      const input = checked(newRecovery(eventNames), {
        scope,
        ...(since && { since }),
        ...(until && { until }),
        ...(types && { types: commaList(types) }),
        ...(rate && { max_per_second: numeric(rate) }),
        ...(dryRun && { dry_run: true }),
      })
      await inTenant(tenant, async ({ sql }) => {
        if (input.dry_run) {
          const begun = await begin(sql, tx => recovery.recover(tx, callerOf(tenant), id, input))
          return show(JSON.stringify('preview' in begun && begun.preview), json)
        }
        const start = async (tx: Tx) => {
          const begun = await recovery.recover(tx, callerOf(tenant), id, input)
          return 'id' in begun ? begun.id : ''
        }
        await follow(sql, tenant, id, start, json)
      })
    })

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

const callerOf = (tenant: string): Caller => ({ tenant, actor: { type: 'cli' } })
const settingOf = ({ keyring, config }: Opened): webhooks.Setting => ({ keyring, outbound: config.outbound })

const inTenant = <T>(tenant: string, work: (place: Opened & { sql: Sql }) => Promise<T>): Promise<T> =>
  withDatabase(async place => {
    await requireTenant(place.sql, tenant)
    return work(place)
  })

function found(noun: string, json: string | undefined): string {
  if (json === undefined) throw notFound(noun)
  return json
}

function checked<T extends TSchema>(schema: T, input: object): Static<T> {
  const [wrong] = check(schema, input)
  if (wrong) throw new SettingError(`${wrong.field ? `--${wrong.field.replace(/[.[].*/, '').replaceAll('_', '-')} ` : ''}${wrong.message}`)
  return input as Static<T>
}

// What is no number stays text, and the schema refuses it by name.
const numeric = (text: string): number | string => (/^\d{1,9}$/.test(text) ? Number(text) : text)

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

/** How often progress is asked for, and how long it may stand still before a word on workers. */
const FOLLOW_MS = 300
const STILL_MS = 10_000

/** Begins a recovery and shows its progress until it ends. Programs get it as it began, and ask again. */
async function follow(
  sql: Sql,
  tenant: string,
  webhookId: string,
  start: (tx: Tx) => Promise<string>,
  json: boolean | undefined,
): Promise<void> {
  const id = await begin(sql, start)
  const look = async () => JSON.parse(found('recovery', await recoveries.json1(sql, tenant, webhookId, id))) as Json
  let now = await look()
  if (json) return console.log(JSON.stringify(now))
  console.log(`Recovery ${id}: the workers do it; Ctrl-C only stops watching.`)
  for (let still = 0; now['state'] === 'running'; still = now['done'] === 0 ? still + FOLLOW_MS : 0) {
    if (process.stdout.isTTY) process.stdout.write(`\r${progressOf(now)}  `)
    if (still >= STILL_MS && still < STILL_MS + FOLLOW_MS)
      console.error('Nothing has been sent yet: is a worker running (bin/shopdesk worker)?')
    await delay(FOLLOW_MS)
    now = await look()
  }
  console.log(`${process.stdout.isTTY ? '\r' : ''}${progressOf(now)}, ${now['state']}${now['reason'] ? ` (${now['reason']})` : ''}  `)
}

const progressOf = ({ done, total, succeeded, failed, per_second }: Json): string =>
  `${done} of ${total} sent: ${succeeded} succeeded, ${failed} failed, ${per_second} a second`

function show(json: string, asJson: boolean | undefined, people: (value: Json) => void = value => print(flat(value), false)): void {
  if (asJson) console.log(json)
  else people(JSON.parse(json) as Json)
}

function showPage({ data, next }: Page, asJson: boolean | undefined, columns: string[]): void {
  if (asJson) {
    console.log(`{"data":[${data}],"has_more":${next !== undefined}}`)
    return
  }
  const rows = JSON.parse(`[${data}]`) as Json[]
  printTable(
    columns,
    rows.map(row => columns.map(name => cell(row[name]))),
  )
  if (next) console.log('… and more.')
}

function showDelivery({ log, event, ...delivery }: Json): void {
  print(flat(delivery), false)
  for (const each of log as Json[]) console.log(`\n${JSON.stringify(each, null, 2)}`)
  console.log(`\n${JSON.stringify(event, null, 2)}`)
}

const flat = (value: Json): Json => Object.fromEntries(Object.entries(value).map(([name, each]) => [name, cell(each)]))

function cell(value: unknown): string {
  if (value === null || value === undefined) return '–'
  if (Array.isArray(value)) return value.join(',')
  if (typeof value !== 'object') return String(value)
  return Object.values(value)
    .filter(each => each !== null)
    .join(' ')
}
