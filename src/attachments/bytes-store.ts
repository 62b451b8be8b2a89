// Where the bytes of files lie: the one place that knows. An object store could take the place of this file and its table; nothing else reads or writes
// pieces, and rows of `attachments` say nothing about them.
import type { Ref } from '../ids.ts'
import type { Queryable } from '../postgres/sql.ts'

/**
 * Every piece but the last. The driver makes a text of hexadecimal digits of each: one of up to 128 KB is young garbage, which goes at once, and longer
 * ones heap up until all of the heap is collected, 30 MB for a file of 20 MB.
 */
export const PIECE_BYTES = 48 * 1024

/**
 * Adds a piece. The first has number 0. It does not wait for the disk: the transaction that makes the file usable comes later, and waits for all that was
 * written before it.
 */
export async function append(sql: Queryable, { tenant, id }: Ref, number: number, body: Buffer): Promise<void> {
  await sql`
    with settled as materialized (select set_config('synchronous_commit', 'off', true))
    insert into attachment_pieces (tenant_id, attachment_id, number, body)
    select ${tenant}, ${id}, ${number}::integer, ${body}::bytea from settled`
}

/** Deletes what there is of a file, such as the beginning that a broken transfer has left. */
export async function clear(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`delete from attachment_pieces where tenant_id = ${tenant} and attachment_id = ${id}`
}

/** Pieces that one statement reads. */
const READ_AT_A_TIME = 4

/** The bytes from `from` up to and without `to`, a piece at a time. @throws where a piece is gone: the file was deleted meanwhile */
export async function* read(sql: Queryable, { tenant, id }: Ref, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const first = Math.floor(at / PIECE_BYTES)
    const last = Math.min(first + READ_AT_A_TIME, Math.ceil(to / PIECE_BYTES)) - 1
    const rows = await sql<{ body: Buffer }[]>`
      select body
        from attachment_pieces
       where tenant_id = ${tenant} and attachment_id = ${id} and number between ${first} and ${last}
       order by number`
    if (rows.length <= last - first) throw new Error(`attachment ${id} has lost some of its pieces ${first} to ${last}`)
    for (const [index, { body }] of rows.entries()) {
      const start = (first + index) * PIECE_BYTES
      const end = Math.min(to, start + PIECE_BYTES)
      yield body.subarray(at - start, end - start)
      at = end
    }
  }
}
