// Workers killed, PostgreSQL restarted and made read-only at random moments, under a steady load of orders. The promises are in evidence.ts.
import { setTimeout as delay } from 'node:timers/promises'
import { ENDPOINT_CAP } from '../../src/limits/webhooks.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { type Random, seeded } from '../../test/support/random.ts'
import {
  delaysOf,
  fetchOfHeld,
  heldBy,
  NEXT_LIMITS,
  type Next,
  type NextLimits,
  nextOfHeld,
  nextOfWaiting,
  noteFetches,
  ofNext,
  toldOf,
  waitingForRoom,
} from './abandoned-leases.ts'
import { createWebhook, type Environment, openEnvironment, type Shop } from './environment.ts'
import { duplicatesOf, type Evidence, findings, readWritten } from './evidence.ts'
import type { Fault } from './fault.ts'
import { type Orders, startOrders } from './orders.ts'
import { startReceivers } from './receivers.ts'
import { type Finding, none, quantile } from './verdict.ts'

export interface KillsPlan {
  seed: number
  kills: number
  /** Half of them orderly, half as by a power cut. */
  restarts: number
  /** Spells in which PostgreSQL takes no changes. */
  spells?: { count: number; ms: [least: number, most: number] }
  workers: number
  ordersPerSecond: number
  /** Between one fault and the next, at random. */
  pauseMs: [least: number, most: number]
  /** How many slots each worker has; the usual number unless given. Where there are few, webhooks wait in the worker's memory for one. */
  slots?: number
  /** How soon another is to go on after a kill; less strict on a machine that does much else. */
  next?: NextLimits
  /** PostgreSQL's, for a test that has nothing to lose. */
  settings?: Record<string, string>
}

export interface KillsResult {
  facts: Record<string, string | number>
  findings: Finding[]
}

export const SHOPS = 4
/** A key may write 120 times a minute. */
export const KEYS = 15
/** Each shop has these: how many requests at once its endpoint takes. The last is strictly ordered, and takes a while to answer: it is nearly always sent to. */
const CAPS = [ENDPOINT_CAP, ENDPOINT_CAP, 1]
/** After some errors leases lapse within 25 s only: work that is not done long after that never will be. */
const DRAIN_LIMIT_MS = 180_000

export async function runKills(plan: KillsPlan): Promise<KillsResult> {
  const environment = await openEnvironment(plan.settings)
  const random = seeded(plan.seed)
  try {
    const endpoints = Array.from({ length: SHOPS }, () => CAPS).flat()
    const receivers = await startReceivers(endpoints.map(cap => (cap === 1 ? 'slow' : 'healthy')))
    const web = await environment.start('web')
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => environment.shop(KEYS)))
    const owner = (endpoint: number) => shops[Math.floor(endpoint / CAPS.length)] as Shop
    const webhooks = await Promise.all(
      endpoints.map((cap, i) => createWebhook(String(web.ready), owner(i), receivers.urls[i] as string, cap)),
    )
    receivers.setSecrets(webhooks.map(({ secret }) => secret))
    const fetches = await noteFetches(environment.sql)
    const workers = keepWorkers(environment, plan)
    await workers.complete()
    const orders = startOrders(String(web.ready), shops, plan.ordersPerSecond)
    // Also after a failure: else the workers that are left would keep the process alive.
    environment.closing.addEventListener('abort', () => void orders.stop().catch(() => {}))
    const faults = await injectFaults(environment, workers, random, plan)
    await orders.stop()
    const began = Date.now()
    await drained(environment.sql)
    const drainSeconds = (Date.now() - began) / 1000
    const posts = await receivers.posts()
    const written = await readWritten(environment.sql)
    const ends = await workers.stop()
    const owners = [...endpoints.keys()].map(endpoint => owner(endpoint).tenant)
    const evidence = { posts, faults, written, accepted: orders.accepted, webhooks, owners, fetches: await fetches() }
    return {
      facts: factsOf(evidence, orders, drainSeconds, plan),
      findings: [
        ...findings(evidence),
        ...(plan.kills > 0 ? ofNext(evidence, plan.next ?? NEXT_LIMITS) : []),
        none('no request met a bug (500)', orders.refused['500'] ? failuresIn(web) : []),
        none('web lives through it all', web.hasEnded() ? [lastLines(web)] : []),
        ...ends,
      ],
    }
  } finally {
    await environment.close()
  }
}

