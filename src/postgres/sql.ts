// Connections for statements: lanes (one connection each, pipelined) for reads, an ordinary pool for transactions.
import type { ISql, PendingQuery, Row, TransactionSql } from 'postgres'
import { LONG_READS_AT_ONCE } from '../limits/lists.ts'
import { connect } from './connect.ts'
import postgres from './driver.ts'
import { withoutSavepoint } from './side-by-side.ts'
import { openPassingSocket, openSocket } from './socket.ts'

type Types = { int8: number }
export type Sql = postgres.Sql<Types>
export type Tx = TransactionSql<Types>
/** Either: for statements that run inside a transaction or on their own. */
export type Queryable = ISql<Types>
export type Fragment = PendingQuery<Row[]>
/** A text, or the column of a row that has it, where a part is for each row of a statement. */
export type Text = string | Fragment

const composer = postgres({ max: 1 }) as unknown as Sql

/** What makes the driver take a part for one of its queries. */
const QUERY = Object.getPrototypeOf(composer``)

/**
 * Only what the driver reads of a part. A query of its own is a promise of a dozen fields, of which a statement of many parts would make hundreds that
 * nothing ever awaits.
 */
const compose = (first: TemplateStringsArray, ...args: unknown[]): unknown =>
  Array.isArray(first.raw)
    ? { __proto__: QUERY, strings: first, args, fragment: true }
    : (composer as unknown as typeof compose)(first, ...args)

/** Composes parts of statements. It never connects; on the lanes each part would advance the round robin. */
export const part = Object.assign(compose, { unsafe: composer.unsafe }) as unknown as Sql

export interface Database {
  /** Statements that touch one row each: one connection, so that those of many requests are written and read together. */
  pointLane: Sql
  /** Lists: a round robin over connections of one, which pipelines and never queues behind a transaction. */
  listLanes: Sql
  /** Reads that may look at many rows: see `apart` of a route. */
  longPool: Sql
  /** Transactions and slow statements. */
  sql: Sql
  /** Transactions of several requests: `lock_timeout` is short here, for one request must not hold up the others of its transaction. */
  sharedPool: Sql
  /** For what is kept of many requests together: each of one connection, so that what is sent at once is answered without a pause between. */
  keepLanes: Sql[]
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Named in pg_stat_activity. */
  name: string
  lanes?: number
  pool?: number
  statementTimeoutMs?: number
}

/** Connects lazily: nothing is opened before the first statement. */
export function openDatabase(url: string, { lanes = 4, pool = 16, ...given }: DatabaseOptions): Database {
  const options = optionsOf(given, 'generic')
  const sql = connect(url, { ...options, max: pool }) as unknown as Sql
  const lane = (): Sql => connect(url, { ...options, max: 1 }) as unknown as Sql
  const pointLane = lane()
  const brief = { ...options.settings, lock_timeout: SHARED_LOCK_MS }
  const sharedPool = connect(url, { ...options, settings: brief, max: SHARED_AT_A_TIME }) as unknown as Sql
  const longPool = connect(url, { ...options, name: `${given.name} long reads`, max: LONG_READS_AT_ONCE }) as unknown as Sql
  const readers = Array.from({ length: lanes }, lane)
  const keepLanes = Array.from({ length: SHARED_AT_A_TIME }, lane)
  return {
    pointLane,
    sharedPool,
    listLanes: roundRobin(readers),
    longPool,
    sql,
    keepLanes,
    close: async () => {
      await Promise.all([sql, sharedPool, pointLane, longPool, ...readers, ...keepLanes].map(end))
    },
  }
}

export interface Walks {
  sql: Sql
  close(): Promise<void>
}

/**
 * Connections for walks (see walk.ts). A long statement is worth a plan for its own values; and its raw values have to be read as they arrive
 * (`forEach`), for they are not kept.
 */
export function openWalks(url: string, { pool = 1, ...given }: Omit<DatabaseOptions, 'lanes'>): Walks {
  const options = { ...optionsOf(given, 'custom'), socket: openPassingSocket, max: pool }
  const sql = connect(url, options) as unknown as Sql
  return { sql, close: () => end(sql) }
}

// Generic plans: each connection plans a statement once. Planning anew for each array of parameters cost more than running the statement.
function optionsOf({ name, statementTimeoutMs = 0 }: DatabaseOptions, plans: 'generic' | 'custom') {
  return {
    name,
    // Otherwise the wait for the next try would grow to 20 s in an outage.
    backoff: () => 0.2,
    socket: openSocket,
    settings: {
      statement_timeout: statementTimeoutMs,
      plan_cache_mode: `force_${plans}_plan`,
      ...(plans === 'generic' && BY_INDEX),
    },
    // int8 as a number: amounts and counters are held below 2^53 by the schemas.
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
  }
}

/**
 * For plans that outlive the size of the tables they were made for. While a table is nearly empty, the cheapest plan is to read all of it, or all
 * that an index finds, and to sort that. A queue is empty again and again, and such a plan later reads a whole backlog for each row that it
 * needs. In the order of an index a row costs as much whatever the table holds.
 */
export const BY_INDEX = { enable_seqscan: 'off', enable_bitmapscan: 'off' }

const end = (sql: Sql): Promise<void> => sql.end({ timeout: 5 })

