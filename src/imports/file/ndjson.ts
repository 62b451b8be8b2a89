// Reads NDJSON, a JSON value on each line. Empty lines count as lines and hold no row.

import { isUtf8 } from 'node:buffer'
import { excessOf } from '../../ingress/json.ts'
import { readJson } from '../../json.ts'
import { lineEnds, NEWLINE, type Refused, ROW_BYTES, type Row, type Rows, refused, tooLong, wrongEncoding } from './row.ts'

/** @param bytes UTF-8 in pieces of any size */
export async function* ndjsonRows(bytes: AsyncIterable<Buffer>): AsyncGenerator<Rows> {
  let line = 1
  let rest: Buffer[] = []
  // True within a line that is too long: only its number is kept.
  let skipping = false
  for await (const piece of bytes) {
    let from = 0
    if (skipping) {
      from = piece.indexOf(NEWLINE) + 1
      if (from === 0) continue
      line++
      skipping = false
    }
    const last = piece.lastIndexOf(NEWLINE)
    if (last >= from) {
      const whole = Buffer.concat([...rest, piece.subarray(from, last)])
      yield readLines(whole, line)
      line += lineEnds(whole, NEWLINE) + 1
      rest = []
      from = last + 1
    }
    rest.push(piece.subarray(from))
    if (rest.reduce((sum, each) => sum + each.length, 0) <= ROW_BYTES) continue
    yield { good: [], bad: [tooLong(line)] }
    rest = []
    skipping = true
  }
  if (!skipping) yield readLines(Buffer.concat(rest), line)
}

function readLines(bytes: Buffer, first: number): Rows {
  const rows: Rows = { good: [], bad: [] }
  // Nearly always all bytes are valid, and one decoding serves all lines.
  if (isUtf8(bytes)) for (const [index, text] of bytes.toString().split('\n').entries()) readLine(text, first + index, rows)
  else for (const [index, each] of linesOf(bytes).entries()) readBytes(each, first + index, rows)
  return rows
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let from = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
    lines.push(bytes.subarray(from, at))
    from = at + 1
  }
  return [...lines, bytes.subarray(from)]
}

function readBytes(bytes: Buffer, line: number, rows: Rows): void {
  if (isUtf8(bytes)) readLine(bytes.toString(), line, rows)
  else rows.bad.push(wrongEncoding(line))
}

function readLine(text: string, line: number, { good, bad }: Rows): void {
  if (text.trim() === '') return
  if (Buffer.byteLength(text) > ROW_BYTES) bad.push(tooLong(line))
  else {
    const row = parse(text, line)
    if ('text' in row) good.push(row)
    else bad.push(row)
  }
}

function parse(text: string, line: number): Row | Refused {
  const excess = excessOf(text)
  if (excess) return refused(line, excess.code, excess.message)
  try {
    return { line, text, value: readJson(text) }
  } catch (error) {
    const reason = (error as Error).message.replace(/(\.\.\.)?"[\s\S]*"(\.\.\.)? is not valid JSON/, 'it is not valid JSON')
    return refused(line, 'malformed_json', `is not one JSON value: ${reason.slice(0, 200)}.`)
  }
}
