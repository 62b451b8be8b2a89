// The epoch of events: distinguishes the transaction numbers that this cluster has given since its server was started from those that a copy of it, or the
// cluster that a dump came from, has given besides (sql/0004_events.sql).
import { OperatorError } from '../errors.ts'
import { WAITS } from './connect.ts'
import postgres from './driver.ts'
import { limitLockWaits, part, type Sql } from './sql.ts'

/**
 * The present epoch, as a part of a statement. A statement that writes events reads it after it has locked their table, so it never reads an old
 * one; a statement that reads events takes it from the snapshot that `pg_snapshot_xmin` comes from.
 */
export const epoch = part`(select epoch from event_epoch where only_row)`

/**
 * Begins an epoch if the database is on another cluster than at the last call, and says so, or if its server was started since: it may have gone back in time
 * (docs/decisions/2026-11-28-an-epoch-begins-with-each-start-of-the-server.md). One of several processes begins it.
 *
 * The epoch is the time in seconds since 2000, so two restores of one dump get different ones: a cursor of the first is never taken for one of
 * the second. And it grows, even if the clock is set back.
 * @throws {OperatorError} where the table of the epoch is empty; or where the lock for another cluster's cannot be had, with the database's error as cause
 */
export async function keepEpoch(sql: Sql, say: (line: string) => void = line => console.error(line)): Promise<void> {
  const [known] = await sql<{ moved: boolean | null; started: boolean }[]>`select ${moved} as moved, ${started} as started from event_epoch`
  if (!known) throw new OperatorError('The table event_epoch is empty: the database was not restored, or copied, whole.')
  // Null on a standby, which is no other cluster.
  if (known.moved === null || !(known.moved || known.started)) return
  const begun = await beginOne(sql, known.moved ? WAITS.lock_timeout : START_LOCK_MS).catch(error => {
    if (!(error instanceof postgres.PostgresError) || error.code !== LOCK_NOT_AVAILABLE) throw error
    // Hardly any start has gone back in time, and the next look is soon.
    if (!known.moved) return undefined
    throw new OperatorError(
      'No epoch of events can begin on the new cluster: another session holds a lock on the table events, as VACUUM does; wait for its end, or end it.',
      { cause: error },
    )
  })
  if (begun && known.moved) say(saying(begun))
}

const moved = part`cluster <> cluster_identity()`
const started = part`server_started_at is distinct from pg_postmaster_start_time()`

/** While the lock is waited for, no event can be written. */
const START_LOCK_MS = 300

interface Begun {
  epoch: number
  cluster: string
  before: string
}

const LOCK_NOT_AVAILABLE = '55P03'

/** Undefined where another process was faster. */
function beginOne(sql: Sql, waitMs: number): Promise<Begun | undefined> {
  return sql.begin(async tx => {
    await tx`${limitLockWaits(waitMs)}`
    // Transactions that write events end first, and later ones read the new epoch.
    await tx`lock table events in share row exclusive mode`
    const [begun] = await tx<Begun[]>`
      update event_epoch
         set epoch = greatest(epoch + 1, extract(epoch from clock_timestamp() - timestamptz '2000-01-01 00:00Z')::integer),
             cluster = cluster_identity(), server_started_at = pg_postmaster_start_time(), since = clock_timestamp()
       where ${moved} or ${started}
      returning new.epoch, new.cluster, old.cluster as before`
    return begun
  })
}

const saying = ({ epoch, cluster, before }: Begun): string =>
  `The database is on another cluster or timeline than before (${cluster}, was ${before}): transactions are numbered anew. Events go on in epoch ${epoch}; cursors, and what webhooks missed, stay good.`
