// Statements and what they go over: lanes (of one connection, pipelined) for reads, an ordinary pool for transactions.
import type { ISql, PendingQuery, Row, TransactionSql } from 'postgres'
import { LONG_READS_AT_ONCE } from '../limits.ts'
import postgres from './driver.ts'
import { openPassingSocket, openSocket } from './socket.ts'

type Types = { int8: number }
export type Sql = postgres.Sql<Types>
export type Tx = TransactionSql<Types>
/** Either: for statements that run inside a transaction or on their own. */
export type Queryable = ISql<Types>
export type Fragment = PendingQuery<Row[]>

/** Composes parts of statements. It never connects; a lane would take its turn for every part. */
export const part = postgres({ max: 1 }) as unknown as Sql

export interface Database {
  /** Statements that touch a row each: one connection, so that what many requests ask at once is written and read together. */
  pointLane: Sql
  /** Lists: a round robin over connections of one, which pipelines and never queues behind a transaction. */
  listLanes: Sql
  /** Reads that may look at many rows: see `apart` of a route. */
  longPool: Sql
  /** Transactions and slow statements. */
  sql: Sql
  /** Transactions of several requests: `lock_timeout` is short here, for one request must not hold up the others of its transaction. */
  sharedPool: Sql
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
  const sql = postgres(url, { ...options, max: pool }) as unknown as Sql
  const lane = (): Sql => postgres(url, { ...options, max: 1 }) as unknown as Sql
  const pointLane = lane()
  const brief = { ...options.connection, lock_timeout: SHARED_LOCK_MS }
  const sharedPool = postgres(url, { ...options, connection: brief, max: SHARED_AT_A_TIME }) as unknown as Sql
  const ofLong = { ...options.connection, application_name: `${given.name} long reads` }
  const longPool = postgres(url, { ...options, connection: ofLong, max: LONG_READS_AT_ONCE }) as unknown as Sql
  const readers = Array.from({ length: lanes }, lane)
  return {
    pointLane,
    sharedPool,
    listLanes: roundRobin(readers),
    longPool,
    sql,
    close: async () => {
      await Promise.all([sql, sharedPool, pointLane, longPool, ...readers].map(end))
    },
  }
}

export interface Walks {
  sql: Sql
  close(): Promise<void>
}

/**
 * Connections for walks (see walk.ts). A long statement is worth a plan for its own values; and raw values are to be read as they come (`forEach`),
 * for they are not kept.
 */
export function openWalks(url: string, { pool = 1, ...given }: Omit<DatabaseOptions, 'lanes'>): Walks {
  const options = { ...optionsOf(given, 'custom'), socket: openPassingSocket, max: pool }
  const sql = postgres(url, options) as unknown as Sql
  return { sql, close: () => end(sql) }
}

// Generic plans: each statement is planned once for a connection. A plan of its own for each array of parameters cost more than running it.
function optionsOf({ name, statementTimeoutMs = 0 }: DatabaseOptions, plans: 'generic' | 'custom') {
  return {
    onnotice: () => {},
    connect_timeout: 10,
    // After an outage the wait for the next try would else grow to 20 s.
    backoff: () => 0.2,
    socket: openSocket,
    connection: {
      application_name: name,
      statement_timeout: statementTimeoutMs,
      ...WAITS,
      plan_cache_mode: `force_${plans}_plan`,
      ...(plans === 'generic' && BY_INDEX),
    },
    // int8 as a number: amounts and counters are held below 2^53 by the schemas.
    types: { int8: { to: 20, from: [20], parse: Number, serialize: String } },
  }
}

/**
 * For every connection of ours, in milliseconds. No row is held for longer than a statement or two, so a lock that is not free in five seconds is
 * held by a transaction that hangs: the caller is told to try again, and its connection serves others. And a transaction in which nothing
 * happens for half a minute is that of a process that is frozen or cut off: it ends, and its locks are free.
 */
export const WAITS = { lock_timeout: 5_000, idle_in_transaction_session_timeout: 30_000 }

/**
 * For plans that outlive the size of the tables they were made for. While a table holds next to nothing, it looks cheapest to read all of it,
 * or all that an index finds, and to sort that. A queue is empty again and again, and such a plan then reads a backlog from end to end for
 * each row that it needs. In the order of an index it costs as much whatever the table holds.
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

/** What shared transactions wait for a lock. */
const SHARED_LOCK_MS = 50
/** While one waits for the disk the next one works. */
export const SHARED_AT_A_TIME = 2

const afterwards = new WeakMap<Tx, (() => void)[]>()
/** Transactions that may end with the last statement of their work, once that is sent. */
const brief = new WeakSet<Tx>()

/**
 * Runs `work` in one transaction. Inside it only `tx` may be used: another connection would wait for the rows this one holds.
 * What `afterCommit` was given runs when the transaction is durable, and never when it was rolled back.
 */
export const begin = <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> => transact(sql, work, { isBrief: false })

/**
 * As `begin`, in two round trips less. BEGIN is sent with the first statement, which must read, lock or write what may stand alone: were BEGIN to fail,
 * it would run without it. And the work may say which statement is its last (`commitBehind`).
 */
export const beginBriefly = <T>(sql: Sql, work: (tx: Tx) => Promise<T>): Promise<T> => transact(sql, work, { isBrief: true })

/**
 * Sends COMMIT behind the statement that was sent last, whose answer is yet to come, if the transaction is such a one: where that statement fails, COMMIT
 * rolls back. Nothing may be sent, and nothing thrown, after it.
 */
export function commitBehind(tx: Tx): void {
  if (brief.has(tx)) tx.commitBehind()
}

async function transact<T>(sql: Sql, work: (tx: Tx) => Promise<T>, { isBrief }: { isBrief: boolean }): Promise<T> {
  const actions: (() => void)[] = []
  const begun = (tx: Tx): Promise<T> => {
    afterwards.set(tx, actions)
    if (isBrief) brief.add(tx)
    return work(tx)
  }
  // What the driver is told by: see patches/.
  const result = await sql.begin(Object.assign(begun, { readsFirst: isBrief }))
  for (const action of actions) action()
  return result as T
}

/**
 * Runs `work` so that its failure undoes what it did and nothing else. Inside it only the transaction it is given may be used.
 * @throws whatever `work` threw
 */
export async function savepoint<T>(tx: Tx, work: (inner: Tx) => Promise<T>): Promise<T> {
  const actions: (() => void)[] = []
  const result = await tx.savepoint(inner => {
    afterwards.set(inner, actions)
    return work(inner)
  })
  for (const action of actions) afterCommit(tx, action)
  return result as T
}

export function afterCommit(tx: Tx, action: () => void): void {
  const actions = afterwards.get(tx)
  if (!actions) throw new Error('afterCommit needs a transaction opened by begin')
  actions.push(action)
}
