// Every statement of an import's chunks: stored, compared, read, and deleted when they are done.
import type { Ref } from '../ids.ts'
import type { Prune } from '../postgres/prune.ts'
import { arrayText } from '../postgres/row-set.ts'
import type { Queryable } from '../postgres/sql.ts'

export interface NewChunk {
  /** From 1 on, in the order of the file. */
  number: number
  /** The line number of each row. */
  lines: number[]
  /** The values of each row's unique fields: an equal number for each row. */
  keys: (string | null)[]
  body: Buffer
}

/** Stores a chunk of a file that is being uploaded. @returns false when the import was cancelled */
export async function insert(sql: Queryable, { tenant, id }: Ref, chunk: NewChunk): Promise<boolean> {
  const rows = await sql`
    with r as (
      update imports
         set rows_received = rows_received + ${chunk.lines.length}::integer, touched_at = clock_timestamp(), updated_at = now()
       where tenant_id = ${tenant} and id = ${id} and status = 'uploading'
      returning tenant_id, id
    )
    insert into import_chunks (tenant_id, import_id, number, lines, keys, body)
    select r.tenant_id, r.id, ${chunk.number}::integer, ${arrayText(chunk.lines)}::text::integer[],
           array(select hashtextextended(k.value, 0) from unnest(${arrayText(chunk.keys)}::text::text[]) with ordinality as k (value, place) order by k.place),
           ${chunk.body}
      from r
    returning 1`
  return rows.length > 0
}

/**
 * Finds the rows that repeat an earlier one of their file, and notes them in their chunks.
 * @param keysOfRow how many keys each row has
 */
export async function compare(tx: Queryable, { tenant, id }: Ref, keysOfRow: number): Promise<void> {
  // If earlier files had few keys, the planner expects few here, and would search the whole file for repeats once for each chunk. So keys are read in a
  // subquery of their own (`offset 0`), and joins are by hash or merge only.
  await tx`set local statement_timeout = '10min'`
  await tx`set local enable_nestloop = off`
  // `at` is a row's position in the file as one number, so that min() finds the first. `noted` is computed once, not again for each chunk.
  await tx`
    with keys as not materialized (
      select c.number, (k.n - 1) / ${keysOfRow}::integer as place, (k.n - 1) % ${keysOfRow}::integer as kind,
             c.number * 1000000::bigint + (k.n - 1) / ${keysOfRow}::integer as at, k.key
        from import_chunks c, unnest(c.keys) with ordinality as k (key, n)
       where c.tenant_id = ${tenant} and c.import_id = ${id} and k.key is not null
      offset 0
    ), shared as (
      select key, min(at) as first from keys group by key having count(*) > 1
    ), repeats as (
      select k.number, k.place, (array_agg(k.kind order by k.kind))[1] as kind, (array_agg(s.first order by k.kind))[1] as first
        from keys k
        join shared s using (key)
       where k.at > s.first
       group by k.number, k.place
    ), noted as materialized (
      select r.number, json_object_agg(r.place, json_build_array(r.kind, f.lines[r.first % 1000000 + 1]))::jsonb as rows
        from repeats r
        join import_chunks f on f.tenant_id = ${tenant} and f.import_id = ${id} and f.number = r.first / 1000000
       group by r.number
    )
    update import_chunks c set repeats = n.rows from noted n where c.tenant_id = ${tenant} and c.import_id = ${id} and c.number = n.number`
  await tx`update imports set compared = true where tenant_id = ${tenant} and id = ${id}`
}

export interface Chunk {
  number: number
  applied: number
  lines: number[]
  /** By a row's position in the chunk: which of its keys an earlier row has too, and that row's line. */
  repeats: Record<string, [number, number]> | null
  body: Buffer
}

/** The first chunk after number `after` that is not done. */
export async function next(sql: Queryable, { tenant, id }: Ref, after: number): Promise<Chunk | undefined> {
  const [row] = await sql<Chunk[]>`
    select number, applied, lines, repeats, body
      from import_chunks
     where tenant_id = ${tenant} and import_id = ${id} and number > ${after}
     order by number
     limit 1`
  return row
}

/** The lines of the next chunk's rows; null where none is left. */
export interface Lines {
  first: number | null
  last: number | null
}

/** Where the next chunk begins and ends. */
export async function nextLines(sql: Queryable, { tenant, id }: Ref): Promise<Lines> {
  const [row] = await sql<Lines[]>`
    select lines[applied + 1] as first, lines[cardinality(lines)] as last
      from import_chunks
     where tenant_id = ${tenant} and import_id = ${id}
     order by number
     limit 1`
  return row ?? { first: null, last: null }
}

/** Records that the chunk's first `applied` rows are applied. */
export async function markApplied(tx: Queryable, { tenant, id }: Ref, number: number, applied: number): Promise<void> {
  await tx`
    update import_chunks set applied = ${applied} where tenant_id = ${tenant} and import_id = ${id} and number = ${number}`
}

/** Deletes a chunk whose rows are all applied. */
export async function remove(tx: Queryable, { tenant, id }: Ref, number: number): Promise<void> {
  await tx`delete from import_chunks where tenant_id = ${tenant} and import_id = ${id} and number = ${number}`
}

/** Chunks deleted at a time: each is up to a megabyte. */
const PRUNED_AT_A_TIME = 50

/** Deletes the chunks of imports that are over: cancelled, failed, or never uploaded completely. */
export const prune: Prune = async function* prune(sql) {
  for (let deleted = PRUNED_AT_A_TIME; deleted === PRUNED_AT_A_TIME; yield deleted) {
    const { count } = await sql`
      delete from import_chunks c
       using (
         select o.tenant_id, o.import_id, o.number
           from import_chunks o
           join imports i on i.tenant_id = o.tenant_id and i.id = o.import_id
          where i.status in ('completed', 'failed', 'cancelled')
          limit ${PRUNED_AT_A_TIME}) old
       where c.tenant_id = old.tenant_id and c.import_id = old.import_id and c.number = old.number`
    deleted = count
  }
}
