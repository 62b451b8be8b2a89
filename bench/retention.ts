// Retention deletes old log lines while a worker delivers a backlog and the sweep wakes a webhook whose wake-up was lost; against the same deliveries
// and sweeps where nothing is old. Half of the log is old, and half is young and stays.
import { setTimeout as delay } from 'node:timers/promises'
import { newId } from '../src/ids.ts'
import { RETENTION_DAYS } from '../src/limits/retention.ts'
import type { Queryable } from '../src/postgres/sql.ts'
import { writeLog } from '../test/support/old-log.ts'
import { type Reporting, stopAll } from '../test/support/processes.ts'
import { median, verdict } from './compare.ts'
import { type Endpoint, owe, release, setEndpoints } from './deliver/backlog.ts'
import { whole } from './deliver/deliver.ts'
import { type Receiver, startReceiver, startWorker } from './deliver/processes.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { describeMachine } from './machine.ts'

const TENANTS = 200
const WEBHOOKS = 5
const PLACES = 200
/** How many backlogs there are; each is one webhook's. */
const BUSY = 50
/** At least the time in which the sweep runs some twenty times. */
const WITHOUT_MS = 20_000
const DAY_MS = 86_400_000
/** How much larger the sweep's p50 may be: that of some twenty tries differs by as much by chance. */
const SWEEP_MAX = 1.5

export async function retention(lines: number): Promise<void> {
  console.log(
    `\nretention: ${lines.toLocaleString('en')} lines in the log of ${TENANTS} tenants with ${WEBHOOKS} webhooks each, half of them older than ${RETENTION_DAYS} days`,
  )
  const environment = await openEnvironment('retention')
  console.log(await describeMachine(environment.db.sql))
  try {
    const receiver = await startReceiver()
    const endpoints = await setEndpoints(environment, TENANTS * WEBHOOKS, TENANTS, receiver.port)
    const events = Math.round(lines / 2 / endpoints.length)
    const tenants = new Set(endpoints.map(each => each.tenant))
    await writeLog(environment.db.sql, tenants, events, Date.now() - DAY_MS)
    const run = { environment, receiver, endpoints }
    const without = await measured(run, async () => void (await delay(WITHOUT_MS)))
    await writeLog(environment.db.sql, tenants, events, Date.now() - (RETENTION_DAYS + 1) * DAY_MS)
    let pruned = 0
    const beside = await measured(run, async () => {
      pruned = await prunedPerSecond(environment, events * endpoints.length)
    })
    line('pruned', `${whole(pruned)} lines/s`)
    line('delivered meanwhile', `${whole(beside.perSecond)}/s`)
    line('delivered with nothing old', `${whole(without.perSecond)}/s`)
    line(
      'pruned for each delivered',
      `${(pruned / beside.perSecond).toFixed(1).padStart(7)}, required 1: ${verdict(pruned >= beside.perSecond)}`,
    )
    const ratio = beside.sweepMs / without.sweepMs
    line('the sweep, p50', `${whole(beside.sweepMs)} ms`)
    line('the sweep with nothing old', `${whole(without.sweepMs)} ms`)
    line('ratio', `${ratio.toFixed(1).padStart(7)}, required at most ${SWEEP_MAX}: ${verdict(ratio <= SWEEP_MAX)}`)
  } finally {
    await stopAll()
    await environment.close()
  }
}

interface Run {
  environment: Environment
  receiver: Receiver
  endpoints: Endpoint[]
}

interface Measured {
  /** Deliveries. */
  perSecond: number
  /** The median time from an event whose wake-up was lost to its delivery. */
  sweepMs: number
}

/** With a worker of its own, whose first pass of retention begins with it. Backlogs follow each other, and the sweep is tried, until `work` is done. */
async function measured({ environment, receiver, endpoints }: Run, work: () => Promise<void>): Promise<Measured> {
  const worker: Reporting = await startWorker(environment.databaseUrl, PLACES)
  let isOver = false
  const over = () => isOver
  const busy = drainOn(environment, endpoints.slice(0, BUSY), receiver, over)
  const swept = sweepOn(environment, endpoints.at(-1) as Endpoint, over)
  await work()
  isOver = true
  const [rates, sweeps] = [await busy, await swept]
  await worker.stop()
  return { perSecond: median(rates), sweepMs: median(sweeps) }
}

const BACKLOG = 10_000

/** Backlogs, one after the other. @returns the rate of each */
async function drainOn(environment: Environment, endpoints: Endpoint[], receiver: Receiver, over: () => boolean): Promise<number[]> {
  const rates: number[] = []
  do {
    await owe(environment, endpoints, BACKLOG)
    await receiver.ask('reset')
    const began = performance.now()
    await release(environment)
    for (const { tenant, id } of endpoints) while (await pends(environment.db.sql, tenant, id)) await delay(20)
    rates.push((BACKLOG / (performance.now() - began)) * 1000)
  } while (!over())
  return rates
}

/** Inserts deliveries without waking their webhook, which has nothing else. @returns milliseconds until each was delivered */
async function sweepOn({ db: { sql } }: Environment, { tenant, id }: Endpoint, over: () => boolean): Promise<number[]> {
  const waits: number[] = []
  do {
    const event = newId('evt')
    await sql`
      with happened as (
        insert into events (tenant_id, id, type, created_at, body) values (${tenant}, ${event}, 'order.created', now(), '{}')
      )
      insert into webhook_deliveries (tenant_id, endpoint_id, event_id, due_at) values (${tenant}, ${id}, ${event}, now())`
    const began = performance.now()
    while (await pends(sql, tenant, id)) await delay(10)
    waits.push(performance.now() - began)
    // At no fixed distance from the sweep.
    await delay(Math.random() * 500)
  } while (!over())
  return waits
}

const pends = async (sql: Queryable, tenant: string, id: string): Promise<boolean> =>
  (await sql`select 1 from webhook_deliveries where tenant_id = ${tenant} and endpoint_id = ${id} and state = 'pending' limit 1`).length > 0

/** From the first line that goes to the last. */
async function prunedPerSecond({ db: { sql } }: Environment, lines: number): Promise<number> {
  const deleted = async (): Promise<number> => {
    const [row] = await sql<{ deleted: number }[]>`select n_tup_del as deleted from pg_stat_user_tables where relname = 'webhook_attempts'`
    return Number(row?.deleted ?? 0)
  }
  const before = await deleted()
  let [first, startedAt] = [0, 0]
  for (;;) {
    const [gone, now] = [(await deleted()) - before, performance.now()]
    if (first === 0 && gone > 0) [first, startedAt] = [gone, now]
    if (gone >= lines) return ((gone - first) / (now - startedAt)) * 1000
    if (startedAt > 0 && now - startedAt > LIMIT_MS) throw new Error(`only ${gone} of ${lines} lines went`)
    await delay(100)
  }
}

const LIMIT_MS = 30 * 60_000

const line = (name: string, text: string): void => console.log(`  ${name.padEnd(34)} ${text}`)
