// `npm run chaos [name]`: each experiment with real processes and a real PostgreSQL, flushed to disk. Exits with 1 when a promise is broken.
import { parseArgs } from 'node:util'
import { describeMachine } from '../machine.ts'
import { runBacklog } from './backlog.ts'
import { runConversations } from './conversations.ts'
import { runCuts } from './cuts.ts'
import { openEnvironment } from './environment.ts'
import { WAY_NAMES as FAIRNESS_WAYS, runFairness } from './fairness.ts'
import { runFlows } from './flows.ts'
import { runHanging, WAY_NAMES } from './hanging.ts'
import { runHealth } from './health.ts'
import { runHostileApps, WHERE_NAMES } from './hostile-apps.ts'
import { runIsolation } from './isolation.ts'
import { runKills } from './kills.ts'
import { runNames } from './names.ts'
import { runRetention } from './retention.ts'
import { runSoak } from './soak.ts'
import { runTakeovers } from './takeovers.ts'
import { KIND_NAMES } from './unreliable-names.ts'
import { type Outcome, report, tellOfEnd } from './verdict.ts'
import { runWebChat } from './web-chat.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    kills: { type: 'string' },
    restarts: { type: 'string' },
    spells: { type: 'string', default: '10' },
    cuts: { type: 'string', default: '42' },
    minutes: { type: 'string' },
    places: { type: 'string', default: '40' },
    help: { type: 'boolean', default: false },
  },
})
const seed = Number(values.seed)
/** Rounds of `isolation`: a phase without and one with the bad receivers, and the time their last requests take to end. */
const ROUNDS = 5
/** The most webhooks of a workspace, unless an operator allows more. */
const WEBHOOKS_MAX = 50
/** So few that webhooks wait in a worker for one. */
const SLOTS = 4
/** How many workspaces of each kind `names` has. */
const CROWD = 4
const minutes = (usual: number): number => Number(values.minutes ?? usual)

interface Experiment {
  summary: string
  run(): Promise<Outcome>
}

