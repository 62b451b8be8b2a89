// Ten minutes of the same load: what the tables carry along, dead rows and size of the hot ones, must have stopped growing half way.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/postgres/sql.ts'
import { startOrders } from './orders.ts'
import { type Behaviour, startReceivers } from './receivers.ts'
import { createWebhook, openStage, type Shop } from './stage.ts'
import type { Finding } from './verdict.ts'

export interface SoakPlan {
  minutes: number
  ordersPerSecond: number
}

const SHOPS = 10
const KEYS = 10
const ENDPOINTS = 50
const SAMPLE_MS = 5_000
/** The second half may have this much more than the first at its peak: autovacuum comes in its own time. */
const GROWTH_MAX = 1.5
/** Below this it is one vacuum's worth of nothing. */
const DEAD_MIN = 5_000

export async function runSoak(plan: SoakPlan): Promise<{ facts: Record<string, string | number>; findings: Finding[] }> {
  const stage = await openStage()
  try {
    const receivers = await startReceivers(Array<Behaviour>(ENDPOINTS).fill('healthy'), false)
    const [web] = await Promise.all([stage.start('web'), stage.start('worker')])
    const shops = await Promise.all(Array.from({ length: SHOPS }, () => stage.shop(KEYS)))
    await Promise.all(receivers.urls.map((url, i) => createWebhook(String(web.ready), shops[i % SHOPS] as Shop, url)))
    const orders = startOrders(String(web.ready), shops, plan.ordersPerSecond)
    const samples: Sample[][] = []
    for (const until = Date.now() + plan.minutes * 60_000; Date.now() < until; await delay(SAMPLE_MS)) samples.push(await sample(stage.sql))
    await orders.stop()
    const delivered = await receivers.count()
    receivers.close()
    return {
      facts: {
        load: `${plan.ordersPerSecond} orders/s for ${plan.minutes} minutes to ${ENDPOINTS} endpoints; one worker`,
        'orders accepted': orders.accepted.length,
        'POSTs received': delivered,
      },
      findings: TABLES.map(table => flat(table, samples)),
    }
  } finally {
    await stage.close()
  }
}

/** Those whose rows are written more than once. */
const TABLES = ['webhook_deliveries', 'webhook_endpoints', '_private_jobs', 'worker_pools', 'order_counters', 'idempotency_keys']

interface Sample {
  table: string
  dead: number
  bytes: number
}

const sample = (sql: Sql): Promise<Sample[]> => sql<Sample[]>`
  select relname as table, n_dead_tup as dead, pg_relation_size(relid) as bytes from pg_stat_user_tables where relname = any(${TABLES})`

function flat(table: string, samples: Sample[][]): Finding {
  const dead = samples.map(each => each.find(row => row.table === table)?.dead ?? 0)
  const half = Math.ceil(dead.length / 2)
  const [first, second] = [Math.max(...dead.slice(0, half)), Math.max(...dead.slice(half))]
  const bytes = samples.at(-1)?.find(row => row.table === table)?.bytes ?? 0
  return {
    promise: `dead rows of ${table} stay flat`,
    figure: `at most ${first} in the first half, ${second} in the second; ${(bytes / 1e6).toFixed(1)} MB at the end`,
    holds: second <= Math.max(first * GROWTH_MAX, DEAD_MIN),
  }
}
