// Writes CSV (RFC 4180): the columns of a resource and the text of each cell. Text that a spreadsheet would run as a formula is marked.
import type { TSchema } from 'typebox'

export interface Column {
  /** The path, as in `fields`: customer.email */
  name: string
  path: string[]
}

interface Node {
  type?: string | string[]
  properties?: Record<string, Node>
  items?: Node
}

/**
 * One column for each value that is not an object with known fields; lists and dictionaries are one cell of JSON.
 * @param paths of the fields to include; objects are split into their fields. Default: the whole resource
 */
export function columnsOf(item: TSchema, paths?: string[]): Column[] {
  const found = paths ? paths.flatMap(path => within(at(item as Node, path.split('.')), path.split('.'))) : within(item as Node, [])
  // Left out: `object` has the same value in every row.
  const telling = paths ? found : found.filter(({ name }) => name !== 'object')
  return [...new Map(telling.map(column => [column.name, column])).values()]
}

const at = (node: Node, path: string[]): Node => path.reduce((inner: Node, name) => (inner.items ?? inner).properties?.[name] ?? {}, node)

function within({ properties }: Node, path: string[]): Column[] {
  if (!properties) return [{ name: path.join('.'), path }]
  return Object.entries(properties).flatMap(([name, node]) => within(node, [...path, name]))
}

export const headerOf = (columns: Column[]): string => line(columns.map(({ name }) => quoted(name)))

export const lineOf = (columns: Column[], row: unknown): string => line(columns.map(({ path }) => cell(valueAt(row, path, 0))))

const line = (cells: string[]): string => `${cells.join(',')}\r\n`

// A path through a list gives the values of all its elements.
function valueAt(value: unknown, path: string[], step: number): unknown {
  if (step === path.length || value === null || value === undefined) return value
  if (Array.isArray(value)) return value.map(item => valueAt(item, path, step))
  return valueAt((value as Record<string, unknown>)[path[step] as string], path, step + 1)
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return quoted(marked(value))
  return typeof value === 'object' ? quoted(JSON.stringify(value)) : String(value)
}

/** Text that a spreadsheet would take for a formula gets an apostrophe. Text that already looks so marked gets one more, so that it can be told apart. */
const marked = (text: string): string => (FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text)

/** The original text of a marked cell. */
export const unmarked = (cell: string): string => (cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell)

/** Spreadsheets trim blanks, invisible ones too, and read full-width signs like ASCII ones. */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Cc}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠])/u
/** A number is no formula, nor is a telephone number. */
const NUMBER = /^[+-]\d+(\.\d+)?$/

// Quotes also text that another separator would split, and text whose outer spaces would be trimmed.
const quoted = (text: string): string => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
