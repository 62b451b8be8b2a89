// Reads CSV, a header and rows, with csv-parse. Rows become the JSON that a REST request would hold.
import { isUtf8 } from 'node:buffer'
import { setImmediate as immediate } from 'node:timers/promises'
import type { CsvError, Info, Parser } from 'csv-parse'
import { excessOf, refuseUnstorable } from '../../ingress/json.ts'
import { CSV_COLUMNS_MAX } from '../../limits/imports.ts'
import { attempt, Problem } from '../../problems.ts'
import { type Column, columnsOf, understood } from './columns.ts'
import { HEAD_BYTES } from './encoding.ts'
import { errorsOf, lineEnds, NEWLINE, RETURN, ROW_BYTES, type Row, type Rows, refused, tooLong, wrongEncoding } from './row.ts'
import type { Shape } from './shape.ts'

export const DELIMITERS = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' } as const
export type Delimiter = keyof typeof DELIMITERS

interface Parsed {
  record: string[]
  info: Info
}

/**
 * @param bytes UTF-8 in pieces of any size
 * @param delimiter undefined: the one that a line `sep=` names, else the one by which most headers of the first line are known
 * @throws {Problem} 422 for columns that cannot be read
 */
export async function* csvRows(bytes: AsyncIterable<Buffer>, shape: Shape, delimiter: Delimiter | undefined): AsyncGenerator<Rows> {
  const { Parser } = await import('csv-parse')
  let reader: ReturnType<typeof openReader> | undefined
  for await (const piece of withWholeHead(bytes)) {
    reader ??= openReader(Parser, shape, delimiter ? DELIMITERS[delimiter] : delimiterOf(piece, shape), endsByReturns(piece))
    yield reader.read(piece)
    if (reader.stuck()) return yield { good: [], bad: [reader.stuckRow()] }
  }
  if (!reader) columnsOf([], shape)
  else yield await reader.end()
}

// Joins pieces so that the first one holds the whole header line, which empty ones may precede.
async function* withWholeHead(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of bytes) {
    if (head) head = Buffer.concat([head, piece])
    if (head && head.length < HEAD_BYTES && !headerIn(head).includes('\n')) continue
    yield head ?? piece
    head = undefined
  }
  if (head && head.length > 0) yield head
}

/** Programs that write for Excel tell it the delimiter by such a line above the header. */
const SEPARATOR = /^\s*"?sep=(.)"?[ \t]*(?:\r\n|\r|\n|$)/i

const headerIn = (head: Buffer): string => head.toString().replace(SEPARATOR, '').trimStart()

function delimiterOf(head: Buffer, shape: Shape): string {
  const known = Object.values(DELIMITERS)
  const named = known.find(each => each === SEPARATOR.exec(head.toString())?.[1])
  if (named) return named
  const [line = ''] = headerIn(head).split(/\r?\n|\r/, 1)
  const names = (delimiter: string) => line.split(delimiter, CSV_COLUMNS_MAX + 1).map(name => name.trim().replace(/^"(.*)"$/, '$1'))
  const ranked = known.map(each => ({ each, score: understood(names(each), shape), count: names(each).length }))
  return (ranked.sort((a, b) => b.score - a.score || b.count - a.count)[0] as { each: string }).each
}

// Old Macintosh programs end lines so. Others end them by a line feed, with a return or two before it or none: files that were put together have several.
const endsByReturns = (head: Buffer): boolean =>
  /\r\r?\n|\r|\n/.exec(
    head
      .toString()
      .replaceAll(/"[^"]*"/g, '')
      .trimStart(),
  )?.[0] === '\r'

function openReader(Of: typeof Parser, shape: Shape, delimiter: string, byReturns: boolean) {
  const ends = byReturns ? ['\r'] : ['\r\r\n', '\r\n', '\n']
  const form = { delimiter, record_delimiter: ends, relax_quotes: true, relax_column_count: true } as const
  const parser = new Of({ ...form, info: true, encoding: 'utf8' })
  // `end` reports the error; without this listener it would end the process.
  let failure: CsvError | undefined
  parser.on('error', (error: CsvError) => {
    failure = error
  })
  let columns: Column[] | undefined
  // The bytes since the last record, for counting lines: csv-parse counts lines wrongly for quoted CRLF.
  let [unread, passed, line]: [Buffer, number, number] = [Buffer.alloc(0), 0, 1]

  function rows(): Rows {
    const found: Rows = { good: [], bad: [] }
    for (let each = parser.read() as Parsed | null; each; each = parser.read() as Parsed | null) {
      const at = line
      const bytes = unread.subarray(0, each.info.bytes - passed)
      line += lineEnds(bytes, byReturns ? RETURN : NEWLINE)
      unread = unread.subarray(bytes.length)
      passed = each.info.bytes
      if (isEmpty(each.record)) continue
      if (columns) take(each.record, bytes, at, columns, found)
      else if (!SEPARATOR.test(each.record.join(delimiter))) columns = columnsOf(each.record, shape)
    }
    return found
  }

  return {
    read(piece: Buffer): Rows {
      unread = unread.length > 0 ? Buffer.concat([unread, piece]) : piece
      parser.write(piece)
      return rows()
    },
    async end(): Promise<Rows> {
      parser.end()
      const found = rows()
      // The parser reports an error at the end a moment later.
      await immediate()
      if (failure?.code === 'CSV_QUOTE_NOT_CLOSED')
        found.bad.push(
          refused(line, 'quote_not_closed', 'opens a quote that is never closed; the file may be cut, or the quote a mistake.'),
        )
      else if (failure) throw failure
      else if (!columns) columnsOf([], shape)
      return found
    },
    stuck: () => unread.length > ROW_BYTES + HEAD_BYTES,
    stuckRow: () => tooLong(line),
  }
}

// An empty line, or one of empty cells, as spreadsheets leave them behind the last row.
const isEmpty = (cells: string[]): boolean => cells.every(cell => cell.trim() === '')

function take(cells: string[], bytes: Buffer, line: number, columns: Column[], { good, bad }: Rows): void {
  // Spreadsheets write empty cells as far as any line reaches.
  if (!isEmpty(cells.slice(columns.length)))
    return void bad.push(refused(line, 'too_many_cells', `has ${cells.length} cells under ${columns.length} columns.`))
  // What csv-parse cannot decode becomes this character, which a text may hold as well.
  if (cells.some(cell => cell.includes('\ufffd')) && !isUtf8(bytes)) return void bad.push(wrongEncoding(line))
  const value = attempt(() => rowOf(cells, columns))
  if (value instanceof Problem) return void bad.push({ line, errors: errorsOf(value) })
  const text = JSON.stringify(value)
  // Checked again, for JSON escapes a character with up to six bytes.
  if (Buffer.byteLength(text) > ROW_BYTES) return void bad.push(tooLong(line))
  const excess = excessOf(text)
  if (excess) return void bad.push(refused(line, excess.code, excess.message))
  good.push({ line, text, value } satisfies Row)
}

/** @throws {Problem} 422 for cells of JSON that cannot be stored; checked before JSON.stringify, which too deep a value would exhaust */
function rowOf(cells: string[], columns: Column[]): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [index, cell] of cells.entries()) columns[index]?.(value, cell)
  refuseUnstorable(value)
  return value
}
