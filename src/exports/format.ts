// Turns a slice of rows into a piece of the file. NDJSON of whole resources is passed on as the database joined it, undecoded.
import { parseFields } from '../ingress/fields.ts'
import { invalid } from '../problems.ts'
import { columnsOf, headerOf, lineOf } from './csv.ts'
import type { Exportable } from './exportable.ts'

export const FORMATS = ['ndjson', 'csv'] as const
export type Format = (typeof FORMATS)[number]

export const MEDIA_TYPES: Record<Format, string> = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv; charset=utf-8; header=present',
}

export interface Form {
  format: Format
  /** A comma list of paths; the whole resource unless given. */
  fields?: string | undefined
  /** A byte order mark, by which spreadsheets tell UTF-8. */
  bom?: boolean | undefined
}

export interface Formatter {
  /** The opening bytes of the file. */
  head: Buffer
  /** @param ndjson rows of the resource */
  piece(ndjson: Buffer): Buffer
  /** How many bytes to read at a time. */
  sliceBytes: number
}

/** A slice that is passed on undecoded: large enough to cost less than a plain COPY, small enough to hold several. */
const RAW_SLICE_BYTES = 2 * 1024 ** 2
/** A slice that is decoded, which blocks other requests for about 5 ms. */
const DECODED_SLICE_BYTES = 256 * 1024

/** @throws {Problem} 422 for fields that the resource does not have, and for a byte order mark in JSON */
export function formatter({ item }: Exportable, { format, fields, bom = false }: Form): Formatter {
  const project = fields === undefined ? undefined : parseFields(fields, item)
  if (format === 'csv') {
    const columns = columnsOf(
      item,
      fields?.split(',').map(path => path.trim()),
    )
    return {
      head: Buffer.from((bom ? '\ufeff' : '') + headerOf(columns)),
      piece: ndjson => joined(ndjson, row => lineOf(columns, row)),
      sliceBytes: DECODED_SLICE_BYTES,
    }
  }
  if (bom) throw invalid({ field: 'bom', code: 'not_offered', message: 'is for CSV; JSON has no byte order mark.' })
  const head = Buffer.alloc(0)
  if (!project) return { head, piece: ndjson => ndjson, sliceBytes: RAW_SLICE_BYTES }
  return { head, piece: ndjson => joined(ndjson, row => `${JSON.stringify(project(row))}\n`), sliceBytes: DECODED_SLICE_BYTES }
}

// A line feed in a text is escaped by JSON, so every line is a row.
const joined = (ndjson: Buffer, write: (row: unknown) => string): Buffer =>
  Buffer.from((JSON.parse(`[${ndjson.toString('utf8', 0, ndjson.length - 1).replaceAll('\n', ',')}]`) as unknown[]).map(write).join(''))
