// Elects one process by an advisory lock of its session: the lock is free the moment the holder's connection dies.
import { type Fragment, part } from './sql.ts'

/**
 * An expression: whether the session, which must be one connection's, is elected. Asked again every time, because a connection that was lost and made
 * anew has another session. A lock held already is not taken once more, for PostgreSQL counts each time.
 */
export const elected = (lock: number): Fragment => part`
  case
    when exists (
      select 1 from pg_locks l
       where l.locktype = 'advisory' and l.pid = pg_backend_pid() and l.classid = 0 and l.objid = ${lock}::bigint::oid and l.objsubid = 1)
    then true
    else pg_try_advisory_lock(${lock}::bigint)
  end`
