// Rows as parameters: an array for each column, as text in PostgreSQL's array syntax. The driver's own arrays take each value through two regular
// expressions, which costs more than inserting the rows; and rows as JSON take PostgreSQL twice as long to read.
//
// Rows that are written or joined go as `columns`; a longer list of one column, such as ids for `= any`, as `arrayText`. A handful of values from a
// caller, such as the filters of a list, may go as an array of the driver's: there the cost cannot be measured, and it reads better.
import { type Fragment, part } from './sql.ts'

type Value = string | number | boolean | null
/** `json`: texts in JSON, for columns of text. */
type Type = 'text' | 'date' | 'numeric' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb' | 'json'

export interface Columns<Row> {
  /** The columns' names, for an insert. */
  names: Fragment
  /** The rows as a table `r`, in the order given, for the `from` of a statement. */
  of(rows: Row[]): Fragment
  /** The same, with the number of each row, from one on, as `n`. */
  numbered(rows: Row[]): Fragment
  /** As `numbered`, to be read once. A lone row is values without arrays: to take these apart costs more than to insert it. */
  few(rows: Row[]): Fragment
}

/** @param types the type of each column */
export function columns<Name extends string>(types: Record<Name, Type>): Columns<Record<Name, Value>> {
  const names = Object.keys(types) as Name[]
  // Cast twice, or the driver would make an array of the text.
  const values = names.map(name =>
    isJson(types[name]) ? JSON_TEXTS + (types[name] === 'jsonb' ? '::jsonb[]' : '') : `?::text::${types[name]}[]`,
  )
  const listed = names.map(name => `"${name}"`).join(', ')
  const plain = templateOf(`unnest(${values.join(', ')}) as r (${listed})`)
  const numbered = templateOf(`unnest(${values.join(', ')}) with ordinality as r (${listed}, n)`)
  const lone = templateOf(`(select ${names.map(name => `${castOf(types[name])} as "${name}"`).join(', ')}, 1 as n) as r`)
  const parameters = (rows: Record<Name, Value>[]): string[] =>
    names.map(name => (isJson(types[name]) ? jsonTexts : arrayText)(rows.map(row => row[name])))
  return {
    names: listOf(names),
    of: rows => part(plain, ...parameters(rows)),
    numbered: rows => part(numbered, ...parameters(rows)),
    few: rows => {
      const [row, more] = rows
      return row && !more ? part(lone, ...names.map(name => textOf(row[name]))) : part(numbered, ...parameters(rows))
    },
  }
}

/**
 * Names of columns, as a part of a statement. The driver's own list looks through the whole statement before it, several times, for what it is a list of.
 * @param row the name of the row that has the columns
 */
export const listOf = (names: readonly string[], row?: string): Fragment =>
  part(templateOf(names.map(name => (row === undefined ? `"${name}"` : `${row}."${name}"`)).join(', ')))

/** That two rows have the same values in these columns, as a part of a statement. */
export const sameIn = (names: readonly string[], one: string, other: string): Fragment =>
  part(templateOf(names.map(name => `${one}."${name}" = ${other}."${name}"`).join(' and ')))

// The template of a fragment, made once so that its text is made once.
function templateOf(text: string): TemplateStringsArray {
  const texts = text.split('?')
  return Object.assign(texts, { raw: texts })
}

const castOf = (type: Type): string => (type === 'json' || type === 'text' ? '?::text' : `?::text::${type}`)
const textOf = (value: Value | undefined): string | null => (value === null || value === undefined ? null : String(value))

const isJson = (type: Type): boolean => type === 'json' || type === 'jsonb'

// JSON texts are joined by a character that JSON never contains, so neither side has to parse an array. An empty text stands for null.
const jsonTexts = (values: (Value | undefined)[]): string => values.map(each => each ?? '').join('\u001f')
const JSON_TEXTS = `string_to_array(?::text, E'\\x1f', '')`

/** An array in SQL's syntax, `{"a",null}`: to be sent as text and cast to the array's type. */
export function arrayText(values: readonly (Value | undefined)[]): string {
  // JSON writes quotes, backslashes, numbers and null as SQL arrays do.
  if (!values.some(isOtherwiseInJson)) return `{${JSON.stringify(values).slice(1, -1)}}`
  return `{${values.map(each => (typeof each === 'string' ? `"${each.replaceAll(/["\\]/g, '\\$&')}"` : String(each ?? null))).join()}}`
}

// JSON escapes these by letters (\n, \ud83d for half a character), which an SQL array would take for the letters themselves.
const isOtherwiseInJson = (each: Value | undefined): boolean => typeof each === 'string' && (CONTROL.test(each) || !each.isWellFormed())

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f]/
