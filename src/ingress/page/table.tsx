// A table, whose rows become cards on a phone; and what stands in its place while there is nothing in it.
import type { ComponentChildren, VNode } from 'preact'

export interface Column<Row> {
  title: string
  of: (row: Row) => ComponentChildren
}

export interface TableProps<Row> {
  /** Says what the table lists. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string
  /** What to do where there is nothing yet. */
  empty: ComponentChildren
  /** Few and narrow columns, which have room on a phone too. */
  narrow?: true
}

export function Table<Row>({ caption, columns, rows, keyOf, empty, narrow }: TableProps<Row>): VNode {
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
      <tbody role="rowgroup">
        {rows.map(row => (
          <tr key={keyOf(row)} role="row">
            {columns.map(column => (
              <td key={column.title} data-label={column.title} role="cell">
                {column.of(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
