// Ten minutes of the same load: dead rows, and the size of tables to which no rows are added, must not grow once they have settled,
// and nothing may be left of it.
import { setTimeout as delay } from 'node:timers/promises'
import type { Sql } from '../../src/postgres/sql.ts'
import { afterwards } from './afterwards.ts'
import { startOrders } from './orders.ts'
import { type Behaviour, startReceivers } from './receivers.ts'
import { lookAtQueue, oneJobEach, type Queue, type Shops, withShops } from './shops.ts'
import { type Finding, mean, type Outcome, progress } from './verdict.ts'

export interface SoakPlan {
  minutes: number
  ordersPerSecond: number
  /** As many of each shop. */
  endpoints: number
  sampleMs: number
}

const KEYS = 10
const PROGRESS_MS = 60_000
/** Not judged: autovacuum has not been everywhere before. */
const SETTLING_SHARE = 0.2
/** Between vacuums dead rows rise and fall, so halves are compared by their means; a table that carries more along every minute grows by more. */
const GROWTH_MAX = 1.2
/** Below this they are few. */
const DEAD_MIN = 500

export function runSoak(plan: SoakPlan): Promise<Outcome> {
  return withShops({ keys: KEYS }, environment => soak(plan, environment))
}

export async function soak(
  { minutes, ordersPerSecond, endpoints, sampleMs }: SoakPlan,
  { sql, origin, shops, subscribe }: Shops,
): Promise<Outcome> {
  const receivers = await startReceivers(Array<Behaviour>(endpoints).fill('healthy'), false)
  await subscribe(receivers)
  await sql`create extension if not exists pgstattuple`
  const orders = startOrders(origin, shops, ordersPerSecond)
  const samples: Sample[][] = []
  const looks: Queue[] = []
  const until = Date.now() + minutes * 60_000
  for (let toldAt = Date.now(); Date.now() < until; await delay(sampleMs)) {
    const tables = await sample(sql)
    samples.push(tables)
    looks.push(await lookAtQueue(sql))
    if (Date.now() - toldAt < PROGRESS_MS) continue
    toldAt = Date.now()
    progress(`${((until - toldAt) / 60_000).toFixed(1)} min to go, ${orders.accepted.length} orders; dead rows: ${mostDead(tables)}`)
  }
  await orders.stop()
  const left = await afterwards(sql)
  const delivered = await receivers.count()
  receivers.close()
  const settled = samples.slice(Math.ceil(samples.length * SETTLING_SHARE))
  return {
    facts: {
      load: `${ordersPerSecond} orders/s for ${minutes} minutes to ${endpoints} endpoints; one worker`,
      'orders accepted': orders.accepted.length,
      'POSTs received': delivered,
    },
    findings: [...tablesOf(settled).flatMap(table => flat(table, settled)), oneJobEach(looks, endpoints), ...left],
  }
}

/** Tables to which the load adds no rows: these must stay as small as they were. */
const OF_CONSTANT_SIZE = ['webhook_deliveries', 'webhook_endpoints', '_private_jobs', 'worker_pools', 'order_counters']
/** Room for the dead rows of a late vacuum. */
const SIZE_GROWTH_MAX = 1.2
/** Below this it is a handful of pages. */
const SIZE_MIN = 500_000

interface Sample {
  table: string
  dead: number
  /** With its indexes. */
  bytes: number
}

// Counted on the pages: the statistics also count the line pointers that dead rows leave behind, four bytes each, when a table is analysed and at
// no other time. They said two thousand where there were nine.
const sample = (sql: Sql): Promise<Sample[]> => sql<Sample[]>`
  select s.relname as table, d.dead_tuple_count as dead, pg_total_relation_size(s.relid) as bytes
    from pg_stat_user_tables s, pgstattuple_approx(s.relid) d`

/** The three tables that carry most along. */
const mostDead = (tables: Sample[]): string =>
  tables
    .toSorted((a, b) => b.dead - a.dead)
    .slice(0, 3)
    .map(({ table, dead }) => `${table} ${dead}`)
    .join(', ')

/** Tables that ever had a notable number of dead rows, and those that must keep their size. */
function tablesOf(samples: Sample[][]): string[] {
  const busy = samples.flat().filter(({ dead }) => dead > DEAD_MIN)
  return [...new Set([...OF_CONSTANT_SIZE, ...busy.map(({ table }) => table)])]
}

function flat(table: string, samples: Sample[][]): Finding[] {
  const rows = samples.flatMap(each => each.filter(row => row.table === table))
  const half = Math.ceil(rows.length / 2)
  const halves = [rows.slice(0, half), rows.slice(half)] as const
  const [dead, deadLater] = halves.map(each => mean(each.map(row => row.dead))) as [number, number]
  const [bytes, bytesLater] = halves.map(each => Math.max(...each.map(row => row.bytes))) as [number, number]
  const findings = [
    {
      promise: `dead rows of ${table} stay flat`,
      figure: `${dead.toFixed(0)} in the first half, ${deadLater.toFixed(0)} in the second; at most ${Math.max(...rows.map(row => row.dead))}`,
      holds: deadLater <= Math.max(dead * GROWTH_MAX, DEAD_MIN),
    },
  ]
  if (OF_CONSTANT_SIZE.includes(table))
    findings.push({
      promise: `${table} and its indexes keep their size`,
      figure: `${(bytes / 1e6).toFixed(2)} MB in the first half, ${(bytesLater / 1e6).toFixed(2)} in the second`,
      holds: bytesLater <= Math.max(bytes * SIZE_GROWTH_MAX, SIZE_MIN),
    })
  return findings
}
