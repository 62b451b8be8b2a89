// A table, whose rows become cards on a phone; and what stands in its place while there is nothing in it. Its rows are texts, in which only those cells
// stand apart that are elements: with an element for each row and cell, a page of a hundred rows took three times as long to render.
import type { ComponentChildren, VNode } from 'preact'
import { useContext } from 'preact/hooks'
import { jsxTemplate } from 'preact/jsx-runtime'
import { escapeHtml } from './escape.ts'
import type { Markup } from './markup.ts'
import { Held } from './rows.ts'

export interface Column<Row> {
  title: string
  /** Its cells hold what can be done, in words of their own: beside those the title is only heard. */
  isAction?: true
  /** Text, or markup where it is more; elements where neither will do. */
  of: (row: Row) => Plain | VNode
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
  const held = useContext(Held)
  if (rows.length === 0) return <div class="empty">{empty}</div>
  return (
    <table class={narrow ? 'narrow' : 'cards'} role="table">
      <caption>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(column => (
            <th key={column.title} scope="col" role="columnheader">
              {column.isAction ? <span class="heard">{column.title}</span> : column.title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">{bodyOf(columns, rows, held)}</tbody>
    </table>
  )
}

function bodyOf<Row>(columns: readonly Column<Row>[], rows: readonly Row[], held: Held | undefined): VNode {
  const starts = columns.map(({ title, isAction }) => `<td data-label="${isAction ? '' : escapeHtml(title)}" role="cell">`)
  const texts: string[] = []
  const elements: VNode[] = []
  let text = ''
  // Rows without elements, which go out as bytes where the page can hold them.
  let plain: string[] = []

  function put(): void {
    if (plain.length > 0) text += held?.put(plain) ?? plain.join('')
    plain = []
  }

  for (const row of rows) {
    const cells = columns.map(column => column.of(row))
    if (cells.every(isPlain)) {
      let html = '<tr role="row">'
      for (let at = 0; at < cells.length; at++) html += `${starts[at]}${htmlOf(cells[at] as Plain)}</td>`
      plain.push(`${html}</tr>`)
      continue
    }
    put()
    text += '<tr role="row">'
    for (const [at, cell] of cells.entries()) {
      text += starts[at]
      if (isPlain(cell)) text += htmlOf(cell)
      else {
        texts.push(text)
        elements.push(cell)
        text = ''
      }
      text += '</td>'
    }
    text += '</tr>'
  }
  put()
  return jsxTemplate([...texts, text], ...elements)
}

type Plain = string | number | Markup

const isPlain = (cell: Plain | VNode): cell is Plain => typeof cell !== 'object' || 'html' in cell

const htmlOf = (cell: Plain): string => (typeof cell === 'object' ? cell.html : escapeHtml(String(cell)))
