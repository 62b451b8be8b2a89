// Half of the endpoints misbehave. What that costs the healthy half, and the worker's memory, is held against the same load without them.
import { setTimeout as delay } from 'node:timers/promises'
import { startOrders } from './orders.ts'
import { seeded } from './random.ts'
import { type Behaviour, type Receivers, startReceivers } from './receivers.ts'
import { createWebhook, openStage, type Running, type Shop, type Stage } from './stage.ts'
import { type Finding, quantile } from './verdict.ts'

export interface IsolationPlan {
  seed: number
  ordersPerSecond: number
  /** Of each of the three phases. */
  seconds: number
}

const SHOPS = 10
const KEYS = 10
const BAD: [Behaviour, number][] = [
  ['black hole', 20],
  ['reset', 10],
  ['drip', 10],
  ['flood', 10],
]
const HEALTHY = 50
const RESIDENT_MAX = 250e6
const GROWTH_MAX = 2
const SAMPLE_MS = 250

/** Without the bad ones, with them, and without them again: the machine may have other work meanwhile. */
export async function runIsolation(plan: IsolationPlan): Promise<{ facts: Record<string, string | number>; findings: Finding[] }> {
  const stage = await openStage()
  try {
    const random = seeded(plan.seed)
    const bad = random.shuffled(BAD.flatMap(([behaviour, count]) => Array<Behaviour>(count).fill(behaviour)))
    // Processes of their own: what the bad cost their own process must not delay the healthy.
    const healthyReceivers = await startReceivers(Array<Behaviour>(HEALTHY).fill('healthy'))
    const badReceivers = await startReceivers(bad, false)
    const [web, worker] = await Promise.all([stage.start('web'), stage.start('worker')])
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => stage.shop(KEYS)))
    const origin = String(web.ready)
    const subscribe = (receivers: Receivers) =>
      Promise.all(receivers.urls.map((url, i) => createWebhook(origin, shops[i % SHOPS] as Shop, url)))
    healthyReceivers.setSecrets((await subscribe(healthyReceivers)).map(({ secret }) => secret))

    const load = (phase: number) => measure(stage, { origin, shops, worker, plan, first: phase * 1_000_000, receivers: healthyReceivers })
    const before = await load(0)
    const badOnes = await subscribe(badReceivers)
    const during = await load(1)
    const requests = await badReceivers.count()
    await stage.sql`update webhook_endpoints set status = 'disabled' where id = any(${badOnes.map(({ id }) => id)})`
    const after = await load(2)
    healthyReceivers.close()
    badReceivers.close()

    const alone = [...before.delays, ...after.delays]
    const growth = quantile(during.delays, 0.99) / quantile(alone, 0.99)
    const resident = Math.max(before.resident, during.resident, after.resident)
    return {
      facts: {
        seed: plan.seed,
        endpoints: `${HEALTHY} healthy, ${BAD.map(([behaviour, count]) => `${count} ${behaviour}`).join(', ')}`,
        load: `${plan.ordersPerSecond} orders/s for ${plan.seconds} s, three times; one worker`,
        'event to first byte, without the bad': `${quantiles(before.delays)}; afterwards again ${quantiles(after.delays)}`,
        'event to first byte, with the bad': quantiles(during.delays),
        'requests spent on the bad': requests,
      },
      findings: [
        { promise: 'the healthy p99 grows by less than 2 ×', figure: `${growth.toFixed(2)} ×`, holds: growth < GROWTH_MAX },
        {
          promise: 'a worker’s resident memory stays under 250 MB',
          figure: `${(resident / 1e6).toFixed(0)} MB at most`,
          holds: resident < RESIDENT_MAX,
        },
        ...[before, during, after].map(({ delays, owed }, i) => ({
          promise: `the healthy got all of phase ${i + 1}`,
          figure: `${delays.length} of ${owed}`,
          holds: delays.length === owed,
        })),
      ],
    }
  } finally {
    await stage.close()
  }
}

const quantiles = (delays: number[]): string => `p50 ${quantile(delays, 0.5)} ms, p99 ${quantile(delays, 0.99)} ms of ${delays.length}`

interface Phase {
  origin: string
  shops: Shop[]
  worker: Running
  plan: IsolationPlan
  first: number
  receivers: Receivers
}

interface Measured {
  /** Milliseconds from an event's creation, which is before its commit, to its first arrival at each healthy receiver. */
  delays: number[]
  /** Deliveries to healthy receivers. */
  owed: number
  resident: number
}

async function measure(stage: Stage, { origin, shops, worker, plan, first, receivers }: Phase): Promise<Measured> {
  const since = Date.now()
  const orders = startOrders(origin, shops, plan.ordersPerSecond, first)
  let resident = 0
  for (const until = since + plan.seconds * 1000; Date.now() < until; await delay(SAMPLE_MS))
    resident = Math.max(resident, worker.resident())
  await orders.stop()
  const owed = (orders.accepted.length * HEALTHY) / SHOPS
  // The last of them are on their way; those of the bad may never arrive and are not waited for.
  const arrivals = async () => {
    const seen = new Map<string, number>()
    for (const { endpoint, event, at, createdAt } of await receivers.posts())
      if (createdAt >= since && !seen.has(`${endpoint} ${event}`)) seen.set(`${endpoint} ${event}`, at - createdAt)
    return [...seen.values()]
  }
  for (const until = Date.now() + 30_000; Date.now() < until && (await arrivals()).length < owed; ) await delay(SAMPLE_MS)
  const settled = await stage.sql<{ n: number }[]>`select count(*) as n from graphile_worker._private_jobs`
  if ((settled[0]?.n ?? 0) > HEALTHY * 2) throw new Error(`${settled[0]?.n} jobs for 100 endpoints`)
  return { delays: await arrivals(), owed, resident }
}
