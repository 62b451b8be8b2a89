// The rows of large tables, as bytes: they never become a part of the text of the page. V8 takes two bytes a character for a text as soon as one character
// needs them, so to join and encode a page of 60 KB took as long as to make its rows.
import { createContext } from 'preact'

/** What goes out as bytes, of one document. */
export interface Held {
  /** @param rows the HTML of each @returns what stands for them in the text */
  put(rows: readonly string[]): string
  /** @param text the document, which has those places in their order */
  joined(text: string): Buffer
}

export const Held = createContext<Held | undefined>(undefined)

/** A text in a page cannot be taken for it: there `<` is escaped. */
const PLACE = '<!--rows-->'

/** UTF-8 needs at most so many for a UTF-16 unit. */
const BYTES_PER_UNIT = 3

/** Shared by all documents, for each is made in one go. Larger ones get space of their own. */
const SCRATCH = Buffer.allocUnsafeSlow(128 * 1024)

export function openHeld(): Held {
  const ends: number[] = []
  let [space, length] = [SCRATCH, 0]

  function make(more: number): void {
    if (length + more <= space.length) return
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * space.length, length + more))
    space.copy(larger, 0, 0, length)
    space = larger
  }

  return {
    put(rows) {
      for (const row of rows) {
        make(BYTES_PER_UNIT * row.length)
        length += space.write(row, length)
      }
      ends.push(length)
      return PLACE
    },
    joined(text) {
      const [first = '', ...others] = text.split(PLACE)
      const rows = ends.map((end, at) => space.subarray(ends[at - 1] ?? 0, end))
      return Buffer.concat([Buffer.from(first), ...others.flatMap((each, at) => [rows[at] as Buffer, Buffer.from(each)])])
    },
  }
}