// postgres.js with `max` ≥ 2 slows down without bound when saturated (its queue never empties, so it never resets), hence lanes of one.
function roundRobin(readers: Sql[]): Sql {
  let turn = 0
  const next = (): Sql => readers[turn++ % readers.length] as Sql
  const tag = (...args: Parameters<Sql>) => next()(...args)
  return Object.assign(tag, { unsafe: (...args: Parameters<Sql['unsafe']>) => next().unsafe(...args) }) as unknown as Sql
}

/** How long shared transactions wait for a lock. */
export const SHARED_LOCK_MS = 50
/** How long the transaction waits for a lock from here on, as a part of a statement that is run before all others of it. */
export const limitLockWaits = (ms: number): Fragment => part`select set_config('lock_timeout', ${`${ms}ms`}, true) as limited`
/** While one transaction waits for the disk, the next one works. */
export const SHARED_AT_A_TIME = 2

const afterwards = new WeakMap<Tx, (() => void)[]>()
/** Transactions that may send COMMIT together with the last statement of their work. */
const brief = new WeakSet<Tx>()

/**
 * Runs `work` in one transaction. Inside it only `tx` may be used: another connection would wait for the rows locked by this one.
 * Actions given to `afterCommit` run when the transaction is durable, and never when it was rolled back.
 */
export const begin = <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> => transact(sql, work, { isBrief: false })

/**
 * As `begin`, in two round trips less. BEGIN is sent together with the first statement: were BEGIN to fail, that statement would run alone, so its
 * effect must be harmless by itself. And the work may mark its last statement (`commitBehind`).
 */
export const beginBriefly = <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> => transact(sql, work, { isBrief: true })

/**
 * As `begin`, in one round trip less. The work calls `sent` once it has sent its last statement and before that is answered: COMMIT goes with it. If that
 * statement fails, COMMIT rolls back. For work of several verbs, of which none may take its own last statement for that of the transaction.
 */
export const beginWithLast = <T>(sql: Sql, work: (tx: Tx, sent: () => void) => Promise<T>): Promise<T> =>
  begin(sql, tx => work(tx, () => tx.commitBehind()))

/**
 * Sends COMMIT behind the last statement, whose answer is yet to come, if the transaction was begun by `beginBriefly`. If that statement fails,
 * COMMIT rolls back. After this call, nothing may be sent or thrown.
 */
export function commitBehind(tx: Tx): void {
  if (!brief.has(tx)) return
  tx.commitBehind()
  for (const send of behind.get(tx) ?? []) send()
}

const behind = new WeakMap<Tx, (() => void)[]>()

/**
 * Sends a statement right behind COMMIT, on the same connection, where the transaction ends by `commitBehind`; elsewhere nothing. It runs whatever becomes of
 * the transaction, and is refused where the connection takes no more at that moment.
 */
export function behindCommit(tx: Tx, send: () => void): void {
  const sends = behind.get(tx)
  if (sends) sends.push(send)
  else behind.set(tx, [send])
}

/** What the end of each transaction, or savepoint, waits for. */
const underWay = new WeakMap<Tx, Promise<unknown>[]>()

/**
 * Goes on without the answer to statements that are sent already: what follows is sent together with them. The end of the transaction, or of the
 * savepoint, waits for the answer; if it is an error, it ends with that.
 */
export function ahead(tx: Tx, work: Promise<unknown>): void {
  // It is reported at the end.
  work.catch(() => {})
  const all = underWay.get(tx)
  if (!all) throw new Error('ahead needs a transaction opened by begin')
  all.push(work)
}

async function answered<T>(tx: Tx, work: (tx: Tx) => Promise<T>): Promise<T> {
  const all: Promise<unknown>[] = []
  underWay.set(tx, all)
  const result = await work(tx)
  await Promise.all(all)
  return result
}

async function transact<T>(sql: Sql, work: (tx: Tx) => Promise<T>, { isBrief }: { isBrief: boolean }): Promise<T> {
  const actions: (() => void)[] = []
  const begun = (tx: Tx): Promise<T> => {
    afterwards.set(tx, actions)
    if (isBrief) brief.add(tx)
    return answered(tx, work)
  }
  // An option of the patched driver: see patches/.
  const result = await sql.begin(Object.assign(begun, { readsFirst: isBrief }))
  for (const action of actions) action()
  return result as T
}

/**
 * Runs `work` so that its failure undoes its own changes and no others. Inside it only the transaction it is given may be used. Where several pieces of work
 * share the transaction (`sideBySide`), its failure undoes them all.
 * @throws the error of `work`
 */
export async function savepoint<T>(tx: Tx, work: (inner: Tx) => Promise<T>): Promise<T> {
  const bare = withoutSavepoint(tx)
  if (bare) return bare(work)
  const actions: (() => void)[] = []
  const result = await tx.savepoint(inner => {
    afterwards.set(inner, actions)
    return answered(inner, work)
  })
  for (const action of actions) afterCommit(tx, action)
  return result as T
}

export function afterCommit(tx: Tx, action: () => void): void {
  const actions = afterwards.get(tx)
  if (!actions) throw new Error('afterCommit needs a transaction opened by begin')
  actions.push(action)
}
