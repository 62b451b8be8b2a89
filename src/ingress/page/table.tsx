// A table, whose rows become cards on a phone; and what stands in its place while there is nothing in it. Its rows are filled into a text that is the
// same for all of them: with elements of their own, a page of a hundred rows took twice as long to render.
import type { ComponentChildren, VNode } from 'preact'
import { jsxEscape, jsxTemplate } from 'preact/jsx-runtime'
import { escapeHtml } from './escape.ts'

export interface Column<Row> {
  title: string
  of: (row: Row) => ComponentChildren
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
  const between = frameOf(columns)
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
      <tbody role="rowgroup">{rows.map(row => jsxTemplate(between, ...columns.map(column => jsxEscape(column.of(row)))))}</tbody>
    </table>
  )
}

/** What stands before, between and after the cells of a row. */
function frameOf(columns: readonly { title: string }[]): string[] {
  const starts = columns.map(({ title }) => `<td data-label="${escapeHtml(title)}" role="cell">`)
  return [`<tr role="row">${starts[0]}`, ...starts.slice(1).map(start => `</td>${start}`), '</td></tr>']
}
