// Files on their way to the service. They live in this tab alone: the browser's storage is too small for them.
import type { ChatFile, Session } from '../schema.ts'
import type { Api } from './api.ts'
import type { Texts } from './texts.ts'

export interface Upload {
  key: string
  name: string
  /** failed: the visitor may try again. */
  state: 'uploading' | 'failed'
  why: string | undefined
}

export interface Uploads {
  all(): Upload[]
  /** @returns why one was refused */
  add(files: Iterable<File>, allowed: Session['files']): string | undefined
  again(upload: Upload): void
  remove(upload: Upload): void
  clear(): void
}

/** 10 MB over a poor connection. */
const UPLOAD_MS = 180_000

/** @param onStored the service has the file */
export function openUploads(api: Api, texts: Texts, onChange: () => void, onStored: (file: ChatFile) => void): Uploads {
  const uploads = new Map<string, Upload & { file: File }>()
  let made = 0
  const set = (upload: Upload & { file: File }): void => {
    uploads.set(upload.key, upload)
    onChange()
  }
  async function send(upload: Upload & { file: File }): Promise<void> {
    set({ ...upload, state: 'uploading', why: undefined })
    const { status, body } = await api.post<ChatFile & { detail?: string }>(
      `files?name=${encodeURIComponent(upload.name)}`,
      upload.file,
      UPLOAD_MS,
    )
    if (!uploads.has(upload.key)) return
    if (status !== 201) return set({ ...upload, state: 'failed', why: status >= 400 && status < 500 ? body?.detail : undefined })
    uploads.delete(upload.key)
    onStored(body)
    onChange()
  }
  return {
    all: () => [...uploads.values()],
    add(files, { max_bytes, mime_types }) {
      let refusal: string | undefined
      for (const file of files) {
        if (file.size > max_bytes) refusal = `${texts.tooLarge} ${Math.floor(max_bytes / 1_048_576)} MB.`
        else if (!isOneOf(file.type, mime_types)) refusal = texts.wrongType
        else void send({ key: `upload-${++made}`, name: file.name || 'file', file, state: 'uploading', why: undefined })
      }
      return refusal
    },
    again({ key }) {
      const upload = uploads.get(key)
      if (upload) void send(upload)
    },
    remove({ key }) {
      uploads.delete(key)
      onChange()
    },
    clear: () => uploads.clear(),
  }
}

// What the browser does not know, the service tells by content.
const isOneOf = (type: string, allowed: string[]): boolean =>
  type === '' || allowed.some(each => each === type || (each.endsWith('/*') && type.startsWith(each.slice(0, -1))))
