// The sweep: wakes endpoints whose work is due and that nobody serves. It is what makes a retry come due, and what a crash, a lost wake-up or
// a lapsed lease falls back on.
import type { Queryable } from '../../postgres/sql.ts'
import { wake } from './store.ts'
import * as store from './sweep-store.ts'

/** Endpoints woken by one statement: their rows stay locked until it ends. */
const WAKES_MAX = 1_000

export async function sweep(sql: Queryable): Promise<void> {
  const neglected = await store.neglected(sql)
  const owed = neglected.filter(each => each.owed)
  // As a rule there are none, and the queue need not be read.
  const lost = owed.length > 0 ? await store.forgetLost(sql, owed) : []
  const endpoints = [...neglected.filter(each => !each.owed), ...lost]
  for (let from = 0; from < endpoints.length; from += WAKES_MAX) await wake(sql, endpoints.slice(from, from + WAKES_MAX))
}

export const countOverdue = store.countOverdue
