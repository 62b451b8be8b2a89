// Attachments: what messages ask of their files. Uploading is in upload.ts, fetching in fetch.ts, serving in serve.ts.
import type { Media, Uploaded } from '../conversations/update.ts'
import { newId, type Ref } from '../ids.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { invalid, Problem } from '../problems.ts'
import * as bytes from './bytes-store.ts'
import { UNKNOWN } from './kind.ts'
import { urlOf } from './link.ts'
import { cleanName } from './name.ts'
import type { Failure, MessageFile } from './schema.ts'
import * as store from './store.ts'

/** A file as a message shows it. */
export const shown = ({
  id,
  type,
  mime_type,
  size_bytes,
  name,
  status,
  error,
}: Omit<store.Row, 'message_id' | 'visitor_id' | 'created_at'>): MessageFile => ({
  id,
  type,
  url: urlOf(id),
  mime_type,
  size_bytes,
  name,
  status: status === 'uploading' ? 'pending' : status,
  error,
})

/** Who sends the files: a visitor of a web chat sends none but their own, the shop none of a visitor's. */
export interface Sender {
  tenant: string
  /** `vis_…` */
  visitor?: string
}

/**
 * Gives uploaded files to the message that they go with. A file goes with one message.
 * @param message its id
 * @returns the files as the message shows them, in the order given
 * @throws {Problem} 422 for a file that is not there, 409 `attachment_sent` for one that another message has
 */
export async function claim(tx: Tx, { tenant, visitor }: Sender, message: string, ids: string[]): Promise<MessageFile[]> {
  if (ids.length === 0) return []
  const claimed = new Set(await store.claim(tx, tenant, message, visitor ?? null, ids))
  const rows = new Map((await store.findAll(tx, tenant, ids)).map(row => [row.id, row]))
  return ids.map((id, index) => {
    const row = rows.get(id)
    if (row && claimed.has(id)) return shown(row)
    if (row?.message_id && row.visitor_id === (visitor ?? null)) throw sent(id)
    throw unknown(index)
  })
}

/**
 * Keeps files that a message over the channel names, for as long as it may wait to be applied.
 * @returns those that the visitor has uploaded, whether a message has them already or not
 */
export const keepNamed = async (sql: Queryable, by: Required<Sender> & { channel: string }, ids: string[]): Promise<Set<string>> =>
  new Set(await store.keepNamed(sql, by, ids))

/** Whose a file is: the visitor's who uploaded it, and the message's it goes with. */
export async function ownerOf(sql: Queryable, ref: Ref): Promise<{ visitor: string | null; message: string | null } | undefined> {
  const row = await store.find(sql, ref)
  return row && { visitor: row.visitor_id, message: row.message_id }
}

const sent = (id: string): Problem =>
  new Problem('conflict', `The file ${id} goes with another message already; upload it again to send it again.`, {
    code: 'attachment_sent',
  })

const unknown = (index: number): Problem =>
  invalid({
    field: `attachments[${index}].id`,
    code: 'unknown_attachment',
    message: 'There is no such file; upload it to /api/v1/attachments within a day before the message.',
  })

/** A file of a received message. */
export interface Expected {
  /** The message's id. */
  message: string
  media: Media
}

/**
 * Files of messages that are being received: each is fetched after the commit, however long that takes.
 * @param maxBytes files that are announced as larger are not fetched
 * @returns the files as their messages show them, in the order given
 */
