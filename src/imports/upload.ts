// A file on its way into the store: read as it comes, kept in chunks, never held whole. Nothing is applied before all of it is here.
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Sql } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import * as chunks from './chunk-store.ts'
import { csvRows, type Delimiter } from './csv.ts'
import { asUtf8, type Encoding } from './encoding.ts'
import * as errors from './error-store.ts'
import { ndjsonRows } from './ndjson.ts'
import { IMPORTABLE } from './resources.ts'
import { type Refused, ROW_BYTES, type Row, type Rows } from './row.ts'
import type { Format, Resource } from './schema.ts'
import * as store from './store.ts'

/** A file, as it comes. */
export interface Source {
  bytes: AsyncIterable<Buffer>
  resource: Resource
  format: Format
  encoding?: Encoding
  delimiter?: Delimiter
}

/** Rows of a chunk: about what one transaction writes. */
export const CHUNK_ROWS = 1_000
/** Or so much text, where rows are large. */
const CHUNK_CHARS = ROW_BYTES
/** How often an upload says that it lives. */
const TOUCH_MS = 5_000

/**
 * Keeps all of the file.
 * @returns its length in bytes
 * @throws {Problem} 422 for a file that cannot be read as what it is said to be; 409 when the import is cancelled meanwhile
 */
export async function receive(sql: Sql, ref: store.ImportRef, source: Source): Promise<number> {
  const touching = setInterval(() => void store.touch(sql, ref).catch(() => {}), TOUCH_MS)
  try {
    return await keepAll(sql, ref, source)
  } finally {
    clearInterval(touching)
  }
}

async function keepAll(sql: Sql, ref: store.ImportRef, source: Source): Promise<number> {
  const { keys } = IMPORTABLE[source.resource]
  const file = { bytes: 0 }
  const pending = { rows: [] as Row[], refused: [] as Refused[], chars: 0, bytes: 0 }
  let number = 0
  let empty = true
  // One chunk is stored while the next is read: no more is ever in memory.
  let storing = Promise.resolve()
  const flush = async (): Promise<void> => {
    await storing
    const { rows, refused } = pending
    const bytes = file.bytes - pending.bytes
    Object.assign(pending, { rows: [], refused: [], chars: 0, bytes: file.bytes })
    storing = storeChunk(sql, ref, { number: ++number, rows, refused, bytes, keys })
    // Whoever awaits it hears of it; until then it must not count as unheard.
    storing.catch(() => {})
  }
  for await (const { good, bad } of rowsOf(source, counted(source.bytes, file))) {
    for (const row of good) {
      pending.rows.push(row)
      pending.chars += row.text.length
      if (pending.rows.length >= CHUNK_ROWS || pending.chars >= CHUNK_CHARS) await flush()
    }
    pending.refused.push(...bad)
    if (pending.refused.length >= CHUNK_ROWS) await flush()
    empty &&= good.length + bad.length === 0
  }
  if (empty) throw invalid({ field: '', code: 'empty_file', message: 'The file holds no row.' })
  await flush()
  await storing
  return file.bytes
}

function rowsOf({ resource, format, encoding, delimiter }: Source, bytes: AsyncIterable<Buffer>): AsyncIterable<Rows> {
  const utf8 = asUtf8(bytes, encoding)
  return format === 'csv' ? csvRows(utf8, IMPORTABLE[resource].shape, delimiter) : ndjsonRows(utf8)
}

async function* counted(bytes: AsyncIterable<Buffer>, file: { bytes: number }): AsyncGenerator<Buffer> {
  for await (const piece of bytes) {
    file.bytes += piece.length
    yield piece
  }
}

interface Part {
  number: number
  rows: Row[]
  refused: Refused[]
  bytes: number
  keys: (value: unknown) => (string | null)[]
}

async function storeChunk(sql: Sql, ref: store.ImportRef, { number, rows, refused, bytes, keys }: Part): Promise<void> {
  if (refused.length > 0) await errors.record(sql, ref, refused, refused.length)
  if (rows.length === 0) return
  const body = await compress(rows.map(row => row.text).join('\n'), FAST)
  const kept = { number, lines: rows.map(row => row.line), keys: rows.flatMap(row => keys(row.value)), bytes, body }
  if (!(await chunks.insert(sql, ref, kept))) throw cancelled()
}

export const cancelled = (): Problem =>
  new Problem('conflict', 'The import was cancelled while its file was sent.', { code: 'import_cancelled' })

const compress = promisify(zstdCompress) as (text: string, options: object) => Promise<Buffer>
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
