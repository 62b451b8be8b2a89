// The meaning of the database's errors: by their SQLSTATE, or by the network's error codes.
import postgres from './driver.ts'

/** The five-character SQLSTATE, or the driver's own code, of a thrown value. */
function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** The unique index or constraint that a statement violated. */
export function violatedConstraint(error: unknown): string | undefined {
  return errorCode(error) === '23505' ? String((error as { constraint_name?: string }).constraint_name) : undefined
}

/**
 * Classes 08 (connection) and 53 (no disk, memory or connections left); 25006 (read-only database) and 25P03, 25P04 (the transaction took too
 * long); 40001, 40P01 and 55P03 (another transaction was faster, or holds a lock); 57 (the server starts, stops or ends the session); 58030 (its
 * disk fails); and the network's codes for the same.
 */
const UNAVAILABLE =
  /^(08...|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0.|58030|CONNECT|CONNECTION_|ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|EAGAIN|ETIMEDOUT|EPIPE|ENOENT)/

/** What `pg`, which the queue uses, says without a code of a connection that was lost or could not be made. */
const LOST = /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Whether certainly nothing was changed: after a lost connection it is unknown whether a commit took effect. */
export const wasRolledBack = (error: unknown): boolean =>
  !isUnavailable(error) || (error instanceof postgres.PostgresError && /^(40001|40P01|55P03)$/.test(error.code))

/** Whether the database is away, full or busy rather than the statement wrong: worth a later try. */
export function isUnavailable(error: unknown): boolean {
  const code = errorCode(error)
  return code === undefined ? error instanceof Error && LOST.test(error.message) : UNAVAILABLE.test(code)
}

/** Whether the database has said it, or the network to it: no file, nor a fault of the program. */
export const isOfDatabase = (error: unknown): boolean => error instanceof postgres.PostgresError || isUnavailable(error)

/** Whether the database is read-only: a demoted primary, or one that is kept from filling its disk. */
export const isReadOnly = (error: unknown): boolean => errorCode(error) === '25006'

/** Whether a lock was waited for until the limit (`lock_timeout`). */
export const isLocked = (error: unknown): boolean => errorCode(error) === '55P03'

/** Whether the server has no connection left to give: to any role, to this database or to this role. */
export const hasNoConnectionLeft = (error: unknown): boolean => errorCode(error) === '53300'
