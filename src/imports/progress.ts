// An import's progress as server-sent events: a page of the dashboard, or a script, follows it without asking again and again.

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
  /** Lets go of all readers: the process is stopping. */
  end(): void
}

/** How often a reader hears of it. */
const INTERVAL_MS = 500
/** A line without meaning, so that nobody on the way takes a quiet connection for a dead one. */
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
      // A reader that does not read keeps the next message from being asked for, and so its time from being seen to be over.
      const late = setTimeout(() => stream.destroy(), readMs + 2 * INTERVAL_MS).unref()
      return stream.once('close', () => {
        clearTimeout(late)
        leave()
      })
    },
    end: () => ending.abort(),
  }
}

// A reader that has left is looked for as often as the import is: the stream of one that waits for its next message waits for it as well.
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
