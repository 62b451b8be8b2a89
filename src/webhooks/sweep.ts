// The sweep: wakes endpoints whose work is due and that nobody serves. It is what makes a retry come due, and what a crash, a lost wake-up or
// a lapsed lease falls back on.
import type { Queryable } from '../postgres/sql.ts'
import * as store from './delivery-store.ts'

export async function sweep(sql: Queryable): Promise<void> {
  const endpoints = await store.neglected(sql)
  if (endpoints.length > 0) await store.wake(sql, endpoints)
}
