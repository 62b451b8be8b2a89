// Orders that come one at a time, as most shops have them: placed over REST at a pace, and each sent to the one webhook of its shop. Measures the cost
// of an order to all processes together, by statement too, and its time to the receiver; beside the plain design, which writes the same rows.
import { createKey } from '../../src/access/keys.ts'
import type { Caller } from '../../src/caller.ts'
import * as contacts from '../../src/contacts/contacts.ts'
import { begin } from '../../src/postgres/sql.ts'
import * as products from '../../src/products/products.ts'
import { setReactions } from '../../src/reactions.ts'
import { familyMs } from '../../test/support/process-usage.ts'
import { type Reporting, startScript, startShopdesk, stopAll } from '../../test/support/processes.ts'
import { verdict } from '../compare.ts'
import type { Wish } from '../create.ts'
import { SECRET_KEY } from '../dataset.ts'
import { drained, type Endpoint, empty, setEndpoints } from '../deliver/backlog.ts'
import { clockMs, type Receiver, startReceiver, startWorker } from '../deliver/processes.ts'
import { type Environment, openEnvironment, serverMs } from '../environment.ts'
import { describeMachine } from '../machine.ts'
import type { Order, Pace } from './loader.ts'

const SHOPS = 50
/** A key writes 120 times a minute: with fewer the limiter would be measured. */
const KEYS_OF_SHOP = 15
const STOCK = 1_000_000
/** Orders each second. */
const RATES = [20, 200, 1_000]
const LOAD_MS = 10_000
/** Warm-up: code is compiled, connections are open, statements are planned, and each key has made its first request. */
const WARM_UP = { rate: 300, ms: 10_000 }
const WORKER_PLACES = 40
/** The pace of most shops: the requirements hold there. */
const MOST = 200
const COST_MS = 3.5
const P50_MS = 2.5
const P99_MS = 20
const STATEMENTS_TOLD = 12

interface Design {
  name: string
  web(environment: Environment): Promise<Reporting>
  worker(environment: Environment): Promise<Reporting>
  orders: Order[]
}

export async function lone(): Promise<void> {
  setReactions()
  console.log(`\nlone: orders of ${SHOPS} shops over REST at a pace, each sent to the one webhook of its shop, which answers at once`)
  const environment = await openEnvironment('lone', { shared_preload_libraries: 'pg_stat_statements', track_commit_timestamp: 'on' })
  try {
    console.log(await describeMachine(environment.db.sql))
    await environment.db.sql`create extension pg_stat_statements`
    const receiver = await startReceiver()
    const wishes = await wishesOf(environment, await setEndpoints(environment, SHOPS, SHOPS, receiver.port))
    const [service, plain] = [await measure(environment, receiver, ours(wishes)), await measure(environment, receiver, plainDesign(wishes))]
    judge(service, plain)
  } finally {
    await stopAll()
    await environment.close()
  }
}

const ours = (wishes: (Wish & { key: string })[]): Design => ({
  name: 'bin/shopdesk web and worker',
  web: ({ databaseUrl }) =>
    startShopdesk('web', { DATABASE_URL: databaseUrl, SECRET_KEY, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }, 'passed on'),
  worker: ({ databaseUrl }) => startWorker(databaseUrl, WORKER_PLACES),
  orders: wishes.map(({ key, product, email }) => ({
    path: '/api/v1/orders',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ items: [{ product_id: product, quantity: 1 }], customer: { email } }),
  })),
})

const plainDesign = (wishes: Wish[]): Design => ({
  name: 'plain design: its rows in one statement, one job a delivery',
  web: ({ databaseUrl }) => startScript(new URL('./plain-web.ts', import.meta.url), [databaseUrl]),
  worker: ({ databaseUrl }) => startScript(new URL('../deliver/plain.ts', import.meta.url), [databaseUrl]),
  orders: wishes.map(({ tenant, product, email }) => ({
    path: '/orders',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ tenant, product, email }),
  })),
})

/** A product and a customer for each key. */
async function wishesOf({ db: { sql } }: Environment, endpoints: Endpoint[]): Promise<(Wish & { key: string })[]> {
  const wishes: (Wish & { key: string })[] = []
  for (let i = 0; i < KEYS_OF_SHOP; i++)
    for (const { tenant } of endpoints) {
      const caller: Caller = { tenant, actor: { type: 'system' }, silent: true }
      const email = `customer${i}@shop.example`
      const { id } = await begin(sql, async tx => {
        await contacts.create(tx, caller, { email })
        return products.create(tx, caller, { name: `Linen shirt ${i}`, price_amount: 4_900, stock: STOCK })
      })
      wishes.push({ tenant, product: id, email, ...(await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })) })
    }
  return wishes
}

interface Cost {
  /** Milliseconds of processor time for an order. */
  web: number
  worker: number
  server: number
  /** Milliseconds, sorted: from request to answer, and from commit to the first byte at the receiver. */
  answered: Float64Array
  arrived: Float64Array
}

