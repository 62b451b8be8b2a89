// Sending again what a tenant asks for: what failed, what was never sent, everything since a time, one event, or a test.
// None of it touches the endpoint's health, and all of it works while the endpoint is paused or disabled.

import type { Caller } from '../../caller.ts'
import { now } from '../../clock.ts'
import { type EventType, envelope } from '../../events/emit.ts'
import { lowestId, newId } from '../../ids.ts'
import { COUNT_MAX, RECOVERY_COUNT_MS, RECOVERY_COUNT_SLICE, RECOVERY_COUNT_SLICES, RECOVERY_PER_SECOND } from '../../limits/webhooks.ts'
import { audit } from '../../postgres/audit.ts'
import { violatedConstraint } from '../../postgres/errors.ts'
import type { Tx } from '../../postgres/sql.ts'
import { invalid, notFound, Problem } from '../../problems.ts'
import { WebhookTest } from '../endpoints/events.ts'
import type { NewRecovery } from './schema.ts'
import { count, type Selection, sliceEnd } from './selection-store.ts'
import * as store from './store.ts'

/** What a recovery would send: how many events, before any is sent. */
export interface Preview extends Counted {
  object: 'webhook_recovery_preview'
  webhook_id: string
  scope: string
  types: string[] | null
  since: string | null
  until: string
}

interface Counted {
  total: number
  /** Counting stopped at `total`: there may be more. */
  total_at_least: boolean
}

/**
 * Begins to send many events again.
 * @returns the recovery's id; for a dry run what it would send
 * @throws {Problem} 404, 422; 409 while another is under way
 */
export async function recover(
  tx: Tx,
  caller: Caller,
  endpoint: string,
  input: NewRecovery,
): Promise<{ id: string } | { preview: Preview }> {
  const selection = await select(tx, caller, endpoint, input)
  const counted = await countSome(tx, caller.tenant, selection)
  if (input.dry_run) return { preview: preview(input, selection, counted) }
  const other = await store.running(tx, caller.tenant, endpoint)
  if (other !== undefined) throw busy(other)
  const id = newId('rcv')
  try {
    await store.insert(tx, caller.tenant, { ...selection, ...counted, id, max_per_second: input.max_per_second ?? RECOVERY_PER_SECOND })
  } catch (error) {
    throw violatedConstraint(error) === 'webhook_recoveries_one' ? busy() : error
  }
  await audit(tx, caller, 'webhook.recover', endpoint, { recovery_id: id, ...input, total: counted.total })
  return { id }
}

// Counts slice by slice, for there may be millions of events, and the request waits.
async function countSome(tx: Tx, tenant: string, selection: Selection): Promise<Counted> {
  const until = performance.now() + RECOVERY_COUNT_MS
  let total = 0
  let first: string | undefined = selection.first_id
  for (let slice = 0; slice < RECOVERY_COUNT_SLICES && first !== undefined && total <= COUNT_MAX && performance.now() < until; slice++) {
    const rest: Selection = { ...selection, first_id: first }
    const end = await sliceEnd(tx, tenant, rest, RECOVERY_COUNT_SLICE)
    // Counts one more than is reported, to know whether there are more.
    total += await count(tx, tenant, { ...rest, end_id: end ?? selection.end_id }, COUNT_MAX + 1 - total)
    first = end
  }
  return { total: Math.min(total, COUNT_MAX), total_at_least: first !== undefined || total > COUNT_MAX }
}

