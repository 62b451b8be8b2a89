// The epoch of events: what tells the transaction numbers of this cluster from those of the cluster that a dump came from (sql/0004_events.sql).
import { OperatorError } from '../errors.ts'
import postgres from './driver.ts'
import { part, type Sql, WAITS } from './sql.ts'

/**
 * The present epoch, as a part of a statement. A statement that writes events reads it after it has locked their table, and so never an older one than is true;
 * one that reads events takes it from the snapshot that it takes `pg_snapshot_xmin` from.
 */
export const epoch = part`(select epoch from event_epoch where only_row)`

/**
 * Begins an epoch where the database is on another cluster than when this was last asked, and says so; by one of those that ask at the same time.
 *
 * The epoch is the time in seconds since 2000, so that two restores of one dump do not come to the same: a cursor that was given on the first is told from
 * those of the second. And it grows, whatever the clock says.
 * @throws {OperatorError} where nothing is known of before; where nobody can wait for those that write, its cause is what the database said
 */
export async function keepEpoch(sql: Sql, say: (line: string) => void = line => console.error(line)): Promise<void> {
  const [known] = await sql<{ other: boolean | null }[]>`select cluster <> cluster_identity() as other from event_epoch`
  if (!known) throw new OperatorError('The table event_epoch is empty: the database was not restored, or copied, whole.')
  // Null of a standby, which is no other cluster.
  if (!known.other) return
  const begun = await beginOne(sql).catch(error => {
    if (!(error instanceof postgres.PostgresError) || error.code !== LOCK_NOT_AVAILABLE) throw error
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

const LOCK_NOT_AVAILABLE = '55P03'

/** Undefined where another was faster. */
function beginOne(sql: Sql): Promise<Begun | undefined> {
  return sql.begin(async tx => {
    await tx`select set_config('lock_timeout', ${`${WAITS.lock_timeout}ms`}, true)`
    // Whoever is writing events ends first, and whoever comes later reads the new epoch.
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
