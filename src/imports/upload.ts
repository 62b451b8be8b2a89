// Stores a file as it arrives: read piece by piece, kept in chunks, never whole in memory. No row is applied before the file is complete.

import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import type { Ref } from '../ids.ts'
import { yielding } from '../ingress/yielding.ts'
import type { Sql } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import { holdBytes, quotaReached, tooManyBytes } from '../tenants/quota.ts'
import * as chunks from './chunk-store.ts'
import * as errors from './error-store.ts'
import { csvRows, type Delimiter } from './file/csv.ts'
import { asUtf8, type Encoding } from './file/encoding.ts'
import { ndjsonRows } from './file/ndjson.ts'
import { NEWLINE, type Refused, ROW_BYTES, type Rows } from './file/row.ts'
import { IMPORTABLE } from './importable.ts'
import type { Format, Resource } from './schema.ts'
import * as store from './store.ts'

/** A file that arrives. */
export interface Source {
  bytes: AsyncIterable<Buffer>
  resource: Resource
  format: Format
  encoding?: Encoding
  delimiter?: Delimiter
}

/** Rows of a chunk: about as many as one transaction should write. */
const CHUNK_ROWS = 1_000
/** Bytes of a chunk, where rows are large. */
const CHUNK_BYTES = ROW_BYTES
/** A piece of CSV is half a millisecond of work, or some ten milliseconds if each of its thousand rows is wrong. */
const PIECE_BYTES = 4 * 1024
/** How long an upload computes before other requests run. */
const SLICE_MS = 2
/** How often an upload records that it lives. */
const TOUCH_MS = 1_000

/** What the workspace has room for. */
export interface Room {
  /** How many bytes of the file fit before the room is checked again. */
  bytes: number
  /** How many bytes of uploads and exports the workspace may keep. */
  storedBytes: number
}

/**
 * Stores the whole file.
 * @returns its length in bytes
 * @throws {Problem} 422 for a file that cannot be read in its format; 409 when the import is cancelled meanwhile, or has too many bytes
 */
export async function receive(sql: Sql, ref: Ref, source: Source, { bytes, storedBytes }: Room): Promise<number> {
  const file: Growing = { bytes: 0, fits: bytes, hold }
  const touching = setInterval(() => void store.touch(sql, ref, file.bytes).catch(() => {}), TOUCH_MS)
  try {
    await keepAll(sql, ref, { ...source, bytes: gathered(source.bytes, file) })
    await hold()
    return file.bytes
  } finally {
    clearInterval(touching)
  }

  async function hold(): Promise<void> {
    const more = await holdBytes(sql, ref.tenant, storedBytes, {
      grown: tx => store.touch(tx, ref, file.bytes),
      end: tx => store.end(tx, ref, 'failed', tooManyBytes(storedBytes)),
    })
    if (more === undefined) throw quotaReached(tooManyBytes(storedBytes).message, storedBytes)
    file.fits = file.bytes + more
  }
}

/** A file that is arriving. */
interface Growing {
  bytes: number
  /** The length up to which it is known to fit. */
  fits: number
  /** Checks the room again. @throws {Problem} 409 */
  hold(): Promise<void>
}

async function keepAll(sql: Sql, ref: Ref, source: Source): Promise<void> {
  const { keys } = IMPORTABLE[source.resource]
  // One chunk is stored while the next is read, so no more than two are in memory. Each buffer has room for one row past a full chunk.
  const [first, second] = [Buffer.allocUnsafe(CHUNK_BYTES + ROW_BYTES + 1), Buffer.allocUnsafe(CHUNK_BYTES + ROW_BYTES + 1)]
  let number = 0
  let draft = emptyDraft(first)
  let storing = Promise.resolve()
  const flush = async (): Promise<void> => {
    const full = draft
    await storing
    draft = emptyDraft(full.text === first ? second : first)
    storing = storeChunk(sql, ref, ++number, full)
    // Until it is awaited, a rejection must not count as unhandled.
    storing.catch(() => {})
  }
  for await (const { good, bad } of rowsOf(source)) {
    for (const { line, text, value } of good) {
      draft.lines.push(line)
      draft.keys.push(...keys(value))
      draft.length += draft.text.write(text, draft.length)
      draft.text[draft.length++] = NEWLINE
      if (draft.lines.length >= CHUNK_ROWS || draft.length >= CHUNK_BYTES) await flush()
    }
    for (const each of bad) {
      draft.refused.push(each)
      if (draft.refused.length >= CHUNK_ROWS) await flush()
    }
  }
  if (number === 0 && draft.lines.length + draft.refused.length === 0) throw empty()
  await flush()
  await storing
}

const empty = (): Problem => invalid({ field: '', code: 'empty_file', message: 'The file holds no row.' })

/** A chunk that is being filled. */
interface Draft extends Pick<chunks.NewChunk, 'lines' | 'keys'> {
  /** Rows, a line each, up to `length`. A buffer off the heap, for texts that live this long are expensive to collect. */
  text: Buffer
  length: number
  refused: Refused[]
}
const emptyDraft = (text: Buffer): Draft => ({ lines: [], keys: [], text, length: 0, refused: [] })

function rowsOf({ bytes, resource, format, encoding, delimiter }: Source): AsyncIterable<Rows> {
  const utf8 = paced(asUtf8(bytes, encoding))
  return format === 'csv' ? csvRows(utf8, IMPORTABLE[resource].shape, delimiter) : ndjsonRows(utf8)
}

// Joins small pieces: a file may arrive a byte at a time, and each piece costs some work.
async function* gathered(bytes: AsyncIterable<Buffer>, file: Growing): AsyncGenerator<Buffer> {
  let [few, length]: [Buffer[], number] = [[], 0]
  for await (const piece of bytes) {
    file.bytes += piece.length
    if (file.bytes > file.fits) await file.hold()
    few.push(piece)
    length += piece.length
    if (length < PIECE_BYTES) continue
    yield few.length === 1 ? piece : Buffer.concat(few)
    ;[few, length] = [[], 0]
  }
  if (length > 0) yield Buffer.concat(few)
}

// Splits the file into small pieces, between which other requests run.
async function* paced(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const othersFirst = yielding(SLICE_MS)
  for await (const piece of bytes) {
    for (let from = 0; from < piece.length; from += PIECE_BYTES) {
      yield piece.subarray(from, from + PIECE_BYTES)
      await othersFirst()
    }
  }
}

async function storeChunk(sql: Sql, ref: Ref, number: number, draft: Draft): Promise<void> {
  const { lines, keys, text, length, refused } = draft
  if (refused.length > 0) await errors.record(sql, ref, refused, refused.length)
  if (lines.length === 0) return
  const body = await compress(text.subarray(0, length), FAST)
  if (!(await chunks.insert(sql, ref, { number, lines, keys, body }))) throw cancelled()
}

export const cancelled = (): Problem =>
  new Problem('conflict', 'The import was cancelled while its file was sent.', { code: 'import_cancelled' })

const compress = promisify(zstdCompress) as (text: Buffer, options: object) => Promise<Buffer>
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
