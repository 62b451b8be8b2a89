// The epoch of events: distinguishes the transaction numbers of this cluster from those of the cluster that a dump came from (sql/0004_events.sql).
import { OperatorError } from '../errors.ts'
import { isLocked } from './errors.ts'
import { part, type Sql } from './sql.ts'

/**
 * The present epoch, as a part of a statement. A statement that writes events reads it after it has locked their table, so it never reads an old
 * one; a statement that reads events takes it from the snapshot that `pg_snapshot_xmin` comes from.
 */
export const epoch = part`(select epoch from event_epoch where only_row)`

/**
 * Begins an epoch if the database is on another cluster than at the last call, and says so. One of several processes begins it.
 *
 * The epoch is the time in seconds since 2000, so two restores of one dump get different ones: a cursor of the first is never taken for one of
 * the second. And it grows, even if the clock is set back.
 * @throws {OperatorError} where the table of the epoch is empty; or where its lock cannot be had, with the database's error as cause
 */
export async function keepEpoch(sql: Sql, say: (line: string) => void = line => console.error(line)): Promise<void> {
  const [known] = await sql<{ other: boolean | null }[]>`select cluster <> cluster_identity() as other from event_epoch`
  if (!known) throw new OperatorError('The table event_epoch is empty: the database was not restored, or copied, whole.')
  // Null on a standby, which is no other cluster.
  if (!known.other) return
  const begun = await beginOne(sql).catch(error => {
    if (!isLocked(error)) throw error
    throw new OperatorError(
      'No epoch of events can begin on the new cluster: another session holds a lock on the table events, as VACUUM does; wait for its end, or end it.',
      { cause: error },
    )
  })
  if (begun) say(saying(begun))
}

interface Begun {
  epoch: number
  cluster: string
  before: string
}

/** Undefined where another process was faster. */
function beginOne(sql: Sql): Promise<Begun | undefined> {
  return sql.begin(async tx => {
    // Transactions that write events end first, and later ones read the new epoch.
    await tx`lock table events in share row exclusive mode`
    const [begun] = await tx<Begun[]>`
      update event_epoch
         set epoch = greatest(epoch + 1, extract(epoch from clock_timestamp() - timestamptz '2000-01-01 00:00Z')::integer),
             cluster = cluster_identity(), since = clock_timestamp()
       where cluster <> cluster_identity()
      returning new.epoch, new.cluster, old.cluster as before`
    return begun
  })
}

const saying = ({ epoch, cluster, before }: Begun): string =>
  `The database is on another cluster or timeline than before (${cluster}, was ${before}): transactions are numbered anew. Events go on in epoch ${epoch}; cursors, and what webhooks missed, stay good.`
