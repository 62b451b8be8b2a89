// What the planner knows of tables that grow fast. A plan is made once for a connection, and suits tables as large as they were then: one that
// was made while they were next to empty may read all of them for good. Autovacuum looks too late for who fills a table in seconds.
import { type Fragment, part, type Sql } from './sql.ts'

/** Has those of the tables counted anew that are twice as large as when they last were: then every plan with them is made anew. */
export async function analyzeGrown(sql: Sql, tables: string[]): Promise<void> {
  const grown = await sql<{ name: string }[]>`
    select relname as name
      from pg_class
     where oid = any(${tables}::text[]::regclass[])
       and pg_relation_size(oid) > 2 * relpages::bigint * current_setting('block_size')::integer`
  if (grown.length === 0) return
  // Where another does so already, it is not waited for.
  await sql`analyze (skip_locked) ${part(grown.map(each => each.name)) as unknown as Fragment}`
}
