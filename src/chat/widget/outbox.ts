// What the visitor has said and the service has not shown yet: kept in the browser's storage, each message under its own id, until the service has
// acknowledged it and it stands among the messages. All tabs see the same.
import type { ChatFile, NewChatMessage } from '../schema.ts'
import type { Store } from './storage.ts'

export interface Waiting {
  body: NewChatMessage
  /** For showing it. */
  file?: ChatFile
  /** waiting: to be sent; kept: acknowledged, and about to appear; refused: for good. */
  state: 'waiting' | 'kept' | 'refused'
  at: number
}

export interface Outbox {
  /** In the order in which they were written. */
  all(): Waiting[]
  add(said: Omit<NewChatMessage, 'id'>, file?: ChatFile): void
  set(waiting: Waiting, state: Waiting['state']): void
  remove(id: string): void
  clear(): void
}

const PREFIX = 'out:'
/** One that was acknowledged appears within moments; if it does not, it is shown no longer than this. */
const KEPT_MS = 3_600_000

/** @param onChange it is another */
export function openOutbox(store: Store, onChange: () => void): Outbox {
  const all = (): Waiting[] =>
    store
      .names(PREFIX)
      .sort()
      .map(name => store.get<Waiting>(name))
      .filter(each => each !== undefined)
  const save = (waiting: Waiting): void => {
    store.set(PREFIX + waiting.body.id, waiting)
    onChange()
  }
  for (const { body, state, at } of all()) if (state === 'kept' && Date.now() - at > KEPT_MS) store.remove(PREFIX + body.id)
  return {
    all,
    add(said, file) {
      const last = all().at(-1)?.at ?? 0
      // Later than the last one, whatever the clock does: ids are in the order of writing.
      const at = Math.max(last + 1, Date.now())
      save({ body: { id: ownId(at), ...said }, ...(file && { file }), state: 'waiting', at })
    },
    set: (waiting, state) => save({ ...waiting, state }),
    remove(id) {
      store.remove(PREFIX + id)
      onChange()
    },
    clear() {
      for (const name of store.names(PREFIX)) store.remove(name)
      onChange()
    },
  }
}

function ownId(at: number): string {
  const random = crypto.getRandomValues(new Uint8Array(12))
  return `${at.toString(36).padStart(9, '0')}-${[...random].map(byte => byte.toString(16).padStart(2, '0')).join('')}`
}
