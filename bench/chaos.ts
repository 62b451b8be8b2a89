// `npm run chaos [name]`: each experiment with real processes and a real PostgreSQL, flushed to disk. Exits with 1 when a promise is broken.
import { parseArgs } from 'node:util'
import { runKills } from '../test/chaos/kills.ts'
import { openStage } from '../test/chaos/stage.ts'
import { report } from '../test/chaos/verdict.ts'
import { describeMachine } from './machine.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '100' },
    restarts: { type: 'string', default: '10' },
    minutes: { type: 'string' },
  },
})
const option = (name: 'seed' | 'kills' | 'restarts'): number => Number(values[name])

const EXPERIMENTS: Record<string, { summary: string; run(): Promise<boolean> }> = {
  kills: {
    summary: 'workers killed and PostgreSQL restarted under load: --seed 1 --kills 100 --restarts 10 --minutes 6',
    run: kills,
  },
}

const experiment = EXPERIMENTS[positionals[0] ?? 'kills']
if (experiment) await run(experiment.run)
else for (const [each, { summary }] of Object.entries(EXPERIMENTS)) console.log(`npm run chaos ${each.padEnd(9)} ${summary}`)

async function run(experiment: () => Promise<boolean>): Promise<void> {
  const stage = await openStage()
  console.log(await describeMachine(stage.sql))
  await stage.close()
  const held = await experiment()
  process.exitCode = held ? 0 : 1
}

async function kills(): Promise<boolean> {
  const [count, restarts] = [option('kills'), option('restarts')]
  const mean = values.minutes ? (Number(values.minutes) * 60_000) / (count + restarts) : 3_000
  const pauseMs: [number, number] = [mean * 0.25, mean * 1.75]
  const { facts, findings } = await runKills({ seed: option('seed'), kills: count, restarts, workers: 3, ordersPerSecond: 20, pauseMs })
  return report('Workers killed and PostgreSQL restarted', facts, findings)
}
