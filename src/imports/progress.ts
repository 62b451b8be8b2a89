// An import's progress as server-sent events: a page or a script follows it without polling.

import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Ref } from '../ids.ts'
import { FOLLOWERS_AT_ONCE } from '../limits.ts'
import { createPlaces } from '../places.ts'
import type { Queryable } from '../postgres/sql.ts'
import type { Status } from './schema.ts'
import * as store from './store.ts'

export interface Progress {
  /** @throws {Problem} 409 while the tenant has as many readers as it may, 503 while this process has */
  open(sql: Queryable, ref: Ref): Readable
  /** Ends all streams: the process is stopping. */
  end(): void
}

/** How often the import is read. */
const INTERVAL_MS = 500
/** How often a quiet stream gets an empty comment, so that no proxy takes it for dead. */
const HEARTBEAT_MS = 15_000
/** After this a reader connects again, as EventSource does by itself. */
const READ_MS = 10 * 60_000

/** @param readMs after this a reader connects again, as EventSource does by itself */
export function createProgress(readMs = READ_MS): Progress {
  const ending = new AbortController()
  const places = createPlaces({
    all: FOLLOWERS_AT_ONCE,
    code: 'too_many_progress_streams',
    what: 'progress streams',
    instead: 'end one, or ask for the import itself',
  })
  return {
    open(sql, ref) {
      const leave = places.take(ref.tenant)
      const until = Date.now() + readMs
      const isOver = (): boolean => ending.signal.aborted || stream.destroyed || Date.now() >= until
      const stream: Readable = Readable.from(messages(sql, ref, isOver, ending.signal))
      // A reader that does not read stops the generator, so the end of its time must be seen here.
      const late = setTimeout(() => stream.destroy(), readMs + 2 * INTERVAL_MS).unref()
      return stream.once('close', () => {
        clearTimeout(late)
        leave()
      })
    },
    end: () => ending.abort(),
  }
}

// Whether the reader has left is checked as often as the import is read, for the stream cannot end while it waits for the next message.
async function* messages(sql: Queryable, ref: Ref, isOver: () => boolean, ending: AbortSignal): AsyncGenerator<string> {
  let last = ''
  let saidAt = Date.now()
  while (!isOver()) {
    const now = await store.progress(sql, ref)
    if (!now) return
    if (OVER.includes(now.status)) return yield message('done', now.json)
    if (now.json !== last || Date.now() - saidAt >= HEARTBEAT_MS) {
      yield now.json === last ? ':\n\n' : message('progress', now.json)
      last = now.json
      saidAt = Date.now()
    }
    await delay(INTERVAL_MS, undefined, { signal: ending }).catch(() => {})
  }
}

const OVER: Status[] = ['completed', 'failed', 'cancelled']

const message = (event: string, data: string): string => `event: ${event}\ndata: ${data}\n\n`
