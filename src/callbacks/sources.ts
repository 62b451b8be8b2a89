// The sources that a process has just read, so that a callback costs no statement of its own for that: those that come together share one, and what it
// said is relied on for a second. An id that names nothing is not remembered.
import type { Ref } from '../ids.ts'
import { SOURCE_KNOWN_MS, SOURCES_KNOWN_MAX } from '../limits/callbacks.ts'
import { batched } from '../postgres/batch.ts'

export interface Sources<Source> {
  find(id: string): Promise<Source | undefined>
  /** The same, if it was read within a second: costs no statement. */
  peek(id: string): Source | undefined
  /** It is read anew when it is next asked for. */
  forget(source: Source): void
}

/** @param read finds the sources with these ids, in any order */
export function createSources<Source extends Ref>(read: (ids: string[]) => Promise<Source[]>): Sources<Source> {
  /** Times of performance.now(). */
  const known = new Map<string, { source: Source; until: number }>()

  const ask = batched<string, Source | undefined>(async asked => {
    const until = performance.now() + SOURCE_KNOWN_MS
    const found = new Map((await read([...new Set(asked)])).map(source => [source.id, source]))
    for (const [id, source] of found) {
      known.delete(id)
      known.set(id, { source, until })
    }
    for (const id of known.keys()) {
      if (known.size <= SOURCES_KNOWN_MAX) break
      known.delete(id)
    }
    return asked.map(id => found.get(id))
  })

  const peek = (id: string): Source | undefined => {
    const before = known.get(id)
    return before && before.until > performance.now() ? before.source : undefined
  }
  return {
    find: async id => peek(id) ?? ask(id),
    peek,
    forget: ({ id }) => void known.delete(id),
  }
}
