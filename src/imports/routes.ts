import { Type } from 'typebox'
import type { Config } from '../config.ts'
import type { Downloads } from '../exports/downloads.ts'
import { TooManyDownloads } from '../exports/schema.ts'
import type { Ref } from '../ids.ts'
import { itemRoute } from '../ingress/item-route.ts'
import { envelope, type Listing, listOf, listQuery, listRoute, pageRequest } from '../ingress/list.ts'
import { EVENT_STREAM, eventStream } from '../ingress/live.ts'
import { type Route, read, upload, write } from '../ingress/route.ts'
import { IMPORT_BODY_BYTES } from '../limits/imports.ts'
import type { Queryable } from '../postgres/sql.ts'
import { notFound } from '../problems.ts'
import { choices } from '../schemas.ts'
import { QuotaReached } from '../tenants/quota.ts'
import * as errorStore from './error-store.ts'
import * as errors from './errors.ts'
import { encodingOf } from './file/encoding.ts'
import * as imports from './imports.ts'
import type { Progress } from './progress.ts'
import {
  FORMATS,
  type Format,
  Import,
  ImportCancelled,
  ImportError,
  NewImport,
  RESOURCES,
  STATUSES,
  TooManyImports,
  TooManyProgressStreams,
} from './schema.ts'
import * as store from './store.ts'

const path = '/api/v1/imports'
const one = { path: `${path}/{id}`, idPrefix: 'imp', noun: 'import', tag: 'Imports' }
const listing: Listing = { path, idPrefix: 'imp', sorts: { created_at: 'time' }, offers: { offset: false } }
const query = Type.Pick(
  listQuery(listing, {
    resource: Type.Optional(choices(RESOURCES, 'Any of these, comma-separated.')),
    status: Type.Optional(choices(STATUSES, 'Any of these, comma-separated.')),
  }),
  ['cursor', 'limit', 'fields', 'sort', 'dir', 'offset', 'resource', 'status'],
)
const { cursor, limit, fields, offset } = query.properties

/** What progress streams and downloads need of a web process. */
export interface ImportContext {
  progress: Progress
  downloads: Downloads
  /** For downloads, which may take longer than a lane allows. */
  sql: Queryable
}

export const routes = (config: Config, { progress, downloads, sql: apart }: ImportContext): Route[] => [
  upload({
    path,
    operationId: 'createImport',
    tag: 'Imports',
    summary: 'Import a file of products, orders or contacts',
    description:
      'The body is the file: NDJSON, or CSV with a header. It is taken in as it comes; rows are applied by a worker once all of it is here. A 202: its progress is at Location.',
    types: Object.keys(FORMATS),
    maxBytes: IMPORT_BODY_BYTES,
    query: NewImport,
    examples: EXAMPLES,
    take: async ({ sql, caller, query, type, charset, bytes, remember }) =>
      imports.upload(sql, caller, asked(query, type, charset, bytes), config.quotas.storedBytes, async (tx, id, body) => {
        const answer = { status: 202, body, location: `${path}/${id}` }
        await remember(tx, answer)
        return answer
      }),
    status: 202,
    response: Import,
    conflicts: [ImportCancelled, TooManyImports, QuotaReached],
  }),
  listRoute(config, listing, {
    operationId: 'listImports',
    tag: 'Imports',
    summary: 'List imports',
    query,
    item: Import,
    page: ({ sql, caller, query }, page) => store.list(sql, caller.tenant, query, page),
  }),
  itemRoute({
    ...one,
    operationId: 'getImport',
    summary: 'Read an import’s progress',
    response: Import,
    json: (sql, { caller, id }) => store.findJson(sql, caller.tenant, id),
  }),
  read({
    ...one,
    path: `${one.path}/progress`,
    operationId: 'followImport',
    summary: 'Follow an import',
    description:
      'Server-sent events: progress whenever it has changed, then done, each with the import as its data. A reader who comes back starts with how it stands.',
    query: Type.Object({}),
    response: Import,
    file: [EVENT_STREAM],
    conflicts: [TooManyProgressStreams],
    handler: async ({ sql, caller, id }) => {
      await requireImport(sql, caller.tenant, id)
      return eventStream(() => progress.open(sql, { tenant: caller.tenant, id }))
    },
  }),
  read({
    ...one,
    path: `${one.path}/errors`,
    operationId: 'listImportErrors',
    summary: 'List what was wrong with an import’s rows',
    description: 'In the order of the file. A row may have several.',
    query: Type.Object({ cursor, limit, fields, offset }),
    response: listOf(ImportError),
    handler: async ({ sql, caller, id, query, project, url }) => {
      await requireImport(sql, caller.tenant, id)
      const asked = pageRequest(errors.listing, query, config)
      const page = await errorStore.list(sql, ref(caller.tenant, id), errors.placeOf(asked), asked.limit, ',')
      const next = page.more && page.last ? errors.cursorOf(page.last, id) : null
      return { pieces: envelope(url, Buffer.from(page.data), next, project) }
    },
  }),
  ...Object.entries(FORMATS).map(([type, format]) =>
    read({
      ...one,
      path: `${one.path}/errors.${format}`,
      operationId: `downloadImportErrors${format === 'csv' ? 'Csv' : 'Ndjson'}`,
      summary: `Download what was wrong, as ${format === 'csv' ? 'CSV' : 'NDJSON'}`,
      query: Type.Object({}),
      response: ImportError,
      file: [type],
      conflicts: [TooManyDownloads],
      handler: ({ sql, caller, id }) =>
        downloads.serve(caller.tenant, async ({ read, send }) => {
          await requireImport(sql, caller.tenant, id)
          const next = errors.file(apart, ref(caller.tenant, id), format)
          return {
            type: format === 'csv' ? `${type}; charset=utf-8; header=present` : type,
            headers: { 'Content-Disposition': `attachment; filename="${id}-errors.${format}"` },
            open: () => send(signal => read(next, signal)),
          }
        }),
    }),
  ),
  write({
    ...one,
    method: 'POST',
    path: `${one.path}/cancel`,
    operationId: 'cancelImport',
    summary: 'Cancel an import',
    description: 'What was applied stays, the rest is dropped. One that is over stays as it is.',
    status: 200,
    response: Import,
    handler: async ({ tx, caller, id }) => ({ body: await imports.cancel(tx, caller, id) }),
  }),
]

const EXAMPLES = {
  'application/x-ndjson': '{"name":"Linen shirt","price_amount":4900,"tags":["linen"]}\n{"name":"Cap","price_amount":900}\n',
  'text/csv': 'name,price_amount,tags,attributes.colour\nLinen shirt,4900,linen,white\nCap,900,,\n',
}

const ref = (tenant: string, id: string): Ref => ({ tenant, id: id })

async function requireImport(sql: Queryable, tenant: string, id: string): Promise<void> {
  if ((await store.findJson(sql, tenant, id)) === undefined) throw notFound('import')
}

function asked(query: NewImport, type: string, charset: string | undefined, bytes: AsyncIterable<Buffer>): imports.Asked {
  const encoding = query.encoding ?? encodingOf(charset)
  return { ...query, format: FORMATS[type as keyof typeof FORMATS] as Format, bytes, ...(encoding && { encoding }) } as imports.Asked
}
