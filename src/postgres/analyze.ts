// Planner statistics for tables that grow fast. A connection plans a statement once, for the tables' size at that time: a plan made while they
// were nearly empty may read all of them for good. Autovacuum comes too late for an import that fills a table in seconds.
import { type Fragment, part, type Sql } from './sql.ts'

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
