// Reads the rows of a chunk, and checks them as a REST request is checked.
import { promisify } from 'node:util'
import { zstdDecompress } from 'node:zlib'
import { unstorable } from '../ingress/json.ts'
import { check } from '../ingress/validate.ts'
import { yielding } from '../ingress/yielding.ts'
import type { FieldError } from '../problems.ts'
import type { Chunk } from './chunk-store.ts'
import { ERRORS_OF_ROW, type Refused } from './file/row.ts'
import { answersIn, notTaken, takeOffAnswers } from './file/shape.ts'
import type { Importable } from './importable.ts'

export interface Prepared {
  number: number
  /** How many rows an earlier slice has applied. */
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
  const rows: Prepared['rows'] = []
  const othersFirst = yielding()
  for (const [index, line] of lines.entries()) {
    const repeat = repeats?.[index]
    rows.push(repeat ? { line, errors: [repeated(what, ...repeat)] } : checked(line, texts[index] as string, what))
    await othersFirst()
  }
  return { number, applied, rows }
}

// Finds the errors that a REST request with this row would get.
function checked(line: number, text: string, { shape }: Importable): Ready | Refused {
  const value: unknown = JSON.parse(text)
  const unkept = unstorable(value)
  const answers = shape.exported === 'refused' ? answersIn(value, shape) : []
  if (answers.length > 0) return { line, errors: [notTaken(answers)] }
  takeOffAnswers(value, shape)
  const errors = unkept.length > 0 ? unkept : check(shape.schema, value)
  return errors.length > 0 ? { line, errors: errors.slice(0, ERRORS_OF_ROW) } : { line, value }
}

const decompress = promisify(zstdDecompress)

const repeated = ({ unique }: Importable, kind: number, first: number): FieldError => ({
  field: unique[kind] as string,
  code: 'repeated_in_file',
  message: `is the same as on line ${first}; of rows that share it only the first is taken.`,
})
