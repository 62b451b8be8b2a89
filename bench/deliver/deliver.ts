// Deliveries drained from a backlog by `bin/shopdesk worker`, against undici posting the same bytes without a database, and against the
// plain design. They alternate, so that a disturbance of the machine hits all.
import { type Reporting, startScript, stopAll } from '../../test/support/processes.ts'
import { openCounter } from '../../test/support/statement-counter.ts'
import { median, verdict } from '../compare.ts'
import { type Environment, openEnvironment, serverMs, walPosition } from '../environment.ts'
import { describeMachine } from '../machine.ts'
import { drained, type Endpoint, fill, release, setEndpoints, shareHost } from './backlog.ts'
import type { BaselineLoad } from './baseline.ts'
import { type Receiver, startReceiver, startWorker } from './processes.ts'

const ROUNDS = 3
const BASELINE_MS = 2_000
/** As many connections as the worker has to one origin. */
const BASELINE_CONNECTIONS = 64
const MEMORY_MB = 250
const PLAIN_COUNT = 3_000
const COUNTED = 5_000

export interface Scenario {
  title: string
  endpoints: number
  tenants: number
  /** Deliveries of each round. */
  count: number
  delayMs: number
  /** How many endpoints the worker serves at once. */
  places: number
}

export const FAST: Scenario = {
  title: 'a receiver that answers at once',
  endpoints: 50,
  tenants: 5,
  count: 60_000,
  delayMs: 0,
  places: 200,
}
const SLOW: Scenario = {
  title: 'receivers that answer after 50 ms',
  endpoints: 1_000,
  tenants: 100,
  count: 40_000,
  delayMs: 50,
  places: 200,
}
const MANY: Scenario = { title: 'one event for each endpoint', endpoints: 10_000, tenants: 1_000, count: 10_000, delayMs: 0, places: 600 }

export async function deliver(): Promise<void> {
  await runScenario(FAST, async setup => {
    const plain = await startScript(new URL('./plain.ts', import.meta.url), [setup.environment.databaseUrl])
    const [baselines, ours, plains]: [number[], Drain[], number[]] = [[], [], []]
    for (let i = 0; i < ROUNDS; i++) {
      baselines.push(await baselineOf(setup, { ms: BASELINE_MS }))
      ours.push(await drain(setup, FAST.count))
      plains.push(await plainDrain(setup, PLAIN_COUNT))
    }
    await plain.stop()
    const rates = ours.map(each => each.perSecond)
    line('undici alone', baselines)
    line('bin/shopdesk worker', rates)
    line('plain design', plains)
    ratio(
      'of the baseline',
      rates.map((rate, i) => rate / (baselines[i] as number)),
      0.25,
      share => `${(share * 100).toFixed(0)} %`,
    )
    ratio(
      'of the plain design',
      rates.map((rate, i) => rate / (plains[i] as number)),
      5,
      times => `${times.toFixed(1)} ×`,
    )
    costs(setup, ours)
  })
}

export async function deliverSlow(): Promise<void> {
  await runScenario(SLOW, async setup => {
    const ours: Drain[] = []
    for (let i = 0; i < ROUNDS; i++) ours.push(await drain(setup, SLOW.count))
    const rates = ours.map(each => each.perSecond)
    line('bin/shopdesk worker', rates)
    console.log(`  ${'required'.padEnd(34)}   8,000/s: ${verdict(median(rates) >= 8_000)}`)
    costs(setup, ours)
  })
}

/** First with a host for each endpoint, which takes a connection for each request; then with one host for all, as `deliver`'s baseline has it. */
export async function deliverMany(): Promise<void> {
  await runScenario(MANY, async setup => {
    await manyAndFew(setup, 'a host each', { hosts: MANY.endpoints })
    await shareHost(setup.environment, setup.receiver.port)
    await drain(setup, MANY.count)
    await manyAndFew(setup, 'one host', { ms: BASELINE_MS })
  })
}

async function manyAndFew(setup: Setup, hosts: string, baseline: BaselineLoad): Promise<void> {
  const few = { ...setup, endpoints: setup.endpoints.slice(0, FAST.endpoints) }
  const [baselines, fast, ours]: [number[], Drain[], Drain[]] = [[], [], []]
  for (let i = 0; i < ROUNDS; i++) {
    baselines.push(await baselineOf(setup, baseline))
    fast.push(await drain(few, FAST.count))
    ours.push(await drain(setup, MANY.count))
  }
  const rates = ours.map(each => each.perSecond)
  console.log(`  ${hosts}:`)
  line('undici alone', baselines)
  line(
    `${few.endpoints.length} endpoints`,
    fast.map(each => each.perSecond),
  )
  line(`${setup.endpoints.length.toLocaleString('en')} endpoints`, rates)
  ratio(
    'ratio',
    rates.map((rate, i) => rate / (fast[i] as Drain).perSecond),
    0.5,
    share => `${(share * 100).toFixed(0)} %`,
  )
  costs(setup, ours)
}

/** The setup that a scenario runs on. */
export interface Setup {
  environment: Environment
  receiver: Receiver
  endpoints: Endpoint[]
  worker: Reporting
}

