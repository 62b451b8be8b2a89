// Live streams of one web process: what changes in conversations, sent as it does, to all who watch.
import type { Readable } from 'node:stream'
import type { Logger } from 'pino'
import type { Caller } from '../caller.ts'
import { now } from '../clock.ts'
import { createStreams, type Streams } from '../ingress/live.ts'
import { LIVE_MS, LIVE_STREAMS, LIVE_STREAMS_OF_KEY } from '../limits/live.ts'
import type { Queryable } from '../postgres/sql.ts'
import { Problem } from '../problems.ts'
import { type Changes, createChanges } from './changes.ts'
import type { Member } from './member.ts'
import { createRooms } from './rooms.ts'
import { TooManyLiveStreams } from './schema.ts'

export interface Live {
  /**
   * @param conversation the only one that is watched, where it is given
   * @param lastEventId of the last event that the reader has
   * @throws {Problem} 409 while the key or the tenant has as many streams as it may, 503 while this process has
   */
  open(caller: Caller, conversation: string | undefined, lastEventId: string | undefined): Readable
  /** The places of all live streams of the process, and what they are told: for streams of other readers, such as web chat's visitors. */
  streams: Streams
  changes: Changes
  /** Ends all streams: the process is stopping. */
  end(): void
  close(): Promise<void>
}

export function createLive(sql: Queryable, databaseUrl: string, log: Logger, lifeMs = LIVE_MS): Live {
  const changes = createChanges(sql, databaseUrl, log)
  const rooms = createRooms(sql, changes)
  const streams = createStreams(
    {
      all: LIVE_STREAMS,
      code: TooManyLiveStreams.code,
      what: 'live streams',
      instead: 'end one, or let several readers share one',
    },
    lifeMs,
  )
  const ofKeys = new Map<string, number>()

  return {
    open({ tenant, actor }, conversation, lastEventId) {
      const key = `${actor.type} ${actor.id}`
      const held = ofKeys.get(key) ?? 0
      if (held >= LIVE_STREAMS_OF_KEY)
        throw new Problem('conflict', `${held} live streams of this key are open; end one, or let several readers share one.`, {
          code: TooManyLiveStreams.code,
        })
      return streams.open(tenant, stream => {
        ofKeys.set(key, held + 1)
        stream.over.addEventListener('abort', () => {
          const left = (ofKeys.get(key) ?? 1) - 1
          if (left > 0) ofKeys.set(key, left)
          else ofKeys.delete(key)
        })
        const since = lastEventId === undefined ? undefined : timeOf(lastEventId)
        const member: Member = { tenant, stream, conversation, waiting: since === undefined ? undefined : new Map() }
        // While the database is away the reader is let go, and comes back.
        rooms.join(member, since).catch(() => stream.end())
      })
    },
    streams,
    changes,
    end: streams.end,
    close: changes.close,
  }
}

/** An id is the time of a change, in milliseconds since 1970. What was never an id is as one of long ago. */
const timeOf = (id: string): number => (/^\d{1,15}$/.test(id) ? Math.min(Number(id), now()) : 0)
