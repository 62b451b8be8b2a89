// The columns of a CSV file: a header names a field by its path, and the field's schema determines how its cells are read.
import { unmarked } from '../../exports/csv.ts'
import { excessOf } from '../../ingress/json.ts'
import { readJson } from '../../json.ts'
import { CSV_COLUMN_CHARS, CSV_COLUMNS_MAX } from '../../limits/imports.ts'
import { type FieldError, fieldOf, invalid } from '../../problems.ts'
import { notTaken, type Shape } from './shape.ts'

/** Puts a cell into the row. Undefined: the column is not read. */
export type Column = ((row: Record<string, unknown>, cell: string) => void) | undefined

/** Names that exports of other systems give to these fields. */
const ALIASES = new Map([
  ['title', 'name'],
  ['full_name', 'name'],
  ['e_mail', 'email'],
  ['email_address', 'email'],
  ['phone_number', 'phone'],
  ['quantity_in_stock', 'stock'],
  ['inventory', 'stock'],
])

/** The highest index in a header; deeper or longer lists are given as JSON in one cell. */
const INDEX_MAX = 99

/** @throws {Problem} 422 naming the columns that are unknown or given twice; for more columns than are read */
export function columnsOf(headers: string[], shape: Shape): Column[] {
  if (headers.length > CSV_COLUMNS_MAX)
    throw invalid({
      field: '',
      code: 'too_many_columns',
      message: `The file has ${headers.length} columns; at most ${CSV_COLUMNS_MAX} are read.`,
    })
  const errors: FieldError[] = []
  const answers: string[] = []
  const seen = new Set<string>()
  const columns = headers.map(header => {
    const name = header.trim()
    const path = pathOf(name, shape)
    if (path === 'answer') answers.push(name)
    if (path === 'answer' || path === 'nameless') return undefined
    if (!path) {
      errors.push({
        field: fieldOf([name]),
        code: 'unknown_column',
        message: `is not a column here; known are ${known(shape).join(', ')}.`,
      })
      return undefined
    }
    const key = path.at.join('.')
    if (seen.has(key)) errors.push({ field: fieldOf([name]), code: 'duplicate_column', message: 'is given twice.' })
    seen.add(key)
    return setter(path)
  })
  if (shape.exported === 'refused' && answers.length > 0) errors.unshift(notTaken(answers))
  if (seen.size === 0 && errors.length === 0)
    errors.push({ field: '', code: 'empty_file', message: 'The file has no column that is read.' })
  if (errors.length > 0) throw invalid(errors)
  return columns
}

/** How many of the headers are known: this number tells the delimiter. */
export const understood = (headers: string[], shape: Shape): number => headers.filter(header => pathOf(header.trim(), shape)).length

const known = ({ schema }: Shape): string[] => Object.keys((schema as Node).properties ?? {})

interface Node {
  type?: string | string[]
  properties?: Record<string, Node>
  additionalProperties?: Node | boolean
  items?: Node
}
interface Path {
  at: (string | number)[]
  leaf: Node
}

/** @returns where the column's cells go; that answers alone have it; or undefined: it is not known */
function pathOf(name: string, { schema, answer }: Shape): Path | 'answer' | 'nameless' | undefined {
  // Refused, for the name would be stored again in each row.
  if (name.length > CSV_COLUMN_CHARS) return undefined
  const plain = name.toLowerCase().replaceAll(/[\s-]+/g, '_')
  // Spreadsheets leave columns without a name at the end of every line.
  if (name === '') return 'nameless'
  for (const spelled of [name, plain, ALIASES.get(plain)]) {
    const steps = spelled?.split(/\.|\[(?=\d+\])|\](?=\.|\[|$)/).filter(Boolean)
    const found = steps && walk(schema as Node, steps)
    if (found) return found
    if (steps && walk(answer as Node, steps)) return 'answer'
  }
  return undefined
}

function walk(node: Node, steps: string[]): Path | undefined {
  const at: (string | number)[] = []
  let leaf: Node = node
  for (const [index, step] of steps.entries()) {
    if (leaf.properties) {
      if (!Object.hasOwn(leaf.properties, step)) return undefined
      leaf = leaf.properties[step] as Node
      at.push(step)
    } else if (leaf.items && /^\d{1,3}$/.test(step) && Number(step) <= INDEX_MAX) {
      leaf = leaf.items
      at.push(Number(step))
    } else if (typeof leaf.additionalProperties === 'object') {
      // The rest of the path is the tenant's own name, dots included.
      const own = steps.slice(index).join('.')
      return own === '__proto__' ? undefined : { at: [...at, own], leaf: leaf.additionalProperties }
    } else return undefined
  }
  return at.length > 0 ? { at, leaf } : undefined
}

const setter =
  ({ at, leaf }: Path): Column =>
  (row, cell) => {
    // An empty cell leaves the field out.
    if (cell === '') return
    let place = row as Record<string | number, unknown>
    for (const [index, step] of at.slice(0, -1).entries()) {
      place[step] ??= typeof at[index + 1] === 'number' ? [] : {}
      place = place[step] as Record<string | number, unknown>
      // Another column gave the parent a value that has no such part: the schema will refuse that value.
      if (typeof place !== 'object') return
    }
    place[at.at(-1) as string] = interpret(leaf, cell, at)
  }

// A cell without the form of its type stays text, and the schema refuses it under the field's name.
function interpret(leaf: Node, cell: string, at: Path['at']): unknown {
  const { type, items } = leaf
  const types = [type].flat()
  if (types.includes('integer') && /^-?\d{1,15}$/.test(cell.trim())) return Number(cell)
  if (types.includes('boolean') && /^(true|false)$/i.test(cell.trim())) return cell.trim().toLowerCase() === 'true'
  if ((types.includes('array') && cell.trimStart().startsWith('[')) || (types.includes('object') && cell.trimStart().startsWith('{')))
    return json(cell, at)
  if (types.includes('array') && [items?.type].flat().includes('string'))
    return cell
      .split(',')
      .map(part => part.trim())
      .filter(Boolean)
  return unmarked(cell)
}

/** @throws {Problem} 422 for more than a row may hold */
function json(cell: string, at: Path['at']): unknown {
  const excess = excessOf(cell)
  if (excess) throw invalid({ field: fieldOf(at), ...excess })
  try {
    return readJson(cell)
  } catch {
    return cell
  }
}
