// Every statement of the errors of imports' rows: kept up to a limit, read in pages, deleted with their import.
import type { Ref } from '../ids.ts'
import { PRUNE_BATCH, RETENTION_DAYS } from '../limits/retention.ts'
import { oldestFirst, type Prune } from '../postgres/prune.ts'
import { columns } from '../postgres/row-set.ts'
import { part, type Queryable } from '../postgres/sql.ts'
import type { Refused } from './file/row.ts'

/** How many errors of an import are kept; further ones are only counted. */
const ERRORS_MAX = 100_000

/** Stores the errors of rows, up to the limit. @param received how many rows were refused before they got into a chunk: they are counted here */
export async function record(tx: Queryable, { tenant, id }: Ref, refused: Refused[], received = 0): Promise<void> {
  const rows = refused.flatMap(({ line, errors }) => errors.map((error, position) => ({ ...error, line, position })))
  await tx`
    with i as (
      select tenant_id, id, errors_kept from imports where tenant_id = ${tenant} and id = ${id} for update
    ), kept as (
      insert into import_errors (tenant_id, import_id, line, position, field, code, message)
      select i.tenant_id, i.id, r.line, r.position, r.field, r.code, r.message
        from i, ${ERROR.numbered(rows)}
       where r.n <= ${ERRORS_MAX} - i.errors_kept
      returning 1
    )
    update imports t
       set errors_kept = t.errors_kept + (select count(*) from kept), rows_received = t.rows_received + ${received}::integer,
           rows_read = t.rows_read + ${received}::integer, failed = t.failed + ${received}::integer
      from i
     where t.tenant_id = i.tenant_id and t.id = i.id`
}

const ERROR = columns({ line: 'integer', position: 'smallint', field: 'text', code: 'text', message: 'text' })

/** The error after which a page begins. */
export interface Place {
  line: number
  position: number
}

export interface ErrorsPage {
  /** JSON texts, separated by `join`. */
  data: string
  last: Place | undefined
  more: boolean
}

const json = part`
  json_build_object('object', 'import_error', 'line', e.line, 'field', e.field, 'code', e.code, 'message', e.message)::text`

/** Errors in the order of the file. @param join what separates two of them */
export async function list(
  sql: Queryable,
  { tenant, id }: Ref,
  after: Place | undefined,
  limit: number,
  join: string,
): Promise<ErrorsPage> {
  const [row] = await sql<{ data: string | null; found: number; last: Place | null }[]>`
    select string_agg(p.json, ${join} order by p.n) filter (where p.n <= ${limit}) as data, count(*)::integer as found,
           (array_agg(json_build_object('line', p.line, 'position', p.position) order by p.n desc) filter (where p.n <= ${limit}))[1] as last
      from (
        select r.*, row_number() over () as n
          from (
            select ${json} as json, e.line, e.position
              from import_errors e
             where e.tenant_id = ${tenant} and e.import_id = ${id}
               ${after ? part`and (e.line, e.position) > (${after.line}::integer, ${after.position}::smallint)` : part``}
             order by e.line, e.position
             limit ${limit + 1}
          ) r
      ) p`
  return { data: row?.data ?? '', last: row?.last ?? undefined, more: (row?.found ?? 0) > limit }
}

/** Deletes the errors of imports past their retention, then these imports. */
export const prune: Prune = async function* prune(sql) {
  yield* oldestFirst(async () => {
    const { count } = await sql`
      delete from import_errors e
       using (
         select o.tenant_id, o.import_id, o.line, o.position
           from imports i
           join import_errors o on o.tenant_id = i.tenant_id and o.import_id = i.id
          where i.finished_at < now() - make_interval(days => ${RETENTION_DAYS})
          limit ${PRUNE_BATCH}) old
       where e.tenant_id = old.tenant_id and e.import_id = old.import_id and e.line = old.line and e.position = old.position`
    return count
  })
  yield* oldestFirst(async () => {
    const { count } = await sql`
      delete from imports i
       using (
         select tenant_id, id from imports
          where finished_at < now() - make_interval(days => ${RETENTION_DAYS})
          order by finished_at
          limit ${PRUNE_BATCH}) old
       where i.tenant_id = old.tenant_id and i.id = old.id`
    return count
  })
}
