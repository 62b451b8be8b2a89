// The lookout of a process that is elected, one look at a time, and the election.
import type { Logger } from 'pino'
import { elected } from '../../src/postgres/election.ts'
import type { Queryable, Sql } from '../../src/postgres/sql.ts'
import { createLookout } from '../../src/queue/lookout.ts'
import { look } from '../../src/queue/standing-store.ts'

/** No process is elected by it. */
const ELECTION = 1

/** @returns a function that looks once, and frees what those held that are gone */
export function lookingOut(...given: Parameters<typeof createLookout>): (sql: Sql, log: Logger) => Promise<unknown> {
  const lookout = createLookout(...given)
  return async (sql, log) => lookout(sql, log, (await look(sql, ELECTION)).missing)
}

/** Whether the session of `sql` is elected. */
export async function elect(sql: Queryable, lock: number): Promise<boolean> {
  const [row] = await sql<[{ is: boolean }]>`select ${elected(lock)} as is`
  return row.is
}
