// The reason why a delivery waits comes from SQL of its own (src/webhooks/log/waiting-store.ts). It follows the rules by which the engine sends: its statements of taking
// and claiming, and the pure rules of health.ts. Here both are compared in every situation. A delivery that would be sent now has the reason `turn` or
// `in_flight`; any other has the reason that names the rule which holds it back, and would be sent once that rule allows.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { suite, test } from 'node:test'
import { newId } from '../../src/ids.ts'
import type { Tx } from '../../src/postgres/sql.ts'
import { claimAll } from '../../src/webhooks/delivery/claim-store.ts'
import { afterFailure, HEALTHY, type Health, mustDisable, nextToSend, parallel } from '../../src/webhooks/delivery/health.ts'
import { isOrdered } from '../../src/webhooks/delivery/slice.ts'
import { type Lease, takeAll } from '../../src/webhooks/delivery/take-store.ts'
import { testApp } from '../support/app.ts'
import { ok } from '../support/given.ts'

const app = await testApp()
const { sql } = app
const SCHEDULE = app.config.webhooks.scheduleSeconds

// ── every situation: an endpoint, and its pending deliveries

const STATUSES = ['enabled', 'paused', 'disabled', 'catching_up'] as const
/** Minutes from now. The delivery that is tried again later is due between the two silences. */
const [SOON, LATER, LAST] = [30, 60, 90]

interface Pending {
  /** Minutes from now. */
  due: number
  attempts: number
}
const PENDING: Record<string, Pending[]> = {
  'tried and untried': [
    { due: -5, attempts: 1 },
    { due: -4, attempts: 0 },
    { due: -3, attempts: 0 },
    { due: -2, attempts: 0 },
    { due: -1, attempts: 0 },
    { due: LATER, attempts: 1 },
  ],
  'all tried': [
    { due: -5, attempts: 1 },
    { due: -4, attempts: 2 },
  ],
}

const DIMENSIONS = {
  status: STATUSES,
  failures: [0, 1, 2, 3, 4],
  silent: [null, -1, SOON, LAST],
  rate: [null, 60],
  max_parallel: [1, 3],
  lease: ['none', 'held', 'lapsed'],
  pending: Object.keys(PENDING),
} as const

type Situation = { [D in keyof typeof DIMENSIONS]: (typeof DIMENSIONS)[D][number] }

// Where nothing is sent at all, few other differences matter.
const isOfInterest = ({ status, failures, lease, pending, silent }: Situation): boolean =>
  status === 'enabled' || (failures !== 2 && failures !== 4 && lease !== 'lapsed' && pending !== 'all tried' && silent !== LAST)

const SITUATIONS = Object.entries(DIMENSIONS)
  .reduce<object[]>((found, [name, values]) => found.flatMap(each => values.map(value => ({ ...each, [name]: value }))), [{}])
  .filter((each): each is Situation => isOfInterest(each as Situation))

interface Endpoint extends Situation {
  tenant: string
  endpoint: string
  deliveries: (Pending & { event: string })[]
}

const fromNow = (minutes: number): Date => new Date(Date.now() + minutes * 60_000)

