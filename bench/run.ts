// `npm run bench [name]`: each benchmark prints its figure beside the baseline it is held against, measured in the same run on this machine.
import { agent } from './agent.ts'
import { analytics } from './analytics.ts'
import { bulk } from './bulk.ts'
import { create } from './create.ts'
import { type Dataset, openDataset } from './dataset.ts'
import { deliver, deliverMany, deliverSlow } from './deliver/deliver.ts'
import { deliverFlows } from './deliver/flows.ts'
import { deliverLarge } from './deliver/large.ts'
import { deliverLatency } from './deliver/latency.ts'
import { exportOrders } from './export.ts'
import { files } from './files.ts'
import { flows } from './flows/flows.ts'
import { flowsMemory } from './flows/memory.ts'
import { flowsOrders } from './flows/orders.ts'
import { hostile } from './hostile.ts'
import { importing } from './import.ts'
import { inbound } from './inbound/inbound.ts'
import { limiter } from './limiter.ts'
import { list } from './list.ts'
import { live } from './live/live.ts'
import { lone } from './lone/lone.ts'
import { describeMachine } from './machine.ts'
import { memory } from './memory.ts'
import { oauth } from './oauth.ts'
import { page } from './page.ts'
import { plans } from './plans.ts'
import { read } from './read.ts'
import { measureRecords } from './records.ts'
import { retention } from './retention.ts'
import { sandbox } from './sandbox.ts'
import { sending } from './sending/sending.ts'
import { signIn } from './sign-in.ts'
import { skills } from './skills.ts'
import { skillsMemory } from './skills-memory.ts'
import { validator } from './validator.ts'

/** Benchmarks on the million orders share them; the others make their own data. */
type Benchmark = { summary: string } & ({ onOrders: (dataset: Dataset) => Promise<void> } | { measure: () => Promise<void> })

