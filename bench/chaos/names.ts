// Workspaces whose webhooks have names that cannot be relied on, beside workspaces whose names are answered at once. Every request opens a connection
// of its own, so that every delivery needs its name. Then no name server answers for a while, which is no receiver's fault.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/postgres/sql.ts'
import { createWebhook, type Shop } from './environment.ts'
import { inOutage } from './name-outage.ts'
import { delays, judge, LIMITS, type Limits, type Load, measure, quantiles, repeatedly } from './neighbours.ts'
import { type Behaviour, type Receivers, startReceivers } from './receivers.ts'
import { feed, type Shops, switchOff, switchOn, withShops } from './shops.ts'
import { askedOf, KIND_NAMES, KINDS, type Kind, type Names, openNames } from './unreliable-names.ts'
import { type Finding, none, type Outcome, progress } from './verdict.ts'

export interface NamesPlan {
  ordersPerSecond: number
  /** Seconds of each phase. */
  seconds: number
  /** In the worker: fewer than a workspace of the crowd has webhooks. */
  places: number
  /** Odd, so that one of them is the median. */
  rounds: number
  /** Workspaces by the kind of their names. */
  crowds: Record<string, Kind[]>
  /** Webhooks of each of these, with a name each; six times as many where their number is the difficulty. */
  webhooks: number
  /** So many of a crowd are beside the others: a phase each, after one without any. */
  steps: number[]
  /** At a hundredth of their length, at least; and until a webhook whose receiver is down is disabled. */
  outageMs: number
  limits?: Limits
  /** PostgreSQL's. */
  settings?: Record<string, string>
}

/** Each writes 120 times a minute. */
const KEYS = 10
/** To all webhooks of a workspace: far less than the machine can do, for names are what is tested, and each costs a handshake. */
const DELIVERIES_PER_SECOND = 20
/** Then as many look-ups of a crowd are under way as may be. */
const FELT_MS = 1_000
/** fairness has the same, but its medians were taken with the machine to itself. */
const LIMITS_HERE: Limits = { ...LIMITS, p99Growth: 2 }
/** A name that was slow would have taken 2 s; a receiver here never takes this long. */
const RECEIVER_MAX_MS = 1_500

export async function runNames(plan: NamesPlan): Promise<Outcome> {
  const names = await openNames()
  const worker = { WORKER_CONCURRENCY: String(plan.places), ...names.settings }
  try {
    return await withShops({ keys: KEYS, settings: plan.settings, worker }, environment => inTurns(plan, environment, names, worker))
  } finally {
    for (const server of names.servers) await server.close()
  }
}

interface Run extends NamesPlan, Shops, Load {
  names: Names
  /** The others' webhooks. */
  ids: string[]
  /** The receivers of the crowds. */
  crowdReceivers: Receivers
}

async function inTurns(plan: NamesPlan, environment: Shops, names: Names, worker: Record<string, string>) {
  const run = await setUp(plan, environment, names)
  // Connections, compilation, plans.
  await measure({ ...run, phase: 1_000, seconds: Math.min(plan.seconds, 3) })
  const facts: Record<string, string | number> = {
    load: `${plan.ordersPerSecond} orders/s of ${run.others.length} workspaces with a webhook each; ${plan.rounds} × ${plan.seconds.toFixed(1)} s without others and as long with ${plan.steps.join(' and ')}; one worker with ${plan.places} places`,
  }
  const findings: Finding[] = []
  for (const [name, kinds] of Object.entries(plan.crowds)) {
    const crowd = await Promise.all(kinds.map((kind, n) => join(run, environment.shops[n] as Shop, kind)))
    const steps = await besideCrowd(run, name, crowd)
    for (const { ids } of crowd) await environment.sql`delete from webhook_endpoints where id = any(${ids})`
    facts[name] = toldOf(run, steps, kinds)
    findings.push(...judgeCrowd(run, name, steps))
  }
  findings.push(...(await ofWaits(environment.sql)))
  const outage = await inOutage(run, environment.shops[0] as Shop, worker)
  findings.push(...outage.findings, ...(await ofOthers(run)))
  for (const each of [run.receivers, run.crowdReceivers]) each.close()
  return { facts: { ...facts, ...outage.facts }, findings }
}

async function setUp(plan: NamesPlan, environment: Shops, names: Names): Promise<Run> {
  const others = environment.shops.slice(Math.max(...Object.values(plan.crowds).map(({ length }) => length)))
  const receivers = await startReceivers(Array<Behaviour>(others.length).fill('secure'))
  const webhooks = await Promise.all(
    others.map((shop, i) => createWebhook(environment.origin, shop, urlOf(`shop${i}.good.test`, receivers.urls[i] as string))),
  )
  receivers.setSecrets(webhooks.map(({ secret }) => secret))
  const crowdReceivers = await startReceivers(['secure'], false)
  return { ...plan, ...environment, others, receivers, crowdReceivers, phase: 0, names, ids: webhooks.map(({ id }) => id) }
}

