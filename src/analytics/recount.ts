// Counting anew: what the tables hold is compared with what was counted, and what is lacking is added as differences. Changes that commit meanwhile add their
// own, so nothing waits, and nothing counts twice.
import { now } from '../clock.ts'
import { ANALYTICS_DAYS, HOUR_MS } from '../limits/analytics.ts'
import { begin, type Fragment, type Sql } from '../postgres/sql.ts'
import { timeZoneOf } from '../tenants/tenants.ts'
import { blockOf, nextBlock, wholeBlocks } from './blocks.ts'
import { localDays } from './days.ts'
import { addSold } from './fold-store.ts'
import { hourOf } from './quarter.ts'
import type { Lack, Span } from './recount-store.ts'
import * as store from './recount-store.ts'
import { insertPart, type Row } from './store.ts'

/** @returns how many rows of differences it took: none where all was counted right */
export async function recount(sql: Sql, tenant: string): Promise<number> {
  await store.number(sql, tenant)
  const days = localDays(await timeZoneOf(sql, tenant), now(), ANALYTICS_DAYS)
  const whole = { tenant, from: new Date(days[0]?.from ?? 0), to: LATEST }
  const first = (await store.first(sql, tenant))?.getTime() ?? Number.POSITIVE_INFINITY
  let rows = 0
  for (const { date, from, to } of days) {
    // A day of products may have come from another time zone.
    if (to + DAY_MS <= first) continue
    const day = { tenant, from: new Date(from), to: new Date(to) }
    rows += await add(sql, day, () => store.lackOfOrders(sql, day, date))
  }
  rows += await add(sql, whole, () => store.lackOfMoney(sql, whole))
  rows += await add(sql, whole, () => store.lackOfTalks(sql, whole))
  // Only hours of which all quarters are kept.
  const hours = new Date(hourOf(whole.from.getTime()) + HOUR_MS)
  rows += await mend(
    sql,
    tenant,
    () => store.lackOfHours(sql, tenant, hours),
    lacking => store.addHours(tenant, lacking),
  )
  // Only blocks of which all days are kept.
  const { from, to } = wholeBlocks(days[0]?.date ?? '', nextBlock(blockOf(days.at(-1)?.date ?? '')))
  for (let block = from; block < to; block = nextBlock(block))
    if (Date.parse(nextBlock(block)) + DAY_MS > first)
      rows += await mend(
        sql,
        tenant,
        () => store.lackOfBlock(sql, tenant, block),
        lacking => addSold('analytics_blocks', lacking),
      )
  return rows
}

/**
 * Adds what hours lack of their quarters, or a block of its days, until they lack nothing. Folds that commit meanwhile add to both, so they do no harm.
 * @returns how many rows lacked something
 */
async function mend<Row>(
  sql: Sql,
  tenant: string,
  look: () => Promise<{ number: number; lacking: Row[] }>,
  addition: (lacking: Row[]) => Fragment,
): Promise<number> {
  let rows = 0
  for (;;) {
    const { number, lacking } = await look()
    if (lacking.length === 0) return rows
    const isMended = await begin(sql, async tx => {
      if (!(await store.advance(tx, tenant, number))) return false
      await tx`${addition(lacking)}`
      return true
    })
    if (isMended) rows += lacking.length
  }
}

const DAY_MS = 86_400_000
/** Payments may be told to come. */
const LATEST = new Date('9999-12-31T00:00:00Z')

/** Two recounts at once would each add what is lacking: the second one looks again. */
async function add(sql: Sql, span: Span, look: () => Promise<Lack>): Promise<number> {
  for (;;) {
    const lack = await look()
    const rows = rowsOf(span, lack)
    if (rows.length === 0) return 0
    const isAdded = await begin(sql, async tx => {
      if (!(await store.advance(tx, span.tenant, lack.number))) return false
      for (let at = 0; at < rows.length; at += ROWS) await tx`${insertPart(rows.slice(at, at + ROWS))}`
      return true
    })
    if (isAdded) return rows.length
  }
}

/** Rows of one statement. */
const ROWS = 1_000

const rowsOf = ({ tenant, from }: Span, { quarters, sold }: Lack): Row[] => [
  ...quarters.map(({ quarter, currency, ...counts }) => ({ tenant_id: tenant, quarter, currency, ...counts })),
  ...sold.map(({ currency, lines }) => ({ tenant_id: tenant, quarter: from.toISOString(), currency, ...(lines && { lines }) })),
]
