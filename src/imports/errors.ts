// The errors of an import's rows, as a page of a list and as a file by which to correct them.

import { columnsOf, headerOf, lineOf } from '../exports/csv.ts'
import type { Ref } from '../ids.ts'
import { encodeCursor } from '../ingress/cursor.ts'
import type { Listing } from '../ingress/list.ts'
import type { PageRequest } from '../postgres/page.ts'
import type { Queryable } from '../postgres/sql.ts'
import * as store from './error-store.ts'
import { type Format, ImportError } from './schema.ts'

/** Errors have one order and direction. The cursor's `last` holds the line and the error's position in it. */
export const listing: Listing = {
  path: '/api/v1/imports/{id}/errors',
  idPrefix: 'imp',
  sorts: { line: 'number' },
  offers: { offset: false },
}

export function placeOf({ after }: PageRequest): store.Place | undefined {
  if (!after) return undefined
  return { line: Math.floor(Number(after.last) / POSITIONS), position: Number(after.last) % POSITIONS }
}

export const cursorOf = ({ line, position }: store.Place, id: string): string =>
  encodeCursor({ sort: 'line', dir: 'asc' }, { last: line * POSITIONS + position, id })

/** More than the errors that are kept for one line. */
const POSITIONS = 100

/** All errors as a file. @returns the function that reads the next piece, undefined at the end */
export function file(sql: Queryable, ref: Ref, format: Format): () => Promise<Buffer | undefined> {
  let [begun, ended]: [boolean, boolean] = [false, false]
  let after: store.Place | undefined
  return async () => {
    if (ended) return undefined
    const { data, last, more } = await store.list(sql, ref, after, PIECE_ROWS, '\n')
    const head = format === 'csv' && !begun ? headerOf(COLUMNS) : ''
    ;[begun, ended, after] = [true, !more, last]
    const rows = data === '' ? [] : data.split('\n')
    return Buffer.from(head + rows.map(format === 'csv' ? row => lineOf(COLUMNS, JSON.parse(row)) : row => `${row}\n`).join(''))
  }
}

const PIECE_ROWS = 1_000
const COLUMNS = columnsOf(ImportError)