async function anEndpoint(tenant: string, events: string[], situation: Situation): Promise<Endpoint> {
  const { status, failures, silent, rate, max_parallel, lease, pending } = situation
  const endpoint = newId('whk')
  const silentUntil = silent === null ? null : fromNow(silent)
  const failedAt = failures > 0 ? fromNow(-10) : null
  await sql`
    insert into webhook_endpoints ${sql({
      tenant_id: tenant,
      id: endpoint,
      url: 'https://shop.example',
      events: ['none'],
      secret: 'sealed',
      created_at: fromNow(-60),
      updated_at: fromNow(-60),
      status: status === 'catching_up' ? 'paused' : status,
      catching_up: status === 'catching_up' ? sql.json({ next_status: 'enabled' }) : null,
      max_parallel,
      failures,
      failing_since: failedAt,
      failure_known_at: failedAt,
      silent_until: silentUntil,
      max_per_minute: rate,
      paced_until: rate !== null && failures === 0 ? silentUntil : null,
      lease_token: lease === 'none' ? null : randomUUID(),
      lease_until: lease === 'none' ? null : fromNow(lease === 'held' ? 600 : -1),
    } as never)}`
  const deliveries = (PENDING[pending] as Pending[]).map((each, i) => ({ ...each, event: events[i] as string }))
  await sql`
    insert into webhook_deliveries ${sql(
      deliveries.map(({ event, due, attempts }) => ({
        tenant_id: tenant,
        endpoint_id: endpoint,
        event_id: event,
        attempts,
        first_attempt_at: attempts > 0 ? fromNow(-10) : null,
        due_at: fromNow(due),
      })),
    )}`
  return { ...situation, tenant, endpoint, deliveries }
}

async function place(): Promise<{ endpoints: Endpoint[]; told: Map<string, Waiting> }> {
  const [endpoints, told] = [[] as Endpoint[], new Map<string, Waiting>()]
  // A tenant for each status: requests of one tenant are limited by the minute.
  for (const status of STATUSES) {
    const shop = await app.tenant()
    const events = Array.from({ length: 6 }, () => newId('evt'))
    await sql`insert into events ${sql(events.map(id => ({ tenant_id: shop.id, id, type: 'order.created', created_at: fromNow(-10), body: '{}' })))}`
    for (const situation of SITUATIONS.filter(each => each.status === status)) {
      const placed = await anEndpoint(shop.id, events, situation)
      endpoints.push(placed)
      const { data } = ok(await shop.get(`/api/v1/webhooks/${placed.endpoint}/deliveries?limit=100`))
      for (const { event_id, waiting } of data as { event_id: string; waiting: Waiting }[]) told.set(nameOf(placed, event_id), waiting)
    }
  }
  return { endpoints, told }
}

interface Waiting {
  reason: string
  until: string | null
}

const nameOf = ({ endpoint }: { endpoint: string }, event: string): string => `${endpoint} ${event}`

// ── what the engine would do

/** Deliveries by their names. */
interface Sendable {
  /** Deliveries that a slice that began now would find, and send in time. */
  claimed: Set<string>
  /** Deliveries that it would send at once, in this order. */
  first: Map<string, string[]>
}

class RollBack extends Error {}

/** Takes the lease of each endpoint and claims the due deliveries, as slices do, after the change; and undoes all of it. */
async function engine(endpoints: Endpoint[], change: (tx: Tx) => Promise<void> = async () => {}): Promise<Sendable> {
  const found: Sendable = { claimed: new Set(), first: new Map() }
  const work = sql.begin(async tx => {
    await change(tx)
    const taken = await takeAll(
      tx,
      endpoints.map(({ tenant, endpoint }) => ({ tenant, id: endpoint, token: randomUUID(), markedBy: null })),
    )
    const slices = endpoints.flatMap((each, i) => {
      const its = taken[i]
      return its && !mustDisable(healthOf(its.lease)) ? [{ ...each, lease: its.lease }] : []
    })
    const asks = slices.map(({ tenant, endpoint }) => ({ tenant, id: endpoint, count: 100, untried: false }))
    const claims = asks.length > 0 ? await claimAll(tx, asks) : []
    slices.forEach((slice, i) => {
      const due = [...(claims[i] ?? [])]
      for (const { event_id } of due) found.claimed.add(nameOf(slice, event_id))
      found.first.set(slice.endpoint, chosen(slice.lease, due))
    })
    throw new RollBack()
  })
  await assert.rejects(work, RollBack)
  return found
}

// Chooses as the window of a slice does.
function chosen(lease: Lease, due: { event_id: string; attempts: number }[]): string[] {
  const health = healthOf(lease)
  const events: string[] = []
  while (due.length > 0 && events.length < parallel(health, lease.max_parallel))
    events.push(...due.splice(isOrdered(lease) ? 0 : nextToSend(health, due), 1).map(each => each.event_id))
  return events
}

