// Enabled, paused, disabled: what a tenant may do to an endpoint's status, and what becomes of the deliveries meanwhile.
// A paused endpoint still gets deliveries, and they wait. A disabled one gets none; the call that enables it says what becomes of held deliveries and
// missed events.
import type { Caller } from '../../caller.ts'
import { audit } from '../../postgres/audit.ts'
import type { Tx } from '../../postgres/sql.ts'
import { notFound, Problem } from '../../problems.ts'
import type { Enabling } from './schema.ts'
import * as store from './store.ts'
import { wakeAfter } from './wake.ts'

/** @throws {Problem} 404; 409 for a disabled webhook */
export const pause = (tx: Tx, caller: Caller, id: string): Promise<string> => hold(tx, caller, id, 'paused')

/** Resumes a paused endpoint: what has waited is sent. @throws {Problem} 404; 409 for a disabled webhook */
export const resume = (tx: Tx, caller: Caller, id: string): Promise<string> => hold(tx, caller, id, 'enabled')

async function hold(tx: Tx, caller: Caller, id: string, status: 'enabled' | 'paused'): Promise<string> {
  const current = await lock(tx, caller, id)
  if (current.status === 'disabled')
    throw new Problem('conflict', 'This webhook is disabled, and makes no deliveries; enable it first.', { code: 'webhook_disabled' })
  if (current.status !== status || current.catching_up) {
    await store.hold(tx, caller.tenant, id, status)
    if (status === 'enabled') wakeAfter(tx, [{ tenant: caller.tenant, id }])
    await audit(tx, caller, status === 'paused' ? 'webhook.pause' : 'webhook.resume', id)
  }
  return (await store.findJson(tx, caller.tenant, id)) as string
}

/** Disables an endpoint by hand. Pending deliveries are kept; events meanwhile make none. @throws {Problem} 404 */
export async function disable(tx: Tx, caller: Caller, id: string): Promise<string> {
  const current = await lock(tx, caller, id)
  if (current.status !== 'disabled') {
    await store.disable(tx, caller.tenant, id, 'disabled by hand')
    await audit(tx, caller, 'webhook.disable', id)
  }
  return (await store.findJson(tx, caller.tenant, id)) as string
}

/**
 * Enables an endpoint whose receiver was mended, with a clean slate. If deliveries are to be dropped, or missed events to be sent, it is paused until a
 * task has done that, for there may be a million of them.
 * @throws {Problem} 404
 */
export async function enable(tx: Tx, caller: Caller, id: string, { pending = 'send', missed = 'drop' }: Enabling): Promise<string> {
  const current = await lock(tx, caller, id)
  if (current.catching_up) return current.json
  const sendMissed = missed === 'send' && current.knows_missed
  const atOnce = pending === 'send' && !sendMissed
  if (atOnce) await store.enable(tx, caller.tenant, id)
  else await store.beginCatchUp(tx, caller.tenant, id, { drop: pending === 'drop', missed: sendMissed })
  if (atOnce) wakeAfter(tx, [{ tenant: caller.tenant, id }])
  await audit(tx, caller, 'webhook.enable', id, { pending, missed })
  return (await store.findJson(tx, caller.tenant, id)) as string
}

async function lock(tx: Tx, caller: Caller, id: string): Promise<store.Locked> {
  const current = await store.lock(tx, caller.tenant, id)
  if (!current) throw notFound('webhook')
  return current
}
