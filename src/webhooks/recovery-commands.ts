// Sending again from the command line: one event, a test, or many, and what becomes of it.
import { setTimeout as delay } from 'node:timers/promises'
import { type Command, Option } from 'commander'
import { commaList } from '../command.ts'
import { SettingError } from '../config.ts'
import type { EventType } from '../events/emit.ts'
import { PAGE_MAX } from '../limits.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { callerOf, checked, found, inTenant, type Json, numeric, type Options, show, showPage, tenantCommand } from './command-line.ts'
import * as recovery from './recovery.ts'
import * as recoveries from './recovery-store.ts'
import { newRecovery, RECOVERY_SCOPES } from './schema.ts'
import * as store from './store.ts'

/** @param subscribable the event types that webhooks can have */
export function recoveryCommands(webhook: Command, subscribable: EventType[]): void {
  const eventNames = subscribable.map(type => type.name)
  const command = (name: string, description: string): Command => tenantCommand(webhook, name, description)

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

  command('recoveries <id>', 'what was sent again, the newest first; redeliveries and tests included')
    .option('--recovery <id>', 'one, with its progress')
    .action(async (id: string, { tenant, json, recovery: one }: Options) => {
      if (one !== undefined)
        return show(found('recovery', await inTenant(tenant, ({ sql }) => recoveries.json1(sql, tenant, id, one))), json)
      const page = await inTenant(tenant, async ({ sql }) => {
        if (!(await store.exists(sql, tenant, id))) throw notFound('webhook')
        return recoveries.list(sql, tenant, id, { sort: 'created_at', dir: 'desc', limit: PAGE_MAX })
      })
      showPage(page, json, ['created_at', 'id', 'scope', 'state', 'done', 'total', 'succeeded', 'failed'])
    })

  command('cancel-recovery <id> <recovery>', 'send no more of it; what is in flight is finished').action(
    async (id: string, recoveryId: string, { tenant, json }: Options) =>
      show(await inTenant(tenant, ({ sql }) => begin(sql, tx => recovery.cancel(tx, callerOf(tenant), id, recoveryId))), json),
  )
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