const healthOf = ({ failures, failing_since, failure_known_at }: Lease): Health => ({
  failures,
  failingSince: failing_since?.getTime() ?? null,
  failureKnownAt: failure_known_at?.getTime() ?? null,
  silentUntil: null,
})

/** The statement that lifts each rule from all deliveries. */
const LIFT = {
  /** Another worker has the lease. */
  lease: tx => tx`update webhook_endpoints set lease_token = null, lease_until = null where lease_until > now()`,
  status: tx => tx`update webhook_endpoints set status = 'enabled', catching_up = null`,
  schedule: tx => tx`update webhook_deliveries set due_at = least(due_at, now() - interval '1 second')`,
  /** After a fault of ours an endpoint rests. */
  rest: tx => tx`update webhook_endpoints set silent_until = null where failures = 0 and max_per_minute is null`,
  rate: async tx => {
    await tx`update webhook_endpoints set silent_until = null where failures = 0 and max_per_minute is not null`
    await tx`update webhook_endpoints set max_per_minute = null, paced_until = null`
  },
  health: tx => tx`
    update webhook_endpoints set failures = 0, failing_since = null, failure_known_at = null, silent_until = null where failures > 0`,
} satisfies Record<string, (tx: Tx) => PromiseLike<unknown>>

type Rule = keyof typeof LIFT
const RULES = Object.keys(LIFT) as Rule[]

const allBut = (kept?: Rule) => async (tx: Tx) => {
  for (const rule of RULES) if (rule !== kept) await LIFT[rule](tx)
}

/** As if so many minutes had passed, and every lease had been released. */
const passed = (minutes: number) => async (tx: Tx) => {
  await LIFT.lease(tx)
  await tx`
    update webhook_endpoints
       set silent_until = silent_until - make_interval(mins => ${minutes}), paced_until = paced_until - make_interval(mins => ${minutes})`
  await tx`update webhook_deliveries set due_at = due_at - make_interval(mins => ${minutes})`
}

// ── both, compared

const { endpoints, told } = await place()
const asItIs = await engine(endpoints)
const now = await engine(endpoints, async tx => void (await LIFT.lease(tx)))
const without = await engine(endpoints, allBut())
const alone = new Map<Rule, Sendable>()
for (const rule of RULES) alone.set(rule, await engine(endpoints, allBut(rule)))
const after = new Map<number, Sendable>()
for (const minutes of [SOON, LATER, LAST].flatMap(each => [each - 1, each + 1]))
  after.set(minutes, await engine(endpoints, passed(minutes)))

/** The rule that a reason names. `turn` with a time: an endpoint that rests. */
function ruleOf({ reason }: Waiting, { due }: Pending): Rule | undefined {
  if (['disabled', 'paused', 'catching_up'].includes(reason)) return 'status'
  if (reason === 'rate_limit') return 'rate'
  if (reason === 'turn') return 'rest'
  if (reason === 'retry') return due > 0 ? 'schedule' : 'health'
  return reason === 'endpoint_failing' || reason === 'order' ? 'health' : undefined
}

/** Whether so many failures are a silence by themselves, whatever was answered. */
const silences = (failures: number): boolean =>
  failures > 0 && afterFailure({ ...HEALTHY, failures: failures - 1 }, { startedAt: 0, endedAt: 1 }, SCHEDULE).silentUntil !== null

const titleOf = ({ status, failures, silent, rate, max_parallel, lease, pending }: Situation): string =>
  JSON.stringify({ status, failures, silent, rate, max_parallel, lease, pending })