export async function runScenario(scenario: Scenario, measure: (setup: Setup) => Promise<void>): Promise<void> {
  const { title, endpoints: count, tenants, delayMs, places } = scenario
  console.log(
    `\ndeliver: ${title}: ${count.toLocaleString('en')} endpoints of ${tenants.toLocaleString('en')} tenants, each on a host of its own, at most 8 requests at once to each; ${places} endpoints at once`,
  )
  const environment = await openEnvironment()
  console.log(await describeMachine(environment.db.sql))
  try {
    const receiver = await startReceiver(delayMs)
    const endpoints = await setEndpoints(environment, count, tenants, receiver.port)
    const worker = await startWorker(environment.databaseUrl, places)
    const setup = { environment, receiver, endpoints, worker }
    // Compiled, connected and planned before it counts, and for as long as the baseline.
    await drain(setup, scenario.count)
    await measure(setup)
    await worker.stop()
    await statements(setup, places)
  } finally {
    await stopAll()
    await environment.close()
  }
}

export interface Drain {
  perSecond: number
  /** The cost of a delivery; processor time in microseconds, waking the endpoints included. */
  walBytes: number
  workerUs: number
  serverUs: number
}

/** From nothing sent to all recorded; the rate is that at which requests arrived. */
export async function drain({ environment, receiver, endpoints, worker }: Setup, count: number): Promise<Drain> {
  await fill(environment, endpoints, count)
  await receiver.ask('reset')
  const spent = async () => [await walPosition(environment), worker.processorMs() * 1000, (await serverMs(environment)) * 1000] as const
  const before = await spent()
  await release(environment)
  await drained(environment)
  const [walBytes, workerUs, serverUs] = (await spent()).map((after, i) => (after - (before[i] as number)) / count) as [
    number,
    number,
    number,
  ]
  return { perSecond: await arrivalRate(receiver, count), walBytes, workerUs, serverUs }
}

async function arrivalRate(receiver: Receiver, count: number): Promise<number> {
  const arrivals = await receiver.ask('count')
  if (arrivals.count !== count) throw new Error(`${arrivals.count} requests arrived for ${count} deliveries`)
  return (arrivals.count / (arrivals.lastAt - arrivals.firstAt)) * 1000
}

/** Undici alone. */
async function baselineOf({ receiver }: Setup, asked: BaselineLoad): Promise<number> {
  const client = await startScript(new URL('./baseline.ts', import.meta.url), [String(receiver.port), String(BASELINE_CONNECTIONS)])
  // The first time does not count: code is compiled, connections are opened.
  await client.ask(asked)
  await receiver.ask('reset')
  await client.ask(asked)
  const { count, firstAt, lastAt } = await receiver.ask('count')
  await client.stop()
  return (count / (lastAt - firstAt)) * 1000
}

// The worker of the product runs as well and is idle: for it the endpoints are paused.
async function plainDrain({ environment, receiver, endpoints }: Setup, count: number): Promise<number> {
  await fill(environment, endpoints, count)
  await receiver.ask('reset')
  await environment.db.sql`
    select graphile_worker.add_jobs(array_agg(json_populate_record(null::graphile_worker.job_spec, json_build_object(
             'identifier', 'plain', 'payload', json_build_object('tenant', tenant_id, 'endpoint', endpoint_id, 'event', event_id)))))
      from webhook_deliveries where state = 'pending'`
  await drained(environment)
  return arrivalRate(receiver, count)
}

/** The worker's statements for one delivery, its polling, sweeping and beating included. */
async function statements(setup: Setup, places: number): Promise<void> {
  const counter = await openCounter(setup.environment.databaseUrl)
  const worker = await startWorker(counter.url, places)
  await fill(setup.environment, setup.endpoints, COUNTED)
  const before = counter.statements()
  await release(setup.environment)
  await drained(setup.environment)
  const each = (counter.statements() - before) / COUNTED
  await worker.stop()
  await counter.close()
  console.log(
    `  ${'statements for a delivery'.padEnd(34)} ${each.toFixed(3).padStart(7)}    counted over ${COUNTED.toLocaleString('en')} in a run of its own`,
  )
}

export function line(name: string, rates: number[]): void {
  console.log(`  ${name.padEnd(34)} ${whole(median(rates))}/s  (${whole(Math.min(...rates)).trim()}–${whole(Math.max(...rates)).trim()})`)
}

function ratio(name: string, ratios: number[], atLeast: number, print: (value: number) => string): void {
  const middle = median(ratios)
  const spread = `(${print(Math.min(...ratios))}–${print(Math.max(...ratios))})`
  console.log(`  ${name.padEnd(34)} ${print(middle).padStart(7)}    ${spread}, required ${print(atLeast)}: ${verdict(middle >= atLeast)}`)
}

function costs({ worker }: Setup, drains: Drain[]): void {
  const megabytes = worker.peak() / 1e6
  const middle = (of: (drain: Drain) => number): string => whole(median(drains.map(of)))
  console.log(`  ${'WAL for a delivery'.padEnd(34)} ${middle(each => each.walBytes)} bytes`)
  console.log(
    `  ${'processor time for a delivery'.padEnd(34)} ${middle(each => each.workerUs)} µs worker, ${middle(each => each.serverUs).trim()} µs PostgreSQL`,
  )
  console.log(
    `  ${'memory of the worker, at most'.padEnd(34)} ${whole(megabytes)} MB, required under ${MEMORY_MB} MB: ${verdict(megabytes < MEMORY_MB)}`,
  )
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en').padStart(7)
