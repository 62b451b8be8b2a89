// A table, whose rows become cards on a phone; and what stands in its place while there is nothing in it. Its body is one text, in which only those cells
// stand apart that are elements: with an element for each row and cell, a page of a hundred rows took three times as long to render.
import type { ComponentChildren, VNode } from 'preact'
import { jsxTemplate } from 'preact/jsx-runtime'
import { escapeHtml } from './escape.ts'
import type { Markup } from './markup.ts'

export interface Column<Row> {
  title: string
  /** Text, or markup where it is more; elements where neither will do. */
  of: (row: Row) => string | number | Markup | VNode
}

export interface TableProps<Row> {
  /** Says what the table lists. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  /** What to do where there is nothing yet. */
  empty: ComponentChildren
  /** Few and narrow columns, which have room on a phone too. */
  narrow?: true
}

export function Table<Row>({ caption, columns, rows, empty, narrow }: TableProps<Row>): VNode {
  if (rows.length === 0) return <div class="empty">{empty}</div>
  return (
    <table class={narrow ? 'narrow' : 'cards'} role="table">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(column => (
            <th key={column.title} scope="col" role="columnheader">
              {column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{bodyOf(columns, rows)}</tbody>
    </table>
  )
}

function bodyOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): VNode {
  const starts = columns.map(({ title }) => `<td data-label="${escapeHtml(title)}" role="cell">`)
  const texts: string[] = []
  const elements: VNode[] = []
  let text = ''
  for (const row of rows) {
    text += '<tr role="row">'
    for (const [at, column] of columns.entries()) {
      const cell = column.of(row)
      text += starts[at]
      if (typeof cell !== 'object') text += escapeHtml(String(cell))
      else if ('html' in cell) text += cell.html
      else {
        texts.push(text)
        elements.push(cell)
        text = ''
      }
      text += '</td>'
    }
    text += '</tr>'
  }
  return jsxTemplate([...texts, text], ...elements)
}
