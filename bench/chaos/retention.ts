// A log with old lines of many workspaces is pruned while orders are delivered, webhooks fail and are tried again, catch-ups and recoveries walk over
// old events, and workers are killed. Rows are old because they were written so, some of them a moment short of it.
import { setTimeout as delay } from 'node:timers/promises'
import { PRUNE_BATCH } from '../../src/limits/retention.ts'
import { eventually } from '../../test/support/eventually.ts'
import { writeLog } from '../../test/support/old-log.ts'
import { type Random, seeded } from '../../test/support/random.ts'
import { type Crew, createCrew } from './crew.ts'
import { type Delivery, deliveriesIn, fateOf, watchDeliveries } from './deliveries.ts'
import { createWebhook, post, type Shop } from './environment.ts'
import { compared, delays, judge, LIMITS, type Limits, type Load, measure, repeatedly } from './neighbours.ts'
import { DAY_MS, LINE_MS, makeTenants, oldLines, oldRows, WEBHOOKS } from './old-rows.ts'
import { startOrders } from './orders.ts'
import { type Behaviour, type Receivers, startReceivers } from './receivers.ts'
import { ofDeliveries, ofEnds, takenOf } from './retention-evidence.ts'
import { feed, type Shops, withShops } from './shops.ts'
import { type Finding, none, type Outcome, progress } from './verdict.ts'
import { createWalks, DRAINED_MAX_MS, type Hook, hold, WALK, type Walks, walk } from './walks.ts'

export interface RetentionPlan {
  seed: number
  ordersPerSecond: number
  /** Seconds of each phase: three in a round, with nothing old but the events walked over, with an old log, and with kills besides. */
  seconds: number
  /** The first moments of a worker, which are not measured: connections, compilation, plans. */
  settlingMs: number
  /** Odd, so that one of them is the median. */
  rounds: number
  workers: number
  /** In each round. */
  kills: number
  /** The old log of a round: of so many workspaces with five webhooks each, beside those that are at work. */
  tenants: number
  /** Events of each workspace. */
  events: number
  limits?: Limits
  /** PostgreSQL's. */
  settings?: Record<string, string>
}

/** Each writes 120 times a minute. */
const KEYS = 10
/** Workspaces whose deliveries are measured; one whose receivers refuse; and those that walk over old events. */
const LIVE = 4
const WALKING = 3
const FEED_MS = 250
const ENABLE_AGAIN_MS = 1_000
/** Shorter than usual: failed deliveries are tried again within the experiment, and a webhook whose receiver is down is disabled in it. */
const SCHEDULE = '0,0.2,0.6,2,5'
/** The time from the start of a worker, with which its first pass begins. */
const PASS_MAX_MS = 60_000
/** fairness has the same, but its medians were taken with the machine to itself. */
const LIMITS_HERE: Limits = { ...LIMITS, p99Growth: 2 }

export function runRetention(plan: RetentionPlan): Promise<Outcome> {
  return withShops({ keys: KEYS, settings: plan.settings, worker: { WEBHOOK_SCHEDULE: SCHEDULE } }, environment =>
    inTurns(plan, environment),
  )
}

interface Run extends RetentionPlan, Shops, Load {
  crew: Crew
  hooks: Hook[]
  /** The webhook that is paused while the log is pruned. */
  held: Hook
  /** The receivers of workspaces that are not measured: in a process of their own, so that they keep no other waiting. */
  rest: Receivers
  /** Workspaces with an old log. */
  logged: string[]
  random: Random
  walks: Walks
}

async function inTurns(plan: RetentionPlan, environment: Shops) {
  const run = await setUp(plan, environment)
  const { sql, receivers, rest, hooks } = run
  const refused = hooks.at(-1) as Hook
  const beside = [
    ...hooks.slice(LIVE, LIVE + WALKING).map(hook => repeatedly(() => walk(run, hook), 0)),
    repeatedly(() => feed(sql, [refused.shop], 2), FEED_MS),
    repeatedly(() => enableAgain(run, refused), ENABLE_AGAIN_MS),
  ]
  const rounds: Round[] = []
  for (let round = 1; round <= plan.rounds; round++) {
    const made = await oneRound(run)
    rounds.push(made)
    progress(
      `round ${round} of ${plan.rounds}: ${delays(made.without)} without, ${delays(made.with)} with, ${made.perSecond} lines/s pruned`,
    )
  }
  await Promise.all(beside.map(end => end()))
  await drained(run, refused)
  const passMs = await lastPass(run)
  const known: Known = { rounds, passMs, deliveries: await deliveriesIn(sql), taken: await takenOf(run) }
  receivers.close()
  rest.close()
  return { facts: factsOf(run, known), findings: await findingsOf(run, known) }
}

async function setUp(plan: RetentionPlan, environment: Shops): Promise<Run> {
  const { sql, origin, shops } = environment
  const others = shops.slice(0, LIVE)
  const walking = shops.slice(LIVE, LIVE + WALKING)
  const [paused, failing] = shops.slice(LIVE + WALKING) as [Shop, Shop]
  const receivers = await startReceivers(Array<Behaviour>(LIVE).fill('prompt'))
  const rest = await startReceivers([...Array<Behaviour>(WALKING).fill('healthy'), 'prompt', 'shaky', 'error'])
  const urls = [...receivers.urls, ...rest.urls]
  const hooks = await Promise.all(
    [...others, ...walking, paused, failing, failing].map(async (shop, i) => ({
      ...(await createWebhook(origin, shop, urls[i] as string)),
      shop,
    })),
  )
  // Old events count as missed by webhooks that were there.
  await sql`update webhook_endpoints set created_at = now() - interval '1 year'`
  await watchDeliveries(sql)
  const crew = createCrew(environment, plan.workers, { WEBHOOK_SCHEDULE: SCHEDULE })
  await crew.complete()
  return {
    ...plan,
    ...environment,
    others,
    receivers,
    rest,
    hooks,
    held: hooks[LIVE + WALKING] as Hook,
    phase: 0,
    crew,
    logged: [...shops.map(({ tenant }) => tenant), ...(await makeTenants(sql, plan.tenants))],
    random: seeded(plan.seed),
    walks: createWalks(),
  }
}

