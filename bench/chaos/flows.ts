// Flows while workers are killed and PostgreSQL is restarted, at every boundary of a run: in matching, before and after its row, while the app holds the
// request, after its answer, between steps and in a wait. What the app was asked, by its own book, and what is in the database is compared with the events.
import { createHmac } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { createAll } from '../../src/contacts/contacts.ts'
import { wakeFlowsThrough } from '../../src/flows/waking/wake.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import { setReactions } from '../../src/reactions.ts'
import { eventually } from '../../test/support/eventually.ts'
import type { Reporting } from '../../test/support/processes.ts'
import { type Random, seeded } from '../../test/support/random.ts'
import { atEach, BOUNDARIES, comesTo, type Looked } from './boundaries.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { installPointsApp, type PointsService, startPointsService } from './points-app.ts'
import { type Causes, stillness } from './stillness.ts'
import { type Finding, none, type Outcome } from './verdict.ts'

export interface FlowsPlan {
  seed: number
  /** Each begins one run. */
  events: number
  /** Between portions of events: so that runs are under way as long as there are faults, and no run waits for many others. */
  everyMs: number
  kills: number
  restarts: number
  workers: number
  /** The longest rest after a fault: the next one hides how long the runs that the first one met would have stood still. */
  restMs: number
  /** The longest wait for a boundary, after which the worker is killed all the same. */
  boundaryMs: number
  /** The longest that a run may stand still beyond the faults that it met, and beyond the times without a worker. */
  stillMs: number
  /** PostgreSQL's, for a test that has nothing to lose. */
  settings?: Record<string, string>
}

const START_LIMIT_MS = 120_000
const DRAIN_LIMIT_MS = 180_000
/** Events that are written together. */
const PORTION = 5

export async function runFlows(plan: FlowsPlan): Promise<Outcome> {
  const environment = await openEnvironment(plan.settings)
  const { sql } = environment
  const random = seeded(plan.seed)
  const service = await startPointsService(random)
  try {
    const SECRET_KEY = createHmac('sha256', String(plan.seed)).digest('hex')
    const { tenant } = await environment.shop(1)
    await installPointsApp(sql, tenant, SECRET_KEY, service.origin)
    setReactions()
    const allTold = wakeFlowsThrough(sql, () => {})
    const causes: Causes = { faults: [], unserved: [], waited: new Map() }
    const attendance = attending(causes.unserved)
    const workers = Array.from({ length: plan.workers }, () => keep(environment, { SECRET_KEY }, attendance))
    await Promise.all(workers.map(each => each.running()))
    let isOver = false
    let areFaultsOver = false
    const loading = happen(sql, tenant, plan, () => !areFaultsOver)
    const waiting = shortenWaits(sql, tenant, causes.waited, () => isOver)
    const reached = await injectFaults(environment, { tenant, service, workers, random, plan, faults: causes.faults })
    areFaultsOver = true
    const events = await loading
    // A lost connection is a question to be asked again; what is left after the limit is a finding.
    await eventually(
      () =>
        underWay(sql, tenant).then(
          count => count === 0,
          () => false,
        ),
      DRAIN_LIMIT_MS,
    ).catch(() => {})
    isOver = true
    await Promise.all([waiting, allTold()])
    const done = { ...plan, events }
    return {
      facts: await factsOf(sql, done, service, reached),
      findings: [...(await findingsOf(sql, tenant, done, service, causes)), atEach(reached)],
    }
  } finally {
    service.close()
    await environment.close()
  }
}

/**
 * Contacts are made, as many as planned and for as long as there are faults; one that a crash of the server took back is made again.
 * @returns how many
 */
async function happen(sql: Sql, tenant: string, { events, everyMs }: FlowsPlan, goesOn: () => boolean): Promise<number> {
  let at = 0
  for (; at < events || goesOn(); at += PORTION) {
    const contacts = Array.from({ length: PORTION }, (_, i) => ({ name: `Customer ${at + i}`, external_id: `C-${at + i}` }))
    await eventually(
      () =>
        begin(sql, tx => createAll(tx, { tenant, actor: { type: 'system' } }, contacts)).then(
          () => true,
          () => false,
        ),
      START_LIMIT_MS,
    )
    await delay(everyMs)
  }
  return at
}

async function shortenWaits(sql: Sql, tenant: string, waited: Causes['waited'], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    const shortened = await sql<{ id: string; due_at: Date }[]>`
      update flow_runs set due_at = now() where tenant_id = ${tenant} and code = 'wait' and due_at > now() returning id, due_at`.catch(
      () => [],
    )
    for (const { id, due_at } of shortened) waited.set(id, due_at.getTime())
    await delay(200)
  }
}

