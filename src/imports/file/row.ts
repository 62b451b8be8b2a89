// The rows of a file, whatever its format: each with its line, and the errors of lines that are no valid row.
import type { FieldError, Problem } from '../../problems.ts'

export interface Row {
  /** The line on which the row begins; the first is 1. */
  line: number
  /** JSON, on one line, of at most ROW_BYTES. */
  text: string
  value: unknown
}

export interface Refused {
  line: number
  errors: FieldError[]
}

/** The rows of a piece of the file, in the order of its lines. */
export interface Rows {
  good: Row[]
  bad: Refused[]
}

/** A longer row is refused: rows are held in memory, files are not. */
export const ROW_BYTES = 1024 * 1024

export const refused = (line: number, code: string, message: string, field = ''): Refused => ({ line, errors: [{ field, code, message }] })

/** How many errors of one row are reported. */
export const ERRORS_OF_ROW = 10

/** The errors of a row from its problem: the field errors, or else the problem itself. */
export function errorsOf({ message, members }: Problem): FieldError[] {
  const { errors, code = 'conflict', field = '' } = members as { errors?: FieldError[]; code?: string; field?: string }
  return errors?.slice(0, ERRORS_OF_ROW) ?? [{ field, code, message }]
}

export const tooLong = (line: number): Refused => refused(line, 'row_too_long', `has more than ${ROW_BYTES} bytes.`)

export const wrongEncoding = (line: number): Refused =>
  refused(
    line,
    'wrong_encoding',
    'is not valid UTF-8: save the file as UTF-8, or name its encoding, such as encoding=windows-1251 or windows-1252.',
  )

export const NEWLINE = 0x0a
export const RETURN = 0x0d

/** How many line ends these bytes hold. @param end the byte that ends a line */
export function lineEnds(bytes: Buffer, end: number): number {
  let found = 0
  for (let at = bytes.indexOf(end); at >= 0; at = bytes.indexOf(end, at + 1)) found++
  return found
}
