// Makes the events: transactions by the product's own emit path, as web runs them, at a pace. It reports when each was committed.
import { setTimeout as delay } from 'node:timers/promises'
import { Type } from 'typebox'
import { defineEvent, emitAll } from '../../src/events/emit.ts'
import { begin, openDatabase } from '../../src/postgres/sql.ts'
import { setReactions } from '../../src/reactions.ts'
import { wakeThrough } from '../../src/webhooks/delivery/fan-out.ts'
import { clockMs } from './processes.ts'

/** So many events per second for so long; or so many in all, as fast as that many transactions at once can make them. */
export type Load = { tenants: string[] } & ({ rate: number; ms: number } | { count: number; atOnce: number })

/** Each event's id, and when its COMMIT was sent. */
export type Committed = [id: string, at: number][]

/** As a bulk request makes them: one commit for several. */
const EVENTS_AT_ONCE = 10

const [databaseUrl = ''] = process.argv.slice(2)
const db = openDatabase(databaseUrl, { name: 'shopdesk bench load', lanes: 0, pool: 8 })
setReactions()
const { allAwake } = wakeThrough(db, error => {
  throw error
})
const Happened = defineEvent('order.created', 'An order of about 1 KB.', Type.Object({ order: Type.String() }))
const data = { order: 'x'.repeat(870) }

process.on('message', async (load: Load) => {
  const committed: Committed = []
  const under = new Set<Promise<void>>()
  const from = clockMs()
  const transactions = ('rate' in load ? (load.rate * load.ms) / 1000 : load.count) / EVENTS_AT_ONCE
  for (let i = 0; i < transactions; i++) {
    if ('rate' in load) {
      // By the clock and not by the last one's end: a slow moment is caught up, and waiting counts.
      const early = from + (i * load.ms) / transactions - clockMs()
      if (early > 1) await delay(early)
    } else if (under.size === load.atOnce) await Promise.race(under)
    const one = happen(load.tenants[i % load.tenants.length] as string, committed).finally(() => under.delete(one))
    under.add(one)
  }
  await Promise.all(under)
  await allAwake()
  process.send?.(committed)
})
process.on('disconnect', () => process.exit())
process.send?.({ ready: true })

async function happen(tenant: string, committed: Committed): Promise<void> {
  let at = 0
  const ids = await begin(db.sql, async tx => {
    const emitted = await emitAll(
      tx,
      Array.from({ length: EVENTS_AT_ONCE }, () => ({ caller: { tenant, actor: { type: 'system' as const } }, type: Happened, data })),
    )
    at = clockMs()
    return emitted
  })
  for (const id of ids) committed.push([id, at])
}
