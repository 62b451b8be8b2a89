// Shows an answer: to programs as the JSON of REST, to people as lines and tables.
import { encodeCursor } from '../ingress/cursor.ts'
import type { Page, PageRequest } from '../postgres/page.ts'
import { printableLine } from './printable.ts'

export type Json = Record<string, unknown>

/** @param answer JSON text, or an object */
export function show(answer: string | Json, asJson: boolean | undefined, people: (value: Json) => void = showLines): void {
  const json = typeof answer === 'string' ? answer : JSON.stringify(answer)
  if (asJson) console.log(json)
  else people(JSON.parse(json) as Json)
}

/** Prints a line for each member, and for each member of an inner object. */
export function showLines({ object, ...value }: Json): void {
  const parts = Object.entries(flat(value))
  const width = Math.max(...parts.map(([name]) => name.length))
  for (const [name, text] of parts) console.log(`${name.padEnd(width)}  ${text}`)
}

const flat = (value: Json, at = ''): Record<string, string> =>
  Object.assign(
    {},
    ...Object.entries(value).map(([name, each]) => (isFilled(each) ? flat(each, `${at}${name}.`) : { [at + name]: cell(each) })),
  )

const isFilled = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length > 0

/** A column: the member of that name, or a heading with its own function. */
export type Column = string | [heading: string, of: (row: Json) => unknown]

export function showPage({ data, next }: Page, request: PageRequest, asJson: boolean | undefined, columns: Column[]): void {
  const cursor = next ? encodeCursor(request, next) : null
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
  const lines = [all.map(([heading]) => heading), ...rows.map(row => all.map(([, of]) => cell(of(row))))]
  const room = process.stdout.isTTY ? process.stdout.columns : Number.POSITIVE_INFINITY
  for (const row of table(lines, room)) console.log(row)
}

/** How far the columns stand in that go on below. */
const INDENT = '    '

/** @returns one row of text for each line, or several where they are wider than so many columns: whole cells go on below, the same ones of each line */
export function table(lines: string[][], columns: number): string[] {
  const room = columns - INDENT.length
  const widths = (lines[0] as string[]).map((_heading, index) =>
    Math.min(room, Math.max(...lines.map(line => (line[index] as string).length))),
  )
  const begins: boolean[] = []
  let used = 0
  for (const width of widths) {
    const begin = used > 0 && used + GAP.length + width > columns
    begins.push(begin)
    used = begin ? INDENT.length + width : used + (used > 0 ? GAP.length : 0) + width
  }
  return lines.flatMap(line => {
    const rows: string[][] = [[]]
    line.forEach((text, index) => {
      if (begins[index]) rows.push([])
      rows.at(-1)?.push(fitting(text, widths[index] as number))
    })
    return rows.map((cells, row) => `${row > 0 ? INDENT : ''}${cells.join(GAP)}`.trimEnd())
  })
}

const GAP = '  '

const fitting = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width))

function cell(value: unknown): string {
  if (value === null || value === undefined || value === '') return '–'
  if (Array.isArray(value)) return value.length > 0 ? printableLine(value.join(', ')) : '–'
  if (typeof value === 'object') return '–'
  return printableLine(value)
}
