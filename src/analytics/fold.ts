// Folding: differences become part of what was counted before. A difference is taken and added in one transaction, so it counts once whatever happens; an
// answer adds what is not folded yet, so folding late costs time and changes no figure.
import { FOLD_MS, FOLD_ROWS } from '../limits/analytics.ts'
import { begin, type Sql, type Tx } from '../postgres/sql.ts'
import { timeZonesOf } from '../tenants/tenants.ts'
import { blockOf } from './blocks.ts'
import { dayOf } from './days.ts'
import * as store from './fold-store.ts'

/** @returns what folds all that there is, for FOLD_MS at most: the next call goes on with the workspace after the last one */
export function folder(): (sql: Sql) => Promise<void> {
  let after = ''
  let most = FOLD_ROWS
  return async sql => {
    const until = performance.now() + FOLD_MS
    do {
      const { rows, last } = await begin(sql, tx => foldSome(tx, after, most)).catch(error => {
        // What is too much for one statement is not for several.
        most = Math.max(1, Math.floor(most / 10))
        throw error
      })
      const isAll = after === '' && rows < most
      after = rows < most ? '' : last
      most = FOLD_ROWS
      if (isAll) return
    } while (performance.now() < until)
  }
}

/** Folds so many rows of workspaces after this one. @returns how many there were, and the last workspace */
async function foldSome(tx: Tx, after: string, most: number): Promise<{ rows: number; last: string }> {
  const { sold, ...taken } = await store.take(tx, after, most)
  if (sold.length === 0) return taken
  const zones = await timeZonesOf(
    tx,
    sold.map(each => each.tenant_id),
  )
  const days = summed(
    sold.map(({ quarter, ...each }) => ({ ...each, day: dayOf(zones.get(each.tenant_id) ?? 'UTC', Date.parse(quarter)).date })),
  )
  const blocks = summed(days.map(each => ({ ...each, day: blockOf(each.day) })))
  await Promise.all([tx`${store.addSold('analytics_products', days)}`, tx`${store.addSold('analytics_blocks', blocks)}`])
  return taken
}

/** What was sold of one product on one day becomes one row. */
function summed(rows: store.DaySold[]): store.DaySold[] {
  const sums = new Map<string, store.DaySold>()
  for (const each of rows) {
    const key = JSON.stringify([each.tenant_id, each.day, each.product_id, each.currency])
    const before = sums.get(key)
    sums.set(key, { ...each, pieces: each.pieces + (before?.pieces ?? 0), amount: each.amount + (before?.amount ?? 0) })
  }
  return [...sums.values()]
}
