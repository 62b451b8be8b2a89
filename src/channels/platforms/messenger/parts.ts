// The attachments of a message of Messenger or Instagram, each as a message of its own.
import type { Media, Said } from '../../../conversations/update.ts'
import { FILES_IN_MAX } from '../bounds.ts'
import { entry, type Json, name, number, object, text } from '../value.ts'

/** What is at the attachment's address. Posts and stories are pictures unless they turn out to be films. */
const FILES: Record<string, Media['type']> = {
  image: 'image',
  video: 'video',
  audio: 'audio',
  file: 'file',
  sticker: 'image',
  share: 'image',
  story_mention: 'image',
  ig_story: 'image',
  ig_post: 'image',
  post: 'image',
  reel: 'video',
  ig_reel: 'video',
}

/** @param message its id: the addresses of its files expire, and are asked for by it */
export const partsOf = (attachments: Json[], message: string): Partial<Said>[] =>
  attachments.slice(0, FILES_IN_MAX).map((each, part) => partOf(each, { message, part }))

function partOf(attachment: Json, place: { message: string; part: number }): Partial<Said> {
  const type = name(attachment['type']) ?? 'unknown'
  const payload = object(attachment['payload']) ?? {}
  const url = text(payload['url']) ?? text(attachment['url'])
  const file = entry(FILES, type)
  if (file && url && !isPage(url)) return { media: [{ type: file, source: { url, ...place } }] }
  if (type === 'location') return placeOf(payload) ?? { unsupported: type }
  const words = [text(payload['title']) ?? text(attachment['title']), url].filter(Boolean).join('\n')
  return words ? { text: words } : { unsupported: type }
}

/** Some posts and films are shared by the page that shows them: that is a link, and what lies there is no file. */
const isPage = (url: string): boolean => /^(www\.|m\.)?(instagram|facebook)\.com$/.test(URL.parse(url)?.hostname ?? '')

function placeOf(payload: Json): Partial<Said> | undefined {
  const point = object(payload['coordinates'])
  const [latitude, longitude] = [number(point?.['lat']), number(point?.['long'])]
  if (latitude === undefined || longitude === undefined) return undefined
  return { location: { latitude, longitude, name: text(payload['title']) ?? null, address: null } }
}
