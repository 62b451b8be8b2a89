// A body of the type multipart/form-data (RFC 7578): fields, then one file, which is sent as it is read.
import { randomBytes } from 'node:crypto'
import type { Streamed } from './request.ts'

export interface FilePart extends Streamed {
  /** The name of its field. */
  field: string
  fileName: string
  /** Its media type. */
  type: string
}

/** @param file undefined: there are fields alone */
export function multipart(fields: Record<string, string>, file?: FilePart): { headers: { 'Content-Type': string }; body: Streamed } {
  // 24 random digits: no file holds them by chance, nor by intent.
  const boundary = `shopdesk${randomBytes(12).toString('hex')}`
  const before = Buffer.from(
    Object.entries(fields)
      .map(([name, value]) => `--${boundary}\r\n${disposition(name)}\r\n\r\n${value}\r\n`)
      .join('') + (file ? `--${boundary}\r\n${disposition(file.field, file.fileName)}\r\nContent-Type: ${oneLine(file.type)}\r\n\r\n` : ''),
  )
  const after = Buffer.from(`${file ? '\r\n' : ''}--${boundary}--\r\n`)
  const length = file && file.length === undefined ? undefined : before.length + (file?.length ?? 0) + after.length
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: { pieces: () => pieces(before, file, after), ...(length !== undefined && { length }) },
  }
}

async function* pieces(before: Buffer, file: FilePart | undefined, after: Buffer): AsyncGenerator<Buffer> {
  yield before
  if (file) yield* file.pieces()
  yield after
}

const disposition = (name: string, fileName?: string): string =>
  `Content-Disposition: form-data; name="${quoted(name)}"${fileName === undefined ? '' : `; filename="${quoted(fileName)}"`}`

/** As browsers write it (the HTML standard, "multipart/form-data"): UTF-8, and nothing that ends the quotes or the line. */
const quoted = (text: string): string => text.toWellFormed().replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22')

const oneLine = (text: string): string => text.replaceAll(/[\r\n]/g, ' ')
