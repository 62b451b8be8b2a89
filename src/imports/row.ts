// What a file is made of, whatever its format: rows, each on its line, and what is wrong with those that are none.
import type { FieldError } from '../problems.ts'

export interface Row {
  /** The line it begins on; the first is 1. */
  line: number
  /** JSON, on one line. */
  text: string
  value: unknown
}

export interface Refused {
  line: number
  errors: FieldError[]
}

/** What a piece of the file held, in the order of its lines. */
export interface Rows {
  good: Row[]
  bad: Refused[]
}

/** One row longer than this is refused: rows are held in memory, files are not. */
export const ROW_BYTES = 1024 * 1024

export const refused = (line: number, code: string, message: string, field = ''): Refused => ({ line, errors: [{ field, code, message }] })

export const tooLong = (line: number): Refused => refused(line, 'row_too_long', `has more than ${ROW_BYTES} bytes.`)

export const wrongEncoding = (line: number): Refused =>
  refused(line, 'wrong_encoding', 'is not valid UTF-8: save the file as UTF-8, or say what it is with encoding=windows-1252.')

export const NEWLINE = 0x0a

/** How many line ends these bytes hold. */
export function newlines(bytes: Buffer): number {
  let found = 0
  for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, at + 1)) found++
  return found
}
