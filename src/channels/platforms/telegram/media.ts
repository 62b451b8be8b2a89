// The file of a Telegram message.
import type { Message, PhotoSize, Sticker } from '@grammyjs/types'
import type { Media } from '../../../conversations/update.ts'
import { count, type Fields, fields, given, id, name, objects } from '../value.ts'

/** A bot may fetch no larger file: https://core.telegram.org/bots/api#getfile */
const FETCHED_BYTES_MAX = 20 * 1024 * 1024

/** In the order in which they count: an animation is told as a document as well. */
const KINDS = [
  ['animation', 'video'],
  ['video', 'video'],
  ['video_note', 'video'],
  ['audio', 'audio'],
  ['voice', 'audio'],
  ['document', 'file'],
] as const satisfies [member: keyof Message, type: Media['type']][]

export function mediaOf(message: Fields<Message>): Media[] {
  const photo = photoOf(message)
  if (photo) return [photo]
  const sticker = fields<Sticker>(message.sticker)
  if (sticker) return file(sticker, stickerType(sticker))
  for (const [member, type] of KINDS) {
    const value = fields<NonNullable<Message[typeof member]>>(message[member])
    if (value) return file(value, type)
  }
  return []
}

// A photo comes in several sizes, the largest last.
function photoOf(message: Fields<Message>): Media | undefined {
  const sizes: Fields<PhotoSize>[] = objects(message.photo)
  const fetched = sizes.filter(each => (count(each.file_size) ?? 0) <= FETCHED_BYTES_MAX)
  const largest = (fetched.length > 0 ? fetched : sizes).reduce<Fields<PhotoSize> | undefined>(
    (a, b) => (a && area(a) > area(b) ? a : b),
    undefined,
  )
  return largest && file({ mime_type: 'image/jpeg', ...largest }, 'image')[0]
}

const area = (size: Fields<PhotoSize>): number => (count(size.width) ?? 0) * (count(size.height) ?? 0)

const stickerType = ({ is_animated, is_video }: Fields<Sticker>): Media['type'] => (is_video ? 'video' : is_animated ? 'file' : 'image')

/** A file of any kind. */
type AnyFile = Sticker | NonNullable<Message[(typeof KINDS)[number][0]]>

function file(value: Fields<AnyFile>, type: Media['type']): Media[] {
  const file_id = id(value.file_id)
  if (!file_id) return []
  const claimed = { name: name(value.file_name), mime_type: name(value.mime_type), size_bytes: count(value.file_size) }
  return [{ type, source: { file_id }, ...given(claimed) }]
}
