// Files on their way to their readers, as fast as these read: a piece is made when the one before has been taken, and a reader who leaves,
// or stops, is let go of with all that was held for it.
import { Readable } from 'node:stream'
import { DOWNLOAD_STALL_MS, DOWNLOADS_AT_ONCE, DOWNLOADS_OF_TENANT } from '../limits.ts'
import { Problem } from '../problems.ts'

/** The next piece of a file, undefined at its end. The signal says that nobody waits for it any more. */
export type Next = (signal: AbortSignal) => Promise<Buffer | undefined>

export interface Downloads {
  /** @throws {Problem} 409 while the tenant has as many under way as it may, 503 while this process has */
  open(tenant: string, next: Next): Readable
  /** Ends all that are under way: each reader sees that its file is not complete. */
  abort(): void
}

export function createDownloads(stallMs = DOWNLOAD_STALL_MS): Downloads {
  const underWay = new Map<Readable, string>()
  return {
    open(tenant, next) {
      const theirs = [...underWay.values()].filter(each => each === tenant).length
      if (theirs >= DOWNLOADS_OF_TENANT) throw tooMany()
      if (underWay.size >= DOWNLOADS_AT_ONCE) throw busy()
      const stream = pieces(next, stallMs)
      underWay.set(stream, tenant)
      stream.once('close', () => underWay.delete(stream))
      return stream
    },
    abort() {
      for (const stream of underWay.keys()) stream.destroy(new Error('the service is shutting down'))
    },
  }
}

const tooMany = (): Problem =>
  new Problem(
    'conflict',
    `${DOWNLOADS_OF_TENANT} downloads of this workspace are under way; wait until one has ended, or order an export and fetch its file later.`,
    { code: 'too_many_downloads' },
    { 'Retry-After': '5' },
  )

const busy = (): Problem =>
  new Problem('service-unavailable', 'Too many downloads are under way just now; try again.', {}, { 'Retry-After': '5' })

function pieces(next: Next, stallMs: number): Readable {
  const leaving = new AbortController()
  let stalled: NodeJS.Timeout | undefined
  return new Readable({
    // One piece is held ready, whatever its size, while the one before is being sent.
    highWaterMark: 1,
    read() {
      clearTimeout(stalled)
      next(leaving.signal).then(
        piece => {
          if (piece && !this.destroyed)
            stalled = setTimeout(() => this.destroy(new Error('the reader has stopped reading')), stallMs).unref()
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