async function select(tx: Tx, caller: Caller, endpoint: string, input: NewRecovery): Promise<Selection> {
  const subscription = await store.subscription(tx, caller.tenant, endpoint)
  if (!subscription) throw notFound('webhook')
  const { scope, since, until, types } = input
  if (scope === 'all' && since === undefined)
    throw invalid({ field: 'since', code: 'required', message: 'is required: from when on shall everything be sent again?' })
  const from = since === undefined ? 0 : Date.parse(since)
  const to = until === undefined ? now() + 1 : Date.parse(until)
  if (to <= from) {
    if (until === undefined) throw invalid({ field: 'since', code: 'out_of_range', message: 'must not lie in the future.' })
    throw invalid({ field: 'until', code: 'out_of_range', message: 'must be later than since.' })
  }
  // An event older than the webhook was never to be delivered; only `all` includes it.
  const earliest = scope === 'undelivered' ? subscription.created_at.getTime() : 0
  return {
    endpoint,
    scope,
    first_id: lowestId('evt', Math.max(from, earliest)),
    end_id: lowestId('evt', Math.max(to, 0)),
    types: types ?? (scope === 'failed' ? null : subscription.events),
  }
}

const preview = ({ scope, since, until }: NewRecovery, { endpoint, types }: Selection, counted: Counted): Preview => ({
  object: 'webhook_recovery_preview',
  webhook_id: endpoint,
  scope,
  types,
  since: since === undefined ? null : new Date(since).toISOString(),
  until: new Date(until ?? now()).toISOString(),
  ...counted,
})

const busy = (id?: string): Problem =>
  new Problem('conflict', 'A recovery of this webhook is under way; wait for its end, or cancel it.', {
    code: 'recovery_running',
    ...(id !== undefined && { recovery_id: id }),
  })

/** Sends one event again, whatever became of it. @returns the recovery's id @throws {Problem} 404 */
export async function redeliver(tx: Tx, caller: Caller, endpoint: string, event: string): Promise<string> {
  if (!(await store.subscription(tx, caller.tenant, endpoint))) throw notFound('webhook')
  const selection = ofOne(endpoint, 'event', event)
  if ((await count(tx, caller.tenant, selection, 1)) === 0) throw notFound('event')
  return begin(tx, caller, selection, 'webhook.redeliver')
}

/**
 * Sends an event that did not happen: `webhook.test`, or the example of a type. Only this endpoint gets it, with the header X-Service-Test.
 * @param eventTypes the types that can be subscribed to
 * @returns the recovery's id
 * @throws {Problem} 404
 */
export async function sendTest(
  tx: Tx,
  caller: Caller,
  endpoint: string,
  type: string | undefined,
  eventTypes: readonly EventType[],
): Promise<string> {
  if (!(await store.subscription(tx, caller.tenant, endpoint))) throw notFound('webhook')
  const { name, example } = eventTypes.find(each => each.name === type) ?? WebhookTest
  const at = new Date(now())
  const id = newId('evt', at.getTime())
  await store.insertTestEvent(tx, caller.tenant, endpoint, { id, type: name, at, body: envelope(id, name, at, example) })
  return begin(tx, caller, ofOne(endpoint, 'test', id), 'webhook.test')
}

const ofOne = (endpoint: string, scope: 'event' | 'test', event: string): Selection => ({
  endpoint,
  scope,
  first_id: event,
  // The smallest text that sorts after it.
  end_id: `${event}0`,
  types: null,
})

async function begin(tx: Tx, caller: Caller, selection: Selection, action: string): Promise<string> {
  const id = newId('rcv')
  await store.insert(tx, caller.tenant, { ...selection, id, total: 1, total_at_least: false, max_per_second: RECOVERY_PER_SECOND })
  await audit(tx, caller, action, selection.endpoint, { recovery_id: id, event_id: selection.first_id })
  return id
}

/** Ends a recovery early; requests in flight are finished. A recovery that is over stays as it is. @throws {Problem} 404 */
export async function cancel(tx: Tx, caller: Caller, endpoint: string, id: string): Promise<string> {
  if (!(await store.findJson(tx, caller.tenant, endpoint, id))) throw notFound('recovery')
  if (await store.cancel(tx, caller.tenant, id)) await audit(tx, caller, 'webhook.cancel_recovery', endpoint, { recovery_id: id })
  return (await store.findJson(tx, caller.tenant, endpoint, id)) as string
}