export function expected(
  tx: Tx,
  tenant: string,
  channel: string,
  files: Expected[],
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<MessageFile[]> {
  return received(tx, tenant, channel, files, ({ size_bytes = 0 }) => (size_bytes > maxBytes ? tooLarge(maxBytes) : null))
}

/** The same for files of a blocked contact: they are not fetched. */
export const unwanted = (tx: Tx, tenant: string, channel: string, files: Expected[]): Promise<MessageFile[]> =>
  received(tx, tenant, channel, files, () => ({
    code: 'contact_blocked',
    message: 'The contact was blocked when it was sent, so it was not fetched.',
  }))

async function received(
  tx: Tx,
  tenant: string,
  channel: string,
  files: Expected[],
  refusal: (media: Media) => Failure | null,
): Promise<MessageFile[]> {
  const uploads = files.filter(isUploaded)
  const claimed = await claimAll(
    tx,
    tenant,
    uploads.filter(({ media }) => refusal(media) === null),
  )
  const fetched = await toFetch(
    tx,
    tenant,
    channel,
    files.filter(each => !isUploaded(each)),
    refusal,
  )
  return files.map(each => {
    if (!isUploaded(each)) return fetched.shift() as MessageFile
    return claimed.get(each.media.source.uploaded) ?? lost(each, refusal(each.media))
  })
}

/** A file that a visitor of web chat has uploaded already. */
interface FromVisitor extends Expected {
  media: Media & { source: Uploaded }
}

const isUploaded = (each: Expected): each is FromVisitor => 'uploaded' in each.media.source

async function claimAll(tx: Tx, tenant: string, files: FromVisitor[]): Promise<Map<string, MessageFile>> {
  if (files.length === 0) return new Map()
  const wanted = files.map(({ message, media: { source } }) => ({ id: source.uploaded, message_id: message, visitor_id: source.visitor }))
  return new Map((await store.claimAll(tx, tenant, wanted)).map(row => [row.id, shown(row)]))
}

/** It was there when the visitor sent it, and is not now. */
const lost = ({ media: { source, type } }: FromVisitor, refused: Failure | null): MessageFile => ({
  id: source.uploaded,
  type,
  url: urlOf(source.uploaded),
  mime_type: UNKNOWN.mime_type,
  size_bytes: null,
  name: null,
  status: 'failed',
  error: refused ?? { code: 'unavailable', message: 'The file goes with another message, or was not sent within a day.' },
})

async function toFetch(
  tx: Tx,
  tenant: string,
  channel: string,
  files: Expected[],
  refusal: (media: Media) => Failure | null,
): Promise<MessageFile[]> {
  if (files.length === 0) return []
  const rows = files.map(({ message, media }) => {
    const error = refusal(media)
    return {
      id: newId('att'),
      message_id: message,
      type: media.type,
      name: cleanName(media.name) ?? null,
      mime_type: cleanType(media.mime_type),
      size_bytes: media.size_bytes ?? null,
      status: error ? ('failed' as const) : ('pending' as const),
      error,
      source: media.source,
    }
  })
  await store.insertReceived(
    tx,
    tenant,
    channel,
    rows.map(row => ({ ...row, error: row.error && JSON.stringify(row.error), source: JSON.stringify(row.source) })),
  )
  return rows.map(shown)
}

export const tooLarge = (maxBytes: number): Failure => ({
  code: 'too_large',
  message: `The file has more than ${maxBytes} bytes, which are allowed at most.`,
})

/** What a platform says of a file, until the file itself is there. */
const cleanType = (mime: string | undefined): string =>
  /^[\w.+-]{1,60}\/[\w.+-]{1,100}/.exec(mime?.toLowerCase() ?? '')?.[0] ?? UNKNOWN.mime_type

/** Deletes the files of messages that are deleted, in the same transaction. @param messages their ids */
export async function removeOf(tx: Tx, tenant: string, messages: string[]): Promise<void> {
  if (messages.length > 0) await store.removeOf(tx, tenant, messages)
}

/** A stored file, to be sent on. */
export interface StoredFile {
  fileName: string
  type: string
  length: number
  /** Read while it is sent. Each call reads it anew. */
  pieces(): AsyncIterable<Buffer>
}

/** @returns undefined where the file is not there: it was deleted, or could not be fetched */
export async function file(sql: Queryable, ref: Ref): Promise<StoredFile | undefined> {
  const row = await store.find(sql, ref)
  if (row?.status !== 'stored' || row.size_bytes === null) return undefined
  const length = row.size_bytes
  return { fileName: row.name ?? nameless(row), type: row.mime_type, length, pieces: () => bytes.read(sql, ref, 0, length) }
}

/** Platforms and browsers want a name. */
export const nameless = ({ type, mime_type }: Pick<store.Row, 'type' | 'mime_type'>): string => {
  const extension = /^[a-z]+\/(?:x-)?([a-z0-9]{2,5})$/.exec(mime_type)?.[1]
  return extension ? `${type}.${EXTENSIONS[extension] ?? extension}` : type
}

const EXTENSIONS: Record<string, string> = { jpeg: 'jpg', mpeg: 'mp3', plain: 'txt' }
