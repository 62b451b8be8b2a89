// How an answer is shown: for programs as REST gives it, for people as lines and tables.

import { encodeCursor } from '../ingress/cursor.ts'
import type { Page, PageRequest } from '../postgres/page.ts'
import { print, printTable } from './command.ts'

export type Json = Record<string, unknown>

export function show(json: string, asJson: boolean | undefined, people: (value: Json) => void = showLines): void {
  if (asJson) console.log(json)
  else people(JSON.parse(json) as Json)
}

/** A line for each part: of an object within, a line for each of its parts. */
export const showLines = ({ object, ...value }: Json): void => print(flat(value), false)

const flat = (value: Json, at = ''): Json =>
  Object.assign(
    {},
    ...Object.entries(value).map(([name, each]) => (isFilled(each) ? flat(each, `${at}${name}.`) : { [at + name]: cell(each) })),
  )

const isFilled = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** What stands below a heading: the member of that name, unless it is told otherwise. */
export type Column = string | [heading: string, of: (row: Json) => unknown]

export function showPage({ data, next }: Page, asked: PageRequest, asJson: boolean | undefined, columns: Column[]): void {
  const cursor = next ? encodeCursor(asked, next) : null
  if (asJson) {
    console.log(`{"data":[${data}],"next_cursor":${JSON.stringify(cursor)},"has_more":${cursor !== null}}`)
    return
  }
  const rows = JSON.parse(`[${data}]`) as Json[]
  if (rows.length === 0) console.log(cursor ? 'None so far.' : 'None.')
  else showRows(rows, columns)
  if (cursor) console.log(`… and more: --cursor ${cursor}`)
}

export function showRows(rows: Json[], columns: Column[]): void {
  const all = columns.map((column): [string, (row: Json) => unknown] =>
    typeof column === 'string' ? [column, row => row[column]] : column,
  )
  printTable(
    all.map(([heading]) => heading),
    rows.map(row => all.map(([, of]) => cell(of(row)))),
  )
}

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length > 0 ? value.join(', ') : '–'
  if (typeof value === 'object') return '–'
  // Tenants and receivers wrote some of it: nothing of theirs moves the terminal's cursor.
  return String(value).replaceAll(/\p{Cc}+/gu, ' ')
}

/** What became of one request, as the log has it: `204 (44 ms)`, or `timeout: no answer within 10 seconds (10000 ms)`. */
export const answerOf = ({ status, error, duration_ms }: Json): string =>
  `${String(status ?? error).replace(/\.$/, '')} (${duration_ms} ms)`

/** The same for a table: of an error its name alone. */
export const brieflyOf = ({ error, ...attempt }: Json): string => answerOf({ ...attempt, error: String(error).split(':', 1)[0] })
