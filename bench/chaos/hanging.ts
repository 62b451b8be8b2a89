// Channels whose platform hangs, more than a worker has slots. How long the replies of other channels and the webhooks of other workspaces take is
// compared with the same load without them, in alternation, for the machine may have other work meanwhile.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/postgres/sql.ts'
import { eventually } from '../../test/support/eventually.ts'
import { type Reporting, startScript } from '../../test/support/processes.ts'
import { createWebhook, type Shop } from './environment.ts'
import type { Arrived } from './hanging-platform.ts'
import { compared, measure as measureOrders } from './neighbours.ts'
import { startReceivers } from './receivers.ts'
import { ARRIVAL_MAX_MS, aLine, type Line, measureReplies, type Replies, SECRET_KEY, waits } from './replies.ts'
import { type Needs, type Shops, withShops } from './shops.ts'
import { type Finding, type Outcome, progress, quantile } from './verdict.ts'

export interface HangingPlan {
  ordersPerSecond: number
  repliesPerSecond: number
  /** Seconds of each phase. There are two in a round: without the channels that hang, and with them. */
  seconds: number
  /** Odd, so that one of them is the median. */
  rounds: number
  /** That hang. */
  channels: number
  /** In the worker: fewer than there are channels that hang. */
  places: number
  /** Each channel that does not hang has so many that none of its conversations uses up its pace. */
  customers: number
  ways: (keyof typeof WAYS)[]
  /** A p99 may grow so many times, or be so long where that is more. */
  limits: { growth: number; p99Ms: number }
  /** How long a platform is waited for. */
  timeoutMs: number
  /** PostgreSQL's, for a test that has nothing to lose. */
  settings?: Record<string, string>
}

/** Whose the channels that hang are, and where. */
const WAYS = {
  'of one workspace': { workspaces: 1, origin: 'their own' },
  'of as many workspaces': { workspaces: Number.POSITIVE_INFINITY, origin: 'their own' },
  'of one workspace, at the others’ platform': { workspaces: 1, origin: 'the others’' },
} as const

export const WAY_NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[]

/** A workspace has this many keys; each writes 120 times a minute. */
const KEYS = 10
const OTHERS = 5
/** Slices that wait for a platform last as long as their requests. */
const TURNS_END_MS = 120_000
const SETTLING_MS = 2_000

export const runHanging = (plan: HangingPlan): Promise<Outcome> => withShops(needsOf(plan), environment => hanging(plan, environment))

export function needsOf({ places, timeoutMs, settings }: Pick<HangingPlan, 'places' | 'timeoutMs' | 'settings'>): Needs {
  const shared = { SECRET_KEY, INBOUND_CHANNEL_LIMIT: '1000000' }
  const worker = { ...shared, WORKER_CONCURRENCY: String(places), CHANNEL_TIMEOUT_MS: String(timeoutMs) }
  return { keys: KEYS, settings, web: shared, worker }
}

/** @param environment with what it needs */
export async function hanging(plan: HangingPlan, environment: Shops): Promise<Outcome> {
  const { origin, shops } = environment
  const [platform, own] = await Promise.all([aPlatform(), aPlatform()])
  const others = shops.slice(0, OTHERS)
  const receivers = await startReceivers(others.map(() => 'healthy'))
  const webhooks = await Promise.all(others.map((shop, i) => createWebhook(origin, shop, receivers.urls[i] as string)))
  receivers.setSecrets(webhooks.map(({ secret }) => secret))
  const lines = await Promise.all(others.map((shop, n) => aLine(environment, shop, `other${n}`, platform, plan.customers)))
  const load: Load = { ...plan, ...environment, others, receivers, phase: 0, lines, platform, said: 0 }
  await measure(load)
  const facts: Record<string, string> = {
    load: `${plan.ordersPerSecond} orders/s of ${OTHERS} workspaces, a webhook each, and ${plan.repliesPerSecond} replies/s over a channel each; ${plan.rounds} × ${plan.seconds.toFixed(1)} s without and with ${plan.channels} channels whose platform hangs; one worker with ${plan.places} slots`,
  }
  const findings: Finding[] = []
  for (const way of plan.ways) {
    const at = WAYS[way].origin === 'the others’' ? platform : own
    const owners = await Promise.all(Array.from({ length: Math.min(WAYS[way].workspaces, plan.channels) }, () => environment.shop(1)))
    const lines = await Promise.all(
      Array.from({ length: plan.channels }, (_, n) =>
        aLine(environment, owners[n % owners.length] as Shop, `hang${n}${plan.ways.indexOf(way)}`, at, 1),
      ),
    )
    const messages = Math.ceil((plan.rounds * (plan.seconds * 1000 + SETTLING_MS + ARRIVAL_MAX_MS / 4)) / plan.timeoutMs)
    for (const line of lines) await waits(load, line, messages)
    const rounds = await inTurns(load, way, lines, at)
    const told = (what: 'replies' | 'webhooks', share: number) =>
      compared(
        rounds.map(each => each.without[what]),
        rounds.map(each => each.with[what]),
        share,
      )
    for (const what of ['replies', 'webhooks'] as const) {
      facts[`${way}: ${what}`] = `p50 ${told(what, 0.5)}; p99 ${told(what, 0.99)}`
      findings.push(grown(way, what, rounds, plan.limits))
    }
    facts[`${way}: being served, with requests without an answer`] = rounds
      .map(({ hanging: { served, requests } }) => `${served} with ${requests}`)
      .join(', ')
    const fewest = Math.min(...rounds.map(each => each.hanging.requests))
    findings.push({
      promise: `${way}: more requests hang than there are slots`,
      figure: `${fewest} at least`,
      holds: fewest > plan.places,
    })
  }
  receivers.close()
  return { facts, findings }
}

