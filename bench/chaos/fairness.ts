// One workspace has as many webhooks as it may, and each of them something to do. The delays of another workspace, whose receivers are prompt, are
// compared with those of the same load without it, in alternation, for the machine may have other work meanwhile.
import type { Sql } from '../../src/postgres/sql.ts'
import { createWebhook, type Shop } from './environment.ts'
import { compared, delays, judge, type Limits, type Load, measure, repeatedly } from './neighbours.ts'
import { type Behaviour, startReceivers } from './receivers.ts'
import { feed, type Shops, switchOff, switchOn, withShops } from './shops.ts'
import { type Finding, type Outcome, progress } from './verdict.ts'

export interface FairnessPlan {
  ordersPerSecond: number
  /** Seconds of each phase. There are two in a round: without the greedy workspace, and with it. */
  seconds: number
  /** In the worker: fewer than it has webhooks. */
  places: number
  /** Odd, so that one of them is the median. */
  rounds: number
  ways: (keyof typeof WAYS)[]
  /** The greedy workspace has so many. */
  webhooks: number
  /** Deliveries kept waiting for each of them. */
  standing: number
  limits?: Limits
}

/** The behaviour of its receivers. At the shared origin they are those of the others, under other paths. */
const WAYS = { slow: 'late', failing: 'error', 'at the others’ origin': 'shared', busy: 'prompt' } as const satisfies Record<
  string,
  Behaviour
>
export const WAY_NAMES = Object.keys(WAYS) as (keyof typeof WAYS)[]
/** Each writes 120 times a minute. */
const KEYS = 10
const OTHERS = 5
const FEED_MS = 500

export function runFairness(plan: FairnessPlan): Promise<Outcome> {
  return withShops({ keys: KEYS, worker: { WORKER_CONCURRENCY: String(plan.places) } }, environment => fairness(plan, environment))
}

/** @param environment with so many places in its worker, and ten keys for each shop */
export async function fairness(plan: FairnessPlan, environment: Shops): Promise<Outcome> {
  const others = environment.shops.slice(1, 1 + OTHERS)
  const receivers = await startReceivers(Array<Behaviour>(OTHERS).fill('shared'))
  await Promise.all(others.map((shop, i) => createWebhook(environment.origin, shop, receivers.urls[i] as string)))
  const load: Greed = { ...plan, ...environment, others, greedy: environment.shops[0] as Shop, receivers, phase: 0 }
  // Connections, compilation, plans.
  await measure(load)
  const findings: Finding[] = []
  const facts: Record<string, string> = {
    load: `${plan.ordersPerSecond} orders/s of ${OTHERS} workspaces, a webhook each; ${plan.rounds} × ${plan.seconds} s without and with a workspace of ${plan.webhooks} webhooks; one worker with ${plan.places} places`,
  }
  for (const way of plan.ways) {
    const rounds = await inTurns(load, way, WAYS[way])
    const [alone, beside] = (['without', 'with'] as const).map(kind => rounds.map(each => each[kind])) as [number[][], number[][]]
    const told = (share: number) => compared(alone, beside, share)
    facts[way] = `p50 ${told(0.5)}; p99 ${told(0.99)}`
    findings.push(...judge(way, alone, beside, plan.limits))
  }
  receivers.close()
  return { facts, findings }
}

type Greed = FairnessPlan & Shops & Load & { greedy: Shop }

type Round = Record<'without' | 'with', number[]>

async function inTurns(load: Greed, way: string, behaviour: Behaviour): Promise<Round[]> {
  const { sql, origin, greedy, receivers } = load
  const own = behaviour === 'shared' ? undefined : await startReceivers([behaviour], false)
  const ids: string[] = []
  for (let n = 0; n < load.webhooks; n++) {
    const url = own ? `${own.urls[0]}${n}` : `${receivers.urls[n % OTHERS]}late/${n}`
    ids.push((await createWebhook(origin, { ...greedy, keys: [greedy.keys[n % KEYS] as string] }, url)).id)
  }
  const rounds: Round[] = []
  for (let round = 1; round <= load.rounds; round++) {
    await switchOff(sql, ids)
    const without = await measure(load)
    await switchOn(sql, ids)
    const stopFeeding = repeatedly(() => feedUp(sql, greedy, load.standing), FEED_MS)
    const beside = await measure(load)
    await stopFeeding()
    rounds.push({ without, with: beside })
    progress(`${way}, round ${round} of ${load.rounds}: ${delays(without)} without, ${delays(beside)} with`)
  }
  await switchOff(sql, ids)
  await sql`delete from webhook_endpoints where id = any(${ids})`
  own?.close()
  return rounds
}

/** Keeps work waiting for each webhook of the shop. */
async function feedUp(sql: Sql, shop: Shop, standing: number): Promise<void> {
  const [row] = await sql<{ least: number }[]>`
    select coalesce(min(n), 0)::integer as least
      from (select (select count(*) from (select from webhook_deliveries d
                                           where d.tenant_id = e.tenant_id and d.endpoint_id = e.id and d.state = 'pending' limit ${standing}) p) as n
              from webhook_endpoints e where e.tenant_id = ${shop.tenant}) w`
  const missing = standing - (row?.least ?? 0)
  if (missing > 0) await feed(sql, [shop], missing)
}
