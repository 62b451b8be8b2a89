// From an event's commit to its first byte at the receiver, while events keep coming at a tenth and at half of the highest rate.
import { verdict } from './compare.ts'
import { type Actors, drain, onStage, type Scene, whole } from './deliver.ts'
import type { Committed, Load } from './deliver-loader.ts'
import { type Child, startScript } from './deliver-processes.ts'
import { drained, empty } from './deliver-stage.ts'

const LOAD_MS = 10_000
const WARM_UP_MS = 3_000

/** Each event is for one endpoint, so that events and deliveries are as many. */
const LIVE: Scene = { title: 'events as they happen', endpoints: 50, tenants: 50, count: 30_000, delayMs: 0 }

interface Level {
  name: string
  share: number
  p50?: number
  p99: number
}

const LEVELS: Level[] = [
  { name: 'a tenth', share: 0.1, p50: 10, p99: 50 },
  { name: 'half', share: 0.5, p99: 100 },
]

export async function deliverLatency(): Promise<void> {
  await onStage(LIVE, async actors => {
    const { perSecond } = await drain(actors, LIVE.count)
    console.log(`  ${'highest rate, from a backlog'.padEnd(34)} ${whole(perSecond)}/s`)
    const loader = await startScript('./deliver-loader.ts', [actors.stage.databaseUrl])
    const tenants = actors.endpoints.map(each => each.tenant)
    for (const level of LEVELS) {
      const rate = perSecond * level.share
      await latencies(actors, loader, { tenants, rate, ms: WARM_UP_MS })
      report(level, rate, await latencies(actors, loader, { tenants, rate, ms: LOAD_MS }))
    }
  })
}

/** Milliseconds, sorted. */
async function latencies({ stage, receiver }: Actors, loader: Child, load: Load): Promise<Float64Array> {
  await empty(stage)
  await receiver.ask('name')
  const committed = await loader.ask<Committed>(load)
  await drained(stage)
  const arrived = new Map((await receiver.ask('reset')).events)
  return Float64Array.from(committed, ([id, at]) => (arrived.get(id) ?? Number.NaN) - at).sort()
}

function report({ name, p50, p99 }: Level, rate: number, sorted: Float64Array): void {
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] as number
  const [middle, late] = [at(0.5), at(0.99)]
  const required = [...(p50 ? [`p50 under ${p50}`] : []), `p99 under ${p99}`].join(', ')
  const passed = late < p99 && (p50 === undefined || middle < p50)
  console.log(
    `  ${`${name} of it, ${Math.round(rate).toLocaleString('en')}/s`.padEnd(34)} p50 ${middle.toFixed(1)} ms, p99 ${late.toFixed(1)} ms, at most ${at(1 - 1e-9).toFixed(0)} ms, required ${required} ms: ${verdict(passed)}`,
  )
}