/** What the log says of requests that were answered with 500. */
const failuresIn = (web: Reporting): string[] =>
  web
    .output()
    .split('\n')
    .filter(line => line.includes('"a request failed"'))

const lastLines = (process: Reporting): string => process.output().slice(-2_000)

interface Workers {
  /** Resolves when as many as there should be are running. */
  complete(): Promise<unknown>
  /** kill -9 of a running one, while another runs. Resolves when it has ended and was replaced. @returns the webhooks it was sending to, and those that waited */
  kill(random: Random): Promise<Pick<Fault, 'until' | 'pid' | 'held' | 'waiting' | 'elsewhere'>>
  /** Stops them by SIGTERM. @returns whether they lived through it all, and ended well */
  stop(): Promise<Finding[]>
}

// As many workers as `count` at all times: one that ends, killed or not, is replaced at once.
function keepWorkers(environment: Environment, { workers: count, slots }: KillsPlan): Workers {
  const running = new Set<Reporting>()
  const killed = new WeakSet<Reporting>()
  const elsewhere = new WeakSet<Reporting>()
  const settings = slots === undefined ? {} : { WORKER_CONCURRENCY: String(slots) }
  let started = 0
  const ended: string[] = []
  let stopping = false

  async function keepOne(): Promise<void> {
    while (!stopping && !environment.closing.aborted) {
      // While the database is away a worker refuses to start, as it should; an operator's supervisor tries again.
      const worker = await environment.start('worker', settings).catch(() => delay(500))
      if (!worker) continue
      // Every second one, as if it ran on a machine of its own: that it has ended is not known for certain then.
      if (++started % 2 === 0 && (await moved(environment.sql, worker))) elsewhere.add(worker)
      running.add(worker)
      const end = await worker.ended
      running.delete(worker)
      if (!killed.has(worker) && (!stopping || end !== 0)) ended.push(`${end}: ${worker.output().slice(-500)}`)
    }
  }

  const kept = Array.from({ length: count }, keepOne)
  const complete = () => eventually(async () => running.size === count, 120_000)
  return {
    complete,
    async kill(random) {
      // One is left to go on: with none alive it would be measured how long a worker takes to start, half a minute on a machine that is full.
      await eventually(async () => running.size > 1, 120_000)
      const victim = [...running][Math.floor(random.next() * running.size)] as Reporting
      running.delete(victim)
      killed.add(victim)
      const held = await heldBy(environment.sql, victim.pid)
      // Frozen first, for others free what it held as soon as they know of the kill, and find what waited.
      process.kill(victim.pid, 'SIGSTOP')
      const [before, waiting] = await Promise.all([held(), waitingForRoom(environment.sql)])
      await victim.stop('SIGKILL')
      const until = Date.now()
      // Its last statement may have taken a lease since.
      return { until, pid: victim.pid, held: [...new Set([...before, ...(await held())])], waiting, elsewhere: elsewhere.has(victim) }
    },
    async stop() {
      await complete()
      stopping = true
      for (const worker of running) void worker.stop()
      await Promise.all(kept)
      return [none('a worker ends only when it is killed or told to', ended)]
    },
  }
}

async function moved(sql: Sql, { pid }: Reporting): Promise<boolean> {
  const { count } = await sql`update worker_processes set place = 'elsewhere' where pid = ${pid}`.catch(() => ({
    count: 0,
  }))
  return count > 0
}

const nothing = (): Partial<Fault> => ({})