async function underWay(sql: Sql, tenant: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from flow_events where tenant_id = ${tenant})::integer
         + (select count(*) from flow_runs where tenant_id = ${tenant} and due_at is not null)::integer as count`
  return row?.count ?? 0
}

interface Faults extends Looked {
  workers: Kept[]
  random: Random
  plan: FlowsPlan
  faults: Causes['faults']
}

/** @returns the boundaries at which a fault came */
async function injectFaults(environment: Environment, given: Omit<Faults, 'sql'>): Promise<string[]> {
  const at = { ...given, sql: environment.sql }
  const { random, plan, service, workers, faults } = at
  const kinds = random.shuffled<'kill' | 'restart'>([...Array(plan.kills).fill('kill'), ...Array(plan.restarts).fill('restart')])
  const reached: string[] = []
  for (const [n, kind] of kinds.entries()) {
    const boundary = BOUNDARIES[n % BOUNDARIES.length] as string
    if (await comesTo(boundary, at, plan.boundaryMs)) reached.push(boundary)
    service.meetFault()
    const from = Date.now()
    await (kind === 'restart' ? environment.restartPostgres() : (workers[n % workers.length] as Kept).kill())
    service.meetFault()
    if (kind === 'restart') await Promise.all(workers.map(each => each.running()))
    faults.push([from, Date.now()])
    await delay(random.between(0, plan.restMs))
  }
  return reached
}

interface Kept {
  running(): Promise<Reporting>
  kill(): Promise<void>
}

interface Attendance {
  came(): void
  left(): void
}

/** Notes when no worker runs. */
function attending(unserved: Causes['unserved']): Attendance {
  let [running, since] = [0, Date.now()]
  return {
    came() {
      if (running++ === 0) unserved.push([since, Date.now()])
    },
    left() {
      if (--running === 0) since = Date.now()
    },
  }
}

/** A worker that is started again whenever it ends. */
function keep(environment: Environment, settings: Record<string, string>, { came, left }: Attendance): Kept {
  let current: Reporting | undefined
  void (async () => {
    while (!environment.closing.aborted) {
      // While the database is away it refuses to start, as it should.
      const started = await environment.start('worker', settings).catch(() => delay(300))
      if (!started) continue
      current = started
      came()
      await started.ended
      current = undefined
      left()
    }
  })()
  const running = () => eventually(async () => current, START_LIMIT_MS)
  return { running, kill: async () => void (await (await running()).stop('SIGKILL')) }
}

async function factsOf(sql: Sql, plan: FlowsPlan, service: PointsService, reached: string[]): Promise<Record<string, string | number>> {
  const [row] = await sql`select sum(attempts)::integer as attempts from flow_steps`
  return {
    seed: plan.seed,
    'kill -9 of workers': plan.kills,
    'immediate restarts of PostgreSQL': plan.restarts,
    'faults at their boundary': reached.length,
    events: plan.events,
    'requests to the app': service.requests(),
    'requests under way at a fault': service.met(),
    'steps begun': row?.['attempts'] ?? 0,
  }
}

async function findingsOf(sql: Sql, tenant: string, plan: FlowsPlan, service: PointsService, causes: Causes): Promise<Finding[]> {
  const counted = async (name: string, rows: Promise<Record<string, unknown>[]>): Promise<Finding> => none(name, await rows)
  const runs = await sql<{ id: string; state: string; code: string | null; contact: string }[]>`
    select r.id, r.state, r.code, e.body::json -> 'data' ->> 'contact_id' as contact
      from flow_runs r join events e on e.tenant_id = r.tenant_id and e.id = r.event_id
     where r.tenant_id = ${tenant}`
  const each = (table: string, of: string) =>
    sql.unsafe(`
    select c.id, count(t.*)::integer as count from contacts c left join ${table} t on t.tenant_id = c.tenant_id and ${of}
     where c.tenant_id = '${tenant}' group by c.id having count(t.*) <> 1`)
  return [
    { promise: 'one run for each event', figure: `${runs.length} of ${plan.events}`, holds: runs.length === plan.events },
    none('one event, more than one run', duplicates(runs.map(({ contact }) => contact))),
    none(
      'every run succeeded',
      runs.filter(({ state }) => state !== 'succeeded'),
    ),
    await counted('each contact was notified of once', each('notifications', `t.doc::json ->> 'body' = c.id`)),
    await counted('each contact has one record', each('records', `t.doc::json ->> 'external_id' = c.id`)),
    await counted(
      'each contact was tagged by one event',
      each('events', `t.type = 'contact.tagged' and t.body::json -> 'data' ->> 'contact_id' = c.id`),
    ),
    none('each run asked with one key, twice at most, and once more for each fault that met its request', service.excess()),
    { promise: 'each run has a key of its own', figure: `${service.keys()} of ${plan.events}`, holds: service.keys() === plan.events },
    ...(await stillness(sql, tenant, plan.stillMs, causes)),
  ]
}

const duplicates = (texts: string[]): string[] => texts.filter((text, index) => texts.indexOf(text) !== index)
