// Reads that may look at many rows, on connections of their own: one at a time of a tenant, tenants by turns.
import { LONG_READS_AT_ONCE, LONG_READS_WAITING } from '../limits/lists.ts'
import { createPlaces } from '../places.ts'
import type { Database, Queryable } from '../postgres/sql.ts'
import { createTurns } from '../turns.ts'
import { TOO_MANY_LONG_READS } from './problem-schemas.ts'

/**
 * `work` gets a connection when its tenant's turn comes.
 * @param leaving ends the wait: `work` is then not begun
 * @throws {Problem} 409 where too many long reads of the tenant wait, 503 where too many of all tenants do
 */
export type LongReads = <T>(tenant: string, work: (sql: Queryable) => Promise<T>, leaving: AbortSignal) => Promise<T>

export function createLongReads({ longPool }: Pick<Database, 'longPool'>): LongReads {
  const turns = createTurns(
    createPlaces({ ...LONG_READS, all: LONG_READS_AT_ONCE }),
    createPlaces({ ...LONG_READS, all: LONG_READS_WAITING }),
  )
  return (tenant, work, leaving) => turns(tenant, () => work(longPool), leaving)
}

const LONG_READS = {
  code: TOO_MANY_LONG_READS.code,
  what: 'long reads',
  instead: 'ask for one after another, page by cursor rather than by offset, or narrow the filters',
}