interface Known {
  rounds: Round[]
  passMs: number | undefined
  deliveries: Delivery[]
  taken: Set<string>
}

function factsOf(plan: Run, { rounds, deliveries, taken }: Known): Record<string, string | number> {
  const [without, withThem] = [rounds.map(each => each.without), rounds.map(each => each.with)]
  const told = (share: number) => compared(without, withThem, share)
  const fates = Object.entries(Object.groupBy(deliveries, each => fateOf(each, taken))).map(([fate, all = []]) => `${all.length} ${fate}`)
  return {
    seed: plan.seed,
    load: `${plan.ordersPerSecond} orders/s of ${LIVE} workspaces, a webhook each; one whose receivers refuse a tenth and all; ${WALKING} that catch up and recover; one that is paused; ${plan.workers} workers`,
    phases: `${plan.rounds} × ${plan.seconds.toFixed(1)} s with nothing old, as long with an old log, and as long with ${plan.kills} kills besides`,
    'the old log': `${(plan.tenants * WEBHOOKS + plan.hooks.length) * plan.events} lines of ${plan.tenants} workspaces and of those at work in each round, and half as many again while workers are killed`,
    'pruned beside deliveries': `${rounds.map(({ perSecond }) => perSecond).join(', ')} lines/s; ${rounds.map(({ left }) => left).join(', ')} lines were left after the measured time`,
    'p50 from event to first byte': told(0.5),
    p99: told(0.99),
    'deliveries, and their results': `${deliveries.length}: ${fates.join(', ')}`,
    walks: `${plan.walks.made} catch-ups over some ${WALK} events each, ${plan.walks.recoveries.length} recoveries`,
  }
}

async function findingsOf(run: Run, known: Known): Promise<Finding[]> {
  const { rounds, passMs } = known
  const old = await oldRows(run.sql, Date.now())
  return [
    ...judge(
      'retention',
      rounds.map(each => each.without),
      rounds.map(each => each.with),
      run.limits ?? LIMITS_HERE,
    ),
    none(
      'the log was pruned while deliveries were measured',
      rounds.filter(({ perSecond }) => perSecond <= 0),
    ),
    ...(await ofDeliveries(run, known)),
    ...(await ofEnds(run)),
    {
      promise: 'no old line outlives the experiment by more than a pass',
      figure: passMs === undefined ? JSON.stringify(old) : `all gone ${(passMs / 1000).toFixed(1)} s after a worker began`,
      holds: passMs !== undefined,
    },
  ]
}

interface Round {
  without: number[]
  with: number[]
  /** Lines, while `with` was measured. */
  perSecond: number
  /** Old ones, after it. */
  left: number
}

async function oneRound(run: Run): Promise<Round> {
  const { sql, crew, logged, held, random, kills, seconds, walks } = run
  // At first they are new.
  if (run.phase > 0) await crew.renew()
  await delay(run.settlingMs)
  const without = await measure(run)
  await hold(run, held)
  await crew.dismiss()
  await walks.apart(() => writeLog(sql, logged, run.events, Date.now() - LINE_MS - DAY_MS))
  const written = await oldLines(sql)
  await crew.renew()
  await eventually(async () => (await oldLines(sql)) <= written - PRUNE_BATCH)
  await delay(run.settlingMs)
  const [before, began] = [await oldLines(sql), Date.now()]
  const withThem = await measure(run)
  const [left, until] = [await oldLines(sql), Date.now()]
  // Old lines for the passes of the killed workers' successors.
  await walks.apart(() => writeLog(sql, logged, Math.ceil(run.events / 2), Date.now() - LINE_MS - DAY_MS))
  const orders = startOrders(run.origin, run.others, run.ordersPerSecond, run.phase++ * 1_000_000)
  for (let kill = 0; kill < kills; kill++) {
    await delay(((random.next() + 0.5) * seconds * 1000) / kills)
    await crew.kill(random)
  }
  await orders.stop()
  await post(run.origin, held.shop, `/${held.id}/resume`)
  return { without, with: withThem, perSecond: Math.round(((before - left) / (until - began)) * 1000), left }
}

/** Enables the webhook again where it was disabled, and drops its pending deliveries. */
async function enableAgain({ sql, origin }: Run, { id, shop }: Hook): Promise<void> {
  const [row] = await sql`select status from webhook_endpoints where id = ${id}`
  if (row?.['status'] === 'disabled') await post(origin, shop, `/${id}/enable`, { pending: 'drop', missed: 'drop' })
}

/** Resolves when nothing is pending, or after so long that it always will be. */
const drained = (run: Run, refused: Hook): Promise<unknown> =>
  eventually(async () => {
    await enableAgain(run, refused)
    const left = await run.sql`
      select 1 from webhook_deliveries where state = 'pending' union all select 1 from webhook_endpoints where catching_up is not null`
    return left.length === 0
  }, DRAINED_MAX_MS).catch(() => {})

/** @returns how long a new worker takes to delete all that was old when it began; undefined where it does not */
async function lastPass({ sql, crew }: Run): Promise<number | undefined> {
  await crew.dismiss()
  const began = Date.now()
  await crew.complete(1)
  return eventually(
    async () => Object.values(await oldRows(sql, began)).every(rows => rows === 0) && Date.now() - began,
    PASS_MAX_MS,
  ).catch(() => undefined)
}