const BENCHMARKS: Record<string, Benchmark> = {
  list: { onOrders: list, summary: 'a page of 50 orders of 1 M, against bare Fastify; and page 10 000 against page 1' },
  read: { onOrders: read, summary: 'one order by its id, against bare Fastify' },
  agent: {
    onOrders: dataset => agent(dataset, process.argv[3]),
    summary:
      'calls of tools (of `calls,token,batch,list,tools,memory` those behind it) against the same reads by REST: one by one, in batches, a page; the list of tools; memory of web',
  },
  analytics: { measure: analytics, summary: 'the figures of 30 days in a shop of 600,000 orders, against a shop of 600' },
  skills: {
    measure: () => (process.argv[3] === 'memory' ? skillsMemory() : skills()),
    summary:
      'calls of skills, against the bare request and three commits, and at once against undici alone (`memory`: a worker whose calls hang)',
  },
  flows: {
    measure: () => (process.argv[3] === 'memory' ? flowsMemory() : flows()),
    summary:
      'a condition and three local steps, against the same effects by the same verbs and against the plain design; and from an event to its first effect (`memory`: a worker whose runs have large outputs)',
  },
  'flows-orders': {
    measure: flowsOrders,
    summary: 'orders placed where a thousand flows are installed, on other events and on this one, against orders without any',
  },
  oauth: { onOrders: oauth, summary: 'tokens refreshed, against the same rows by one statement without HTTP' },
  'sign-in': { onOrders: signIn, summary: 'orders read while 64 people sign in, against the same without them; memory of web' },
  create: { onOrders: create, summary: 'an order placed, against its rows inserted by one statement without HTTP' },
  memory: { onOrders: memory, summary: 'resident memory of the web process under load' },
  limiter: { onOrders: limiter, summary: 'finding a key and taking a slot of its log, against finding it alone' },
  plans: {
    measure: () => plans(process.argv[3]),
    summary: 'every list in every way it can be asked (or one, named behind it), on a million rows: indexes, rows read, time',
  },
  export: { onOrders: exportOrders, summary: 'all orders as NDJSON over HTTP, against COPY of the same texts' },
  deliver: { measure: deliver, summary: 'a backlog of webhooks, against undici without a database, and against the plain design' },
  'deliver-slow': { measure: deliverSlow, summary: 'the same to 1 000 receivers that take 50 ms' },
  'deliver-flows': { measure: deliverFlows, summary: 'the same beside a thousand installed flows of each workspace, and without' },
  'deliver-many': { measure: deliverMany, summary: 'one webhook for each of 10 000 endpoints, against many for few' },
  'deliver-large': {
    measure: () => deliverLarge(process.argv[3]),
    summary:
      'the memory of a worker with slow receivers and with large events (or in one scenario, named behind it by a part of its title)',
  },
  bulk: { measure: bulk, summary: '50 products in one request, against the same rows in one multi-row insert' },
  import: {
    measure: () => importing(Number(process.argv[3] ?? 1_000_000)),
    summary: 'a million products imported (or as many as named behind it), against bare inserts of the same rows',
  },
  files: { measure: files, summary: 'the memory of web and worker while files of 20 MB go in and out, one and four at once' },
  hostile: {
    measure: () => hostile(process.argv[3] === 'one' ? 'one' : 'all'),
    summary: 'bodies made to cost much, to every route (`one`: fewer of each): processor time, memory, and another tenant’s list meanwhile',
  },
  retention: {
    measure: () => retention(Number(process.argv[3] ?? 10_000_000)),
    summary: 'a log of ten million lines (or as many as named behind it) of which half goes, beside deliveries and the sweep',
  },
  lone: {
    measure: lone,
    summary: 'orders one at a time over REST to their receivers: what one costs and how long it takes, beside the plain design',
  },
  inbound: {
    measure: () => inbound(partOfInbound(process.argv[3])),
    summary:
      'what customers write: callbacks accepted (`accepted`: that alone), applied from a backlog, and until the line in an operator’s stream (that alone: `lines`, or at the rate named behind it)',
  },
  live: {
    measure: live,
    summary: '2 000 open live streams on one web process: their memory, against bare Fastify, and other reads beside them',
  },
  sending: {
    measure: () => sending(process.argv[3] === undefined ? undefined : Number(process.argv[3])),
    summary:
      'replies through channels, against undici alone; and how soon one is at its platform, beside a webhook (that alone, at the rate named behind it)',
  },
  records: {
    measure: () => measureRecords(process.argv[3], process.argv[4] === undefined ? undefined : Number(process.argv[4])),
    summary:
      'records of apps (of `list,filters,others,create,insert` those behind it; then how many of others, a million unless said), against orders, contacts and themselves',
  },
  page: {
    measure: page,
    summary: 'a page of 100 keys in the dashboard, session included, against a page of 100 orders by REST; memory of web',
  },
  sandbox: { measure: sandbox, summary: 'a script in the sandbox, against a bare context of the same interpreter; memory' },
  validator: { measure: validator, summary: 'a manifest of 200 KB judged; a small one from the command line, against its help' },
  'deliver-latency': { measure: deliverLatency, summary: "from an event's commit to its first byte at the receiver" },
}

const [asked] = process.argv.slice(2)
if (asked === undefined) await run(Object.values(BENCHMARKS))
else if (BENCHMARKS[asked]) await run([BENCHMARKS[asked]])
else listBenchmarks()

function partOfInbound(named: string | undefined): number | 'accepted' | 'lines' | undefined {
  if (named === undefined || named === 'accepted' || named === 'lines') return named
  return Number(named)
}

function listBenchmarks(): void {
  console.log('npm run bench                  runs all of these, in this order')
  for (const [name, { summary }] of Object.entries(BENCHMARKS)) console.log(`npm run bench ${name.padEnd(16)} ${summary}`)
}

async function run(benchmarks: Benchmark[]): Promise<void> {
  await runOnOrders(benchmarks.filter(each => 'onOrders' in each))
  for (const each of benchmarks) if ('measure' in each) await each.measure()
}

async function runOnOrders(benchmarks: Extract<Benchmark, { onOrders: unknown }>[]): Promise<void> {
  if (benchmarks.length === 0) return
  const dataset = await openDataset()
  try {
    console.log(await describeMachine(dataset.db.sql))
    for (const each of benchmarks) await each.onOrders(dataset)
  } finally {
    await dataset.close()
  }
}
