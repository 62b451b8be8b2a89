// A million deliveries wait. Throughput is compared with that of next to none waiting, in alternation, under the same feeding; and the queue must
// stay small. The processor time of a delivery tells the same also where the machine is busy.
import { setTimeout as delay } from 'node:timers/promises'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { sessionMs } from '../../test/support/process-usage.ts'
import { type Behaviour, type Receivers, startReceivers } from './receivers.ts'
import { feed, lookAtQueue, oneJobEach, type Queue, type Shops, withShops } from './shops.ts'
import { type Outcome, progress, quantile } from './verdict.ts'

export interface BacklogPlan {
  deliveries: number
  /** Seconds of each measurement. There are two in a round: with next to none waiting, and with a million. */
  seconds: number
  /** Odd, so that one of them is the median. */
  rounds: number
  /** As many of each shop. */
  endpoints: number
  receivers: Behaviour
  /** The least share of the throughput that is left, and how many times the processor time of the database a delivery may take. */
  limits: { share: number; cost: number }
}

/** Deliveries fed at a time to each endpoint. */
const LOT = 50
/** Lots that wait when next to none do, or some endpoints would have nothing while the next lot is fed. */
const STANDING = 4
const LOOK_MS = 100
/** The part of a measurement's time that it takes to warm up. */
const WARM_UP_SHARE = 0.5

export function runBacklog(plan: BacklogPlan): Promise<Outcome> {
  return withShops({ keys: 1, settings: { max_wal_size: '8GB', shared_buffers: '1GB' } }, environment => backlog(plan, environment))
}

export async function backlog(plan: BacklogPlan, { sql, worker, shops, subscribe }: Shops): Promise<Outcome> {
  const receivers = await startReceivers(Array<Behaviour>(plan.endpoints).fill(plan.receivers), false)
  await subscribe(receivers)
  // Neither is to be charged with the start: connections, compilation, plans.
  const load: Load = { sql, shops, receivers, endpoints: plan.endpoints }
  await measure(load, plan.seconds * WARM_UP_SHARE)
  const rounds: { empty: Measured; full: Measured; left: number }[] = []
  for (let round = 1; round <= plan.rounds; round++) {
    const empty = await measure(load, plan.seconds)
    progress(`round ${round} of ${plan.rounds}, next to none waiting: ${told(empty)}`)
    await feed(sql, shops, Math.round((plan.deliveries * 1.1) / plan.endpoints))
    const full = await measure(load, plan.seconds)
    progress(`round ${round} of ${plan.rounds}, the backlog waiting: ${told(full)}`)
    rounds.push({ empty, full, left: await pending(sql) })
    await dropBacklog(sql)
    // The next round is not to be charged with it.
    if (round < plan.rounds) await sql`vacuum analyze webhook_deliveries`
  }
  const [resident, peak] = [worker.resident(), worker.peak()]
  receivers.close()

  const [empty, full] = (['empty', 'full'] as const).map(kind => rounds.map(each => each[kind].perSecond)) as [number[], number[]]
  const share = quantile(full, 0.5) / quantile(empty, 0.5)
  const [dear, dearest] = (['empty', 'full'] as const).map(kind => rounds.map(each => each[kind].costUs)) as [number[], number[]]
  const cost = quantile(dearest, 0.5) / quantile(dear, 0.5)
  const left = Math.min(...rounds.map(each => each.left))
  return {
    facts: {
      endpoints: `${plan.endpoints} of ${shops.length} shops, ${plan.receivers}; one worker`,
      load: `${plan.rounds} × ${plan.seconds} s with next to none waiting, and as many with ${plan.deliveries}, in turns`,
      'next to none waiting': `${rounded(empty)} deliveries/s, of ${rounded(dear)} µs of the database each`,
      'the backlog waiting': `${rounded(full)} deliveries/s, of ${rounded(dearest)} µs of the database each`,
      'the worker’s resident memory': `${(resident / 1e6).toFixed(0)} MB at the end, ${(peak / 1e6).toFixed(0)} at most`,
    },
    findings: [
      {
        promise: `throughput is at least ${plan.limits.share * 100} % of that with an empty backlog (medians)`,
        figure: `${(share * 100).toFixed(0)} %`,
        holds: share >= plan.limits.share,
      },
      {
        promise: `a delivery takes the database less than ${plan.limits.cost} × the processor time (medians)`,
        figure: `${cost.toFixed(2)} ×`,
        holds: cost < plan.limits.cost,
      },
      oneJobEach(
        rounds.flatMap(each => [...each.empty.looks, ...each.full.looks]),
        plan.endpoints,
      ),
      { promise: 'the backlog was there throughout', figure: `${left} left at least`, holds: left > plan.deliveries * 0.8 },
    ],
  }
}

const rounded = (figures: number[]): string => figures.map(figure => figure.toFixed(0)).join(', ')

const told = ({ perSecond, costUs }: Measured): string =>
  `${rounded([perSecond])} deliveries/s, of ${rounded([costUs])} µs of the database each`

interface Load extends Pick<Shops, 'sql' | 'shops'> {
  receivers: Receivers
  endpoints: number
}

interface Measured {
  perSecond: number
  /** Microseconds of processor time of the worker's sessions, for each delivery. */
  costUs: number
  looks: Queue[]
}

// As much is fed as is taken away, in lots, so that the feeding costs the database the same however much waits.
async function measure({ sql, shops, receivers, endpoints }: Load, seconds: number): Promise<Measured> {
  const lot = LOT * endpoints
  await feed(sql, shops, LOT * STANDING)
  const costs = await costsOf(sql)
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
  const perSecond = (count - first) / ((performance.now() - since) / 1000)
  const spent = [...(await costsOf(sql))].reduce((sum, [pid, ms]) => sum + ms - (costs.get(pid) ?? 0), 0)
  return { perSecond, costUs: (spent * 1000) / (count - first), looks }
}

/** Milliseconds of processor time of each of the worker's sessions so far. */
async function costsOf(sql: Sql): Promise<Map<number, number>> {
  const sessions = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity
     where datname = current_database() and (application_name like 'shopdesk worker%' or application_name = 'shopdesk queue')`
  return new Map(sessions.map(({ pid }) => [pid, sessionMs(pid)]))
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
}