const total = ({ web, worker, server }: Cost): number => web + worker + server

/** @returns at MOST orders a second */
async function measure(environment: Environment, receiver: Receiver, { name, orders, ...design }: Design): Promise<Cost> {
  console.log(`  ${name}`)
  const web = await design.web(environment)
  const worker = await design.worker(environment)
  const loader = await startScript(new URL('./loader.ts', import.meta.url), [String(web.ready)])
  const children = { web, worker, loader }
  await loader.ask<number[]>({ orders, ...WARM_UP } satisfies Pace)
  await drained(environment)
  let most: Cost | undefined
  for (const rate of RATES) {
    const cost = await costOf(environment, receiver, children, { orders, rate, ms: LOAD_MS })
    print(rate, cost)
    if (rate !== MOST) continue
    most = cost
    await printStatements(environment, cost.answered.length)
  }
  await Promise.all(Object.values(children).map(child => child.stop()))
  return most as Cost
}

async function costOf(
  environment: Environment,
  receiver: Receiver,
  { web, worker, loader }: Record<'web' | 'worker' | 'loader', Reporting>,
  pace: Pace,
): Promise<Cost> {
  await empty(environment)
  await receiver.ask('name')
  const spent = async () => ({ web: familyMs(web.pid), worker: familyMs(worker.pid), server: await serverMs(environment) })
  await environment.db.sql`select pg_stat_statements_reset()`
  const before = await spent()
  const answered = await loader.ask<number[]>(pace)
  const after = await spent()
  await drained(environment)
  const committed = await commitTimes(environment)
  const { events } = await receiver.ask('reset')
  const each = (process: keyof typeof before): number => (after[process] - before[process]) / answered.length
  return {
    web: each('web'),
    worker: each('worker'),
    server: each('server'),
    answered: Float64Array.from(answered).sort(),
    arrived: Float64Array.from(events, ([id, at]) => at - (committed.get(id) ?? Number.NaN)).sort(),
  }
}

/** When each event was committed, on the machine's monotonic clock. */
async function commitTimes({ db: { sql } }: Environment): Promise<Map<string, number>> {
  const behind = performance.timeOrigin + performance.now() - clockMs()
  const rows = await sql<{ id: string; at: number }[]>`
    select id, (extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000)::float8 as at from events`
  return new Map(rows.map(({ id, at }) => [id, at - behind]))
}

function print(rate: number, cost: Cost): void {
  const ms = (value: number): string => value.toFixed(2)
  const times = (sorted: Float64Array): string =>
    [0.5, 0.99].map(part => (sorted[Math.floor(sorted.length * part)] as number).toFixed(1)).join(' and ')
  console.log(
    `    ${`${rate.toLocaleString('en')}/s`.padEnd(8)} ${ms(total(cost))} ms of processor time (web ${ms(cost.web)}, worker ${ms(cost.worker)}, PostgreSQL ${ms(cost.server)}); p50 and p99: answer ${times(cost.answered)}, commit to receiver ${times(cost.arrived)} ms`,
  )
}

/** The dearest, by their time in the database. */
async function printStatements({ db: { sql } }: Environment, orders: number): Promise<void> {
  const rows = await sql<{ ms: number; calls: number; query: string }[]>`
    select total_exec_time + total_plan_time as ms, calls::float8 as calls, regexp_replace(query, '[[:space:]]+', ' ', 'g') as query
      from pg_stat_statements
     where dbid = (select oid from pg_database where datname = current_database()) and toplevel
     order by 1 desc
     limit ${STATEMENTS_TOLD}`
  for (const { ms, calls, query } of rows)
    console.log(
      `      ${((ms / orders) * 1000).toFixed(0).padStart(5)} µs an order, ${(calls / orders).toFixed(2)} times: ${query.slice(0, 110)}`,
    )
}

function judge(service: Cost, plain: Cost): void {
  const [cost, beside] = [total(service), total(plain)]
  const at = (part: number): number => service.arrived[Math.floor(service.arrived.length * part)] as number
  const line = (name: string, value: string, limit: string, passed: boolean): void =>
    console.log(`  ${name.padEnd(34)} ${value.padStart(7)}    required ${limit}: ${verdict(passed)}`)
  console.log(`  At ${MOST}/s:`)
  line('of the plain design’s processor time', `${((cost / beside) * 100).toFixed(0)} %`, 'at most 100 %', cost <= beside)
  line('processor time of an order', `${cost.toFixed(2)} ms`, `${COST_MS} ms`, cost <= COST_MS)
  line('commit to first byte, p50', `${at(0.5).toFixed(1)} ms`, `${P50_MS} ms`, at(0.5) <= P50_MS)
  line('commit to first byte, p99', `${at(0.99).toFixed(1)} ms`, `${P99_MS} ms`, at(0.99) <= P99_MS)
}