async function injectFaults(environment: Environment, workers: Workers, random: Random, plan: KillsPlan): Promise<Fault[]> {
  const { count: spells, ms: lasting } = plan.spells ?? { count: 0, ms: [0, 0] }
  const faults: Fault[] = []
  const inject: Record<'kill' | 'restart' | 'spell', () => Promise<Partial<Fault>>> = {
    kill: () => workers.kill(random),
    restart: () => environment.restartPostgres(random.next() < 0.5 ? 'SIGQUIT' : 'SIGINT').then(nothing),
    spell: () => environment.readOnlySpell(random.between(...lasting)).then(nothing),
  }
  const kinds = random.shuffled<keyof typeof inject>([
    ...Array(plan.kills).fill('kill'),
    ...Array(plan.restarts).fill('restart'),
    ...Array(spells).fill('spell'),
  ])
  for (const kind of kinds) {
    // Not for anything to happen: a random moment is what is tested.
    await delay(random.between(...plan.pauseMs))
    const from = Date.now()
    const hit = await inject[kind]()
    faults.push({ kind, from, until: Date.now(), ...hit })
  }
  return faults
}

// All deliveries are made, all jobs are done, all leases are released or have lapsed: no worker releases one whose holder died when all was recorded.
export async function drained(sql: Sql): Promise<void> {
  await eventually(async () => {
    const [left] = await sql<{ n: number }[]>`
      select (select count(*) from webhook_deliveries where state = 'pending')
           + (select count(*) from graphile_worker._private_jobs)
           + (select count(*) from webhook_endpoints where lease_until > clock_timestamp() or queued_at is not null) as n`
    return left?.n === 0
  }, DRAIN_LIMIT_MS).catch(() => {})
}

function factsOf(evidence: Evidence, orders: Orders, drainSeconds: number, plan: KillsPlan): KillsResult['facts'] {
  const { posts, faults, written } = evidence
  const { kill: kills = [], restart: restarts = [], spell: spells = [] } = Object.groupBy(faults, ({ kind }) => kind)
  const outages = restarts.map(({ from, until }) => until - from)
  const { here = [], elsewhere = [] } = Object.groupBy(nextOfHeld(evidence), each => (each.elsewhere ? 'elsewhere' : 'here'))
  const fetched = Object.groupBy(fetchOfHeld(evidence), each => (each.elsewhere ? 'elsewhere' : 'here'))
  const told = (next: Next[] = []): string => toldOf(next.map(({ ms }) => ms))
  const waiting = nextOfWaiting(evidence)
  const delays = delaysOf(posts)
  const logged = new Set(written.log.map(({ delivery }) => delivery))
  const lost = posts.filter(({ delivery }) => !logged.has(delivery)).length
  const seconds = faults.length > 0 ? ((faults.at(-1)?.until ?? 0) - (faults[0]?.from ?? 0)) / 1000 : 0
  return {
    seed: plan.seed,
    'kill -9 of a worker': kills.length,
    'read-only spells': `${spells.length}, of ${spells.map(({ from, until }) => ((until - from) / 1000).toFixed(1)).join(', ')} s`,
    'restarts of PostgreSQL, immediate and fast': `${outages.length}, away for ${outages.map(ms => `${(ms / 1000).toFixed(1)} s`).join(', ')}`,
    'from the first fault to the last': `${seconds.toFixed(0)} s, with ${plan.workers} workers`,
    'orders accepted': `${orders.accepted.length}, ${orders.learnt()} of them learnt from the answer to a repeat`,
    'requests asked again': JSON.stringify(orders.refused).replaceAll('"', ''),
    'deliveries expected': written.deliveries.length,
    'POSTs received': `${posts.length}: ${duplicatesOf(posts)} duplicates, ${lost} not in the log`,
    'webhooks that killed workers were sending to': kills.reduce((sum, { held = [] }) => sum + held.length, 0),
    'from a kill to the next attempt there': told(here),
    'the same, of workers as if on another machine': told(elsewhere),
    'the same, of webhooks that waited in a worker for a slot, for each kill': told(waiting),
    'from a kill until another had fetched its job': told(fetched.here),
    'the same, of a worker as if on another machine': told(fetched.elsewhere),
    'from event to first POST': `p50 ${quantile(delays, 0.5)} ms, p99 ${(quantile(delays, 0.99) / 1000).toFixed(1)} s, at most ${(quantile(delays, 1) / 1000).toFixed(1)} s`,
    'drained after the last order': `${drainSeconds.toFixed(1)} s`,
  }
}
