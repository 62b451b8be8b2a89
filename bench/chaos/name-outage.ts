// A time in which no name server answers: no receiver's fault, and what was due goes out afterwards.
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../test/support/eventually.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { createWebhook, type Shop } from './environment.ts'
import type { Load } from './neighbours.ts'
import { startOrders } from './orders.ts'
import type { Post, Receivers } from './receivers.ts'
import { feed, type Shops } from './shops.ts'
import { type Names, NOWHERE } from './unreliable-names.ts'
import { none } from './verdict.ts'

/** A hundredth of the usual, for a worker that survives the outage. */
const SCHEDULE = '0,0.08,0.6,3,18'
/** Delayed deliveries go out over as long a time as the outage took; this is allowed beside that, for a busy machine. */
const AFTERWARDS_MS = 10_000

interface Run extends Shops, Load {
  names: Names
  outageMs: number
}

export async function inOutage(run: Run, deadShop: Shop, settings: Record<string, string>) {
  const { names, sql, origin, others, receivers } = run
  // A worker that knows no name yet.
  await run.worker.stop()
  await Promise.all(names.servers.map(server => server.away('closed')))
  const dead = await createWebhook(origin, deadShop, `http://${NOWHERE}:9/`)
  await feed(sql, [deadShop], 10)
  const began = Date.now()
  const worker: Reporting = await run.start('worker', { ...settings, WEBHOOK_SCHEDULE: SCHEDULE })
  const orders = startOrders(origin, others, run.ordersPerSecond, run.phase++ * 1_000_000)
  // It begins when a look-up has seen it: on a busy machine the first ones come late.
  const told = await eventually(async () => worker.output().includes('no name server answers'), 30_000).catch(() => false)
  await delay(run.outageMs / 2)
  await Promise.all(names.servers.map(server => server.away('silent')))
  await delay(run.outageMs / 2)
  const isDisabled = await eventually(
    async () => (await sql`select 1 from webhook_endpoints where id = ${dead.id} and status = 'disabled'`).length > 0,
    30_000,
  ).catch(() => false)
  const meanwhile = await arrivedSince(receivers, began)
  const until = Date.now()
  await Promise.all(names.servers.map(server => server.back()))
  await orders.stop()
  const lastAt = await eventually(
    async () => {
      const posts = await arrivedSince(receivers, began)
      return posts.length >= orders.accepted.length && Math.max(...posts.map(({ at }) => at))
    },
    until - began + AFTERWARDS_MS,
  ).catch(() => undefined)
  const arrived = await arrivedSince(receivers, began)
  return {
    facts: {
      'no name server': `${((until - began) / 1000).toFixed(1)} s, closed and then silent, by a schedule of a hundredth; ${meanwhile.length} of ${orders.accepted.length} events arrived in it, the last of all ${lastAt === undefined ? 'never' : `${Math.max(0, (lastAt - until) / 1000).toFixed(1)} s after it`}`,
      'names asked': new Set(names.servers.flatMap(({ asked }) => asked)).size,
    },
    findings: [
      none('in that time a webhook whose receiver is down is disabled', isDisabled ? [] : ['it was not']),
      none('the worker says that no name server answers', told ? [] : [worker.output().slice(-500)]),
      {
        promise: 'what was due arrives within the length of the outage and 10 s of its end',
        figure: `${arrived.length} of ${orders.accepted.length}`,
        holds: lastAt !== undefined,
      },
    ],
  }
}

const arrivedSince = async (receivers: Receivers, since: number): Promise<Post[]> =>
  (await receivers.posts()).filter(({ createdAt }) => createdAt >= since)