const EXPERIMENTS: Record<string, Experiment> = {
  kills: {
    summary: 'workers killed and PostgreSQL restarted under a load of orders: [--seed 1] [--kills 100] [--restarts 10] [--minutes 6]',
    run() {
      const [kills, restarts] = [Number(values.kills ?? 100), Number(values.restarts ?? 10)]
      const mean = (minutes(6) * 60_000) / (kills + restarts)
      return runKills({ seed, kills, restarts, workers: 3, slots: SLOTS, ordersPerSecond: 20, pauseMs: [mean * 0.25, mean * 1.75] })
    },
  },
  spells: {
    summary: 'PostgreSQL stopped and made read-only: no process ends: [--seed 1] [--restarts 30] [--spells 10] [--minutes 3]',
    run() {
      const [restarts, spells] = [Number(values.restarts ?? 30), Number(values.spells)]
      const mean = (minutes(3) * 60_000) / (restarts + spells)
      const readOnly = { count: spells, ms: [200, 8_000] as [number, number] }
      return runKills({ seed, kills: 0, restarts, spells: readOnly, workers: 2, ordersPerSecond: 20, pauseMs: [mean * 0.25, mean * 1.75] })
    },
  },
  takeovers: {
    summary:
      'workers killed in the middle of an import of 200 000 rows, its export and a recovery: how long these stand still: [--kills 2]',
    run: () => runTakeovers({ rows: 200_000, events: 1_500, kills: Number(values.kills ?? 2), stillMs: 3_000 }),
  },
  cuts: {
    summary: 'workers cut off from the database: no ordered webhook has two senders: [--seed 1] [--cuts 42]',
    run: () => runCuts({ seed, cuts: Number(values.cuts), workers: 3, ordersPerSecond: 3, cutMs: [200, 8_000], pauseMs: [500, 3_000] }),
  },
  conversations: {
    summary:
      'web and workers killed and PostgreSQL restarted while 500 customers write and are answered: [--seed 1] [--kills 30] [--restarts 5] [--minutes 3]',
    run() {
      const [kills, restarts] = [Number(values.kills ?? 30), Number(values.restarts ?? 5)]
      const mean = (minutes(3) * 60_000) / (kills + restarts)
      const pauseMs = [mean * 0.25, mean * 1.75] as [number, number]
      return runConversations({ seed, customers: 500, updates: 10_000, replies: 2_000, kills, restarts, workers: 2, pauseMs })
    },
  },
  flows: {
    summary: 'workers killed at every boundary of a run and PostgreSQL restarted: [--seed 1] [--kills 60] [--restarts 6]',
    run() {
      const [kills, restarts] = [Number(values.kills ?? 60), Number(values.restarts ?? 6)]
      return runFlows({
        seed,
        // As many as there is time for.
        events: 45 * (kills + restarts),
        everyMs: 500,
        restMs: 6_000,
        kills,
        restarts,
        workers: 3,
        boundaryMs: 3_000,
        stillMs: 3_000,
      })
    },
  },
  'web-chat': {
    summary: 'ten visitors in Chromium and the staff write while the network is cut for a minute and web is killed',
    run: () => runWebChat({ visitors: 10, each: 10 }),
  },
  hanging: {
    summary: 'fifty channels whose platform hangs: replies of others and webhooks, on one worker of forty slots: [--minutes 3]',
    run: () =>
      runHanging({
        ordersPerSecond: 15,
        repliesPerSecond: 30,
        rounds: 3,
        seconds: (minutes(3) * 60) / (WAY_NAMES.length * 3 * 2),
        channels: 50,
        customers: 60,
        places: Number(values.places),
        ways: WAY_NAMES,
        limits: { growth: 2, p99Ms: 0 },
        timeoutMs: 15_000,
      }),
  },
  'hostile-apps': {
    summary: 'apps that never answer, drip, flood, reset or fail, with a thousand runs each, beside good ones: [--places 40] [--minutes 4]',
    run: () =>
      runHostileApps({
        ordersPerSecond: 15,
        rounds: 3,
        seconds: (minutes(4) * 60) / (WHERE_NAMES.length * 3 * 2),
        places: Number(values.places),
        runs: 1_000,
        where: WHERE_NAMES,
        timeoutMs: 3_000,
        limits: { growth: 2, p99Ms: 0 },
      }),
  },
  isolation: {
    summary: 'half of the endpoints misbehave: what the others notice: [--seed 1] [--minutes 5]',
    run: () =>
      runIsolation({
        seed,
        ordersPerSecond: 10,
        places: 40,
        rounds: ROUNDS,
        seconds: (minutes(5) * 60) / (ROUNDS * 3),
        healthy: 50,
        bad: { 'black hole': 20, reset: 10, drip: 10, flood: 10 },
        limits: { growth: 2, p99Ms: 0 },
      }),
  },
  fairness: {
    summary: 'a workspace with 50 webhooks that are slow, failing, at the others’ origin or busy: [--places 40] [--minutes 6]',
    run: () =>
      runFairness({
        ordersPerSecond: 10,
        places: Number(values.places),
        rounds: 3,
        seconds: (minutes(6) * 60) / (FAIRNESS_WAYS.length * 3 * 2),
        ways: FAIRNESS_WAYS,
        webhooks: WEBHOOKS_MAX,
        standing: 500,
      }),
  },
  names: {
    summary:
      'workspaces whose names are not answered, late, unknown, moving or many beside others, then no name server: [--places 40] [--minutes 2.5]',
    run: () =>
      runNames({
        ordersPerSecond: 20,
        places: Number(values.places),
        rounds: 3,
        steps: [1, CROWD],
        seconds: (minutes(2.5) * 60) / (KIND_NAMES.length * 3 * 3),
        crowds: Object.fromEntries(KIND_NAMES.map(kind => [kind, Array(CROWD).fill(kind)])),
        webhooks: WEBHOOKS_MAX,
        outageMs: 12_000,
      }),
  },
  retention: {
    summary: 'an old log is pruned beside deliveries, retries, catch-ups, recoveries and kills: [--seed 1] [--kills 12] [--minutes 3]',
    run: () =>
      runRetention({
        seed,
        ordersPerSecond: 20,
        rounds: 3,
        seconds: (minutes(3) * 60) / (3 * 3),
        settlingMs: 2_000,
        workers: 2,
        kills: Math.round(Number(values.kills ?? 12) / 3),
        tenants: 200,
        events: 400,
      }),
  },
  backlog: {
    summary: 'a million deliveries wait: throughput against that with none: [--minutes 4]',
    run: () =>
      runBacklog({
        deliveries: 1_000_000,
        rounds: 3,
        seconds: minutes(4) * 5,
        endpoints: 100,
        receivers: 'prompt',
        limits: { share: 0.8, cost: 1.5 },
      }),
  },
  health: {
    summary: 'the rules of a webhook’s health, over ways to fail: delays, requests spent, disabled or not: [--seed 1, the first of ten]',
    run: async () => runHealth({ seed, seeds: 10, seconds: 1800 }),
  },
  soak: {
    summary: 'the same load for long: dead rows stay flat: [--minutes 10]',
    run: () => runSoak({ minutes: minutes(10), ordersPerSecond: 20, endpoints: 50, sampleMs: 5_000 }),
  },
}

const name = positionals[0] ?? 'kills'
const experiment = EXPERIMENTS[name]
if (experiment && !values.help) await run(experiment)
else for (const [each, { summary }] of Object.entries(EXPERIMENTS)) console.log(`npm run chaos ${each.padEnd(12)} ${summary}`)

async function run({ run, summary }: Experiment): Promise<void> {
  const reported = tellOfEnd(name)
  const environment = await openEnvironment()
  console.log(await describeMachine(environment.sql))
  await environment.close()
  const { facts, findings } = await run()
  process.exitCode = report(`${name}: ${summary.split(':')[0]}`, facts, findings) ? 0 : 1
  reported()
}
