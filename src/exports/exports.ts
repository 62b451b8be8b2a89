// Exports: all rows of a resource as a file, which is sent while it is made, or written by a task and fetched later.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Caller } from '../caller.ts'
import { newId } from '../ids.ts'
import { etagOf } from '../ingress/conditional.ts'
import type { Streamed } from '../ingress/route.ts'
import { EXPORTS_OF_TENANT } from '../limits/exports.ts'
import { audit } from '../postgres/audit.ts'
import type { Queryable, Tx } from '../postgres/sql.ts'
import { walk } from '../postgres/walk.ts'
import { notFound, Problem } from '../problems.ts'
import { requireBytes } from '../tenants/quota.ts'
import { lockTenant } from '../tenants/tenants.ts'
import type { Downloads } from './downloads.ts'
import type { Exportable } from './exportable.ts'
import { type Form, type Format, formatter, MEDIA_TYPES } from './format.ts'
import type { NewExport } from './schema.ts'
import * as store from './store.ts'

/** What serving files needs of a web process. */
export interface DownloadContext {
  /** A pool for downloads alone. */
  sql: Queryable
  downloads: Downloads
}

/**
 * Sends a download while it is made: a walk from the oldest row to those of this moment. A file that fits into one slice is answered at once.
 * @throws {Problem} 422 for fields that the resource does not have; 409 and 503 when no place is free
 */
export function download(
  { sql, downloads }: DownloadContext,
  { tenant }: Caller,
  noun: Exportable,
  form: Form,
  filters: Record<string, unknown>,
): Promise<Streamed> {
  const { head, piece, sliceBytes } = formatter(noun, form)
  const began = new Date()
  return downloads.serve(tenant, async ({ read, send }) => {
    const next = walk({ sql, source: noun.rows(tenant, filters as never), until: began.toISOString(), sliceBytes })
    const first = await read(next)
    const opening = first ? Buffer.concat([head, piece(first.data)]) : head
    let waiting: Buffer | undefined = opening
    const open = () =>
      send(async signal => {
        const ready = waiting
        waiting = undefined
        if (ready) return ready
        const slice = await read(() => next(signal), signal)
        return slice && piece(slice.data)
      })
    const answer = { type: MEDIA_TYPES[form.format], headers: attachment(noun.resource, form.format, began), open }
    return first?.more ? answer : { ...answer, etag: etagOf(opening), headers: { ...answer.headers, ...lengthOf(opening) } }
  })
}

const lengthOf = (body: Buffer) => ({ 'Content-Length': String(body.length) })

const attachment = (resource: string, format: Format, at: Date): Record<string, string> => ({
  'Content-Disposition': `attachment; filename="${resource}-${at.toISOString().replaceAll(/[-:]|\.\d+/g, '')}.${format}"`,
})

/**
 * Orders an export. @returns its id
 * @param storedBytes how many bytes of uploads and exports the workspace may keep
 * @throws {Problem} 422 for fields that the resource does not have; 409 while too many are under way, or too many bytes are kept
 */
export async function begin(tx: Tx, caller: Caller, noun: Exportable, input: NewExport, storedBytes: number): Promise<string> {
  const { format = 'ndjson', fields, bom = false, filters = {} } = input
  formatter(noun, { format, fields: fields?.join(','), bom })
  const id = newId('exp')
  const made = { resource: noun.resource, format, fields: fields ?? null, bom, filters, created_at: new Date() }
  await lockTenant(tx, caller.tenant)
  if ((await store.countRunning(tx, caller.tenant)) >= EXPORTS_OF_TENANT) throw tooMany()
  await requireBytes(tx, caller.tenant, storedBytes)
  await store.insert(tx, { tenant: caller.tenant, id }, made)
  await audit(tx, caller, 'export.begin', id, { resource: noun.resource, format, filters })
  return id
}

const tooMany = (): Problem =>
  new Problem('conflict', `${EXPORTS_OF_TENANT} exports of this workspace are under way; wait until one has ended, or cancel it.`, {
    code: 'too_many_exports',
  })

/** Ends an export and deletes its file, also that of a completed one. A failed export stays as it is. @throws {Problem} 404 */
export async function cancel(tx: Tx, caller: Caller, id: string): Promise<string> {
  const ref = { tenant: caller.tenant, id }
  if (await store.cancel(tx, ref)) await audit(tx, caller, 'export.cancel', id)
  const json = await store.findJson(tx, ref)
  if (json === undefined) throw notFound('export')
  return json
}

/**
 * Sends the file of a completed export.
 * @param compressed whether the reader accepts gzip, in which the file is stored
 * @throws {Problem} 404; 409 when there is no file; 409 and 503 when no place is free
 */
export function fetchFile({ sql, downloads }: DownloadContext, { tenant }: Caller, id: string, compressed: boolean): Promise<Streamed> {
  const ref = { tenant, id }
  return downloads.serve(tenant, async ({ read, send }) => {
    const file = await read(() => store.file(sql, ref))
    if (!file) throw notFound('export')
    if (file.state !== 'completed')
      throw new Problem('conflict', `The export is ${file.state}; it has no file.`, { code: 'export_not_complete', state: file.state })
    let number = 0
    return {
      type: MEDIA_TYPES[file.format],
      // The file never changes, so the export's id is enough.
      etag: compressed ? `"${id}-gzip"` : `"${id}"`,
      headers: {
        ...attachment(file.resource, file.format, file.created_at),
        'Content-Length': String(compressed ? file.stored_bytes : file.bytes),
        Vary: 'Accept-Encoding',
        ...(compressed && { 'Content-Encoding': 'gzip' }),
      },
      open: () =>
        send(async signal => {
          if (number === file.chunks) return undefined
          const chunk = await read(() => store.chunk(sql, ref, number++), signal)
          if (!chunk) throw new Error(`export ${id} has lost chunk ${number - 1}`)
          return compressed ? chunk : unzip(chunk)
        }),
    }
  })
}

const unzip = promisify(gunzip)
