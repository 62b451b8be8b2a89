// An import's progress as server-sent events: a page of the dashboard, or a script, follows it without asking again and again.
import { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Queryable } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import type { Status } from './schema.ts'
import * as store from './store.ts'

export interface Progress {
  /** @throws {Problem} 503 where this process has as many readers as it may */
  open(sql: Queryable, ref: store.ImportRef): Readable
  /** Lets go of all readers: the process is stopping. */
  end(): void
}

/** How often a reader hears of it. */
const INTERVAL_MS = 500
/** A line without meaning, so that nobody on the way takes a quiet connection for a dead one. */
const HEARTBEAT_MS = 15_000
/** After this a reader connects again, as EventSource does by itself. */
const READ_MS = 10 * 60_000
/** Readers at once in one process: each asks the database twice a second. */
const READERS_MAX = 100

export function createProgress(): Progress {
  const ending = new AbortController()
  let readers = 0
  return {
    open(sql, ref) {
      if (readers >= READERS_MAX)
        throw new Problem(
          'service-unavailable',
          'Too many are following imports just now; ask for the import itself.',
          {},
          { 'Retry-After': '5' },
        )
      readers++
      const stream = Readable.from(messages(sql, ref, ending.signal))
      return stream.once('close', () => readers--)
    },
    end: () => ending.abort(),
  }
}

async function* messages(sql: Queryable, ref: store.ImportRef, ending: AbortSignal): AsyncGenerator<string> {
  const until = Date.now() + READ_MS
  let last = ''
  let saidAt = Date.now()
  while (!ending.aborted && Date.now() < until) {
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
