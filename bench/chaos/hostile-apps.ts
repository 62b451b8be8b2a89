// Apps whose services behave badly, each with a thousand runs that are due. How long a good app's runs and the webhooks of other workspaces take is compared
// with the same load without the bad ones, in alternation, for the machine may have other work meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import { wakeFlowsThrough } from '../../src/flows/waking/wake.ts'
import { SKILL_BREAKER_CALLS, SKILL_CALLS_AT_ONCE } from '../../src/limits/skills.ts'
import type { Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Reporting } from '../../test/support/processes.ts'
import type { Requests, ToServices, Way } from './app-services.ts'
import { type App, addressOf, anApp, aService, queueRuns, SECRET_KEY } from './apps.ts'
import { createWebhook, type Shop } from './environment.ts'
import { compared, measure as measureOrders } from './neighbours.ts'
import { startReceivers } from './receivers.ts'
import { type Shops, withShops } from './shops.ts'
import { type Finding, type Outcome, progress, quantile } from './verdict.ts'

export interface HostileAppsPlan {
  ordersPerSecond: number
  /** Seconds of each phase. There are two in a round: without the bad apps, and with them. */
  seconds: number
  /** Odd, so that one of them is the median. */
  rounds: number
  places: number
  /** How many runs each bad app has at the beginning of each phase with bad apps. */
  runs: number
  where: (keyof typeof WHERE)[]
  /** How long an attempt of a call may take. */
  timeoutMs: number
  /** A p99 may grow so many times, or be so long where that is more. */
  limits: { growth: number; p99Ms: number }
  /** PostgreSQL's, for a test that has nothing to lose. */
  settings?: Record<string, string>
}

/** Whose the bad apps are. */
const WHERE = {
  'in a workspace each': (_good: Shop, own: Shop[]) => own,
  'in one workspace': (_good: Shop, [own]: Shop[]) => [own as Shop],
  'in a good app’s workspace': (good: Shop) => [good],
} as const
export const WHERE_NAMES = Object.keys(WHERE) as (keyof typeof WHERE)[]

const BAD = ['never', 'drip', 'flood', 'reset', 'error'] as const satisfies Way[]
/** A flood is an answer, as far as it was read. */
const SPARED = BAD.filter(way => way !== 'flood')
const KEYS = 10
const GOOD = 5
const RESIDENT_MAX = 250e6
const SETTLING_MS = 1_000
const DRAIN_LIMIT_MS = 180_000

export function runHostileApps(plan: HostileAppsPlan): Promise<Outcome> {
  const shared = { SECRET_KEY }
  const worker = { ...shared, WORKER_CONCURRENCY: String(plan.places), SKILL_TIMEOUT_MS: String(plan.timeoutMs) }
  return withShops({ keys: KEYS, settings: plan.settings, web: shared, worker }, environment => inTurns(plan, environment))
}

interface Load extends HostileAppsPlan, Omit<Shops, 'settings'> {
  others: Shop[]
  receivers: Awaited<ReturnType<typeof startReceivers>>
  phase: number
  good: App[]
}

interface Phase {
  /** Milliseconds from an event, which is before its commit, to the record that the good app's run made of it. */
  effects: number[]
  /** … and to its arrival at a webhook. */
  webhooks: number[]
}

