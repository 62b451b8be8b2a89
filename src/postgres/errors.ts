// What the database's errors mean: by their SQLSTATE, or by the words of the network.
import postgres from './driver.ts'

/** The five-character SQLSTATE, or the driver's own code, of whatever was thrown. */
function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined
}

/** The unique index or constraint that a statement ran into. */
export function violatedConstraint(error: unknown): string | undefined {
  return errorCode(error) === '23505' ? String((error as { constraint_name?: string }).constraint_name) : undefined
}

/**
 * Classes 08 (connection) and 53 (no disk, memory or connections left); of 25 what a read-only database refuses and transactions that took too long; 40001, 40P01
 * and 55P03 (others were faster, or hold a lock); 57 (it ends, starts or ends us); 58030 (its disk fails); and the same in the words of the network.
 */
const UNAVAILABLE =
  /^(08...|25006|25P0[34]|40001|40P01|53...|55P03|57014|57P0.|58030|CONNECT|CONNECTION_|ECONN|EHOST|ENET|ENOTFOUND|EAI_AGAIN|EAGAIN|ETIMEDOUT|EPIPE|ENOENT)/

/** Whether it is certain that nothing was changed: a lost connection does not tell what became of a commit. */
export const wasRolledBack = (error: unknown): boolean =>
  !isUnavailable(error) || (error instanceof postgres.PostgresError && /^(40001|40P01|55P03)$/.test(error.code))

/** Whether the database is away, full or busy rather than the statement wrong: worth a later try. */
export const isUnavailable = (error: unknown): boolean => UNAVAILABLE.test(errorCode(error) ?? '')

/** Whether it takes no changes: a primary that was demoted, or one that is kept from filling its disk. */
export const isReadOnly = (error: unknown): boolean => errorCode(error) === '25006'
