// From an event's commit to its first byte at the receiver, while events keep coming at a tenth and at half of the highest load: as many as can be
// made and delivered at the same time. A backlog, whose events are made already, is delivered faster; half of that is measured too.
import { type Reporting, startScript } from '../../test/support/processes.ts'
import { median, verdict } from '../compare.ts'
import { drained, empty } from './backlog.ts'
import { drain, runScenario, type Scenario, type Setup, whole } from './deliver.ts'
import type { Committed, Load } from './loader.ts'

const LOAD_MS = 10_000
const WARM_UP_MS = 3_000
const HIGHEST = { count: 60_000, atOnce: 32, rounds: 3 }

/** Each event is for one endpoint, so that events and deliveries are as many. */
const LIVE: Scenario = { title: 'events as they happen', endpoints: 50, tenants: 50, count: 30_000, delayMs: 0, places: 200 }

interface Level {
  name: string
  rate: number
  /** Without them it is for information. */
  limits?: Limits
}

/** Milliseconds. */
interface Limits {
  p50?: number
  p99: number
}

export async function deliverLatency(): Promise<void> {
  await runScenario(LIVE, async setup => {
    const backlog = await drain(setup, LIVE.count)
    const loader = await startScript(new URL('./loader.ts', import.meta.url), [setup.environment.databaseUrl])
    const tenants = setup.endpoints.map(each => each.tenant)
    const highest = await highestLoad(setup, loader, tenants)
    console.log(`  ${'highest load, made and delivered'.padEnd(34)} ${whole(highest)}/s`)
    console.log(`  ${'from a backlog'.padEnd(34)} ${whole(backlog.perSecond)}/s`)
    const levels: Level[] = [
      { name: 'a tenth of the load', rate: highest / 10, limits: { p50: 10, p99: 50 } },
      { name: 'half of the load', rate: highest / 2, limits: { p99: 100 } },
      { name: 'half of a backlog', rate: backlog.perSecond / 2 },
    ]
    for (const level of levels) {
      await latencies(setup, loader, { tenants, rate: level.rate, ms: WARM_UP_MS })
      report(level, await latencies(setup, loader, { tenants, rate: level.rate, ms: LOAD_MS }))
    }
  })
}

/** Events per second, from the first commit to the last arrival. */
async function highestLoad({ environment, receiver }: Setup, loader: Reporting, tenants: string[]): Promise<number> {
  const { count, atOnce, rounds } = HIGHEST
  const rates: number[] = []
  for (let i = 0; i < rounds; i++) {
    await empty(environment)
    await receiver.ask('reset')
    const committed = await loader.ask<Committed>({ tenants, count, atOnce })
    await drained(environment)
    const { lastAt } = await receiver.ask('count')
    const firstAt = committed.reduce((first, [, at]) => Math.min(first, at), Number.POSITIVE_INFINITY)
    rates.push((count / (lastAt - firstAt)) * 1000)
  }
  return median(rates)
}

/** Milliseconds, sorted. */
async function latencies({ environment, receiver }: Setup, loader: Reporting, load: Load): Promise<Float64Array> {
  await empty(environment)
  await receiver.ask('name')
  const committed = await loader.ask<Committed>(load)
  await drained(environment)
  const arrived = new Map((await receiver.ask('reset')).events)
  return Float64Array.from(committed, ([id, at]) => (arrived.get(id) ?? Number.NaN) - at).sort()
}

function report({ name, rate, limits }: Level, sorted: Float64Array): void {
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] as number
  const [middle, late] = [at(0.5), at(0.99)]
  const required = limits ? judged(limits, middle, late) : 'for information'
  console.log(
    `  ${`${name}, ${Math.round(rate).toLocaleString('en')}/s`.padEnd(34)} p50 ${middle.toFixed(1)} ms, p99 ${late.toFixed(1)} ms, at most ${at(1 - 1e-9).toFixed(0)} ms, ${required}`,
  )
}

function judged({ p50, p99 }: Limits, middle: number, late: number): string {
  const passed = late < p99 && (p50 === undefined || middle < p50)
  return `required ${p50 === undefined ? '' : `p50 under ${p50}, `}p99 under ${p99} ms: ${verdict(passed)}`
}
