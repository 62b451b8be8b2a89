// Planner statistics for tables that grow fast. A connection plans a statement once, for the tables' size at that time: a plan made while they
// were nearly empty may read all of them for good. Autovacuum comes too late for an import that fills a table in seconds.
import { isLocked } from './errors.ts'
import { beginBriefly, type Fragment, limitLockWaits, part, type Sql } from './sql.ts'

/** Analyzes the tables that are twice as large as when they last were analyzed: then every plan with them is made anew. */
export async function analyzeGrown(sql: Sql, tables: string[]): Promise<void> {
  const grown = await sql<{ name: string }[]>`
    select relname as name
      from pg_class
     where oid = any(${tables}::text[]::regclass[])
       and pg_relation_size(oid) > 2 * relpages::bigint * current_setting('block_size')::integer`
  if (grown.length === 0) return
  // A table that another session analyzes already is skipped.
  await sql`analyze (skip_locked) ${part(grown.map(each => each.name)) as unknown as Fragment}`
}

/** As long as a table has fewer rows, autovacuum counts it anew only after as many changes (autovacuum_analyze_threshold). */
const FEW_ROWS = 50
/** A table of fewer pages is left alone: whatever index a plan takes there, it reads few rows too many. */
const FEW_PAGES = 10
/** Autovacuum has done with a table of few rows in a moment. */
const LOCK_WAIT_MS = 50

/**
 * Forgets what was counted of tables that were nearly empty then and have grown since. The planner takes every index of such a table for as good as another, and for
 * each row that it looks for such a plan reads all rows of a tenant, until autovacuum counts again. A table that was never counted it takes for its size: then each
 * row is looked for by the index that finds it. All plans with such a table are made anew, so tables that stay small are left alone. A table that another session
 * counts or vacuums is left for the next time.
 */
export async function forgetCountsOfFew(sql: Sql): Promise<void> {
  const few = await sql<{ name: string }[]>`
    select c.relname as name
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples between 0 and ${FEW_ROWS}
       and pg_relation_size(c.oid) > current_setting('block_size')::bigint * greatest(2 * c.relpages, ${FEW_PAGES})
       and has_table_privilege(c.oid, 'maintain')`
  for (const { name } of few)
    await beginBriefly(sql, async tx => {
      await tx`${limitLockWaits(LOCK_WAIT_MS)}`
      await tx`select pg_clear_relation_stats('public', ${name})`
    }).catch(error => {
      if (!isLocked(error)) throw error
    })
}