/** All deliveries, with the reason that REST gives for each. */
function* each(): Generator<{ endpoint: Endpoint; pending: Pending; event: string; name: string; waiting: Waiting; said: string }> {
  for (const endpoint of endpoints)
    for (const { event, ...pending } of endpoint.deliveries) {
      const name = nameOf(endpoint, event)
      const waiting = told.get(name) as Waiting
      yield { endpoint, pending, event, name, waiting, said: `${titleOf(endpoint)} ${JSON.stringify(pending)}: ${JSON.stringify(waiting)}` }
    }
}

const isHeldBack = ({ name }: { name: string }): boolean => !now.claimed.has(name)

suite('the reason why a delivery waits, over REST, and what the engine would do', () => {
  test('these situations show each reason, and nothing holds back a delivery that every rule allows', () => {
    assert.deepEqual([...new Set([...told.values()].map(({ reason }) => reason))].sort(), [
      ...'backlog catching_up disabled endpoint_failing in_flight order paused rate_limit retry turn'.split(' '),
    ])
    for (const { name, said } of each()) assert.ok(without.claimed.has(name), said)
  })

  test('a delivery that would be sent now is next in turn; under a held lease it is in flight, or in the backlog beyond those that may be under way', () => {
    for (const one of each()) {
      const { endpoint, event, name, waiting, said } = one
      const isNow = ['turn', 'in_flight', 'backlog'].includes(waiting.reason) && waiting.until === null
      assert.equal(isNow, !isHeldBack(one), said)
      if (!isNow) continue
      assert.equal(waiting.reason === 'turn', asItIs.claimed.has(name), said)
      if (waiting.reason !== 'turn')
        assert.equal(waiting.reason, now.first.get(endpoint.endpoint)?.includes(event) ? 'in_flight' : 'backlog', said)
    }
  })

  test('a delivery that would not be sent has a reason whose rule would hold it back by itself', () => {
    for (const one of each()) {
      if (!isHeldBack(one)) continue
      const { endpoint, name, waiting, pending, said } = one
      const rule = ruleOf(waiting, pending)
      assert.ok(rule, said)
      assert.ok(!alone.get(rule)?.claimed.has(name), `${said}: ${rule} does not hold it back`)
      if (rule === 'status') assert.equal(waiting.reason, endpoint.status, said)
      else assert.equal(endpoint.status, 'enabled', said)
    }
  })

  test('such a delivery would be sent from the given time on, and not before', () => {
    for (const one of each()) {
      const { endpoint, name, waiting, said } = one
      if (!isHeldBack(one)) continue
      assert.equal(waiting.until === null, endpoint.status !== 'enabled', said)
      if (waiting.until === null) continue
      const minutes = Math.round((Date.parse(waiting.until) - Date.now()) / 60_000 / SOON) * SOON
      assert.ok(!after.get(minutes - 1)?.claimed.has(name), `${said}: it would be sent earlier`)
      assert.ok(after.get(minutes + 1)?.claimed.has(name), `${said}: it would not be sent then`)
    }
  })

  test('at a failing ordered endpoint the delivery to be tried again waits for its schedule, and the others for that one, until failures silence it', () => {
    for (const one of each()) {
      const { endpoint, pending, event, waiting, said } = one
      if (!isHeldBack(one) || ruleOf(waiting, pending) !== 'health') continue
      const isWhole = endpoint.max_parallel > 1 || silences(endpoint.failures)
      assert.equal(waiting.reason === 'endpoint_failing', isWhole, said)
      if (isWhole) continue
      const minutes = Math.round((Date.parse(waiting.until as string) - Date.now()) / 60_000 / SOON) * SOON
      const first = after.get(minutes + 1)?.first.get(endpoint.endpoint)?.[0]
      const { attempts } = endpoint.deliveries.find(each => each.event === first) as Pending
      assert.ok(attempts > 0, said)
      // As a rule one delivery alone of an ordered endpoint has been tried; where several have, each has a schedule of its own.
      assert.equal(waiting.reason, first === event || pending.attempts > 0 ? 'retry' : 'order', said)
    }
  })
})
