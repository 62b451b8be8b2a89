// What a message may hold on each platform, by the platforms' own documentation (November 2026).
import type { PlatformName } from './names.ts'

const MB = 1024 * 1024

export const FILE_KINDS = ['image', 'video', 'audio', 'file'] as const
export type FileKind = (typeof FILE_KINDS)[number]

interface Files {
  bytes: number
  /** The types it takes; any unless given. */
  mime_types?: readonly string[]
}

export interface Limits {
  text_max: number
  /** Characters are counted in UTF-16, as the platforms count them. */
  text_unit: 'characters' | 'bytes'
  /** By kind, the files it carries. */
  files: Partial<Record<FileKind, Files>>
  /** The most characters of a text beside a file of the kind; without one the kind has no caption. */
  captions: Partial<Record<FileKind, number>>
  /** Choices are buttons below a text of so many characters, and numbered lines of a longer one; null: always buttons. */
  button_text_max: number | null
  /** Hours after the customer's last message in which a reply may be sent; null: any time. */
  reply_hours: number | null
  /** The same for people's words, where the channel has the right to (`human_agent`). */
  human_reply_hours: number | null
  /** A message may be a template, which goes at any time. */
  templates: boolean
}

const ANY: Limits['files'] = {
  image: { bytes: 100 * MB },
  video: { bytes: 100 * MB },
  audio: { bytes: 100 * MB },
  file: { bytes: 100 * MB },
}
const CAPTIONS = (max: number): Limits['captions'] => ({ image: max, video: max, audio: max, file: max })

/** An API that is free in its form carries whatever is allowed at all: ATTACHMENT_MAX_BYTES. */
const free: Limits = {
  text_max: 4096,
  text_unit: 'characters',
  files: ANY,
  captions: CAPTIONS(4096),
  button_text_max: null,
  reply_hours: null,
  human_reply_hours: null,
  templates: false,
}

/** Meta's Messenger Platform: https://developers.facebook.com/docs/messenger-platform/reference/attachment-upload-api */
const messenger = { button_text_max: null, captions: {}, reply_hours: 24, human_reply_hours: 7 * 24, templates: false } as const

export const LIMITS: Record<PlatformName, Limits> = {
  /** https://core.telegram.org/bots/api#sendmessage, #sending-files */
  telegram: {
    ...free,
    text_max: 4096,
    files: { image: { bytes: 10 * MB }, video: { bytes: 50 * MB }, audio: { bytes: 50 * MB }, file: { bytes: 50 * MB } },
    captions: CAPTIONS(1024),
  },
  /** https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media#supported-media-types */
  whatsapp: {
    text_max: 4096,
    text_unit: 'characters',
    files: {
      image: { bytes: 5 * MB, mime_types: ['image/jpeg', 'image/png'] },
      video: { bytes: 16 * MB, mime_types: ['video/mp4', 'video/3gpp'] },
      audio: { bytes: 16 * MB, mime_types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'] },
      file: { bytes: 100 * MB },
    },
    captions: { image: 1024, video: 1024, file: 1024 },
    /** https://developers.facebook.com/docs/whatsapp/cloud-api/messages/interactive-reply-buttons-messages */
    button_text_max: 1024,
    reply_hours: 24,
    human_reply_hours: null,
    templates: true,
  },
  facebook: {
    ...messenger,
    text_max: 2000,
    text_unit: 'characters',
    files: { image: { bytes: 8 * MB }, video: { bytes: 25 * MB }, audio: { bytes: 25 * MB }, file: { bytes: 25 * MB } },
  },
  /** https://developers.facebook.com/docs/instagram-platform/instagram-api-with-instagram-login/messaging-api */
  instagram: {
    ...messenger,
    text_max: 1000,
    text_unit: 'bytes',
    files: {
      image: { bytes: 8 * MB, mime_types: ['image/png', 'image/jpeg', 'image/gif'] },
      video: { bytes: 25 * MB, mime_types: ['video/mp4', 'video/ogg', 'video/x-msvideo', 'video/quicktime', 'video/webm'] },
      audio: { bytes: 25 * MB, mime_types: ['audio/aac', 'audio/mp4', 'audio/x-m4a', 'audio/wav'] },
    },
  },
  api: free,
  web: free,
}

/** How long a text is, in what its platform counts. */
export const lengthOf = (text: string, { text_unit }: Limits): number => (text_unit === 'bytes' ? Buffer.byteLength(text) : text.length)
