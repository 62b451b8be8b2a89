// Writes a file as it comes: pieces of any length are gathered into those that are stored, so that no more than one is in memory.
import type { Ref } from '../ids.ts'
import type { Queryable } from '../postgres/sql.ts'
import * as bytes from './bytes-store.ts'

export interface Writer {
  /** Resolves when there is room for more. */
  add(piece: Buffer): Promise<void>
  /** Stores what is left. */
  end(): Promise<void>
  /** Bytes so far. */
  size(): number
  /** The beginning of the file, up to the length of a stored piece. */
  head(): Buffer
}

export function createWriter(sql: Queryable, ref: Ref): Writer {
  let gathered = Buffer.allocUnsafe(bytes.PIECE_BYTES)
  let first: Buffer | undefined
  let [length, number, size] = [0, 0, 0]

  async function flush(): Promise<void> {
    const body = gathered.subarray(0, length)
    if (number === 0) {
      first = body
      gathered = Buffer.allocUnsafe(bytes.PIECE_BYTES)
    }
    length = 0
    await bytes.append(sql, ref, number++, body)
  }

  return {
    async add(piece) {
      for (let at = 0; at < piece.length; ) {
        const taken = piece.copy(gathered, length, at)
        at += taken
        length += taken
        size += taken
        if (length === bytes.PIECE_BYTES) await flush()
      }
    },
    async end() {
      if (length > 0) await flush()
    },
    size: () => size,
    head: () => first ?? gathered.subarray(0, length),
  }
}
