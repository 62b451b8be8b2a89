// The cursor of a list, opaque to clients: sort, direction and the place of the last row.
import { isId, type Prefix } from '../ids.ts'
import type { PageRequest, SortType } from '../postgres/page.ts'
import { invalid, type Problem } from '../problems.ts'
import { isDateTime } from './validate.ts'

/** The list that a cursor must fit. */
export interface Sorted {
  idPrefix: Prefix
  /** The sorts; the first is the default. */
  sorts: Record<string, SortType>
}

interface Cursor {
  v: 1
  sort: string
  dir: 'asc' | 'desc'
  last: string | number
  id: string
}

export function encodeCursor(request: Pick<PageRequest, 'sort' | 'dir'>, next: { last: string | number; id: string }): string {
  const cursor: Cursor = { v: 1, sort: request.sort, dir: request.dir, last: next.last, id: next.id }
  return Buffer.from(JSON.stringify(cursor)).toString('base64url')
}

/** @throws {Problem} 422 unless the text is a cursor of this list */
export function decodeCursor(listing: Sorted, text: string, field = 'cursor'): Cursor {
  const cursor = /^[A-Za-z0-9_-]+$/.test(text) ? parse(text) : undefined
  const type = cursor && Object.hasOwn(listing.sorts, cursor.sort) ? listing.sorts[cursor.sort] : undefined
  const sound =
    cursor?.v === 1 &&
    type &&
    (cursor.dir === 'asc' || cursor.dir === 'desc') &&
    isLast(cursor.last, type) &&
    typeof cursor.id === 'string' &&
    isId(listing.idPrefix, cursor.id)
  if (!sound || Object.keys(cursor).length !== 5) throw wrongCursor(field)
  return cursor
}

export const wrongCursor = (field = 'cursor'): Problem =>
  invalid({ field, code: 'invalid_cursor', message: 'is not a cursor of this list; pass a next_cursor unchanged, or start without one.' })

function parse(text: string): Cursor | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    return value !== null && typeof value === 'object' && !Array.isArray(value) && typeof (value as Cursor).sort === 'string'
      ? (value as Cursor)
      : undefined
  } catch {
    return undefined
  }
}

function isLast(last: unknown, type: SortType): boolean {
  if (type === 'number') return Number.isSafeInteger(last)
  if (typeof last !== 'string' || last.length > 1000 || last.includes('\0') || !last.isWellFormed()) return false
  return type === 'text' || (/\.\d{3}Z$/.test(last) && isDateTime(last))
}
