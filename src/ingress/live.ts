// Server-sent events: an answer that goes on while there is something to tell. Streams have places, for each holds a connection; they end when the process
// stops, when their time is over, and when their reader takes nothing any more.
import { Readable } from 'node:stream'
import { PAUSE_MS } from '../limits/connections.ts'
import { LIVE_BEHIND_BYTES, LIVE_HEARTBEAT_MS } from '../limits/live.ts'
import { createPlaces, type Kind } from '../places.ts'
import type { Streamed } from './route.ts'

/** An event as it is sent. A text that many streams are sent is made once. */
export type Sent = Buffer | string

export interface LiveStream {
  /** Sends an event; nothing happens once the stream is over. */
  send(event: Sent): void
  /** Resolves when its reader has taken nearly all that was sent, or the stream is over. */
  drained(): Promise<void>
  /** Ends it, after what was sent. */
  end(): void
  /** Aborted when the stream is over, from either end. */
  over: AbortSignal
}

export interface Streams {
  /**
   * @param begin is called with the stream: it sends what is to be told, now and later
   * @param guest a reader without a key, by address: see `Holder`
   * @throws {Problem} 409 while the tenant has as many streams as it may, 503 while this process has
   */
  open(tenant: string, begin: (stream: LiveStream) => void, guest?: string): Readable
  /** Ends all: the process is stopping. */
  end(): void
}

/**
 * @param lifeMs after this a reader connects again, as EventSource does by itself
 * @param patienceMs how long a reader may take nothing of what waits for it
 */
export function createStreams(kind: Kind, lifeMs: number, heartbeatMs = LIVE_HEARTBEAT_MS, patienceMs = PAUSE_MS): Streams {
  const places = createPlaces(kind)
  const open = new Set<Open>()
  let timer: NodeJS.Timeout | undefined

  // One timer for all: those that are quiet get an empty comment, so that no proxy takes them for dead.
  function look(): void {
    const now = performance.now()
    for (const each of open) {
      const { stream, until, sentAt } = each
      if (now >= until || isStuck(each, now, patienceMs)) stream.end()
      else if (now - sentAt >= heartbeatMs) stream.send(HEARTBEAT)
    }
  }

  return {
    open(tenant, begin, guest) {
      const leave = places.take(tenant, { isSlow: () => false, end: () => stream.end(), ...(guest !== undefined && { guest }) })
      const over = new AbortController()
      const waiting: (() => void)[] = []
      const go = (): void => {
        for (const resolve of waiting.splice(0)) resolve()
      }
      // Called when there is room.
      const readable = new Readable({ read: go })
      const stream: LiveStream = {
        send(event) {
          if (over.signal.aborted) return
          entry.sentAt = performance.now()
          entry.bytes += Buffer.byteLength(event)
          readable.push(event)
          // It would fill the memory: it connects again, and goes on where it was.
          if (readable.readableLength <= LIVE_BEHIND_BYTES) return
          over.abort()
          readable.destroy()
        },
        drained: () =>
          new Promise(resolve => {
            if (over.signal.aborted || readable.readableLength < readable.readableHighWaterMark) return resolve()
            waiting.push(resolve)
          }),
        end() {
          if (over.signal.aborted) return
          readable.push(null)
          over.abort()
          // A reader that does not read does not come to the end.
          setTimeout(() => readable.destroy(), ENDING_MS).unref()
        },
        over: over.signal,
      }
      const now = performance.now()
      const entry: Open = { stream, readable, until: now + lifeMs, sentAt: now, bytes: 0, taken: 0, takenAt: now }
      open.add(entry)
      over.signal.addEventListener('abort', go)
      timer ??= setInterval(look, Math.min(heartbeatMs, lifeMs, LOOK_MS))
      readable.once('close', () => {
        open.delete(entry)
        over.abort()
        leave()
        if (open.size > 0) return
        clearInterval(timer)
        timer = undefined
      })
      begin(stream)
      return readable
    },
    end() {
      for (const { stream } of open) stream.end()
    },
  }
}

interface Open {
  stream: LiveStream
  readable: Readable
  /** By performance.now(), as the other times. */
  until: number
  sentAt: number
  /** Bytes sent so far, and those that the reader had taken when it last took some. */
  bytes: number
  taken: number
  takenAt: number
}

/** A laptop that was closed keeps its connection for hours: what it has not taken is kept no longer than that. */
function isStuck(entry: Open, now: number, patienceMs: number): boolean {
  const waiting = entry.readable.readableLength
  const taken = entry.bytes - waiting
  if (waiting === 0 || taken > entry.taken) Object.assign(entry, { taken, takenAt: now })
  return now - entry.takenAt > patienceMs
}

/** How often streams are looked at. */
const LOOK_MS = 1_000
/** How long a reader has to take the rest. */
const ENDING_MS = 1_000

const HEARTBEAT = Buffer.from(':\n\n')

export interface Message {
  event: string
  /** JSON: without line breaks. */
  data: string
  /** Where a reader that comes back goes on. */
  id?: string
}

export const message = ({ event, data, id }: Message): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

/** The answer of a route whose `file` is EVENT_STREAM. */
export const eventStream = (open: () => Readable): Streamed => ({
  type: EVENT_STREAM,
  headers: { 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  open,
})

export const EVENT_STREAM = 'text/event-stream'