/** The times of each round, for each step, that without a crowd included. */
type Steps = number[][][]

function toldOf({ names, steps: counts }: Run, steps: Steps, kinds: Kind[]): string {
  const told = (share: number) =>
    steps.map((rounds, i) => `${quantiles(rounds, share).join(', ')} ms ${i === 0 ? 'without' : `with ${counts[i - 1]}`}`).join('; ')
  const asked = askedOf(names, kinds)
  return `p50 ${told(0.5)}. p99 ${told(0.99)}. ${asked.length} questions for ${new Set(asked.map(each => each.split(' ')[0])).size} names`
}

function judgeCrowd({ steps: counts, limits = LIMITS_HERE }: Run, name: string, [alone = [], ...beside]: Steps): Finding[] {
  return beside.flatMap((rounds, i) => judge(`${name}, ${counts[i]} workspace${counts[i] === 1 ? '' : 's'}`, alone, rounds, limits))
}

const urlOf = (name: string, url: string): string => `https://${name}:${new URL(url).port}/`

/** A workspace of a crowd, and its webhooks. */
interface Guest {
  shop: Shop
  ids: string[]
}

async function join({ origin, sql, webhooks, crowdReceivers }: Run, shop: Shop, kind: Kind): Promise<Guest> {
  const ids: string[] = []
  for (let n = 0; n < webhooks * (KINDS[kind].times ?? 1); n++) {
    const name = `k${KIND_NAMES.indexOf(kind)}-${n}-${shop.tenant.slice(-8)}.bad.test`
    ids.push(
      (await createWebhook(origin, { ...shop, keys: [shop.keys[n % KEYS] as string] }, urlOf(name, crowdReceivers.urls[0] as string))).id,
    )
  }
  await switchOff(sql, ids)
  return { shop, ids }
}

async function besideCrowd(run: Run, name: string, crowd: Guest[]): Promise<Steps> {
  const { sql } = run
  const steps: Steps = [[], ...run.steps.map(() => [])]
  for (let round = 1; round <= run.rounds; round++) {
    const feeding: (() => Promise<void>)[] = []
    for (const [step, count] of [0, ...run.steps].entries()) {
      for (const guest of crowd.slice(feeding.length, count)) feeding.push(await letIn(sql, guest))
      if (count > 0) await delay(FELT_MS)
      steps[step]?.push(await measureAnew(run))
    }
    await Promise.all(feeding.map(end => end()))
    await switchOff(
      sql,
      crowd.flatMap(({ ids }) => ids),
    )
    progress(`${name}, round ${round} of ${run.rounds}: ${steps.map(rounds => delays(rounds.at(-1) ?? [])).join('; ')}`)
  }
  return steps
}

/** @returns a function that ends its events */
async function letIn(sql: Sql, { shop, ids }: Guest): Promise<() => Promise<void>> {
  await switchOn(sql, ids)
  const everyMs = (ids.length / DELIVERIES_PER_SECOND) * 1000
  return repeatedly(() => feed(sql, [shop], 1, everyMs), everyMs)
}

/** Gives them names that were never looked up: else these would be known from the phase before. */
async function measureAnew(run: Run): Promise<number[]> {
  await run.sql`
    update webhook_endpoints set url = regexp_replace(url, '//[^.]*', ${`//phase${run.phase}-`} || right(id, 8)) where id = any(${run.ids})`
  return measure(run)
}

/** The errors that an attempt may have here: its name has no address, or the address is the one where nothing listens. */
const OF_NAMES = '^(dns|connection-refused)'

async function ofWaits(sql: Sql): Promise<Finding[]> {
  const wrong = await sql`
    select endpoint_id, error, status, dns_ms, first_byte_ms from webhook_attempts
     where error is not null and error !~ ${OF_NAMES} or first_byte_ms > ${RECEIVER_MAX_MS}`
  return [none('time spent waiting for a name is never reported as the receiver’s time, nor as a failure of another kind', wrong)]
}

/** The promises for all phases, the outage included. */
async function ofOthers({ sql, others, receivers, ids }: Run): Promise<Finding[]> {
  const tenants = others.map(({ tenant }) => tenant)
  const events = await sql<{ id: string }[]>`select id from events where tenant_id = any(${tenants}) and type = 'order.created'`
  const posts = await receivers.posts()
  const came = Map.groupBy(posts, ({ event }) => event)
  const harmed =
    await sql`select id, status, failures, last_error from webhook_endpoints where id = any(${ids}) and (status <> 'enabled' or failures > 0)`
  const failed = await sql`select endpoint_id, error, status from webhook_attempts where endpoint_id = any(${ids}) and error is not null`
  return [
    none(
      `every event of the others arrives exactly once, of ${events.length}`,
      events.filter(({ id }) => came.get(id)?.length !== 1),
    ),
    none(
      'with a signature that verifies',
      posts.filter(({ verified }) => !verified),
    ),
    none('none of their webhooks is disabled or counts a failure', harmed),
    none('their log has no failed attempt', failed),
  ]
}
