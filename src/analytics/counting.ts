// Counting as things happen: a verb that changes something countable says by what the figures differ, and adds that in the statement of the change.
import type { Fragment } from '../postgres/sql.ts'
import { type Counts, MEASURES, type Measure } from './measures.ts'
import { quarterOf } from './quarter.ts'
import * as store from './store.ts'

/** By what the figures differ after a change; less than nothing where something counts no more. */
export interface Difference {
  tenant: string
  /** When it counts: of an order its creation, whenever it changes. ISO 8601. */
  at: string
  /** Where there is none: conversations and messages. */
  currency?: string
  counts: Counts
  /** Lines of orders that are not cancelled. */
  lines?: Line[]
}

export interface Line {
  product_id: string
  pieces: number
  /** In minor units. */
  amount: number
}

/** As parts of the statement that makes the change: none where nothing differs. */
export function counted(differences: Difference[]): Fragment[] {
  const rows = summed(differences)
  return rows.length > 0 ? [store.insertPart(rows)] : []
}

/** One row for each quarter hour and currency, however many things a transaction changes. */
function summed(differences: Difference[]): store.Row[] {
  const sums = new Map<string, Sum>()
  for (const { tenant, at, currency = '', counts, lines = [] } of differences) {
    const quarter = new Date(quarterOf(Date.parse(at))).toISOString()
    const key = `${tenant} ${quarter} ${currency}`
    const sum: Sum = sums.get(key) ?? { row: { tenant_id: tenant, quarter, currency }, counts: {}, lines: new Map() }
    sums.set(key, sum)
    for (const measure of Object.keys(counts) as Measure[]) sum.counts[measure] = (sum.counts[measure] ?? 0) + (counts[measure] ?? 0)
    for (const each of lines) add(sum.lines, each)
  }
  return [...sums.values()].map(asRow).filter(row => row.lines !== undefined || MEASURES.some(measure => row[measure] !== undefined))
}

interface Sum {
  row: Pick<store.Row, 'tenant_id' | 'quarter' | 'currency'>
  counts: Counts
  lines: Map<string, Line>
}

function add(sums: Map<string, Line>, { product_id, pieces, amount }: Line): void {
  const before = sums.get(product_id)
  sums.set(product_id, { product_id, pieces: (before?.pieces ?? 0) + pieces, amount: (before?.amount ?? 0) + amount })
}

function asRow({ row, counts, lines }: Sum): store.Row {
  const differing = Object.entries(counts).filter(([, count]) => count !== 0)
  const sold = [...lines.values()].filter(({ pieces, amount }) => pieces !== 0 || amount !== 0)
  return {
    ...row,
    ...Object.fromEntries(differing),
    ...(sold.length > 0 && { lines: sold.map(({ product_id, pieces, amount }) => [product_id, pieces, amount] as const) }),
  }
}
