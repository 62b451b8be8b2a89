// Calls that begin together share a statement, and so do those that end: under load that is most of what a call costs. A lock that is in the way of one
// call holds up no other: the statement waits for it but a moment, and then each call goes by itself, as patiently as any statement.
import { setTimeout as delay } from 'node:timers/promises'
import { LEASE_SECONDS } from '../limits/queue.ts'
import { batchedOn } from '../postgres/batch.ts'
import { statements } from '../postgres/combine.ts'
import { isUnavailable, wasRolledBack } from '../postgres/errors.ts'
import { SHARED_LOCK_MS, type Sql } from '../postgres/sql.ts'
import { orGiveBack } from '../queue/give-back.ts'
import { type Beginning, beginAll, type Found } from './begin-store.ts'
import * as breaker from './breaker-store.ts'
import * as store from './call-store.ts'

/** How many calls one statement writes. */
const CALLS_MAX = 100
/** While one statement waits for the disk, the next one works: for so many calls at least, as each statement costs as much as some calls. */
const AT_ONCE = 2
const ENOUGH = 8
/** How long the database may be away, and how often it is asked: after half of its lease no request of a call may begin. */
const AWAY_MS = (LEASE_SECONDS * 1000) / 2
const AGAIN_MS = 250

/** @returns undefined: to be tried again */
export const begin = together<Beginning, Found | undefined>(beginAll, ({ call }) => call.input.length + (call.sealed?.length ?? 0))

/** Writes what a call came to, and what that says of the app. @returns false: another process has the call by now */
export async function end(sql: Sql, result: store.Result): Promise<boolean> {
  const came = await written(sql, result)
  // Apart: a lock on the breaker of one app holds up the calls of no other.
  if (came === 'heals') await whileAway(() => breaker.close(sql, result.tenant, result.app))
  return came !== 'lost'
}

const written = together<store.Result, store.Kept>(
  store.endAll,
  ({ output, response }) => (output?.length ?? 0) + (response?.body.length ?? 0),
  // Each failure counts by itself.
  ({ says }) => says === 'fails',
)

/**
 * The call is made no further: the next that asks makes it, and would wait for the lease of a process that lives.
 * @param since when writing of it began, by performance.now(): the database is waited for once, however much is written
 */
export const giveBack = (sql: Sql, tenant: string, id: string, token: string, asked: boolean, since?: number): Promise<void> =>
  whileAway(() => store.giveBack(sql, tenant, id, token, asked), since)

/** As store.takeOver. Where the answer is lost, what may have been taken over is given back. */
export const takeOver = (sql: Sql, tenant: string, id: string, token: string): ReturnType<typeof store.takeOver> =>
  orGiveBack(
    () => store.takeOver(sql, tenant, id, token),
    () => giveBack(sql, tenant, id, token, true),
  )

type Settled<Value> = { value: Value } | { reason: unknown }

/**
 * @param charsOf the size of an item: more than some take several statements
 * @param isApart an item that has a statement of its own
 */
function together<Item, Value>(
  write: (sql: Sql, items: Item[], lockMs?: number) => Promise<Value[]>,
  charsOf: (item: Item) => number,
  isApart: (item: Item) => boolean = () => false,
): (sql: Sql, item: Item) => Promise<Value> {
  const add = batchedOn<Sql, Item, Settled<Value> | Promise<Settled<Value>>>(
    async (sql, items) => {
      const settled: (Settled<Value> | Promise<Settled<Value>>)[] = []
      for (const slice of slicesOf(items, charsOf)) settled.push(...(await writeSlice(sql, slice)))
      return settled
    },
    CALLS_MAX,
    AT_ONCE,
    ENOUGH,
  )

  async function writeSlice(sql: Sql, items: Item[]): Promise<(Settled<Value> | Promise<Settled<Value>>)[]> {
    try {
      return (await write(sql, items, SHARED_LOCK_MS)).map(value => ({ value }))
    } catch (reason) {
      // What may have been written is not written again.
      if (!wasRolledBack(reason)) return items.map(() => ({ reason }))
      // Not waited for: later ones go on.
      return items.map(item => alone(sql, item))
    }
  }

  const alone = (sql: Sql, item: Item): Promise<Settled<Value>> =>
    write(sql, [item]).then(
      ([value]) => ({ value: value as Value }),
      reason => ({ reason }),
    )

  return (sql, item) =>
    whileAway(async () => {
      const settled = await (isApart(item) ? alone(sql, item) : add(sql, item))
      if ('value' in settled) return settled.value
      throw settled.reason
    })
}

/**
 * Writes once more where the database was away: otherwise its calls would be held until their leases end.
 * @param write a statement that may be made again, whether or not it took effect
 */
async function whileAway<Value>(write: () => Promise<Value>, since = performance.now()): Promise<Value> {
  const until = since + AWAY_MS
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) throw error
      await delay(AGAIN_MS)
    }
  }
}

function slicesOf<Item>(items: Item[], charsOf: (item: Item) => number): Item[][] {
  const sized = items.map(item => ({ item, text: { length: charsOf(item) } }))
  return statements(sized).map(slice => slice.map(({ item }) => item))
}
