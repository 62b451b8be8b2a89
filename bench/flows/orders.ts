// Orders placed over REST in workspaces with as many flows as a workspace may have, beside orders where there are none: what flows cost those who sell.
import { setTimeout as delay } from 'node:timers/promises'
import { createKey } from '../../src/access/keys.ts'
import * as contacts from '../../src/contacts/contacts.ts'
import { begin, type Sql } from '../../src/postgres/sql.ts'
import * as products from '../../src/products/products.ts'
import { setReactions } from '../../src/reactions.ts'
import { createTenant } from '../../src/tenants/tenants.ts'
import { aManifest, installApp } from '../../test/support/apps.ts'
import { familyMs } from '../../test/support/process-usage.ts'
import { median, verdict } from '../compare.ts'
import { orderRequest } from '../create.ts'
import { openEnvironment, serverMs } from '../environment.ts'
import { httpLoad } from '../load.ts'
import { describeMachine } from '../machine.ts'
import { type Server, startWeb, startWorker } from '../servers.ts'
import { installing } from './shops.ts'

/** Orders of one workspace wait for each other, so there is one for each order under way. */
const SHOPS = 16
/** A key writes 120 times a minute: with fewer the limiter would be measured. */
const KEYS_OF_SHOP = 50
/** Together the thousand flows that a workspace may have. */
export const APPS = 50
const FLOWS_OF_APP = 20
const ROUNDS = 9
const ROUND_MS = 2_000
const WARM_UP_MS = 2_000
const STOCK = 900_000_000

/** Milliseconds of processor time of web, worker and PostgreSQL. */
type Cost = [web: number, worker: number, server: number]

interface Kind {
  name: string
  /** What its flows begin with; undefined: it has none. */
  trigger?: string
  /** The share of the rate without flows that it must reach. */
  atLeast?: number
}

const KINDS: Kind[] = [
  { name: 'without flows' },
  { name: '1 000 flows on other events', trigger: 'conversation.closed', atLeast: 0.95 },
  { name: '1 000 on this event, none begins', trigger: 'order.created', atLeast: 0.88 },
]

export async function flowsOrders(): Promise<void> {
  console.log(`\nflows-orders: orders over REST, ${SHOPS} at once, each in a workspace of its own, with one worker beside`)
  const environment = await openEnvironment('flows')
  const { sql } = environment.db
  let servers: Server[] = []
  try {
    console.log(await describeMachine(sql))
    setReactions()
    const requests: Buffer[][] = []
    for (const kind of KINDS) requests.push(await ordersIn(sql, kind))
    await sql`vacuum analyze`
    servers = [await startWeb(environment), await startWorker(environment)]
    const [web, worker] = servers as [Server, Server]
    const loads = requests.map(each => httpLoad(web.address, each, SHOPS))
    for (const load of loads) await load(WARM_UP_MS).then(() => matched(sql))
    const rates = loads.map((): number[] => [])
    const lags = loads.map((): number[] => [])
    const costs = loads.map((): Cost[] => [])
    const spent = async (): Promise<Cost> => [familyMs(web.pid), familyMs(worker.pid), await serverMs(environment)]
    const orders = async () => (await sql`select sum(last_number)::integer as count from order_counters`)[0]?.['count'] as number
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, load] of loads.entries()) {
        const [costBefore, before] = [await spent(), await orders()]
        const { perSecond } = await load(ROUND_MS)
        const began = performance.now()
        await matched(sql)
        const lag = performance.now() - began
        lags[index]?.push(lag)
        const [cost, count] = [await spent(), (await orders()) - before]
        costs[index]?.push(cost.map((ms, i) => (ms - (costBefore[i] as number)) / count) as Cost)
        // What was left to match belongs to the orders that left it.
        rates[index]?.push((perSecond * ROUND_MS) / (ROUND_MS + lag))
      }
    for (const [index, kind] of KINDS.entries()) {
      tell(kind, rates[index] as number[], rates[0] as number[], lags[index] as number[])
      const [ofWeb, ofWorker, ofServer] = [0, 1, 2].map(i => median((costs[index] as Cost[]).map(each => each[i] as number)).toFixed(2))
      console.log(`    processor time of an order: web ${ofWeb} ms, worker ${ofWorker} ms, PostgreSQL ${ofServer} ms`)
    }
    const [begun] = await sql<{ count: number }[]>`select count(*)::integer as count from flow_runs`
    console.log(`  runs begun ${begun?.count}, worker ${Math.round((await worker.resident()) / 1024 ** 2)} MB`)
  } finally {
    await Promise.all(servers.map(each => each.stop()))
    await environment.close()
  }
}

/** A request for each key of its shops, in turn. */
async function ordersIn(sql: Sql, { trigger }: Kind): Promise<Buffer[]> {
  const requests: Buffer[] = []
  const shops = await Promise.all(Array.from({ length: SHOPS }, () => aShop(sql, trigger)))
  for (let i = 0; i < KEYS_OF_SHOP; i++)
    for (const { tenant, product, email } of shops) {
      const { key } = await createKey(sql, { tenant, kind: 'rest', scopes: ['read', 'write'] })
      requests.push(orderRequest({ tenant, key, product, email }))
    }
  return requests
}

async function aShop(sql: Sql, trigger: string | undefined): Promise<{ tenant: string; product: string; email: string }> {
  const { id: tenant } = await createTenant(sql, { name: 'A shop', plan: 'enterprise', currency: 'EUR' })
  const caller = { tenant, actor: { type: 'system' as const }, silent: true }
  const email = 'customer@shop.example'
  const { id: product } = await begin(sql, async tx => {
    await contacts.create(tx, caller, { email })
    return products.create(tx, caller, { name: 'Linen shirt', price_amount: 4_900, stock: STOCK })
  })
  if (trigger) for (let i = 0; i < APPS; i++) await installApp(installing(sql), { id: tenant }, anApp(i, trigger))
  return { tenant, product, email }
}

/** Each of its flows asks for a larger order than there is. */
export const anApp = (i: number, trigger: string) =>
  aManifest({
    id: `acme:app-${i}`,
    scopes: [`subscribe:${trigger}`, 'notify:team'] as never,
    flows: Array.from({ length: FLOWS_OF_APP }, (_, j) => ({
      id: `flow-${j}`,
      name: `Flow ${j}`,
      trigger,
      ...(trigger.startsWith('order.') && {
        conditions: [{ field: 'event.order.total_amount', op: 'gte' as const, value: 1_000_000 + i * FLOWS_OF_APP + j }],
      }),
      steps: [{ id: 'tell', type: 'notify' as const, title: 'A large order', body: 'Number {{event.order.number}}' }].map(step =>
        trigger.startsWith('order.') ? step : { ...step, body: 'Closed' },
      ),
    })),
  })

/** When no event waits to be held against flows. */
async function matched(sql: Sql): Promise<void> {
  while ((await sql`select 1 from flow_events limit 1`).length > 0) await delay(2)
}

function tell({ name, atLeast }: Kind, rates: number[], without: number[], lags: number[]): void {
  const ratios = rates.map((rate, round) => rate / (without[round] as number))
  const ratio = median(ratios)
  const share = (value: number): string => `${(100 * value).toFixed(0)} %`
  const judged =
    atLeast === undefined
      ? ''
      : `, ${share(ratio)} (${share(Math.min(...ratios))} to ${share(Math.max(...ratios))}), required ${share(atLeast)}: ${verdict(ratio >= atLeast)}`
  console.log(
    `  ${name.padEnd(34)} ${median(rates).toFixed(0).padStart(6)}/s${judged}; matched ${median(lags).toFixed(0)} ms after the last`,
  )
}
