// What became of the deliveries of a webhook, and how its receiver is doing, on the command line.
import type { Command } from 'commander'
import { instead, listAsked, listOptions } from '../../cli/options.ts'
import { type Column, type Json, show, showLines, showPage } from '../../cli/output.ts'
import { notFound } from '../../problems.ts'
import { example, found, inTenant, type Options, tenantCommand } from '../../tenants/tenant-command.ts'
import * as store from '../endpoints/store.ts'
import { answerOf, brieflyOf } from './answer.ts'
import { deliveryListing, deliveryQuery } from './schema.ts'
import * as log from './store.ts'

/** @param eventNames those that can be subscribed to */
export function logCommands(webhook: Command, eventNames: string[]): void {
  const query = deliveryQuery(eventNames)
  const listing = tenantCommand(webhook, 'deliveries <id>', 'the delivery log, the newest event first')
  example(
    listOptions(listing, query).addOption(
      instead('--event <id>', 'one delivery, evt_…, with every attempt: request, response, timings', query),
    ),
    'whk_… --state pending,failed --created-after 2026-05-25T09:30:00Z',
    'whk_… --event evt_…',
  ).action(async (id: string, { event, ...options }: Options) => {
    const { tenant, json } = options
    const { filters, page } = listAsked(deliveryListing, query, options)
    if (event !== undefined)
      return show(found('delivery', await inTenant(tenant, ({ sql }) => log.findDelivery(sql, tenant, id, event))), json, showDelivery)
    const deliveries = await inTenant(tenant, async ({ sql }) => {
      if (!(await store.exists(sql, tenant, id))) throw notFound('webhook')
      return log.listDeliveries(sql, tenant, id, filters, page)
    })
    showPage(deliveries, page, json, COLUMNS)
  })

  tenantCommand(webhook, 'health <id>', 'how the receiver has been doing in the last 24 hours').action(
    async (id: string, { tenant, json }: Options) =>
      show(found('webhook', await inTenant(tenant, ({ sql }) => log.health(sql, tenant, id))), json),
  )
}

const COLUMNS: Column[] = [
  'created_at',
  'event_id',
  'type',
  'state',
  'attempts',
  ['last answer', ({ last_attempt }: Json) => last_attempt && brieflyOf(last_attempt as Json)],
  [
    'waits for',
    ({ waiting }: Json) => {
      const { reason, until } = (waiting ?? {}) as Json
      return until ? `${reason} until ${until}` : reason
    },
  ],
]

function showDelivery({ log, event, ...delivery }: Json): void {
  showLines(delivery)
  for (const { attempt, started_at, ...rest } of log as Json[])
    console.log(`\nAttempt ${attempt} at ${started_at}: ${answerOf(rest)}\n${JSON.stringify(rest, null, 2)}`)
  console.log(`\nThe event\n${JSON.stringify(event, null, 2)}`)
}