async function inTurns(plan: HostileAppsPlan, environment: Shops) {
  const { sql, origin, shops, worker } = environment
  // A process of their own: what a flood costs its sender must not delay the good.
  const [services, goodService] = await Promise.all([aService(), aService()])
  const others = shops.slice(0, GOOD)
  const good: App[] = []
  for (const shop of others) good.push(await anApp(sql, shop, 'good', addressOf(goodService, 'good')))
  const receivers = await startReceivers(others.map(() => 'healthy'))
  const webhooks = await Promise.all(others.map((shop, i) => createWebhook(origin, shop, receivers.urls[i] as string)))
  receivers.setSecrets(webhooks.map(({ secret }) => secret))
  const load: Load = { ...plan, ...environment, others, receivers, phase: 0, good }
  const allTold = wakeFlowsThrough(sql, () => {})
  await measure(load)
  const facts: Record<string, string> = {
    load: `${plan.ordersPerSecond} orders/s of ${GOOD} workspaces with a webhook and a good app each; ${plan.rounds} × ${plan.seconds.toFixed(1)} s without and with five bad apps (${BAD.join(', ')}) of ${plan.runs} runs each; one worker with ${plan.places} slots; ${plan.timeoutMs / 1000} s for an attempt`,
  }
  const findings: Finding[] = []
  let bad: App[] = []
  for (const where of plan.where) {
    const own = await Promise.all(BAD.map(() => environment.shop(1)))
    const owners = WHERE[where](others[0] as Shop, own)
    bad = []
    for (const [n, way] of BAD.entries()) bad.push(await anApp(sql, owners[n % owners.length] as Shop, way, addressOf(services, way)))
    const rounds = await roundsOf(load, where, bad, services)
    for (const what of ['effects', 'webhooks'] as const) {
      const told = (share: number) =>
        compared(
          rounds.map(each => each.without[what]),
          rounds.map(each => each.with[what]),
          share,
        )
      facts[`${where}: ${what}`] = `p50 ${told(0.5)}; p99 ${told(0.99)}`
      findings.push(grown(where, what, rounds, plan.limits))
    }
    facts[`${where}: requests to the bad`] = rounds.map(({ requests }) => BAD.map(way => `${way} ${requests[way]}`).join(', ')).join('; ')
    findings.push(...spared(where, rounds))
  }
  findings.push({
    promise: 'a worker’s resident memory stays under 250 MB',
    figure: `${(worker.peak() / 1e6).toFixed(0)} MB at most`,
    holds: worker.peak() < RESIDENT_MAX,
  })
  findings.push(await recovered(load, bad, services))
  receivers.close()
  await allTold()
  return { facts, findings }
}

interface Round {
  without: Phase
  with: Phase
  /** To the bad apps, while they were there. */
  requests: Requests
  /** How often each bad app, in their order, was spared in a row by the end. */
  openings: number[]
}

async function roundsOf(load: Load, where: string, bad: App[], services: Reporting): Promise<Round[]> {
  const rounds: Round[] = []
  for (let round = 1; round <= load.rounds; round++) {
    const without = await measure(load)
    const before = await services.ask<Requests>({} satisfies ToServices)
    for (const app of bad) await queueRuns(load.sql, app, load.runs)
    await delay(SETTLING_MS)
    const beside = await measure(load)
    const openings = await openingsOf(load.sql, bad)
    // The runs of the last round are what the apps have to do once they answer.
    if (round < load.rounds) await cancelAll(load.sql, bad)
    const after = await services.ask<Requests>({} satisfies ToServices)
    const requests = Object.fromEntries(BAD.map(way => [way, after[way] - before[way]])) as Requests
    rounds.push({ without, with: beside, requests, openings })
    const p99s = ({ effects, webhooks }: Phase) => `${quantile(effects, 0.99)} and ${quantile(webhooks, 0.99)}`
    progress(`${where}, round ${round} of ${load.rounds}: p99 of effects and webhooks ${p99s(without)} → ${p99s(beside)} ms`)
    if (round === load.rounds && where !== load.where.at(-1)) await cancelAll(load.sql, bad)
  }
  return rounds
}

/** Resolves when none of their calls is under way; then they have a clean slate. */
async function cancelAll(sql: Sql, apps: App[]): Promise<void> {
  const ids = apps.map(({ id }) => id)
  await sql`
    update flow_runs set state = 'cancelled', due_at = null, ended_at = now(), code = 'cancelled' where app_id = any(${ids}) and due_at is not null`
  await eventually(
    async () => (await sql`select 1 from skill_calls where app = any(${ids}) and lease_until > now() limit 1`).length === 0,
    DRAIN_LIMIT_MS,
  )
  await sql`delete from skill_breakers where app = any(${ids})`
}

const openingsOf = async (sql: Sql, apps: App[]): Promise<number[]> => {
  const rows = await sql<
    { app: string; openings: number }[]
  >`select app, openings from skill_breakers where app = any(${apps.map(({ id }) => id)})`
  return apps.map(({ id }) => rows.find(({ app }) => app === id)?.openings ?? 0)
}

