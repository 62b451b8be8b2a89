// How often something may be done in a time, exact over all processes: sliding windows in the database. For what is rare; requests have their own limiter.
import type { Queryable, Tx } from '../postgres/sql.ts'
import { sha256 } from '../secrets.ts'
import * as store from './window-store.ts'

export interface Window {
  /** What is counted, e.g. `links`. */
  kind: string
  /** What it is counted for, e.g. an address. Kept as a hash. */
  subject: string
  most: number
  seconds: number
}

export interface Taken {
  /** Seconds until there is room; undefined where there was. */
  retryAfter?: number
  /** How many the window holds now. */
  count: number
}

/** Counts one, if there is room. */
export async function takeWindow(tx: Tx, window: Window): Promise<Taken> {
  const [taken] = await takeWindows(tx, [window])
  return taken as Taken
}

/** Counts one in each window that has room; where one has none, the transaction should be rolled back, or the others given back. @returns in the order asked */
export async function takeWindows(tx: Tx, windows: Window[]): Promise<Taken[]> {
  const rows = windows.map(({ kind, subject, most, seconds }) => ({ key: keyOf(kind, subject), most, seconds }))
  const counts = new Map((await store.take(tx, rows)).map(({ key, count }) => [key, count]))
  const full = rows.filter(({ key }) => !counts.has(key))
  const waits = new Map(full.length > 0 ? (await store.waits(tx, full)).map(({ key, seconds }) => [key, seconds]) : [])
  return rows.map(({ key, most }) =>
    counts.has(key) ? { count: counts.get(key) as number } : { count: most, retryAfter: waits.get(key) ?? 1 },
  )
}

/** What `takeWindows` would say of those that have no room, and 0 of the others: nothing is counted. @returns in the order asked */
export async function lookAtWindows(sql: Queryable, windows: Window[]): Promise<Taken[]> {
  const rows = windows.map(({ kind, subject, most, seconds }) => ({ key: keyOf(kind, subject), most, seconds }))
  const waits = new Map((await store.full(sql, rows)).map(({ key, seconds }) => [key, seconds]))
  return rows.map(({ key, most }) => (waits.has(key) ? { count: most, retryAfter: waits.get(key) as number } : { count: 0 }))
}

/** Takes the latest one out again: it turned out not to count. */
export const giveBack = (tx: Tx, windows: Pick<Window, 'kind' | 'subject'>[]): Promise<void> =>
  store.giveBack(
    tx,
    windows.map(({ kind, subject }) => keyOf(kind, subject)),
  )

/** Forgets all of them. */
export const clearWindows = (tx: Tx, windows: Pick<Window, 'kind' | 'subject'>[]): Promise<void> =>
  store.clear(
    tx,
    windows.map(({ kind, subject }) => keyOf(kind, subject)),
  )

const keyOf = (kind: string, subject: string): string => sha256(`${kind}\0${subject}`).toString('base64url')
