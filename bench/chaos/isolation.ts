// Half of the endpoints misbehave. The delays of the healthy half are compared with the same load without them, in alternation, for the machine may
// have other work meanwhile; and the worker's memory against its limit.
import { setTimeout as delay } from 'node:timers/promises'
import { seeded } from '../../test/support/random.ts'
import { startOrders } from './orders.ts'
import { type Behaviour, type Receivers, startReceivers } from './receivers.ts'
import { arrivals, lookAtQueue, oneJobEach, type Queue, type Shops, switchOff, switchOn, withShops } from './shops.ts'
import { type Outcome, quantile } from './verdict.ts'

export interface IsolationPlan {
  seed: number
  ordersPerSecond: number
  /** Seconds of each phase. There are two in a round: without the bad, and with them. */
  seconds: number
  /** In the worker: fewer than there are bad ones, so that these would fill it. */
  places: number
  /** Odd, so that one of them is the median. */
  rounds: number
  /** Webhooks: as many of each shop. */
  healthy: number
  bad: Partial<Record<Behaviour, number>>
  /** The healthy p99 may grow so many times, or be so long where that is more. */
  limits: { growth: number; p99Ms: number }
}

const KEYS = 10
const RESIDENT_MAX = 250e6
const SAMPLE_MS = 250

export function runIsolation(plan: IsolationPlan): Promise<Outcome> {
  return withShops({ keys: KEYS, worker: { WORKER_CONCURRENCY: String(plan.places) } }, environment => isolation(plan, environment))
}

/** @param environment with so many places in its worker, and ten keys for each shop */
export async function isolation(plan: IsolationPlan, environment: Shops): Promise<Outcome> {
  const { sql, worker, subscribe } = environment
  const random = seeded(plan.seed)
  const kinds = Object.entries(plan.bad) as [Behaviour, number][]
  const bad = random.shuffled(kinds.flatMap(([behaviour, count]) => Array<Behaviour>(count).fill(behaviour)))
  // Processes of their own: the load of the bad on their process must not delay the healthy.
  const receivers = await startReceivers(Array<Behaviour>(plan.healthy).fill('healthy'))
  const badReceivers = await startReceivers(bad, false)
  receivers.setSecrets((await subscribe(receivers)).map(({ secret }) => secret))
  const badOnes = (await subscribe(badReceivers)).map(({ id }) => id)
  const phases: { without: Phase; with: Phase }[] = []
  await switchOff(sql, badOnes)
  // Connections, compilation, plans.
  await measure(plan, environment, receivers, 0)
  for (let round = 1; round <= plan.rounds; round++) {
    const without = await measure(plan, environment, receivers, round * 2)
    await switchOn(sql, badOnes)
    phases.push({ without, with: await measure(plan, environment, receivers, round * 2 + 1) })
    await switchOff(sql, badOnes)
  }
  const requests = await badReceivers.count()
  receivers.close()
  badReceivers.close()

  const all = phases.flatMap(each => [each.without, each.with])
  const [without, withThem] = (['without', 'with'] as const).map(kind => phases.map(each => p99(each[kind]))) as [number[], number[]]
  const [alone, beside] = [quantile(without, 0.5), quantile(withThem, 0.5)]
  const growth = beside / alone
  const peak = worker.peak()
  return {
    facts: {
      seed: plan.seed,
      endpoints: `${plan.healthy} healthy, ${kinds.map(([behaviour, count]) => `${count} ${behaviour}`).join(', ')}`,
      load: `${plan.ordersPerSecond} orders/s; ${plan.rounds} × ${plan.seconds} s without the bad, and as many with them, in turns; one worker with ${plan.places} places`,
      'p50 from event to first byte': `${ms(phases.map(each => p50(each.without)))} without the bad, ${ms(phases.map(each => p50(each.with)))} with them`,
      p99: `${ms(without)} without the bad, ${ms(withThem)} with them`,
      'requests spent on the bad': requests,
    },
    findings: [
      {
        promise: `the healthy p99 grows by less than ${plan.limits.growth} × (medians)`,
        figure: `${growth.toFixed(2)} ×, ${alone} → ${beside} ms`,
        holds: growth < plan.limits.growth || beside < plan.limits.p99Ms,
      },
      {
        promise: 'a worker’s resident memory stays under 250 MB',
        figure: `${(peak / 1e6).toFixed(0)} MB at most`,
        holds: peak < RESIDENT_MAX,
      },
      {
        promise: 'the healthy got everything in all phases',
        figure: `${sum(all.map(each => each.delays.length))} of ${sum(all.map(each => each.expected))}`,
        holds: all.every(({ delays, expected }) => delays.length === expected),
      },
      oneJobEach(
        all.flatMap(({ looks }) => looks),
        plan.healthy + bad.length,
      ),
    ],
  }
}

const p50 = ({ delays }: Phase): number => quantile(delays, 0.5)
const p99 = ({ delays }: Phase): number => quantile(delays, 0.99)
const ms = (values: number[]): string => `${values.join(', ')} ms`
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0)

interface Phase {
  /** Milliseconds from an event's creation, which is before its commit, to its first arrival at each healthy receiver. */
  delays: number[]
  /** Deliveries to healthy receivers. */
  expected: number
  looks: Queue[]
}

async function measure(plan: IsolationPlan, { sql, origin, shops }: Shops, receivers: Receivers, phase: number): Promise<Phase> {
  const since = Date.now()
  const orders = startOrders(origin, shops, plan.ordersPerSecond, phase * 1_000_000)
  const looks: Queue[] = []
  for (const until = since + plan.seconds * 1000; Date.now() < until; await delay(SAMPLE_MS)) looks.push(await lookAtQueue(sql))
  await orders.stop()
  const expected = (orders.accepted.length * plan.healthy) / shops.length
  // The last of them are on their way; those of the bad may never arrive and are not waited for.
  for (const until = Date.now() + 30_000; Date.now() < until && (await arrivals(receivers, since)).length < expected; )
    await delay(SAMPLE_MS)
  return { delays: await arrivals(receivers, since), expected, looks }
}
