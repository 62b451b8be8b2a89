// Where the bytes of files lie: the one place that knows. An object store could take the place of this file and its table; nothing else reads or writes
// pieces, and rows of `attachments` say nothing about them.
import type { Ref } from '../ids.ts'
import type { Queryable } from '../postgres/sql.ts'

/** Every piece but the last: small enough for many at once in memory, and large enough that a file of 20 MB is 80 statements. */
export const PIECE_BYTES = 256 * 1024

/** Adds a piece. The first has number 0. */
export async function append(sql: Queryable, { tenant, id }: Ref, number: number, body: Buffer): Promise<void> {
  await sql`
    insert into attachment_pieces (tenant_id, attachment_id, number, body) values (${tenant}, ${id}, ${number}, ${body})`
}

/** Deletes what there is of a file, such as the beginning that a broken transfer has left. */
export async function clear(sql: Queryable, { tenant, id }: Ref): Promise<void> {
  await sql`delete from attachment_pieces where tenant_id = ${tenant} and attachment_id = ${id}`
}

/** The bytes from `from` up to and without `to`, a piece at a time. @throws where a piece is gone: the file was deleted meanwhile */
export async function* read(sql: Queryable, { tenant, id }: Ref, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const number = Math.floor(at / PIECE_BYTES)
    const start = number * PIECE_BYTES
    const [row] = await sql<{ body: Buffer }[]>`
      select body from attachment_pieces where tenant_id = ${tenant} and attachment_id = ${id} and number = ${number}`
    if (!row) throw new Error(`attachment ${id} has no piece ${number}`)
    const end = Math.min(to, start + PIECE_BYTES)
    yield row.body.subarray(at - start, end - start)
    at = end
  }
}
