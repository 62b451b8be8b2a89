// A channel is switched off and on, and ended.
import * as callbacks from '../callbacks/callbacks.ts'
import type { Caller } from '../caller.ts'
import { audit } from '../postgres/audit.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import * as store from './accounts/store.ts'
import { type ChannelContext, joiningOf, unregister } from './joining.ts'
import { known, shown } from './known.ts'
import { wakeAfter } from './sending/wake.ts'

/** What comes is kept and waits, and nothing is sent. */
export async function disable(sql: Sql, caller: Caller, id: string, context: ChannelContext): Promise<string> {
  await changeStatus(sql, caller, id, 'channel.disable', async tx => {
    await store.disable(tx, caller.tenant, id)
    await callbacks.pauseSource(tx, { tenant: caller.tenant, id })
  })
  return shown(sql, caller, id, context)
}

/** What has waited is applied and sent; a failing channel is tried at once. */
export async function enable(sql: Sql, caller: Caller, id: string, context: ChannelContext): Promise<string> {
  await changeStatus(sql, caller, id, 'channel.enable', async tx => {
    await store.enable(tx, caller.tenant, id)
    await callbacks.resumeSource(tx, { tenant: caller.tenant, id })
  })
  return shown(sql, caller, id, context)
}

/**
 * Its conversations stay readable; its callbacks are answered with 404, and what was queued fails. What was answered with 200 before is applied all the same,
 * and so is what a process takes that relies on what it read a moment ago. The platform is told once all of that is so.
 * @returns its JSON, and what is left to a person
 */
export async function remove(sql: Sql, caller: Caller, id: string, context: ChannelContext): Promise<{ json: string; steps: string[] }> {
  const joining = joiningOf(caller.tenant, await known(sql, caller, id), context)
  await changeStatus(sql, caller, id, 'channel.delete', async tx => {
    await store.bury(tx, caller.tenant, id)
    // A disabled one has kept what came: its sender was told so, and sends it to no other address.
    await callbacks.resumeSource(tx, { tenant: caller.tenant, id })
  })
  return { json: JSON.stringify({ object: 'channel', id, deleted: true }), steps: await unregister(caller.tenant, id, joining, context) }
}

async function changeStatus(sql: Sql, caller: Caller, id: string, action: string, work: (tx: Tx) => Promise<void>): Promise<void> {
  await begin(sql, async tx => {
    if (!(await store.lock(tx, caller.tenant, id))) throw notFound('channel')
    await work(tx)
    wakeAfter(tx, [{ tenant: caller.tenant, id }])
    await audit(tx, caller, action, id)
  })
}
