// A million deliveries wait. Throughput is compared with that of next to none waiting, in alternation, under the same feeding; and the queue must
// stay small.
import { setTimeout as delay } from 'node:timers/promises'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import type { Shop } from './environment.ts'
import { type Behaviour, type Receivers, startReceivers } from './receivers.ts'
import { feed, lookAtQueue, oneJobEach, type Queue, type Shops, withShops } from './shops.ts'
import { type Outcome, progress, quantile } from './verdict.ts'

export interface BacklogPlan {
  deliveries: number
  /** Seconds of each measurement. There are two in a round: with next to none waiting, and with a million. */
  seconds: number
  /** Odd, so that one of them is the median. */
  rounds: number
}

const ENDPOINTS = 100
/** Events fed at a time to each shop: each has deliveries to ten endpoints. */
const LOT = 50
/** Lots that wait when next to none do, or some endpoints would have nothing while the next lot is fed. */
const STANDING = 4
const SHARE_MIN = 0.8
const LOOK_MS = 100
const WARM_UP_SECONDS = 10

export function runBacklog(plan: BacklogPlan): Promise<Outcome> {
  return withShops({ keys: 1, settings: { max_wal_size: '8GB', shared_buffers: '1GB' } }, environment => backlog(plan, environment))
}

export async function backlog(plan: BacklogPlan, { sql, worker, shops, subscribe }: Shops): Promise<Outcome> {
  const receivers = await startReceivers(Array<Behaviour>(ENDPOINTS).fill('prompt'), false)
  await subscribe(receivers)
  // Neither is to be charged with the start: connections, compilation, plans.
  await measure(sql, shops, receivers, WARM_UP_SECONDS)
  const rounds: { empty: Measured; full: Measured; left: number }[] = []
  for (let round = 1; round <= plan.rounds; round++) {
    const empty = await measure(sql, shops, receivers, plan.seconds)
    progress(`round ${round} of ${plan.rounds}, next to none waiting: ${perSecond([empty.perSecond])} deliveries/s`)
    await feed(sql, shops, Math.round((plan.deliveries * 1.1) / ENDPOINTS))
    const full = await measure(sql, shops, receivers, plan.seconds)
    progress(`round ${round} of ${plan.rounds}, a million waiting: ${perSecond([full.perSecond])} deliveries/s`)
    rounds.push({ empty, full, left: await pending(sql) })
    await dropBacklog(sql)
  }
  const [resident, peak] = [worker.resident(), worker.peak()]
  receivers.close()

  const [empty, full] = (['empty', 'full'] as const).map(kind => rounds.map(each => each[kind].perSecond)) as [number[], number[]]
  const share = quantile(full, 0.5) / quantile(empty, 0.5)
  const left = Math.min(...rounds.map(each => each.left))
  return {
    facts: {
      endpoints: `${ENDPOINTS} of ${shops.length} shops, which answer at once; one worker`,
      load: `${plan.rounds} × ${plan.seconds} s with next to none waiting, and as many with a million, in turns`,
      'next to none waiting': `${perSecond(empty)} deliveries/s`,
      'a million waiting': `${perSecond(full)} deliveries/s`,
      'the worker’s resident memory': `${(resident / 1e6).toFixed(0)} MB at the end, ${(peak / 1e6).toFixed(0)} at most`,
    },
    findings: [
      {
        promise: 'throughput is at least 80 % of that with an empty backlog (medians)',
        figure: `${(share * 100).toFixed(0)} %`,
        holds: share >= SHARE_MIN,
      },
      oneJobEach(
        rounds.flatMap(each => [...each.empty.looks, ...each.full.looks]),
        ENDPOINTS,
      ),
      { promise: 'the backlog was there throughout', figure: `${left} left at least`, holds: left > plan.deliveries * 0.8 },
    ],
  }
}

const perSecond = (rates: number[]): string => rates.map(rate => rate.toFixed(0)).join(', ')

interface Measured {
  perSecond: number
  looks: Queue[]
}

// As much is fed as is taken away, in lots, so that the feeding costs the database the same however much waits.
async function measure(sql: Sql, shops: Shop[], receivers: Receivers, seconds: number): Promise<Measured> {
  const lot = LOT * ENDPOINTS
  await feed(sql, shops, LOT * STANDING)
  const first = await receivers.count()
  const since = performance.now()
  let fed = 0
  const looks: Queue[] = []
  let count = first
  while (performance.now() - since < seconds * 1000) {
    await delay(LOOK_MS)
    count = await receivers.count()
    if (count - first - fed >= lot) {
      await feed(sql, shops, LOT)
      fed += lot
    }
    looks.push(await lookAtQueue(sql))
  }
  return { perSecond: (count - first) / ((performance.now() - since) / 1000), looks }
}

async function pending(sql: Sql): Promise<number> {
  const [row] = await sql<{ n: number }[]>`select count(*) as n from webhook_deliveries where state = 'pending'`
  return row?.n ?? 0
}

/** Deliveries under way are made all the same, and do no harm. */
async function dropBacklog(sql: Sql): Promise<void> {
  await begin(sql, async tx => {
    // Else it could deadlock with the worker, which deletes rows at the same time.
    await tx`lock table webhook_deliveries in exclusive mode`
    await tx`delete from webhook_deliveries where state = 'pending'`
  })
  await sql`vacuum analyze webhook_deliveries`
}
