// Sends a file to a reader: the whole or a part, so that it can do no harm whatever it holds. Browsers show what they cannot run, and save the rest.
import { Readable } from 'node:stream'
import { now } from '../clock.ts'
import type { Downloads } from '../exports/downloads.ts'
import type { Ref } from '../ids.ts'
import type { Streamed } from '../ingress/route.ts'
import { FILES_AT_ONCE } from '../limits/attachments.ts'
import type { Kind } from '../places.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound, Problem } from '../problems.ts'
import { nameless } from './attachments.ts'
import * as bytes from './bytes-store.ts'
import { INLINE } from './kind.ts'
import { disposition } from './name.ts'
import { nextFetch } from './schedule.ts'
import * as store from './store.ts'

/** What sending files needs of a web process. */
export interface FileContext {
  sql: Queryable
  /** Places of its own: one page shows many pictures. */
  files: Downloads
}

/**
 * @param guest a reader without a key, by address
 * @throws {Problem} 404 also for a file that could not be had; 409 `attachment_pending` for one that is being fetched; 409 and 503 when no place is free
 */
export function serve({ sql, files }: FileContext, ref: Ref, guest?: string): Promise<Streamed> {
  return files.serve(
    ref.tenant,
    async ({ send }) => {
      const row = await store.find(sql, ref)
      if (row?.status === 'pending') throw pending(row)
      if (row?.status !== 'stored' || row.size_bytes === null) throw notFound('attachment')
      const size = row.size_bytes
      const kind = INLINE.has(row.mime_type) ? 'inline' : 'attachment'
      return {
        // A text may be in any encoding: browsers save it as it is.
        type: row.mime_type,
        // A file never changes, so its id is enough.
        etag: `"${ref.id}"`,
        size,
        headers: { 'Content-Disposition': disposition(kind, row.name ?? nameless(row)), 'Content-Security-Policy': SANDBOX },
        open: (part = { from: 0, to: size }) => {
          const pieces = bytes.read(sql, ref, part.from, part.to)
          return size === 0 ? Readable.from([]) : send(async () => (await pieces.next()).value as Buffer | undefined)
        },
      }
    },
    guest,
  )
}

/** Places of readers: see `createDownloads`. Those who come without a key, by a link or from a chat, have as many of their own: they keep no file from staff. */
export const FILE_PLACES: Kind = {
  all: FILES_AT_ONCE,
  code: 'too_many_downloads',
  what: 'downloads of files',
  instead: 'wait until one has ended',
}

/** For a file that is opened by itself: nothing in it runs, and nothing is loaded but the picture or the film that it is. */
const SANDBOX = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; sandbox"

function pending({ created_at }: store.Row): Problem {
  const seconds = Math.max(1, Math.ceil(nextFetch(created_at.getTime(), now()) ?? 1))
  return new Problem(
    'conflict',
    'The file is still being fetched from the platform; ask again later.',
    { code: 'attachment_pending' },
    { 'Retry-After': String(seconds) },
  )
}
