// Rows as parameters: an array for each column, in PostgreSQL's own writing, made at once. The driver takes each value of an array through two
// regular expressions, which for a set of rows costs more than inserting it; and of rows as JSON PostgreSQL reads twice as long.
//
// Rows that are written or joined go as `columns`; the one column of a longer list, as ids for `= any`, as `arrayText`. A handful of values that a
// caller named, as the filters of a list are, may go as an array of the driver's: there it costs nothing that can be measured, and reads better.
import { type Fragment, part } from './sql.ts'

type Value = string | number | boolean | null
/** `json`: texts in JSON, for columns of text. */
type Type = 'text' | 'smallint' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb' | 'json'

export interface Columns<Row> {
  /** For the list of an insert. */
  names: Fragment
  /** The rows as a table `r`, in the order given, for the `from` of a statement. */
  of(rows: Row[]): Fragment
  /** The same, with the place of each row, from one on, as `n`. */
  numbered(rows: Row[]): Fragment
}

/** @param types of each column */
export function columns<Name extends string>(types: Record<Name, Type>): Columns<Record<Name, Value>> {
  const names = Object.keys(types) as Name[]
  // Cast twice, or the driver would make an array of the text.
  const values = names.map(name =>
    isJson(types[name]) ? JSON_TEXTS + (types[name] === 'jsonb' ? '::jsonb[]' : '') : `?::text::${types[name]}[]`,
  )
  const listed = names.map(name => `"${name}"`).join(', ')
  const plain = templateOf(`unnest(${values.join(', ')}) as r (${listed})`)
  const numbered = templateOf(`unnest(${values.join(', ')}) with ordinality as r (${listed}, n)`)
  const parameters = (rows: Record<Name, Value>[]): string[] =>
    names.map(name => (isJson(types[name]) ? jsonTexts : arrayText)(rows.map(row => row[name])))
  return {
    names: part(names as string[]) as unknown as Fragment,
    of: rows => part(plain, ...parameters(rows)),
    numbered: rows => part(numbered, ...parameters(rows)),
  }
}

// For one fragment, whose text is made once.
function templateOf(text: string): TemplateStringsArray {
  const texts = text.split('?')
  return Object.assign(texts, { raw: texts })
}

const isJson = (type: Type): boolean => type === 'json' || type === 'jsonb'

// JSON goes with what no JSON contains in between, and neither side reads it letter by letter. An empty text, which is none, is null.
const jsonTexts = (values: (Value | undefined)[]): string => values.map(each => each ?? '').join('\u001f')
const JSON_TEXTS = `string_to_array(?::text, E'\\x1f', '')`

/** An array as it is written in SQL, `{"a",null}`: to be sent as text and cast to the array's type. */
export function arrayText(values: readonly (Value | undefined)[]): string {
  // JSON writes quotes, backslashes, numbers and null as arrays do.
  if (!values.some(isOtherwiseInJson)) return `{${JSON.stringify(values).slice(1, -1)}}`
  return `{${values.map(each => (typeof each === 'string' ? `"${each.replaceAll(/["\\]/g, '\\$&')}"` : String(each ?? null))).join()}}`
}

// JSON writes these by letters (\n, \ud83d for half a character), which an array would take for the letters themselves.
const isOtherwiseInJson = (each: Value | undefined): boolean => typeof each === 'string' && (CONTROL.test(each) || !each.isWellFormed())

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f]/
