// What a file is made of, whatever its format: rows, each on its line, and what is wrong with those that are none.
import type { FieldError, Problem } from '../problems.ts'

export interface Row {
  /** The line it begins on; the first is 1. */
  line: number
  /** JSON, on one line, of at most ROW_BYTES. */
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

/** Ten mistakes of one row are enough to mend it. */
export const ERRORS_OF_ROW = 10

/** What a refusal says of a row: its field errors, or the one thing that it is. */
export function errorsOf({ message, members }: Problem): FieldError[] {
  const { errors, code = 'conflict', field = '' } = members as { errors?: FieldError[]; code?: string; field?: string }
  return errors?.slice(0, ERRORS_OF_ROW) ?? [{ field, code, message }]
}

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
