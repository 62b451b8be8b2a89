// Planner statistics for tables that grow fast. A connection plans a statement once, for the tables' size at that time: a plan made while they
// were nearly empty may read all of them for good. Autovacuum comes too late for an import that fills a table in seconds.
import { begin, type Fragment, limitLockWaits, part, type Sql } from './sql.ts'

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
/** What holds such a lock on a table of few rows has done with it in a moment, or it is asked for again later. */
const LOCK_WAIT_MS = 50

/**
 * Forgets what was counted of tables that were nearly empty then. The planner takes every index of such a table for as good as another, and for each row that it
 * looks for such a plan reads all rows of a tenant once there are many, until autovacuum counts again. A table that was never counted it takes for ten pages: then
 * each row is looked for by the index that finds it.
 * @throws where another session keeps a table from being counted
 */
export async function forgetCountsOfFew(sql: Sql): Promise<void> {
  const few = await sql<{ name: string }[]>`
    select c.relname as name
      from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.reltuples between 0 and ${FEW_ROWS}
       and has_table_privilege(c.oid, 'maintain')`
  if (few.length === 0) return
  await begin(sql, async tx => {
    await tx`${limitLockWaits(LOCK_WAIT_MS)}`
    await tx`select pg_clear_relation_stats('public', t.name) from unnest(${few.map(each => each.name)}::text[]) as t (name)`
  })
}