const aPlatform = (): Promise<Reporting> => startScript(new URL('./hanging-platform.ts', import.meta.url), [])

interface Load extends HangingPlan, Omit<Shops, 'settings'>, Replies {
  others: Shop[]
  receivers: Awaited<ReturnType<typeof startReceivers>>
  phase: number
}

interface Phase {
  /** Milliseconds from a reply's time, which is before its commit, to its arrival at the platform. */
  replies: number[]
  /** … and from an event's to its arrival. */
  webhooks: number[]
}

interface Round {
  without: Phase
  with: Phase
  hanging: Hanging
}

/** While the others were measured. */
interface Hanging {
  /** Channels that hold a lease. */
  served: number
  /** Requests that wait for an answer. */
  requests: number
}

async function inTurns(load: Load, way: string, hanging: Line[], at: Reporting): Promise<Round[]> {
  const ids = hanging.map(({ channel }) => channel)
  const rounds: Round[] = []
  for (let round = 1; round <= load.rounds; round++) {
    const without = await measure(load)
    await load.sql`update channels set status = 'enabled' where id = any(${ids})`
    await delay(SETTLING_MS)
    // On a busy machine they begin later. Where they never do, the finding says so.
    await eventually(async () => (await at.ask<Arrived>(0)).open > load.places).catch(() => {})
    const beside = await measure(load)
    const hanging = { served: await served(load.sql, ids), requests: (await at.ask<Arrived>(0)).open }
    await switchOff(load.sql, ids)
    rounds.push({ without, with: beside, hanging })
    progress(`${way}, round ${round} of ${load.rounds}: ${tellRound(rounds.at(-1) as Round)}`)
  }
  return rounds
}

const p99 = (values: number[]): number => quantile(values, 0.99)
const tellRound = ({ without, with: beside, hanging }: Round): string =>
  `p99 of replies ${p99(without.replies)} → ${p99(beside.replies)} ms, of webhooks ${p99(without.webhooks)} → ${p99(beside.webhooks)} ms, ${hanging.served} channels hang with ${hanging.requests} requests`

/** Resolves when no request of theirs is under way. */
const served = async (sql: Sql, ids: string[]): Promise<number> =>
  (await sql`select 1 from channels where id = any(${ids}) and lease_token is not null`).length

async function switchOff(sql: Sql, ids: string[]): Promise<void> {
  await sql`update channels set status = 'disabled' where id = any(${ids})`
  await eventually(async () => (await served(sql, ids)) === 0, TURNS_END_MS)
}

async function measure(load: Load): Promise<Phase> {
  const [webhooks, replies] = await Promise.all([measureOrders(load), measureReplies(load)])
  return { webhooks, replies }
}

function grown(way: string, what: 'replies' | 'webhooks', rounds: Round[], limits: HangingPlan['limits']): Finding {
  const of = (phase: 'without' | 'with') =>
    quantile(
      rounds.map(each => p99(each[phase][what])),
      0.5,
    )
  const [without, beside] = [of('without'), of('with')]
  const growth = beside / without
  return {
    promise: `${way}: p99 of others’ ${what} grows by less than ${limits.growth} × (medians)`,
    figure: `${growth.toFixed(2)} ×, ${without} → ${beside} ms`,
    holds: growth < limits.growth || beside < limits.p99Ms,
  }
}