async function measure(load: Load): Promise<Phase> {
  const since = new Date()
  const webhooks = await measureOrders(load)
  const ids = load.good.map(({ id }) => id)
  const effects = await eventually(async () => {
    const rows = await load.sql<{ ms: number | null }[]>`
      select extract(epoch from c.created_at - e.created_at)::float8 * 1000 as ms
        from flow_runs r
        join events e on e.tenant_id = r.tenant_id and e.id = r.event_id
        left join records c on c.tenant_id = r.tenant_id and c.external_id = r.event_id
       where r.app_id = any(${ids}) and e.created_at >= ${since}`
    return rows.length >= webhooks.length && rows.every(({ ms }) => ms !== null) && rows.map(({ ms }) => Math.round(ms as number))
  }, DRAIN_LIMIT_MS)
  return { effects, webhooks }
}

function grown(where: string, what: 'effects' | 'webhooks', rounds: Round[], limits: HostileAppsPlan['limits']): Finding {
  const p99 = (phase: 'without' | 'with') =>
    quantile(
      rounds.map(each => quantile(each[phase][what], 0.99)),
      0.5,
    )
  const [without, beside] = [p99('without'), p99('with')]
  return {
    promise: `${where}: p99 of the good’s ${what} grows by less than ${limits.growth} × (medians)`,
    figure: `${(beside / without).toFixed(2)} ×, ${without} → ${beside} ms`,
    holds: beside / without < limits.growth || beside < limits.p99Ms,
  }
}

/** Until it is spared an app has its calls in a row, beside as many as may be under way by then; and later one each time. Each is two requests at most. */
function spared(where: string, rounds: Round[]): Finding[] {
  const most = (openings: number): number => 2 * (SKILL_BREAKER_CALLS + SKILL_CALLS_AT_ONCE + openings)
  const seen = rounds.flatMap(({ openings, requests }) =>
    BAD.map((way, n) => ({ way, openings: openings[n] as number, requests: requests[way] })),
  )
  const bad = seen.filter(({ way }) => SPARED.some(each => each === way))
  return [
    {
      promise: `${where}: apps that do not answer below 500 are spared, the flooding one is not`,
      figure: `${bad.filter(({ openings }) => openings > 0).length} of ${bad.length} times`,
      holds: seen.every(({ way, openings }) => openings > 0 === (way !== 'flood')),
    },
    {
      promise: `${where}: and asked no oftener than as written`,
      figure: `${Math.max(...bad.map(({ requests }) => requests))} requests at most`,
      holds: bad.every(({ openings, requests }) => requests <= most(openings)),
    },
  ]
}

/** Their services answer: once their time is over, one call of each finds out, and all that waits goes on. */
async function recovered({ sql }: Load, bad: App[], services: Reporting): Promise<Finding> {
  await services.ask<Requests>({ behave: Object.fromEntries(BAD.map(way => [way, 'good'])) } satisfies ToServices)
  const ids = bad.map(({ id }) => id)
  const left = async (): Promise<number> => {
    await sql`update skill_breakers set spared_until = now() where app = any(${ids}) and spared_until > now()`
    await sql`update flow_runs set due_at = now() where app_id = any(${ids}) and due_at > now()`
    const [row] = await sql<
      { left: number }[]
    >`select count(*)::integer as left from flow_runs where app_id = any(${ids}) and due_at is not null`
    return row?.left ?? 0
  }
  const isOver = await eventually(async () => (await left()) === 0, DRAIN_LIMIT_MS).catch(() => false)
  const breakers = await sql`select 1 from skill_breakers where app = any(${ids})`
  const [row] = await sql<{ succeeded: number; failed: number }[]>`
    select count(*) filter (where r.state = 'succeeded')::integer as succeeded, count(*) filter (where r.state = 'failed')::integer as failed
      from flow_runs r where r.app_id = any(${ids})`
  return {
    promise: 'once the bad apps answer, none is spared any more, and all their runs end',
    figure: `${row?.succeeded} succeeded, ${row?.failed} had failed before; ${breakers.length} spared`,
    holds: isOver && breakers.length === 0,
  }
}
