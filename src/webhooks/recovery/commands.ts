// Sending again from the command line: one event, a test, or many, and what becomes of it.
import { type Command, Option } from 'commander'
import { checked, commaList, instead, listAsked, listOptions, numeric, TIME } from '../../cli/options.ts'
import { type Column, type Json, show, showPage } from '../../cli/output.ts'
import type { Wording } from '../../cli/refusal.ts'
import { OperatorError } from '../../errors.ts'
import type { EventType } from '../../events/emit.ts'
import { RECOVERY_PER_SECOND, RECOVERY_PER_SECOND_MAX } from '../../limits/webhooks.ts'
import { begin, type Tx } from '../../postgres/sql.ts'
import { notFound, Problem } from '../../problems.ts'
import { callerOf, example, found, inTenant, type Options, tenantCommand } from '../../tenants/tenant-command.ts'
import * as store from '../endpoints/store.ts'
import { follow } from './follow.ts'
import * as recovery from './recovery.ts'
import { newRecovery, newTest, RECOVERY_SCOPES, recoveryListing, recoveryQuery } from './schema.ts'
import * as recoveries from './store.ts'

/** @param subscribable the event types that webhooks can have */
export function recoveryCommands(webhook: Command, subscribable: EventType[]): void {
  const eventNames = subscribable.map(type => type.name)
  const command = (name: string, description: string): Command => tenantCommand(webhook, name, description)

  command('redeliver <id> <event>', 'send one event, evt_…, again, whatever became of it, and say what was answered').action(
    async (id: string, event: string, { tenant, json }: Options) =>
      inTenant(tenant, ({ sql }) => follow({ sql, tenant, webhook: id }, tx => recovery.redeliver(tx, callerOf(tenant), id, event), json)),
  )

  const testing = command('test <id>', 'send a test event, and say what was answered').option(
    '--type <type>',
    `the example of an event type: ${eventNames.join(', ')}; webhook.test unless given`,
  )
  example(testing, 'whk_… --type order.created').action(async (id: string, { tenant, json, type }: Options) => {
    const input = checked(newTest(eventNames), { ...(type !== undefined && { type }) })
    await inTenant(tenant, ({ sql }) =>
      follow({ sql, tenant, webhook: id }, tx => recovery.sendTest(tx, callerOf(tenant), id, input.type, subscribable), json),
    )
  })

  const recovering = command('recover <id>', 'send many events again, beside live deliveries, and show the progress')
    .addOption(
      new Option(
        '--scope <scope>',
        'failed: deliveries that used up their attempts; undelivered: those, the dropped ones, and what happened while it was disabled; all: also what was delivered',
      )
        .choices(RECOVERY_SCOPES)
        .default('failed'),
    )
    .option('--since <time>', `of events from this time on, required with all; ${TIME}`)
    .option('--until <time>', 'of events before this time; now unless given')
    .option('--types <list>', `comma-separated: ${eventNames.join(', ')}; those it subscribes to unless given, with failed any`)
    .option('--rate <n>', `events a second, 1 to ${RECOVERY_PER_SECOND_MAX}; ${RECOVERY_PER_SECOND} unless given`)
    .option('--dry-run', 'only count')
  example(recovering, 'whk_… --scope undelivered --since 2026-05-25T00:00:00Z --dry-run').action(
    async (id: string, { tenant, json, ...options }: Options) => {
      const input = checked(newRecovery(eventNames), recoveryOf(options), WORDING)
      const start = (tx: Tx) => recovery.recover(tx, callerOf(tenant), id, input)
      await inTenant(
        tenant,
        async ({ sql }) => {
          if (!input.dry_run) return follow({ sql, tenant, webhook: id }, async tx => begun(await start(tx)), json)
          const counted = await begin(sql, start)
          show(JSON.stringify('preview' in counted && counted.preview), json)
        },
        { input, wording: WORDING },
      ).catch(error => {
        throw withOther(error)
      })
    },
  )

  const listing = command('recoveries <id>', 'what was sent again, the newest first; redeliveries and tests included')
  listOptions(listing, recoveryQuery)
    .addOption(instead('--recovery <id>', 'one, rcv_…, with its progress', recoveryQuery))
    .action(async (id: string, { recovery: one, ...options }: Options) => {
      const { tenant, json } = options
      const { page } = listAsked(recoveryListing, recoveryQuery, options)
      if (one !== undefined)
        return show(found('recovery', await inTenant(tenant, ({ sql }) => recoveries.findJson(sql, tenant, id, one))), json)
      const all = await inTenant(tenant, async ({ sql }) => {
        if (!(await store.exists(sql, tenant, id))) throw notFound('webhook')
        return recoveries.list(sql, tenant, id, page)
      })
      showPage(all, page, json, COLUMNS)
    })

  command('cancel-recovery <id> <recovery>', 'send no more of it; what is in flight is finished').action(
    async (id: string, recoveryId: string, { tenant, json }: Options) =>
      show(await inTenant(tenant, ({ sql }) => begin(sql, tx => recovery.cancel(tx, callerOf(tenant), id, recoveryId))), json),
  )
}

const recoveryOf = ({ scope, since, until, types, rate, dryRun }: Record<string, string | undefined>): object => ({
  scope,
  ...(since !== undefined && { since }),
  ...(until !== undefined && { until }),
  ...(types !== undefined && { types: commaList(types) }),
  ...(rate !== undefined && { max_per_second: numeric(rate) }),
  ...(dryRun && { dry_run: true }),
})

const begun = (started: Awaited<ReturnType<typeof recovery.recover>>): string => ('id' in started ? started.id : '')

const WORDING: Wording = { names: { max_per_second: 'rate' }, words: { since: '--since' } }

/** Adds to the refusal which recovery is in the way, and what can be done about it. */
function withOther(error: unknown): unknown {
  const other = error instanceof Problem ? error.members['recovery_id'] : undefined
  return other === undefined
    ? error
    : new OperatorError(`${(error as Problem).message} It is ${other}: see recoveries and cancel-recovery.`)
}

const COLUMNS: Column[] = [
  'created_at',
  'id',
  'scope',
  ['state', ({ state, reason }: Json) => (reason ? `${state} (${reason})` : state)],
  'done',
  'total',
  'succeeded',
  'failed',
  'event_id',
]
