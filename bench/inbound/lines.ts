// From the first byte of a callback to the line in an operator's stream, at a pace.
import { type Reporting, startScript, startShopdesk } from '../../test/support/processes.ts'
import { verdict } from '../compare.ts'
import { startWorker } from '../deliver/processes.ts'
import type { Environment } from '../environment.ts'
import { type Meter, meter } from './cost.ts'
import type { LinesAsked } from './loader.ts'
import { type Shop, webSettings } from './shops.ts'

const MS = 10_000
const WARM_UP_MS = 5_000
const TIMES = 5
const P99_MS = 100

/** @param rate messages a second @param isCounted the server counts what statements take: see cost.ts */
export async function printLines(environment: Environment, shops: Shop[], rate: number, { isCounted = false } = {}): Promise<void> {
  console.log(`\nmessage to line: ${Math.round(rate)} a second, at random moments`)
  const { databaseUrl } = environment
  const bare = await startScript(new URL('./bare.ts', import.meta.url), [databaseUrl, 'telling'])
  const theirs = await measure(shops, { address: String(bare.ready), bare: true, rate })
  await bare.stop()
  // What the baseline has kept is not to be applied.
  await environment.db.sql`truncate callbacks`
  const web = await startShopdesk('web', webSettings(databaseUrl), 'passed on')
  const worker = await startWorker(databaseUrl, 40)
  const asked = { address: String(web.ready), bare: false, rate }
  const ours = await measure(shops, asked, isCounted ? load => meter(environment, { web, worker, load }) : undefined)
  await Promise.all([web.stop(), worker.stop()])
  const floor = await measureFloor(environment, shops, { rate, isCounted, met: ours.count })
  print('bare Fastify: insert, notify, stream', theirs)
  print('the least with a worker: see floor.ts', floor)
  print('callback to line', ours)
  const passed = ours.p50 <= TIMES * theirs.p50 && ours.p99 <= TIMES * theirs.p99 && ours.p99 < P99_MS
  console.log(
    `  ${(ours.p50 / theirs.p50).toFixed(1)} × at p50, ${(ours.p99 / theirs.p99).toFixed(1)} × at p99, required ${TIMES} × and p99 ${P99_MS} ms: ${verdict(passed)}`,
  )
  console.log(`  ${(ours.p50 / floor.p50).toFixed(1)} × and ${(ours.p99 / floor.p99).toFixed(1)} × of the least with a worker`)
}

/** In the conversations that are there by now. */
async function measureFloor(
  environment: Environment,
  shops: Shop[],
  { rate, isCounted, met }: { rate: number; isCounted: boolean; met: number },
): Promise<Lines> {
  const script = new URL('./floor.ts', import.meta.url)
  const { databaseUrl } = environment
  await environment.db.sql`truncate callbacks`
  const [web, worker] = [await startScript(script, [databaseUrl, 'web']), await startScript(script, [databaseUrl, 'worker'])]
  const asked = { address: String(web.ready), bare: true, rate, met }
  const floor = await measure(shops, asked, isCounted ? load => meter(environment, { web, worker, load }) : undefined)
  await Promise.all([web.stop(), worker.stop()])
  return floor
}

interface Lines {
  p50: number
  p99: number
  count: number
}

async function measure(
  shops: Shop[],
  to: Pick<LinesAsked, 'address' | 'bare' | 'rate' | 'met'>,
  metered?: (loader: Reporting) => Promise<Meter>,
): Promise<Lines> {
  // No two messages have one number, and both kinds are of the same customers.
  const from = to.met ? 30_000_000 : 10_000_000
  const loader = await startScript(new URL('./loader.ts', import.meta.url), [])
  await loader.ask<number[]>({ shops, ...to, ms: WARM_UP_MS, first: from } satisfies LinesAsked)
  const used = await metered?.(loader)
  const took = Float64Array.from(await loader.ask<number[]>({ shops, ...to, ms: MS, first: from + 10_000_000 } satisfies LinesAsked)).sort()
  await used?.print(took.length)
  await loader.stop()
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), count: took.length }
}

const print = (name: string, { p50, p99, count }: Lines): void =>
  console.log(`  ${name.padEnd(38)} p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(1)} ms, of ${count}`)
