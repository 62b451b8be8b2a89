// What a file is, told by its content. What its sender, its platform or its name claims counts only where the content leaves it open.
import type { FileType } from './schema.ts'

export interface Kind {
  type: FileType
  mime_type: string
}

export const UNKNOWN: Kind = { type: 'file', mime_type: 'application/octet-stream' }

/**
 * @param head the beginning of the file: of formats that are archives, as office files are, it takes some kilobytes
 * @param claimed the type that the sender names
 */
export async function kindOf(head: Buffer, claimed: string | undefined, name: string | undefined): Promise<Kind> {
  const found = await detect(head)
  if (!found) return isText(head) ? { type: 'file', mime_type: 'text/plain' } : UNKNOWN
  const mime_type = OFFICE[found]?.get(extensionOf(name)) ?? asClaimed(found, claimed)
  return { mime_type, type: typeOf(mime_type) }
}

// The library is loaded with the first file: most processes never see one.
async function detect(head: Buffer): Promise<string | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  // A file that was made to break a reader of its format is of no known kind.
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  const mime = found?.mime.split(';')[0]?.toLowerCase()
  return mime && (USUAL[mime] ?? mime)
}

/** Where the library's name is not the usual one, by which platforms know the type. */
const USUAL: Record<string, string> = {
  'audio/x-m4a': 'audio/mp4',
  'audio/vnd.wave': 'audio/wav',
  'video/vnd.avi': 'video/x-msvideo',
  'application/x-rtf': 'application/rtf',
}

/** Containers that hold sound, or pictures with sound: their beginning does not always tell. */
const EITHER = new Set(['mp4', 'webm', 'ogg', '3gpp'])

function asClaimed(found: string, claimed = ''): string {
  const [kind, format = ''] = found.split('/')
  const said = claimed.toLowerCase().split('/')[0]
  return (kind === 'video' || kind === 'audio') && EITHER.has(format) && (said === 'audio' || said === 'video')
    ? `${said}/${format}`
    : found
}

/** Formats of several programs that only the name tells apart. By maps, for a name may end in anything: `a.constructor` too. */
const OFFICE: Record<string, Map<string, string>> = {
  'application/x-cfb': new Map([
    ['doc', 'application/msword'],
    ['xls', 'application/vnd.ms-excel'],
    ['ppt', 'application/vnd.ms-powerpoint'],
  ]),
  'application/zip': new Map([
    ['docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
    ['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['pptx', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
  ]),
}

const extensionOf = (name: string | undefined): string => /\.([A-Za-z0-9]+)$/.exec(name ?? '')?.[1]?.toLowerCase() ?? ''

function typeOf(mime: string): FileType {
  if (INLINE.has(mime)) return mime.split('/')[0] as FileType
  const kind = mime.split('/')[0]
  return kind === 'video' || kind === 'audio' ? kind : 'file'
}

/** What a browser may show by itself: it runs none of these. SVG is a document with scripts, and is none of them. */
export const INLINE = new Set([
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/heic',
  'image/heif',
  'audio/aac',
  'audio/amr',
  'audio/flac',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/opus',
  'audio/wav',
  'audio/webm',
  'video/3gpp',
  'video/mp4',
  'video/ogg',
  'video/quicktime',
  'video/webm',
])

/** UTF-8, UTF-16 by its mark, or one of the old encodings with a byte for each letter (Windows-1251): without what only binary files hold. */
function isText(head: Buffer): boolean {
  const mark = head.toString('latin1', 0, 2)
  const utf16 = mark === '\u00ff\u00fe' ? 'utf-16le' : mark === '\u00fe\u00ff' ? 'utf-16be' : undefined
  if (utf16) return isPlain(decoded(head, utf16))
  return !head.includes(0) && (decoded(head, 'utf-8') !== undefined || isPlain(head.toString('latin1')))
}

/** @returns undefined where the bytes are of no text in this encoding. The last character may be cut */
function decoded(head: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(head, { stream: true })
  } catch {
    return undefined
  }
}

/** Texts of these encodings are told from other bytes by that alone: they have no control characters but those of lines and pages. */
const isPlain = (text: string | undefined): boolean => text !== undefined && !/[^\P{Cc}\t\n\f\r\u0080-\u009f]/u.test(text)
