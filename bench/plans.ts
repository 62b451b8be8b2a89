// Every list in every way it can be asked, on a million rows of each of which one shop has 600 000: the indexes that PostgreSQL reads, how many rows and for
// how long. test/postgres/plans.test.ts holds the same bounds on fewer rows; this shows that they are fast in truth.
import { join } from 'node:path'
import { loadConfig } from '../src/config.ts'
import { CONVERSATIONS_PAGE_DEFAULT } from '../src/limits/conversations.ts'
import { LIST_SCAN_MAX } from '../src/limits/lists.ts'
import { openEmbedded } from '../src/postgres/embedded/embedded.ts'
import { insertBulkRows } from '../test/support/bulk-rows.ts'
import { type Asked, filterings, type ListRoute, listRoutes, pages } from '../test/support/lists.ts'
import { type Explained, explained, type Plan } from '../test/support/plans.ts'
import { filled } from './filled.ts'
import { describeMachine } from './machine.ts'

const ROWS = 1_000_000
const WORST = 5
const SETTINGS = { shared_buffers: '4GB', max_wal_size: '8GB', maintenance_work_mem: '512MB' }

interface Run extends Plan {
  asked: Asked
  short: boolean
}

/** @param only the last part of a path; all lists unless given */
export async function plans(only?: string): Promise<void> {
  const { databaseUrl, dataDir } = loadConfig()
  const embedded = databaseUrl === undefined ? await openEmbedded({ dataDir: join(dataDir, 'bench-plans'), settings: SETTINGS }) : undefined
  try {
    const source = [new URL('../test/support/bulk-rows.ts', import.meta.url)]
    const url = await filled(databaseUrl ?? (embedded?.url as string), {
      prefix: 'shopdesk_plans',
      source,
      fill: sql => insertBulkRows(sql, ROWS),
    })
    const database = await explained(url)
    console.log(await describeMachine(database.sql))
    for (const route of listRoutes()) if (only === undefined || route.path.endsWith(only)) await measure(route, database)
    await database.close()
  } finally {
    await embedded?.close()
  }
}

async function measure(route: ListRoute, { sql, plan }: Explained): Promise<void> {
  console.log(`\n${route.path}\n${HEAD}`)
  const pairs: Run[] = []
  const all: Run[] = []
  for (const filters of filterings(route, 2)) {
    const runs: Run[] = []
    for (const page of pages(route)) {
      const asked = { ...filters, ...page }
      let body = ''
      const measured = await plan(async () => {
        body = await route.ask(sql, asked)
      })
      runs.push({ ...measured, asked, short: isShort(body) })
    }
    all.push(...runs)
    if (Object.keys(filters).length === 2) pairs.push(...runs)
    else print(worst(runs))
  }
  for (const run of pairs.toSorted((a, b) => b.ms - a.ms).slice(0, WORST)) print(run)
  conclude(all)
}

// A page that holds fewer items than any list's default, though more follow.
function isShort(body: string): boolean {
  const { data, has_more } = JSON.parse(body) as { data: unknown[]; has_more: boolean }
  return has_more && data.length < CONVERSATIONS_PAGE_DEFAULT
}

const worst = (runs: Run[]): Run => runs.reduce((most, run) => (run.ms > most.ms ? run : most))

const HEAD = '      ms    rows  sorted  statements'
function print({ asked, ms, rows, sorted, statements, reads, short }: Run): void {
  const { cursor, ...rest } = asked
  const query = Object.entries(rest).map(([name, value]) => `${name}=${value}`)
  const numbers = [ms.toFixed(1).padStart(8), String(rows).padStart(7), String(sorted).padStart(7), String(statements).padStart(3)]
  console.log(
    `${numbers.join(' ')}  ?${query.join('&')}${cursor ? ` deep, ${placeOf(cursor)}` : ''}${short ? ' (short)' : ''}  ${reads.join(' ')}`,
  )
}

function placeOf(cursor: string): string {
  const { sort, dir } = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as { sort: string; dir: string }
  return `${sort} ${dir}`
}

function conclude(runs: Run[]): void {
  const ms = runs.map(run => run.ms).toSorted((a, b) => a - b)
  const at = (share: number): string => (ms[Math.floor((ms.length - 1) * share)] ?? 0).toFixed(1)
  const unbounded = runs.filter(run => run.whole.length > 0 || run.longest > LIST_SCAN_MAX + 1 || run.sorted > LIST_SCAN_MAX)
  const short = runs.filter(run => run.short).length
  console.log(`${runs.length} ways: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms; ${short} pages end short`)
  console.log(`no scan beyond ${LIST_SCAN_MAX} rows: ${unbounded.length === 0 ? 'PASS' : `MISS (${unbounded.length})`}`)
  for (const run of unbounded.slice(0, WORST)) print(run)
}
