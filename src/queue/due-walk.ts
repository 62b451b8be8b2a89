// Which rows have work that will be due: found without reading the work of each.
import type { Ref } from '../ids.ts'
import { type Fragment, part } from '../postgres/sql.ts'

/**
 * The first due time of each row that has work, as a query of `tenant_id`, `id` and `due_at` for `with recursive walk as`: a loose index scan, one descent
 * for each of them, however much work they have.
 * @param work the table of the work `q`, which has an index on `(tenant_id, of, due_at)` @param isDue a condition of that index
 * @param of the column that names the row @param after the row behind which the walk begins
 */
export function dueWalk(work: string, of: string, after: Ref, isDue = part`q.due_at is not null`): Fragment {
  const [table, row] = [part(work), part(`q.${of}`)]
  return part`
  (select q.tenant_id, ${row} as id, q.due_at from ${table} q
    where ${isDue} and (q.tenant_id, ${row}) > (${after.tenant}, ${after.id})
    order by q.tenant_id, ${row}, q.due_at limit 1)
  union all
  select n.* from walk w, lateral (
    select q.tenant_id, ${row} as id, q.due_at from ${table} q
     where ${isDue} and (q.tenant_id, ${row}) > (w.tenant_id, w.id)
     order by q.tenant_id, ${row}, q.due_at limit 1) n`
}
