// The files of visitors: uploaded before the message that they go with, and shown to those of the talk alone.
import type { Readable } from 'node:stream'
import * as attachments from '../attachments/attachments.ts'
import { signedUrl } from '../attachments/link.ts'
import { serve } from '../attachments/serve.ts'
import { upload } from '../attachments/upload.ts'
import type { Site } from '../channels/accounts/site.ts'
import { messageOf } from '../conversations/thread.ts'
import { createSlidingLog } from '../ingress/address-limit.ts'
import type { GuestAnswer, GuestInput } from '../ingress/guest.ts'
import { CHAT_FILE_BYTES, CHAT_FILES, CHAT_FILES_AT_ONCE, CHAT_FILES_OF_ADDRESS, CHAT_FILES_SECONDS } from '../limits/chat.ts'
import { DAY_SECONDS } from '../limits/clock.ts'
import { createPlaces } from '../places.ts'
import { invalid, notFound } from '../problems.ts'
import { type ChatContext, visitorOf, within } from './context.ts'
import { FILE_TYPES, isTaken } from './file-types.ts'

const slots = createSlidingLog(CHAT_FILES, CHAT_FILES_SECONDS)
const slotsOfAddress = createSlidingLog(CHAT_FILES_OF_ADDRESS, DAY_SECONDS)
const places = createPlaces({
  all: CHAT_FILES_AT_ONCE,
  code: 'too_many_uploads',
  what: 'files of visitors',
  instead: 'wait until one has arrived',
})

/** @throws {Problem} 401, 413, 422 for a kind of file that is not taken, 429 */
export async function take({ sql, keyring, storedBytes }: ChatContext, input: GuestInput<Site, unknown>): Promise<GuestAnswer> {
  const { at: site, query, headers } = input
  const { visitor } = visitorOf(keyring, input)
  within(slots(visitor), `${CHAT_FILES} files in ${CHAT_FILES_SECONDS / 60} minutes`)
  within(slotsOfAddress(`${site.id} ${input.guest}`), `${CHAT_FILES_OF_ADDRESS} files a day from one address`)
  const name = typeof query['name'] === 'string' ? query['name'] : undefined
  const body = input.file(CHAT_FILE_BYTES)
  const leave = places.take(site.tenant, { ...body, guest: input.guest })
  try {
    const file = { tenant: site.tenant, visitor, name, claimedType: headers['content-type'], bytes: body.bytes }
    return await upload(sql, file, storedBytes, async (_tx, row) => {
      if (!isTaken(row.mime_type)) throw notTaken(row.mime_type)
      return { status: 201, body: { ...attachments.shown(row), url: signedUrl(keyring, site.tenant, row.id) } }
    })
  } finally {
    leave()
  }
}

const notTaken = (mime: string) =>
  invalid({ field: '', code: 'file_type', message: `must be one of ${FILE_TYPES.join(', ')}; by its content it is ${mime}.` })

/** Keeps the files of a message that is about to be kept. @throws {Problem} 422 for a file that this visitor has not uploaded */
export async function keepOwn({ sql }: ChatContext, { tenant, id }: Site, visitor: string, files: { id: string }[]): Promise<void> {
  if (files.length === 0) return
  const own = await attachments.keepNamed(
    sql,
    { tenant, visitor, channel: id },
    files.map(each => each.id),
  )
  const strange = files.findIndex(each => !own.has(each.id))
  if (strange < 0) return
  throw invalid({
    field: `attachments[${strange}].id`,
    code: 'unknown_attachment',
    message: 'names no file of this visitor; upload it within a day before the message.',
  })
}

/** A file of the talk. @throws {Problem} 401, 404, 409 for one that is still being fetched */
export async function show(context: ChatContext, input: GuestInput<Site, unknown>): Promise<GuestAnswer> {
  const { at: site, innerId: id } = input
  const { visitor } = visitorOf(context.keyring, input)
  const ref = { tenant: site.tenant, id }
  const owner = await attachments.ownerOf(context.sql, ref)
  const thread = { channel_id: site.id, thread: visitor }
  const isTheirs =
    owner &&
    (owner.visitor === visitor ||
      (owner.message !== null && (await messageOf(context.sql, site.tenant, thread, owner.message)) !== undefined))
  if (!isTheirs) throw notFound('file')
  const { type, headers, open } = await serve({ sql: context.sql, files: context.files }, ref, input.guest)
  return { body: open() as Readable, headers: { ...headers, 'Content-Type': type } }
}
