// From a chunk to its rows: read, and checked as REST would check them.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { unstorable } from '../ingress/json.ts'
import { check } from '../ingress/validate.ts'
import type { FieldError } from '../problems.ts'
import type { Chunk } from './chunk-store.ts'
import type { Importable } from './resources.ts'
import type { Refused } from './row.ts'

export interface Prepared {
  number: number
  /** Rows up to here were applied by an earlier turn. */
  applied: number
  rows: (Ready | Refused)[]
}
export interface Ready {
  line: number
  value: unknown
}

export async function prepare(what: Importable, chunk: Chunk): Promise<Prepared> {
  const { number, applied, lines, repeats, body } = chunk
  const texts = (await decompress(body)).toString().split('\n')
  const rows = lines.map((line, index) => {
    const repeat = repeats?.[index]
    if (repeat) return { line, errors: [repeated(what, ...repeat)] }
    const value: unknown = JSON.parse(texts[index] as string)
    const errors = wrongWith(value, what)
    return errors.length > 0 ? { line, errors: errors.slice(0, ERRORS_OF_ROW) } : { line, value }
  })
  return { number, applied, rows }
}

// As REST would find it.
function wrongWith(value: unknown, { shape }: Importable): FieldError[] {
  const errors = unstorable(value)
  return errors.length > 0 ? errors : check(shape.schema, value)
}

const decompress = promisify(zstdDecompress)
/** Ten mistakes of one row are enough to mend it. */
export const ERRORS_OF_ROW = 10

const repeated = ({ unique }: Importable, kind: number, first: number): FieldError => ({
  field: unique[kind] as string,
  code: 'repeated_in_file',
  message: `is the same as on line ${first}; of rows that share it only the first is taken.`,
})
