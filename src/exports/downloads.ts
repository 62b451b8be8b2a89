// Sends files as fast as their readers read: a piece is made when the one before has been taken. When a reader leaves or stops reading, its stream ends
// and frees all that was held for it.
import { Readable } from 'node:stream'
import type { Streamed } from '../ingress/route.ts'
import { SCARCE_PACE } from '../limits/connections.ts'
import { DOWNLOAD_STALL_MS, DOWNLOADS_AT_ONCE, EXPORT_POOL } from '../limits/exports.ts'
import { createPace, type Pace } from '../pace.ts'
import { createPlaces, type Kind, type Leave } from '../places.ts'
import { createTurns } from '../turns.ts'

/** The next piece of a file, undefined at its end. The signal aborts when the reader has left. */
export type Next = (signal: AbortSignal) => Promise<Buffer | undefined>

export interface Downloads {
  /**
   * The answer that `make` builds. It holds a place from before the first row is read until the reader has the last one.
   * @param guest a reader without a key, by address: see `Holder`
   * @throws {Problem} 409 while the tenant has as many downloads as it may, 503 while this process has
   */
  serve(tenant: string, make: (download: Download) => Promise<Streamed>, guest?: string): Promise<Streamed>
  /** Ends all downloads: each reader sees that its file is incomplete. */
  abort(): void
}

export interface Download {
  /** Reads from the database in the tenant's turn: a tenant uses one connection at a time. */
  read<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>
  /** Sends the pieces. Call it once. */
  send(next: Next): Readable
}

/** How long slow readers are tolerated, in milliseconds: see DOWNLOAD_STALL_MS and PACE_MS. */
export interface Patience {
  stallMs?: number
  overMs?: number | undefined
}

/** @param kind the places that they hold. Default: those of exports and other files that are large */
export function createDownloads({ stallMs = DOWNLOAD_STALL_MS, overMs }: Patience = {}, kind: Kind = PLACES): Downloads {
  const places = createPlaces(kind)
  const turns = createTurns(createPlaces({ ...PLACES, all: EXPORT_POOL }))
  const underWay = new Set<Readable>()

  function begin(tenant: string, guest: string | undefined): Download & { leave: Leave } {
    const pace = createPace(overMs)
    let stream: Readable | undefined
    const leave = places.take(tenant, {
      isSlow: () => pace.patience(SCARCE_PACE) <= 0,
      end: why =>
        stream?.destroy(new Error(why === 'slow' ? 'others wait, and the reader is slow' : 'others wait, and the reader has more files')),
      ...(guest !== undefined && { guest }),
    })
    return {
      leave,
      read: (work, signal) => turns(tenant, work, signal),
      send(next) {
        const sent = pieces(next, pace, stallMs)
        stream = sent
        underWay.add(sent)
        return sent.once('close', () => {
          underWay.delete(sent)
          leave()
        })
      },
    }
  }

  return {
    async serve(tenant, make, guest) {
      const { leave, ...download } = begin(tenant, guest)
      try {
        return { ...(await make(download)), drop: leave }
      } catch (error) {
        leave()
        throw error
      }
    },
    abort() {
      for (const stream of underWay) stream.destroy(new Error('the service is shutting down'))
    },
  }
}

const PLACES = {
  all: DOWNLOADS_AT_ONCE,
  code: 'too_many_downloads',
  what: 'downloads',
  instead: 'wait until one has ended, or order an export and fetch its file later',
}

function pieces(next: Next, pace: Pace, stallMs: number): Readable {
  const leaving = new AbortController()
  let stalled: NodeJS.Timeout | undefined
  let waiting = 0
  return new Readable({
    // Keeps one piece ready, whatever its size, while the one before is sent.
    highWaterMark: 1,
    read() {
      clearTimeout(stalled)
      pace.moved(waiting)
      next(leaving.signal).then(
        piece => {
          if (piece && !this.destroyed)
            stalled = setTimeout(() => this.destroy(new Error('the reader has stopped reading')), stallMs).unref()
          waiting = piece?.length ?? 0
          pace.wait()
          this.push(piece ?? null)
        },
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      clearTimeout(stalled)
      leaving.abort()
      done(error)
    },
  })
}
