// An import's progress as server-sent events: a page or a script follows it without polling.

import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Ref } from '../ids.ts'
import { createStreams, type LiveStream, message } from '../ingress/live.ts'
import { FOLLOWERS_AT_ONCE } from '../limits/imports.ts'
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
/** After this a reader connects again, as EventSource does by itself. */
const READ_MS = 10 * 60_000

/** @param readMs after this a reader connects again */
export function createProgress(readMs = READ_MS): Progress {
  const streams = createStreams(
    {
      all: FOLLOWERS_AT_ONCE,
      code: 'too_many_progress_streams',
      what: 'progress streams',
      instead: 'end one, or ask for the import itself',
    },
    readMs,
  )
  return {
    open: (sql, ref) => streams.open(ref.tenant, stream => void follow(sql, ref, stream).catch(() => stream.end())),
    end: streams.end,
  }
}

async function follow(sql: Queryable, ref: Ref, stream: LiveStream): Promise<void> {
  let last = ''
  while (!stream.over.aborted) {
    const now = await store.progress(sql, ref)
    if (!now) break
    const isOver = OVER.includes(now.status)
    if (isOver) stream.send(message({ event: 'done', data: now.json }))
    else if (now.json !== last) stream.send(message({ event: 'progress', data: now.json }))
    if (isOver) break
    last = now.json
    await delay(INTERVAL_MS, undefined, { signal: stream.over }).catch(() => {})
  }
  stream.end()
}

const OVER: Status[] = ['completed', 'failed', 'cancelled']
